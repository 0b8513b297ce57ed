"""Files that are whole or not there."""

import numpy as np
import pytest

from demix.support.errors import DataError
from demix.support.files import read_arrays, read_json, read_parquet, replacing, write_arrays, write_json


def test_a_block_that_fails_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "some.json"
    write_json(path, {"old": 1})

    def fail():
        with replacing(path) as temporary:
            temporary.write_text("half of it")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert read_json(path) == {"old": 1}
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_made_with_its_folders_and_nothing_else(tmp_path):
    path = tmp_path / "some" / "where" / "some.npz"
    write_arrays(path, a=np.arange(3))
    assert np.array_equal(read_arrays(path)["a"], np.arange(3))
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("read", [read_json, read_arrays, read_parquet])
@pytest.mark.parametrize("content", [None, b"", b"\x80no such format", b"PAR1{PK"])
def test_a_missing_or_damaged_file_is_named_with_what_to_do(tmp_path, read, content):
    path = tmp_path / "some.file"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DataError, match=r"some.file: not .* delete it to have it made again") as error:
        read(path)
    assert "\n" not in str(error.value)
