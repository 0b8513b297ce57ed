"""From scores to the tidy frame of a table."""

import math
from typing import ClassVar

import pandas as pd
import pytest
from made_codes import finished_seed, score_spec
from made_scores import made_scores

from demix.scores.common.rows import score_rows
from demix.specs.scores import ScoreRequest
from demix.specs.scores.r2 import R2Spec
from demix.tables.collect import collect
from demix.tables.published import published_table

FIRST = "sph-uni-vmf1_sph-vmf1"


def test_every_printed_number_has_its_cell(plan, scores):
    table = collect(plan, scores)
    printed = published_table("icml_table1")
    assert len(table) == len(printed) == 36
    merged = table.merge(printed, on=["row_id", "setting", "metric"], suffixes=("", "_paper"))
    assert (merged["printed_mean"] == merged["mean_paper"]).all()
    assert (merged["printed_std"] == merged["std_paper"]).all()
    assert (merged["block"] == merged["block_paper"]).all()


def test_means_are_percent_with_ddof_1(plan, scores):
    cell = collect(plan, scores).iloc[0]
    assert cell["mean"] == pytest.approx(67.0)
    assert cell["std"] == pytest.approx(math.sqrt(2.5))
    assert cell["difference"] == pytest.approx(67.0 - 66.98)
    assert (cell["verdict"], cell["n_seeds"]) == ("reproduced", 5)


def test_every_cell_has_its_provenance(plan, scores):
    scores["sup_sph-uni_sph"]["bit_exact"] = [True, False] + 8 * [True]
    scores["sup_sph-uni_sph"].loc[3, ["finished", "commit", "device_memory_mb"]] = ["2026-02-02", "def", 5.0]
    table = collect(plan, scores)
    wanted = ["commit", "key", "torch", "numpy", "python", "demix", "device", "steps_per_second", "wall_time_s"]
    wanted += ["peak_memory_mb", "seeds", "finished", "outcome", "scale", "n_seeds", "std", "verdict"]
    assert table[wanted].notna().all().all()
    cell = table[table["run"] == "sup_sph-uni_sph"].iloc[0]
    assert (cell["bit_exact"], cell["seeds"], cell["commit"]) == (False, "0, 1, 2, 3, 4", "abc, def")
    assert (cell["finished"], cell["device_memory_mb"]) == ("2026-02-02", 5.0)
    assert len(cell["key"]) == 64


def test_a_score_is_found_by_its_name_and_set_among_others(plan, scores):
    """Those of `made_scores` have zeros under another name."""
    scores[FIRST] = pd.concat([made_scores(FIRST, [0.5, 0.5], evaluation_set="other"), scores[FIRST]])
    table = collect(plan, scores)
    assert set(table["mean"].round(6)) == {67.0}
    assert set(table["score"]) == {"r2"}


def test_the_score_that_stands_for_a_printed_one_is_named(plan, scores):
    other = plan.model_copy(update={"metrics": {"r2": score_spec("r2", held_out=True)}})
    scores[FIRST] = made_scores(FIRST, [0.5, 0.5], score="r2(held_out=true)")
    table = collect(other, {FIRST: scores[FIRST]})
    cell = table[(table["run"] == FIRST) & (table["setting"] == "unsupervised")].iloc[0]
    assert (cell["metric"], cell["score"], cell["mean"]) == ("r2", "r2(held_out=true)", 50.0)
    assert cell["printed_mean"] == 99.42


def test_values_of_another_unit_are_shown_as_they_are(plan):
    class NatsSpec(R2Spec):
        unit: ClassVar[str] = "nats"

    nats = plan.model_copy(update={"metrics": {"r2": NatsSpec()}})
    table = collect(nats, {FIRST: made_scores(FIRST, [0.5, 0.7], score=NatsSpec().name)})
    assert set(table["unit"]) == {"nats"}
    assert table["mean"].dropna().tolist() == [pytest.approx(0.6)]


def test_facts_are_averaged_over_the_seeds_and_empty_where_a_problem_tells_none(plan, scores):
    scores[FIRST]["fact_width"] = [0.1, 0.2, 0.3, 0.4, 0.5] * 2
    table = collect(plan, scores).set_index(["row_id", "setting"])["fact_width"]
    assert table[FIRST, "unsupervised"] == pytest.approx(0.3)
    assert math.isnan(table[FIRST, "supervised"])


def test_a_record_of_an_earlier_version_leaves_open_what_it_does_not_say(plan, tmp_path):
    folder = finished_seed(tmp_path, bit_exact=None)
    request = ScoreRequest(evaluation_set="marginal", score=score_spec("r2"))
    table = collect(plan, {FIRST: pd.DataFrame(score_rows(FIRST, "key", [request], [folder]))})
    cell = table[(table["run"] == FIRST) & (table["setting"] == "unsupervised")].iloc[0]
    assert (cell["mean"], cell["outcome"], cell["bit_exact"]) == (pytest.approx(100.0), "finished", None)
