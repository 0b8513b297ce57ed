"""The claim of ICML 2021, Table 5, about training images of 3DIdent; nobody requires that small scales meet it."""

from demix.claims.common.judging import Cells, Check, Claim, at_least

CONTRASTIVE = ["3di-norm_box-norm", "3di-norm_unb-norm", "3di-lap_box-norm", "3di-norm_sph-vmf", "3di-aug_sph-vmf"]
ROWS = {"unsupervised": CONTRASTIVE, "supervised": ["3di-sup_unb"]}
"""Rows by the setting in which they have scores."""


def _training_not_below_test(cells: Cells) -> list[Check]:
    checks = []
    for metric in ("r2", "mcc"):
        gaps: dict[str, float] = {}
        for setting, rows in ROWS.items():
            train, test = (cells.means(rows, of, metric) for of in (setting, "test"))
            gaps |= {row: train[row] - test[row] for row in rows if row in train and row in test}
        checks += at_least(f"lowest {metric.upper()} on training minus test images", gaps, 0.0)
    return checks


CLAIMS = [Claim("icml-t5-a", "r2", _training_not_below_test, _training_not_below_test)]
