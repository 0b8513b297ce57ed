"""Keys: what changes one and what does not."""

import shutil
from fnmatch import fnmatchcase
from pathlib import Path
from types import SimpleNamespace

import pytest
from project import CONFIG

import demix
from demix.experiment import keys
from demix.experiment.experiment import load_experiment


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A copy of the packages whose files may be edited; `keys()` are then those of the copy."""
    located = {}
    for name in ("demix", "demix_render"):
        original = Path(demix.__file__).parents[1] / name
        shutil.copytree(original, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        located[name] = SimpleNamespace(submodule_search_locations=(str(tmp_path / name),))
    monkeypatch.setattr(keys, "find_spec", located.get)
    yield tmp_path / "demix"
    forget()


def forget():
    for function in (keys.module_digests, keys._parsed, keys._source):
        function.cache_clear()


def current_keys():
    forget()
    return {run.id: run.key for run in load_experiment(CONFIG).runs.values()}


def changed_by(source, file, old, new):
    before = current_keys()
    text = (source / file).read_text()
    assert old in text
    (source / file).write_text(text.replace(old, new))
    after = current_keys()
    return {run for run in before if before[run] != after[run]}


@pytest.mark.parametrize(
    "file",
    [
        "training/progress.py",
        "training/history.py",
        "training/loop.py",
        "cli.py",
        "files.py",
        "tables/view.py",
        "score.py",
    ],
)
def test_modules_around_the_result_change_no_key(source, file):
    assert not changed_by(source, file, '"""', 'SURPLUS = 1\n"""') or file == ""


def test_comments_and_docstrings_change_no_key(source):
    assert not changed_by(source, "objectives/streaming.py", "Log-sum-exp over all pairs", "# Sums over all pairs")
    assert not changed_by(source, "densities/vmf.py", "    def on_sphere", "    # a remark\n    def on_sphere")


def test_the_digest_is_the_same_in_every_version_of_python(source):
    (source / "small.py").write_text(
        '"""A text."""\nimport math\n\ndef f(x: int = 1) -> int:\n    return x * (2 + 3)  # why\n'
    )
    assert keys.code_digest(frozenset({"demix.small"}))[:16] == "f6af1adf1a8f8fde"


def test_a_loss_changes_the_keys_of_its_runs_alone(source):
    changed = changed_by(source, "objectives/lp_infonce.py", "exponent == 2", "exponent == 2.0")
    models = {run.id: run.spec.model for run in load_experiment(CONFIG).runs.values() if not run.is_raw}
    assert changed == {run for run, model in models.items() if model.objective.kind in ("lp_infonce", "align_uniform")}
    assert "box-uni-lap005_box-lap" in changed
    assert "sph-uni-vmf1_sph-vmf1" not in changed


def test_a_sampler_changes_the_keys_of_its_runs_alone(source):
    changed = changed_by(source, "densities/vmf.py", "one_minus_x0 = 2 * b", "one_minus_x0 = 2.0 * b")
    problems = {run.id: run.spec.problem for run in load_experiment(CONFIG).runs.values() if run.has_own_data}
    conditionals = {run: problem.conditional for run, problem in problems.items()}
    sampled = {run for run, problem in problems.items() if problem.marginal.kind == "vmf"}
    sampled |= {run for run, conditional in conditionals.items() if conditional and conditional.kind == "vmf"}
    assert changed == sampled
    assert {"sph-uni-vmf1_sph-vmf1", "sph-uni-vmf10_sph-vmf1"} <= sampled < set(problems)


def test_the_mixing_network_changes_the_key_of_every_synthetic_run(source):
    changed = changed_by(source, "mixing.py", "MAX_POOLS = 40", "MAX_POOLS = 41")
    assert changed == {run.id for run in load_experiment(CONFIG).runs.values() if run.has_own_data}


@pytest.mark.parametrize(
    ("file", "old", "new", "runs"),
    [
        ("conv_networks.py", "layer.bias.zero_()", "layer.bias.zero_().add_(0)", "kitti-* 3di-*"),
        ("mask_pairs.py", "1, self.max_separation + 1", "1, 1 + self.max_separation", "kitti-*"),
        ("datasets/kitti_stand_in.py", "RETURN = 0.02", "RETURN = 0.03", "kitti-*"),
        ("objectives/vae.py", "moves = torch.cat", "moves = 1 * torch.cat", "kitti-*vae*"),
        ("objectives/align_uniform.py", "self.alpha * uniformity", "1 * self.alpha * uniformity", "kitti-lau-*"),
        ("../demix_render/scene.py", "watts: float = 3000.0", "watts: float = 2000.0", "3di-* raw_3di"),
        ("../demix_render/blender.py", "cycles.max_bounces = 0", "cycles.max_bounces = 1", "3di-* raw_3di"),
        ("../demix_render/shard.py", "SECONDS_BETWEEN_LINES = 10.0", "SECONDS_BETWEEN_LINES = 11.0", ""),
        ("datasets/download.py", "TIMEOUT = 30.0", "TIMEOUT = 31.0", ""),
        ("datasets/card.py", "number + 1", "1 + number", ""),
        ("datasets/mask_folder.py", "round(float(value), 4)", "round(float(value), 5)", ""),
        ("picture_pairs.py", "BLOCK = 8192", "BLOCK = 4096", "3di-* raw_3di"),
        ("matched_pairs.py", "WIDTH_PAIRS = 4096", "WIDTH_PAIRS = 4095", "3di-norm* 3di-lap* 3di-sup* raw_3di"),
        ("augmentations.py", "TRIES = 10", "TRIES = 11", "3di-aug*"),
        ("pixels.py", "CUTOFF = 1e-12", "CUTOFF = 1e-11", "raw_3di"),
        ("datasets/rendered_pictures.py", "uniform(-1, 1,", "uniform(-1.0, 1,", "3di-* raw_3di"),
        ("datasets/picture_folder.py", "value), 4)", "value), 5)", ""),
        ("datasets/picture_archive.py", "CHUNK = 500", "CHUNK = 501", ""),
    ],
)
def test_code_for_images_changes_the_keys_of_the_runs_that_it_decides(source, file, old, new, runs):
    wanted = {run for run in current_keys() if any(fnmatchcase(run, pattern) for pattern in runs.split())}
    assert changed_by(source, file, old, new) == wanted


def test_at_the_published_scale_the_stand_in_decides_nothing_and_a_pinned_checksum_does(source):
    def paper(**config):
        forget()
        return {run.id: run.key for run in load_experiment(CONFIG, scale="paper", **config).runs.values()}

    before = paper()
    text = (source / "datasets/kitti_stand_in.py").read_text()
    (source / "datasets/kitti_stand_in.py").write_text(text.replace("RETURN = 0.02", "RETURN = 0.03"))
    assert paper() == before
    problems = load_experiment(CONFIG).config.problems
    pinned = {"kind": "kitti_masks", "sha256": "0" * 64}
    after = paper(problems=problems | {"kitti-k5": problems["kitti-k5"] | {"data": pinned}})
    assert {run for run in after if after[run] != before[run]} == {run for run in after if run.endswith("-k5")}


def test_a_width_changes_the_keys_of_the_runs_that_have_it():
    before = load_experiment(CONFIG)
    problem = {"space": "sphere", "marginal": "uniform", "conditional": {"kind": "vmf", "concentration": 2}}
    config = before.config.model_dump(exclude_unset=True) | {"scale": "demo"}
    config["problems"] = config["problems"] | {"sph-uni-vmf1": problem}
    from demix.experiment.experiment import Experiment

    after = Experiment(config)
    assert {run for run in after.runs if after.runs[run].key != before.runs[run].key} == {"sph-uni-vmf1_sph-vmf1"}


def test_problems_of_one_marginal_share_their_data():
    runs = [run for run in load_experiment(CONFIG).runs.values() if run.has_own_data]
    keys = {}
    for run in runs:
        keys.setdefault(run.spec.problem.without_conditional.model_dump_json(), set()).add(run.data_key)
    assert all(len(shared) == 1 for shared in keys.values())
    assert len({run.data_key for run in runs}) == len(keys) < len({run.key for run in runs})
    icml = {run.data_key for run in runs if run.id in load_experiment(CONFIG).config.runs and "ws-" not in run.id}
    assert len(icml) == 5
