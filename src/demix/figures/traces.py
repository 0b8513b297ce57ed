"""The data of a picture of mask sequences: factors and matched codes, a tidy row for each frame and factor."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.stats import spearmanr

from demix.datasets.common.mask_sequences import FACTORS, MaskSequences

COLUMNS = (
    "figure", "scale", "run", "key", "data", "sequence", "time", "factor", "value", "code", "recovered", "correlation",
    "side", "mask",
)  # fmt: skip


def no_traces() -> pd.DataFrame:
    """The table of a figure whose data is not available."""
    return pd.DataFrame(columns=list(COLUMNS))


def traces(plan: Mapping[str, Any], arrays: Mapping[str, NDArray], sequences: MaskSequences, data: str) -> pd.DataFrame:
    """Factors and matched codes of the sequences that a training keeps for pictures.

    Args:
        plan: what `figure_plan` returned.
        arrays: codes.npz of the run: codes and factors of the scored set "marginal", codes and frames of "sequences".
        sequences: the data that it was trained on.
        data: what that is, for the record.

    Returns:
        One row for each frame and factor. Columns: figure, scale, run, key, data, sequence (its number), time (frame in
        it), factor, value (pixels), code (the matched one), recovered (that code, scaled and shifted to the factor on
        the scored samples), correlation (of ranks there), side and mask (pixels of the frame, packed bits).
    """
    codes, factors = arrays["marginal/codes"], arrays["marginal/factors"]
    frames = arrays["sequences/frame"]
    owner = np.searchsorted(sequences.firsts, frames, side="right") - 1
    shared = {name: plan[name] for name in ("figure", "scale", "run", "key")} | {"data": data}
    rows = []
    for factor, (code, correlation) in enumerate(matches(factors, codes)):
        slope, offset = np.polyfit(codes[:, code], factors[:, factor], 1)
        recovered = slope * arrays["sequences/codes"][:, code] + offset
        for place, frame in enumerate(frames):
            mask = np.asarray(sequences.frames[frame])
            rows.append(
                shared
                | {"sequence": int(owner[place]), "time": int(frame - sequences.firsts[owner[place]])}
                | {"factor": FACTORS[factor], "value": float(sequences.factors[frame, factor]), "code": code}
                | {"recovered": float(recovered[place]), "correlation": correlation}
                | {"side": mask.shape[0], "mask": np.packbits(mask).tobytes()}
            )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def matches(factors: NDArray, codes: NDArray) -> list[tuple[int, float]]:
    """The code of every factor under the best assignment, with their rank correlation; 0 for a constant code."""
    table = np.zeros((factors.shape[1], codes.shape[1]))
    for code in range(codes.shape[1]):
        if np.ptp(codes[:, code]) > 0:
            table[:, code] = [spearmanr(factor, codes[:, code]).statistic for factor in factors.T]
    rows, columns = linear_sum_assignment(np.abs(table), maximize=True)
    return [(int(column), float(table[row, column])) for row, column in zip(rows, columns, strict=True)]
