"""From scores to tables: verdicts, the tidy frame, the rendered forms."""

import math
import subprocess
import sys
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from project import CONFIG

from demix.experiment.experiment import load_experiment
from demix.score import score_rows
from demix.scores import SCORES
from demix.specs.workflow import Table
from demix.support.errors import ConfigError, DataError
from demix.support.files import read_arrays, read_json, read_parquet, write_arrays, write_json
from demix.tables.collect import collect
from demix.tables.formats import FORMATS
from demix.tables.plan import table_plan
from demix.tables.published import published_table, published_tables
from demix.tables.verdicts import Number, verdict
from demix.tables.view import DITTO, METRIC_HEADS, TableView
from demix.workflow.paths import TABLE_FORMATS


@pytest.mark.parametrize(
    ("ours", "printed", "comparable", "expected"),
    [
        (None, Number(99.0, 0.1, 5), True, "missing"),
        (Number(math.nan, math.nan, 5), Number(99.0, 0.1, 5), True, "diverged"),
        (Number(50.0, 0.1, 5), None, True, "not printed"),
        (Number(99.0, 0.1, 5), Number(99.0, 0.1, 5), False, "not comparable"),
        (Number(98.0, 0.0, 5), Number(99.0, 0.0, 5), True, "reproduced"),  # one point is equal
        (Number(97.9, 0.0, 5), Number(99.0, 0.0, 5), True, "off"),
        (Number(60.0, 5.0, 5), Number(66.0, 5.0, 5), True, "reproduced"),  # 2 sqrt(25/5 + 25/5) = 6.32
        (Number(59.6, 5.0, 5), Number(66.0, 5.0, 5), True, "off"),
        (Number(62.0, math.nan, 1), Number(66.0, 2.0, 5), True, "reproduced (one seed)"),  # 2 sqrt(4/5 + 4) = 4.38
        (Number(61.5, None, 1), Number(66.0, 2.0, 5), True, "off (one seed)"),
        (Number(61.5, 1.0, 2), Number(66.0, None, 5), True, "off"),
    ],
)
def test_verdicts(ours, printed, comparable, expected):
    assert verdict(ours, printed, comparable=comparable) == expected


def fake_scores(run, key, values, metric="r2"):
    origin = {"run": run, "key": key, "outcome": "finished", "commit": "abc", "steps": 10, "steps_per_second": 2.0}
    origin |= {"bit_exact": True, "finished": "2026-01-01T00:00:00+00:00", "device_memory_mb": None, "data": None}
    origin |= {"wall_time_s": 5.0, "peak_memory_mb": 300.0, "device": "a, b", "python": "3", "demix": "0"}
    origin |= {"pair_width": None, "pair_width_drawn": None}
    origin |= {"device_type": "cuda", "torch": "2", "numpy": "2", "evaluation_set": "marginal"}
    rows = [origin | {"seed": seed, "metric": metric, "value": value} for seed, value in enumerate(values)]
    other = [row | {"metric": "mcc_spearman", "value": 0.0} for row in rows]
    return pd.DataFrame(rows + other)


@pytest.fixture
def plan():
    return table_plan(load_experiment(CONFIG, scale="paper"), "icml_table1")


@pytest.fixture
def scores(plan):
    values = [0.66, 0.68, 0.67, 0.65, 0.69]
    return {run: fake_scores(run, entry["key"], values) for run, entry in plan["runs"].items()}


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


