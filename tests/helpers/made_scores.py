"""Data frames as `demix.score` writes them, made up."""

import pandas as pd


def made_scores(run, values, score="r2", evaluation_set="marginal", **more):
    """A value for each seed, and of another score that no table must mistake for it.

    Args:
        run: its id.
        values: as fractions, by seed.
        score, evaluation_set: names.
        more: columns that are to be otherwise.
    """
    origin = {"run": run, "key": "k", "outcome": "finished", "commit": "abc", "steps": 10, "steps_per_second": 2.0}
    origin |= {"bit_exact": True, "finished": "2026-01-01T00:00:00+00:00", "device_memory_mb": None, "data": None}
    origin |= {"wall_time_s": 5.0, "peak_memory_mb": 300.0, "device": "a, b", "python": "3", "demix": "0"}
    origin |= {"device_type": "cuda", "torch": "2", "numpy": "2", "evaluation_set": evaluation_set} | more
    rows = [origin | {"seed": seed, "score": score, "value": value} for seed, value in enumerate(values)]
    return pd.DataFrame([*rows, *(row | {"score": f"{score}(other=true)", "value": 0.0} for row in rows)])
