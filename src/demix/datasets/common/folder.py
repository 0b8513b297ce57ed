"""Writing a data set: arrays that can be mapped into memory, their index and, last of all, the card.

Writing never holds all images in memory. The form is described in `demix.datasets.common.images`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from demix.datasets.common.card import write_available
from demix.datasets.common.conversion import Conversion, Split
from demix.datasets.common.images import IMAGES, INDEX, LENGTHS, TRAIN, array_file
from demix.datasets.common.moments import Moments
from demix.specs.datasets import DatasetSpec
from demix.support.errors import DataError
from demix.support.files import replacing


def write_data(folder: Path, spec: DatasetSpec, key: str, conversion: Conversion, attempt: int = 1) -> None:
    """Write what a conversion gives, and its card.

    Args:
        folder: for the data.
        spec: says how large images are and what is known of them.
        key: digest of what decides the content, for the record.
        conversion: its splits are used up.
        attempt: which attempt this was.

    Raises:
        DataError: images or factors have another shape than the spec says, or are too many or too few.
    """
    moments = Moments(conversion.white)
    names, files = {}, []
    for split, content in conversion.splits.items():
        arrays = _write_split(folder, spec, split, content, moments if split == TRAIN else None)
        names[split] = sorted(arrays)
        files += [array_file(folder, split, name) for name in (IMAGES, *names[split])]
    facts: dict[str, Any] = {}
    if conversion.splits:
        sequences = [split for split, content in conversion.splits.items() if content.lengths is not None]
        files += [array_file(folder, split, LENGTHS) for split in sequences]
        index = {"splits": names, LENGTHS: sequences, "white": conversion.white, **moments.summary()}
        with replacing(folder / INDEX) as temporary:
            temporary.write_text(json.dumps(index, indent=2) + "\n")
        files.append(folder / INDEX)
        facts = dict(zip(("channels", "height", "width"), spec.shape, strict=True)) | moments.summary()
        facts["source"] = spec.kind
    counts = {split: content.count for split, content in conversion.splits.items()} | dict(conversion.counts)
    write_available(folder, spec, key, [*files, *conversion.files], counts, facts | dict(conversion.facts), attempt)


def _write_split(
    folder: Path, spec: DatasetSpec, split: str, content: Split, moments: Moments | None
) -> Mapping[str, NDArray]:
    """Write the arrays of a split; what is known of its images by name.

    Args:
        moments: takes the images in, if the data set's own mean and std are needed.
    """
    channels, height, width = spec.shape
    parts: dict[str, list[NDArray]] = {}
    done = 0
    with replacing(array_file(folder, split, IMAGES)) as temporary:
        shape = (content.count, height, width, channels)
        images = open_memmap(temporary, mode="w+", dtype=np.uint8, shape=shape)
        for some, known in content.chunks:
            _check(some, known, spec, split)
            if done + len(some) > content.count:
                raise DataError(f"{split}: more than the {content.count:,} images that there should be")
            images[done : done + len(some)] = some
            for name, values in known.items():
                parts.setdefault(name, []).append(np.asarray(values, np.float32 if name == "factors" else None))
            if moments is not None:
                moments.add(some)
            done += len(some)
        if done < content.count:
            raise DataError(f"{split}: {done:,} images, but there should be {content.count:,}")
        images.flush()
        del images
    arrays = {name: np.concatenate(values) for name, values in parts.items()}
    lengths = {} if content.lengths is None else {LENGTHS: np.asarray(content.lengths, np.int64)}
    for name, array in (arrays | lengths).items():
        with replacing(array_file(folder, split, name)) as temporary:
            np.save(temporary, array, allow_pickle=False)
    return arrays


def _check(images: NDArray, known: Mapping[str, NDArray], spec: DatasetSpec, split: str) -> None:
    """Refuse images and factors that are not what the spec says."""
    channels, height, width = spec.shape
    if images.dtype != np.uint8 or images.shape[1:] != (height, width, channels):
        wanted = f"uint8 (n, {height}, {width}, {channels})"
        raise DataError(f"{split}: images of {images.dtype} {images.shape}, not {wanted}")
    for name, values in known.items():
        if len(values) != len(images):
            raise DataError(f"{split}: {len(values)} {name} of {len(images)} images")
    missing = [name for name in spec.known if name not in known]
    if missing:
        raise DataError(f"{split}: no {', '.join(missing)}, but the spec says that they are known")
    factors = known.get("factors")
    if factors is None:
        return
    if factors.shape[1:] != (len(spec.factors),):
        raise DataError(f"{split}: factors of shape {factors.shape}, not ({len(images)}, {len(spec.factors)})")
    if not np.isfinite(factors).all():
        raise DataError(f"{split}: factors are not finite")
