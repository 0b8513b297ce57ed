"""From the configuration to resolved runs: suites, the scales' changes, sweeps, keys."""
