"""Measure what training costs on this machine.

    loss       InfoNCE, forward and backward, beside the formula written naively and beside torch.cdist
    step       a whole training step beside one made of the naive parts
    samplers   samples per second beside numpy and scipy
    loading    pairs of images, and steps on them, beside a DataLoader with workers
    feeding    images of 3DIdent from a mapped array beside decoded files, and steps of ResNet-18 on them
    score      seconds of training until a score is reached, from the configuration's recipes

All contenders of a comparison are measured in one run, in rounds; times are medians. Memory is the peak above what was
there before the call, each contender in a process of its own (on a GPU: torch's own count). Prints a table, or with
--json an object a line, and writes <what>.parquet and <what>.png into the output folder.
"""

import argparse
import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from demix.support.cli import parser, run
from demix.support.environment import limit_threads
from demix.support.errors import ConfigError

SIZES = {
    "loss": ([64], [512, 1024, 2048, 4096, 6144]),
    "step": ([64], [6144]),
    "samplers": ([64], [6144]),
    "loading": ([4], [32]),
    "feeding": ([8], [512]),
}
"""Batches with --quick and without."""

EXPONENTS = ["dot", "1", "2", "3"]


def main() -> None:
    """Command line."""
    arguments = parser("bench", __doc__)
    commands = arguments.add_subparsers(
        dest="what", required=True, metavar="{loss,step,samplers,loading,feeding,score}"
    )
    for what, text in [
        ("loss", "InfoNCE, forward and backward"),
        ("step", "whole training steps"),
        ("samplers", "samples per second"),
        ("loading", "pairs of images"),
        ("feeding", "images of 3DIdent"),
        ("score", "seconds until a score is reached"),
    ]:
        command = commands.add_parser(what, help=text, description=text)
        _add_common(command)
        if what == "score":
            _add_score(command)
        else:
            command.add_argument("--batch", type=int, nargs="+", help="batch sizes")
        if what in ("loss", "step"):
            command.add_argument(
                "--p", nargs="+", choices=EXPONENTS, default=EXPONENTS, help="dot product or exponents"
            )
    options = arguments.parse_args()
    if options.repeats < 1 or options.threads < 1:
        raise ConfigError("--repeats and --threads must be at least 1")
    limit_threads(options.threads)
    from demix.bench.report import Report  # torch and numpy read the number of threads when they are imported

    report = Report(options.what, options.out, as_json=options.json)
    for row in _rows(options):
        report.add(row)
    report.finish()


def _add_common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--device", default="auto", choices=["auto", "cpu", "cuda"], help="default: %(default)s")
    command.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="CPU threads (default: %(default)s)")
    command.add_argument("--repeats", type=int, default=5, help="of which the median is taken (default: %(default)s)")
    command.add_argument("--json", action="store_true", help="print one JSON object a line")
    command.add_argument("--out", type=Path, default=Path("results/bench"), help="folder (default: %(default)s)")
    command.add_argument("--quick", action="store_true", help="tiny sizes, to see that it works")


def _add_score(command: argparse.ArgumentParser) -> None:
    command.add_argument("--scale", default="laptop", help="scale of the recipes (default: %(default)s)")
    command.add_argument(
        "--run", nargs="+", help="ids of runs (default: every run of the tables that is trained on pairs)"
    )
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--minutes", type=float, default=20.0, help="at most, for a run (default: %(default)s)")
    command.add_argument(
        "--reach", type=float, nargs="+", default=[0.8, 0.9, 0.95, 0.98], help="scores (default: 0.8 0.9 0.95 0.98)"
    )


def _rows(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The rows of a benchmark, as they come."""
    from demix.training.device import choose_device

    benchmark = import_module(f"demix.bench.{options.what}")
    device, threads = choose_device(options.device), options.threads
    if options.what == "score":
        return benchmark.rows(options, device)
    repeats = 2 if options.quick else options.repeats
    small, large = SIZES[options.what]
    batches = options.batch or (small if options.quick else large)
    if options.what in ("loss", "step"):
        warm_up = 0.0 if options.quick else benchmark.WARM_UP_SECONDS
        return benchmark.rows(options.p, batches, device, threads, repeats, warm_up)
    if options.what == "samplers":
        return benchmark.rows(batches, device, threads, repeats)
    return benchmark.rows(batches, device, threads, repeats, options.quick)


if __name__ == "__main__":
    run(main)
