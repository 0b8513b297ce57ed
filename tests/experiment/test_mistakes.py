"""What the configuration refuses, each in one line that names the place, the value and what is allowed."""

import pytest

from demix.experiment.experiment import Experiment
from demix.support.errors import ConfigError
from demix.support.named import Named

ICML, KITTI = "suites/icml_synthetic", "suites/kitti_masks"

MISTAKES = [
    ("sclae", "demo", "unknown key 'sclae' (did you mean 'scale'?)"),
    ("scale", "papr", "unknown scale 'papr' (did you mean 'paper'?)"),
    ("seeds", 0, "greater than 0, got 0"),
    ("device", "gpu", "got 'gpu'"),
    ("datasets/kitti_mask", {"urls": []}, "unknown data set 'kitti_mask' (did you mean 'kitti_masks'?)"),
    ("datasets/kitti_masks/path", 3, "datasets.kitti_masks.path: input should be a valid string, got 3"),
    ("datasets/kitti_masks/urls", "https://one", "datasets.kitti_masks.urls: input should be a valid dictionary"),
    ("datasets/threedident/source", "downlod", "datasets.threedident.source: input should be 'render', 'download'"),
    ("datasets/mine", {"kind": "fils"}, "datasets.mine: unknown kind 'fils' (did you mean 'files'?)"),
    ("suites", [], "suites: input should be a valid dictionary"),
    ("suites/a b", {}, "should match pattern"),
    # problems
    (f"{ICML}/problems/sph-uni/margnal", "uniform", "unknown key 'margnal' (did you mean 'marginal'?)"),
    (f"{ICML}/problems/sph-uni", "sphere", "input should be a valid dictionary"),
    (f"{ICML}/problems/box-uni/marginal", {"kind": "vmf", "concentration": 1}, "unknown density of space box 'vmf'"),
    (f"{ICML}/problems/unb-norm1/marginal", {"kind": "normal", "std": 0}, "std: input should be greater than 0, got 0"),
    (f"{ICML}/problems/unb-norm1/marginal", {"kind": "laplace", "scale": -1}, "greater than 0, got -1"),
    (f"{ICML}/problems/unb-norm1/marginal", "norml", "unknown kind 'norml' (did you mean 'normal'?)"),
    (f"{KITTI}/problems/kitti-k1/kind", "imges", "problems.kitti-k1: unknown kind 'imges' (did you mean 'images'?)"),
    (f"{KITTI}/problems/kitti-k1/pairs/max_separation", 0, "max_separation: input should be greater than 0, got 0"),
    (f"{KITTI}/problems/kitti-k1/data", "kitti_mask", "unknown kind 'kitti_mask' (did you mean 'kitti_masks'?)"),
    (f"{KITTI}/problems/kitti-k1/shrink", 3, "shrink: input should be 1, 2 or 4, got 3"),
    # models and trainings
    (f"{ICML}/models/box-lap/objective", {"kind": "lp_infonce", "exponent": 0.5}, "or equal to 1, got 0.5"),
    (f"{ICML}/models/box-lap/output", {"kind": "box", "bund": 3}, "unknown key 'bund' (did you mean 'bound'?)"),
    (f"{KITTI}/models/kitti-slowvae/output", "unbounded", "objective slow_vae needs an output layer of 2 numbers"),
    (f"{KITTI}/models/kitti-unb-lap/objective/decoder", "conv", "unknown key 'decoder'"),
    (f"{ICML}/trainings/contrastive/steps", "many", "steps: input should be a valid integer"),
    # runs
    (f"{ICML}/runs/again", {"problem": "sph-uni"}, "runs.again: resolves to the same spec as run 'raw_sph-uni'"),
    (f"{ICML}/runs/raw_sph-uni/problem", "sph-unni", "unknown problem 'sph-unni' (did you mean 'sph-uni'?)"),
    (f"{ICML}/runs/raw_sph-uni/model", "sup-sph", "a model but no training"),
    (f"{ICML}/runs/sup_sph-uni_sph/model", "sph-vmf1", "needs pairs, but the problem has no conditional"),
    (f"{ICML}/runs/a b;c", {"problem": "sph-uni"}, "should match pattern"),
    (f"{ICML}/runs/box-uni-lap005_unb-lap/problem", "kitti_masks/kitti-k1", "mlp takes vectors, not"),
    (f"{KITTI}/runs/kitti-lap-unb-k1/problem", "icml_synthetic/box-uni-lap005", "not observations of shape (5,)"),
    # tables and figures
    (f"{ICML}/tables/icml_table1/rows/mine", {"identity": "raw_sph-unni"}, "unknown run 'raw_sph-unni'"),
    (f"{ICML}/tables/icml_table1/rows/mine", {"baselines": "sph-unni"}, "unknown entry of baselines 'sph-unni'"),
    (f"{ICML}/tables/icml_table1/metrics", [], "a table needs at least one metric and one row"),
    (f"{KITTI}/figures/kitti_masks/seed", 0.5, "seed: input should be a valid integer"),
    (f"{KITTI}/figures/kitti_masks/kind", "mask_trace", "unknown kind 'mask_trace' (did you mean 'mask_traces'?)"),
    # scales
    (f"{ICML}/scales/demo/problems", {"*": {"dimm": 4}}, "unknown key 'dimm' (did you mean 'dim'?)"),
    (f"{ICML}/scales/demo/models", {"bxo-*": {}}, "unknown name or pattern 'bxo-*'"),
    (f"{ICML}/scales/demo/models", {"* !*": {}}, "unknown name or pattern '* !*'"),
    (f"{ICML}/scales/dmo", {}, "suites.icml_synthetic.scales: unknown scale 'dmo' (did you mean 'demo'?)"),
    (f"{KITTI}/scales/demo/seeds_of", {"kity*": 2}, "scales.demo.seeds_of: unknown name or pattern 'kity*'"),
    (f"{KITTI}/scales/demo/models", {"*": {"encoder": {"channels": [1] * 5}}}, "conv has 5 halvings or doublings"),
    # what stands in a suite, and where
    (
        "runs",
        {"mine": {"problem": "sph-uni"}},
        "'runs' goes into a suite: suites.<suite>.runs, where <suite> is one there is",
    ),
    ("problems", {}, "'problems' goes into a suite"),
    ("scales/demo/problems", {"*": {"dim": 3}}, "'problems' goes into a suite: suites.<suite>.scales.<scale>.problems"),
    ("scales/demo/seeds_of", {"*": 3}, "'seeds_of' goes into a suite"),
    (f"{ICML}/file", "x.yaml", "unknown key 'file'"),
    (f"{ICML}/claims", "none", "suites.icml_synthetic: unknown key 'claims'"),
]


