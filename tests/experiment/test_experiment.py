"""The configuration: what it resolves to, and what it refuses in one line."""

import copy
import re
from pathlib import Path

import pytest
import yaml
from project import CONFIG

from demix.experiment.experiment import Experiment, load_experiment
from demix.support.errors import ConfigError, Named
from demix.tables.plan import row_labels, table_plan
from demix.tables.published import published_table

SCALES = ("smoke", "demo", "laptop", "paper")


@pytest.fixture
def config():
    return copy.deepcopy(yaml.safe_load(CONFIG.read_text()))


def change(config, path, value):
    *parents, last = path.split("/")
    for key in parents:
        config = config[key]
    config[last] = value


@pytest.mark.parametrize("scale", SCALES)
def test_every_scale_is_valid(scale):
    experiment = load_experiment(CONFIG, scale=scale)
    trained = [run for run in experiment.runs.values() if not run.is_raw]
    assert len({run.key for run in trained}) == len(trained)
    of_icml = {
        run.id for table in ("icml_table1", "icml_table2") for run in experiment.runs_of(table) if not run.is_raw
    }
    assert len(of_icml) == 25


def test_the_paper_scale_departs_from_nothing():
    experiment = load_experiment(CONFIG, scale="paper")
    for table in experiment.tables:
        assert table_plan(experiment, table)["departures"] == []
    assert all(run.comparable for run in experiment.runs.values())


def stated_in(of_paper, of_experiment):
    stated = {}
    for line in (Path(CONFIG).parent / "src/demix/published/settings.csv").read_text().splitlines():
        paper, experiment, key, value, *_ = line.split(",")
        if (paper, experiment) == (of_paper, of_experiment):
            stated[key] = value
    return stated


def test_paper_settings_are_those_the_papers_state():
    stated = stated_in("icml2021", "synthetic")
    experiment = load_experiment(CONFIG, scale="paper")
    synthetic = [run for run in experiment.runs.values() if run.has_own_data]
    for run in synthetic:
        assert len(run.seeds) == int(stated["n_seeds"])
        problem, model, training = run.spec.problem, run.spec.model, run.spec.training
        assert problem.dim == int(stated["latent_dim"])
        assert problem.mixing.slope == float(stated["mixing_negative_slope"])
        assert problem.mixing.candidates == int(stated["mixing_condition_candidates"])
        assert problem.evaluation_samples == int(stated["eval_samples"])
        if model is None:
            continue
        assert [f"{width}N" for width in model.encoder.hidden] == stated["encoder_hidden_dims"].strip("[]").split(";")
        assert model.encoder.slope == float(stated["encoder_negative_slope"])
        assert training.batch_size == int(stated["batch_size"])
        assert training.learning_rate == float(stated["learning_rate"])
        if model.objective.needs_pairs:  # the authors' code makes three steps more
            assert training.steps == pytest.approx(int(stated["iterations"]), rel=1e-4)
        if model.output.kind == "box":
            assert model.output.bound == float(stated["box_magnitude_init"])


def test_settings_of_the_masks_are_those_the_papers_state():
    stated = stated_in("icml2021", "kitti_masks")
    experiment = load_experiment(CONFIG, scale="paper")
    runs = [run for table in ("icml_table3", "workshop_table5") for run in experiment.runs_of(table)]
    assert len({run.id for run in runs}) == 15
    for run in runs:
        training, problem = run.spec.training, run.spec.problem
        assert len(run.seeds) == run.published_seeds == int(stated["n_seeds"])
        assert training.steps == int(stated["iterations"])
        assert 2 * training.batch_size == int(stated["batch_size"])  # it counts pictures
        assert training.learning_rate == float(stated["learning_rate"])
        assert problem.evaluation_samples == int(stated["eval_samples"])
        assert (problem.shrink, problem.held_out, problem.data.kind) == (1, 0, "kitti_masks")
        assert (run.spec.codes, problem.dim) == (10, 3)
    assert len(experiment.runs["raw_sph-uni"].seeds) == 5


