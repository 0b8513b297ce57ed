"""The encoder of 3DIdent: torchvision's ResNet-18 and a head."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torchvision.models import resnet18


class ResNet18(nn.Module):
    """ResNet-18 whose last layer has `hidden` outputs, leaky ReLU, a linear layer (ICML 2021, Tables 4 and 5, code).

    Not pretrained, with the standard stem: a convolution of 7 x 7 and stride 2, and max pooling. Weights are drawn as
    torchvision draws them, from the generator: convolutions He normal (fan-out), batch norm 1 and 0, linear layers
    uniform in +-1 / sqrt(fan_in).

    Args:
        observation_shape: channels, height and width; three channels.
        dim: numbers that it puts out.
        hidden: outputs of ResNet-18's own last layer, the paper's hidden layer of 10 N.
        slope: negative slope of the leaky ReLU.
        channels_last: order of the images' memory, which changes speed and last digits only.
        generator: source of the initial weights, on the CPU.
    """

    def __init__(
        self,
        observation_shape: Sequence[int],
        dim: int,
        *,
        hidden: int = 100,
        slope: float = 0.01,
        channels_last: bool = False,
        generator: torch.Generator,
    ):
        super().__init__()
        with torch.device("meta"):  # torchvision would draw weights from the global generator
            self.trunk = resnet18(weights=None, num_classes=hidden)
            self.linear = nn.Linear(hidden, dim)
        self.to_empty(device="cpu")
        self.slope = slope
        self.format = torch.channels_last if channels_last else torch.contiguous_format
        with torch.no_grad():
            for layer in self.modules():
                _draw(layer, generator)
        self.to(memory_format=self.format)

    def forward(self, x: Tensor) -> Tensor:
        """Outputs (batch, dim) for images (batch, 3, height, width)."""
        hidden = self.trunk(x.contiguous(memory_format=self.format))
        return self.linear(nn.functional.leaky_relu(hidden, self.slope))


def _draw(layer: nn.Module, generator: torch.Generator) -> None:
    """Initial weights of one layer."""
    if isinstance(layer, nn.Conv2d):
        nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu", generator=generator)
    elif isinstance(layer, nn.BatchNorm2d):
        layer.reset_parameters()  # draws nothing
    elif isinstance(layer, nn.Linear):
        bound = layer.in_features**-0.5
        layer.weight.uniform_(-bound, bound, generator=generator)
        layer.bias.uniform_(-bound, bound, generator=generator)
