"""A table as text, whatever the format: labels and cells, ditto marks, legend and footer."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from demix.collecting.plan import CollectPlan
from demix.scores.common.rows import FACT
from demix.tables.plan import TablePlan

DITTO = "″"
MARKS = {"reproduced": "✓", "off": "✗", "not comparable": "~", "not printed": "", "missing": "", "diverged": ""}
LEGEND = (
    "✓ reproduced: within 1 point of print, or within two standard errors of the difference; ✗ off; "
    "~ not comparable, the problem is not the published one; ¹ one seed, the printed spread stands in for ours; "
    "″ the same runs as in the row above."
)
LABEL_HEADS = {
    "space": "Space",
    "marginal": "p(z)",
    "conditional": "p(z̃|z)",
    "model_space": "Model",
    "model_conditional": "q(z̃|z)",
    "matches": "M.",
}


@dataclass(frozen=True)
class Cell:
    """One printed cell as text.

    Args:
        ours: mean ± std, or why there is none.
        printed: the papers' mean ± std, or a ditto mark.
        difference: ours minus printed, in points, with the mark of the verdict.
    """

    ours: str = ""
    printed: str = ""
    difference: str = ""


class TableView:
    """Text for every cell of a collected table.

    Args:
        table: what `collect` returned, or its parquet file.
        plan: the plan it was made with.
        claims: statements about it and the numbers behind them, from `demix.claims.common.collect.claim_lines`.
    """

    def __init__(self, table: pd.DataFrame, plan: TablePlan, claims: Sequence[tuple[str, str]] = ()):
        self.plan = plan
        self.claims = claims
        self.table = table
        self.columns = list(dict.fromkeys(zip(table["setting"], table["metric"], strict=True)))
        self.rows = list(dict.fromkeys(table["row_id"]))
        self._cells = {(c.row_id, c.setting, c.metric): c for c in table.itertuples()}

    def labels(self, row: str) -> list[str]:
        """Text of the label columns of a row."""
        first = next(cell for place, cell in self._cells.items() if place[0] == row)
        texts = [getattr(first, label) or "" for label in LABEL_HEADS if label != "matches"]
        return [*texts, {"true": "✓", "false": "✗"}.get(str(first.matches).lower(), "")]

    def starts_block(self, row: str) -> bool:
        """A rule stands above this row."""
        position = self.rows.index(row)
        return position > 0 and self._block(row) != self._block(self.rows[position - 1])

    def cell(self, row: str, setting: str, metric: str, *, ditto: bool = True) -> Cell:
        """Text of a cell; empty if the row has none in this column.

        Args:
            ditto: print a ditto mark where the runs of the row above are repeated.
        """
        cell = self._cells.get((row, setting, metric))
        if cell is None:
            return Cell()
        printed = "" if _unknown(cell.printed_mean) else spread(cell.printed_mean, cell.printed_std)
        if ditto and self._repeats(row, setting, metric):
            return Cell(DITTO, DITTO, DITTO)
        if cell.verdict == "missing" and self.plan.skipped:
            return Cell("skipped", printed)
        if cell.verdict in ("missing", "diverged"):
            return Cell(cell.verdict, printed)
        ours = spread(cell.mean, cell.std) + ("" if cell.n_seeds == cell.seeds_planned else f" (n={cell.n_seeds})")
        return Cell(ours, printed, self._difference(cell))

    def footer(self) -> list[str]:
        """What a reader must know: statistic, scale, departures, origin."""
        plan, table = self.plan, self.table
        seeds = f"{plan.seeds} seed{'s' if plan.seeds > 1 else ''}"
        lines = [
            f"Scale {plan.scale}: {plan.description}. Ours: mean ± standard deviation (ddof 1) over {seeds}; "
            "difference: ours minus print, in points.",
            LEGEND,
        ]
        lines = [*skipped_lines(plan), *stand_in_lines(plan), *lines, *plan.notes]
        lines += [*width_lines(table), *exactness_lines(table), *mixed_data_lines(table)]
        return [*lines, departures_line(table, plan), origin_line(table)]

    def _block(self, row: str) -> Any:
        first = next(cell for place, cell in self._cells.items() if place[0] == row)
        return None if _unknown(first.block) else first.block

    def _repeats(self, row: str, setting: str, metric: str) -> bool:
        """The row above, of the same block or not, has the same run in this column, as in the printed tables."""
        position = self.rows.index(row)
        above = self._cells.get((self.rows[position - 1], setting, metric)) if position else None
        return above is not None and above.run == self._cells[row, setting, metric].run

    @staticmethod
    def _difference(cell: Any) -> str:
        word = cell.verdict.removesuffix(" (one seed)")
        one_seed = "¹" if word != cell.verdict else ""
        number = "" if _unknown(cell.difference) else f"{cell.difference:+.2f}"
        return f"{number} {MARKS[word]}{one_seed}".strip()


def skipped_lines(plan: CollectPlan) -> list[str]:
    """Why there are no numbers, and what helps; none where all data is there."""
    return [f"Skipped: {missing.reason}. Remedy: {missing.remedy}." for missing in plan.skipped]


def stand_in_lines(plan: CollectPlan) -> list[str]:
    """That no published data was used; none where it was."""
    text = (
        "Stand-in: trained and scored on made pictures in the format of the published data set, which is not in it; "
        "print is of the published data."
    )
    return [text] if plan.stand_in else []


def width_lines(table: pd.DataFrame) -> list[str]:
    """How wide the pairs of each run are after they were matched to images, and as drawn; none if none were."""
    matched, drawn = f"{FACT}pair_width", f"{FACT}pair_width_drawn"
    if matched not in table:
        return []
    by_width: dict[str, list[str]] = {}
    for _, row in table.dropna(subset=matched).drop_duplicates("run").iterrows():
        by_width.setdefault(f"{row[matched]:.2f} ({row[drawn]:.3f})", []).append(row["row_id"])
    widths = "; ".join(f"{width} in {', '.join(rows)}" for width, rows in by_width.items())
    text = "Width of the pairs, root mean square of their difference in a latent, after matching (as drawn): {}."
    return [text.format(widths)] if widths else []


def exactness_lines(table: pd.DataFrame) -> list[str]:
    """A sentence that names the runs whose training went on elsewhere; none if there are none."""
    moved = table.loc[table["bit_exact"].map(lambda exact: exact is not None and not exact), "run"]
    runs = ", ".join(dict.fromkeys(moved))
    return [f"Not bit-exact, since their training went on with another device or setting: {runs}."] if runs else []


def mixed_data_lines(table: pd.DataFrame) -> list[str]:
    """A sentence that says so if the image data was not the same throughout; none if it was."""
    different = _image_data(table)
    text = "Not one data set: these numbers come from different data and must not be compared with each other: {}."
    return [text.format(", ".join(different))] if len(different) > 1 else []


def departures_line(table: pd.DataFrame, plan: CollectPlan) -> str:
    """What the scale changes, and what trained on a CPU at a scale that is for GPUs, in a sentence."""
    departures = [*plan.departures, *_other_device(table, plan)] or ["none"]
    return "Departures from the published settings: " + "; ".join(departures) + "."


def _other_device(table: pd.DataFrame, plan: CollectPlan) -> list[str]:
    trained = table[table["steps"] > 0].drop_duplicates("run")
    on_cpu = trained["device_type"].str.contains("cpu").sum()
    if plan.device != "cuda" or not on_cpu:
        return []
    return [f"device: cuda → cpu (in {on_cpu} of {len(trained)} trained runs)"]


def origin_line(table: pd.DataFrame) -> str:
    """Commit, device and versions that the numbers come from, in a sentence."""
    names = ["commit", "device", "torch", "numpy"]
    names += ["data"] if _image_data(table) else []
    origin = [f"{name} {_distinct(table[name])}" for name in names]
    return "Made with " + "; ".join(origin) + "."


def spread(mean: float, std: float | None) -> str:
    """A mean with its standard deviation, if there is one."""
    return f"{mean:.2f}" if _unknown(std) else f"{mean:.2f} ± {std:.2f}"


def _unknown(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value)) or value is pd.NA


def _distinct(column: pd.Series) -> str:
    """The different values of a column of joined texts."""
    values = (part for text in column.dropna() for part in text.split(", "))
    return ", ".join(filter(None, dict.fromkeys(values))) or "unknown"


def _image_data(table: pd.DataFrame) -> list[str]:
    """The image data sets that numbers come from; tables of earlier versions do not say."""
    found = _distinct(table["data"]) if "data" in table else "unknown"
    return [] if found == "unknown" else found.split(", ")
