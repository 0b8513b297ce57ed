"""Fetch one of the published archives of 3DIdent: the file itself, beside the folder, and card.json.

A download that broke off is resumed. The archive must have the published MD5 checksum, and after its first use the
same SHA-256. Whatever goes wrong, the step ends well and the card says why there is no archive, and what helps.
"""

import sys
from pathlib import Path

from demix.datasets.common.card import write_available, write_unavailable
from demix.datasets.common.checksums import md5_of, remember, verify
from demix.datasets.common.download import fetch
from demix.specs.base import parse
from demix.specs.pictures import PictureArchive
from demix.support.cli import from_json, parser, run
from demix.support.errors import DataError


def main() -> None:
    """Command line."""
    arguments = parser("download_3dident", __doc__)
    arguments.add_argument("--spec", required=True, help="the archive's resolved spec, as JSON")
    arguments.add_argument("--urls", required=True, nargs="+", help="where to get it; further ones are mirrors")
    arguments.add_argument("--attempt", type=int, default=1, help="number of this attempt, for the card")
    arguments.add_argument("--out", required=True, type=Path, help="folder for the card")
    options = arguments.parse_args()
    spec = parse(PictureArchive, from_json(options.spec, "--spec"), "--spec")
    provide(spec, options.urls, options.out, options.attempt)


def provide(spec: PictureArchive, urls: list[str], out: Path, attempt: int = 1) -> None:
    """Fetch and check an archive, or leave a card that says why not. The card's key is the archive's checksum."""
    file, key = archive_file(spec, out), spec.md5
    try:
        origin = str(file) if file.exists() else fetch(urls, file)
        found = md5_of(file)
        if found != spec.md5:
            file.replace(refused(file))
            raise DataError(f"{file.name} has MD5 checksum {found}, but that of the configuration is {spec.md5}")
        checksum = verify(file)
    except DataError as error:
        print(f"demix: no {spec.file}: {error}", file=sys.stderr)
        write_unavailable(out, spec, key, f"no {spec.file}: {error}", remedy(urls, file), attempt)
        return
    remember(file, checksum, origin)
    write_available(out, spec, key, [file], {"bytes": file.stat().st_size}, {"sha256": checksum}, attempt)


def archive_file(spec: PictureArchive, out: Path) -> Path:
    """Where the archive lies: beside the folder of its card, so that another version of demix finds it too."""
    return out.parent / spec.file


def refused(file: Path) -> Path:
    """Where a file goes that is not what it should be."""
    return file.with_name(f"{file.name}.refused")


def remedy(urls: list[str], file: Path) -> str:
    """What a user can do."""
    aside = f" (what was refused is {refused(file)})" if refused(file).exists() else ""
    return (
        f"get {file.name} from {urls[0]} with any tool, put it at {file}, and give the same command again{aside}; or "
        "render the pictures: datasets.threedident.source: render"
    )


if __name__ == "__main__":
    run(main)
