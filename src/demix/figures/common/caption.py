"""Paragraphs of captions, as Markdown."""

from collections.abc import Iterable

from tabulate import tabulate

from demix.figures.plan import FigurePlan


def scale_part(plan: FigurePlan) -> str:
    """The scale, in a sentence."""
    return f"Scale {plan.scale}: {plan.description}."


def departures_part(plan: FigurePlan) -> str:
    """What the scale changes, in a sentence."""
    return f"Departures from the published settings: {'; '.join(plan.departures or ['none'])}."


def claims_part(claims: Iterable[tuple[str, str]]) -> list[str]:
    """Judged claims as a section; none without claims."""
    judged = "\n".join(f"- {head}<br>{behind}" for head, behind in claims)
    return ["## Claims", judged] if judged else []


def seeds_text(count: int) -> str:
    """A number of seeds in words."""
    return f"{count} seed{'s' if count > 1 else ''}"


def numbers_table(heads: list[str], rows: list[list[str]]) -> str:
    """Numbers as a table."""
    return tabulate(rows, headers=heads, tablefmt="pipe", disable_numparse=True)
