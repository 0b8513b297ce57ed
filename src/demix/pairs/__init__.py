"""Pair laws: which two samples of a data set belong together."""
