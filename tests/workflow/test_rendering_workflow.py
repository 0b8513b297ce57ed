"""Rendered images as a user makes them: the plan, a data set and figures, and without an environment to render in."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from project import copy_project, edited, environment, planned, snakemake
from renderer import interpreter

from demix.datasets.common.images import open_images
from demix.datasets.renderer import VARIABLE
from demix.experiment.experiment import load_experiment
from demix.specs.datasets import dataset_from
from demix.specs.datasets.common.threedident import LATENTS
from demix.support.building import build
from demix.workflow import paths

FIGURES = ["icml_figure3", "threedident_gallery"]
SMOKE = ["--config", "scale=smoke"]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    return copy_project(tmp_path_factory.mktemp("clone") / "demix")


@pytest.fixture(scope="module")
def finished(clone):
    """The figures and the data of Table 4 at scale smoke."""
    snakemake(clone, *FIGURES, *SMOKE, **{VARIABLE: str(interpreter())})
    spec = load_experiment(clone / "workflow_config.yaml", scale="smoke").runs["raw_3di"].spec.problem.dataset
    card = paths.dataset_card(spec)
    snakemake(clone, str(card), *SMOKE, **{VARIABLE: str(interpreter())})
    return clone


def test_the_paper_scale_renders_275_shards_and_a_download_none(clone):
    rendered = planned(snakemake(clone, "-n", "icml_table4", "icml_table5", "--config", "scale=paper"))
    assert (rendered["render_shard"], rendered["obtain_data"], rendered["train"]) == (275, 2, 18)
    (clone / "download.yaml").write_text("datasets: {threedident: {source: download}}\n")
    options = ["--configfile", "download.yaml", "--config", "scale=paper"]
    downloaded = planned(snakemake(clone, "-n", "icml_table4", "icml_table5", *options))
    assert (downloaded["fetch_file"], downloaded["obtain_data"], downloaded["train"]) == (2, 1, 18)
    assert "render_shard" not in downloaded


def test_the_data_has_the_configured_settings_and_its_card_says_how_it_was_made(finished):
    (card,) = finished.glob("results/data/threedident/*/card.json")
    content, data = json.loads(card.read_text()), open_images(card.parent)
    spec = dataset_from(content["spec"], "spec")
    columns = [LATENTS.index(name) for name in spec.factors]
    assert content["available"]
    for split in ("train", "test"):
        factors = data.known[split]["factors"]
        assert len(data.images[split]) == len(factors) == content["counts"][split]
        assert np.array_equal(factors, build(spec).latents(split)[:, columns])
    facts = content["statistics"]
    assert facts["made_by"]["blender"] == ["4.5.15"]
    assert facts["hue_mode"] == content["spec"]["hue_mode"]
    assert all(0.2 < value < 0.6 for value in facts["mean"])  # 0.43, 0.27, 0.29 for all latents


def test_figures_have_their_images(finished):
    points = pd.read_parquet(finished / "results/smoke/figures/icml_figure3.parquet")
    assert list(points.groupby("row").size()) == [10, 10]
    assert list(points.loc[points["row"] == 1, "hue_ground"]) == [0.0] * 9 + [1.0]
    assert len(set(points["image"])) == 20
    for figure in FIGURES:
        assert (finished / f"results/smoke/figures/{figure}.png").read_bytes().startswith(b"\x89PNG")
        caption = (finished / f"results/smoke/figures/{figure}.md").read_text()
        assert "Made with Blender 4.5.15 on CPU" in caption
        assert "images.preset: paper → smoke" in caption
        assert "Skipped" not in caption


def test_images_of_other_settings_are_stale_and_those_in_use_are_not(finished):
    other = finished / "results/data/gallery/0123abcd"
    other.mkdir()
    command = [sys.executable, "-m", "demix.cells", "--stale", "--scale", "smoke"]
    stale = subprocess.run(command, cwd=finished, capture_output=True, text=True, env=environment(finished), check=True)
    other.rmdir()
    assert stale.stdout.splitlines() == ["results/data/gallery/0123abcd  0.0 MB, no run of any scale uses it"]


def test_only_what_decides_images_renders_them_anew(finished):
    def plan(**more):
        return planned(snakemake(finished, "-n", *FIGURES, *SMOKE, **more))

    assert plan(**{VARIABLE: str(interpreter())}) == {}
    # another place of the interpreter, a title, code that decides no picture
    assert plan(**{VARIABLE: "/elsewhere/python"}) == {}
    with edited(finished, "suites/threedident.yaml", "3DIdent: random images", "Some images"):
        assert plan().keys() == {"collect_figure", "render_figure", "threedident_gallery", "total"}
    with edited(finished, "src/demix_render/shard.py", "SECONDS_BETWEEN_LINES = 10.0", "SECONDS_BETWEEN_LINES = 9.0"):
        assert plan() == {}
    with edited(finished, "src/demix_render/scene.py", "watts: float = 3000.0", "watts: float = 2000.0"):
        assert plan()["render_shard"] == 2


def test_a_killed_shard_is_finished_by_the_next_command(finished):
    (shard,) = finished.glob("results/data/gallery/*/rendering/all-000000.parquet")
    before = shard.read_bytes()
    for path in (shard, finished / "results/smoke/figures/threedident_gallery.parquet"):
        path.unlink()
    shard.with_name("all-000000.parquet.journal").write_bytes(b"half a line")
    snakemake(finished, "threedident_gallery", *SMOKE, **{VARIABLE: str(interpreter())})
    assert shard.read_bytes() == before


def test_a_second_clone_takes_images_from_the_cache_and_renders_what_is_damaged(clone, tmp_path):
    shared = {VARIABLE: str(interpreter()), "DEMIX_CACHE": str(tmp_path / "cache")}
    target = ["threedident_gallery", *SMOKE]
    first, second = (["--directory", str(tmp_path / name), *target] for name in ("first", "second"))
    assert planned(snakemake(clone, *first, **shared))["render_shard"] == 1
    assert {"reuse_shard": 1}.items() <= planned(snakemake(clone, *second, **shared)).items()
    (one,), (other,) = (
        tmp_path.glob(f"{name}/results/data/gallery/*/rendering/*.parquet") for name in ("first", "second")
    )
    assert one.read_bytes() == other.read_bytes()

    (entry,) = (tmp_path / "cache/render_shard").glob("*/*/all-000000.parquet")
    content = bytearray(entry.read_bytes())
    content[len(content) // 2] ^= 1
    entry.chmod(0o600)
    entry.write_bytes(content)
    third = ["--directory", str(tmp_path / "third"), *target]
    result = snakemake(clone, *third, check=False, **shared)
    assert result.returncode == 1  # noticed when it was taken, and removed: the next command renders
    assert planned(snakemake(clone, *third, **shared))["render_shard"] == 1
    assert next(tmp_path.glob("third/results/data/gallery/*/rendering/*.parquet")).read_bytes() == one.read_bytes()


def test_without_an_environment_tables_and_figures_are_skipped_with_the_remedy_until_there_is_one(clone, tmp_path):
    elsewhere = ["--directory", str(tmp_path), *SMOKE]
    no_python = tmp_path / "python"
    snakemake(clone, "icml_table4", "threedident_gallery", *elsewhere, **{VARIABLE: str(no_python)})  # exits with 0
    caption = (tmp_path / "results/smoke/figures/threedident_gallery.md").read_text()
    reason = f"Skipped: {no_python} cannot be run (No such file or directory). Remedy: see to {VARIABLE}={no_python}"
    assert reason in caption
    text = "".join((tmp_path / "results/smoke/tables/icml_table4.txt").read_text().split())  # it is broken into lines
    assert f"Skipped:{no_python}cannotberun" in text
    (card,) = tmp_path.glob("results/data/threedident/*/card.json")
    assert not json.loads(card.read_text())["available"]

    again = {VARIABLE: str(interpreter())}
    plan = planned(snakemake(clone, "-n", "icml_table4", "threedident_gallery", *elsewhere, **again))
    assert (plan["obtain_data"], plan["collect_figure"], plan["render_shard"]) == (2, 1, 3)
    snakemake(clone, "threedident_gallery", *elsewhere, **again)
    assert "Skipped" not in (tmp_path / "results/smoke/figures/threedident_gallery.md").read_text()
