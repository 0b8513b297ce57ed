"""Optimizers: how gradients move parameters."""
