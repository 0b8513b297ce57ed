"""The files of a collecting step."""

import pandas as pd
import pytest

from demix.collecting.plan import CollectPlan, Missing, PlannedRun
from demix.collecting.writing import plan_of, write_with_claims
from demix.support.errors import DataError
from demix.support.files import read_parquet

PLAN = CollectPlan(
    name="mine",
    title="A table",
    scale="demo",
    description="small",
    runs={"a": PlannedRun(key="k", comparable=True, seeds_planned=2)},
    skipped=(Missing(reason="a", remedy="b"),),
)


def test_the_plan_comes_back_from_the_metadata(tmp_path):
    out = tmp_path / "mine.parquet"
    write_with_claims(pd.DataFrame({"x": [1]}), pd.DataFrame({"claim": ["c"]}), PLAN, out)
    assert plan_of(read_parquet(out), CollectPlan, out) == PLAN
    assert read_parquet(tmp_path / "mine.claims.parquet")["claim"].tolist() == ["c"]


def test_what_was_partly_there_gives_way_to_the_whole(tmp_path):
    for ending in ("partial.parquet", "partial.claims.parquet", "partial.txt"):
        (tmp_path / f"mine.{ending}").touch()
    (tmp_path / "other.partial.txt").touch()
    write_with_claims(pd.DataFrame({"x": [1]}), pd.DataFrame({"claim": ["c"]}), PLAN, tmp_path / "mine.parquet")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "mine.claims.parquet", "mine.parquet", "other.partial.txt"
    ]  # fmt: skip


@pytest.mark.parametrize("attrs", [{}, {"plan": {"table": "mine"}}])
def test_a_file_of_another_version_is_named(tmp_path, attrs):
    table = pd.DataFrame({"x": [1]})
    table.attrs |= attrs
    with pytest.raises(DataError, match=r"mine\.parquet: not collected by this version"):
        plan_of(table, CollectPlan, tmp_path / "mine.parquet")
