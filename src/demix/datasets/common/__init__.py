"""What data sets share: cards, downloads, checksums, formats on disk."""
