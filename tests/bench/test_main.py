"""The benchmark command, at tiny sizes: what it prints and writes. No time is asserted."""

import pytest

from demix.support.errors import ConfigError


def test_steps_and_samplers_print_a_table_and_write_a_plot(bench):
    printed, table = bench("step", "--p", "2", "--batch", "16")
    lines = printed.splitlines()
    assert lines[0].startswith("| p | batch | backend | ours_ms")
    assert lines[2].startswith("| 2 | 16 | eager | ")
    assert len(lines) == 3
    assert list(table["batch"]) == [16]


@pytest.mark.parametrize("option", ["--repeats", "--threads"])
def test_a_number_of_repeats_or_threads_is_at_least_one(bench, option):
    with pytest.raises(ConfigError, match="--repeats and --threads must be at least 1"):
        bench("step", option, "0")
