"""Shards of images: the same bytes whatever happens to the process, and what is damaged is noticed."""

import hashlib
import os
import signal
import subprocess
import time

import numpy as np
import pytest
from renderer import ROOT, command, inside, render, save_latents

from demix.datasets.common.packing import ShardReader
from demix.datasets.common.shards import decoded, read_shard
from demix.specs.datasets.threedident import RenderedThreeDIdentSpec
from demix.support.errors import DataError
from demix_render.journal import Journal
from demix_render.shard import few_processors

TINY = ("--size", 32, "--samples", 2)
COUNT = 12


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Latents, and a shard that nothing disturbed."""
    folder = tmp_path_factory.mktemp("shards")
    np.save(folder / "latents.npy", np.random.default_rng(0).uniform(-1, 1, (COUNT + 4, 10)).astype(np.float32))
    render(folder / "latents.npy", folder / "whole.parquet", "--count", COUNT, *TINY)
    return folder


def test_a_shard_has_its_images_and_says_how_they_were_made(folder):
    shard = read_shard(folder / "whole.parquet")
    assert (shard.first, len(shard.images)) == (0, COUNT)
    assert np.array_equal(shard.latents, np.load(folder / "latents.npy")[:COUNT])
    assert decoded(shard.images).shape == (COUNT, 32, 32, 3)
    assert all(b"tIME" not in image and b"tEXt" not in image for image in shard.images)
    device = shard.about.pop("device")
    assert device.startswith("CPU: ")
    assert shard.about == shard.about | {"blender": "4.5.15", "hue_mode": "published", "samples": 2, "z_scale": 3.0}
    assert not list(folder.glob("*.journal"))


def test_two_threads_make_the_same_file(folder):
    result = render(folder / "latents.npy", folder / "two.parquet", "--count", COUNT, "--threads", 2, *TINY)
    assert digest(folder / "two.parquet") == digest(folder / "whole.parquet")
    assert "images/s" in result.stderr
    assert result.stdout == ""  # what Blender prints about every image goes nowhere


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system has no such call")
def test_blender_is_loaded_where_it_sees_as_many_processors_as_threads_are_wanted():
    before = os.sched_getaffinity(0)
    with few_processors(1):
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_a_killed_shard_goes_on_and_ends_with_the_same_file(folder):
    out, journal = folder / "killed.parquet", folder / "killed.parquet.journal"
    line, environ = command(folder / "latents.npy", out, "--count", COUNT, *TINY)
    process = subprocess.Popen(line, env=environ, stderr=subprocess.DEVNULL)
    while process.poll() is None and not (journal.exists() and journal.stat().st_size > 5000):
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.returncode == -signal.SIGKILL
    assert not out.exists()
    with open(journal, "ab") as file:
        file.write(b"half an image")
    result = render(folder / "latents.npy", out, "--count", COUNT, *TINY)
    assert "damaged after" in result.stderr
    assert f"of {COUNT} images" in result.stderr
    assert digest(out) == digest(folder / "whole.parquet")


def test_the_noise_belongs_to_the_index_and_not_to_the_shard(folder):
    render(folder / "latents.npy", folder / "later.parquet", "--first", 8, "--count", 4, *TINY)
    later, whole = read_shard(folder / "later.parquet"), read_shard(folder / "whole.parquet")
    assert later.first == 8
    assert later.images == whole.images[8:12]


def test_images_of_one_scene_differ_in_their_noise(tmp_path):
    latents = save_latents(tmp_path / "latents.npy", [{}, {}])
    render(latents, tmp_path / "shard.parquet", *TINY)
    first, second = decoded(read_shard(tmp_path / "shard.parquet").images).astype(int)
    assert np.abs(first - second).mean() > 0.1


def test_the_program_for_a_blender_executable_takes_what_follows_two_dashes(folder):
    (python, *_), environ = command(folder / "latents.npy", "unused")
    options = ["--latents", folder / "latents.npy", "--count", COUNT, "--out", folder / "inside.parquet", *TINY]
    line = [python, ROOT / "src/demix_render/in_blender.py", "--background", "--", *options]
    environ.pop("PYTHONPATH")
    subprocess.run(list(map(str, line)), env=environ, check=True, capture_output=True)
    assert digest(folder / "inside.parquet") == digest(folder / "whole.parquet")


def filled(path, identity=None):
    journal = Journal(path, identity or {"size": 8})
    for number in range(3):
        journal.append(bytes([number]) * 100)
    journal.close()
    return path


def test_a_journal_keeps_what_is_whole_and_cuts_off_the_rest(tmp_path):
    path = filled(tmp_path / "journal")
    whole = path.read_bytes()
    for content, kept in (
        (whole[:-1], 2),  # cut off
        (whole[:-1] + b"x", 2),  # another byte in the last image
        (whole[:60] + b"x" + whole[61:], 0),  # and in the first
        (whole + b"\0" * 200, 3),
    ):
        path.write_bytes(content)
        journal = Journal(path, {"size": 8})
        assert journal.images == [bytes([number]) * 100 for number in range(kept)]
        assert journal.damage == f"damaged after {kept} images"
        for number in range(kept, 3):
            journal.append(bytes([number]) * 100)
        journal.close()
        assert path.read_bytes() == whole


def test_a_journal_of_other_images_is_begun_anew(tmp_path):
    path = filled(tmp_path / "journal")
    journal = Journal(path, {"size": 16})
    assert (journal.images, journal.damage) == ([], "of other images")


def test_damage_and_other_images_are_refused_with_the_file_and_the_remedy(folder, tmp_path):
    content = bytearray((folder / "whole.parquet").read_bytes())
    for place in (len(content) // 2, len(content) - 20):
        damaged = bytearray(content)
        damaged[place] ^= 1
        (tmp_path / "damaged.parquet").write_bytes(damaged)
        with pytest.raises(DataError, match=r"damaged\.parquet: .*delete it to have it rendered again"):
            read_shard(tmp_path / "damaged.parquet")
    latents = np.load(folder / "latents.npy")[:COUNT]
    other = RenderedThreeDIdentSpec(preset="smoke", size=32, samples=2, hue_mode="corrected")
    with pytest.raises(DataError, match="made with hue_mode published, not corrected"):
        list(ShardReader(other).chunks([folder / "whole.parquet"], latents))
    spec = RenderedThreeDIdentSpec(preset="smoke", size=32, samples=2)
    with pytest.raises(DataError, match="other latents"):
        list(ShardReader(spec).chunks([folder / "whole.parquet"], latents[::-1]))


def test_bad_input_is_one_line(folder, tmp_path):
    latents = save_latents(tmp_path / "latents.npy", [{0: 2.0}])
    for options, message in (
        ((folder / "latents.npy", tmp_path / "a.parquet", "--count", 99), "latents.npy has 16 rows"),
        ((latents, tmp_path / "a.parquet"), "out of [-1, 1]"),
        ((folder / "none.npy", tmp_path / "a.parquet"), "not readable"),
        ((folder / "latents.npy", tmp_path / "a.parquet", "--size", 2), "need --size >= 8"),
    ):
        result = render(*options, check=False)
        assert result.returncode == 1
        assert message in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_a_kind_of_gpu_that_is_not_there_is_one_line():
    error = inside(
        "from demix_render.blender import choose_device\n"
        "try:\n    result = choose_device('nonsense')\nexcept ValueError as error:\n    result = str(error)"
    )
    assert error == "device: this Blender has no kind of GPU 'nonsense'"
