"""Encoders: from observations to what an output layer takes."""
