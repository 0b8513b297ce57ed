"""Training objectives. Losses never build a (batch, batch, dim) tensor."""
