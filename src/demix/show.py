"""Print finished tables in the terminal, and where their files are. Without names: all tables of the scale."""

from pathlib import Path

from demix.cli import add_config_options, experiment_of, parser, run
from demix.paths import table_file


def main() -> None:
    """Command line."""
    arguments = parser("show", __doc__)
    arguments.add_argument("tables", nargs="*", metavar="TABLE", help="names as in the configuration")
    add_config_options(arguments)
    options = arguments.parse_args()
    experiment = experiment_of(options)
    for name in options.tables or experiment.tables:
        experiment.table(name)  # refuses an unknown name
        show(table_file(experiment, name, "txt"))


def show(text: Path) -> None:
    """Print one rendered table and the paths of its other formats."""
    if not text.exists():
        print(f"{text}: not there yet; make it with: snakemake {text.stem}\n")
        return
    print(text.read_text())
    endings = sorted(path.suffix[1:] for path in text.parent.glob(f"{text.stem}.*"))
    print(f"Files: {text.with_suffix('')}.{{{','.join(endings)}}}\n")


if __name__ == "__main__":
    run(main)