@pytest.mark.parametrize("table", ["icml_table3", "workshop_table5"])
def test_rows_of_the_masks_are_the_printed_ones(table):
    experiment = load_experiment(CONFIG, scale="paper")
    for row_id, row in published_table(table).set_index("row_id").iterrows():
        (run,) = (experiment.runs[name] for name in experiment.table(table).rows[row_id].values())
        labels, objective = row_labels([run]), run.spec.model.objective
        frames = {"dt=0.05s": 1, "dt=0.15s": 5, "frames=1": 1, "frames=5": 5}.get(row["variant"].split(";")[-1], 1) if (
            isinstance(row["variant"], str)) else 1  # fmt: skip
        assert run.spec.problem.max_separation == frames
        kind = {"contrastive": "lp_infonce", "SlowVAE": "slow_vae", "beta-VAE": "beta_vae", "L_AU": "align_uniform"}
        assert objective.kind == kind[row["model"]]
        if row["model"] == "contrastive":
            assert labels["model_space"].lower() == row["model_space"]
            assert labels["model_conditional"] == row["model_conditional"]
        if row["model"] == "L_AU":
            assert row["variant"].startswith(f"alpha={objective.alpha:g};p={objective.exponent:g};")
    assert list(experiment.table(table).rows) == list(published_table(table)["row_id"])


def test_a_scale_may_give_some_runs_another_number_of_seeds():
    paper = load_experiment(CONFIG, scale="paper")
    assert (len(paper.seeds), len(paper.runs["kitti-slowvae-k1"].seeds)) == (10, 10)
    assert table_plan(paper, "icml_table3")["seeds"] == 10
    assert table_plan(paper, "icml_table1")["seeds"] == 5
    assert {len(run.seeds) for run in load_experiment(CONFIG, scale="paper", seeds=3).runs.values()} == {3}
    few = table_plan(load_experiment(CONFIG, scale="paper", seeds=3), "icml_table3")
    assert few["departures"] == ["seeds: 10 → 3"]


@pytest.mark.parametrize("table", ["icml_table1", "icml_table2"])
def test_rows_and_labels_are_the_printed_ones(table):
    experiment = load_experiment(CONFIG, scale="paper")
    printed = published_table(table)
    assert list(experiment.table(table).rows) == list(dict.fromkeys(printed["row_id"]))
    for row_id, row in printed[printed["setting"] == "unsupervised"].set_index("row_id").iterrows():
        cells = experiment.table(table).rows[row_id]
        assert list(cells) == ["identity", "supervised", "unsupervised"]
        assert cells["unsupervised"] == row_id
        labels = row_labels([experiment.runs[run] for run in cells.values()])
        plain = {key: text.replace("κ", "kappa").replace("λ", "lambda").replace("σ", "sigma").replace("β", "beta")
                 .replace("; ", ";").lower() for key, text in labels.items()}  # fmt: skip
        for key, text in plain.items():
            assert text == row[key].lower()


def test_rows_of_the_workshop_are_the_printed_ones_with_two_layers():
    experiment = load_experiment(CONFIG, scale="paper")
    printed = published_table("workshop_table1")
    rows = experiment.table("workshop_table1").rows
    assert list(rows) == list(dict.fromkeys(printed["row_id"]))
    written = {
        "Laplace(λ=": "GenNorm(beta=1;lambda=", "Normal(σ=": "GenNorm(beta=2;lambda=", "vMF(κ=": "vMF(kappa=",
        "Laplace": "GenNorm(beta=1)", "Normal": "GenNorm(beta=2)", "GenNorm(β=3)": "GenNorm(beta=3)",
    }  # fmt: skip
    for row_id, row in printed[printed["setting"] == "unsupervised"].set_index("row_id").iterrows():
        cells = rows[row_id]
        assert list(cells) == ["linear", "supervised", "unsupervised"]
        assert cells["unsupervised"] == f"ws-{row_id}"
        runs = [experiment.runs[run] for run in cells.values()]
        assert {run.spec.problem.mixing.layers for run in runs} == {2}
        assert len({run.data_key for run in runs}) == 1
        for key, text in row_labels(runs).items():
            kind, bracket, rest = text.partition("(") if text not in written else (text, "", "")
            head, equals, value = rest.partition("=")
            ours = written.get(f"{kind}{bracket}{head}{equals}", f"{kind}{bracket}{head}{equals}") + value
            assert ours.lower() == row[key].lower()


