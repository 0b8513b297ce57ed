"""Mask sequences with their factors and the codes of a trained run over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.stats import spearmanr

from demix.collecting.command import Results
from demix.datasets.common.images import TRAIN, ImageData, open_images
from demix.figures.common.kind import FigureKind
from demix.figures.common.results import codes_of, data_of, folders_of
from demix.figures.common.style import BLACK, BLUE, GREY, skipped
from demix.figures.plan import FigurePlan
from demix.specs.figures.kinds.mask_traces import SCORED, SEQUENCES
from demix.support.codes import CodedSet

COLUMNS = (
    "figure", "scale", "run", "key", "data", "sequence", "time", "factor", "value", "code", "recovered", "correlation",
    "side", "mask",
)  # fmt: skip
UNITS = {"vertical": "vertical centre [px]", "horizontal": "horizontal centre [px]", "area": "area [px]"}
THUMBNAILS = 10
"""Masks that are shown of a sequence, evenly spread over its frames."""


@dataclass(frozen=True, kw_only=True)
class MaskTraces(FigureKind):
    """Two rows for every sequence: its masks, and its factors with the matched codes.

    Args:
        run: id of the one that is shown.
        seed: of it.
    """

    run: str
    seed: int

    def collect(self, plan: FigurePlan, results: Results) -> pd.DataFrame:
        """Factors and matched codes of the sequences that a training keeps for figures.

        Returns:
            One row for each frame and factor. Columns: figure, scale, run, key, data, sequence (its number), time
            (frame in it), factor, value (pixels), code (the matched one), recovered (that code, scaled and shifted to
            the factor on the scored samples), correlation (of ranks there), side and mask (pixels of the frame, packed
            bits).
        """
        (run,) = plan.shown["run"]
        sets = codes_of(plan, results, run).get(self.seed)
        if sets is None:
            return pd.DataFrame(columns=list(COLUMNS))
        shared = {"figure": plan.name, "scale": plan.scale, "run": run, "key": plan.runs[run].key}
        shared["data"] = data_of(folders_of(plan, results.codes, run)[self.seed])
        return _frames(sets, open_images(results.data[0].parent), plan.details["factors"]).assign(**shared)[
            list(COLUMNS)
        ]

    def draw(self, table: pd.DataFrame, plan: FigurePlan) -> Figure:
        """Sequences from top to bottom, factors from left to right."""
        if table.empty:
            return skipped(plan)
        sequences, factors = list(dict.fromkeys(table["sequence"])), list(dict.fromkeys(table["factor"]))
        figure = Figure(figsize=(8.6, 2.5 * len(sequences)), layout="constrained")
        grid = figure.subplots(
            2 * len(sequences), len(factors), gridspec_kw={"height_ratios": [0.55, 1] * len(sequences)}, squeeze=False
        )
        for place, sequence in enumerate(sequences):
            of_sequence = table[table["sequence"] == sequence]
            strip = grid[2 * place, 0].get_gridspec()[2 * place, :]
            for ax in grid[2 * place]:
                ax.remove()
            _masks(figure.add_subplot(strip), of_sequence[of_sequence["factor"] == factors[0]])
            for ax, factor in zip(grid[2 * place + 1], factors, strict=True):
                _trace(ax, of_sequence[of_sequence["factor"] == factor], last=place == len(sequences) - 1)
        lines, names = grid[1, 0].get_legend_handles_labels()
        figure.legend(lines, names, loc="outside lower center", ncols=2)
        if plan.stand_in:
            figure.suptitle("made stand-in, not the published data", color=GREY, fontsize=8, x=0.99, ha="right")
        return figure

    def shown(self, table: pd.DataFrame, plan: FigurePlan) -> list[str]:
        if table.empty:
            return []
        matched = "; ".join(
            f"{row.factor}: code {row.code}, |ρ| = {abs(row.correlation):.2f}"
            for row in table.drop_duplicates("factor").itertuples()
        )
        return [
            "Masks of the longest sequences, and below them the factors in pixels (black) and the matched codes of run "
            f"{self.run}, seed {self.seed} (blue). A code is matched to a factor by the assignment of the rank "
            "correlations on the samples that tables are scored on, and scaled and shifted to the factor there. "
            f"{matched}.",
            f"Made with data {table['data'].iloc[0]}.",
        ]


def matches(factors: NDArray, codes: NDArray) -> list[tuple[int, float]]:
    """The code of every factor under the best assignment, with their rank correlation; 0 for a constant code."""
    table = np.zeros((factors.shape[1], codes.shape[1]))
    for code in range(codes.shape[1]):
        if np.ptp(codes[:, code]) > 0:
            table[:, code] = [spearmanr(factor, codes[:, code]).statistic for factor in factors.T]
    rows, columns = linear_sum_assignment(np.abs(table), maximize=True)
    return [(int(column), float(table[row, column])) for row, column in zip(rows, columns, strict=True)]


def _frames(sets: Mapping[str, CodedSet], data: ImageData, names: Sequence[str]) -> pd.DataFrame:
    """A row for each frame of the kept sequences and factor, from the codes of a seed and the data of the run."""
    scored, kept = sets[SCORED], sets[SEQUENCES]
    codes, factors, frames = scored.codes, scored.known["factors"], kept.known["frames"]
    assert codes is not None
    assert kept.codes is not None
    images, values, sequences = data.images[TRAIN], data.known[TRAIN]["factors"], data.sequences[TRAIN]
    owner = sequences.owner[frames]
    rows = []
    for factor, (code, correlation) in enumerate(matches(factors, codes)):
        slope, offset = np.polyfit(codes[:, code], factors[:, factor], 1)
        recovered = slope * kept.codes[:, code] + offset
        for place, frame in enumerate(frames):
            mask = np.asarray(images[frame, ..., 0])
            rows.append(
                {"sequence": int(owner[place]), "time": int(frame - sequences.firsts[owner[place]])}
                | {"factor": names[factor], "value": float(values[frame, factor]), "code": code}
                | {"recovered": float(recovered[place]), "correlation": correlation}
                | {"side": mask.shape[0], "mask": np.packbits(mask).tobytes()}
            )
    return pd.DataFrame(rows)


def _masks(ax: Axes, frames: pd.DataFrame) -> None:
    """Masks of one sequence side by side, over the frame they belong to."""
    shown = np.unique(np.linspace(0, len(frames) - 1, THUMBNAILS).round().astype(int))
    side = int(frames["side"].iloc[0])
    images = [np.unpackbits(np.frombuffer(frames["mask"].iloc[i], np.uint8))[: side**2] for i in shown]
    edge = np.full((side, 2), 0.6)
    parts = [part for image in images for part in (1.0 - image.reshape(side, side), edge)][:-1]
    ax.imshow(np.concatenate(parts, axis=1), cmap="gray", vmin=0, vmax=1, interpolation="nearest")
    ax.set_anchor("W")
    ax.spines[:].set_visible(False)
    ax.set_xticks([i * (side + 2) + side / 2 for i in range(len(shown))], [str(frames["time"].iloc[i]) for i in shown])
    ax.set_yticks([])
    ax.set_title(f"sequence {frames['sequence'].iloc[0]}, frame", loc="left")
    ax.tick_params(length=0)


def _trace(ax: Axes, points: pd.DataFrame, last: bool) -> None:
    ax.plot(points["time"], points["value"], color=BLACK, label="factor")
    ax.plot(points["time"], points["recovered"], color=BLUE, linewidth=1.1, label="code")
    ax.set_title(UNITS[points["factor"].iloc[0]], loc="left")
    if last:
        ax.set_xlabel("frame")
    ax.spines["right"].set_visible(False)
