"""The record of codes: what is written is read, sets that come later lie beside, damage is named."""

import numpy as np
import pytest

from demix.support.codes import FILE, CodedSet, read_codes, set_file, write_codes
from demix.support.errors import DataError
from demix.support.files import write_arrays

CODES = np.arange(6.0).reshape(3, 2)


def same(one, other):
    assert one.keys() == other.keys()
    for name, coded in one.items():
        if coded.codes is None:
            assert other[name].codes is None
        else:
            assert np.array_equal(coded.codes, other[name].codes)
        assert coded.known.keys() == other[name].known.keys()
        assert all(np.array_equal(values, other[name].known[what]) for what, values in coded.known.items())
        assert dict(coded.scores) == dict(other[name].scores)


def test_what_is_written_is_read(tmp_path):
    sets = {
        "marginal": CodedSet(CODES, {"factors": CODES[:, :1], "labels": np.array([1, 2, 3])}),
        "test": CodedSet(CODES + 1, {"frames": np.array([4, 5, 6])}, {"r2(held_out=true)": 0.25}),
        "raw": CodedSet(None, {}, {"r2": 0.5}),
    }
    write_codes(tmp_path / FILE, sets)
    same(read_codes(tmp_path / FILE), sets)


def test_the_arrays_have_the_names_of_sets_and_of_what_they_hold(tmp_path):
    write_codes(tmp_path / FILE, {"marginal": CodedSet(CODES, {"factors": CODES}, {"mcc": 1.0})})
    with np.load(tmp_path / FILE) as arrays:
        assert set(arrays) == {"marginal/codes", "marginal/factors", "marginal/score/mcc"}


def test_sets_of_later_files_are_added(tmp_path):
    write_codes(tmp_path / FILE, {"test": CodedSet(CODES)})
    later = tmp_path / set_file("held_out", "12345678")
    assert later == tmp_path / "sets/held_out-12345678.npz"
    write_codes(later, {"held_out": CodedSet(CODES + 1)})
    assert set(read_codes(tmp_path / FILE, later)) == {"test", "held_out"}


def test_an_array_of_no_set_is_named(tmp_path):
    write_arrays(tmp_path / FILE, codes=CODES)
    with pytest.raises(DataError, match=r"codes.npz: 'codes' belongs to no evaluation set; delete it"):
        read_codes(tmp_path / FILE)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match=r"codes.npz: not an npz file"):
        read_codes(tmp_path / FILE)
