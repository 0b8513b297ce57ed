"""Fetch KITTI Masks and convert it: frames.npy, factors.npy, lengths.npy and card.json.

The published pickle is downloaded once, beside the folder; a download that broke off is resumed. Its checksum is
written down when it is used first, and every file must have it after that. It is read by an unpickler that makes arrays
and lists and calls nothing else. Whatever goes wrong, the step ends well and the card says why there is no data, and
what helps.
"""

import sys
from pathlib import Path

from demix.datasets.common.card import write_unavailable
from demix.specs.base import parse
from demix.specs.mask_pairs import KittiMasksFile
from demix.specs.workflow import Source
from demix.support.cli import from_json, parser, run
from demix.support.errors import DataError


def main() -> None:
    """Command line."""
    arguments = parser("download_kitti_masks", __doc__)
    arguments.add_argument("--spec", required=True, help="the data set's resolved spec, as JSON")
    arguments.add_argument("--source", required=True, help="its entry of `datasets` in the configuration, as JSON")
    arguments.add_argument("--key", default="", help="the data set's key, for the record")
    arguments.add_argument("--attempt", type=int, default=1, help="number of this attempt, for the card")
    arguments.add_argument("--out", required=True, type=Path, help="folder for the results")
    options = arguments.parse_args()
    spec = parse(KittiMasksFile, from_json(options.spec, "--spec"), "--spec")
    source = parse(Source, from_json(options.source, "--source"), "--source")
    provide(spec, source, options.out, options.key, options.attempt)


def provide(spec: KittiMasksFile, source: Source, out: Path, key: str = "", attempt: int = 1) -> None:
    """Fetch and convert the data, or leave a card that says why not."""
    from demix.datasets.common.checksums import remember, verify
    from demix.datasets.common.mask_folder import write_sequences
    from demix.datasets.kitti_masks import FILE
    from demix.support.building import build

    file = out.parent / FILE
    try:
        origin = obtain(source, file)
        checksum = verify(file, spec.sha256)
        sequences = build(spec).sequences(file)
    except DataError as error:
        print(f"demix: no KITTI Masks: {error}", file=sys.stderr)
        if file.exists():  # it was refused
            file.replace(refused(file))
        write_unavailable(out, spec, key, f"no KITTI Masks: {error}", remedy(source, file), attempt)
        return
    remember(file, checksum, origin)
    write_sequences(sequences, out, spec, key, attempt)


def obtain(source: Source, file: Path) -> str:
    """Have the file in its place: there already, a copy of a local one, or a download. Returns where it is from.

    Raises:
        DataError: it cannot be had.
    """
    import shutil

    from demix.datasets.common.download import fetch
    from demix.support.files import replacing

    if file.exists():
        return str(file)
    if not source.path:
        return fetch(source.urls, file)
    try:
        with replacing(file) as temporary:
            shutil.copyfile(Path(source.path).expanduser(), temporary)
    except OSError as error:
        raise DataError(f"datasets.kitti_masks.path: {source.path} cannot be copied ({error.strerror})") from None
    return source.path


def refused(file: Path) -> Path:
    """Where a file goes that is not what it should be."""
    return file.with_name(f"{file.name}.refused")


def remedy(source: Source, file: Path) -> str:
    """What a user can do."""
    where = source.urls[0] if source.urls else "its publisher"
    aside = f" (what was refused is {refused(file)})" if refused(file).exists() else ""
    return (
        f"get {file.name} from {where} with any tool, put it at {file} or name it in datasets.kitti_masks.path, and "
        f"give the same command again{aside}"
    )


if __name__ == "__main__":
    run(main)
