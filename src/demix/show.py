"""Print finished tables in the terminal, and where their files are. Without names: all tables of the scale.

With --into FILE the tables go into a Markdown file instead: everything between the lines `<!-- table: NAME SCALE -->`
and `<!-- end -->` is replaced by the finished table of that name and scale.
"""

import re
from pathlib import Path

from demix.experiment.options import add_config_options, experiment_of
from demix.support.cli import parser, run
from demix.support.errors import DataError
from demix.support.files import replacing
from demix.workflow.paths import TABLE_FORMATS, table_file


def main() -> None:
    """Command line."""
    arguments = parser("show", __doc__)
    arguments.add_argument("tables", nargs="*", metavar="TABLE", help="names as in the configuration")
    add_config_options(arguments)
    arguments.add_argument("--into", type=Path, metavar="FILE", help="Markdown file whose tables to renew")
    options = arguments.parse_args()
    if options.into:
        renew(options.into)
        return
    experiment = experiment_of(options)
    for name in options.tables or experiment.tables:
        experiment.table(name)  # refuses an unknown name
        show(table_file(experiment, name, "txt"), experiment.scale_name)


def show(text: Path, scale: str) -> None:
    """Print one rendered table and the paths of its other formats."""
    if not text.exists():
        print(f"{text}: not there yet; make it with: snakemake {text.stem} --config scale={scale}\n")
        return
    print(text.read_text())
    print(f"Files: {text.with_suffix('')}.{{{','.join(['parquet', *TABLE_FORMATS])}}}\n")


def renew(markdown: Path) -> None:
    """Replace the tables in a Markdown file by the finished ones.

    Raises:
        DataError: a table that the file names is not finished.
    """

    def block(match: re.Match[str]) -> str:
        table = Path("results") / match["scale"] / "tables" / f"{match['name']}.txt"
        if not table.exists():
            raise DataError(f"{table}: not there yet; make it before it goes into {markdown}")
        return f"{match['head']}\n```text\n{table.read_text().rstrip()}\n```\n<!-- end -->"

    pattern = r"(?P<head><!-- table: (?P<name>\w+) (?P<scale>\w+) -->)\n.*?<!-- end -->"
    text = re.sub(pattern, block, markdown.read_text(), flags=re.DOTALL)
    with replacing(markdown) as temporary:
        temporary.write_text(text)


if __name__ == "__main__":
    run(main)
