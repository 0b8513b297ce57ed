"""What objectives share."""
