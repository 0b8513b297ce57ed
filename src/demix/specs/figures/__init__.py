"""Figures, as data: what they show and where our choices lie."""
