"""The papers' theorems as numbers: closed forms, exact expectations and simulations. Needs no torch."""
