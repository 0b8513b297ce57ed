"""Pictures for tests, made without a renderer: a disc, whose place, size and colours depend on the latents."""

import io
import tarfile

import numpy as np
from demix.specs.pictures import LATENTS, SPLITS, RenderedPictures
from PIL import Image

from demix.datasets.common.picture_folder import write_pictures
from demix.datasets.rendered_pictures import RenderedPictures as Latents


def drawn(latents, size):
    """Pictures (n, size, size, 3) uint8 of raw latents (n, 10)."""
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
    return RenderedPictures(preset="smoke", train=train, test=test, size=size, **fields)


def chunks(spec, split, step=25):
    made = Latents(**{name: getattr(spec, name) for name in ("train", "test", "held", "seed")})
    latents = made.latents(split)
    for first in range(0, len(latents), step):
        part = latents[first : first + step]
        yield drawn(part, spec.pixels), part


def fake_folder(folder, spec, key="key"):
    """A folder of made pictures, as the pack step leaves it."""
    write_pictures(folder, spec, key, {split: chunks(spec, split) for split in SPLITS}, {"preset": spec.preset})
    return folder


def png(picture):
    """A picture (size, size, 3) as the content of a file."""
    content = io.BytesIO()
    Image.fromarray(picture).save(content, "png")
    return content.getvalue()


def npy(array):
    """An array as the content of a file."""
    content = io.BytesIO()
    np.save(content, array)
    return content.getvalue()


def published_layout(spec, split, digits):
    """Content by name, as in the published archive of a split, pictures in no order."""
    latents = np.concatenate([part for _, part in chunks(spec, split)])
    pictures = drawn(latents, spec.pixels)
    order = np.random.default_rng(0).permutation(len(pictures))
    images = {f"3dident/{split}/images/{i:0{digits}}.png": png(pictures[i]) for i in order}
    rendering = latents * np.where(np.arange(10) < 3, 3, np.pi / 2)
    return images | {f"3dident/{split}/raw_latents.npy": npy(latents), f"3dident/{split}/latents.npy": npy(rendering)}


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
    """Made pictures in the layout of the published archives."""
    for split, digits in (("train", 6), ("test", 5)):
        for name, content in published_layout(spec, split, digits).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    return folder
