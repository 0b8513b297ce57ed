"""What optimizers share."""
