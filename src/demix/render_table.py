"""Render a collected table to md, tex, html, csv and txt, beside its parquet file.

The claims in the parquet file beside it stand below the table in md, html and txt.
"""

from pathlib import Path

from demix.support.cli import parser, run
from demix.support.errors import DataError
from demix.support.files import read_parquet, replacing
from demix.workflow.paths import claims_beside


def main() -> None:
    """Command line."""
    arguments = parser("render", __doc__)
    arguments.add_argument("table", type=Path, help="parquet file of demix.collect")
    options = arguments.parse_args()
    render(options.table)


def render(path: Path) -> None:
    """Write all formats of a table beside its parquet file.

    Raises:
        DataError: the file is damaged, or not a table of demix.collect.
    """
    from demix.claims.collect import claim_lines
    from demix.tables.formats import FORMATS
    from demix.tables.view import TableView

    table = read_parquet(path)
    if "plan" not in table.attrs:
        raise DataError(f"{path}: not a table of demix.collect; delete it to have it made again")
    view = TableView(table, table.attrs["plan"], claim_lines(read_parquet(claims_beside(path))))
    for ending, to_format in FORMATS.items():
        with replacing(path.with_suffix(f".{ending}")) as temporary:
            temporary.write_text(to_format(view))


if __name__ == "__main__":
    run(main)
