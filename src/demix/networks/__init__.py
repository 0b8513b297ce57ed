"""Networks: encoders, decoders and output spaces."""
