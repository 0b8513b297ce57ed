"""SlowVAE (Klindt et al. 2021)."""

from demix.objectives.common.vae import PairVAE


class SlowVAE(PairVAE):
    """w R + beta K_N + gamma K_L: the posteriors of a pair are held together by a Laplace density."""
