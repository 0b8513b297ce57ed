"""The plan of tables and figures: what each is made of, as its kind says."""

import json
from types import SimpleNamespace

import pytest

from demix.datasets.common.card import write_unavailable
from demix.support.errors import ConfigError
from demix.workflow import paths


def parts_of(plan, figure):
    return plan.outputs.figure_parts(SimpleNamespace(figure=figure))


@pytest.mark.parametrize(
    ("figure", "kinds"),
    [
        ("icml_figure2", {"scores"}),
        ("theory", set()),
        ("kitti_masks", {"codes", "data"}),
        ("threedident_latents", {"codes", "data"}),
        ("icml_figure3", {"shards", "data"}),
    ],
)
def test_a_figure_is_made_of_what_its_kind_needs(plan, figure, kinds):
    assert {name for name, files in parts_of(plan, figure).items() if files} == kinds


def test_options_name_only_what_there_is(plan):
    parts = SimpleNamespace(**parts_of(plan, "kitti_masks"))
    options = plan.outputs.figure_options(SimpleNamespace(figure="kitti_masks"), parts)
    assert [word for word in options if word.startswith("--")] == ["--codes", "--data"]
    assert options[1].endswith("seed0")
    nothing = SimpleNamespace(**parts_of(plan, "theory"))
    assert plan.outputs.figure_options(SimpleNamespace(figure="theory"), nothing) == []


def test_a_table_waits_for_no_score_after_its_data_was_found_missing(plan):
    table = SimpleNamespace(table="icml_table4")
    assert len(plan.outputs.table_scores(table)) == len(plan.experiment.runs_of("icml_table4"))
    (card,) = plan.outputs.table_cards(table)
    spec = plan.experiment.runs["raw_3di"].spec.problem.dataset
    write_unavailable(card.parent, spec, "key", "no images", "render them", attempt=1)
    assert plan.outputs.table_scores(table) == []
    assert parts_of(plan, "threedident_latents")["codes"] == []


def test_the_data_of_a_figure_lies_where_its_kind_says_with_claims_beside(plan):
    theory = plan.outputs.figure_data(SimpleNamespace(figure="theory"))
    assert [str(path) for path in theory.values()] == [
        f"results/smoke/tables/theory.{ending}" for ending in ("parquet", "claims.parquet")
    ]
    assert str(plan.outputs.figure_files("icml_figure2")[0]) == "results/smoke/figures/icml_figure2.parquet"


def test_every_table_and_figure_is_a_target(plan):
    targets = plan.outputs.targets(["all", "train"])
    assert list(targets) == [*plan.experiment.tables, *plan.experiment.figures]
    assert targets["icml_table1"][0] == paths.table_file(plan.experiment, "icml_table1", "parquet")


def test_no_table_has_the_name_of_a_rule(plan):
    with pytest.raises(ConfigError, match="'theory' is a rule of the workflow"):
        plan.outputs.targets(["train", "theory"])


def test_plans_are_plain_data(plan):
    table = json.loads(plan.outputs.table_plan(SimpleNamespace(table="icml_table1")))
    assert table["name"] == "icml_table1"
    figure = json.loads(plan.outputs.figure_plan(SimpleNamespace(figure="theory")))
    assert figure["spec"]["kind"] == "theory"


def test_code_of_claims_counts_for_the_table_that_they_are_about(plan):
    first, second, other = (
        plan.outputs.table_code(SimpleNamespace(table=table))
        for table in ("icml_table1", "icml_table2", "trained_maps")
    )
    assert len({first, second, other}) == 3
    (of_table, of_figure, mine) = (
        SimpleNamespace(table="icml_table1"),
        SimpleNamespace(figure="icml_figure2"),
        SimpleNamespace(table="mine"),
    )
    assert plan.outputs.printed(of_table) != plan.outputs.printed(mine) == plan.outputs.printed(of_figure)
