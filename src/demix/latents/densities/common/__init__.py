"""What densities share."""
