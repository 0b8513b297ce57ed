"""Bring rendered shards into the form that training reads: arrays that are mapped into memory, and a card.

Without an environment to render in there are no shards; the card then says why, and what helps.
"""

from pathlib import Path

from demix.datasets.common.card import missing_after, write_unavailable
from demix.specs.base import parse
from demix.specs.pictures import SPLITS, RenderedPictures
from demix.support.cli import from_json, parser, run


def main() -> None:
    """Command line."""
    arguments = parser("pack_pictures", __doc__)
    arguments.add_argument("--spec", required=True, help="the data's resolved spec, as JSON")
    arguments.add_argument("--renderer", required=True, type=Path, help="card of the environment to render in")
    arguments.add_argument("--shards", nargs="*", type=Path, default=[], help="all shards, train before test, in order")
    arguments.add_argument("--latents", nargs=2, required=True, type=Path, help="npy files, of train and test")
    arguments.add_argument("--key", default="", help="the data's key, for the record")
    arguments.add_argument("--attempt", type=int, default=1, help="number of this attempt, for the card")
    arguments.add_argument("--out", required=True, type=Path, help="folder for the results")
    options = arguments.parse_args()
    spec = parse(RenderedPictures, from_json(options.spec, "--spec"), "--spec")
    missing = missing_after(options.renderer)
    if missing and not options.shards:
        write_unavailable(options.out, spec, options.key, missing["reason"], missing["remedy"], options.attempt)
    else:
        pack(spec, options.shards, options.latents, options.out, options.key, options.attempt)


def pack(
    spec: RenderedPictures, files: list[Path], latents: list[Path], out: Path, key: str = "", attempt: int = 1
) -> None:
    """Write the arrays and their card.

    Args:
        spec: of the pictures.
        files: all shards in order.
        latents: npy files with those that were asked for, of train and test.
        out, key, attempt: of the card.

    Raises:
        DataError: a shard is damaged or of other pictures.
    """
    import numpy as np

    from demix.datasets.common.picture_folder import write_pictures
    from demix.datasets.common.rendering import shards
    from demix.datasets.common.shards import ShardReader

    reader = ShardReader(spec)
    of_split: dict[str, list[Path]] = {split: [] for split in SPLITS}
    for shard, file in zip(shards(spec), files, strict=True):
        of_split[shard.split].append(file)
    chunks = {split: reader.chunks(of_split[split], np.load(file)) for split, file in zip(SPLITS, latents, strict=True)}
    about = {"preset": spec.preset, "samples": spec.samples_a_pixel, "hue_mode": spec.hue_mode, "z_scale": spec.z_scale}
    write_pictures(out, spec, key, chunks, about | {"held": dict(spec.held)} | {"made_by": reader.made_by}, attempt)


if __name__ == "__main__":
    run(main)
