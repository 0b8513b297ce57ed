"""Which scores of which runs have to be computed: those that tables and figures show."""

from collections import defaultdict
from collections.abc import Iterable

from demix.experiment.experiment import Experiment
from demix.figures.plan import figure_requests
from demix.specs.scores import ScoreRequest
from demix.tables.plan import TablePlan


def all_requests(experiment: Experiment, tables: Iterable[TablePlan]) -> dict[str, tuple[ScoreRequest, ...]]:
    """Scores by run id, each once, in an order that does not depend on who asks for them.

    Args:
        experiment: has the figures.
        tables: plans of its tables.

    Raises:
        ConfigError: a figure requests a score that its runs do not have.
    """
    found: dict[str, dict[str, ScoreRequest]] = defaultdict(dict)
    all_requests = [table.requests for table in tables]
    all_requests += [figure_requests(experiment, figure) for figure in experiment.figures]
    for requests in all_requests:
        for run, wanted in requests.items():
            found[run] |= {request.model_dump_json(): request for request in wanted}
    return {run: tuple(by_content[text] for text in sorted(by_content)) for run, by_content in found.items()}
