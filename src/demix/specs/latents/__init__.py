"""Latents, as data: spaces, densities, generators."""
