"""What networks share."""
