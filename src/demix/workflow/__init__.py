"""What the rules need: plans, paths, budgets, cache, states, SLURM. Never imports torch."""
