"""Output layers: the space that an encoder's codes live in."""
