"""Scores: how well codes recover the true factors. Arrays in, fractions out. Never imports torch."""