def test_a_missing_run_a_missing_seed_and_a_divergence_are_shown_as_such(plan, scores):
    runs = list(scores)
    del scores["sph-uni-vmf1_sph-vmf1"]
    scores["sph-uni-vmf10_sph-vmf1"] = fake_scores("sph-uni-vmf10_sph-vmf1", "k", [0.99, math.nan])
    scores["sph-uni-lap005_sph-vmf1"] = fake_scores("sph-uni-lap005_sph-vmf1", "k", [0.99, 0.98, 0.97])
    assert len(runs) == 22
    view = TableView(collect(plan, scores), plan)
    assert view.cell("sph-uni-vmf1_sph-vmf1", "unsupervised", "r2").ours == "missing"
    assert view.cell("sph-uni-vmf1_sph-vmf1", "unsupervised", "r2").printed == "99.42 ± 0.05"
    assert view.cell("sph-uni-vmf10_sph-vmf1", "unsupervised", "r2").ours == "diverged"
    assert view.cell("sph-uni-lap005_sph-vmf1", "unsupervised", "r2").ours == "98.00 ± 1.00 (n=3)"


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
    notes = TableView(table, plan).footer()
    moved = [note for note in notes if note.startswith("Not bit-exact")]
    assert moved == ["Not bit-exact, since their training went on with another device or setting: sup_sph-uni_sph."]
    missing = collect(plan, {})
    assert not any(note.startswith("Not bit-exact") for note in TableView(missing, plan).footer())


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


def test_a_terminal_of_80_columns_shows_how_many_seeds_there_are(plan, scores):
    few = "sph-uni-vmf1_sph-vmf1"
    scores[few] = fake_scores(few, "k", [0.98, 0.98])
    text = FORMATS["txt"](TableView(collect(plan, scores), plan))
    assert "98.0 n=2" in text
    for run in scores:
        scores[run] = fake_scores(run, "k", [0.98])
    plan["seeds"] = 1
    plan["runs"] = {run: entry | {"seeds_planned": 1} for run, entry in plan["runs"].items()}
    lines = FORMATS["txt"](TableView(collect(plan, scores), plan)).splitlines()
    assert max(map(len, lines)) <= 80
    assert len({line.rfind("✗") for line in lines[6:10]}) == 1


def test_an_unknown_evaluation_set_is_named(plan, scores):
    plan["evaluation_set"] = "margnal"
    with pytest.raises(ConfigError, match=r"unknown evaluation_set 'margnal'.*did you mean 'marginal'"):
        collect(plan, scores)


def test_the_formats_that_rules_promise_are_those_there_are():
    assert set(TABLE_FORMATS) == set(FORMATS)
    assert set(METRIC_HEADS) == set(SCORES) == set(get_args(get_args(Table.model_fields["metrics"].annotation)[0]))


def test_ditto_marks_stand_where_the_paper_has_them(plan, scores):
    view = TableView(collect(plan, scores), plan)
    for cell in published_table("icml_table1").itertuples():
        ours = view.cell(cell.row_id, cell.setting, cell.metric).ours
        assert (ours == DITTO) is bool(cell.inherited)


def test_a_row_without_a_printed_counterpart_is_shown_without_one():
    experiment = load_experiment(CONFIG, scale="paper")
    rows = dict(experiment.table("icml_table1").rows) | {"mine": {"unsupervised": "box-uni-lap005_unb-lap"}}
    config = experiment.config.model_dump(exclude_unset=True)
    config["tables"]["icml_table1"]["rows"] = rows
    from demix.experiment.experiment import Experiment

    plan = table_plan(Experiment(config), "icml_table1")
    scores = {run: fake_scores(run, "k", [0.9, 0.9]) for run in plan["runs"]}
    table = collect(plan, scores)
    mine = table[table["row_id"] == "mine"].iloc[0]
    assert mine["verdict"] == "not printed"
    assert mine["model_conditional"] == "Laplace"
    view = TableView(table, plan)
    assert view.cell("mine", "unsupervised", "r2").printed == ""
    assert view.cell("mine", "identity", "r2").ours == ""
    assert view.starts_block("mine")
    for to_format in FORMATS.values():
        assert "mine" in to_format(view) or "Laplace" in to_format(view)


def test_every_format_holds_every_number_and_the_footer(plan, scores):
    view = TableView(collect(plan, scores), plan)
    rendered = {ending: to_format(view) for ending, to_format in FORMATS.items()}
    assert set(rendered) == {"md", "tex", "html", "csv", "txt"}
    for ending in ("md", "html"):
        assert rendered[ending].count("67.00 ± 1.58") == 22
    assert rendered["tex"].count(r"67.00 $\pm$ 1.58") == 22
    assert rendered["tex"].count(r"\midrule") == 4  # below the head and between four blocks
    assert rendered["csv"].count("67.0,1.5811") == 36  # numbers are repeated where a reader sees a ditto mark
    for ending in ("md", "txt", "html", "tex"):
        assert "Departures" in rendered[ending]
    assert max(map(len, rendered["txt"].splitlines())) <= 80


