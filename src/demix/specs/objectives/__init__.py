"""Training objectives, as data.

The contract of the code behind a spec is `demix.objectives.common.base.Objective`.
"""

from typing import Annotated, ClassVar

from pydantic import SerializeAsAny

from demix.specs.base import Component
from demix.specs.families import member_of
from demix.specs.networks.common.sizes import LayerSize
from demix.specs.networks.outputs import OutputSpec


class ObjectiveSpec(Component):
    """What every objective says of itself. Its implementation is a `demix.objectives.common.base.Objective`;
    `demix.objectives.mean_squared_error` is one to copy.
    """

    needs_pairs: ClassVar[bool] = True
    numbers_a_code: ClassVar[int] = 1
    """Numbers that it needs for each code, and that the output layer must give: 2 for the mean and log-variance of a
    posterior."""

    def conditional_label(self, output: OutputSpec) -> str:
        """How tables name the model's conditional, given the spec of the output layer; "-" if it has none."""
        return "-"

    def check(self, observation_shape: tuple[int, ...]) -> None:
        """Refuse observations that it cannot take.

        Raises:
            ValueError: it cannot.
        """

    def layers(self, observation_shape: tuple[int, ...], codes: int) -> list[LayerSize]:
        """Sizes of the layers of networks that it owns, such as a decoder."""
        return []


Objective = Annotated[SerializeAsAny[ObjectiveSpec], member_of("objectives")]
