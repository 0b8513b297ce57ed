"""Data sets: how they are obtained, their formats on disk, their cards. Never imports torch."""
