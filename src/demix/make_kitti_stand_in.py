"""Make the stand-in of KITTI Masks, in the format of the real data: frames.npy, factors.npy, lengths.npy, card.json."""

from pathlib import Path

from demix.specs.base import parse
from demix.specs.mask_pairs import KittiStandIn
from demix.support.cli import from_json, parser, run


def main() -> None:
    """Command line."""
    arguments = parser("make_kitti_stand_in", __doc__)
    arguments.add_argument("--spec", required=True, help="the stand-in's resolved spec, as JSON")
    arguments.add_argument("--key", default="", help="its key, for the record")
    arguments.add_argument("--out", required=True, type=Path, help="folder for the results")
    options = arguments.parse_args()
    make(parse(KittiStandIn, from_json(options.spec, "--spec"), "--spec"), options.out, options.key)


def make(spec: KittiStandIn, out: Path, key: str = "") -> None:
    """Make the stand-in and write it."""
    from demix.datasets.common.mask_folder import write_sequences
    from demix.support.building import build

    write_sequences(build(spec).sequences(), out, spec, key)


if __name__ == "__main__":
    run(main)
