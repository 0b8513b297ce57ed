"""R2 of every latent for each run, as a table in colours."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from demix.collecting.command import Results
from demix.figures.common.caption import seeds_text
from demix.figures.common.kind import FigureKind
from demix.figures.common.results import codes_of, data_of, folders_of
from demix.figures.common.style import GREY, skipped
from demix.figures.plan import FigurePlan
from demix.scores.r2 import linear_r2_of_each
from demix.specs.figures.kinds.latent_scores import place_of

COLUMNS = ("figure", "scale", "row", "run", "key", "seed", "data", "evaluation_set", "latent", "r2")
LOWEST = 0.0
"""Percent that has the lightest colour, as everything below."""

DARK = 60.0
"""Percent from which on the number is white."""


@dataclass(frozen=True, kw_only=True)
class LatentScores(FigureKind):
    """Rows are runs, columns latents and their mean; each field has the mean over seeds.

    Args:
        runs: ids by what the figure calls them.
        evaluation_set: what they are scored on.
    """

    runs: Mapping[str, str]
    evaluation_set: str

    def collect(self, plan: FigurePlan, results: Results) -> pd.DataFrame:
        """R2 of every latent, fitted on the first half of the samples and scored on the second, as in the tables.

        Returns:
            A row for each run, seed and latent. Columns: figure, scale, row (what the figure calls the run), run, key,
            seed, data, evaluation_set, latent, r2 (a fraction; NaN where the codes are no numbers).
        """
        shared = {"figure": plan.name, "scale": plan.scale, "evaluation_set": self.evaluation_set}
        rows = []
        for row in self.runs:
            (run,) = plan.shown[place_of(row)]
            folders = folders_of(plan, results.codes, run)
            for seed, sets in codes_of(plan, results, run).items():
                coded = sets[self.evaluation_set]
                assert coded.codes is not None
                scores = linear_r2_of_each(coded.known["factors"], coded.codes, held_out=True)
                origin = {"row": row, "run": run, "key": plan.runs[run].key, "seed": seed}
                origin["data"] = data_of(folders[seed])
                for latent, score in zip(plan.details["latents"], scores, strict=True):
                    rows.append(shared | origin | {"latent": latent, "r2": float(score)})
        return pd.DataFrame(rows, columns=list(COLUMNS))

    def draw(self, table: pd.DataFrame, plan: FigurePlan) -> Figure:
        """Numbers in percent on blue fields."""
        if table.empty:
            return skipped(plan)
        rows, latents = list(self.runs), plan.details["latents"]
        percent = 100 * table.groupby(["row", "latent"])["r2"].mean().unstack().reindex(index=rows, columns=latents)
        percent["mean"] = percent.mean(axis=1)
        figure = Figure(figsize=(1.9 + 0.6 * percent.shape[1], 0.7 + 0.36 * len(rows)), layout="constrained")
        ax = figure.subplots()
        ax.imshow(percent, cmap="Blues", vmin=LOWEST, vmax=100, aspect="auto")
        for (row, column), value in np.ndenumerate(percent.to_numpy()):
            text = "–" if np.isnan(value) else f"{value:.0f}"
            ax.text(column, row, text, ha="center", va="center", color="white" if value > DARK else "black")
        ax.axvline(len(latents) - 0.5, color="white", linewidth=3)
        ax.set_xticks(range(percent.shape[1]), [name.replace("_", "\n") for name in percent.columns])
        ax.set_yticks(range(len(rows)), rows)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        ax.set_title(f"R² [%] on {self.evaluation_set} images", loc="left", color=GREY)
        return figure

    def shown(self, table: pd.DataFrame, plan: FigurePlan) -> list[str]:
        if table.empty:
            return []
        data = ", ".join(table["data"].unique())
        return [
            f"R2 in percent of a linear regression from all codes to a latent, mean over {seeds_text(plan.seeds)}, on "
            f"{self.evaluation_set} images: fitted on one half, scored on the other, as in the tables, which print the "
            f"mean over latents (the last column). Made with data {data}."
        ]
