"""Scores: how well codes recover the true factors. Never imports torch. The contract is in `demix.scores.common.base`."""
