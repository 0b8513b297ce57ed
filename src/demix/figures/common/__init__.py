"""What kinds of figures share."""
