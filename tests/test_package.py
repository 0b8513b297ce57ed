"""The package as others import it."""

import subprocess
import sys

import pytest

import demix


@pytest.mark.parametrize("name", demix.__all__)
def test_every_public_name_is_there_and_documented(name):
    assert getattr(demix, name).__doc__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="infonec"):
        demix.infonec  # noqa: B018


@pytest.mark.parametrize(
    "module", ["demix", "demix.experiment.experiment", "demix.workflow.paths", "demix.tables.plan", "demix.score", "demix.collect",
               "demix.tables.collect", "demix.tables.formats", "demix.render_table", "demix.show", "demix.describe",
               "demix.figures.plan", "demix.figures.draw", "demix.theory.checks", "demix.collect_figure",
               "demix.check_theorems", "demix.render_figure", "demix.collect_traces", "demix.figures.traces",
               "demix.download_kitti_masks", "demix.make_kitti_stand_in", "demix.datasets.common.download",
               "demix.datasets.kitti_masks", "demix.datasets.kitti_stand_in", "demix.datasets.common.mask_folder"],
)  # fmt: skip
def test_light_modules_never_import_torch(module):
    code = f"import {module}, sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize(
    "command", ["train", "synthetic_problem", "score", "collect", "render", "show", "describe", "collect_figure",
                "check_theorems", "render_figure", "collect_traces", "download_kitti_masks", "make_kitti_stand_in"],
)  # fmt: skip
def test_every_command_explains_itself(command):
    result = subprocess.run([sys.executable, "-m", f"demix.{command}", "--help"], capture_output=True, text=True)
    assert result.returncode == 0
    assert "usage: python -m demix." in result.stdout


def test_training_loads_neither_the_compiler_nor_the_statistics_libraries():
    code = (
        "import sys, torch\n"
        "from demix.support.building import build\n"
        "from demix.specs.run import RunSpec\n"
        "from demix.training.job import Trainee\n"
        "problem = {'space': 'box', 'dim': 2, 'marginal': 'uniform', 'mixing': {'candidates': 10}}\n"
        "model = {'output': 'box', 'objective': 'mean_squared_error'}\n"
        "training = {'steps': 1, 'batch_size': 4}\n"
        "spec = RunSpec.model_validate({'problem': problem, 'model': model, 'training': training})\n"
        "Trainee(spec, 0, build(spec.problem, seed=0)).step(0)\n"
        "sys.exit(any(name in sys.modules for name in ('torch._dynamo', 'sklearn', 'scipy.stats', 'pandas')))\n"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
