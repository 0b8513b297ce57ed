"""What specs of data sets share."""
