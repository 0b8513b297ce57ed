"""Settings in which the runs of a table or figure differ from the published ones, found by comparing resolved specs.

Nobody has to list them, so none can be forgotten. Never imports torch.
"""

from collections import defaultdict
from typing import Any

from demix.experiment.run import Run
from demix.support.mappings import flat


def departures(runs: list[Run]) -> list[str]:
    """Every setting in which these runs differ from the published ones, one line each."""
    changed: dict[tuple[str, str, str], int] = defaultdict(int)
    trained = sum(not run.is_raw for run in runs)
    for run in runs:
        here, published = (flat(spec.model_dump(mode="json")) for spec in (run.spec, run.published))
        for path in sorted(here.keys() | published.keys()):
            old, new = _text(published.get(path)), _text(here.get(path))
            if old != new:  # an empty mapping is as good as none
                changed[path, old, new] += 1
    lines = seed_departures(runs)
    for (path, old, new), count in sorted(changed.items()):
        part = "" if count == trained or count == len(runs) else f" (in {count} of {len(runs)} runs)"
        lines.append(f"{path}: {old} → {new}{part}")
    return lines


def seed_departures(runs: list[Run]) -> list[str]:
    """Other numbers of seeds than the published ones, one line each."""
    changes = dict.fromkeys((run.published_seeds, len(run.seeds)) for run in runs)
    return [f"seeds: {published} → {here}" for published, here in changes if published != here]


def _text(value: Any) -> str:
    """A value as a reader writes it."""
    if value is None or value == {}:
        return "none"
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"
