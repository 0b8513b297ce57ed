"""The plan of runs: trainings, what is encoded later, what comes from the cache, scores."""

import json
from types import SimpleNamespace

import pytest

from demix.experiment.run import TRAINING_MODULES
from demix.support.provenance import Provenance
from demix.workflow import paths
from demix.workflow.store import Slot

RUN = "kitti-lap-box-k5"


@pytest.fixture
def there(plan, wildcards):
    """Wildcards of the first seed of a run."""
    return wildcards(run=paths.run_name(plan.experiment.runs[RUN]), seed="0", scale="smoke")


def finish(plan, sets, seed=0):
    """Leave the record of a finished training with these evaluation sets."""
    folder = paths.seed_folder(plan.experiment, plan.experiment.runs[RUN], seed)
    Provenance(seed=seed, device={"type": "cpu", "name": "a"}, sets=sets).write(folder / "provenance.json")
    return folder


def all_sets(plan):
    problem = plan.experiment.runs[RUN].spec.problem
    return {name: problem.set_key(name) for name in problem.evaluation_sets}


def test_a_training_is_told_all_that_decides_it(plan, there):
    run = plan.experiment.runs[RUN]
    assert plan.runs.name(there) == RUN
    assert plan.runs.key(there) == run.key
    assert plan.runs.seed(there) == 0
    assert json.loads(plan.runs.spec(there, [])) == run.spec.model_dump(mode="json")
    assert plan.runs.card(there) == paths.dataset_card(run.spec.problem.dataset)
    assert plan.runs.threads(there) == run.spec.training.threads


def test_a_finished_training_does_not_wait_for_data_that_was_deleted_or_is_of_another_evaluation(plan_of, plan, there):
    card = plan.runs.card(there)
    assert plan.runs.training_card(there) == card
    finish(plan, {})
    assert plan.runs.training_card(there) == []
    assert plan_of(forced=True).runs.training_card(there) == card
    card.parent.mkdir(parents=True)
    card.touch()
    assert plan.runs.training_card(there) == card


def test_time_and_memory_grow_with_every_attempt(plan, there):
    assert plan.runs.train_minutes(there, attempt=2) > plan.runs.train_minutes(there, attempt=1)
    assert plan.runs.train_memory(there, attempt=2) == 2 * plan.runs.train_memory(there, attempt=1)
    assert plan.runs.encode_memory(there, attempt=1) > 0


@pytest.mark.parametrize(("device", "gpus"), [("cpu", 0), ("cuda", 1), ("auto", 1)])
def test_gpus_do_not_depend_on_what_this_machine_has(plan_of, there, device, gpus):
    plan = plan_of(device=device)
    assert plan.runs.gpus == gpus
    assert plan.runs.device(there, None) == device


def test_runs_of_earlier_tables_go_first(plan, wildcards):
    first, later = (
        plan.runs.priority(wildcards(run=paths.run_name(plan.experiment.runs_of(table)[-1])))
        for table in ("icml_table1", "workshop_table1")
    )
    assert first > later > 0


def test_raw_images_are_scored_on_a_cpu_and_memory_follows_their_number(plan, wildcards):
    raw = wildcards(run=paths.run_name(plan.experiment.runs["raw_3di"]), seed="0")
    assert plan.runs.cpu(raw, None) == "cpu"
    assert plan.runs.threads(raw) == 1
    assert plan.runs.raw_memory(raw) > 2000


def test_a_training_to_come_encodes_all_sets_itself(plan, there):
    assert plan.runs.scored_sets(there) == []
    names = [str(path) for path in plan.runs.results(there)]
    assert [name.rsplit("/", 2)[1:] for name in names] == [
        [f"seed{seed}", file] for seed in (0, 1) for file in ("codes.npz", "provenance.json")
    ]


def test_a_finished_one_lacks_what_was_added_later_or_is_scored_otherwise_now(plan, there):
    sets = all_sets(plan)
    finish(plan, sets, seed=0)
    assert plan.runs.scored_sets(there) == []
    folder = finish(plan, {"marginal": sets["marginal"]}, seed=0)
    assert plan.runs.scored_sets(there) == [folder / f"sets/held_out-{sets['held_out']}.npz"]
    folder = finish(plan, sets | {"marginal": "00000000"}, seed=1)
    assert plan.runs.scored_sets(there)[-1] == folder / f"sets/marginal-{sets['marginal']}.npz"
    later = SimpleNamespace(**vars(there), set="marginal")
    options = plan.runs.set_options(later, SimpleNamespace(weights="encoder.pt"))
    assert options == ["--weights", "encoder.pt", "--set", "marginal"]


def test_a_set_that_is_scored_otherwise_is_scored_anew(plan, plan_of, there):
    changes = {"suites": {"kitti_masks": {"scales": {"smoke": {"problems": {"*": {"evaluation_samples": 32}}}}}}}
    keys, others = plan.runs.set_keys(there), plan_of(changes).runs.set_keys(there)
    assert len(keys) == len(others) == 2
    assert not set(keys) & set(others)


def test_only_scores_that_something_shows_are_computed_and_each_is_requested_once(plan_of, plan, there):
    requests_there = json.loads(plan.runs.requests(there))
    sets = {request["evaluation_set"] for request in requests_there}
    assert sets == {"marginal", "held_out"}
    assert {request["score"]["kind"] for request in requests_there} == {"mcc"}
    tables = {"mine": {"title": "Mine", "metrics": ["r2", "mcc"], "rows": {"a": {"unsupervised": RUN}}}}
    more = json.loads(plan_of({"suites": {"kitti_masks": {"tables": tables}}}).runs.requests(there))
    assert [request for request in more if request not in requests_there] == [
        {"evaluation_set": "marginal", "score": {"kind": kind, **fields}}
        for kind, fields in (("mcc", {"correlation": "pearson", "padded": False}), ("r2", {"held_out": False}))
    ]
    assert [request for request in more if request in requests_there] == requests_there
    assert plan_of().runs.requests(there) == plan.runs.requests(there)


def test_the_code_of_a_score_counts_where_it_is_requested(plan, plan_of, there, wildcards):
    synthetic = wildcards(run=paths.run_name(plan.experiment.runs["raw_box-uni"]))
    assert plan.runs.score_code(there) != plan.runs.score_code(synthetic)
    options = plan.runs.score_options(there, SimpleNamespace(results=plan.runs.results(there), sets=[]))
    assert [word for word in options if word.startswith("--")] == ["--results", "--values"]
    assert options.index("--values") == 1 + plan.runs.seed_count(there)


def test_a_result_in_the_cache_says_which_sets_it_has(plan_of, there, store, folder, monkeypatch):
    plan = plan_of(store=store)
    run = plan.experiment.runs[RUN]
    assert plan.runs.cached_run(there).name == "none"
    monkeypatch.setenv("DEMIX_CACHE", str(store.root))
    result = folder / "result"
    result.mkdir()
    (result / "codes.npz").write_bytes(b"codes")
    sets = {"marginal": all_sets(plan)["marginal"]}
    slot = Slot("train", run.key, "seed0", run.id, run.spec, TRAINING_MODULES, evaluation=False)
    slot.put(result, ("codes.npz",), sets)
    assert plan.runs.cached_run(there).is_file()
    assert [path.parent.parent.name for path in plan.runs.scored_sets(there)] == ["seed0"]
    assert plan.runs.no_device(there, None) == "none"
