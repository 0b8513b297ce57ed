"""Benchmarks: what the losses, steps, samplers and recipes cost on this machine. `python -m demix.bench --help`."""