def test_the_table_that_the_readme_adds_is_in_the_configuration():
    readme, config = (CONFIG.parent / "README.md").read_text(), CONFIG.read_text()
    (diff,) = re.findall(r"```diff\n(.*?)```", readme, re.DOTALL)
    added = [line[1:] for line in diff.splitlines() if line.startswith("+") and "…" not in line]
    assert len(added) > 8
    assert all(f"{line}\n" in config for line in added)


@pytest.mark.parametrize("table", ["icml_table1", "icml_table2"])
def test_cells_with_a_ditto_mark_share_their_run_with_the_cell_they_repeat(table):
    experiment = load_experiment(CONFIG)
    for cell in published_table(table).itertuples():
        if cell.inherited:
            rows = experiment.table(table).rows
            assert rows[cell.row_id][cell.setting] == rows[cell.inherited_from][cell.setting]


MISTAKES = [
    ("sclae", "demo", "unknown key 'sclae' (did you mean 'scale'?)"),
    ("scale", "papr", "unknown scale 'papr' (did you mean 'paper'?)"),
    ("problems/sph-uni/margnal", "uniform", "problems.sph-uni: unknown key 'margnal' (did you mean 'marginal'?)"),
    ("problems/box-uni/marginal", {"kind": "vmf", "concentration": 1}, "unknown density of space box 'vmf'"),
    ("problems/unb-norm1/marginal", {"kind": "normal", "std": 0}, "std: input should be greater than 0, got 0"),
    ("problems/unb-norm1/marginal", {"kind": "laplace", "scale": -1}, "scale: input should be greater than 0, got -1"),
    ("problems/unb-norm1/marginal", "norml", "unknown kind 'norml' (did you mean 'normal'?)"),
    ("models/box-lap/objective", {"kind": "lp_infonce", "exponent": 0.5}, "greater than or equal to 1, got 0.5"),
    ("models/box-lap/output", {"kind": "box", "bund": 3}, "unknown key 'bund' (did you mean 'bound'?)"),
    ("trainings/contrastive/steps", "many", "steps: input should be a valid integer"),
    ("runs/again", {"problem": "sph-uni"}, "same spec as run 'raw_sph-uni'"),
    ("runs/raw_sph-uni/problem", "sph-unni", "unknown problem 'sph-unni' (did you mean 'sph-uni'?)"),
    ("runs/raw_sph-uni/model", "sup-sph", "a model but no training"),
    ("runs/sup_sph-uni_sph/model", "sph-vmf1", "needs pairs, but the problem has no conditional"),
    ("tables/icml_table1/rows/mine", {"identity": "raw_sph-unni"}, "unknown run 'raw_sph-unni'"),
    ("tables/icml_table1/metrics", ["r3"], "'r2'"),
    ("scales/demo/problems", {"*": {"dimm": 4}}, "unknown key 'dimm' (did you mean 'dim'?)"),
    ("scales/demo/models", {"bxo-*": {}}, "unknown name or pattern 'bxo-*'"),
    ("runs/a b;c", {"problem": "sph-uni"}, "should match pattern"),
    ("tables/train", {"title": "", "metrics": ["r2"], "rows": {"a": {}}}, "'train' is a rule of the workflow"),
    ("problems/kitti-k1/kind", "mask_pars", "problems.kitti-k1: unknown kind 'mask_pars' (did you mean 'mask_pairs'?)"),
    ("problems/kitti-k1/max_separation", 0, "max_separation: input should be greater than 0, got 0"),
    ("problems/kitti-k1/data", "kitti_mask", "unknown kind 'kitti_mask' (did you mean 'kitti_masks'?)"),
    ("problems/kitti-k1/shrink", 3, "shrink: input should be 1, 2 or 4, got 3"),
    ("runs/box-uni-lap005_unb-lap/problem", "kitti-k1", "mlp takes vectors, not pictures of shape (1, 16, 16)"),
    ("runs/kitti-lap-unb-k1/problem", "box-uni-lap005", "conv takes pictures, not observations of shape (5,)"),
    (
        "scales/demo/models",
        {"kitti*": {"encoder": {"channels": [1] * 5}}},
        "conv has 5 halvings or doublings, too many for pictures of 16 x 16",
    ),
    ("models/kitti-slowvae/output", "unbounded", "objective slow_vae needs output gaussian"),
    ("models/kitti-unb-lap/decoder", "conv_decoder", "objective lp_infonce has no use for a decoder"),
    ("runs/raw-kitti", {"problem": "kitti-k1"}, "kind mask_pairs has no score of its raw observations"),
    ("scales/demo/seeds_of", {"kity*": 2}, "scales.demo.seeds_of: unknown name or pattern 'kity*'"),
    ("scales/demo/models", {"* !*": {}}, "unknown name or pattern '* !*'"),
    ("figures/kitti_masks/seed", 0.5, "seed: input should be a valid integer"),
    ("datasets/kiti", {"urls": []}, "'kitti_masks'"),
    ("seeds", 0, "greater than 0, got 0"),
    ("device", "gpu", "got 'gpu'"),
]


