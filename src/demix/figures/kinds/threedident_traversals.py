"""Traversals of the latents of 3DIdent (ICML 2021, Figure 3)."""

from dataclasses import dataclass

import pandas as pd
from matplotlib.figure import Figure

from demix.collecting.command import Results
from demix.figures.common.image_grid import grid, grid_rows, rendered_how, rendered_with
from demix.figures.common.kind import FigureKind
from demix.figures.common.style import skipped
from demix.figures.plan import FigurePlan
from demix.specs.datasets.traversals import TraversalsSpec

HEADS = ("x", "y", "z", "α", "β", "γ", "spotlight\nangle", "object\nhue", "spotlight\nhue", "ground\nhue")
"""Above the columns, in the order of the latents."""


@dataclass(frozen=True, kw_only=True)
class ThreeDIdentTraversals(FigureKind):
    """A column for each latent, a row for each of its values, all others 0; as in the paper.

    Args:
        images: what is rendered.
    """

    images: TraversalsSpec

    def collect(self, plan: FigurePlan, results: Results) -> pd.DataFrame:
        """A row for each image, see `grid_rows`."""
        return grid_rows(plan, results.shards, width=len(HEADS))

    def draw(self, table: pd.DataFrame, plan: FigurePlan) -> Figure:
        """The images with the names of the latents above and the values at the left."""
        if table.empty:
            return skipped(plan)
        figure = grid(table, left=0.42, top=0.36)
        for ax, head in zip(figure.axes[: len(HEADS)], HEADS, strict=True):
            ax.set_title(head, fontsize=7.5, pad=3)
        for ax, value in zip(figure.axes[:: len(HEADS)], self.images.values, strict=True):
            ax.set_ylabel(f"{value:+.2f}", fontsize=7.5, rotation=0, ha="right", va="center")
        return figure

    def shown(self, table: pd.DataFrame, plan: FigurePlan) -> list[str]:
        values = ", ".join(f"{value:+.2f}" for value in self.images.values)
        what = f"Columns: the ten latents. Rows: raw values {values} of that latent, where all others are 0."
        return [what, rendered_how(self.images)]

    def footer(self, table: pd.DataFrame, plan: FigurePlan) -> list[str]:
        return [*super().footer(table, plan), *rendered_with(table)]
