"""The benchmark of the losses."""

import json

LOSS_KEYS = ["what", "p", "batch", "ours_ms", "naive_ms", "cdist_ms", "time_ratio", "ours_mb", "naive_mb"]


def test_loss_prints_an_object_a_line(bench):
    printed, table = bench("loss", "--json", "--p", "dot", "1")
    rows = [json.loads(line) for line in printed.splitlines()]
    assert [(row["what"], row["p"], row["batch"]) for row in rows] == [("loss", "dot", 64), ("loss", "1", 64)]
    assert all(set(LOSS_KEYS) <= row.keys() for row in rows)
    assert all(row["ours_ms"] > 0 and row["time_ratio"] == row["naive_ms"] / row["ours_ms"] for row in rows)
    assert [row["cdist_ms"] is None for row in rows] == [True, False]
    assert len(table) == 2
