"""The contract of optimizers."""

from collections.abc import Sequence
from typing import Protocol

from torch import Tensor


class Optimizer(Protocol):
    """The implementation of an optimizer, for parameters that share a learning rate.

    `build(spec, factor=..., parameters=...)` makes one from a spec: `parameters` are those that it changes, `factor` is
    what it multiplies the learning rate of every step by.
    """

    parameters: Sequence[Tensor]

    def step(self, learning_rate: float, step: int) -> None:
        """Change the parameters in place, given their `grad`. A parameter without a gradient (None) keeps its value.

        Args:
            learning_rate: of this step by the training's schedule, before `factor`.
            step: number of this step in the training, from 0.
        """

    def tensors(self) -> dict[str, list[Tensor]]:
        """All tensors that later steps depend on beside the parameters, such as running moments, by name.

        A checkpoint saves them, and a resumed training copies the saved values into those that this returns. Hence
        `step` must change these tensors in place and never replace them, and their number and shapes must not change.
        """
