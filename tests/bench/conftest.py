"""What the tests of the benchmarks share."""

import sys

import pandas as pd
import pytest

from demix.bench import __main__ as command
from demix.objectives.kernels import compiled


@pytest.fixture
def bench(monkeypatch, tmp_path, capsys):
    """Runs the command with arguments; standard output, and the rows of its parquet file."""

    def call(what, *arguments):
        monkeypatch.setattr(compiled, "compiler_of", lambda device: None)  # compiling takes longer than all the rest
        monkeypatch.setenv("OMP_NUM_THREADS", "1")
        monkeypatch.setattr(
            sys, "argv", ["bench", what, "--quick", "--threads", "1", "--out", str(tmp_path), *arguments]
        )
        command.main()
        assert (tmp_path / f"{what}.png").read_bytes().startswith(b"\x89PNG")
        return capsys.readouterr().out, pd.read_parquet(tmp_path / f"{what}.parquet")

    compiled._compiled.cache_clear()
    yield call
    compiled._compiled.cache_clear()  # other tests have a compiler
