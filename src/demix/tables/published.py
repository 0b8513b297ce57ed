"""The numbers that the papers print, and their settings, as data frames."""

from importlib.resources import files

import pandas as pd


def published_table(name: str) -> pd.DataFrame:
    """Every number of a printed table; empty if the papers have no table of that name.

    Returns:
        One row for each printed number, with the columns `row_id`, `setting`, `metric`, `mean`, `std`, `unit`,
        `n_seeds`, `inherited` and others; see the README beside the files.
    """
    source = files("demix.published") / f"{name}.csv"
    if not source.is_file():
        return pd.DataFrame(columns=["row_id", "setting", "metric", "mean", "std", "n_seeds", "block", "matches"])
    with source.open(encoding="utf-8") as file:
        return pd.read_csv(file, dtype={"matches": "string"})
