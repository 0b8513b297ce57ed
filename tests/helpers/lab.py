"""What the tests on SLURM share: a copy of the project, head processes, a look at jobs, comparison of results."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import torch

RUN = "box-uni-lap005_unb-lap"
CONFIG = f"""
scale: smoke
suites:
  icml_synthetic: {{scales: {{smoke: {{trainings: {{"*": {{steps: STEPS}}}}}}}}}}
  small:
    tables:
      small:
        title: A small table
        metrics: [r2, mcc]
        rows: {{first: {{identity: raw_box-uni, unsupervised: {RUN}}}}}
"""
STEPS = 12_000
"""Of a training that something is to happen to: some 10 seconds on a free core."""


def listen_to_ctrl_c() -> None:
    """As in a terminal, also where these tests run in the background of a script, whose children inherit deafness."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class LabError(AssertionError):
    """Something did not happen in time."""


def wait_for(what: str, done: Callable[[], object], seconds: float = 240) -> object:
    """Wait until `done` returns something true, and return it."""
    end = time.monotonic() + seconds
    while not (found := done()):
        if time.monotonic() > end:
            raise LabError(f"waited {seconds:.0f} s for {what}")
        time.sleep(0.2)
    return found


@dataclass
class Lab:
    """A clone and a working folder, and the head processes that are started there.

    Args:
        clone: a copy of the project.
        folder: the working folder; made if it is not there.
    """

    clone: Path
    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "small.yaml").write_text(CONFIG.replace("STEPS", str(STEPS)))

    def start(self, *arguments: str, log: str = "head.log", **environment: str) -> subprocess.Popen:
        """Start `snakemake --profile slurm small`, as a user does from the clone."""
        command = [sys.executable, "-m", "snakemake", "--profile", "slurm", "small", "--directory", str(self.folder)]
        command += ["--configfile", str(self.folder / "small.yaml"), "--config", "seeds=1", "device=cpu"]
        command += ["--slurm-init-seconds-before-status-checks", "3", "--latency-wait", "10", *arguments]
        with open(self.folder / log, "w") as file:
            return subprocess.Popen(
                command, cwd=self.clone, stdout=file, stderr=file, start_new_session=True,
                env=os.environ | {"PYTHONPATH": str(self.clone / "src"), "OMP_NUM_THREADS": "1"} | environment,
                preexec_fn=listen_to_ctrl_c,
            )  # fmt: skip

    def finish(self, *arguments: str, log: str = "head.log", **environment: str) -> str:
        """Run to a good end; what was said."""
        head = self.start(*arguments, log=log, **environment)
        return self.end(head, log)

    def end(self, head: subprocess.Popen, log: str = "head.log", code: int = 0, seconds: float = 400) -> str:
        """Wait for the end of a head process; what it said."""
        try:
            head.wait(seconds)
        except subprocess.TimeoutExpired:
            head.send_signal(signal.SIGINT)
            raise LabError(f"the head process did not end:\n{self.said(log)[-3000:]}") from None
        said = self.said(log)
        assert head.returncode == code, said[-6000:]
        return said

    def said(self, log: str = "head.log") -> str:
        return (self.folder / log).read_text()

    def submitted(self, log: str = "head.log") -> list[str]:
        """SLURM's numbers of the jobs that a head process submitted."""
        return re.findall(r"submitted with SLURM jobid (\d+)", self.said(log))

    def job(self, log: str = "head.log") -> str:
        """The number of the job that trains now, once its training is under way."""
        wait_for(f"a training in {self.folder}", self.trainer)
        return self.submitted(log)[-1]

    def trainer(self) -> int | None:
        """Process id of the training that is under way here: it listens to signals and has made its first step."""
        with contextlib.suppress(OSError):  # a log is deleted before a job writes it anew
            logs = [log.read_text() for log in self.folder.glob("results/smoke/logs/train/*/seed0.log")]
            if any("steps/s" in log for log in logs):
                return self._process()
        return None

    def _process(self) -> int | None:
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if "demix.train" in process.cmdline() and Path(process.cwd()) == self.folder:
                    return process.pid
        return None

    def hold(self) -> int:
        """Stop the training that is under way, however fast it is, until SLURM ends it or a SIGCONT comes; its id."""
        process = self.trainer()
        assert process, "the training ended before it was held"
        os.kill(process, signal.SIGSTOP)
        return process

    @property
    def seed_folder(self) -> Path:
        return next(self.folder.glob(f"results/smoke/runs/{RUN}-*/seed0"))

    def provenance(self) -> dict:
        return json.loads((self.seed_folder / "provenance.json").read_text())

    def results(self) -> tuple[dict, dict, pd.DataFrame]:
        """Weights, codes and the table's numbers."""
        weights = torch.load(self.seed_folder / "encoder.pt", weights_only=True)["encoder"]
        table = pd.read_parquet(self.folder / "results/smoke/tables/small.parquet")
        return weights, dict(np.load(self.seed_folder / "codes.npz")), table[["run", "metric", "mean"]]


def same_bits(one: Lab, other: Lab) -> None:
    """Weights, codes and printed numbers of two working folders are the same, bit for bit."""
    (weights, codes, table), (weights_, codes_, table_) = one.results(), other.results()
    assert weights.keys() == weights_.keys()
    assert all(torch.equal(weights[name], weights_[name]) for name in weights)
    assert all(np.array_equal(codes[name], codes_[name]) for name in codes)
    pd.testing.assert_frame_equal(table, table_, check_exact=True)


def state(job: str) -> str:
    """A job's state, as squeue has it."""
    return squeue("--states=all", "-j", job, "-o", "%T").strip()


def squeue(*arguments: str) -> str:
    return subprocess.run(["squeue", "-h", *arguments], capture_output=True, text=True, check=True).stdout


@contextlib.contextmanager
def mounted(target: Path, *arguments: str) -> Iterator[Path]:
    """A file system at `target` while the block runs."""
    target.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", *arguments, str(target)], check=True)
    try:
        yield target
    finally:
        subprocess.run(["umount", "--lazy", str(target)], check=True)
