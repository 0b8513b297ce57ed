"""A table as a reader sees it: cells, marks, footer."""

import math

import pandas as pd
from made_codes import score_spec
from made_scores import made_scores

from demix.collecting.plan import Missing
from demix.tables.collect import collect
from demix.tables.plan import RowPlan
from demix.tables.published import published_table
from demix.tables.view import DITTO, TableView


def footer(plan, scores):
    return TableView(collect(plan, scores), plan).footer()


def test_a_missing_run_a_missing_seed_and_a_divergence_are_shown_as_such(plan, scores):
    runs = list(scores)
    del scores["sph-uni-vmf1_sph-vmf1"]
    scores["sph-uni-vmf10_sph-vmf1"] = made_scores("sph-uni-vmf10_sph-vmf1", [0.99, math.nan])
    scores["sph-uni-lap005_sph-vmf1"] = made_scores("sph-uni-lap005_sph-vmf1", [0.99, 0.98, 0.97])
    assert len(runs) == 22
    view = TableView(collect(plan, scores), plan)
    assert view.cell("sph-uni-vmf1_sph-vmf1", "unsupervised", "r2").ours == "missing"
    assert view.cell("sph-uni-vmf1_sph-vmf1", "unsupervised", "r2").printed == "99.42 ± 0.05"
    assert view.cell("sph-uni-vmf10_sph-vmf1", "unsupervised", "r2").ours == "diverged"
    assert view.cell("sph-uni-lap005_sph-vmf1", "unsupervised", "r2").ours == "98.00 ± 1.00 (n=3)"


def test_image_data_is_named_and_two_of_them_are_not_mixed_silently(plan, scores):
    assert "data" not in TableView(collect(plan, scores), plan).footer()[-1]
    scores["sup_sph-uni_sph"]["data"] = "masks 0123"
    notes = TableView(collect(plan, scores), plan).footer()
    assert notes[-1].endswith("; data masks 0123.")
    assert not any(note.startswith("Not one data set") for note in notes)
    scores["sup_sph-uni_sph"].loc[1, "data"] = "masks 4567"
    notes = TableView(collect(plan, scores), plan).footer()
    (mixed,) = [note for note in notes if note.startswith("Not one data set")]
    assert mixed.endswith("compared with each other: masks 0123, masks 4567.")


def test_ditto_marks_stand_where_the_paper_has_them(plan, scores):
    view = TableView(collect(plan, scores), plan)
    for cell in published_table("icml_table1").itertuples():
        ours = view.cell(cell.row_id, cell.setting, cell.metric).ours
        assert (ours == DITTO) is bool(cell.inherited)


def departures_in_footer(plan, scores):
    return next(line for line in TableView(collect(plan, scores), plan).footer() if line.startswith("Departures"))


def test_a_run_that_a_gpu_scale_trained_on_a_cpu_is_a_departure_whatever_the_settings_are_now(plan, scores):
    assert departures_in_footer(plan, scores).endswith("none.")
    name = "sph-uni-vmf1_sph-vmf1"
    scores[name].loc[scores[name]["seed"] == 3, "device_type"] = "cpu"
    scores["raw_box-uni"]["steps"], scores["raw_box-uni"]["device_type"] = 0, "cpu"  # nothing is trained: no matter
    assert departures_in_footer(plan, scores).endswith("device: cuda → cpu (in 1 of 21 trained runs).")
    assert departures_in_footer(plan.model_copy(update={"device": "auto"}), scores).endswith("none.")
    assert departures_in_footer(plan, {}).endswith("none.")


def test_runs_whose_training_went_on_elsewhere_are_named(plan, scores):
    scores["sup_sph-uni_sph"]["bit_exact"] = [True, False] + 8 * [True]
    moved = [note for note in footer(plan, scores) if note.startswith("Not bit-exact")]
    assert moved == ["Not bit-exact, since their training went on with another device or setting: sup_sph-uni_sph."]
    assert not any(note.startswith("Not bit-exact") for note in footer(plan, {}))
    scores["sup_sph-uni_sph"]["bit_exact"] = None  # an earlier version of demix did not say
    assert not any(note.startswith("Not bit-exact") for note in footer(plan, scores))


def test_widths_of_matched_pairs_are_told_where_there_are_any(plan, scores):
    assert not any(note.startswith("Width of the pairs") for note in footer(plan, scores))
    first, second = "sph-uni-vmf1_sph-vmf1", "sph-uni-vmf10_sph-vmf1"
    for run in (first, second):
        scores[run] = scores[run].assign(fact_pair_width=0.25, fact_pair_width_drawn=0.05)
    (widths,) = [note for note in footer(plan, scores) if note.startswith("Width of the pairs")]
    assert widths.endswith(f": 0.25 (0.050) in {first}, {second}.")


def test_data_that_is_not_there_is_told_with_what_helps(plan):
    skipped = plan.model_copy(update={"skipped": (Missing(reason="no network", remedy="plug it in"),)})
    view = TableView(collect(skipped, {}), skipped)
    assert view.footer()[0] == "Skipped: no network. Remedy: plug it in."
    assert view.cell("sph-uni-vmf1_sph-vmf1", "unsupervised", "r2").ours == "skipped"


def test_a_row_without_a_printed_counterpart_is_shown_without_one(plan, scores):
    mine = RowPlan(
        labels=plan.rows["box-uni-lap005_unb-norm"].labels, cells={"unsupervised": "box-uni-lap005_unb-norm"}
    )
    own = plan.model_copy(update={"rows": plan.rows | {"mine": mine}})
    table = collect(own, scores)
    assert set(table.loc[table["row_id"] == "mine", "verdict"]) == {"not printed"}
    view = TableView(table, own)
    assert view.cell("mine", "unsupervised", "r2").printed == ""
    assert view.cell("mine", "unsupervised", "r2").ours == "67.00 ± 1.58"
    assert view.cell("mine", "identity", "r2").ours == ""
    assert view.starts_block("mine")


def test_two_scores_with_one_head_are_told_apart_by_their_parameters(plan, scores):
    metrics = {"r2": score_spec("r2"), "fair": score_spec("r2", held_out=True)}
    both = plan.model_copy(update={"metrics": metrics})
    assert [both.head(metric) for metric in metrics] == ["R² [%]", "R² [%] held_out=true"]
    first = "sph-uni-vmf1_sph-vmf1"
    more = made_scores(first, [0.5, 0.5], score="r2(held_out=true)")
    view = TableView(collect(both, {first: pd.concat([scores[first], more])}), both)
    assert view.cell(first, "unsupervised", "r2").ours == "67.00 ± 1.58"
    assert view.cell(first, "unsupervised", "fair").ours == "50.00 ± 0.00 (n=2)"
