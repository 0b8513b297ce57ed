# demix: three papers on contrastive learning and nonlinear ICA, from data to tables. See README.md.
import sys
from pathlib import Path

from snakemake.utils import min_version

min_version("9.13")

# A clone runs its own code, wherever the active environment has the package from.
SOURCES = Path(workflow.basedir).resolve() / "src"
sys.path.insert(0, str(SOURCES))

import demix

if not Path(demix.__file__).resolve().is_relative_to(SOURCES):  # a profile has imported it before
    sys.exit(
        f"demix: error: the package demix is that of {Path(demix.__file__).parent}, this workflow's is in {SOURCES}: "
        f"give `make env` in {SOURCES.parent} and use its environment"
    )


CONFIG_FILES = [Path(workflow.basedir) / "workflow_config.yaml", *workflow.config_settings.configfiles]


configfile: str(CONFIG_FILES[0])


report: "rules/report/workflow.rst"


include: "rules/common.smk"
include: "rules/data.smk"
include: "rules/runs.smk"
include: "rules/cache.smk"
include: "rules/tables.smk"
include: "rules/figures.smk"
include: "rules/hooks.smk"


rule all_tables:
    default_target: True
    input:
        [OUTPUTS.table_files(table) for table in EXPERIMENT.tables],
    localrule: True


rule all_figures:
    input:
        [OUTPUTS.figure_files(figure) for figure in EXPERIMENT.figures],
    localrule: True


rule all:
    input:
        rules.all_tables.input,
        rules.all_figures.input,
    localrule: True


include: "rules/report.smk"
include: "rules/targets.smk"
