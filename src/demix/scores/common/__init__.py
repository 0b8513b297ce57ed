"""What scores share."""
