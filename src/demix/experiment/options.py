"""How commands that read the configuration themselves are told which: the same options as Snakemake's."""

import argparse
import os
from pathlib import Path

from demix.experiment.experiment import Experiment, load_experiment
from demix.support.checkout import CHECKOUT
from demix.support.errors import ConfigError


def add_config_options(arguments: argparse.ArgumentParser) -> None:
    """Options of commands that read the configuration themselves."""
    arguments.add_argument(
        "--configfile",
        nargs="+",
        type=Path,
        default=[],
        help="files that are laid over the workflow's workflow_config.yaml, as in snakemake --configfile",
    )
    arguments.add_argument("--scale", help="in place of the configuration's")
    arguments.add_argument("--seeds", type=int, help="number of seeds, in place of the scale's")
    arguments.add_argument("--device", choices=["auto", "cpu", "cuda"], help="in place of the scale's")
    arguments.add_argument("--directory", type=Path, help="where results/ lies, as in snakemake --directory")


def base_config() -> Path:
    """`workflow_config.yaml` of the checkout that this package belongs to, else of the working folder."""
    checkout = CHECKOUT / "workflow_config.yaml"
    return checkout if checkout.exists() else Path("workflow_config.yaml")


def experiment_of(options: argparse.Namespace) -> Experiment:
    """The experiment that `add_config_options` describe; the working folder becomes that of its results.

    Raises:
        ConfigError: the configuration is not valid, or the folder is not there.
    """
    experiment = load_experiment(
        base_config(), *options.configfile, scale=options.scale, seeds=options.seeds, device=options.device
    )
    if options.directory:
        try:
            os.chdir(options.directory)
        except OSError as error:
            raise ConfigError(f"--directory: {error}") from None
    return experiment
