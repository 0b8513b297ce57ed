"""Beta-VAE and SlowVAE on pairs of images, in the form of the SlowVAE code (Klindt et al. 2021)."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from demix.objectives.common.base import Loss, Objective, Surroundings
from demix.problems.common.batch import Batch
from demix.specs.networks.decoders import DecoderSpec
from demix.support.building import build


def normal_entropy(log_variance: Tensor) -> Tensor:
    """Entropy of N(., exp(log_variance)), summed over the codes, in nats, shape (batch,)."""
    return 0.5 * (log_variance + math.log(2 * math.pi) + 1).sum(-1)


def cross_entropy_with_normal(mean: Tensor, log_variance: Tensor) -> Tensor:
    """Cross-entropy of N(mean, exp(log_variance)) with N(0, 1), summed over the codes, in nats, shape (batch,)."""
    return 0.5 * (mean.square() + log_variance.exp() + math.log(2 * math.pi)).sum(-1)


def cross_entropy_with_laplace(mean: Tensor, log_variance: Tensor, rate: float) -> Tensor:
    r"""Cross-entropy of N(mean, exp(log_variance)) with a Laplace density at 0, summed over the codes, in nats.

    -log(r / 2) + r (s sqrt(2 / pi) exp(-m^2 / (2 s^2)) + m (2 Phi(m / s) - 1)) for each code.

    Args:
        mean, log_variance: shape (batch, codes).
        rate: r, one over the scale of the Laplace density.

    Returns:
        Shape (batch,).
    """
    deviation = (0.5 * log_variance).exp()
    ratio = mean / deviation
    absolute = deviation * math.sqrt(2 / math.pi) * (-0.5 * ratio.square()).exp()
    absolute = absolute + mean * torch.erf(ratio / math.sqrt(2))  # E|x|
    return (rate * absolute - math.log(rate / 2)).sum(-1)


def slow_vae_divergences(mean: Tensor, log_variance: Tensor, rate: float) -> tuple[Tensor, Tensor]:
    """K_N and K_L of SlowVAE for pairs of posteriors.

    The Laplace density stands around the other frame's mean, in both directions; K_L has two cross-entropies and, as
    in the authors' code, a single entropy, that of the average frame.

    Args:
        mean, log_variance: of the first frames of all pairs, then of their second ones, shape (2 pairs, codes).
        rate: of the Laplace density.

    Returns:
        Mean over the frames of the divergence from N(0, 1), and mean over the pairs of the other, scalars in nats.
    """
    entropy = normal_entropy(log_variance).mean()
    first, second = mean.chunk(2)
    moves = torch.cat([first - second, second - first])
    to_other = 2 * cross_entropy_with_laplace(moves, log_variance, rate).mean()  # both directions of a pair
    return cross_entropy_with_normal(mean, log_variance).mean() - entropy, to_other - entropy


def pixel_cross_entropy(logits: Tensor, images: Tensor) -> Tensor:
    """Cross-entropy of pixels in [0, 1] with Bernoulli variables, summed over an image, mean over images, nats."""
    losses = nn.functional.binary_cross_entropy_with_logits(logits, images, reduction="none")
    return losses.flatten(1).sum(1).mean()


class PairVAE(Objective):
    """w R + beta K_N + gamma K_L on both frames of every pair, with one posterior sample.

    Args:
        beta, gamma, rate: see `slow_vae_divergences`; a gamma of 0 leaves K_L out.
        reconstruction_weight: w.
        decoder: codes to logits of pixels; trained too.
    """

    def __init__(
        self,
        *,
        beta: float,
        gamma: float,
        rate: float,
        reconstruction_weight: float,
        decoder: DecoderSpec,
    ):
        super().__init__()
        self.beta, self.gamma, self.rate = beta, gamma, rate
        self.reconstruction_weight = reconstruction_weight
        self._decoder_spec = decoder

    def set_up(self, surroundings: Surroundings) -> None:
        """Build the decoder, and the source of posterior samples, whose state is saved with the weights."""
        weights = surroundings.generator("initialization", "decoder")
        shape, dim = surroundings.observation_shape, surroundings.dim
        self.decoder = build(self._decoder_spec, observation_shape=shape, dim=dim, generator=weights)
        self.generator = surroundings.generator("posterior", on_device=True)

    def forward(self, encode: Callable[[Tensor], Tensor], batch: Batch, progress: float) -> Loss:
        """The loss and its parts, in nats. `encode` gives means and then log-variances, (batch, 2 codes)."""
        assert batch.positive is not None, "the problem draws no pairs"
        images = torch.cat([batch.anchor, batch.positive])
        mean, log_variance = encode(images).chunk(2, dim=-1)
        noise = torch.randn(mean.shape, generator=self.generator, device=mean.device)
        reconstruction = pixel_cross_entropy(self.decoder(mean + (0.5 * log_variance).exp() * noise), images)
        to_normal, to_laplace = slow_vae_divergences(mean, log_variance, self.rate)
        total = self.reconstruction_weight * reconstruction + self.beta * to_normal
        terms = {"reconstruction": reconstruction, "to_normal": to_normal}
        if self.gamma:
            total = total + self.gamma * to_laplace
            terms["to_laplace"] = to_laplace
        return Loss(total, {name: term.detach() for name, term in terms.items()})

    def get_extra_state(self) -> Tensor:
        """Where the posterior samples have got to."""
        return self.generator.get_state()

    def set_extra_state(self, state: Tensor) -> None:
        """Go on from there."""
        self.generator.set_state(state.cpu())
