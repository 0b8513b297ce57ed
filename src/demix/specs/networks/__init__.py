"""Networks, as data: encoders, decoders, output layers."""
