"""A SLURM cluster: the settings of the site, and the jobs of this workflow in its queue.

Settings lie in profiles/slurm/site.yaml, which git ignores (site.example.yaml is a template), or in environment
variables: DEMIX_SLURM_ACCOUNT=physics beats `account: physics`. One that is not set leaves the choice to the cluster.
Never imports torch.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, PositiveInt

from demix.specs.base import Spec, parse
from demix.support.checkout import CHECKOUT
from demix.support.errors import ConfigError, DemixError

PREFIX = "DEMIX_SLURM_"
PROFILE = CHECKOUT / "profiles" / "slurm"
SITE_FILE = "site.yaml"
PARTITION_FILE = "partitions.yaml"

JOB_NAME = "demix"
"""How the names of our jobs start (slurm-jobname-prefix in the profile)."""

SECONDS_TO_LEAVE = 600.0
"""How long cancelled jobs may take to leave the queue."""


class Site(Spec):
    """What differs between clusters."""

    account: str = Field("", description="account that is charged (sbatch --account)")
    partition: str = Field("", description="partition of jobs without a GPU")
    gpu_partition: str = Field("", description="partition of jobs with a GPU")
    gpu: Literal["gpus", "gres"] = Field("gpus", description="how a GPU is requested: --gpus=1 or --gres=gpu:1")
    gpu_model: str = Field("", description="kind of GPU, as the cluster calls it: --gpus=a100:1 or --gres=gpu:a100:1")
    qos: str = Field("", description="quality of service")
    constraint: str = Field("", description="features that a node must have")
    max_minutes: PositiveInt | None = Field(None, description="longest run time that a job may request")
    max_jobs: PositiveInt = Field(100, description="jobs in the queue at a time")

    def resources(self, gpus: int) -> dict[str, Any]:
        """Resources of a job with that many GPUs, as the executor plugin names them."""
        named = {
            "slurm_account": self.account,
            "slurm_partition": (self.gpu_partition if gpus else "") or self.partition,
            "qos": self.qos,
            "constraint": self.constraint,
        }
        return {name: value for name, value in named.items() if value} | self._gpu_request(gpus)

    def _gpu_request(self, gpus: int) -> dict[str, Any]:
        if not gpus:
            return {}
        if self.gpu == "gres":
            return {"gres": ":".join(filter(None, ["gpu", self.gpu_model, str(gpus)]))}
        return {"gpu": gpus} | ({"gpu_model": self.gpu_model} if self.gpu_model else {})

    def minutes(self, wanted: float) -> int:
        """The run time to request, at most the limit, in whole minutes."""
        return min(round(wanted), self.max_minutes or sys.maxsize)


def read_site(profile: Path = PROFILE) -> Site:
    """The settings of this cluster.

    Raises:
        ConfigError: one line for each thing that is wrong with them.
    """
    import yaml

    settings: dict[str, Any] = {}
    file = profile / SITE_FILE
    if file.exists():
        try:
            settings = yaml.safe_load(file.read_text()) or {}
        except (OSError, yaml.YAMLError) as error:
            raise ConfigError(f"{file}: not readable as YAML ({str(error).splitlines()[0]})") from None
        if not isinstance(settings, dict):
            raise ConfigError(f"{file}: must hold a mapping")
    for variable, value in os.environ.items():
        if variable.startswith(PREFIX) and value:
            settings[variable.removeprefix(PREFIX).lower()] = value
    settings = {key: str(value) if isinstance(value, int) else value for key, value in settings.items()}
    return parse(Site, settings, f"{file} or {PREFIX}*")


def profile_site() -> Site:
    """The settings for the profile, which is read before anything can be said about them: faulty ones come later."""
    try:
        return read_site()
    except ConfigError:
        return Site()


def partition_file(profile: Path = PROFILE) -> str | None:
    """A description of the cluster's partitions from which the executor chooses, if there is one."""
    file = profile / PARTITION_FILE
    return str(file) if file.exists() else None


@dataclass(frozen=True)
class Job:
    """One of our jobs in the queue.

    Args:
        id: SLURM's number.
        state: as squeue has it, such as PENDING or RUNNING.
        where: node, or in brackets why it waits.
        what: rule and wildcards, such as "rule_train_wildcards_paper_<run folder>_0".
    """

    id: str
    state: str
    where: str
    what: str

    def trains(self, scale: str, run_folder: str, seed: int) -> bool:
        """It trains this run with this seed."""
        return self.what == f"rule_train_wildcards_{scale}_{run_folder}_{seed}"


def jobs_of(folder: Path) -> list[Job]:
    """Jobs that a head process in `folder` has submitted and that are still in the queue.

    Told from others by their working folder and by their name: a job of the user's own that was submitted from this
    folder is none of them, nor is the one that this process runs in.

    Raises:
        DemixError: squeue does not answer.
    """
    command = ["squeue", "--me", "--noheader", "--format=%A\t%T\t%R\t%k\t%j\t%Z"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    except (OSError, subprocess.SubprocessError) as error:
        reason = getattr(error, "stderr", "") or str(error)
        raise DemixError(f"squeue does not answer: {reason.strip().splitlines()[0]}") from None
    fields = (line.split("\t") for line in listed.splitlines())
    return [
        Job(job, state, where, what)
        for job, state, where, what, name, workdir in fields
        if re.fullmatch(rf"{JOB_NAME}_[0-9a-f-]{{36}}", name)
        and os.path.realpath(workdir) == os.path.realpath(folder)
        and job != os.environ.get("SLURM_JOB_ID")
    ]


def cancel_leftovers(folder: Path, say: Callable[[str], None] = print, pause: float = 2.0) -> int:
    """Cancel jobs of `folder` that a head process left behind, and wait until they are gone.

    Only the head process that owns the folder may call it, before it submits anything.

    Args:
        folder: the working folder.
        say: told what is going on.
        pause: seconds between two looks at the queue.

    Returns:
        How many there were.

    Raises:
        DemixError: SLURM does not answer, or they do not leave the queue.
    """
    left = jobs_of(folder)
    if not left:
        return 0
    ids = [job.id for job in left]
    say(f"cancelling {len(ids)} SLURM jobs that a killed head process left in this folder: {' '.join(ids)}")
    subprocess.run(["scancel", *ids], capture_output=True, text=True, timeout=120)
    end = time.monotonic() + SECONDS_TO_LEAVE
    while waiting := [job for job in jobs_of(folder) if job.id in ids]:
        if time.monotonic() > end:
            states = ", ".join(f"{job.id} {job.state} {job.where}" for job in waiting)
            raise DemixError(f"these SLURM jobs of this folder were cancelled but do not leave the queue: {states}")
        time.sleep(pause)
    return len(ids)
