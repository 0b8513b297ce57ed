"""Decoders: from codes to observations."""
