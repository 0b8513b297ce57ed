"""The tables on masks as a user makes them: on the stand-in, on data that cannot be had, and once it can."""

import json
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from file_server import FileServer
from project import copy_project, environment, planned, snakemake, text_of

from demix.datasets.kitti_stand_in import KittiStandIn
from demix.specs.scores.mcc import MCCSpec

SMALL = ["--configfile", "small.yaml"]
EVERYTHING = ["masks", "kitti_masks", "synthetic"]

CONFIG = """
scale: smoke
seeds: 1
suites:
  small:
    tables:
      masks:
        title: Some masks
        metrics: [mcc]
        scores: {mcc: {kind: mcc, correlation: spearman}}
        also_on: [held_out]
        rows:
          contrastive: {unsupervised: kitti-lap-box-k5}
          vae: {unsupervised: kitti-slowvae-k1}
      synthetic: {title: No masks, metrics: [r2], rows: {raw: {identity: raw_box-uni}}}
"""


def with_data(data):
    """The suite of masks with other data at scale smoke."""
    return f"suites: {{kitti_masks: {{scales: {{smoke: {{problems: {{'*': {{data: {data}}}}}}}}}}}}}\n"


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A clean copy with two small tables, one of them on masks, and a figure."""
    clone = copy_project(tmp_path_factory.mktemp("clone") / "demix")
    (clone / "small.yaml").write_text(CONFIG)
    return clone


def card_of(clone, kind):
    return json.loads(next(clone.glob(f"results/data/{kind}/*/card.json")).read_text())


@pytest.fixture(scope="module")
def finished(clone):
    snakemake(clone, *EVERYTHING, *SMALL)
    return clone


def test_a_table_on_the_stand_in_says_so_everywhere(finished):
    for ending in ("md", "txt", "html", "tex"):
        text = text_of(finished, f"tables/masks.{ending}")
        assert "Some masks (on a made stand-in, not on the published data)" in text
        assert "Stand-in: trained and scored on made" in text
    assert "problem.data.kind: kitti_masks → kitti_stand_in" in text_of(finished, "tables/masks.txt")
    table = pd.read_parquet(finished / "results/smoke/tables/masks.parquet")
    assert set(table["setting"]) == {"unsupervised", "held_out"}
    assert set(zip(table["metric"], table["score"], strict=True)) == {("mcc", MCCSpec(correlation="spearman").name)}
    assert table["mean"].between(0, 100).all()
    card = card_of(finished, "kitti_stand_in")
    assert set(table["data"]) == {f"kitti_stand_in {card['hash'][:12]}"}
    record = json.loads(next(finished.glob("results/smoke/runs/kitti-slowvae-k1*/seed0/provenance.json")).read_text())
    assert (record["data"]["kind"], record["data"]["hash"]) == ("kitti_stand_in", card["hash"])
    assert "stand-in" not in text_of(finished, "tables/synthetic.txt")


def test_the_figure_shows_factors_and_codes_of_whole_sequences(finished):
    points = pd.read_parquet(finished / "results/smoke/figures/kitti_masks.parquet")
    assert list(points["factor"].unique()) == ["vertical", "horizontal", "area"]
    for _, of_sequence in points[points["factor"] == "area"].groupby("sequence"):
        assert list(of_sequence["time"]) == list(range(len(of_sequence)))
    assert (finished / "results/smoke/figures/kitti_masks.png").read_bytes().startswith(b"\x89PNG")
    assert "Stand-in:" in (finished / "results/smoke/figures/kitti_masks.md").read_text()


def test_a_finished_table_is_not_made_again_and_the_stand_in_is_in_use(finished):
    result = snakemake(finished, "-n", *EVERYTHING, *SMALL)
    assert "Nothing to be done" in result.stdout + result.stderr
    command = [sys.executable, "-m", "demix.cells", "--stale", *SMALL]
    (finished / "results/data/kitti_stand_in/0123abcd").mkdir()
    stale = subprocess.run(command, cwd=finished, capture_output=True, text=True, env=environment(finished), check=True)
    (finished / "results/data/kitti_stand_in/0123abcd").rmdir()
    assert stale.stdout.splitlines() == ["results/data/kitti_stand_in/0123abcd  0.0 MB, no run of any scale uses it"]


def test_another_stand_in_trains_anew_and_another_title_does_not(finished):
    (finished / "other.yaml").write_text(with_data("{motion: 2}"))
    jobs = planned(snakemake(finished, "-n", "masks", *SMALL, "other.yaml"))
    assert (jobs["obtain_data"], jobs["train"], jobs["score"]) == (1, 2, 2)
    (finished / "other.yaml").write_text("suites: {small: {tables: {masks: {title: Other masks}}}}\n")
    assert set(planned(snakemake(finished, "-n", "masks", *SMALL, "other.yaml"))) == {
        "collect", "render_table", "masks", "total"
    }  # fmt: skip


def test_a_set_that_is_encoded_later_has_the_codes_of_a_training_that_had_it(finished):
    later = "suites: {kitti_masks: {scales: {smoke: {problems: {'*': {evaluation_samples: 32}}}}}}\n"
    (finished / "later.yaml").write_text(later)
    jobs = planned(snakemake(finished, "-n", "masks", *SMALL, "later.yaml"))
    assert jobs["encode_set"] == 4  # two sets of two runs
    assert "train" not in jobs
    snakemake(finished, "masks", *SMALL, "later.yaml")
    (run,) = finished.glob("results/smoke/runs/kitti-lap-box-k5-*/seed0")
    sets = {path.stem.rsplit("-", 1)[0]: np.load(path) for path in run.glob("sets/*.npz")}
    assert sets.keys() == {"marginal", "held_out"}
    before = np.load(run / "codes.npz")
    for name, found in sets.items():
        assert len(found[f"{name}/codes"]) == 32
        shared = before[f"{name}/factors"][:32]
        assert np.array_equal(found[f"{name}/factors"], shared)
        assert np.allclose(found[f"{name}/codes"], before[f"{name}/codes"][:32], atol=1e-5)
    result = snakemake(finished, "-n", "masks", *SMALL, "later.yaml")
    assert "Nothing to be done" in result.stdout + result.stderr
    snakemake(finished, "masks", *SMALL)  # as it was


def published_file():
    """A made file of the published format."""
    made = KittiStandIn(sequences=12, frames=12, motion=1.0, seed=5).convert(None).splits["train"]
    frames, known = zip(*made.chunks, strict=True)
    ends = np.cumsum(made.lengths)[:-1]
    masks = [part[..., 0].astype(bool) for part in np.split(np.concatenate(frames), ends)]
    factors = np.split(np.concatenate([chunk["factors"] for chunk in known]), ends)
    return pickle.dumps({"pedestrians": masks, "pedestrians_latents": factors}, protocol=3)


def test_data_that_cannot_be_had_skips_its_tables_and_no_others_until_it_can(finished):
    with FileServer(published_file(), status=404).running() as server:
        (finished / "published.yaml").write_text(
            f"datasets: {{kitti_masks: {{urls: ['{server.url}']}}}}\n" + with_data("kitti_masks")
        )
        options = [*SMALL, "published.yaml"]
        environ = {"no_proxy": "*"}
        plan = planned(snakemake(finished, "-n", *EVERYTHING, *options))
        assert (plan["fetch_file"], plan["obtain_data"], plan["train"]) == (1, 1, 2)  # the full plan

        snakemake(finished, *EVERYTHING, *options, **environ)  # exits with 0
        table = pd.read_parquet(finished / "results/smoke/tables/masks.parquet")
        assert set(table["verdict"]) == {"missing"}
        text = text_of(finished, "tables/masks.txt")
        assert "contrastive skipped" in text
        assert f"Skipped: no kitti_peds_v2.pickle: {server.url}: Not Found. Remedy: get kitti_peds_v2.pickle" in text
        assert "Skipped: no kitti_peds_v2.pickle" in (finished / "results/smoke/figures/kitti_masks.md").read_text()
        assert "skipped" not in text_of(finished, "tables/synthetic.txt")
        command = [sys.executable, "-m", "demix.cells", "--table", "masks", *options]
        cells = subprocess.run(command, cwd=finished, capture_output=True, text=True, env=environment(finished))
        assert "(no data: no kitti_peds_v2.pickle" in cells.stdout
        command = [sys.executable, "-m", "demix.collect", "--partial", "masks", *options]
        partial = subprocess.run(command, cwd=finished, capture_output=True, text=True, env=environment(finished))
        assert "Skipped: no kitti_peds_v2.pickle" in partial.stdout

        plan = planned(snakemake(finished, "-n", *EVERYTHING, *options))
        assert (plan["fetch_file"], plan["obtain_data"], plan["train"]) == (1, 1, 2)  # it is tried again
        server.status, server.break_after = None, [20_000]
        snakemake(finished, *EVERYTHING, *options, **environ)
        assert server.requests[-1][1] == "bytes=20000-"
        table = pd.read_parquet(finished / "results/smoke/tables/masks.parquet")
        assert table["mean"].between(0, 100).all()
        assert "Stand-in" not in text_of(finished, "tables/masks.txt")
        card = card_of(finished, "kitti_masks")
        assert (card["counts"]["sequences"], card["attempt"]) == (12, 2)
        assert set(table["data"]) == {f"kitti_masks {card['hash'][:12]}"}

        result = snakemake(finished, "-n", *EVERYTHING, *options)
        assert "Nothing to be done" in result.stdout + result.stderr
        (finished / "published.yaml").write_text(
            "datasets: {kitti_masks: {path: /elsewhere}}\n" + with_data("kitti_masks")
        )
        result = snakemake(finished, "-n", *EVERYTHING, *options)
        assert "Nothing to be done" in result.stdout + result.stderr


def test_the_paper_scale_plans_ten_seeds_of_every_run(clone, tmp_path, monkeypatch):
    monkeypatch.setenv("DEMIX_DATA", str(tmp_path))
    paper = ["-n", "--config", "scale=paper"]
    both = planned(snakemake(clone, "icml_table3", "workshop_table5", *paper))
    assert (both["train"], both["score"], both["fetch_file"], both["obtain_data"]) == (150, 15, 1, 1)
    few = planned(snakemake(clone, "icml_table3", *paper, "seeds=3"))
    assert few["train"] == 30
