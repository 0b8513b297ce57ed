"""What the configuration resolves to, held against the papers."""

from pathlib import Path

import pytest
from project import CONFIG

from demix.collecting.departures import departures
from demix.experiment.experiment import load_experiment
from demix.tables.plan import row_labels
from demix.tables.published import published_table

SCALES = ("smoke", "demo", "laptop", "paper")


@pytest.fixture(scope="module")
def paper():
    return load_experiment(CONFIG, scale="paper")


@pytest.mark.parametrize("scale", SCALES)
def test_every_scale_is_valid(scale):
    experiment = load_experiment(CONFIG, scale=scale)
    trained = [run for run in experiment.runs.values() if not run.is_raw]
    assert len({run.key for run in trained}) == len(trained)
    of_icml = {
        run.id for table in ("icml_table1", "icml_table2") for run in experiment.runs_of(table) if not run.is_raw
    }
    assert len(of_icml) == 25


def test_the_paper_scale_departs_from_nothing(paper):
    assert departures(list(paper.runs.values())) == []
    assert all(run.comparable for run in paper.runs.values())


def stated_in(of_paper, of_experiment):
    stated = {}
    for line in (Path(CONFIG).parent / "src/demix/published/settings.csv").read_text().splitlines():
        paper, experiment, key, value, *_ = line.split(",")
        if (paper, experiment) == (of_paper, of_experiment):
            stated[key] = value
    return stated


def test_paper_settings_are_those_the_papers_state(paper):
    stated = stated_in("icml2021", "synthetic")
    published = ("icml_synthetic", "workshop_synthetic")
    synthetic = [run for run in paper.runs.values() if run.has_own_data and run.suite in published]
    for run in synthetic:
        assert len(run.seeds) == int(stated["n_seeds"])
        problem, model, training = run.spec.problem, run.spec.model, run.spec.training
        assert problem.dim == int(stated["latent_dim"])
        assert problem.generator.slope == float(stated["mixing_negative_slope"])
        assert problem.generator.candidates == int(stated["mixing_condition_candidates"])
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


def test_settings_of_the_masks_are_those_the_papers_state(paper):
    stated = stated_in("icml2021", "kitti_masks")
    runs = [run for table in ("icml_table3", "workshop_table5") for run in paper.runs_of(table)]
    assert len({run.id for run in runs}) == 15
    for run in runs:
        training, problem = run.spec.training, run.spec.problem
        assert len(run.seeds) == run.published_seeds == int(stated["n_seeds"])
        assert training.steps == int(stated["iterations"])
        assert 2 * training.batch_size == int(stated["batch_size"])  # it counts images
        assert training.learning_rate == float(stated["learning_rate"])
        assert problem.evaluation_samples == int(stated["eval_samples"])
        assert (problem.shrink, problem.held_out, problem.data.kind) == (1, 0, "kitti_masks")
        assert (run.spec.codes, problem.latent_count) == (10, 3)
    assert len(paper.runs["raw_sph-uni"].seeds) == 5


@pytest.mark.parametrize("table", ["icml_table3", "workshop_table5"])
def test_rows_of_the_masks_are_the_printed_ones(paper, table):
    for row_id, row in published_table(table).set_index("row_id").iterrows():
        (run,) = (paper.runs[name] for name in paper.table(table).rows[row_id].values())
        labels, objective = row_labels([run]), run.spec.model.objective
        frames = {"dt=0.05s": 1, "dt=0.15s": 5, "frames=1": 1, "frames=5": 5}.get(row["variant"].split(";")[-1], 1) if (
            isinstance(row["variant"], str)) else 1  # fmt: skip
        assert run.spec.problem.pairs.max_separation == frames
        kind = {"contrastive": "lp_infonce", "SlowVAE": "slow_vae", "beta-VAE": "beta_vae", "L_AU": "align_uniform"}
        assert objective.kind == kind[row["model"]]
        if row["model"] == "contrastive":
            assert labels["model_space"].lower() == row["model_space"]
            assert labels["model_conditional"] == row["model_conditional"]
        if row["model"] == "L_AU":
            assert row["variant"].startswith(f"alpha={objective.alpha:g};p={objective.exponent:g};")
    assert list(paper.table(table).rows) == list(published_table(table)["row_id"])


def test_a_suite_may_have_another_number_of_seeds(paper):
    assert (len(paper.seeds), len(paper.runs["kitti-slowvae-k1"].seeds)) == (10, 10)
    assert len(paper.runs["3di-norm_box-norm"].seeds) == 3
    assert len(paper.runs["raw_sph-uni"].seeds) == 5
    few = load_experiment(CONFIG, scale="paper", seeds=3)
    assert {len(run.seeds) for run in few.runs.values()} == {3}
    assert departures(few.runs_of("icml_table3")) == ["seeds: 10 → 3"]


@pytest.mark.parametrize("table", ["icml_table1", "icml_table2"])
def test_rows_and_labels_are_the_printed_ones(paper, table):
    printed = published_table(table)
    assert list(paper.table(table).rows) == list(dict.fromkeys(printed["row_id"]))
    for row_id, row in printed[printed["setting"] == "unsupervised"].set_index("row_id").iterrows():
        cells = paper.table(table).rows[row_id]
        assert list(cells) == ["identity", "supervised", "unsupervised"]
        assert cells["unsupervised"] == row_id
        labels = row_labels([paper.runs[run] for run in cells.values()])
        plain = {key: text.replace("κ", "kappa").replace("λ", "lambda").replace("σ", "sigma").replace("β", "beta")
                 .replace("; ", ";").lower() for key, text in labels.items()}  # fmt: skip
        for key, text in plain.items():
            assert text == row[key].lower()


def test_rows_of_the_workshop_are_the_printed_ones_with_two_layers(paper):
    printed = published_table("workshop_table1")
    rows = paper.table("workshop_table1").rows
    assert list(rows) == list(dict.fromkeys(printed["row_id"]))
    written = {
        "Laplace(λ=": "GenNorm(beta=1;lambda=", "Normal(σ=": "GenNorm(beta=2;lambda=", "vMF(κ=": "vMF(kappa=",
        "Laplace": "GenNorm(beta=1)", "Normal": "GenNorm(beta=2)", "GenNorm(β=3)": "GenNorm(beta=3)",
    }  # fmt: skip
    for row_id, row in printed[printed["setting"] == "unsupervised"].set_index("row_id").iterrows():
        cells = rows[row_id]
        assert list(cells) == ["linear", "supervised", "unsupervised"]
        assert cells["unsupervised"] == f"ws-{row_id}"
        runs = [paper.runs[run] for run in cells.values()]
        assert {run.spec.problem.generator.layers for run in runs} == {2}
        assert len({run.data_key for run in runs}) == 1
        for key, text in row_labels(runs).items():
            kind, bracket, rest = text.partition("(") if text not in written else (text, "", "")
            head, equals, value = rest.partition("=")
            ours = written.get(f"{kind}{bracket}{head}{equals}", f"{kind}{bracket}{head}{equals}") + value
            assert ours.lower() == row[key].lower()


@pytest.mark.parametrize("table", ["icml_table1", "icml_table2"])
def test_cells_with_a_ditto_mark_share_their_run_with_the_cell_they_repeat(paper, table):
    for cell in published_table(table).itertuples():
        if cell.inherited:
            rows = paper.table(table).rows
            assert rows[cell.row_id][cell.setting] == rows[cell.inherited_from][cell.setting]
