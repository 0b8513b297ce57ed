"""Plans of figures: what they say of runs and settings, and what they refuse."""

import copy

import pytest
from figures_config import BOX, CONFIG, SPHERE, config, small_experiment

from demix.experiment.experiment import Experiment
from demix.figures.plan import FigurePlan, figure_plan, figure_requests, figure_runs, seeds_shown
from demix.specs.scores import ScoreRequest
from demix.specs.scores.r2 import R2Spec
from demix.support.errors import ConfigError

FIGURES = list(CONFIG["suites"]["own"]["figures"])


@pytest.mark.parametrize("name", FIGURES)
def test_a_plan_survives_json(name):
    plan = figure_plan(small_experiment(), name)
    assert FigurePlan.model_validate_json(plan.model_dump_json()) == plan
    assert plan.name == name
    assert plan.title == small_experiment().figure(name).title


def test_a_sweep_shows_the_runs_of_its_panels_and_needs_their_score():
    experiment = small_experiment()
    points = [run.id for sweep in (SPHERE, BOX) for run in experiment.sweep_runs(sweep)]
    plan = figure_plan(experiment, "sweep")
    assert [run.id for run in figure_runs(experiment, "sweep")] == points == list(plan.runs)
    assert plan.shown["panels.box.sweep"] == tuple(points[4:])
    request = ScoreRequest(evaluation_set="marginal", score=R2Spec())
    assert figure_requests(experiment, "sweep") == {run: [request] for run in points}


def test_departures_are_those_of_runs_grids_and_the_figure_itself():
    departures = figure_plan(small_experiment(), "sweep").departures
    assert f"points of {SPHERE}: 13 → 4" in departures
    assert "problem.dim: 10 → 5" in departures
    assert "seeds: 3 → 2" in departures
    published = Experiment(CONFIG | {"scale": "paper"})
    assert figure_plan(published, "sweep").departures == ()


def test_departures_of_rendered_images_are_listed():
    departures = figure_plan(small_experiment(), "traversals").departures
    assert "images.preset: paper → smoke" in departures
    assert figure_plan(Experiment(CONFIG | {"scale": "paper"}), "traversals").departures == ()


def test_a_figure_of_one_seed_shows_that_one_and_reads_the_sets_of_its_run():
    experiment = small_experiment()
    (run,) = figure_runs(experiment, "traces")
    assert seeds_shown(experiment.figure("traces"), run) == (0,)
    plan = figure_plan(experiment, "traces")
    assert plan.seeds == 1
    assert plan.stand_in
    sets = {name: run.spec.problem.set_key(name) for name in ("marginal", "sequences")}
    assert plan.coded_sets == {"masks": sets}


def test_theory_and_rendered_images_need_no_runs():
    for name in ("theory", "traversals", "gallery"):
        assert figure_runs(small_experiment(), name) == []
        assert figure_requests(small_experiment(), name) == {}
    assert small_experiment().figure("theory").folder == "tables"
    assert small_experiment().figure("gallery").rendered.columns == 3


MISTAKES = [
    ("sweep", {"panels": {"only": {"title": "", "sweep": "sph-vfm"}}},
     "panels.only.sweep: unknown sweep 'sph-vfm' (did you mean 'sph-vmf'?)"),
    ("sweep", {"panels": {"only": {"title": "", "swep": "x"}}}, "unknown key 'swep' (did you mean 'sweep'?)"),
    ("sweep", {"kind": "marginal"}, "unknown kind 'marginal' (did you mean 'marginal_sweep'?)"),
    ("sweep", {"score": "mcc2"}, "unknown kind 'mcc2' (did you mean 'mcc'?)"),
    ("sweep", {"panels": {}}, "at least 1 item"),
    ("traces", {"run": "mask"}, "run: unknown run 'mask' (did you mean 'masks'?)"),
    ("traces", {"run": "unb"}, "run: unb is not trained on mask sequences but on synthetic"),
    ("traces", {"run": "3di"}, "run: 3di is not trained on mask sequences but on threedident"),
    ("traces", {"seed": 2}, "seed: masks has seeds 0 to 1, not 2"),
    ("latents", {"runs": {"a": "4di"}}, "runs.a: unknown run '4di'"),
    ("latents", {"runs": {"a": "unb"}}, "runs.a: unb is not trained on images but on a problem of kind synthetic"),
    ("latents", {"runs": {"a": "3di", "b": "3di-four"}}, "runs.b: 3di-four has other latents than 3di"),
    ("latents", {"evaluation_set": "tset"}, "evaluation_set: unknown evaluation_set 'tset' (did you mean 'test'?)"),
    ("theory", {"box": [{"kind": "vmf", "concentration": 1}]}, "unknown conditional of Theorem 3 'vmf'"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "fields", "message"), MISTAKES)
def test_a_mistake_is_named_in_one_line(name, fields, message):
    with pytest.raises(ConfigError) as error:
        figure_plan(Experiment(config(**{name: fields})), name)
    assert message in str(error.value)
    assert f"figures.{name}" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("problem", "model", "vary", "message"),
    [
        ("unb-norm", "unbounded", {"problem.marginal.std": [1, 2]}, "not for normal on space unbounded"),
        ("sph-normal", "sphere", {"problem.marginal.std": [1, 2]}, "not for normal on space sphere"),
        ("sph-vmf", "sphere", {"problem.marginal.concentration": [1], "problem.dim": [3, 4]}, "but their marginal"),
        ("masks", "conv", {"training.steps": [1, 2]}, "only a synthetic problem has a marginal"),
    ],
)
def test_a_sweep_without_a_mass_to_move_is_refused(problem, model, vary, message):
    content = config(sweep={"panels": {"only": {"title": "", "sweep": "mine"}}})
    suite = content["suites"]["own"]
    normal = {"kind": "normal", "std": 1}
    suite["problems"]["sph-normal"] = {"space": "sphere", "marginal": normal, "conditional": normal}
    suite["sweeps"]["mine"] = {"problem": problem, "model": model, "training": "short", "vary": vary}
    with pytest.raises(ConfigError, match=message) as error:
        figure_plan(Experiment(content), "sweep")
    assert "figures.sweep.panels.only.sweep" in str(error.value)


def test_a_run_of_two_panels_is_planned_once():
    panels = {name: {"title": name, "sweep": SPHERE} for name in ("left", "right")}
    plan = figure_plan(Experiment(config(sweep={"panels": panels})), "sweep")
    assert len(plan.runs) == 4
    assert plan.shown["panels.left.sweep"] == plan.shown["panels.right.sweep"] == tuple(plan.runs)


def test_an_unknown_figure_is_named_with_its_nearest_spelling():
    with pytest.raises(ConfigError, match=r"unknown figure 'swep' \(did you mean 'sweep'\?\)"):
        figure_plan(Experiment(copy.deepcopy(CONFIG)), "swep")
