"""Check the theorems by simulation: one row for each comparison, in a parquet file. Seconds on a CPU, no torch."""

from pathlib import Path
from typing import Any

from demix.specs.base import parse
from demix.specs.figures import Theory
from demix.support.cli import from_json, parser, run
from demix.support.files import replacing
from demix.support.provenance import commit, versions


def main() -> None:
    """Command line."""
    arguments = parser("check_theorems", __doc__)
    arguments.add_argument("--plan", required=True, help="the figure's plan, as JSON")
    arguments.add_argument("--out", required=True, type=Path, help="parquet file to write")
    options = arguments.parse_args()
    write_checks(from_json(options.plan, "--plan"), options.out)


def write_checks(plan: dict[str, Any], out: Path) -> None:
    """Simulate all comparisons of a plan and write them; the plan goes into the file's metadata for rendering."""
    import pandas as pd

    from demix.theory.checks import all_checks
    from demix.theory.reach import reaches

    theory = parse(Theory, plan["theory"], "--plan")
    table = pd.DataFrame([check.row() for check in all_checks(theory)])
    table["negatives"] = table["negatives"].astype("Int64")
    table.insert(0, "scale", plan["scale"])
    for name, value in {"commit": commit(), **versions("demix", "numpy", "scipy")}.items():
        table[name] = value
    table.attrs["plan"] = plan | {"reaches": [vars(reach) for reach in reaches(theory)]}
    with replacing(out) as temporary:
        table.to_parquet(temporary, index=False)


if __name__ == "__main__":
    run(main)
