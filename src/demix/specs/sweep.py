"""A sweep, as data: runs that differ in one value, or in several."""

from pydantic import Field, field_validator

from demix.specs.run_names import RunNamesSpec


class SweepSpec(RunNamesSpec):
    """Runs that differ in one value, or in several: one for every combination.

    The run of a value is called <name of the sweep>@<value>; tables, figures and a scale's changes to runs use that
    name. A value that gives the same run as another sweep, or as a run of its own, is that run.
    """

    vary: dict[str, tuple[int | float, ...]] = Field(
        min_length=1, description="place in the run, such as problem.marginal.concentration, to its values"
    )

    @field_validator("vary")
    @classmethod
    def _values_differ(cls, vary: dict[str, tuple[int | float, ...]]) -> dict[str, tuple[int | float, ...]]:
        for place, values in vary.items():
            if not values or len(set(values)) < len(values):
                raise ValueError(f"{place} needs at least one value and none of them twice")
        return vary
