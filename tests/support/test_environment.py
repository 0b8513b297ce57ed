"""The lock, the ranges and the conda environment agree with each other."""

import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from project import ROOT

from demix.support.environment import limit_threads

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKED = {
    canonicalize_name(name): version
    for name, version in re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
}
OURS = [file for file in sorted((ROOT / "envs").glob("*.yaml")) if file.stem != "render"]
"""Environments of this package; the renderer's has pins of its own."""


def required():
    lists = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    return [Requirement(text) for entries in lists for text in entries]


@pytest.mark.parametrize("requirement", required(), ids=str)
def test_the_lock_satisfies_every_range(requirement):
    assert LOCKED[canonicalize_name(requirement.name)] in requirement.specifier


@pytest.mark.parametrize("file", OURS, ids=lambda path: path.name)
def test_conda_environments_have_the_locked_versions(file):
    *_, pip = yaml.safe_load(file.read_text())["dependencies"]
    pinned = [Requirement(entry) for entry in pip["pip"] if "==" in entry]
    assert {canonicalize_name(entry.name): str(entry.specifier) for entry in pinned} == {
        canonicalize_name(entry.name): f"=={LOCKED[canonicalize_name(entry.name)]}" for entry in pinned
    }
    assert {canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]} == {
        canonicalize_name(entry.name) for entry in pinned
    }


def test_the_lock_names_no_nvidia_wheel_so_that_a_cpu_build_needs_none():
    assert not [name for name in LOCKED if name.startswith(("nvidia", "cuda", "triton"))]


def make(*arguments):
    return subprocess.run(["make", *arguments], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("missing", "remedy"),
    [("ensurepip", "sudo apt install python3-venv"), ("version_info", "make env PYTHON=python3.12")],
)
def test_what_setting_up_needs_is_named_in_one_line(tmp_path, missing, remedy):
    python = tmp_path / "python3"
    python.write_text(f'#!/bin/sh\ncase "$*" in *{missing}*) exit 1;; *) exec {sys.executable} "$@";; esac\n')
    python.chmod(0o755)
    result = make("--silent", "env", f"PYTHON={python}", f"VENV={tmp_path / 'venv'}")
    said = [line for line in result.stderr.splitlines() if not line.startswith("make")]
    assert result.returncode != 0
    assert len(said) == 1
    assert remedy in said[0]


def test_a_cpu_build_is_requested_by_its_local_version(tmp_path):
    commands = make("-n", "env", "TORCH=cpu", f"VENV={tmp_path / 'venv'}").stdout
    assert "--extra-index-url" in commands
    assert "requirements-cpu.txt" in commands
    assert "extra-index-url" not in make("-n", "env", f"VENV={tmp_path / 'venv'}").stdout
    made = make(f"{tmp_path}/requirements-cpu.txt", "TORCH=cpu", f"VENV={tmp_path}")
    assert made.returncode == 0, made.stderr
    locked = (tmp_path / "requirements-cpu.txt").read_text()
    assert f"torch=={LOCKED['torch']}+cpu" in locked.splitlines()


def test_an_environment_that_is_ready_is_left_alone(tmp_path):
    (tmp_path / ".ready").touch()
    assert "Nothing to be done" in make("env", f"VENV={tmp_path}").stdout


@pytest.mark.parametrize(
    ("given", "policy", "spins"),
    [
        ({}, "PASSIVE", "30000"),
        ({"GOMP_SPINCOUNT": "7"}, "PASSIVE", "7"),
        ({"OMP_WAIT_POLICY": "ACTIVE"}, "ACTIVE", None),
    ],
)
def test_waiting_threads_do_as_the_user_says_and_else_sleep_after_a_while(monkeypatch, given, policy, spins):
    monkeypatch.setattr("demix.support.environment.os.environ", variables := dict(given))
    limit_threads(2)
    assert variables["OMP_NUM_THREADS"] == variables["OPENBLAS_NUM_THREADS"] == "2"
    assert variables["OMP_WAIT_POLICY"] == policy
    assert variables.get("GOMP_SPINCOUNT") == spins
