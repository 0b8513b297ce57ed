"""Supervised regression to the true latents."""

from collections.abc import Callable

from torch import Tensor

from demix.objectives.common.base import Loss, Objective
from demix.problems.common.batch import Batch


class MeanSquaredError(Objective):
    """Mean over samples and coordinates of (f(x) - z)^2: the supervised baseline of ICML 2021, Tables 1 and 2."""

    def forward(self, encode: Callable[[Tensor], Tensor], batch: Batch, progress: float) -> Loss:
        """The mean squared error, in squared units of the latents."""
        assert batch.factors is not None, "the problem has no true latents"
        return Loss((encode(batch.anchor) - batch.factors).square().mean())
