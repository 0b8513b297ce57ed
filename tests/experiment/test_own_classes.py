"""Classes of a user's own, from a file beside the configuration file."""

import sys

import pytest
from project import CONFIG

from demix.experiment import keys
from demix.experiment.experiment import load_experiment
from demix.support.errors import ConfigError

SPECS = '''
from typing import ClassVar

from demix.specs.objectives import ObjectiveSpec


class AlignmentSpec(ObjectiveSpec):
    """Mean Lp distance of the pairs."""

    implementation: ClassVar[str] = "MODULE_code:Alignment"
    exponent: float = 2.0
'''
CODE = '''
from MODULE_more import power

from demix.objectives.common.base import Loss, Objective


class Alignment(Objective):
    """An example; it collapses."""
'''
CONFIGURATION = """
suites:
  mine:
    models:
      two: {output: unbounded, objective: {kind: "MODULE:AlignmentSpec"}}
      three: {output: unbounded, objective: {kind: "MODULE:AlignmentSpec", exponent: 3}}
    runs:
      two: {problem: icml_synthetic/box-uni-lap005, model: two, training: icml_synthetic/contrastive}
      three: {problem: icml_synthetic/box-uni-lap005, model: three, training: icml_synthetic/contrastive}
"""


@pytest.fixture
def mine(tmp_path, monkeypatch, request):
    """A configuration file with modules beside it, whose names no other test has."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    module = f"own_{request.node.name.split('[')[0]}"
    texts = {f"{module}.py": SPECS, f"{module}_code.py": CODE, "mine.yaml": CONFIGURATION}
    texts[f"{module}_more.py"] = "def power(x):\n    return x**2\n"
    for name, text in texts.items():
        (tmp_path / name).write_text(text.replace("MODULE", module))
    return tmp_path / "mine.yaml"


def current_keys(file):
    for function in (keys.module_digests, keys._parsed, keys._source, keys._located):
        function.cache_clear()
    return {run.id: run.key for run in load_experiment(CONFIG, file).runs.values()}


def edit(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_entries_that_differ_in_one_field_have_different_keys(mine):
    runs = load_experiment(CONFIG, mine).runs
    assert runs["two"].key != runs["three"].key
    assert runs["two"].spec.model.objective.exponent == 2
    assert runs["two"].spec.model_dump()["model"]["objective"]["kind"].endswith(":AlignmentSpec")


def test_own_code_and_what_it_imports_from_its_folder_are_in_the_keys(mine):
    folder = mine.parent
    before = current_keys(mine)
    (code,), (more,) = folder.glob("*_code.py"), folder.glob("*_more.py")
    edit(code, "An example; it", "An example: it")
    assert current_keys(mine) == before
    edit(code, "power", "power as p")
    edited = current_keys(mine)
    assert {run for run in before if edited[run] != before[run]} == {"two", "three"}
    edit(more, "x**2", "x**3")
    again = current_keys(mine)
    assert {run for run in before if again[run] != edited[run]} == {"two", "three"}


def test_own_code_is_not_imported_to_read_the_configuration(mine):
    load_experiment(CONFIG, mine)
    assert not any(name.startswith("own_") and name.endswith("_code") for name in sys.modules)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("nothing_of_this_name:AlignmentSpec", "module nothing_of_this_name cannot be imported"),
        ("MODULE:Alignmnt", "has no class Alignmnt that derives from demix.specs.objectives.ObjectiveSpec"),
        ("demix.specs.latents.densities.normal:NormalSpec", "has no class NormalSpec that derives from"),
        ("AlignmentSpec", "unknown kind 'AlignmentSpec'"),
    ],
)
def test_a_class_that_is_not_there_is_named(mine, kind, message):
    module = next(mine.parent.glob("*_code.py")).name.removesuffix("_code.py")
    edit(mine, f'"{module}:AlignmentSpec"}}', f'"{kind.replace("MODULE", module)}"}}')
    with pytest.raises(ConfigError, match=r"suites\.mine\.models\.two") as error:
        load_experiment(CONFIG, mine)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_field_that_it_does_not_have_is_named(mine):
    edit(mine, "exponent: 3", "exponnt: 3")
    with pytest.raises(ConfigError, match=r"suites\.mine\.models\.three.*'exponnt' \(did you mean 'exponent'\?\)"):
        load_experiment(CONFIG, mine)
