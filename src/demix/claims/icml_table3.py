"""The claims of ICML 2021, Table 3, about KITTI Masks.

Small scales are judged by the same checks, on a made stand-in; nobody requires that it meets them.
"""

from demix.claims.common.judging import Cells, Check, Claim, at_least, at_most, gaps, printed_rows

TABLE, SETTING = "icml_table3", "unsupervised"
CLEARLY = 5.0
"""Points by which Laplace models must be above SlowVAE where the paper prints 8 and 11."""

NEAR = 1.5
"""Points that still count as equal."""

STEPS = {"0.05 s": "dt=0.05s", "0.15 s": "dt=0.15s"}
"""The two time steps as the published rows have them."""


def _rows_at(step: str, **wanted: str) -> list[str]:
    return printed_rows(TABLE, variant=STEPS[step], **wanted)


def _laplace_above_normal(cells: Cells) -> list[Check]:
    checks = []
    for step in STEPS:
        laplace = _rows_at(step, model="contrastive", model_conditional="Laplace")
        for other in _rows_at(step, model="contrastive", model_conditional="Normal"):
            checks += at_least(
                f"lowest MCC of the Laplace models minus {other}", gaps(cells, laplace, other, SETTING), 0.0
            )
    return checks


def _laplace_against_slow_vae(cells: Cells) -> list[Check]:
    checks = []
    for step in STEPS:
        (slow_vae,) = _rows_at(step, model="SlowVAE")
        laplace = _rows_at(step, model="contrastive", model_conditional="Laplace")
        distance = gaps(cells, laplace, slow_vae, SETTING)
        if step == "0.05 s":
            checks += at_least(f"lowest MCC of the Laplace models minus SlowVAE, {step}", distance, CLEARLY)
        else:
            sizes = {row: abs(gap) for row, gap in distance.items()}
            checks += at_most(f"distance of the Laplace models from SlowVAE, {step}", sizes, NEAR)
    return checks


CLAIMS = [
    Claim("icml-t3-a", "mcc", _laplace_above_normal, _laplace_above_normal),
    Claim("icml-t3-b", "mcc", _laplace_against_slow_vae, _laplace_against_slow_vae),
]
