"""Obtain a data set of any kind: made, converted from files that were fetched, packed from shards that were rendered,
or, for the renderer, found or set up.

Writes arrays that training reads, and card.json. If there is no data to be had, the exit status is still 0, and the
card says why and what the user can do. By hand, to set up the environment that images are rendered in:

    python -m demix.obtain_data --spec '{"kind": "renderer"}'
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from demix.datasets.common.card import CARD, missing_after, write_unavailable
from demix.datasets.common.conversion import Conversion, Inputs, NotAvailableError
from demix.datasets.common.fetched import fetched_files, refuse_unchecked, remember_good
from demix.datasets.common.folder import write_data
from demix.experiment.keys import result_key
from demix.specs.datasets import DatasetSpec, dataset_from
from demix.support.building import build
from demix.support.cli import from_json, parser, run
from demix.support.errors import DataError
from demix.support.files import read_json
from demix.workflow.paths import dataset_folder


def main() -> None:
    """Command line."""
    arguments = parser("obtain_data", __doc__)
    arguments.add_argument("--spec", required=True, help="the data set's resolved spec, as JSON")
    arguments.add_argument("--key", help="its key, for the record; default: computed")
    arguments.add_argument("--attempt", type=int, default=1, help="number of this attempt, for the card")
    arguments.add_argument("--files", nargs="*", default=[], type=Path, help="cards of the files that it needs")
    arguments.add_argument("--renderer", type=Path, help="card of the environment to render in")
    arguments.add_argument("--shards", nargs="*", default=[], type=Path, help="all rendered shards, in order")
    arguments.add_argument("--hint", default="", help="what a user can do where it cannot be had, for the card")
    arguments.add_argument("--out", type=Path, help="folder for the results; default: where the workflow has it")
    options = arguments.parse_args()
    spec = dataset_from(from_json(options.spec, "--spec"), "--spec")
    key, out = options.key or result_key(spec), options.out or dataset_folder(spec)
    about = {"files": options.files, "renderer": options.renderer, "shards": options.shards, "hint": options.hint}
    provide(spec, out, key, options.attempt, **about)
    card = read_json(out / CARD)
    print("\n".join(f"{name}: {card[name]}" for name in ("available", "reason", "remedy", "counts", "statistics")))


def provide(
    spec: DatasetSpec,
    out: Path,
    key: str = "",
    attempt: int = 1,
    *,
    files: Sequence[Path] = (),
    renderer: Path | None = None,
    shards: Sequence[Path] = (),
    hint: str = "",
) -> None:
    """Write a data set, or a card that says why there is none.

    Args:
        spec: of the data set.
        out: folder for the data.
        key, attempt: of the card.
        files: cards of the files that it needs.
        renderer: card of the environment that its images are rendered in.
        shards: its rendered images, all shards in order; none where there is no such environment.
        hint: what a user can do where it cannot be had.
    """
    needed = [*files, *([renderer] if renderer and not shards else [])]
    missing = next((found for card in needed if (found := missing_after(card))), None)
    if missing:
        write_unavailable(out, spec, key, missing["reason"], missing["remedy"], attempt)
        return
    out.mkdir(parents=True, exist_ok=True)
    try:
        write_data(out, spec, key, converted(spec, out, files, shards), attempt)
    except NotAvailableError as error:
        _leave(out, spec, key, error.reason, error.remedy, attempt)
    except (DataError, OSError) as error:
        reason = f"no {spec.label}: {error}"
        _leave(out, spec, key, reason, _remedy(files, reason, hint), attempt)
    else:
        remember_good(files)


def converted(spec: DatasetSpec, out: Path, files: Sequence[Path], shards: Sequence[Path]) -> Conversion:
    """The images of a data set, on their way to disk.

    Raises:
        DataError: an input is damaged or holds something else.
    """
    dataset = build(spec)
    if spec.shards:
        from demix.datasets.common.packing import packed  # it needs pyarrow

        return packed(spec, dataset, shards)
    return dataset.convert(Inputs(out, fetched_files(files)))


def _leave(out: Path, spec: DatasetSpec, key: str, reason: str, remedy: str, attempt: int) -> None:
    print(f"demix: {reason}", file=sys.stderr)
    write_unavailable(out, spec, key, reason, remedy, attempt)


def _remedy(files: Sequence[Path], reason: str, hint: str) -> str:
    """What a user can do after a conversion failed. Files without a checksum are moved aside."""
    if refuse_unchecked(files, reason, hint):
        return str(read_json(files[0])["remedy"])
    return f"see to it{f', {hint},' if hint else ''} and give the same command again"


if __name__ == "__main__":
    run(main)
