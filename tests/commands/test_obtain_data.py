"""Any data set by one command: made, of a user's own, packed from shards; the card of what cannot be had."""

import json
import subprocess
import sys

import numpy as np
import pytest
from image_data import drawn, spec_of
from project import ROOT, environment

from demix.datasets.common.images import open_images
from demix.datasets.common.rendering import shards
from demix.obtain_data import provide
from demix.problems.common.opening import open_problem
from demix.specs.base import parse
from demix.specs.datasets import dataset_from
from demix.specs.run import RunSpec
from demix.support.building import build
from demix.support.codes import read_codes
from demix.support.errors import ConfigError
from demix.support.files import write_json
from demix.training.job import train_job
from demix_render.container import encode, write_shard

DOTS = {"kind": "dots:DotsSpec", "count": 20}


def card_of(folder):
    return json.loads((folder / "card.json").read_text())


def command(*arguments):
    helpers = str(ROOT / "tests/helpers")
    environ = environment(ROOT)
    environ["PYTHONPATH"] += f":{helpers}"
    line = [sys.executable, "-m", "demix.obtain_data", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, env=environ)


def test_a_made_data_set_is_written_and_its_card_is_shown(tmp_path):
    spec = json.dumps({"kind": "kitti_stand_in", "sequences": 3, "frames": 5})
    result = command("--spec", spec, "--key", "abc", "--attempt", 2, "--out", tmp_path / "data")
    assert result.returncode == 0, result.stderr
    assert "available: True" in result.stdout
    card = card_of(tmp_path / "data")
    assert (card["key"], card["attempt"], card["counts"]["sequences"]) == ("abc", 2, 3)


def test_a_data_set_of_a_users_own_needs_one_class_beside_its_spec(tmp_path):
    result = command("--spec", json.dumps(DOTS), "--out", tmp_path / "data")
    assert result.returncode == 0, result.stderr
    spec = dataset_from(DOTS, "data")
    opened = open_images(tmp_path / "data")
    assert opened.images["train"].shape == (20, 16, 16, 1)
    assert opened.known["train"]["factors"].shape == (20, 2)
    content = {
        "problem": {"kind": "images", "data": DOTS, "pairs": {"kind": "matched"}, "evaluation_samples": 20},
        "model": {
            "encoder": {"kind": "conv", "channels": [4, 4], "features": 8},
            "output": "box",
            "objective": {"kind": "lp_infonce", "exponent": 2},
        },
        "training": {"steps": 2, "batch_size": 6},
    }
    run = parse(RunSpec, content, "run")
    assert run.problem.data == spec
    train_job(run, 0, tmp_path / "data/card.json", tmp_path / "seed0", "dots", "key", "cpu")
    (found,) = read_codes(tmp_path / "seed0/codes.npz").values()
    assert found.codes.shape == found.known["factors"].shape == (20, 2)
    assert set(found.known) == {"factors", "labels"}


def rendered(tmp_path, spec):
    """Shards of a data set, as the renderer would write them."""
    files = []
    for shard in shards(spec):
        latents = build(spec).latents(shard.split)[shard.first : shard.first + shard.count]
        about = {"size": spec.pixels, "samples": spec.samples_a_pixel, "hue_mode": spec.hue_mode}
        about |= {"z_scale": spec.z_scale, "blender": "4.5.15", "device": "CPU: none"}
        files.append(tmp_path / f"{shard.name}.parquet")
        write_shard(files[-1], shard.first, latents, [encode(image) for image in drawn(latents, spec.pixels)], about)
    return files


def test_shards_are_packed_with_the_latents_that_vary(tmp_path):
    spec = spec_of(train=1030, held={"x": 0.5})
    files = rendered(tmp_path, spec)
    assert [file.stem for file in files] == ["train-000000", "train-001000", "test-000000"]
    provide(spec, tmp_path / "data", "key", shards=files)
    card, opened = card_of(tmp_path / "data"), open_images(tmp_path / "data")
    assert card["counts"] == {"train": 1030, "test": 24}
    assert card["statistics"]["made_by"] == {"blender": ["4.5.15"], "device": ["CPU: none"]}
    assert card["statistics"]["held"] == {"x": 0.5}
    latents = build(spec).latents("train")
    assert np.array_equal(opened.known["train"]["factors"], latents[:, 1:])
    assert np.array_equal(opened.images["train"], drawn(latents, 16))


def test_shards_of_other_images_leave_a_card_that_names_them(tmp_path):
    files = rendered(tmp_path, spec_of(seed=1))
    provide(spec_of(), tmp_path / "data", "key", shards=files)
    card = card_of(tmp_path / "data")
    assert not card["available"]
    assert "train-000000.parquet: has other latents than those that were drawn; delete it" in card["reason"]


def test_without_an_environment_to_render_in_the_card_says_why(tmp_path):
    write_json(tmp_path / "renderer.json", {"available": False, "reason": "no Blender", "remedy": "get it"})
    provide(spec_of(), tmp_path / "data", "key", 3, renderer=tmp_path / "renderer.json")
    card = card_of(tmp_path / "data")
    assert (card["available"], card["reason"], card["remedy"], card["attempt"]) == (False, "no Blender", "get it", 3)


def test_a_wrong_kind_is_named_with_the_nearest():
    with pytest.raises(ConfigError, match=r"--spec\.data: unknown kind 'kitty_masks' \(did you mean 'kitti_masks'\?\)"):
        dataset_from({"kind": "kitty_masks"}, "--spec")


def test_an_opened_problem_has_the_data_of_its_card(tmp_path):
    spec = dataset_from(DOTS, "data")
    provide(spec, tmp_path)
    problem = {"kind": "images", "data": DOTS, "pairs": "matched", "normalization": "own"}
    made = open_problem(parse(RunSpec, {"problem": problem}, "run").problem, tmp_path / "card.json", 0)
    assert made.batch(4).anchor.shape == (4, 1, 16, 16)
