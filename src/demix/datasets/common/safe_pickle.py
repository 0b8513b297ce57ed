"""Reading a pickle that was made elsewhere: arrays, lists, dicts, numbers and text come out, nothing else is called."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from demix.support.errors import DataError


def _latin1(text: str, encoding: str) -> bytes:
    """What pickles of protocol 2 do with bytes."""
    if encoding != "latin1":
        raise pickle.UnpicklingError(f"encoding {encoding!r} is not allowed")
    return text.encode("latin1")


def _empty_bytes() -> bytes:
    """What they do with the bytes of an empty array."""
    return b""


def _from_buffer(buffer: Any, dtype: Any, shape: Any, order: Any) -> np.ndarray:
    """What pickles of protocol 5 do with contiguous arrays."""
    return np.frombuffer(buffer, dtype=dtype).reshape(shape, order=order)


def _allowed() -> dict[tuple[str, str], Callable]:
    reconstruct: Any = np.ndarray(0).__reduce__()[0]
    names: dict[tuple[str, str], Callable] = {("numpy", "ndarray"): np.ndarray, ("numpy", "dtype"): np.dtype}
    for core in ("numpy.core", "numpy._core"):  # before and since numpy 2
        names[f"{core}.multiarray", "_reconstruct"] = reconstruct
        names[f"{core}.numeric", "_frombuffer"] = _from_buffer
    return names | {("_codecs", "encode"): _latin1, ("__builtin__", "bytes"): _empty_bytes}


ALLOWED = _allowed()
"""All that such a pickle may name: what numpy's own arrays are made with."""


class _ArraysOnly(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in ALLOWED:
            raise pickle.UnpicklingError(f"it wants to call {module}.{name}")
        return ALLOWED[module, name]


def load_arrays(path: Path) -> Any:
    """The content of a pickle of plain arrays, lists, tuples, dicts, numbers and text.

    Raises:
        DataError: it wants to call something else, is cut off, or is no pickle. Nothing it names was called.
    """
    try:
        with open(path, "rb") as file:
            return _ArraysOnly(file).load()
    except pickle.UnpicklingError as error:
        if "truncated" in str(error):
            raise DataError(f"{path.name} is cut off ({error})") from None
        raise DataError(f"{path.name} is refused: {error}; only arrays and lists are read") from None
    except EOFError:
        raise DataError(f"{path.name} is cut off") from None
    except OSError as error:
        raise DataError(f"{path}: not readable ({error.strerror})") from None
    except Exception as error:  # a damaged pickle can fail in any way
        raise DataError(f"{path.name} is damaged ({type(error).__name__}: {error})") from None
