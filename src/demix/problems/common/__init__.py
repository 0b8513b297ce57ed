"""What problems share."""
