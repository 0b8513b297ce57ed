"""A shard: one Parquet file with index, raw latents and pictures as PNG; the same bytes for the same pictures.

Its metadata (`demix`, JSON) says how the pictures were made, and has a digest of them all.
"""

import hashlib
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from PIL import Image

from demix_render.latents import NAMES

METADATA = b"demix"
PNG_LEVEL = 6
ROW_GROUP = 100


class ShardError(Exception):
    """A shard or its input is not what it should be; the message says which and why."""


def encode(picture: NDArray) -> bytes:
    """A picture (size, size, 3) uint8 as PNG, without a time stamp."""
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, format="PNG", compress_level=PNG_LEVEL)
    return stream.getvalue()


def decode(content: bytes) -> NDArray:
    """The picture (size, size, 3) uint8 in a PNG."""
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def digest_of(pictures: Sequence[bytes]) -> str:
    """Digest of pictures in order."""
    digest = hashlib.sha256()
    for picture in pictures:
        digest.update(hashlib.sha256(picture).digest())
    return digest.hexdigest()


def write_shard(path: Path, first: int, latents: NDArray, pictures: Sequence[bytes], about: Mapping[str, Any]) -> None:
    """Write a shard, whole or not at all.

    Args:
        path: of the file.
        first: index of the first picture in its split.
        latents: raw, (n, 10).
        pictures: as PNG.
        about: how they were made.
    """
    columns = {"index": pa.array(np.arange(first, first + len(pictures)))}
    columns |= {name: pa.array(latents[:, place].astype(np.float32)) for place, name in enumerate(NAMES)}
    columns["picture"] = pa.array(list(pictures), pa.binary())
    content = json.dumps({**about, "pictures": digest_of(pictures)}, sort_keys=True)
    table = pa.table(columns).replace_schema_metadata({METADATA: content.encode()})
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        # PNG does not shrink further, and random latents do not either
        pq.write_table(table, temporary, compression="NONE", row_group_size=ROW_GROUP, write_page_checksum=True)
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def read_shard(path: Path) -> tuple[NDArray, NDArray, list[bytes], dict[str, Any]]:
    """Index (n,), raw latents (n, 10) float32, pictures as PNG, and how they were made.

    Raises:
        ShardError: the file is missing or damaged.
    """
    try:
        table = pq.read_table(path, page_checksum_verification=True)
        about = json.loads((table.schema.metadata or {})[METADATA])
        pictures = table["picture"].to_pylist()
        latents = np.stack([table[name].to_numpy() for name in NAMES], axis=1)
        index = table["index"].to_numpy()
        whole = about["pictures"] == digest_of(pictures)
    except (OSError, ValueError, KeyError) as error:  # ArrowInvalid is a ValueError
        raise ShardError(f"{path}: no shard of pictures ({str(error).splitlines()[0]})") from None
    if not whole:
        raise ShardError(f"{path}: its pictures are damaged")
    return index, latents, pictures, about