@pytest.mark.parametrize(("path", "value", "message"), MISTAKES, ids=[path for path, *_ in MISTAKES])
def test_a_mistake_is_named_in_one_line(change, path, value, message):
    with pytest.raises(ConfigError) as error:
        Experiment(change(path, value))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_two_mistakes_are_named_in_two_lines(config):
    config["suites"]["icml_synthetic"]["problems"]["sph-uni"] |= {"dim": 1, "evaluation_samples": 0}
    with pytest.raises(ConfigError) as error:
        Experiment(config)
    assert len(str(error.value).splitlines()) == 2
    assert all(line.startswith("suites.icml_synthetic.problems.sph-uni") for line in str(error.value).splitlines())


def test_without_the_published_scale_there_is_nothing_to_compare_with(config):
    del config["scales"]["paper"]
    for suite in config["suites"].values():
        suite.get("scales", {}).pop("paper", None)
    with pytest.raises(ConfigError, match="unknown scale 'paper'"):
        Experiment(config)


def test_a_target_may_not_have_the_name_of_a_rule(config, change):
    experiment = Experiment(config)
    experiment.refuse_names(["all", "train", "encode"])
    with pytest.raises(ConfigError, match=r"icml_synthetic\.tables\.icml_table2: 'icml_table2' is a rule of the"):
        experiment.refuse_names(["icml_table2"])
    with pytest.raises(ConfigError, match=r"kitti_masks\.figures\.kitti_masks: 'kitti_masks' is a rule of the"):
        experiment.refuse_names(["kitti_masks"])


def test_a_name_that_does_not_exist_is_an_error_with_the_nearest_one():
    runs = Named("run", {"sph-uni": 1, "box-uni": 2})
    assert runs["box-uni"] == 2
    with pytest.raises(ConfigError, match=r"unknown run 'box-un' \(did you mean 'box-uni'\?\)"):
        runs["box-un"]
