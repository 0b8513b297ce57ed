"""Latents: their spaces, densities, and the generators that make observations of them."""
