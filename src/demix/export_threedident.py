"""Write packed pictures in the layout of the published archives, which other people's loaders expect.

    python -m demix.export_pictures results/data/rendered_pictures/<key> --out 3dident

gives 3dident/train/ and 3dident/test/, each with images/ (PNG named by index), raw_latents.npy (in [-1, 1]) and
latents.npy (rendering units). The other way round: `datasets.threedident: {source: local, path: ...}`.
"""

from pathlib import Path
from typing import Any

from demix.datasets.common.card import CARD, read_available
from demix.specs.pictures import SPLITS
from demix.support.cli import parser, run

DEFAULT_Z_SCALE = 3.0
"""Of pictures that do not say; that of the authors' code."""


def main() -> None:
    """Command line."""
    arguments = parser("export_pictures", __doc__)
    arguments.add_argument("folder", type=Path, help="folder of packed pictures, with card.json")
    arguments.add_argument("--out", required=True, type=Path, help="folder to write")
    options = arguments.parse_args()
    export(options.folder, options.out)


def export(folder: Path, out: Path) -> None:
    """Write both splits.

    Raises:
        DataError: the folder has no pictures, or they are damaged.
    """
    from demix.datasets.common.picture_folder import open_pictures

    z_scale = read_available(folder / CARD)["statistics"].get("z_scale", DEFAULT_Z_SCALE)
    data = open_pictures(folder)
    for split in SPLITS:
        _export_split(data.pictures[split], data.latents[split], out / split, z_scale)


def _export_split(pictures: Any, latents: Any, out: Path, z_scale: float) -> None:
    import numpy as np
    from PIL import Image

    from demix_render.latents import rendering_units

    (out / "images").mkdir(parents=True, exist_ok=True)
    digits = len(str(len(pictures) - 1))
    for index, picture in enumerate(pictures):
        Image.fromarray(np.asarray(picture)).save(out / "images" / f"{index:0{digits}}.png", compress_level=6)
    np.save(out / "raw_latents.npy", latents)
    np.save(out / "latents.npy", rendering_units(latents, z_scale).astype(np.float32))


if __name__ == "__main__":
    run(main)
