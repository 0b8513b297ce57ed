"""Figures, as data. Their kinds are in `demix.specs.figures.kinds`."""
