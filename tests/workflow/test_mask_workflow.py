"""The tables on masks as a user makes them: on the stand-in, on data that cannot be had, and once it can."""

import json
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from file_server import FileServer
from project import copy_project, environment, planned, snakemake

from demix.datasets.kitti_stand_in import KittiStandIn

SMALL = ["--configfile", "small.yaml"]
EVERYTHING = ["masks", "kitti_masks", "synthetic"]


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A clean copy with two small tables, one of them on masks, and a picture."""
    clone = copy_project(tmp_path_factory.mktemp("clone") / "demix")
    (clone / "small.yaml").write_text(
        "scale: smoke\n"
        "seeds: 1\n"
        "tables:\n"
        "  masks:\n"
        "    title: Some masks\n"
        "    metrics: [mcc]\n"
        "    scores: {mcc: mcc_spearman}\n"
        "    also_on: [held_out]\n"
        "    rows:\n"
        "      contrastive: {unsupervised: kitti-lap-box-k5}\n"
        "      vae: {unsupervised: kitti-slowvae-k1}\n"
        "  synthetic: {title: No masks, metrics: [r2], rows: {raw: {identity: raw_box-uni}}}\n"
    )
    return clone


def text_of(clone, table="masks", ending="txt"):
    return " ".join((clone / f"results/smoke/tables/{table}.{ending}").read_text().split())


@pytest.fixture(scope="module")
def finished(clone):
    snakemake(clone, *EVERYTHING, *SMALL)
    return clone


def test_a_table_on_the_stand_in_says_so_everywhere(finished):
    for ending in ("md", "txt", "html", "tex"):
        text = text_of(finished, ending=ending)
        assert "Some masks (on a made stand-in, not on the published data)" in text
        assert "Stand-in: trained and scored on made pictures" in text
    assert "problem.data.kind: kitti_masks → kitti_stand_in" in text_of(finished)
    table = pd.read_parquet(finished / "results/smoke/tables/masks.parquet")
    assert set(table["setting"]) == {"unsupervised", "held_out"}
    assert set(zip(table["metric"], table["score"], strict=True)) == {("mcc", "mcc_spearman")}
    assert table["mean"].between(0, 100).all()
    card = json.loads(next(finished.glob("results/data/kitti_stand_in/*/card.json")).read_text())
    assert set(table["data"]) == {f"kitti_stand_in {card['hash'][:12]}"}
    record = json.loads(next(finished.glob("results/smoke/runs/kitti-slowvae-k1*/seed0/provenance.json")).read_text())
    assert record["data"] == {"kind": "kitti_stand_in", "hash": card["hash"]}
    assert "stand-in" not in text_of(finished, "synthetic")


def test_the_picture_shows_factors_and_codes_of_whole_sequences(finished):
    points = pd.read_parquet(finished / "results/smoke/figures/kitti_masks.parquet")
    assert list(points["factor"].unique()) == ["vertical", "horizontal", "area"]
    for _, of_sequence in points[points["factor"] == "area"].groupby("sequence"):
        assert list(of_sequence["time"]) == list(range(len(of_sequence)))
        masks = [np.unpackbits(np.frombuffer(mask, np.uint8)).sum() for mask in of_sequence["mask"]]
        assert masks == list(of_sequence["value"])
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
    (finished / "other.yaml").write_text("scales: {smoke: {problems: {kitti-k5: {data: {motion: 2}}}}}\n")
    jobs = planned(snakemake(finished, "-n", "masks", *SMALL, "other.yaml"))
    assert (jobs["make_kitti_stand_in"], jobs["train"], jobs["score"]) == (1, 1, 1)
    (finished / "other.yaml").write_text("tables: {masks: {title: Other masks}}\n")
    assert set(planned(snakemake(finished, "-n", "masks", *SMALL, "other.yaml"))) == {
        "collect", "render_table", "masks", "total"
    }  # fmt: skip


def published_file():
    """A made file of the published format."""
    made = KittiStandIn(sequences=12, frames=12, motion=1.0, seed=5).sequences()
    ends = np.cumsum(made.lengths)[:-1]
    masks = [part.astype(bool) for part in np.split(made.frames, ends)]
    return pickle.dumps({"pedestrians": masks, "pedestrians_latents": np.split(made.factors, ends)}, protocol=3)


def test_data_that_cannot_be_had_skips_its_tables_and_no_others_until_it_can(finished):
    with FileServer(published_file(), status=404).running() as server:
        (finished / "published.yaml").write_text(
            f"datasets: {{kitti_masks: {{urls: ['{server.url}']}}}}\n"
            "scales: {smoke: {problems: {'kitti*': {data: kitti_masks}}}}\n"
        )
        options = [*SMALL, "published.yaml"]
        environ = {"no_proxy": "*"}
        plan = planned(snakemake(finished, "-n", *EVERYTHING, *options))
        assert (plan["download_kitti_masks"], plan["train"]) == (1, 2)  # the full plan

        snakemake(finished, *EVERYTHING, *options, **environ)  # ends well
        table = pd.read_parquet(finished / "results/smoke/tables/masks.parquet")
        assert set(table["verdict"]) == {"missing"}
        text = text_of(finished)
        assert "contrastive skipped" in text
        assert f"Skipped: no KITTI Masks: {server.url}: Not Found. Remedy: get kitti_peds_v2.pickle" in text
        assert "Skipped: no KITTI Masks" in (finished / "results/smoke/figures/kitti_masks.md").read_text()
        assert "skipped" not in text_of(finished, "synthetic")
        command = [sys.executable, "-m", "demix.cells", "--table", "masks", *options]
        cells = subprocess.run(command, cwd=finished, capture_output=True, text=True, env=environment(finished))
        assert "(no data: no KITTI Masks" in cells.stdout
        snakemake(finished, "masks", *options, "--report", "report.html")
        command = [sys.executable, "-m", "demix.collect", "--partial", "masks", *options]
        partial = subprocess.run(command, cwd=finished, capture_output=True, text=True, env=environment(finished))
        assert "Skipped: no KITTI Masks" in partial.stdout

        plan = planned(snakemake(finished, "-n", *EVERYTHING, *options))
        assert (plan["download_kitti_masks"], plan["train"]) == (1, 2)  # it is tried again
        server.status, server.break_after = None, [20_000]
        snakemake(finished, *EVERYTHING, *options, **environ)
        assert server.requests[-1][1] == "bytes=20000-"
        table = pd.read_parquet(finished / "results/smoke/tables/masks.parquet")
        assert table["mean"].between(0, 100).all()
        assert "Stand-in" not in text_of(finished)
        card = json.loads(next(finished.glob("results/data/kitti_masks/*/card.json")).read_text())
        assert (card["counts"]["sequences"], card["attempt"]) == (12, 2)
        assert set(table["data"]) == {f"kitti_masks {card['hash'][:12]}"}

        result = snakemake(finished, "-n", *EVERYTHING, *options)
        assert "Nothing to be done" in result.stdout + result.stderr
        (finished / "published.yaml").write_text(
            "datasets: {kitti_masks: {path: /elsewhere}}\n"
            "scales: {smoke: {problems: {'kitti*': {data: kitti_masks}}}}\n"
        )
        result = snakemake(finished, "-n", *EVERYTHING, *options)
        assert "Nothing to be done" in result.stdout + result.stderr


def test_the_paper_scale_plans_ten_seeds_of_every_run(clone, tmp_path, monkeypatch):
    monkeypatch.setenv("DEMIX_DATA", str(tmp_path))
    paper = ["-n", "--config", "scale=paper"]
    first = planned(snakemake(clone, "icml_table3", *paper))
    assert (first["train"], first["score"], first["download_kitti_masks"]) == (100, 10, 1)
    both = planned(snakemake(clone, "icml_table3", "workshop_table5", *paper))
    assert (both["train"], both["score"], both["download_kitti_masks"]) == (150, 15, 1)
    few = planned(snakemake(clone, "icml_table3", *paper, "seeds=3"))
    assert few["train"] == 30
