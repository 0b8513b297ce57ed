"""The problems that runs may have, and what each says of itself to the rest of demix."""

from typing import Annotated, Any

from pydantic import Field

from demix.errors import ConfigError, unknown
from demix.specs.base import named_or
from demix.specs.mask_pairs import MaskPairs
from demix.specs.picture_pairs import PicturePairs
from demix.specs.problem import SyntheticProblem

ProblemClass = type[SyntheticProblem] | type[MaskPairs] | type[PicturePairs]

PROBLEMS: dict[str, ProblemClass] = {
    "synthetic": SyntheticProblem,
    "mask_pairs": MaskPairs,
    "picture_pairs": PicturePairs,
}
"""Spec of a problem by its kind."""

DEFAULT_KIND = "synthetic"


def problem_class(entry: Any, where: str) -> ProblemClass:
    """The spec class of a problem that the configuration gives as plain data; without a kind it is synthetic.

    Raises:
        ConfigError: there is no such kind.
    """
    kind = entry.get("kind", DEFAULT_KIND) if isinstance(entry, dict) else DEFAULT_KIND
    if kind not in PROBLEMS:
        raise ConfigError(f"{where}: {unknown('kind', kind, PROBLEMS)}")
    return PROBLEMS[kind]


Problem = Annotated[
    Annotated[SyntheticProblem | MaskPairs | PicturePairs, Field(discriminator="kind")],
    named_or(DEFAULT_KIND),
]
