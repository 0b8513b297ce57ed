"""What specs of objectives share."""
