"""Render a collected table to md, tex, html, csv and txt, beside its parquet file.

The claims in the parquet file beside it stand below the table in md, html and txt.
"""

from pathlib import Path

from demix.collecting.writing import plan_of
from demix.support.cli import parser, run
from demix.support.files import read_parquet, replacing
from demix.tables.plan import TablePlan
from demix.workflow.paths import claims_beside


def main() -> None:
    """Command line."""
    arguments = parser("render_table", __doc__)
    arguments.add_argument("table", type=Path, help="parquet file of demix.collect")
    options = arguments.parse_args()
    render(options.table)


def render(path: Path) -> None:
    """Write all formats of a table beside its parquet file.

    Raises:
        DataError: the file is damaged, or not a table of this version of demix.
    """
    from demix.claims.common.collect import claim_lines
    from demix.tables.formats import FORMATS
    from demix.tables.view import TableView

    table = read_parquet(path)
    view = TableView(table, plan_of(table, TablePlan, path), claim_lines(read_parquet(claims_beside(path))))
    for ending, to_format in FORMATS.items():
        with replacing(path.with_suffix(f".{ending}")) as temporary:
            temporary.write_text(to_format(view))


if __name__ == "__main__":
    run(main)
