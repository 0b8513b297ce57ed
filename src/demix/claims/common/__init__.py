"""What claims share: checks, judgements, their words."""
