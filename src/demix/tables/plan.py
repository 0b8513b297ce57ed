"""What a table needs to know of the experiment, as plain data: rows, labels, runs, departures. Never imports torch."""

import hashlib
from collections import defaultdict
from importlib.resources import files
from typing import Any

from demix.experiment.experiment import Experiment, Run
from demix.specs.run import RunSpec
from demix.specs.workflow import TableSpec

STAND_IN_TITLE = " (on a made stand-in, not on the published data)"
LABELS = ("space", "marginal", "conditional", "model_space", "model_conditional")


def table_plan(experiment: Experiment, name: str) -> dict[str, Any]:
    """The plan of a table, ready for JSON: everything `demix.collect` needs beside the scores.

    Raises:
        ConfigError: there is no such table.
    """
    table = experiment.table(name)
    runs = experiment.runs_of(name)
    stand_in = any(run.spec.problem.stand_in for run in runs)
    return {
        "table": name,
        "title": table.title + (STAND_IN_TITLE if stand_in else ""),
        "stand_in": stand_in,
        "scale": experiment.scale_name,
        "description": experiment.scale.description,
        "seeds": max((len(run.seeds) for run in runs), default=0),
        "claims": experiment.scale.claims,
        "device": experiment.scale.device,
        "metrics": list(table.metrics),
        "scores": {metric: table.score_of(metric).model_dump(mode="json") for metric in table.metrics},
        "metrics_of": {setting: list(metrics) for setting, metrics in table.metrics_of.items()},
        "notes": list(table.notes),
        "evaluation_set": table.evaluation_set,
        "rows": {
            row: {
                "labels": row_labels([experiment.runs[run] for run in cells.values()]),
                "cells": dict(cells),
                "also": _further_sets(experiment, table, list(cells.values())),
            }
            for row, cells in table.rows.items()
        },
        "runs": {
            run.id: {"key": run.key, "comparable": run.comparable, "seeds_planned": len(run.seeds)} for run in runs
        },
        "departures": departures(experiment, runs),
    }


def _further_sets(experiment: Experiment, table: TableSpec, runs: list[str]) -> dict[str, str]:
    """Further evaluation sets that the last run of a row has, with the run."""
    there = {name: run for run in runs[-1:] for name in experiment.runs[run].spec.problem.evaluation_sets}
    return {name: there[name] for name in table.also_on if name in there}


def published_digest(name: str) -> str:
    """Digest of the printed numbers of a table; the same for all tables that the papers do not have."""
    source = files("demix.published") / f"{name}.csv"
    return hashlib.sha256(source.read_bytes() if source.is_file() else b"").hexdigest()


def row_labels(runs: list[Run]) -> dict[str, str]:
    """The label columns of a row: those of its last run, and of earlier ones where that says nothing."""
    labels = dict.fromkeys(LABELS, "")
    for run in runs:
        labels |= {key: text for key, text in _labels(run.published).items() if text}
    return labels


def _labels(spec: RunSpec) -> dict[str, str]:
    model = spec.model
    return spec.problem.labels | {
        "model_space": model.output.label if model else "",
        "model_conditional": model.objective.conditional_label(model.output) if model else "",
    }


def departures(experiment: Experiment, runs: list[Run]) -> list[str]:
    """Every setting in which these runs differ from the published ones, one line each.

    Found by comparing the resolved specs, so that a change to the configuration cannot be forgotten here.
    """
    changed: dict[tuple[str, str, str], int] = defaultdict(int)
    trained = sum(not run.is_raw for run in runs)
    for run in runs:
        here, published = (_flat(spec.model_dump(mode="json")) for spec in (run.spec, run.published))
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


def _flat(content: Any, prefix: str = "") -> dict[str, Any]:
    """Nested mappings as one mapping with dotted paths."""
    if not isinstance(content, dict) or not content:
        return {prefix: content}
    flat: dict[str, Any] = {}
    for key, value in content.items():
        flat |= _flat(value, f"{prefix}.{key}" if prefix else key)
    return flat


def _text(value: Any) -> str:
    """A value as a reader writes it."""
    if value is None or value == {}:
        return "none"
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value).lower() if isinstance(value, bool) else str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"
