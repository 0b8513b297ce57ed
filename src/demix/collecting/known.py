"""What tables and figures may ask of a run: a score needs something that is known of the samples."""

from collections.abc import Iterable

from demix.experiment.run import Run
from demix.specs.scores import ScoreRequest


def refuse_unknown_needs(run: Run, requests: Iterable[ScoreRequest]) -> None:
    """Check that what scores need is known of the samples that a run is scored on.

    Raises:
        ValueError: it is not; the error names the score, the run and what is known.
    """
    known = run.spec.problem.known
    for request in requests:
        score = request.score
        missing = [name for name in score.needs if name not in known]
        if missing:
            there = ", ".join(known) or "nothing"
            raise ValueError(
                f"score {score.name} needs {', '.join(missing)}, but of the samples of run {run.id} is known: {there}"
            )
