"""What the papers say about their tables and figures: the claims of one are `CLAIMS` in the module of its name."""
