"""Keys: which code changes them, and which does not."""

import shutil
from fnmatch import fnmatchcase
from pathlib import Path
from types import SimpleNamespace

import pytest
from project import CONFIG

import demix
from demix.experiment import keys
from demix.experiment.experiment import Experiment, load_experiment

SUITES = ("icml_synthetic", "workshop_synthetic", "kitti_masks", "threedident")
"""Those whose runs the patterns below are about; others may be added."""

SYNTHETIC = "!kitti-* !*3di*"
TRAINED = "!raw_*"


@pytest.fixture
def config(config):
    """The configuration with those suites alone."""
    return config | {"suites": {name: config["suites"][name] for name in SUITES}}


def runs_at(scale="demo"):
    return [run for run in load_experiment(CONFIG, scale=scale).runs.values() if run.suite in SUITES]


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the packages whose files may be edited."""
    folder = tmp_path_factory.mktemp("packages")
    for name in ("demix", "demix_render"):
        original = Path(demix.__file__).parents[1] / name
        shutil.copytree(original, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def source(copied, monkeypatch):
    """The copy; `current_keys()` are its."""
    located = {
        name: SimpleNamespace(submodule_search_locations=(str(copied / name),)) for name in ("demix", "demix_render")
    }
    forget()
    monkeypatch.setattr(keys, "find_spec", located.get)
    yield copied
    forget()


def forget():
    for function in (keys.module_digests, keys._parsed, keys._source, keys._located):
        function.cache_clear()


def current_keys(scale="demo"):
    forget()
    return {run.id: run.key for run in runs_at(scale)}


UNEDITED = {}
"""Keys of the copy by scale."""


def changed_by(source, module, edit, scale="demo"):
    """The runs whose keys change with an edit of the text of a module."""
    file = source / f"{module.replace('.', '/')}.py"
    text, before = file.read_text(), UNEDITED.get(scale) or UNEDITED.setdefault(scale, current_keys(scale))
    file.write_text(edit(text))
    after = current_keys(scale)
    file.write_text(text)
    return {run for run in before if before[run] != after[run]}


def one_more_name(text):
    return f"{text}\n\nSURPLUS = 1\n"


def matching(patterns):
    """Ids of the runs of the demo that match any of the patterns that are not refused by one with "!"."""
    wanted = [pattern for pattern in patterns.split() if not pattern.startswith("!")]
    refused = [pattern[1:] for pattern in patterns.split() if pattern.startswith("!")]
    return {
        run
        for run in (found.id for found in runs_at())
        if any(fnmatchcase(run, pattern) for pattern in wanted or ["*"])
        and not any(fnmatchcase(run, pattern) for pattern in refused)
        and patterns
    }


DECIDE = [
    ("demix.training.trainee", TRAINED),
    ("demix.training.update", TRAINED),
    ("demix.training.optimizers.adam", TRAINED),
    ("demix.training.optimizers.soap", ""),
    ("demix.objectives.common.base", TRAINED),
    ("demix.objectives.dot_infonce", "*_sph-vmf1 sph-vmf-vmf* 3di-*_sph-vmf"),
    ("demix.objectives.mean_squared_error", "sup_* 3di-sup_unb"),
    ("demix.objectives.align_uniform", "kitti-lau-*"),
    ("demix.objectives.common.vae", "kitti-*vae*"),
    ("demix.objectives.slow_vae", "kitti-slowvae-*"),
    ("demix.objectives.beta_vae", "kitti-beta-vae"),
    ("demix.objectives.aninfonce", ""),
    ("demix.networks.encoders.mlp", f"{TRAINED} {SYNTHETIC}"),
    ("demix.networks.encoders.conv", "kitti-* 3di-*"),
    ("demix.networks.encoders.resnet18", ""),
    ("demix.networks.decoders.conv", "kitti-*vae*"),
    ("demix.latents.generators.mixing", SYNTHETIC),
    ("demix.latents.spaces.sphere", "*sph-uni* *sph-norm1* *sph-gn21* sph-vmf-vmf*"),
    ("demix.latents.densities.vmf", "*-vmf1_* *-vmf10_* sph-vmf-vmf*"),
    ("demix.latents.densities.generalized_normal", "*-gn3005_*"),
    ("demix.problems.synthetic", SYNTHETIC),
    ("demix.problems.images", "kitti-* *3di*"),
    ("demix.pairs.frames_of_a_sequence", "kitti-*"),
    ("demix.pairs.matched", "*3di* !3di-aug*"),
    ("demix.pairs.augmented", "3di-aug*"),
    ("demix.datasets.kitti_stand_in", "kitti-*"),
    ("demix.datasets.kitti_masks", ""),
    ("demix.datasets.threedident", "*3di*"),
    ("demix_render.scene", "*3di*"),
    ("demix_render.blender", "*3di*"),
    ("demix.scores.common.pixels", "raw_3di"),
]
"""Modules that decide a result, with the runs of the demo that they reach."""


@pytest.mark.parametrize(("module", "runs"), DECIDE, ids=[module for module, _ in DECIDE])
def test_code_changes_the_keys_of_the_runs_that_it_decides_and_of_no_others(source, module, runs):
    assert changed_by(source, module, one_more_name) == matching(runs)


AROUND = [
    "demix.train",
    "demix.score",
    "demix.training.loop",
    "demix.training.job",
    "demix.training.progress",
    "demix.training.history",
    "demix.training.checkpoint",
    "demix.support.cli",
    "demix.support.files",
    "demix.support.codes",
    "demix.scores.r2",
    "demix.tables.view",
    "demix.specs.training.__init__",
    "demix.experiment.keys",
    "demix.datasets.common.download",
    "demix_render.shard",
]


@pytest.mark.parametrize("module", AROUND)
def test_code_around_a_result_changes_no_key(source, module):
    assert changed_by(source, module, one_more_name) == set()


def test_comments_and_docstrings_change_no_key(source):
    def commented(text):
        return text.replace("    def forward", "    # a remark\n    def forward")

    module = "demix.objectives.mean_squared_error"
    assert changed_by(source, module, commented) == set()
    assert changed_by(source, module, lambda text: text.replace('"""', '"""Another text. ', 1)) == set()
    assert (
        changed_by(source, module, lambda text: f'{text}\n"""What describes a constant stands below it."""\n') == set()
    )
    assert changed_by(source, module, lambda text: text.replace("return", "return 1 *", 1)) == matching(
        "sup_* 3di-sup_unb"
    )


def test_the_digest_is_the_same_in_every_version_of_python(source):
    (source / "demix/small.py").write_text(
        '"""A text."""\nimport math\n\ndef f(x: int = 1) -> int:\n    return x * (2 + 3)  # why\n'
    )
    assert keys.code_digest(frozenset({"demix.small"}))[:16] == "f6af1adf1a8f8fde"


def test_at_the_published_scale_the_stand_in_decides_nothing(source):
    assert changed_by(source, "demix.datasets.kitti_stand_in", one_more_name, "paper") == set()
    assert changed_by(source, "demix.datasets.kitti_masks", one_more_name, "paper") == matching("kitti-*")


def keys_with(change, path, value):
    return {run.id: run.key for run in Experiment(change(path, value)).runs.values()}


def test_a_pinned_checksum_of_the_data_changes_the_keys_of_its_runs(change, config):
    config["scale"] = "paper"
    before = {run.id: run.key for run in Experiment(config).runs.values()}
    pinned = {"kind": "kitti_masks", "sha256": "0" * 64}
    after = keys_with(change, "suites/kitti_masks/problems/kitti-k5/data", pinned)
    assert {run for run in after if after[run] != before[run]} == {run for run in after if run.endswith("-k5")}


def test_a_width_changes_the_keys_of_the_runs_that_have_it(change):
    problem = {"space": "sphere", "marginal": "uniform", "conditional": {"kind": "vmf", "concentration": 2}}
    before = current_keys()
    after = keys_with(change, "suites/icml_synthetic/problems/sph-uni-vmf1", problem)
    assert {run for run in after if after[run] != before[run]} == {"sph-uni-vmf1_sph-vmf1"}


@pytest.mark.parametrize(
    ("problem", "scored"),
    [("icml_synthetic/problems/*", "raw_*uni raw_*norm1 raw_*lap1"), ("threedident/problems/*", "raw_3di")],
)
def test_what_is_scored_on_changes_no_key_of_a_training(change, problem, scored):
    before = current_keys()
    suite, kind, pattern = problem.split("/")
    after = keys_with(change, f"suites/{suite}/scales/demo/{kind}/{pattern}/evaluation_samples", 100)
    changed = {run for run in after if after[run] != before[run]}
    assert changed == {run for run in matching(scored) if "ws-" not in run}


def test_problems_of_one_marginal_share_their_data():
    runs = [run for run in runs_at() if run.has_own_data]
    data = {}
    for run in runs:
        data.setdefault(run.spec.problem.without_conditional.model_dump_json(), set()).add(run.data_key)
    assert all(len(shared) == 1 for shared in data.values())
    assert len({run.data_key for run in runs}) == len(data) < len({run.key for run in runs})
    icml = {run.data_key for run in runs if run.suite == "icml_synthetic" and "@" not in run.id}
    assert len(icml) == 5
