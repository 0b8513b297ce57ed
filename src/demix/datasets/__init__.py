"""Data sets: how they come here, their formats on disk, their cards. Never imports torch."""
