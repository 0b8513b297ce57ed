"""Files that are damaged are named."""

import pytest

from demix.support.errors import DataError
from demix.support.files import read_arrays, read_json, read_parquet


@pytest.mark.parametrize(
    ("reader", "name"), [(read_parquet, "a.parquet"), (read_json, "a.json"), (read_arrays, "a.npz")]
)
def test_a_truncated_file_is_named_in_one_line(tmp_path, reader, name):
    path = tmp_path / name
    path.write_bytes(b"PAR1{PK")
    with pytest.raises(DataError, match=name) as error:
        reader(path)
    assert "\n" not in str(error.value)
