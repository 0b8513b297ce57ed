"""Scores: how well codes recover the true factors. Never imports torch. `demix.scores.common.base` has the contract."""
