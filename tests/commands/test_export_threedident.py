"""Pictures in the published layout and back."""

import numpy as np
import pytest
from demix.specs.pictures import LocalPictures
from picture_data import fake_folder, spec_of

from demix.datasets.common.picture_folder import open_pictures
from demix.export_pictures import export
from demix.unpack_pictures import unpack


def test_exported_pictures_come_back_as_they_were(tmp_path):
    spec = spec_of(train=60, test=24)
    before = open_pictures(fake_folder(tmp_path / "packed", spec))
    export(tmp_path / "packed", tmp_path / "3dident")
    assert sorted(path.name for path in (tmp_path / "3dident/test/images").iterdir())[-1] == "23.png"
    local = LocalPictures(path=str(tmp_path / "3dident"), train=60, test=24, size=spec.pixels)
    unpack(local, [], tmp_path / "again")
    after = open_pictures(tmp_path / "again")
    for split in ("train", "test"):
        assert np.array_equal(before.pictures[split], after.pictures[split])
        assert np.array_equal(before.latents[split], after.latents[split])


def test_exported_latents_are_in_rendering_units_too(tmp_path):
    fake_folder(tmp_path / "packed", spec_of(train=30, test=24))
    export(tmp_path / "packed", tmp_path / "3dident")
    raw, units = (np.load(tmp_path / f"3dident/train/{name}.npy") for name in ("raw_latents", "latents"))
    assert units == pytest.approx(raw * np.array([3, 3, 3, *[np.pi / 2] * 7]), abs=1e-6)
