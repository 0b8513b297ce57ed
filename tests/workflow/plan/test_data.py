"""The plan of data: each step's inputs and options follow from what specs say of themselves."""

import json
from types import SimpleNamespace

import pytest

from demix.datasets.common.card import write_available, write_unavailable
from demix.datasets.common.rendering import shards
from demix.experiment.keys import result_key
from demix.specs.datasets.renderer import RendererSpec
from demix.workflow import paths

DOWNLOAD = {"datasets": {"threedident": {"source": "download"}}}


def place(wildcards, spec):
    """Wildcards of the folder of a data set."""
    folder = paths.dataset_folder(spec)
    return wildcards(kind=folder.parent.name, name=folder.name)


def dataset(plan, run):
    return plan.experiment.runs[run].spec.problem.dataset


def named(parts):
    return SimpleNamespace(**parts)


def test_a_data_set_that_is_made_needs_nothing(plan, wildcards):
    made = place(wildcards, dataset(plan, "kitti-lap-box-k5"))
    parts = plan.data.parts(made)
    assert parts == {"files": [], "renderer": [], "shards": []}
    assert plan.data.part_options(made, named(parts)) == []
    assert json.loads(plan.data.spec(made, []))["kind"] == "kitti_stand_in"
    assert plan.data.key(made) == plan.experiment.runs["kitti-lap-box-k5"].data_key


def test_one_with_files_needs_their_cards_and_passes_on_what_helps(plan_of, wildcards):
    plan = plan_of(DOWNLOAD)
    archives = dataset(plan, "raw_3di")
    there = place(wildcards, archives)
    parts = plan.data.parts(there)
    assert [card.parent.name for card in parts["files"]] == [
        f"3dident_train.tar-{archives.train_md5[:8]}", f"3dident_test.tar-{archives.test_md5[:8]}"
    ]  # fmt: skip
    assert parts["renderer"] == parts["shards"] == []
    given = plan.data.part_options(there, named(parts))
    assert given[:3] == ["--files", *map(str, parts["files"])]
    assert given[3] == "--hint"
    file = wildcards(source="threedident", file=parts["files"][0].parent.name)
    assert json.loads(plan.data.file_spec(file, []))["md5"] == archives.train_md5
    assert plan.data.file_options(file, None)[:2] == [
        "--urls",
        archives.files[0].urls[0],
    ]


def test_one_that_is_rendered_needs_an_environment_and_all_shards(plan, wildcards):
    spec = dataset(plan, "raw_3di")
    parts = plan.data.parts(place(wildcards, spec))
    assert parts["renderer"] == [paths.renderer_card()]
    assert [path.stem for path in parts["shards"]] == [shard.name for shard in shards(spec)]
    shard = wildcards(**vars(place(wildcards, spec)), split="test", first="000000")
    assert (plan.data.shard_split(shard), plan.data.shard_first(shard)) == ("test", 0)
    assert plan.data.shard_count(shard) == spec.test
    assert plan.data.render_device(shard, None) == "cpu"
    assert plan.data.render_gpus == 0
    assert plan.data.render_minutes(shard, attempt=2) > plan.data.render_minutes(shard, attempt=1) >= 10
    renderer = plan.data.parts(place(wildcards, RendererSpec()))
    assert renderer == {"files": [], "renderer": [], "shards": []}


def test_shards_are_not_waited_for_after_this_workflow_found_no_environment(plan, wildcards):
    spec = dataset(plan, "raw_3di")
    attempt = plan.data.attempt(place(wildcards, RendererSpec()))
    write_unavailable(paths.renderer_card().parent, RendererSpec(), "key", "no Blender", "install it", attempt)
    assert plan.data.parts(place(wildcards, spec))["shards"] == []
    for file in [paths.shard_file(spec, shard.name) for shard in shards(spec)]:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    assert len(plan.data.parts(place(wildcards, spec))["shards"]) == 2  # they are there all the same


def test_what_an_earlier_workflow_could_not_get_is_tried_again(plan_of, wildcards):
    spec = dataset(plan_of(), "raw_3di")
    there = place(wildcards, spec)
    assert plan_of().data.attempt(there) == 1
    write_unavailable(paths.dataset_folder(spec), spec, "key", "no", "try", attempt=1)
    plan = plan_of()
    assert plan.data.attempt(there) == 2
    runs = plan.experiment.runs_of("icml_table4")
    assert plan.data.all_there(runs)  # as far as this workflow knows
    write_unavailable(paths.dataset_folder(spec), spec, "key", "no", "try", attempt=2)
    assert not plan.data.all_there(runs)
    write_available(paths.dataset_folder(spec), spec, "key", [], {}, {}, attempt=3)
    assert plan_of().data.attempt(there) == 3  # there is nothing to try


def test_cards_that_may_say_no_are_those_of_external_data(plan):
    assert plan.data.cards(plan.experiment.runs_of("icml_table3")) == []
    assert plan.data.cards(plan.experiment.runs_of("icml_table1")) == []
    assert plan.data.cards(plan.experiment.runs_of("icml_table4")) == [paths.dataset_card(dataset(plan, "raw_3di"))]


def test_images_of_figures_are_rendered_like_those_of_runs(plan, wildcards):
    spec = plan.experiment.figure("threedident_gallery").rendered
    there = place(wildcards, spec)
    assert plan.data.key(there) == result_key(spec)
    assert json.loads(plan.data.spec(there, []))["kind"] == "gallery"


def test_a_problem_of_every_seed_is_drawn_without_its_conditional(plan, wildcards):
    run = plan.experiment.runs["box-uni-lap005_unb-norm"]
    there = wildcards(data=paths.data_name(run))
    assert json.loads(plan.data.problem_spec(there, []))["conditional"] is None
    assert plan.data.problem_key(there) == run.data_key


@pytest.mark.parametrize("source", ["render", "download"])
def test_the_environment_to_render_in_is_a_data_set_where_something_is_rendered(plan_of, wildcards, source):
    plan = plan_of({"datasets": {"threedident": {"source": source}}})
    assert json.loads(plan.data.spec(place(wildcards, RendererSpec()), []))["kind"] == "renderer"  # figures need it too
