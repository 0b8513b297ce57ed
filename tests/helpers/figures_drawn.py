"""Drawing and captioning collected data of a figure, for tests."""

from demix.figures.common.style import styled
from demix.support.building import build


def drawn(plan, table):
    """The figure, laid out."""
    with styled():
        figure = build(plan.spec).draw(table, plan)
        figure.draw_without_rendering()
    return figure


def caption(plan, table, claims=()):
    """What stands below it."""
    return build(plan.spec).caption(table, plan, claims)
