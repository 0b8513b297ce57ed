"""Bring pictures in the layout of the published archives into the form that training reads.

That form is described in demix.datasets.common.picture_folder. They come from the two archives, named by the cards of their
downloads, or from a folder. Whatever goes wrong, the step ends well and the card says why there is no data, and what
helps.
"""

import sys
from pathlib import Path
from typing import Annotated

from pydantic import Field

from demix.datasets.common.card import missing_after, write_unavailable
from demix.specs.base import Spec, parse
from demix.specs.pictures import SPLITS, DownloadedPictures, LocalPictures, PictureArchive
from demix.support.cli import from_json, parser, run
from demix.support.errors import DataError
from demix.support.files import read_json


class Unpacked(Spec):
    """What the command unpacks."""

    data: Annotated[DownloadedPictures | LocalPictures, Field(discriminator="kind")]


def main() -> None:
    """Command line."""
    arguments = parser("unpack_pictures", __doc__)
    arguments.add_argument("--spec", required=True, help="the data's resolved spec, as JSON")
    arguments.add_argument("--archives", nargs="*", default=[], type=Path, help="cards of the archives, train and test")
    arguments.add_argument("--key", default="", help="the data's key, for the record")
    arguments.add_argument("--attempt", type=int, default=1, help="number of this attempt, for the card")
    arguments.add_argument("--out", required=True, type=Path, help="folder for the results")
    options = arguments.parse_args()
    spec = parse(Unpacked, {"data": from_json(options.spec, "--spec")}, "--spec").data
    unpack(spec, options.archives, options.out, options.key, options.attempt)


def unpack(
    spec: DownloadedPictures | LocalPictures, archives: list[Path], out: Path, key: str = "", attempt: int = 1
) -> None:
    """Write the arrays and their card, or a card that says why there are none."""
    from demix.datasets.common.picture_folder import write_pictures
    from demix.support.building import build

    for card in archives:
        if missing := missing_after(card):
            write_unavailable(out, spec, key, missing["reason"], missing["remedy"], attempt)
            return
    about = {"preset": "published", "hue_mode": "published"}
    try:
        of_split = {split: (split, *found) for split, found in zip(SPLITS, _archives(archives), strict=True)}
        data = build(spec)
        write_pictures(out, spec, key, {split: data.chunks(*of_split[split]) for split in SPLITS}, about, attempt)
    except (DataError, OSError) as error:
        print(f"demix: no 3DIdent: {error}", file=sys.stderr)
        write_unavailable(out, spec, key, f"no 3DIdent: {error}", remedy(spec), attempt)


def _archives(cards: list[Path]) -> list[tuple[Path, ...]]:
    """The archive of every split, from the cards of the downloads; nothing for a folder."""
    if not cards:
        return [()] * len(SPLITS)
    specs = [parse(PictureArchive, read_json(card)["spec"], str(card)) for card in cards]
    by_split: dict[str, Path] = {
        spec.split: card.parent.parent / spec.file for spec, card in zip(specs, cards, strict=True)
    }
    return [(by_split[split],) for split in SPLITS]


def remedy(spec: DownloadedPictures | LocalPictures) -> str:
    """What a user can do."""
    if isinstance(spec, LocalPictures):
        return f"see to {spec.path}, or name another folder in datasets.threedident.path, and give the command again"
    return "see to the archives, or render the pictures: datasets.threedident.source: render"


if __name__ == "__main__":
    run(main)
