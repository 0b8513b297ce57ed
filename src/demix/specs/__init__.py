"""The experiment model: every key of the configuration, typed, defaulted and described. Never imports torch."""
