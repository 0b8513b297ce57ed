"""Adam with torch's default betas and epsilon."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.optim.adam import adam


class Adam:
    """Parameters of one learning rate, with Adam's running moments.

    Calls the functional form of torch's Adam (fused): the optimiser class imports torch's compiler, which takes as long
    as torch itself, in each of the many short processes of a table.

    Args:
        factor: by which the learning rate of a step is multiplied.
        parameters: those that it changes.
    """

    def __init__(self, *, factor: float, parameters: Sequence[nn.Parameter]):
        self.factor, self.parameters = factor, list[Tensor](parameters)
        self.means = [torch.zeros_like(parameter) for parameter in parameters]
        self.squares = [torch.zeros_like(parameter) for parameter in parameters]
        self.steps = [torch.zeros((), device=parameter.device) for parameter in parameters]

    def tensors(self) -> dict[str, list[Tensor]]:
        """The running moments and step counts; `step` changes them in place."""
        return {"means": self.means, "squares": self.squares, "steps": self.steps}

    @torch.no_grad()
    def step(self, learning_rate: float, step: int) -> None:
        """Step number `step` of Adam down the gradients; a parameter that took no part in the loss stays."""
        moved = [place for place, parameter in enumerate(self.parameters) if parameter.grad is not None]
        parameters, means, squares, steps = (
            [tensors[place] for place in moved] for tensors in (self.parameters, self.means, self.squares, self.steps)
        )
        adam(
            parameters,
            [gradient for parameter in parameters if (gradient := parameter.grad) is not None],
            means,
            squares,
            [],
            steps,
            fused=True,
            amsgrad=False,
            beta1=0.9,
            beta2=0.999,
            lr=learning_rate * self.factor,
            weight_decay=0.0,
            eps=1e-8,
            maximize=False,
        )
