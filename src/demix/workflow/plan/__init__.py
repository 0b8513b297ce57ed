"""What rules need: inputs, params and resources of every step, from the experiment. Nothing here knows Snakemake."""
