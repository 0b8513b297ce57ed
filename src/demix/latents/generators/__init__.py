"""Generators g: from latents to observations."""
