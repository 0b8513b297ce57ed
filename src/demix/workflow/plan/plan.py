"""The plan of a whole workflow."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from demix.experiment.experiment import Experiment
from demix.experiment.reading import in_written_order
from demix.tables.plan import table_plan
from demix.workflow.plan.data import DataPlan
from demix.workflow.plan.outputs import OutputPlan
from demix.workflow.plan.requests import all_requests
from demix.workflow.plan.runs import RunPlan
from demix.workflow.slurm import Site, read_site
from demix.workflow.store import Store


class WorkflowPlan:
    """Inputs, params and resources of every rule.

    Args:
        experiment: the configuration at one scale.
        site: what the cluster is like.
        store: the cache that clones share; None where there is none.
        forced: whether jobs are run although their results are there; called when jobs are planned.

    Raises:
        ConfigError: a table or figure cannot be made as it is configured.
    """

    def __init__(
        self,
        experiment: Experiment,
        site: Site | None = None,
        store: Store | None = None,
        forced: Callable[[], bool] = bool,
    ):
        self.experiment, self.site, self.store = experiment, site or Site(), store
        tables = {name: table_plan(experiment, name) for name in experiment.tables}
        self.data = DataPlan(experiment, self.site)
        requests = all_requests(experiment, tables.values())
        self.runs = RunPlan(experiment, self.site, store, self.data, requests, forced)
        self.outputs = OutputPlan(experiment, self.data, self.runs, tables)

    @classmethod
    def here(
        cls, files: Iterable[Path], config: Mapping[str, Any], forced: Callable[[], bool] = bool
    ) -> "WorkflowPlan":
        """The plan of a configuration on this cluster, with the cache that DEMIX_CACHE names.

        Args:
            files: all configuration files, the workflow's own first.
            config: as Snakemake has merged them.
            forced: whether Snakemake was told to run jobs although their results are there.

        Raises:
            ConfigError: one line for each thing that is wrong with configuration, site or cache.
        """
        return cls(Experiment(in_written_order(files, config)), read_site(), Store.from_environment(), forced)
