"""A table, as data: which run fills each cell, and how it is scored."""

from pydantic import Field, model_validator

from demix.specs.base import Spec
from demix.specs.families import member
from demix.specs.scores import Score, ScoreSpec

BASELINES = "baselines"
"""Key in a row of a table. Its value names an entry of the suite's `baselines`: runs that several rows share."""

Cells = dict[str, str]
"""Ids of the runs in a row, by the column of the printed table ("setting"), such as "unsupervised"."""


class TableSpec(Spec):
    """A table. Row ids and settings are those of the paper's table where there is one: see `demix.published`."""

    title: str
    metrics: tuple[str, ...] = Field(description="names of the scores to show, as the paper's table has them")
    scores: dict[str, Score] = Field(
        {},
        description="the score to compute for a name in `metrics`, where it is not the kind of that name with defaults",
    )
    metrics_of: dict[str, tuple[str, ...]] = Field(
        {}, description="names of scores by setting, for settings that show only some"
    )
    evaluation_set: str = Field("marginal", description="the evaluation set whose scores are shown")
    also_on: tuple[str, ...] = Field(
        (), description="further evaluation sets, each a column of its own, which the papers do not print"
    )
    rows: dict[str, Cells] = Field(
        description="row id to {setting: run id}, in printed order; `baselines: NAME` stands for the runs of that "
        "entry of the suite's `baselines`, which come first"
    )
    notes: tuple[str, ...] = Field((), description="sentences for the footer, such as which settings are our choice")

    def score_of(self, metric: str) -> ScoreSpec:
        """The score to compute for a name in `metrics`: its entry in `scores`, else the kind of that name.

        Raises:
            ValueError: there is no such score.
        """
        return self.scores.get(metric) or member("scores", metric)()  # type: ignore[return-value]

    @model_validator(mode="after")
    def _not_empty(self) -> "TableSpec":
        if not self.metrics or not self.rows:
            raise ValueError("a table needs at least one metric and one row")
        return self
