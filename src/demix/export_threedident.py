"""Write images of 3DIdent in the layout of the published archives, which other people's loaders expect.

    python -m demix.export_threedident results/data/threedident/<key> --out 3dident

gives 3dident/train/ and 3dident/test/, each with images/ (PNG named by index), raw_latents.npy (in [-1, 1]) and
latents.npy (rendering units). The other way round: `datasets.threedident: {source: local, path: ...}`.
"""

from pathlib import Path
from typing import Any

from demix.datasets.common.card import CARD, read_available
from demix.specs.datasets import dataset_from
from demix.specs.datasets.common.threedident import SPLITS, ThreeDIdentSpec
from demix.support.cli import parser, run
from demix.support.errors import DataError

DEFAULT_Z_SCALE = 3.0
"""Of images that do not say; that of the authors' code."""


def main() -> None:
    """Command line."""
    arguments = parser("export_threedident", __doc__)
    arguments.add_argument("folder", type=Path, help="folder of the data set, with card.json")
    arguments.add_argument("--out", required=True, type=Path, help="folder to write")
    options = arguments.parse_args()
    export(options.folder, options.out)


def export(folder: Path, out: Path) -> None:
    """Write both splits.

    Raises:
        DataError: the folder has no images of 3DIdent, or they are damaged.
    """
    from demix.datasets.common.images import open_images
    from demix.support.building import build

    card = folder / CARD
    spec = dataset_from(read_available(card)["spec"], str(card))
    if not isinstance(spec, ThreeDIdentSpec):
        raise DataError(f"{card}: a data set of kind {spec.kind} is not 3DIdent")
    data, dataset = open_images(folder), build(spec)
    for split in SPLITS:
        # of rendered images only those that vary are kept as factors
        latents = dataset.latents(split) if spec.shards else data.known[split]["factors"]
        _export_split(data.images[split], latents, out / split, getattr(spec, "z_scale", DEFAULT_Z_SCALE))


def _export_split(images: Any, latents: Any, out: Path, z_scale: float) -> None:
    import numpy as np
    from PIL import Image

    from demix_render.latents import rendering_units

    (out / "images").mkdir(parents=True, exist_ok=True)
    digits = len(str(len(images) - 1))
    for index, pixels in enumerate(images):
        Image.fromarray(np.asarray(pixels)).save(out / "images" / f"{index:0{digits}}.png", compress_level=6)
    np.save(out / "raw_latents.npy", latents)
    np.save(out / "latents.npy", rendering_units(latents, z_scale).astype(np.float32))


if __name__ == "__main__":
    run(main)
