"""Sums over all pairs of a batch, streamed."""