def test_departures_name_every_changed_setting():
    lines = table_plan(load_experiment(CONFIG, scale="smoke"), "icml_table2")["departures"]
    assert "seeds: 5 → 2" in lines
    assert "problem.dim: 10 → 2" in lines
    assert any(line.startswith("training.steps: 100,001 → 20 (in 2 of") for line in lines)
    demo = table_plan(load_experiment(CONFIG, scale="demo"), "icml_table1")["departures"]
    assert "model.objective.annealing.tau: none → 0.1 (in 4 of 22 runs)" in demo
    assert table_plan(load_experiment(CONFIG, scale="paper", device="cpu"), "icml_table2")["departures"] == []


def departures_in_footer(plan, scores):
    return next(line for line in TableView(collect(plan, scores), plan).footer() if line.startswith("Departures"))


def test_a_run_that_a_gpu_scale_trained_on_a_cpu_is_a_departure_whatever_the_settings_are_now(plan, scores):
    assert departures_in_footer(plan, scores).endswith("none.")
    name = "sph-uni-vmf1_sph-vmf1"
    scores[name].loc[scores[name]["seed"] == 3, "device_type"] = "cpu"
    scores["raw_box-uni"]["steps"], scores["raw_box-uni"]["device_type"] = 0, "cpu"  # nothing is trained: no matter
    assert departures_in_footer(plan, scores).endswith("device: cuda → cpu (in 1 of 21 trained runs).")
    assert departures_in_footer(plan | {"device": "auto"}, scores).endswith("none.")
    assert departures_in_footer(plan, {}).endswith("none.")


def test_all_published_numbers_come_with_the_package():
    counts = {name: len(published_table(name)) for name in published_tables()}
    assert counts["icml_table1"] == 36
    assert counts["icml_table2"] == 30
    assert len(counts) == 16
    assert sum(counts.values()) == 327


@pytest.mark.parametrize(
    ("reader", "name"), [(read_parquet, "a.parquet"), (read_json, "a.json"), (read_arrays, "a.npz")]
)
def test_a_truncated_file_is_named_in_one_line(tmp_path, reader, name):
    path = tmp_path / name
    path.write_bytes(b"PAR1{PK")
    with pytest.raises(DataError, match=name) as error:
        reader(path)
    assert "\n" not in str(error.value)


def test_a_truncated_parquet_ends_a_command_without_a_traceback(tmp_path):
    path = tmp_path / "icml_table1.parquet"
    path.write_bytes(b"PAR1")
    result = subprocess.run([sys.executable, "-m", "demix.render_table", str(path)], capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr.startswith("demix: error: ")
    assert len(result.stderr.splitlines()) == 1
    assert path.exists()


def test_a_record_of_an_earlier_version_leaves_open_what_it_does_not_say(plan, tmp_path):
    name = "sph-uni-vmf1_sph-vmf1"
    device, versions = {"name": "a CPU", "type": "cpu"}, {"python": "3", "demix": "0", "torch": "2", "numpy": "2"}
    told = {"outcome": "finished", "commit": "abc", "steps": 10, "steps_per_second": 1.0, "wall_time_s": 1.0}
    write_json(
        tmp_path / "provenance.json",
        told | {"seed": 0, "peak_memory_mb": 1.0, "finished": "2026", "device": device, "versions": versions},
    )
    z = np.random.default_rng(0).normal(size=(20, 2))
    write_arrays(tmp_path / "codes.npz", **{"marginal/codes": z, "marginal/factors": z})
    table = collect(plan, {name: pd.DataFrame(score_rows(name, "key", [tmp_path]))})
    cell = table[table["run"] == name].iloc[0]
    assert (cell["mean"], cell["outcome"], cell["bit_exact"]) == (pytest.approx(100.0), "finished", None)
    assert not any(line.startswith("Not bit-exact") for line in TableView(table, plan).footer())
