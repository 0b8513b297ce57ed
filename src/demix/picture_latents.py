"""Draw the raw latents of pictures that are to be rendered, all of a split at once: (n, 10) float32 as npy."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from demix.specs.base import Spec, parse
from demix.specs.figure_pictures import Gallery, Traversals
from demix.specs.pictures import RenderedPictures
from demix.support.cli import from_json, parser, run


class Rendered(Spec):
    """Pictures of any of the kinds that are rendered."""

    pictures: Annotated[RenderedPictures | Traversals | Gallery, Field(discriminator="kind")]


def main() -> None:
    """Command line."""
    arguments = parser("picture_latents", __doc__)
    arguments.add_argument("--spec", required=True, help="the resolved spec of the pictures, as JSON")
    arguments.add_argument("--split", required=True, help="such as train")
    arguments.add_argument("--out", required=True, type=Path, help="npy file to write")
    options = arguments.parse_args()
    spec = parse(Rendered, {"pictures": from_json(options.spec, "--spec")}, "--spec").pictures
    write_latents(spec, options.split, options.out)


def write_latents(spec: RenderedPictures | Traversals | Gallery, split: str, out: Path) -> None:
    """Write the latents of a split."""
    import numpy as np

    from demix.support.building import build
    from demix.support.files import replacing

    with replacing(out) as temporary:
        np.save(temporary, build(spec).latents(split))


if __name__ == "__main__":
    run(main)
