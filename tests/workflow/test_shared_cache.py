"""The shared cache in the workflow: who trains nothing, and what is trained all the same."""

import shutil

import numpy as np
import pytest
from project import copy_project, edited, planned, snakemake

SMALL = """
scale: smoke
suites:
  small:
    tables:
      small:
        title: A small table
        metrics: [r2]
        rows:
          sphere: {unsupervised: sph-uni-vmf1_sph-vmf1}
          box: {identity: raw_box-uni, unsupervised: box-uni-lap005_unb-lap}
"""
TRAININGS = 4
DATA = 4
COMMAND = ["small", "--configfile", "small.yaml"]


def new_clone(target):
    copy_project(target)
    (target / "small.yaml").write_text(SMALL)
    return target


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def first(tmp_path_factory, cache):
    """A clone whose results fill the cache."""
    clone = new_clone(tmp_path_factory.mktemp("first") / "demix")
    result = snakemake(clone, *COMMAND, DEMIX_CACHE=str(cache))
    assert planned(result)["train"] == TRAININGS
    return clone


@pytest.fixture(scope="module")
def second(tmp_path_factory, first):
    return new_clone(tmp_path_factory.mktemp("second") / "elsewhere")


def plan(clone, cache, *arguments, **more):
    jobs = planned(snakemake(clone, "-n", *COMMAND, *arguments, DEMIX_CACHE=str(cache), **more))
    return jobs.get("train", 0), jobs.get("reuse", 0)


def test_the_first_clone_has_nothing_to_do_with_the_cache_or_without(first, cache):
    for value in (str(cache), ""):
        result = snakemake(first, "-n", *COMMAND, DEMIX_CACHE=value)
        assert "Nothing to be done" in result.stdout + result.stderr


def test_a_second_clone_would_train_everything_without_the_cache(second):
    assert plan(second, "") == (TRAININGS, 0)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("src/demix/objectives/lp_infonce.py", "import torch\n", "import torch\n\n# a comment\n"),
        ("small.yaml", "A small table", "Another title"),
        ("small.yaml", "          box:", "          more: {unsupervised: sph-uni-vmf1_sph-vmf1}\n          box:"),
        ("src/demix/tables/view.py", "DITTO = ", "SURPLUS = 1\nDITTO = "),
        ("rules/runs.smk", "threads: RUNS.threads", "threads: 2"),
        ("suites/icml_synthetic.yaml", "evaluation_samples: 256", "evaluation_samples: 128"),
    ],
)
def test_what_decides_no_result_is_no_miss(second, cache, file, old, new):
    with edited(second, file, old, new):
        jobs = plan(second, cache)
    assert jobs == (0, TRAININGS)


def with_version(folder, package, version):
    """A folder that makes Python believe in another version of a package."""
    info = folder / f"{package}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    return folder


def test_another_folder_device_place_of_the_data_or_matplotlib_is_no_miss(second, cache, tmp_path):
    assert plan(second, cache, "--directory", str(tmp_path), "--config", "device=cpu") == (0, TRAININGS)
    assert plan(second, cache, DEMIX_DATA=str(tmp_path / "data")) == (0, TRAININGS)
    path = f"{with_version(tmp_path, 'matplotlib', '99.0')}:{second / 'src'}"
    assert plan(second, cache, PYTHONPATH=path) == (0, TRAININGS)


@pytest.mark.parametrize(
    ("file", "old", "new", "trained"),
    [
        ("src/demix/objectives/common/lp.py", "exponent == 2", "exponent == 2.0", 2),
        ("src/demix/latents/densities/vmf.py", "one_minus_x0 = 2 * b", "one_minus_x0 = 2.0 * b", 2),
        ("src/demix/support/randomness.py", "import", "SURPLUS = 1\nimport", 4),
        ("small.yaml", "    tables:", "    trainings: {other: {learning_rate: 0.5}}\n    tables:", 0),
        (
            "suites/icml_synthetic.yaml",
            "batch_size: 32, learning_rate: 0.001",
            "batch_size: 32, learning_rate: 0.01",
            4,
        ),
    ],
)
def test_what_decides_a_result_is_a_miss(second, cache, file, old, new, trained):
    with edited(second, file, old, new):
        jobs = plan(second, cache)
    assert jobs == (trained, TRAININGS - trained)


