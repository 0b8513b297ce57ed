"""What a table needs to know of the experiment, as plain data: rows, labels, runs, departures. Never imports torch."""

import hashlib
from collections import defaultdict
from importlib.resources import files
from typing import Any

from demix.experiment import PUBLISHED_SCALE, Experiment, Run
from demix.specs.run import RunSpec

LABELS = ("space", "marginal", "conditional", "model_space", "model_conditional")


def table_plan(experiment: Experiment, name: str) -> dict[str, Any]:
    """The plan of a table, ready for JSON: everything `demix.collect` needs beside the scores.

    Raises:
        ConfigError: there is no such table.
    """
    table = experiment.table(name)
    runs = experiment.runs_of(name)
    return {
        "table": name,
        "title": table.title,
        "scale": experiment.scale_name,
        "description": experiment.scale.description,
        "seeds": len(experiment.seeds),
        "claims": experiment.scale.claims,
        "device": experiment.scale.device,
        "metrics": list(table.metrics),
        "notes": list(table.notes),
        "evaluation_set": table.evaluation_set,
        "rows": {
            row: {"labels": row_labels([experiment.runs[run] for run in cells.values()]), "cells": dict(cells)}
            for row, cells in table.rows.items()
        },
        "runs": {run.id: {"key": run.key, "comparable": run.comparable} for run in runs},
        "departures": departures(experiment, runs),
    }


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
    problem, model = spec.problem, spec.model
    return {
        "space": problem.space.label,
        "marginal": problem.marginal.label,
        "conditional": problem.conditional.label if problem.conditional else "",
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
            if here.get(path) != published.get(path):
                changed[path, _text(published.get(path)), _text(here.get(path))] += 1
    published_seeds = experiment.config.scales[PUBLISHED_SCALE].seeds
    lines = [] if published_seeds == len(experiment.seeds) else [f"seeds: {published_seeds} → {len(experiment.seeds)}"]
    for (path, old, new), count in sorted(changed.items()):
        part = "" if count == trained or count == len(runs) else f" (in {count} of {len(runs)} runs)"
        lines.append(f"{path}: {old} → {new}{part}")
    return lines


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
