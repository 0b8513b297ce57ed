"""The package as others import it, and its commands."""

import ast
import json
import subprocess
import sys

import pytest
from house import PACKAGE, commands

import demix

HELP = """
import contextlib, io, json, runpy, sys
said = {}
for command in sys.argv[1:]:
    sys.argv, out, code = [command, "--help"], io.StringIO(), None
    with contextlib.redirect_stdout(out):
        try:
            runpy.run_module(f"demix.{command}", run_name="__main__", alter_sys=True)
        except SystemExit as end:
            code = end.code
    said[command] = [code, out.getvalue()]
    assert "torch" not in sys.modules, f"demix.{command} --help imports torch"
print(json.dumps(said))
"""


def run(code, *arguments):
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)


@pytest.mark.parametrize("name", demix.__all__)
def test_every_public_name_is_there_and_documented(name):
    assert getattr(demix, name).__doc__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="infonec"):
        demix.infonec  # noqa: B018


def test_the_public_names_are_listed_once_where_type_checkers_read_them():
    nodes = ast.parse((PACKAGE / "__init__.pyi").read_text()).body
    names = [alias.asname for node in nodes for alias in node.names]
    assert sorted(names) == dir(demix) == demix.__all__
    assert len(set(names)) == len(names)
    assert not [name for name in names if name in (PACKAGE / "__init__.py").read_text()]


def test_importing_the_package_is_light():
    assert run("import demix, sys; sys.exit('torch' in sys.modules or 'numpy' in sys.modules)").returncode == 0


def test_every_command_explains_itself_without_importing_torch():
    answer = run(HELP, *commands())
    assert answer.returncode == 0, answer.stderr
    said = json.loads(answer.stdout)
    assert set(said) == set(commands())
    for command, (code, text) in said.items():
        assert code == 0, command
        assert f"usage: python -m demix.{command}" in text


def test_training_loads_neither_the_compiler_nor_the_statistics_libraries():
    code = (
        "import sys, torch\n"
        "from demix.support.building import build\n"
        "from demix.specs.run import RunSpec\n"
        "from demix.training import job\n"
        "problem = {'space': 'box', 'dim': 2, 'marginal': 'uniform', 'generator': {'candidates': 10}}\n"
        "model = {'output': 'box', 'objective': 'mean_squared_error'}\n"
        "training = {'steps': 1, 'batch_size': 4}\n"
        "spec = RunSpec.model_validate({'problem': problem, 'model': model, 'training': training})\n"
        "job.Trainee(spec, 0, build(spec.problem, seed=0)).step(0)\n"
        "sys.exit(any(name in sys.modules for name in ('torch._dynamo', 'sklearn', 'scipy.stats', 'pandas')))\n"
    )
    assert run(code).returncode == 0
