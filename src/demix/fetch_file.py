"""Fetch a file that a data set needs, and write a card about it: card.json in a folder beside the file.

A download that broke off is resumed. The file must have the checksums in the configuration; where there are none, the
checksum of the first file of this name that was used in this data folder. If the file cannot be fetched, the exit
status is still 0, and the card says why and what the user can do, so that everything that does not need the file is
still made.
"""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from demix.datasets.common.card import write_available, write_unavailable
from demix.datasets.common.checksums import md5_of, verify
from demix.datasets.common.download import fetch
from demix.datasets.common.fetched import fetched_beside, refuse, remedy
from demix.specs.base import parse
from demix.specs.datasets import FileSpec
from demix.support.cli import from_json, parser, run
from demix.support.errors import DataError
from demix.support.files import replacing


def main() -> None:
    """Command line."""
    arguments = parser("fetch_file", __doc__)
    arguments.add_argument("--spec", required=True, help="name, checksums and addresses of the file, as JSON")
    arguments.add_argument(
        "--urls", nargs="*", default=[], help="where to get it, in place of the spec's; further ones are mirrors"
    )
    arguments.add_argument("--path", help="a local copy, or the folder that has it, in place of a download")
    arguments.add_argument("--hint", default="", help="what else a user can do, for the card")
    arguments.add_argument("--attempt", type=int, default=1, help="number of this attempt, for the card")
    arguments.add_argument("--out", required=True, type=Path, help="the card; the file lies beside its folder")
    options = arguments.parse_args()
    spec = parse(FileSpec, from_json(options.spec, "--spec"), "--spec")
    provide(spec, options.urls or spec.urls, options.out, path=options.path, hint=options.hint, attempt=options.attempt)


def provide(
    spec: FileSpec, urls: Sequence[str], card: Path, *, path: str | None = None, hint: str = "", attempt: int = 1
) -> None:
    """Have a file in its place, or leave a card that says why not.

    Args:
        spec: of the file.
        urls: addresses to try in turn.
        card: the card to write.
        path: a local copy, or the folder that has it, in place of a download.
        hint: what else a user can do.
        attempt: which attempt this is.
    """
    file = fetched_beside(card, spec.name)
    try:
        origin = obtain(urls, path, file)
        checksum = checked(file, spec)
    except DataError as error:
        print(f"demix: no {spec.name}: {error}", file=sys.stderr)
        what = f"no {spec.name}: {error}"
        write_unavailable(card.parent, spec, _key(spec), what, remedy(file, urls[0] if urls else "", hint), attempt)
        return
    about = {"sha256": checksum, "origin": origin, "url": urls[0] if urls else ""}
    write_available(card.parent, spec, _key(spec), [file], {"bytes": file.stat().st_size}, about, attempt)


def obtain(urls: Sequence[str], path: str | None, file: Path) -> str:
    """Have the file in its place: there already, a copy of a local one, or a download. Returns where it is from.

    Raises:
        DataError: it cannot be had.
    """
    if file.exists():
        return str(file)
    if path is None:
        return fetch(urls, file)
    try:
        local = Path(path).expanduser()
        with replacing(file) as temporary:
            shutil.copyfile(local / file.name if local.is_dir() else local, temporary)
    except OSError as error:
        raise DataError(f"{path} cannot be copied ({error.strerror})") from None
    return path


def checked(file: Path, spec: FileSpec) -> str:
    """SHA-256 of a file that is what it should be; any other is moved aside.

    Raises:
        DataError: it is another file; both checksums are named.
    """
    try:
        if spec.md5 and (found := md5_of(file)) != spec.md5:
            raise DataError(f"{file.name} has MD5 checksum {found}, but the configuration says {spec.md5}")
        return verify(file, spec.sha256)
    except DataError:
        refuse(file)
        raise


def _key(spec: FileSpec) -> str:
    """What stands for the content of the file; empty if nothing does."""
    return spec.sha256 or spec.md5 or ""


if __name__ == "__main__":
    run(main)
