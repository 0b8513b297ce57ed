"""Optimizers: how a step changes parameters, given their gradients. The contract is in `common.base`."""
