"""Parts of a user's own in jobs of a cluster: what docs/extending.md shows, through SLURM."""

import os
import subprocess
import sys

import pandas as pd
from extending import write_own_parts


def test_parts_beside_the_configuration_file_are_found_in_jobs(cluster, clone, tmp_path):
    own = write_own_parts(tmp_path)
    command = [sys.executable, "-m", "snakemake", "--profile", "slurm", "my_table", "--directory", str(own)]
    command += ["--configfile", os.path.relpath(own / "mine.yaml", clone), "--config", "seeds=1", "device=cpu"]
    command += ["--slurm-init-seconds-before-status-checks", "3", "--latency-wait", "10"]
    environment = os.environ | {"PYTHONPATH": str(clone / "src"), "OMP_NUM_THREADS": "1"}
    result = subprocess.run(command, cwd=clone, capture_output=True, text=True, env=environment, timeout=400)
    said = result.stdout + result.stderr
    assert result.returncode == 0, said[-5000:]
    assert said.count("submitted with SLURM") == 2  # a training, and raw images to score
    assert pd.read_parquet(own / "results/smoke/tables/my_table.parquet")["mean"].notna().all()
