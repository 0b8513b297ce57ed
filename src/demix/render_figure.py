"""Draw a figure from its data as pdf, png and svg, and write its caption as md."""

from pathlib import Path

from demix.support.cli import parser, run
from demix.support.files import read_parquet, replacing
from demix.workflow.paths import claims_beside


def main() -> None:
    """Command line."""
    arguments = parser("render_figure", __doc__)
    arguments.add_argument("data", type=Path, help="parquet file of demix.collect_figure")
    arguments.add_argument("--out", type=Path, required=True, help="path of the figure, without an ending")
    options = arguments.parse_args()
    render(options.data, options.out)


def render(data: Path, out: Path) -> None:
    """Write all formats of a figure.

    Raises:
        DataError: the file is damaged, or not the data of a figure.
    """
    from demix.claims.common.collect import claim_lines
    from demix.collecting.writing import plan_of
    from demix.figures.common.style import save, styled
    from demix.figures.plan import FigurePlan
    from demix.support.building import build

    table = read_parquet(data)
    plan = plan_of(table, FigurePlan, data)
    kind = build(plan.spec)
    claims = claims_beside(data)
    lines = claim_lines(read_parquet(claims)) if claims.exists() else []
    with styled():
        save(kind.draw(table, plan), out)
    with replacing(out.with_name(f"{out.name}.md")) as temporary:
        temporary.write_text(kind.caption(table, plan, lines))


if __name__ == "__main__":
    run(main)
