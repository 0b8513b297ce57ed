"""Put every table and figure of a scale on one page, with captions, rules and run times: Snakemake's report.

Everything that is not an option of this command is passed on to Snakemake, such as --configfile and --config.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from demix.support.cli import parser, run


def main() -> None:
    """Command line."""
    arguments = parser("report", __doc__)
    arguments.add_argument("--snakefile", type=Path, required=True, help="of the workflow")
    arguments.add_argument("--out", type=Path, required=True, help="page to write")
    options, settings = arguments.parse_known_args()
    sys.exit(subprocess.run(report_command(options.snakefile, options.out, settings)).returncode)


def report_command(snakefile: Path, out: Path, settings: list[str]) -> list[str]:
    """The call of Snakemake that writes the page. The folder is locked by the workflow that wants it."""
    snakemake = [sys.executable, "-m", "snakemake", "all", "--snakefile", str(snakefile), "--nolock"]
    return [*snakemake, "--report", str(out), *settings]


def same_settings(settings: Any) -> list[str]:
    """Options that give another call of Snakemake the configuration of this one.

    Args:
        settings: Snakemake's record of --config and --configfile.
    """
    given = [f"{name}={json.dumps(value)}" for name, value in settings.config.items()]
    files = [str(Path(path).absolute()) for path in settings.configfiles]
    return [*(["--configfile", *files] if files else []), *(["--config", *given] if given else [])]


if __name__ == "__main__":
    run(main)
