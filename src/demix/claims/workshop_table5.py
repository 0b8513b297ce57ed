"""The claims of the 2020 workshop paper, Table 5, about KITTI Masks.

Small scales are judged by the same checks, on a made stand-in; nobody requires that it meets them.
"""

from demix.claims.common.judging import Cells, Check, Claim, at_least, gaps, printed_rows

TABLE, SETTING = "workshop_table5", "unsupervised"
FRAMES = {"1 frame": "frames=1", "5 frames": "frames=5"}
"""How many frames a step has, as the published rows have it."""


def _lau(exponent: int, frames: str) -> list[str]:
    return printed_rows(TABLE, variant=f"alpha=0.5;p={exponent};{FRAMES[frames]}")


def _first_exponent_better(cells: Cells) -> list[Check]:
    checks = []
    for frames in FRAMES:
        (squared,) = _lau(2, frames)
        checks += at_least(f"MCC of p = 1 minus p = 2, {frames}", gaps(cells, _lau(1, frames), squared, SETTING), 0.0)
    return checks


def _as_good_as_slow_vae(cells: Cells) -> list[Check]:
    checks = []
    for frames in FRAMES:
        (slow_vae,) = printed_rows(TABLE, model="SlowVAE", variant=FRAMES[frames])
        checks += at_least(
            f"MCC of p = 1 minus SlowVAE, {frames}", gaps(cells, _lau(1, frames), slow_vae, SETTING), 0.0
        )
    return checks


CLAIMS = [
    Claim("workshop-t345-a-t5", "mcc", _first_exponent_better, _first_exponent_better),
    Claim("workshop-t5-a", "mcc", _as_good_as_slow_vae, _as_good_as_slow_vae),
]
