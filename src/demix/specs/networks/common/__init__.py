"""What specs of networks share."""
