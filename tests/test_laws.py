"""The two laws of the house: a file in the package's own folder is a command, and there is no list by hand."""

import json
import re
import subprocess
import sys

import pytest
from house import PACKAGE, commands, defined_in, families, members, modules_below, words_of_tests
from project import CONFIG, ROOT

from demix.specs.base import Component
from demix.specs.families import base_of, member

FOR_PEOPLE = {"bench", "cache", "cells", "describe", "export_threedident", "show"}
"""Commands that no rule calls."""

WITHOUT_TORCH = ("claims", "collecting", "experiment", "figures", "scores", "specs", "tables", "workflow")
"""Folders of which no module imports torch."""

MEMBERS = [(family, kind) for family in families() for kind in members(family)]
CODED = [(family, kind) for family, kind in MEMBERS if issubclass(base_of(family), Component)]
"""Members that code implements: all but sources, which only say where data comes from."""


def parametrized(members):
    return pytest.mark.parametrize(
        ("family", "kind"), [pytest.param(family, kind, id=f"{family}.{kind}") for family, kind in members]
    )


every_member, every_coded_member = parametrized(MEMBERS), parametrized(CODED)


def implementation(family, kind):
    """Module and name of the code of a member."""
    module, _, name = member(family, kind).model_construct().implemented_by.partition(":")
    return module, name


def imported_by(code):
    """Names of the modules that a program has imported when it ends."""
    program = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert answer.returncode == 0, answer.stderr
    return set(json.loads(answer.stdout.splitlines()[-1]))


# A file in the package's own folder is a command


def rules():
    files = [ROOT / "Snakefile", *(ROOT / "rules").glob("*.smk")]
    found = (re.findall(r"^(?:rule|checkpoint) (\w+):", file.read_text(), re.MULTILINE) for file in files)
    return {name for names in found for name in names}


def test_a_command_has_the_name_of_its_rule_or_is_for_people():
    assert set(commands()) - FOR_PEOPLE <= rules()
    assert set(commands()) >= FOR_PEOPLE


def test_a_rule_calls_the_command_of_its_name():
    for file in (ROOT / "rules").glob("*.smk"):
        for name, body in re.findall(
            r"^(?:rule|checkpoint) (\w+):(.*?)(?=^\S|\Z)", file.read_text(), re.MULTILINE | re.DOTALL
        ):
            called = set(re.findall(r"python -m demix\.(\w+)", body))
            assert called <= {name}, f"{file.name}: rule {name}"


@pytest.mark.parametrize("command", commands())
def test_a_command_has_a_main_function_that_runs(command):
    path = PACKAGE / f"{command}.py"
    source = (path if path.exists() else PACKAGE / command / "__main__.py").read_text()
    assert re.search(r"^def main\(", source, re.MULTILINE)
    assert re.search(r'^if __name__ == "__main__":\n    run\(main\)\n', source, re.MULTILINE)


# No list by hand


def test_there_are_families():
    assert {"latents.densities", "networks.encoders", "objectives", "scores", "sources"} <= set(families())


@every_member
def test_a_member_is_one_class_that_derives_from_its_family(family, kind):
    found = member(family, kind)  # raises unless the module defines one class
    assert issubclass(found, base_of(family))
    assert found.kind_name() == kind
    assert found.__name__.endswith("Spec")
    assert found.__doc__


@every_coded_member
def test_the_code_of_a_member_is_there(family, kind):
    module, name = implementation(family, kind)
    assert defined_in(module) is not None, f"no source for {module}"
    assert name in defined_in(module)


@pytest.mark.parametrize("family", sorted({family for family, _ in CODED}))
def test_beside_the_code_of_members_lie_helpers_in_a_folder_of_their_own(family):
    """A module in the folder of a family's code is a member; all else lies in `common` (or another folder)."""
    folder = PACKAGE.joinpath(*family.split("."))
    if not folder.is_dir():
        pytest.skip("the family's code lies elsewhere")
    codes = {implementation(family, kind)[0].rsplit(".", 1)[1] for kind in members(family)}
    assert {path.stem for path in folder.glob("*.py")} - {"__init__"} <= codes


@every_member
def test_a_test_names_each_member(family, kind):
    found = member(family, kind)
    names = {kind, found.__name__} | ({implementation(family, kind)[1]} if (family, kind) in CODED else set())
    assert names & words_of_tests()


def test_rules_and_what_they_call_know_roles_and_no_kinds():
    kinds = "|".join({kind for _, kind in MEMBERS})
    folders = [PACKAGE / name for name in ("collecting", "experiment", "training", "workflow")]
    shared = [path for folder in folders for path in folder.rglob("*.py")]
    for file in [*PACKAGE.glob("*.py"), *shared, *(ROOT / "rules").glob("*.smk")]:
        written = re.findall(rf"""\bkind (?:==|!=|in|not in) .*["'](?:{kinds})["']""", file.read_text())
        assert not written, f"{file}: {written}"


# Planning imports no implementation


def test_planning_imports_neither_torch_nor_an_implementation():
    imported = imported_by(
        "from pathlib import Path\n"
        "from demix.experiment.reading import read_config\n"
        "from demix.workflow.plan.plan import WorkflowPlan\n"
        f"config = Path({str(CONFIG)!r})\n"
        "plan = WorkflowPlan.here([config], read_config(config))\n"
        "assert plan.experiment.runs and plan.experiment.tables\n"
        "assert all(run.key and run.data_key for run in plan.experiment.runs.values())\n"
    )
    codes = {implementation(family, kind)[0] for family, kind in CODED}
    assert not imported & {"torch", "matplotlib", "sklearn", *codes}
    heavy = ("demix.latents.", "demix.networks.", "demix.objectives.", "demix.pairs.", "demix.problems.")
    assert not [name for name in imported if name.startswith(heavy)]


def test_specs_of_a_users_own_name_their_code_too():
    class Own(Component):
        pass

    assert Own.model_construct().implemented_by.startswith(f"{__name__}:")


@pytest.mark.parametrize("folder", WITHOUT_TORCH)
def test_folders_that_never_import_torch(folder):
    imports = "\n".join(f"import {module}" for module in modules_below(folder))
    assert "torch" not in imported_by(imports)
