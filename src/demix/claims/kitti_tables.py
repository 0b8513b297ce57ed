"""The claims about KITTI Masks: ICML 2021, Table 3, and 2020 workshop, Table 5.

Small scales are judged by the same checks, on a made stand-in; nobody requires that it meets them.
"""

from demix.claims.base import Cells, Check, Claim, at_least, at_most, printed_rows

ICML, WORKSHOP, SETTING = "icml_table3", "workshop_table5", "unsupervised"
CLEARLY = 5.0
"""Points by which Laplace models must be above SlowVAE where the paper prints 8 and 11."""

NEAR = 1.5
"""Points that still count as equal."""

STEPS = {"0.05 s": "dt=0.05s", "0.15 s": "dt=0.15s"}
"""The two time steps as the published rows have them."""

FRAMES = {"1 frame": "frames=1", "5 frames": "frames=5"}


def _rows_at(step: str, **wanted: str) -> list[str]:
    return printed_rows(ICML, variant=STEPS[step], **wanted)


def _gaps(cells: Cells, rows: list[str], other: str) -> dict[str, float]:
    """Means of some rows minus that of another, in points."""
    base = cells.means([other], SETTING)
    means = cells.means(rows, SETTING)
    return {row: mean - base[other] for row, mean in means.items() if other in base}


def _laplace_above_normal(cells: Cells) -> list[Check]:
    checks = []
    for step in STEPS:
        laplace = _rows_at(step, model="contrastive", model_conditional="Laplace")
        for other in _rows_at(step, model="contrastive", model_conditional="Normal"):
            checks += at_least(f"lowest MCC of the Laplace models minus {other}", _gaps(cells, laplace, other), 0.0)
    return checks


def _laplace_against_slow_vae(cells: Cells) -> list[Check]:
    checks = []
    for step in STEPS:
        (slow_vae,) = _rows_at(step, model="SlowVAE")
        laplace = _rows_at(step, model="contrastive", model_conditional="Laplace")
        gaps = _gaps(cells, laplace, slow_vae)
        if step == "0.05 s":
            checks += at_least(f"lowest MCC of the Laplace models minus SlowVAE, {step}", gaps, CLEARLY)
        else:
            distances = {row: abs(gap) for row, gap in gaps.items()}
            checks += at_most(f"distance of the Laplace models from SlowVAE, {step}", distances, NEAR)
    return checks


def _lau(exponent: int, frames: str) -> list[str]:
    return printed_rows(WORKSHOP, variant=f"alpha=0.5;p={exponent};{FRAMES[frames]}")


def _first_exponent_better(cells: Cells) -> list[Check]:
    checks = []
    for frames in FRAMES:
        (squared,) = _lau(2, frames)
        checks += at_least(f"MCC of p = 1 minus p = 2, {frames}", _gaps(cells, _lau(1, frames), squared), 0.0)
    return checks


def _as_good_as_slow_vae(cells: Cells) -> list[Check]:
    checks = []
    for frames in FRAMES:
        (slow_vae,) = printed_rows(WORKSHOP, model="SlowVAE", variant=FRAMES[frames])
        checks += at_least(f"MCC of p = 1 minus SlowVAE, {frames}", _gaps(cells, _lau(1, frames), slow_vae), 0.0)
    return checks


CLAIMS = [
    Claim("icml-t3-a", ICML, "mcc", _laplace_above_normal, _laplace_above_normal),
    Claim("icml-t3-b", ICML, "mcc", _laplace_against_slow_vae, _laplace_against_slow_vae),
    Claim("workshop-t345-a-t5", WORKSHOP, "mcc", _first_exponent_better, _first_exponent_better),
    Claim("workshop-t5-a", WORKSHOP, "mcc", _as_good_as_slow_vae, _as_good_as_slow_vae),
]
