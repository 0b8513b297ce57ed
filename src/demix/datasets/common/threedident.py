"""What the implementations of 3DIdent share."""

AUTHORS = (0.3292, 0.3278, 0.3215), (0.0778, 0.0776, 0.0771)
"""Mean and std of the authors' code. They do not fit the published images, and need not."""
