"""Pickles of others: nothing but arrays is made from them."""

import pickle

import numpy as np
import pytest

from demix.datasets.common.safe_pickle import load_arrays
from demix.support.errors import DataError


@pytest.mark.parametrize(
    "content",
    [
        b"cbuiltins\neval\n(V1+1\ntR.",
        b"cnumpy\nfromfile\n(V/etc/passwd\ntR.",
        b"c_codecs\ndecode\n(V61\nVhex\ntR.",
        b"c_codecs\nencode\n(V61\nVhex\ntR.",  # the allowed name with another encoding
        b"cnumpy.core.multiarray\nscalar\n.",
        pickle.dumps([np.float64]),
    ],
)
def test_nothing_but_arrays_is_made_from_a_pickle(tmp_path, content):
    (tmp_path / "a.pickle").write_bytes(content)
    with pytest.raises(DataError, match=r"a\.pickle is refused: (it wants to call|encoding)"):
        load_arrays(tmp_path / "a.pickle")
