"""The beta-VAE, in the form of the SlowVAE code."""

from typing import Any

from demix.objectives.common.vae import PairVAE


class BetaVAE(PairVAE):
    """w R + beta K_N: every frame by itself."""

    def __init__(self, **shared: Any):
        super().__init__(gamma=0.0, rate=1.0, **shared)
