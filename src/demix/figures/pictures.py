"""The data of a figure of rendered pictures: a tidy row for each picture."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from demix.datasets.common.shards import read_shard
from demix.specs.pictures import LATENTS

COLUMNS = ("figure", "scale", "key", "row", "column", *LATENTS, "blender", "device", "picture")


def picture_rows(plan: Mapping[str, Any], paths: Iterable[Path]) -> pd.DataFrame:
    """One row for each picture; none without shards.

    Args:
        plan: what `figure_plan` returned.
        paths: shards in order; their pictures fill the figure row by row.

    Returns:
        Columns: figure, scale, key, row and column in the figure, the raw latents, blender, device, picture (PNG).
    """
    width = len(LATENTS) if plan["pictures"]["kind"] == "traversals" else plan["pictures"]["columns"]
    shared = {name: plan[name] for name in ("figure", "scale", "key")}
    rows: list[dict[str, Any]] = []
    for path in paths:
        shard = read_shard(path)
        made_by = {name: shard.about[name] for name in ("blender", "device")}
        for latents, picture in zip(shard.latents, shard.pictures, strict=True):
            row, column = divmod(len(rows), width)
            named = dict(zip(LATENTS, np.round(latents.astype(float), 6).tolist(), strict=True))
            rows.append(shared | {"row": row, "column": column} | named | made_by | {"picture": picture})
    return pd.DataFrame(rows, columns=list(COLUMNS))
