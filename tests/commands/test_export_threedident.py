"""Images in the published layout and back."""

import numpy as np
import pytest
from image_data import made_folder, spec_of

from demix.datasets.common.images import open_images
from demix.export_threedident import export
from demix.obtain_data import provide
from demix.specs.datasets.kitti_stand_in import KittiStandInSpec
from demix.specs.datasets.threedident_folder import ThreeDIdentFolderSpec
from demix.support.errors import DataError


def test_exported_images_come_back_as_they_were(tmp_path):
    spec = spec_of()
    before = open_images(made_folder(tmp_path / "packed", spec))
    export(tmp_path / "packed", tmp_path / "3dident")
    assert sorted(path.name for path in (tmp_path / "3dident/test/images").iterdir())[-1] == "23.png"
    provide(ThreeDIdentFolderSpec(path=str(tmp_path / "3dident"), train=60, test=24, size=16), tmp_path / "again")
    after = open_images(tmp_path / "again")
    for split in ("train", "test"):
        assert np.array_equal(before.images[split], after.images[split])
        assert np.array_equal(before.known[split]["factors"], after.known[split]["factors"])


def test_exported_latents_are_all_ten_and_in_rendering_units_too(tmp_path):
    made_folder(tmp_path / "packed", spec_of(train=30, held={"x": 0.5}))
    export(tmp_path / "packed", tmp_path / "3dident")
    raw, units = (np.load(tmp_path / f"3dident/train/{name}.npy") for name in ("raw_latents", "latents"))
    assert (raw[:, 0] == 0.5).all()
    assert units == pytest.approx(raw * np.array([3, 3, 3, *[np.pi / 2] * 7]), abs=1e-6)


def test_other_data_sets_have_no_such_layout(tmp_path):
    provide(KittiStandInSpec(sequences=2, frames=5), tmp_path / "masks")
    with pytest.raises(DataError, match="a data set of kind kitti_stand_in is not 3DIdent"):
        export(tmp_path / "masks", tmp_path / "3dident")
