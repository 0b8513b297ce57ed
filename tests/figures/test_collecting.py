"""The commands that collect and draw figures: files, what exists so far, a kind of the user's own."""

import sys

import numpy as np
import pandas as pd
import pytest
from figures_config import CONFIG, SPHERE, config, fake_result, fake_scores, small_experiment

from demix import collect_figure
from demix.claims.common.collect import COLUMNS as CLAIM_COLUMNS
from demix.collect_figure import write_all_partial, write_data, write_partial
from demix.collecting.command import Results
from demix.experiment.experiment import Experiment
from demix.figures.plan import FigurePlan, figure_plan, figure_runs
from demix.render_figure import render
from demix.support.errors import ConfigError, DataError
from demix.workflow.paths import FIGURE_FORMATS, seed_folder

OWN = '''
"""Losses over training steps, a line for each seed."""

from dataclasses import dataclass
from typing import ClassVar

import pandas as pd
from matplotlib.figure import Figure

from demix.figures.common.kind import FigureKind
from demix.figures.common.results import histories_of
from demix.specs.figures.kinds import FigureSpec


class LossesSpec(FigureSpec):
    needs: ClassVar[frozenset[str]] = frozenset({"histories"})
    run: str
    logarithmic: bool = False

    @property
    def runs_named(self):
        return {"run": self.run}


@dataclass(frozen=True, kw_only=True)
class Losses(FigureKind):
    run: str
    logarithmic: bool

    def collect(self, plan, results):
        (run,) = plan.shown["run"]
        frames = [frame.assign(seed=seed) for seed, frame in histories_of(plan, results, run).items()]
        return pd.concat(frames) if frames else pd.DataFrame(columns=["step", "loss", "seed"])

    def draw(self, table, plan):
        figure = Figure()
        ax = figure.subplots()
        for _, of_seed in table.groupby("seed"):
            ax.plot(of_seed["step"], of_seed["loss"])
        ax.set_yscale("log" if self.logarithmic else "linear")
        return figure

    def shown(self, table, plan):
        return [f"The loss of {self.run} over {table['step'].max()} steps."]
'''


