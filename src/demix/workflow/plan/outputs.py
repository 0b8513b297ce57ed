"""The plan of what is shown: tables and figures, collected and rendered."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from demix.claims.common.finding import claims_module
from demix.experiment.experiment import Experiment
from demix.experiment.run import Run
from demix.figures.plan import FigurePlan, figure_plan, figure_runs, seeds_shown
from demix.specs.figures.kinds import FigureSpec
from demix.tables.plan import TablePlan, published_digest
from demix.workflow import paths
from demix.workflow.plan.common import Wildcards, options, step_code
from demix.workflow.plan.data import DataPlan
from demix.workflow.plan.runs import RunPlan

CLAIMS = "demix.claims.common.collect"


class OutputPlan:
    """Tables and figures of all kinds.

    Args:
        experiment: the configuration at one scale.
        data, runs: the plans of what they are made of.
        tables: plans of all tables, by name.

    Raises:
        ConfigError: a figure cannot be drawn.
    """

    def __init__(self, experiment: Experiment, data: DataPlan, runs: RunPlan, tables: Mapping[str, TablePlan]):
        self._experiment, self._data, self._runs, self._tables = experiment, data, runs, tables
        self._figures: dict[str, FigurePlan] = {name: figure_plan(experiment, name) for name in experiment.figures}

    # ------------------------------------------------------------------------------------------------------- tables
    def table_scores(self, wildcards: Wildcards) -> list[Path]:
        """The scores of a table's runs; none if their data cannot be had, which the cards beside them say."""
        return self._scores_of(self._experiment.runs_of(wildcards.table))

    def table_cards(self, wildcards: Wildcards) -> list[Path]:
        """Cards of the data that a table needs and that may not be available."""
        return self._data.cards(self._experiment.runs_of(wildcards.table))

    def table_plan(self, wildcards: Wildcards) -> str:
        """What collecting a table needs to know, as JSON."""
        return self._tables[wildcards.table].model_dump_json()

    def printed(self, wildcards: Wildcards) -> str:
        """Digest of what the papers print of a table or figure."""
        return published_digest(getattr(wildcards, "table", None) or wildcards.figure)

    def table_code(self, wildcards: Wildcards) -> str:
        """Digest of the code that collects tables."""
        return step_code("demix.tables.collect", CLAIMS, *claims_module(wildcards.table))

    def table_render_code(self, wildcards: Wildcards) -> str:
        """Digest of the code that renders tables."""
        return step_code("demix.tables.formats", CLAIMS)

    def table_files(self, table: str) -> list[Path]:
        """All that is made of a table."""
        endings = ("parquet", "claims.parquet", *paths.TABLE_FORMATS)
        return [paths.table_file(self._experiment, table, ending) for ending in endings]

    # ------------------------------------------------------------------------------------------------------ figures
    def figure_parts(self, wildcards: Wildcards) -> dict[str, list[Path]]:
        """What a figure is made of, as its kind says; cards of data alone where that cannot be had."""
        figure = self._experiment.figure(wildcards.figure)
        runs = figure_runs(self._experiment, wildcards.figure)
        wanted = figure.needs if self._data.all_there(runs) else frozenset()
        seeds = [(run, seed) for run in runs for seed in seeds_shown(figure, run)]
        coded = seeds if "codes" in wanted else []
        return {
            "scores": self._scores_of(runs) if "scores" in wanted else [],
            "histories": [self._folder(*seed) / "history.parquet" for seed in seeds if "histories" in wanted],
            "codes": [path for run, seed in coded for path in self._runs.results_of(run, [seed])],
            "sets": [path for run, seed in coded for path in self._runs.sets_to_encode(run, seed, figure.coded_sets)],
            "shards": self._data.shards_of(figure.rendered) if figure.rendered else [],
            "data": self._figure_cards(figure, runs),
        }

    def _figure_cards(self, figure: FigureSpec, runs: list[Run]) -> list[Path]:
        """Cards of the data that a figure reads, or needs and may not be available."""
        cards = self._data.cards(runs)
        if figure.reads_data:
            cards += [paths.data_home(run) / paths.CARD for run in runs]
        if figure.rendered:
            cards.append(paths.renderer_card())
        return list(dict.fromkeys(cards))

    def figure_options(self, wildcards: Wildcards, input: Any) -> list[str]:
        """Those of `demix.collect_figure` that name the parts."""
        folders = sorted({Path(path).parent for path in input.codes})
        return options(
            scores=input.scores, histories=input.histories, codes=folders, shards=input.shards, data=input.data
        )

    def figure_plan(self, wildcards: Wildcards) -> str:
        """What collecting a figure needs to know, as JSON."""
        return self._figures[wildcards.figure].model_dump_json()

    def figure_code(self, wildcards: Wildcards) -> str:
        """Digest of the code that collects and draws a figure."""
        figure = self._experiment.figure(wildcards.figure)
        return step_code(figure.implemented_by.split(":")[0], CLAIMS, *claims_module(wildcards.figure))

    def figure_data(self, wildcards: Wildcards) -> dict[str, Path]:
        """The data of a figure and the claims about it."""
        data = paths.figure_data_file(self._experiment, wildcards.figure)
        return {"points": data, "claims": paths.claims_beside(data)}

    def figure_files(self, figure: str) -> list[Path]:
        """All that is made of a figure."""
        data = paths.figure_data_file(self._experiment, figure)
        drawings = [paths.figure_file(self._experiment, figure, ending) for ending in paths.FIGURE_FORMATS]
        return [data, paths.claims_beside(data), *drawings]

    # ------------------------------------------------------------------------------------------------------ targets
    def targets(self, rules: Iterable[str]) -> dict[str, list[Path]]:
        """Files of every table and figure by its name, which becomes a rule.

        Args:
            rules: names that the workflow's own rules have.

        Raises:
            ConfigError: a table or figure has the name of a rule.
        """
        self._experiment.refuse_names(rules)
        tables = {table: self.table_files(table) for table in self._experiment.tables}
        return tables | {figure: self.figure_files(figure) for figure in self._experiment.figures}

    def _scores_of(self, runs: list[Run]) -> list[Path]:
        return [paths.scores_file(self._experiment, run) for run in runs] if self._data.all_there(runs) else []

    def _folder(self, run: Run, seed: int) -> Path:
        return paths.seed_folder(self._experiment, run, seed)