@pytest.mark.parametrize(("path", "value", "message"), MISTAKES)
def test_a_mistake_is_named_in_one_line(config, path, value, message):
    change(config, path, value)
    with pytest.raises(ConfigError) as error:
        Experiment(config)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_two_mistakes_are_named_in_two_lines(config):
    config["problems"]["sph-uni"] |= {"dim": 1, "evaluation_samples": 0}
    with pytest.raises(ConfigError) as error:
        Experiment(config)
    assert len(str(error.value).splitlines()) == 2


def test_a_later_file_adds_a_row_without_touching_the_first(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text(
        "problems:\n  sph-uni-vmf50: {space: sphere, marginal: uniform, conditional: {kind: vmf, concentration: 50}}\n"
        "runs:\n  mine: {problem: sph-uni-vmf50, model: sph-vmf1, training: contrastive}\n"
        "tables: {icml_table1: {rows: {mine: {identity: raw_sph-uni, unsupervised: mine}}}}\n"
    )
    before, after = load_experiment(CONFIG), load_experiment(CONFIG, mine)
    assert list(after.table("icml_table1").rows) == [*before.table("icml_table1").rows, "mine"]
    assert all(after.runs[name].key == run.key for name, run in before.runs.items())
    assert table_plan(after, "icml_table1")["rows"]["mine"]["labels"]["conditional"] == "vMF(κ=50)"


def test_a_file_that_is_no_yaml_is_named(tmp_path):
    broken = tmp_path / "broken.yaml"
    broken.write_text("a: [1")
    with pytest.raises(ConfigError, match=r"broken\.yaml: not readable as YAML"):
        load_experiment(CONFIG, broken)


def test_a_name_that_does_not_exist_is_an_error_with_the_nearest_one():
    runs = Named("run", {"sph-uni": 1, "box-uni": 2})
    assert runs["box-uni"] == 2
    with pytest.raises(ConfigError, match=r"unknown run 'box-un' \(did you mean 'box-uni'\?\)"):
        runs["box-un"]
