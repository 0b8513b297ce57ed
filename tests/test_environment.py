"""The lock, the ranges and the conda environment agree with each other."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKED = {
    canonicalize_name(name): version
    for name, version in re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
}


def required():
    lists = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    return [Requirement(text) for entries in lists for text in entries]


@pytest.mark.parametrize("requirement", required(), ids=str)
def test_the_lock_satisfies_every_range(requirement):
    assert LOCKED[canonicalize_name(requirement.name)] in requirement.specifier


@pytest.mark.parametrize("file", sorted((ROOT / "envs").glob("*.yaml")), ids=lambda path: path.name)
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
