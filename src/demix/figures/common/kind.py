"""What every kind of figure can do, and the caption that most share."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from matplotlib.figure import Figure

from demix.collecting.command import Results
from demix.figures.common.caption import claims_part, departures_part, scale_part
from demix.figures.plan import FigurePlan
from demix.tables.view import skipped_lines, stand_in_lines

ClaimLines = Sequence[tuple[str, str]]
"""Judged claims: each statement with its mark, and the numbers behind it."""


@dataclass(frozen=True, kw_only=True)
class FigureKind(ABC):
    """A figure; further fields are those of the spec.

    Args:
        title: of the caption.
        notes: sentences for the caption.
    """

    title: str
    notes: Sequence[str] = ()

    @abstractmethod
    def collect(self, plan: FigurePlan, results: Results) -> pd.DataFrame:
        """The data of the figure, tidy; without rows if what it is made of is not available."""

    @abstractmethod
    def draw(self, table: pd.DataFrame, plan: FigurePlan) -> Figure:
        """The drawing of collected data."""

    def as_cells(self, table: pd.DataFrame) -> pd.DataFrame:
        """The data with the columns that claims read: row_id, setting, metric, mean, n_seeds, ..."""
        return table

    def caption(self, table: pd.DataFrame, plan: FigurePlan, claims: ClaimLines = ()) -> str:
        """What stands below the figure, as Markdown: what is shown, our choices, numbers, claims, departures."""
        parts = [f"# {self.title}", *skipped_lines(plan), *stand_in_lines(plan), *self.shown(table, plan)]
        parts += [*self.notes, scale_part(plan), *self.numbers(table, plan), *claims_part(claims)]
        return "\n\n".join([*parts, *self.footer(table, plan)]) + "\n"

    def shown(self, table: pd.DataFrame, plan: FigurePlan) -> list[str]:
        """Paragraphs of the caption that say what is shown."""
        return []

    def numbers(self, table: pd.DataFrame, plan: FigurePlan) -> list[str]:
        """Paragraphs of the caption with numbers."""
        return []

    def footer(self, table: pd.DataFrame, plan: FigurePlan) -> list[str]:
        """The last paragraphs of the caption: departures from the published settings, and origin."""
        return [departures_part(plan)]
