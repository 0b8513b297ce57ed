"""Have a Python that can render: the one that DEMIX_RENDER_PYTHON names, or .venv-render, which is set up if need be.

Whatever goes wrong, the step ends well and the card says why there is none, and what helps. By hand:

    python -m demix.render_environment
"""

import sys
from pathlib import Path

from demix.datasets.common.card import CARD, write_available, write_unavailable
from demix.datasets.renderer import REQUIREMENTS, NoRendererError, renderer_python
from demix.specs.renderer import Renderer
from demix.support.cli import parser, run
from demix.support.files import read_json
from demix.workflow.paths import renderer_card


def main() -> None:
    """Command line."""
    arguments = parser("render_environment", __doc__)
    arguments.add_argument("--attempt", type=int, default=1, help="number of this attempt, for the card")
    arguments.add_argument("--out", type=Path, help="folder for the card; default: with the other data")
    options = arguments.parse_args()
    card = provide(options.out or renderer_card().parent, options.attempt)
    print("\n".join(f"{name}: {value}" for name, value in read_json(card).items() if value))


def provide(out: Path, attempt: int = 1) -> Path:
    """Find or set up the environment; returns the card."""
    try:
        python, about = renderer_python(out)
        write_available(out, Renderer(), "", [REQUIREMENTS], {}, {"python": str(python), **about}, attempt)
    except NoRendererError as error:
        print(f"demix: {error}", file=sys.stderr)
        write_unavailable(out, Renderer(), "", error.reason, error.remedy, attempt)
    return out / CARD


if __name__ == "__main__":
    run(main)