@pytest.fixture
def own_experiment(tmp_path, monkeypatch):
    """An experiment with a figure of a kind of the user's own."""
    (tmp_path / "my_figures.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    fields = {"kind": "my_figures:LossesSpec", "title": "Losses", "run": f"{SPHERE}@1", "logarithmic": True}
    yield Experiment(config(losses=fields))
    sys.modules.pop("my_figures", None)


def called(monkeypatch, *arguments):
    """The command, in this process."""
    monkeypatch.setattr(sys, "argv", ["collect_figure", *map(str, arguments)])
    collect_figure.main()


def test_a_kind_of_the_users_own_is_drawn_over_training_steps(own_experiment, tmp_path, monkeypatch):
    (run,) = figure_runs(own_experiment, "losses")
    other = own_experiment.runs[f"{SPHERE}@4"]
    folders = [
        fake_result(tmp_path / f"{member.id}-{seed}", member, seed, losses=[4.0, 2.0, 1.0 + seed])
        for member, seed in ((run, 0), (run, 1), (other, 0))
    ]
    plan = figure_plan(own_experiment, "losses").model_dump_json()
    out = tmp_path / "figures" / "losses.parquet"
    called(monkeypatch, "--plan", plan, "--histories", *(f / "history.parquet" for f in folders), "--out", out)
    table = pd.read_parquet(out)
    assert list(table["loss"]) == [4, 2, 1, 4, 2, 2]
    assert list(table["seed"]) == [0, 0, 0, 1, 1, 1]
    assert list(pd.read_parquet(out.with_suffix(".claims.parquet")).columns) == list(CLAIM_COLUMNS)
    render(out, tmp_path / "figures" / "losses")
    assert "The loss of sph-vmf@1 over 3 steps." in (tmp_path / "figures" / "losses.md").read_text()
    assert (tmp_path / "figures" / "losses.svg").stat().st_size > 1000


def test_files_are_the_promised_ones_and_the_same_every_time(tmp_path, monkeypatch):
    plan = figure_plan(small_experiment(), "sweep")
    scores = []
    for i, run in enumerate(plan.runs):
        scores.append(tmp_path / f"{i}.parquet")
        fake_scores(run, [0.9, 0.8]).to_parquet(scores[-1])
    data = tmp_path / "data.parquet"
    called(monkeypatch, "--plan", plan.model_dump_json(), "--scores", *scores, "--out", data)
    assert FigurePlan.model_validate(pd.read_parquet(data).attrs["plan"]) == plan
    for folder in ("one", "two"):
        render(data, tmp_path / folder / "figure")
    one, two = ({p.name: p.read_bytes() for p in (tmp_path / folder).iterdir()} for folder in ("one", "two"))
    assert set(one) == {f"figure.{ending}" for ending in FIGURE_FORMATS}
    assert one == two
    assert one["figure.png"].startswith(b"\x89PNG")
    assert one["figure.pdf"].startswith(b"%PDF")
    assert b"<svg" in one["figure.svg"]


def test_a_claim_about_a_figure_is_judged_and_in_its_caption(tmp_path):
    content = config(icml_figure2=CONFIG["suites"]["own"]["figures"]["sweep"])
    content["scales"]["small"]["claims"] = "structural"
    plan = figure_plan(Experiment(content), "icml_figure2")
    write_data(plan, Results(scores={run: fake_scores(run, [0.9, 0.8]) for run in plan.runs}), tmp_path / "a.parquet")
    claims = pd.read_parquet(tmp_path / "a.claims.parquet")
    assert set(claims["claim"]) == {f"icml-f2-{letter}" for letter in "abcde"}
    assert set(claims["state"]) <= {"met", "not met"}
    render(tmp_path / "a.parquet", tmp_path / "a")
    assert "## Claims" in (tmp_path / "a.md").read_text()


def test_what_exists_of_a_figure_is_drawn(own_experiment, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (run,) = figure_runs(own_experiment, "losses")
    assert write_all_partial(own_experiment) == []
    fake_result(seed_folder(own_experiment, run, 0), run, 0, losses=[2.0, 1.0], sets={})
    caption = write_partial(own_experiment, "losses")
    assert caption.name == "losses.partial.md"
    assert list(pd.read_parquet(caption.with_suffix(".parquet"))["seed"]) == [0, 0]


def test_a_sweep_without_results_is_drawn_with_missing_points(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    caption = write_partial(small_experiment(), "sweep")
    assert caption.read_text().count("missing") == 7
    assert caption.with_suffix(".png").exists()


def test_a_figure_without_runs_has_no_parts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="figure 'theory' has no parts that could be there before the rest"):
        write_partial(small_experiment(), "theory")


def test_a_table_is_no_data_of_a_figure(tmp_path):
    path = tmp_path / "a.parquet"
    pd.DataFrame({"a": [1]}).to_parquet(path)
    with pytest.raises(DataError, match="delete it to have it made again"):
        render(path, tmp_path / "a")


def test_every_kind_without_its_inputs_says_why_in_its_drawing(tmp_path):
    missing = ({"reason": "no Blender here", "remedy": "install it"},)
    for name in ("traces", "latents", "traversals", "gallery"):
        plan = FigurePlan.model_validate(figure_plan(small_experiment(), name).model_dump() | {"skipped": missing})
        write_data(plan, Results(), tmp_path / f"{name}.parquet")
        assert len(pd.read_parquet(tmp_path / f"{name}.parquet")) == 0
        render(tmp_path / f"{name}.parquet", tmp_path / name)
        assert "Skipped: no Blender here. Remedy: install it." in (tmp_path / f"{name}.md").read_text()
        assert np.frombuffer((tmp_path / f"{name}.png").read_bytes()[:8], np.uint8)[1:4].tobytes() == b"PNG"
