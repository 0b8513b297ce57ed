"""Adam on a weight matrix in the eigenbases of its gradients, which stand in for the curvature of the loss.

The optimiser is known as SOAP (Vyas et al. 2024, "SOAP: Improving and Stabilizing Shampoo using Adam").
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from demix.training.optimizers.adam import Adam

MEMORY = 0.95
"""Decay rate of all running moments: the share that an update keeps."""

EPSILON = 1e-10

LOOKS = 4
"""Updates of the running means of G G' and G' G between two updates of the bases."""


class SOAP:
    """Parameters of one learning rate: matrices in the eigenbases of their gradients, the others by Adam as it is.

    Args:
        every: steps from one update of the bases to the next.
        factor: by which the learning rate of a step is multiplied.
        parameters: those that it changes.
    """

    def __init__(self, *, every: int, factor: float, parameters: Sequence[nn.Parameter]):
        self.parameters = list(parameters)
        others = [parameter for parameter in parameters if parameter.ndim != 2]
        self._parts: list[RotatedMoments | Adam] = [
            RotatedMoments(factor, parameter, every) for parameter in parameters if parameter.ndim == 2
        ]
        self._parts += [Adam(factor=factor, parameters=others)] if others else []

    def tensors(self) -> dict[str, list[Tensor]]:
        """The tensors of all parts, named "<number of the part>/<name>"; `step` changes them in place."""
        return {
            f"{place}/{name}": tensors
            for place, part in enumerate(self._parts)
            for name, tensors in part.tensors().items()
        }

    def step(self, learning_rate: float, step: int) -> None:
        """Step number `step`, counted from 0, down the gradients."""
        for part in self._parts:
            part.step(learning_rate, step)


class RotatedMoments:
    """A weight matrix with Adam's running moments of its gradient, seen from bases that follow the gradients.

    The bases are the eigenvectors of the running means of G G' and G' G. A change of basis is one step of orthogonal
    iteration, which is enough since the means change slowly. Everything has a fixed order: equal runs have equal bits.

    Args:
        factor: by which the learning rate of a step is multiplied.
        parameter: a matrix (rows, columns).
        every: steps from one update of the bases to the next.
    """

    def __init__(self, factor: float, parameter: nn.Parameter, every: int):
        self.factor, self.parameters, self.every = factor, [parameter], every
        self.mean, self.square = torch.zeros_like(parameter), torch.zeros_like(parameter)
        self.second_moments = [parameter.new_zeros(size, size) for size in parameter.shape]
        self.bases = [torch.eye(size, dtype=parameter.dtype, device=parameter.device) for size in parameter.shape]

    def tensors(self) -> dict[str, list[Tensor]]:
        """Running moments and bases; `step` changes them in place."""
        return {
            "means": [self.mean],
            "squares": [self.square],
            "second_moments": self.second_moments,
            "bases": self.bases,
        }

    @torch.no_grad()
    def step(self, learning_rate: float, step: int) -> None:
        """Step number `step`, counted from 0, down the gradient; a parameter that took no part in the loss stays.

        Step 0 initialises the bases and moves nothing: in the bases of its own singular vectors its gradient is
        diagonal, so that Adam would divide rounding errors by their own size in all other entries.
        """
        (parameter,) = self.parameters
        gradient = parameter.grad
        if gradient is None:
            return
        self._follow(gradient, step)
        if step == 0:
            return
        left, right = self.bases
        rotated = left.T @ gradient @ right
        self.mean.lerp_(rotated, 1 - MEMORY)
        self.square.lerp_(rotated.square_(), 1 - MEMORY)
        started = 1 - MEMORY**step  # both moments began at 0
        move = (self.mean / started).div_((self.square / started).sqrt_().add_(EPSILON))
        parameter.add_(left @ move @ right.T, alpha=-learning_rate * self.factor)

    def _follow(self, gradient: Tensor, step: int) -> None:
        """Update the running means of G G' and G' G, and the bases, each in the steps that are due."""
        interval = max(1, self.every // LOOKS)
        if step % interval == 0:
            products = (gradient @ gradient.T, gradient.T @ gradient)
            for moment, product in zip(self.second_moments, products, strict=True):
                moment.lerp_(product, 1 - MEMORY**interval if step else 1.0)
        if step == 0:
            for basis, moment in zip(self.bases, self.second_moments, strict=True):
                basis.copy_(torch.linalg.eigh(moment)[1])
        elif step % self.every == 0:
            self._rotate()

    def _rotate(self) -> None:
        """One step of orthogonal iteration for both bases; the mean gradient stays what it is, seen from the new ones.

        The running squares belong to the old bases and are left as they are: they are forgotten soon.
        """
        changes = []
        for basis, moment in zip(self.bases, self.second_moments, strict=True):
            rotated = torch.linalg.qr(moment @ basis)[0]
            changes.append(rotated.T @ basis)
            basis.copy_(rotated)
        self.mean.copy_(changes[0] @ self.mean @ changes[1].T)
