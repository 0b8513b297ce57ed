"""Latent spaces: where their densities are centred, and how a density is drawn on them."""
