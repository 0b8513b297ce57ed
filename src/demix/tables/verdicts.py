"""Does one of our numbers reproduce a printed one?"""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A mean over seeds with its spread.

    Args:
        mean: in the unit of the table.
        std: standard deviation over the seeds; NaN or None if unknown.
        count: number of seeds.
    """

    mean: float
    std: float | None
    count: int


def verdict(ours: Number | None, printed: Number | None, *, comparable: bool, point: float = 1.0) -> str:
    """Judge a cell.

    Args:
        ours: None if there is no result.
        printed: None if the papers print no such number.
        comparable: our problem is the published one.
        point: a point of 100 in the unit of the table, which counts as equal whatever the spread.

    Returns:
        "missing", "diverged" (a result that is no number), "not printed", "not comparable", or "reproduced" if
        |ours - printed| <= max(1 point, 2 sqrt(s_p^2 / n_p + s_o^2 / n_o)), else "off". With one seed of ours the
        printed spread stands in for ours, marked "(one seed)".
    """
    if ours is None:
        return "missing"
    if not math.isfinite(ours.mean):
        return "diverged"
    if printed is None:
        return "not printed"
    if not comparable:
        return "not comparable"
    printed_std = _known(printed.std, 0.0)
    our_std = _known(ours.std, printed_std)
    error = math.sqrt(printed_std**2 / max(printed.count, 1) + our_std**2 / ours.count)
    word = "reproduced" if abs(ours.mean - printed.mean) <= max(point, 2 * error) else "off"
    return word if ours.count > 1 else f"{word} (one seed)"


def _known(value: float | None, otherwise: float) -> float:
    return otherwise if value is None or not math.isfinite(value) else value
