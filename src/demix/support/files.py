"""Files that are either whole or not there."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from demix.support.errors import DataError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, flushed to disk and renamed to it when the block ends without an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp{path.suffix}")
    try:
        yield temporary
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path: Path, content: Any) -> None:
    """Write indented JSON, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def read_json(path: Path) -> Any:
    """Read JSON.

    Raises:
        DataError: the file is missing or damaged.
    """
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise DataError(
            f"{path}: not readable as JSON ({_first_line(error)}); delete it to have it made again"
        ) from None


def read_parquet(path: Path) -> Any:
    """Read a parquet file as a pandas data frame.

    Raises:
        DataError: the file is missing or damaged.
    """
    import pandas as pd

    try:
        return pd.read_parquet(path)
    except (OSError, ValueError) as error:  # ArrowInvalid is a ValueError
        raise DataError(f"{path}: not a parquet file ({_first_line(error)}); delete it to have it made again") from None


def read_arrays(path: Path) -> dict[str, Any]:
    """Read all arrays of an npz file.

    Raises:
        DataError: the file is missing or damaged.
    """
    import zipfile

    import numpy as np

    try:
        with np.load(path, allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise DataError(f"{path}: not an npz file ({_first_line(error)}); delete it to have it made again") from None


def write_arrays(path: Path, **arrays: Any) -> None:
    """Write arrays to an npz file, whole or not at all."""
    import numpy as np

    with replacing(path) as temporary:
        np.savez(temporary, **arrays)


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
