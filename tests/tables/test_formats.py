"""The formats that a table is rendered to."""

from made_codes import score_spec
from made_scores import made_scores

from demix.tables.collect import collect
from demix.tables.formats import FORMATS
from demix.tables.view import TableView
from demix.workflow.paths import TABLE_FORMATS


def test_the_formats_that_rules_promise_are_those_there_are():
    assert set(TABLE_FORMATS) == set(FORMATS)


def test_a_terminal_of_80_columns_shows_how_many_seeds_there_are(plan, scores):
    few = "sph-uni-vmf1_sph-vmf1"
    scores[few] = made_scores(few, [0.98, 0.98])
    text = FORMATS["txt"](TableView(collect(plan, scores), plan))
    assert "98.0 n=2" in text
    for run in scores:
        scores[run] = made_scores(run, [0.98])
    runs = {run: planned.model_copy(update={"seeds_planned": 1}) for run, planned in plan.runs.items()}
    plan = plan.model_copy(update={"seeds": 1, "runs": runs})
    lines = FORMATS["txt"](TableView(collect(plan, scores), plan)).splitlines()
    assert max(map(len, lines)) <= 80
    assert len({line.rfind("✗") for line in lines[6:10]}) == 1


def test_every_format_holds_every_number_and_the_footer(plan, scores):
    view = TableView(collect(plan, scores), plan)
    rendered = {ending: to_format(view) for ending, to_format in FORMATS.items()}
    assert set(rendered) == {"md", "tex", "html", "csv", "txt"}
    for ending in ("md", "html"):
        assert rendered[ending].count("67.00 ± 1.58") == 22
    assert rendered["tex"].count(r"67.00 $\pm$ 1.58") == 22
    assert rendered["tex"].count(r"\midrule") == 4  # below the head and between four blocks
    assert rendered["csv"].count("67.0,1.5811") == 36  # numbers are repeated where a reader sees a ditto mark
    for ending in ("md", "txt", "html", "tex"):
        assert "Departures" in rendered[ending]
    assert max(map(len, rendered["txt"].splitlines())) <= 80


def test_a_long_head_stands_above_its_columns_in_a_terminal(plan, scores):
    metrics = {"r2": score_spec("r2"), "fair": score_spec("r2", held_out=True)}
    both = plan.model_copy(update={"metrics": metrics})
    text = FORMATS["txt"](TableView(collect(both, scores), both))
    heads = [line for line in text.splitlines() if line.startswith("R²") or "identity" in line]
    assert [line.split()[0] for line in heads] == ["R²", "R²"]
    ranks = {"mcc": score_spec("mcc"), "ranks": score_spec("mcc", correlation="spearman")}
    long = plan.model_copy(update={"metrics": ranks})
    lines = FORMATS["txt"](TableView(collect(long, scores), long)).splitlines()
    place = lines.index("MCC [%] correlation=spearman")
    assert lines[place + 1].split() == ["identity", "supervised", "unsupervised"]
