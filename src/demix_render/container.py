"""A shard: one Parquet file with index, raw latents and images as PNG; the same bytes for the same images.

Its metadata (`demix`, JSON) says how the images were made, and has a digest of them all.
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

from demix_render.scene import LATENT_NAMES

METADATA = b"demix"
PNG_LEVEL = 6
ROW_GROUP = 100


class ShardError(Exception):
    """A shard or its input is not what it should be; the message says which and why."""


def encode(image: NDArray) -> bytes:
    """An image (size, size, 3) uint8 as PNG, without a time stamp."""
    stream = io.BytesIO()
    Image.fromarray(image).save(stream, format="PNG", compress_level=PNG_LEVEL)
    return stream.getvalue()


def decode(content: bytes) -> NDArray:
    """The image (size, size, 3) uint8 in a PNG."""
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def digest_of(images: Sequence[bytes]) -> str:
    """Digest of images in order."""
    digest = hashlib.sha256()
    for image in images:
        digest.update(hashlib.sha256(image).digest())
    return digest.hexdigest()


def write_shard(path: Path, first: int, latents: NDArray, images: Sequence[bytes], about: Mapping[str, Any]) -> None:
    """Write a shard, whole or not at all.

    Args:
        path: of the file.
        first: index of the first image in its split.
        latents: raw, (n, 10).
        images: as PNG.
        about: how they were made.
    """
    columns = {"index": pa.array(np.arange(first, first + len(images)))}
    columns |= {name: pa.array(latents[:, place].astype(np.float32)) for place, name in enumerate(LATENT_NAMES)}
    columns["image"] = pa.array(list(images), pa.binary())
    content = json.dumps({**about, "images": digest_of(images)}, sort_keys=True)
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
    """Index (n,), raw latents (n, 10) float32, images as PNG, and how they were made.

    Raises:
        ShardError: the file is missing or damaged.
    """
    try:
        table = pq.read_table(path, page_checksum_verification=True)
        about = json.loads((table.schema.metadata or {})[METADATA])
        images = table["image"].to_pylist()
        latents = np.stack([table[name].to_numpy() for name in LATENT_NAMES], axis=1)
        index = table["index"].to_numpy()
        whole = about["images"] == digest_of(images)
    except (OSError, ValueError, KeyError) as error:  # ArrowInvalid is a ValueError
        raise ShardError(f"{path}: no shard of images ({str(error).splitlines()[0]})") from None
    if not whole:
        raise ShardError(f"{path}: its images are damaged")
    return index, latents, images, about
