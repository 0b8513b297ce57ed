"""Images for tests, made without a renderer, and the folders that hold them."""

import io
import tarfile

import numpy as np
from PIL import Image

from demix.datasets.common.conversion import Conversion, Inputs, Split, whole
from demix.datasets.common.folder import write_data
from demix.specs.datasets.common.masks import SIZE
from demix.specs.datasets.common.threedident import LATENTS, SPLITS
from demix.specs.datasets.kitti_stand_in import KittiStandInSpec
from demix.specs.datasets.threedident import RenderedThreeDIdentSpec
from demix.support.building import build


def drawn(latents, size):
    """Images (n, size, size, 3) uint8 of raw latents (n, 10): a disc, whose place, size and colours depend on them."""
    z = dict(zip(LATENTS, latents.T[:, :, None, None], strict=True))
    row, column = np.meshgrid(*2 * [np.linspace(-1.5, 1.5, size)], indexing="ij")
    distance = np.hypot(row - z["z"], column - z["y"])
    disc = distance < 0.35 + 0.15 * z["x"] + 0.05 * z["alpha"]
    ring = np.hypot(row - z["beta"] / 3, column - z["spot"]) < 0.8 + 0.1 * z["gamma"]
    hues = [z["hue_object"], z["hue_spot"], z["hue_ground"]]
    red = np.where(disc, 200, 90 + 40 * ring)
    green = np.where(disc, 60 + 50 * hues[0], 80 + 40 * ring * (1 + hues[1]) / 2 + 25 * hues[2])
    blue = np.where(disc, 60 - 50 * hues[0], 80 - 25 * hues[2] + 0 * row)
    return np.stack(np.broadcast_arrays(red, green, blue), axis=-1).clip(0, 255).astype(np.uint8)


def spec_of(train=60, test=24, size=16, **fields):
    """A data set of 3DIdent, as if it were rendered."""
    return RenderedThreeDIdentSpec(preset="smoke", train=train, test=test, size=size, **fields)


def chunks(spec, split, step=25):
    """Images of a split with the factors that vary, some at a time."""
    latents = build(spec).latents(split)
    columns = [LATENTS.index(name) for name in spec.factors]
    for first in range(0, len(latents), step):
        part = latents[first : first + step]
        yield drawn(part, spec.pixels), {"factors": part[:, columns]}


def conversion(spec, step=25):
    """All images of a data set, on their way to disk."""
    return Conversion({split: Split(spec.shards[split], chunks(spec, split, step)) for split in SPLITS})


def made_folder(folder, spec, key="key"):
    """A folder of made images, as the step that packs shards leaves it."""
    write_data(folder, spec, key, conversion(spec))
    return folder


def stand_in_folder(folder, spec):
    """A folder of the stand-in of KITTI Masks."""
    write_data(folder, spec, "key", build(spec).convert(Inputs(folder)))
    return folder


MASKS = KittiStandInSpec()
"""Names a data set of masks, whatever is in it."""


def numbered_folder(folder, lengths):
    """Sequences of masks whose frames can be told apart: frame i has the bits of i in its first row."""
    count = sum(lengths)
    frames = np.zeros((count, SIZE, SIZE, 1), np.uint8)
    frames[:, 0, :16, 0] = (np.arange(count)[:, None] >> np.arange(16)) & 1
    factors = np.stack([np.arange(count), -np.arange(count), np.arange(count) ** 2], axis=1)
    return masks_folder(folder, frames, lengths, factors)


def masks_folder(folder, frames, lengths, factors=None):
    """Sequences of masks (frames, 64, 64, 1)."""
    factors = np.zeros((len(frames), 3)) if factors is None else factors
    write_data(
        folder, MASKS, "key", Conversion({"train": whole(frames, lengths=np.array(lengths), factors=factors)}, white=1)
    )
    return folder


def png(image):
    """An image (size, size, 3) as the content of a file."""
    content = io.BytesIO()
    Image.fromarray(image).save(content, "png")
    return content.getvalue()


def npy(array):
    """An array as the content of a file."""
    content = io.BytesIO()
    np.save(content, array)
    return content.getvalue()


def published_layout(spec, split, digits):
    """Content by name, as in the published archive of a split, images in no order."""
    latents = build(spec).latents(split)
    images = drawn(latents, spec.pixels)
    order = np.random.default_rng(0).permutation(len(images))
    files = {f"3dident/{split}/images/{i:0{digits}}.png": png(images[i]) for i in order}
    rendering = latents * np.where(np.arange(10) < 3, 3, np.pi / 2)
    return files | {f"3dident/{split}/raw_latents.npy": npy(latents), f"3dident/{split}/latents.npy": npy(rendering)}


def tar(files):
    """An archive of content by name, as the content of a file."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return content.getvalue()


def local_folder(folder, spec):
    """Made images in the layout of the published archives."""
    for split, digits in (("train", 6), ("test", 5)):
        for name, content in published_layout(spec, split, digits).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    return folder
