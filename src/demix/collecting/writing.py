"""The files of a collecting step: data with its plan, and the claims about it beside it."""

from pathlib import Path
from typing import Any, TypeVar

from demix.collecting.plan import CollectPlan
from demix.specs.base import parse
from demix.support.errors import ConfigError, DataError
from demix.support.files import replacing
from demix.workflow.paths import claims_beside

P = TypeVar("P", bound=CollectPlan)


def write_with_claims(table: Any, claims: Any, plan: CollectPlan, out: Path) -> None:
    """Write data and claims side by side; the plan goes into the data's metadata. Partial ones give way to them.

    Args:
        table: data frame of the table or figure.
        claims: what `demix.claims.common.collect.collect_claims` returned.
        plan: what it was made with.
        out: parquet file of the data.
    """
    for old in out.parent.glob(f"{out.stem}.partial.*"):
        old.unlink()
    table.attrs["plan"] = plan.model_dump(mode="json")
    for path, frame in ((claims_beside(out), claims), (out, table)):
        with replacing(path) as temporary:
            frame.to_parquet(temporary, index=False)


def plan_of(table: Any, model: type[P], path: Path) -> P:
    """The plan in the metadata of a collected data frame.

    Args:
        table: what was read from `path`.
        model: the class of the plan.

    Raises:
        DataError: there is none, or it is of another version of demix.
    """
    try:
        return parse(model, table.attrs["plan"], "plan")
    except (KeyError, ConfigError):
        raise DataError(f"{path}: not collected by this version of demix; delete it to have it made again") from None