@pytest.mark.parametrize("package", ["torch", "numpy"])
def test_another_version_of_the_numerics_is_a_miss(second, cache, tmp_path, package):
    path = f"{with_version(tmp_path, package, '99.0')}:{second / 'src'}"
    assert plan(second, cache, PYTHONPATH=path) == (TRAININGS, 0)


def test_more_seeds_train_only_the_new_ones(second, cache):
    assert plan(second, cache, "--config", "seeds=3") == (2, TRAININGS)


def test_forced_reruns_need_the_cache_switched_off(second, cache):
    assert plan(second, cache, "--forceall") == (0, TRAININGS)
    assert plan(second, "", "--forceall") == (TRAININGS, 0)


def test_a_second_clone_trains_nothing_and_gets_the_same_bits(first, second, cache):
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()}
    result = snakemake(second, *COMMAND, DEMIX_CACHE=str(cache))
    assert planned(result)["reuse"] == TRAININGS
    assert "train" not in planned(result)
    names = [path.relative_to(first) for path in first.glob("results/smoke/runs/*/seed*/*")]
    names += [path.relative_to(first) for path in first.glob("results/data/**/*") if path.is_file()]
    assert len(names) == TRAININGS * 4 + DATA * 4
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in names)
    assert before == {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()}
    tables = [(clone / "results/smoke/tables/small.csv").read_text() for clone in (first, second)]
    assert tables[0] == tables[1]
    for path in second.glob("results/smoke/logs/*/**/*.log"):
        assert "taken from" in path.read_text() or path.parent.name in ("score", "collect", "render_table")


def test_an_evaluation_set_that_an_entry_does_not_have_is_encoded(first, cache, tmp_path):
    clone = new_clone(tmp_path / "sets")
    with edited(clone, "suites/icml_synthetic.yaml", "evaluation_samples: 256", "evaluation_samples: 128"):
        result = snakemake(clone, *COMMAND, DEMIX_CACHE=str(cache))
        jobs = planned(result)
        assert (jobs["reuse"], jobs["encode_set"]) == (TRAININGS, TRAININGS)
        result = snakemake(clone, "-n", *COMMAND, DEMIX_CACHE=str(cache))
    assert "Nothing to be done" in result.stdout + result.stderr


def test_damaged_entries_are_found_and_replaced(first, cache, tmp_path):
    clone, hurt = new_clone(tmp_path / "third"), tmp_path / "cache"
    shutil.copytree(cache, hurt)
    for number, entry in enumerate(sorted(hurt.glob("train/*/*"))[:2]):
        codes = entry / "codes.npz"
        content = bytearray(codes.read_bytes())
        codes.chmod(0o600)
        codes.write_bytes(content[:-100] if number else content[:100] + b"\0" + content[101:])
    assert plan(clone, hurt) == (2, TRAININGS - 2)
    snakemake(clone, *COMMAND, DEMIX_CACHE=str(hurt))
    assert plan(new_clone(tmp_path / "fourth"), hurt) == (0, TRAININGS)
    for path in clone.glob("results/smoke/runs/*/seed*/codes.npz"):
        one, other = np.load(path), np.load(first / path.relative_to(clone))
        assert all(np.array_equal(one[name], other[name]) for name in one)


def test_a_cache_that_is_a_file_is_named_in_one_line(second, tmp_path):
    (tmp_path / "file").touch()
    result = snakemake(second, "-n", *COMMAND, check=False, DEMIX_CACHE=str(tmp_path / "file"))
    assert result.returncode == 1
    assert f"demix: error: DEMIX_CACHE: {tmp_path / 'file'} is no usable folder" in result.stdout + result.stderr
    assert "Traceback" not in result.stdout + result.stderr


def test_paper_without_a_gpu_is_one_line_and_a_dry_run_needs_none(second):
    arguments = ["icml_table1", "--config", "scale=paper", "seeds=1"]
    assert planned(snakemake(second, "-n", *arguments))["train"] == 17
    result = snakemake(second, *arguments, check=False, CUDA_VISIBLE_DEVICES="")
    lines = [line for line in (result.stdout + result.stderr).splitlines() if "demix: error" in line]
    assert result.returncode == 1
    assert len(lines) == 1
    assert "add --config device=cpu" in lines[0]
    assert not (second / "results/paper").exists()
