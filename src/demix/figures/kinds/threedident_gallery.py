"""Random images of 3DIdent."""

from dataclasses import dataclass

import pandas as pd
from matplotlib.figure import Figure

from demix.collecting.command import Results
from demix.figures.common.image_grid import grid, grid_rows, rendered_how, rendered_with
from demix.figures.common.kind import FigureKind
from demix.figures.common.style import skipped
from demix.figures.plan import FigurePlan
from demix.specs.datasets.gallery import GallerySpec


@dataclass(frozen=True, kw_only=True)
class ThreeDIdentGallery(FigureKind):
    """Random images side by side.

    Args:
        images: what is rendered.
    """

    images: GallerySpec

    def collect(self, plan: FigurePlan, results: Results) -> pd.DataFrame:
        """A row for each image, see `grid_rows`."""
        return grid_rows(plan, results.shards, width=self.images.columns)

    def draw(self, table: pd.DataFrame, plan: FigurePlan) -> Figure:
        """The images alone."""
        return skipped(plan) if table.empty else grid(table)

    def shown(self, table: pd.DataFrame, plan: FigurePlan) -> list[str]:
        return ["Random images; all ten latents are uniform.", rendered_how(self.images)]

    def footer(self, table: pd.DataFrame, plan: FigurePlan) -> list[str]:
        return [*super().footer(table, plan), *rendered_with(table)]
