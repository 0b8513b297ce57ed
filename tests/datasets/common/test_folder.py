"""Folders of pictures: specs of the three sources, what is written, what is refused."""

import json

import numpy as np
import pytest
from demix.specs.pictures import LATENTS, DownloadedPictures, LocalPictures, RenderedPictures
from picture_data import chunks, drawn, fake_folder, spec_of

from demix.datasets.common.picture_folder import data_files, open_pictures, write_pictures
from demix.specs.base import parse
from demix.support.building import build
from demix.support.errors import ConfigError, DataError


def test_size_and_samples_are_those_of_the_preset_unless_given():
    assert (RenderedPictures().pixels, RenderedPictures().samples_a_pixel) == (224, 512)
    fast = RenderedPictures(preset="fast", size=64)
    assert (fast.pixels, fast.samples_a_pixel) == (64, 16)
    assert RenderedPictures(preset="smoke", samples=9).samples_a_pixel == 9
    assert DownloadedPictures().pixels == LocalPictures(path="here").pixels == 224
    assert RenderedPictures().counts() == {"train": 250_000, "test": 25_000}


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"held": {"hue": 0}}, "hue"),
        ({"held": {"x": 1.5}}, "less than or equal to 1, got 1.5"),
        ({"held": dict.fromkeys(LATENTS[:9], 0.0)}, "at least two of the 10 latents must vary, 9 are held"),
        ({"preset": "best"}, "'paper', 'fast' or 'smoke', got 'best'"),
        ({"sizes": 3}, "did you mean 'size'"),
    ],
)
def test_a_wrong_field_is_named_with_its_value(fields, complaint):
    with pytest.raises(ConfigError, match=r"problem\.data") as error:
        parse(RenderedPictures, fields, "problem.data")
    assert complaint in str(error.value)


def test_latents_are_uniform_or_held_and_the_first_ones_do_not_depend_on_their_number():
    many = build(spec_of(train=4000, held={"beta": 0.25, "x": -1})).latents("train")
    few = build(spec_of(train=10, held={"x": -1, "beta": 0.25})).latents("train")
    assert np.array_equal(many[:10], few)
    assert many.dtype == np.float32
    assert (many[:, 0] == -1).all()
    assert (many[:, 4] == 0.25).all()
    free = many[:, [LATENTS.index(name) for name in spec_of(held={"beta": 0, "x": 0}).free]]
    assert free.shape == (4000, 8)
    assert np.allclose(np.quantile(free, [0.25, 0.5, 0.75], axis=0), [[-0.5], [0], [0.5]], atol=0.06)
    assert not np.array_equal(few, build(spec_of(train=10)).latents("test")[:10])


def test_a_folder_holds_what_was_written_in_chunks_of_any_size(tmp_path):
    spec = spec_of()
    fake_folder(tmp_path, spec)
    opened = open_pictures(tmp_path)
    assert isinstance(opened.pictures["train"], np.memmap)
    assert opened.pictures["train"].shape == (60, 16, 16, 3)
    for split in ("train", "test"):
        latents = build(spec).latents(split)
        assert np.array_equal(opened.latents[split], latents)
        assert np.array_equal(opened.pictures[split], drawn(latents, 16))
    write_pictures(tmp_path / "other", spec, "key", {s: chunks(spec, s, step=7) for s in ("train", "test")}, {})
    for one, other in zip(data_files(tmp_path), data_files(tmp_path / "other"), strict=True):
        assert one.read_bytes() == other.read_bytes()
    cards = [json.loads((folder / "card.json").read_text()) for folder in (tmp_path, tmp_path / "other")]
    assert cards[0]["hash"] == cards[1]["hash"]


def test_the_card_has_counts_and_the_mean_of_the_pictures_own_deviations(tmp_path):
    fake_folder(tmp_path, spec_of())
    card = json.loads((tmp_path / "card.json").read_text())
    assert card["counts"] == {"train": 60, "test": 24}
    assert card["statistics"]["size"] == 16
    assert card["statistics"]["source"] == "rendered_pictures"
    assert card["statistics"]["preset"] == "smoke"
    values = np.asarray(open_pictures(tmp_path).pictures["train"], np.float64) / 255
    assert np.allclose(card["statistics"]["mean"], values.mean(axis=(0, 1, 2)), atol=1e-4)
    assert np.allclose(card["statistics"]["std"], values.std(axis=(1, 2)).mean(axis=0), atol=1e-4)
    assert not np.allclose(card["statistics"]["std"], values.std(axis=(0, 1, 2)), atol=1e-3)


def test_chunks_that_do_not_fit_the_spec_are_refused_and_leave_no_card(tmp_path):
    spec = spec_of()
    test = list(chunks(spec, "test"))
    for train, complaint in (
        (list(chunks(spec, "train"))[:-1], "50 pictures, but there should be 60"),
        ([*chunks(spec, "train"), *test], "more than the 60 pictures"),
        ([(part[:, :8], z) for part, z in chunks(spec, "train")], r"not uint8 \(n, 16, 16, 3\)"),
        ([(part, 2 * z) for part, z in chunks(spec, "train")], r"within \[-1, 1\]"),
    ):
        with pytest.raises(DataError, match=complaint):
            write_pictures(tmp_path, spec, "key", {"train": train, "test": test}, {})
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_folder_is_named(tmp_path):
    fake_folder(tmp_path, spec_of())
    whole = (tmp_path / "test_latents.npy").read_bytes()
    np.save(tmp_path / "test_latents.npy", np.zeros((3, 10), np.float32))
    with pytest.raises(DataError, match="do not fit each other"):
        open_pictures(tmp_path)
    (tmp_path / "test_latents.npy").write_bytes(whole[:-8])
    with pytest.raises(DataError, match=r"test_latents\.npy: not readable"):
        open_pictures(tmp_path)
