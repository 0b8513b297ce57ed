"""Kinds of figures: how each is collected, drawn and captioned."""
