"""Collected tables in which every number of ours is the printed one, and the claims about them."""

from project import CONFIG

from demix.claims.common.finding import claims_about, judged
from demix.experiment.experiment import load_experiment
from demix.tables.collect import collect
from demix.tables.plan import table_plan
from demix.tables.published import published_table

TABLE_OF = {claim.id: name for name in judged() for claim in claims_about(name)}
"""Table or figure by the id of the claim about it."""

CLAIMS = {claim.id: claim for name in judged() for claim in claims_about(name)}


def plan_of(name, scale="paper"):
    return table_plan(load_experiment(CONFIG, scale=scale), name)


def printed_numbers(name, scale="paper"):
    """The table with print in the place of our results; Table 5 has test scores too, those of Table 4."""
    table = collect(plan_of(name, scale), {})
    if name == "icml_table5":
        printed = published_table("icml_table4").groupby(["row_id", "metric"])["mean"].max()  # identity is lowest
        on_test = table["setting"] == "test"
        places = table.loc[on_test, ["row_id", "metric"]].itertuples(index=False)
        table.loc[on_test, "printed_mean"] = [printed[place.row_id, place.metric] for place in places]
    return table.assign(
        mean=table["printed_mean"], std=table["printed_std"], difference=0.0, n_seeds=table["seeds_planned"]
    )


def changed(table, row, setting, metric=None, **values):
    """The table with other values in one cell."""
    table = table.copy()
    place = (table["row_id"] == row) & (table["setting"] == setting)
    place &= table["metric"] == (metric or table["metric"].iloc[0])
    assert place.sum() == 1
    for column, value in values.items():
        table.loc[place, column] = value
    return table
