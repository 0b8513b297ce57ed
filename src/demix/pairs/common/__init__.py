"""What pair laws share."""
