# What the rules share: the plan, which knows inputs, params and resources of every step, and what wildcards look like.
# Rules say what depends on what; everything that can be tested lives in the package `demix`.
import re

from demix.support.environment import prepare_commands
from demix.support.errors import DemixError
from demix.support.importing import hand_on
from demix.workflow import paths
from demix.workflow.plan.common import Functions, clear_errors
from demix.workflow.plan.plan import WorkflowPlan

prepare_commands()
hand_on(workflow.config_settings.configfiles)


def forced():
    told = workflow.dag_settings  # not known before jobs are planned
    return bool(told.forcetargets or told.forceall or told.forcerun)


with clear_errors():
    PLAN = WorkflowPlan.here(CONFIG_FILES, config, forced)

EXPERIMENT = PLAN.experiment
DATA, RUNS, OUTPUTS = map(Functions, (PLAN.data, PLAN.runs, PLAN.outputs))
DATA_ROOT = paths.data_root()


def alternatives(names):
    return "|".join(map(re.escape, names)) or "none"


# What the name of a folder of runs or data looks like. The names themselves, thousands of them at times, would be
# searched in every path that Snakemake makes; one that is not known is an error all the same, where it is looked up.
KEY = f"[0-9a-f]{{{paths.SHORT}}}"


wildcard_constraints:
    scale=EXPERIMENT.scale_name,
    run=f"[^/]+-{KEY}",
    seed=alternatives(map(str, EXPERIMENT.seeds)),
    set="[^/]+",
    set_key=KEY,
    kind="[^/]+",
    name=KEY,
    data=f"[^/]+-{KEY}",
    source="[^/]+",
    file="[^/]+",
    split="[^/]+",
    first="[0-9]+",
    table=alternatives(EXPERIMENT.tables),
    figure=alternatives(EXPERIMENT.figures),
    place="tables|figures",
