"""Values as Snakemake passes them on to commands, and functions as it looks at them."""

import inspect

import pytest

from demix.support.errors import ConfigError
from demix.workflow.plan.common import Functions, clear_errors, options


def test_options_are_there_only_where_there_is_something_to_say():
    assert options(urls=("a", "b"), path="", hint="or so", files=[]) == ["--urls", "a", "b", "--hint", "or so"]


class Part:
    gpus = 1

    def spec(self, wildcards, input):
        return wildcards, input


def test_methods_are_functions_with_the_signature_that_snakemake_looks_for():
    spec = Functions(Part()).spec
    assert not inspect.ismethod(spec)
    assert list(inspect.signature(spec).parameters) == ["wildcards", "input"]
    assert spec("w", input="i") == ("w", "i")
    assert Functions(Part()).gpus == 1


def test_a_mistake_ends_the_process_with_a_line_for_each_thing(capsys):
    with pytest.raises(SystemExit) as ended, clear_errors():
        raise ConfigError("one\nother")
    assert ended.value.code == "demix: error: one\ndemix: error: other"
