"""Tables on images as a user makes them: from a folder, from downloads that fail and then work, and as planned."""

import hashlib
import json

import pandas as pd
import pytest
from file_server import FileServer
from image_data import local_folder, published_layout, spec_of, tar
from project import copy_project, planned, snakemake, text_of

from demix.specs.scores.r2 import R2Spec

SMALL = ["--configfile", "small.yaml"]
TARGETS = ["images", "on_training", "latents"]
SPEC = spec_of(train=48, test=24, size=16)

CONFIG = """
scale: smoke
seeds: 1
suites:
  small:
    tables:
      images:
        title: Some images
        metrics: [r2, mcc]
        scores: {{r2: &held_out {{kind: r2, held_out: true}}}}
        metrics_of: {{identity: [r2]}}
        evaluation_set: test
        also_on: [test_eval_mode]
        rows: &rows
          contrastive: {{identity: raw_3di, unsupervised: 3di-norm_box-norm}}
          augmented: {{identity: raw_3di, unsupervised: 3di-aug_sph-vmf}}
          labelled: {{supervised: 3di-sup_unb}}
      on_training:
        title: The same
        metrics: [r2]
        scores: {{r2: *held_out}}
        evaluation_set: train
        also_on: [test]
        rows: *rows
    figures:
      latents: {{kind: latent_scores, title: Latents, runs: {{box: 3di-norm_box-norm, labels: 3di-sup_unb}}}}
  threedident:
    scales:
      smoke:
        problems: {{"*": {{eval_mode: true}}}}
        models: {{3di-box-norm: {{encoder: {{kind: resnet18}}}}}}
        trainings: {{"*": {{steps: 4}}}}
datasets:
  threedident: {source}
"""


def use(clone, source):
    (clone / "small.yaml").write_text(CONFIG.format(source=source))


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A clean copy with two small tables and a figure on images from a folder."""
    clone = copy_project(tmp_path_factory.mktemp("clone") / "demix")
    local_folder(clone / "images", SPEC)
    use(clone, f"{{source: local, path: {clone / 'images'}}}")
    return clone


@pytest.fixture(scope="module")
def finished(clone):
    snakemake(clone, *TARGETS, *SMALL)
    return clone


def table_of(clone, name="images"):
    return pd.read_parquet(clone / f"results/smoke/tables/{name}.parquet")


def test_tables_on_images_from_a_folder(finished):
    table = table_of(finished)
    columns = set(zip(table["setting"], table["metric"], strict=True))
    scored = {
        (setting, metric) for setting in ("unsupervised", "supervised", "test_eval_mode") for metric in ("r2", "mcc")
    }
    assert columns == scored | {("identity", "r2")}
    assert table["mean"].notna().all()
    assert set(table["score"]) == {R2Spec(held_out=True).name, "mcc"}
    card = json.loads(next(finished.glob("results/data/threedident_folder/*/card.json")).read_text())
    assert set(table["data"]) == {f"threedident_folder {card['hash'][:12]}"}
    assert set(table_of(finished, "on_training")["setting"]) == {"identity", "unsupervised", "supervised", "test"}


def test_the_width_of_the_pairs_stands_below_the_table(finished):
    table = table_of(finished).drop_duplicates("run").set_index("run")
    width = table.loc["3di-norm_box-norm", "fact_pair_width"]
    assert width > 0.3
    assert f"in a latent, after matching (as drawn): {width:.2f} (0.0" in text_of(finished, "tables/images.txt")
    assert "in contrastive, labelled." in text_of(finished, "tables/images.txt")
    assert pd.isna(table.loc["3di-aug_sph-vmf", "fact_pair_width"])


def test_the_figure_has_scores_of_every_latent(finished):
    scores = pd.read_parquet(finished / "results/smoke/figures/latents.parquet")
    assert len(scores) == 2 * 10
    assert (finished / "results/smoke/figures/latents.png").read_bytes().startswith(b"\x89PNG")
    of_box = table_of(finished).query("run == '3di-norm_box-norm' and setting == 'unsupervised' and metric == 'r2'")
    assert 100 * scores[scores["row"] == "box"]["r2"].mean() == pytest.approx(of_box["mean"].item())


def test_what_is_finished_is_not_made_again_and_a_title_trains_nothing(finished):
    result = snakemake(finished, "-n", *TARGETS, *SMALL)
    assert "Nothing to be done" in result.stdout + result.stderr
    (finished / "other.yaml").write_text("suites: {small: {tables: {images: {title: Others}}}}\n")
    jobs = planned(snakemake(finished, "-n", "images", *SMALL, "other.yaml"))
    assert set(jobs) == {"collect", "render_table", "images", "total"}


def test_downloads_are_resumed_and_give_the_same_images_as_the_folder(finished):
    archives = {split: tar(published_layout(SPEC, split, 6)) for split in ("train", "test")}
    md5 = {split: hashlib.md5(content).hexdigest() for split, content in archives.items()}
    with FileServer(archives["train"]).running() as train, FileServer(archives["test"], status=404).running() as test:
        use(
            finished,
            f"{{source: download, urls: {{train: ['{train.url}'], test: ['{test.url}']}}, md5: {json.dumps(md5)}}}",
        )
        jobs = planned(snakemake(finished, "-n", *TARGETS, *SMALL))
        assert (jobs["fetch_file"], jobs["obtain_data"], jobs["train"]) == (2, 1, 3)
        snakemake(finished, *TARGETS, *SMALL, no_proxy="*")
        assert set(table_of(finished)["verdict"]) == {"missing"}
        assert f"Skipped: no 3dident_test.tar: {test.url}: Not Found" in text_of(finished, "tables/images.txt")
        assert "Skipped: no 3dident_test.tar" in text_of(finished, "figures/latents.md")
        jobs = planned(snakemake(finished, "-n", *TARGETS, *SMALL))
        assert (jobs["fetch_file"], jobs["obtain_data"]) == (1, 1)  # the other archive is there
        test.status = None
        snakemake(finished, *TARGETS, *SMALL, no_proxy="*")
    table = table_of(finished)
    assert table["mean"].notna().all()
    cards = [
        json.loads(next(finished.glob(f"results/data/{kind}/*/test_images.npy")).with_name("card.json").read_text())
        for kind in ("threedident_folder", "threedident_archives")
    ]
    assert cards[0]["hash"] == cards[1]["hash"]
    assert set(table["data"]) == {f"threedident_archives {cards[1]['hash'][:12]}"}


def test_the_paper_scale_plans_two_downloads_and_18_trainings(clone, tmp_path, monkeypatch):
    monkeypatch.setenv("DEMIX_DATA", str(tmp_path))
    (clone / "download.yaml").write_text("datasets: {threedident: {source: download}}\n")
    paper = ["--configfile", "download.yaml", "--config", "scale=paper"]
    jobs = planned(snakemake(clone, "-n", "icml_table4", "icml_table5", *paper))
    assert (jobs["fetch_file"], jobs["obtain_data"], jobs["train"], jobs["encode"]) == (2, 1, 18, 3)
    assert jobs["score"] == 7
