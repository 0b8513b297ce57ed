"""Samplers of the latents' densities: exact, vectorised, on the device of the tensor they are given."""
