"""A table, as data: which runs stand in its cells, and how they are scored."""

from pydantic import Field, model_validator

from demix.specs.base import Spec
from demix.specs.families import member
from demix.specs.scores import Score, ScoreSpec

BASELINES = "baselines"
"""Key of a row that names an entry of `baselines`, whose runs the row shows too."""

Cells = dict[str, str]
"""The runs of a row, by the printed column ("setting")."""


class TableSpec(Spec):
    """A table: its rows by the id of the printed row, each with its runs by the printed column."""

    title: str
    metrics: tuple[str, ...] = Field(description="scores to print")
    scores: dict[str, Score] = Field(
        {}, description="the score that stands for a printed one where it is not that of the same name"
    )
    metrics_of: dict[str, tuple[str, ...]] = Field({}, description="scores of a setting that does not have all of them")
    evaluation_set: str = Field("marginal", description="which of the evaluation sets the scores are taken on")
    also_on: tuple[str, ...] = Field(
        (), description="further evaluation sets: a column for each that the runs have, which the papers do not print"
    )
    rows: dict[str, Cells] = Field(
        description="row id to {setting: run id}, in printed order; `baselines: NAME` stands for the runs of that "
        "entry of the suite's `baselines`, which come first"
    )
    notes: tuple[str, ...] = Field((), description="sentences for the footer, such as which settings are our choice")

    def score_of(self, metric: str) -> ScoreSpec:
        """The score that stands for a printed one: that of the same name with its defaults, unless `scores` says more.

        Raises:
            ValueError: there is no such score.
        """
        return self.scores.get(metric) or member("scores", metric)()  # type: ignore[return-value]

    @model_validator(mode="after")
    def _not_empty(self) -> "TableSpec":
        if not self.metrics or not self.rows:
            raise ValueError("a table needs at least one metric and one row")
        return self
