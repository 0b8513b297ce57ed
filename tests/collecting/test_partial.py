"""What exists of a table or figure before all of it is there."""

import pytest
from made_codes import finished_seed, latents, rotation, score_spec
from project import CONFIG

from demix.collecting.partial import missing_data, partly_there, scores_so_far
from demix.collecting.plan import Missing
from demix.experiment.experiment import load_experiment
from demix.specs.scores import ScoreRequest
from demix.support.codes import CodedSet, set_file, write_codes
from demix.support.errors import ConfigError
from demix.support.files import write_json
from demix.workflow.paths import seed_folder

RUN = "sph-uni-vmf1_sph-vmf1"
R2 = ScoreRequest(evaluation_set="marginal", score=score_spec("r2"))


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return load_experiment(CONFIG, scale="smoke")


def finished(experiment, name, seed):
    """A finished seed of a run, whose codes are of the evaluation set as it is now."""
    run = experiment.runs[name]
    keys = {"marginal": run.spec.problem.set_key("marginal")}
    return finished_seed(seed_folder(experiment, run, seed), seed, keys=keys)


def test_finished_seeds_have_only_requested_scores(experiment):
    finished(experiment, RUN, 1)
    found = scores_so_far(experiment, {RUN: [R2], "raw_sph-uni": [R2]})
    assert list(found) == [RUN]
    assert found[RUN][["seed", "score", "key"]].values.tolist() == [[1, "r2", experiment.runs[RUN].key]]


def test_raw_observations_count_with_their_data(experiment):
    finished_seed(seed_folder(experiment, experiment.runs["raw_sph-uni"], 0))
    assert len(scores_so_far(experiment, {"raw_sph-uni": [R2]})["raw_sph-uni"]) == 1


def test_codes_of_another_evaluation_set_of_that_name_do_not_count_and_those_encoded_later_do(experiment):
    folder = finished_seed(seed_folder(experiment, experiment.runs[RUN], 0), keys={"marginal": "other"})
    assert scores_so_far(experiment, {RUN: [R2]}) == {}
    z = latents(n=50, k=2)
    later = folder / set_file("marginal", experiment.runs[RUN].spec.problem.set_key("marginal"))
    write_codes(later, {"marginal": CodedSet(z @ rotation(2) + z**3, {"factors": z})})
    (value,) = scores_so_far(experiment, {RUN: [R2]})[RUN]["value"]
    assert value < 0.99  # those of the training would give 1


def test_some_but_not_all_seeds_are_partly_there(experiment):
    runs = [experiment.runs[RUN]]
    assert not partly_there(experiment, runs)
    finished(experiment, RUN, 0)
    assert partly_there(experiment, runs)
    for seed in runs[0].seeds:
        finished(experiment, RUN, seed)
    assert not partly_there(experiment, runs)


def test_reason_and_remedy_of_missing_data_are_taken_from_its_card(tmp_path):
    write_json(tmp_path / "a.json", {"available": False, "reason": "no network", "remedy": "plug it in"})
    write_json(tmp_path / "b.json", {"available": True})
    cards = [tmp_path / "a.json", tmp_path / "b.json", tmp_path / "c.json"]
    assert missing_data(cards) == (Missing(reason="no network", remedy="plug it in"),)


def test_something_that_a_score_needs_and_no_one_knows_is_an_error_here_too(experiment):
    z = latents(n=50, k=2)
    run = experiment.runs["raw_sph-uni"]
    finished_seed(seed_folder(experiment, run, 0), sets={"marginal": CodedSet(z, {"labels": z[:, 0]})})
    with pytest.raises(ConfigError, match="score r2 needs factors"):
        scores_so_far(experiment, {run.id: [R2]})
