"""Where the images of 3DIdent come from, as data."""

import pytest

from demix.specs.base import parse
from demix.specs.datasets.threedident import RenderedThreeDIdentSpec
from demix.specs.datasets.threedident_archives import ThreeDIdentArchivesSpec
from demix.specs.datasets.threedident_folder import ThreeDIdentFolderSpec
from demix.specs.sources.threedident import ThreeDIdentSourceSpec
from demix.support.errors import ConfigError


def test_the_source_decides_which_data_stands_for_rendered_images():
    rendered = RenderedThreeDIdentSpec(preset="fast", size=64, train=2000, held={"x": 0})
    assert ThreeDIdentSourceSpec().chosen(rendered) is rendered
    download = ThreeDIdentSourceSpec(source="download")
    archives = download.chosen(rendered)
    assert archives == ThreeDIdentArchivesSpec(train=2000, test=25_000, size=64)
    assert [file.name for file in archives.files] == ["3dident_train.tar", "3dident_test.tar"]
    assert all(file.name in download.urls_of(file)[0] for file in archives.files)
    other = ThreeDIdentSourceSpec(source="download", md5={"test": "0" * 32}).chosen(rendered)
    assert [file.md5 for file in other.files] == [archives.train_md5, "0" * 32]
    folder = ThreeDIdentSourceSpec(source="local", path="/data/3dident").chosen(rendered)
    assert folder == ThreeDIdentFolderSpec(path="/data/3dident", train=2000, test=25_000, size=64)
    assert len(folder.factors) == 10


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"path": "/data"}, "path goes with source local, got source=render and path=/data"),
        ({"source": "downlod"}, "'render', 'download' or 'local', got 'downlod'"),
    ],
)
def test_a_wrong_field_is_named(fields, complaint):
    with pytest.raises(ConfigError, match=complaint):
        parse(ThreeDIdentSourceSpec, fields, "datasets.threedident")
