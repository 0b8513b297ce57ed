"""Rendered images as the cells of a grid: their data, and a drawing of them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from demix.datasets.common.shards import decoded, read_shard
from demix.figures.plan import FigurePlan
from demix.specs.datasets.common.rendering import RenderingSpec
from demix.specs.datasets.common.threedident import LATENTS

COLUMNS = ("figure", "scale", "key", "row", "column", *LATENTS, "blender", "device", "image")
TILE = 0.84
"""Side of an image in inches."""

GAP = 0.03
HUES = {"published": "as in the published images", "corrected": "corrected"}


def grid_rows(plan: FigurePlan, shards: Iterable[Path], width: int) -> pd.DataFrame:
    """One row for each image; none without shards.

    Args:
        plan: of the figure.
        shards: in order; their images fill the grid row by row.
        width: number of columns.

    Returns:
        Columns: figure, scale, key, row and column in the grid, the raw latents, blender, device, image (PNG).

    Raises:
        DataError: a shard is missing or damaged.
    """
    shared = {"figure": plan.name, "scale": plan.scale, "key": plan.rendered_key}
    rows: list[dict[str, Any]] = []
    for path in shards:
        shard = read_shard(path)
        made_by = {name: shard.about[name] for name in ("blender", "device")}
        for values, image in zip(shard.latents, shard.images, strict=True):
            row, column = divmod(len(rows), width)
            named = dict(zip(LATENTS, np.round(values.astype(float), 6).tolist(), strict=True))
            rows.append(shared | {"row": row, "column": column} | named | made_by | {"image": image})
    return pd.DataFrame(rows, columns=list(COLUMNS))


def grid(table: pd.DataFrame, left: float = 0.0, top: float = 0.0) -> Figure:
    """Images without frames, with room for labels in inches."""
    rows, columns = int(table["row"].max()) + 1, int(table["column"].max()) + 1
    width, height = left + columns * TILE, top + rows * TILE
    figure = Figure(figsize=(width, height))
    axes = figure.subplots(rows, columns, squeeze=False, gridspec_kw={"wspace": GAP, "hspace": GAP})
    figure.subplots_adjust(left=left / width, right=1, bottom=0, top=1 - top / height)
    for cell, image in zip(table.itertuples(), decoded(table["image"]), strict=True):
        ax = axes[cell.row, cell.column]
        ax.imshow(image, interpolation="antialiased")
        ax.set_xticks([])
        ax.set_yticks([])
        ax.spines[:].set_visible(False)
    return figure


def rendered_how(images: RenderingSpec) -> str:
    """How images were rendered, in a sentence."""
    hue = f"hues of negative latents {HUES[images.hue_mode]}"
    return f"Rendered here; {hue}; height of the object {images.z_scale:.4g} at raw z = 1."


def rendered_with(table: pd.DataFrame) -> list[str]:
    """What images were rendered with, in a sentence; none without images."""
    if table.empty:
        return []
    first = table.iloc[0]
    return [f"Made with Blender {first['blender']} on {first['device']}; key {first['key'][:8]}."]
