"""Folders of images: what is written, what is refused, what a card says."""

import json

import numpy as np
import pytest
from image_data import chunks, conversion, drawn, made_folder, spec_of

from demix.datasets.common.conversion import Conversion, Split
from demix.datasets.common.folder import write_data
from demix.datasets.common.images import open_images
from demix.support.building import build
from demix.support.errors import DataError


def test_a_folder_holds_what_was_written_in_chunks_of_any_size(tmp_path):
    spec = spec_of()
    opened = open_images(made_folder(tmp_path / "one", spec))
    assert isinstance(opened.images["train"], np.memmap)
    assert opened.images["train"].shape == (60, 16, 16, 3)
    for split in ("train", "test"):
        latents = build(spec).latents(split)
        assert np.array_equal(opened.known[split]["factors"], latents)
        assert np.array_equal(opened.images[split], drawn(latents, 16))
    write_data(tmp_path / "other", spec, "key", conversion(spec, step=7))
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == [
        "card.json", "images.json", "test_factors.npy", "test_images.npy", "train_factors.npy", "train_images.npy"
    ]  # fmt: skip
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_the_card_has_counts_and_the_mean_of_the_images_own_deviations(tmp_path):
    made_folder(tmp_path, spec_of())
    card = json.loads((tmp_path / "card.json").read_text())
    assert card["counts"] == {"train": 60, "test": 24}
    facts = card["statistics"]
    assert (facts["channels"], facts["height"], facts["width"]) == (3, 16, 16)
    assert facts["source"] == "threedident"
    opened = open_images(tmp_path)
    assert (list(opened.mean), list(opened.std)) == (facts["mean"], facts["std"])
    values = np.asarray(opened.images["train"], np.float64) / 255
    assert np.allclose(facts["mean"], values.mean(axis=(0, 1, 2)), atol=1e-4)
    assert np.allclose(facts["std"], values.std(axis=(1, 2)).mean(axis=0), atol=1e-4)
    assert not np.allclose(facts["std"], values.std(axis=(0, 1, 2)), atol=1e-3)


def changed(images=lambda part: part, factors=lambda z: z, drop=0):
    """Chunks of the split to train on, otherwise than they should be."""
    parts = list(chunks(spec_of(), "train"))
    return [(images(part), {"factors": factors(known["factors"])}) for part, known in parts[: len(parts) - drop]]


@pytest.mark.parametrize(
    ("train", "complaint"),
    [
        (changed(drop=1), "50 images, but there should be 60"),
        (changed() + changed(), "more than the 60 images"),
        (changed(images=lambda part: part[:, :8]), r"not uint8 \(n, 16, 16, 3\)"),
        (changed(factors=lambda z: z[:, :8]), r"factors of shape \(25, 8\), not \(25, 10\)"),
        (changed(factors=lambda z: z * np.nan), "factors are not finite"),
        (changed(factors=lambda z: z[:3]), "3 factors of 25 images"),
        ([(part, {}) for part, _ in changed()], "no factors, but the spec says that they are known"),
    ],
)
def test_images_that_do_not_fit_the_spec_are_refused_and_leave_no_card(tmp_path, train, complaint):
    splits = {"train": Split(60, train), "test": Split(24, chunks(spec_of(), "test"))}
    with pytest.raises(DataError, match=complaint):
        write_data(tmp_path, spec_of(), "key", Conversion(splits))
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_folder_is_named(tmp_path):
    made_folder(tmp_path, spec_of())
    whole = (tmp_path / "test_factors.npy").read_bytes()
    np.save(tmp_path / "test_factors.npy", np.zeros((3, 10), np.float32))
    with pytest.raises(DataError, match="do not fit each other"):
        open_images(tmp_path)
    (tmp_path / "test_factors.npy").write_bytes(whole[:-8])
    with pytest.raises(DataError, match=r"test_factors\.npy: not readable"):
        open_images(tmp_path)
    (tmp_path / "images.json").write_text("{")
    with pytest.raises(DataError, match=r"images\.json: not readable"):
        open_images(tmp_path)
