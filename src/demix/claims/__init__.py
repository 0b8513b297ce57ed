"""What the papers say about their tables and figures, judged with our numbers."""
