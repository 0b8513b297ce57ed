"""Where each data set comes from: its entry in `datasets` of the configuration, or the defaults of its source."""

from collections.abc import Iterable, Mapping

from demix.specs.datasets import DatasetSpec
from demix.specs.families import kinds, member
from demix.specs.sources import SourceSpec
from demix.specs.workflow import kind_of_source
from demix.support.errors import ConfigError, unknown

Sources = Mapping[str, SourceSpec]
"""The entries of `datasets` by name."""


def source_of(dataset: DatasetSpec, sources: Sources) -> SourceSpec:
    """Where a data set comes from.

    Raises:
        ConfigError: it cannot come from there; the error names the entry.
    """
    name = dataset.source_name
    source = sources.get(name) or _default(name)
    try:
        source.check(source.chosen(dataset))
    except ValueError as error:
        raise ConfigError(f"datasets.{name}: {error}") from None
    return source


def chosen(dataset: DatasetSpec, sources: Sources) -> DatasetSpec:
    """The data set that its source puts in the place of one that the configuration describes.

    Raises:
        ConfigError: see `source_of`.
    """
    return source_of(dataset, sources).chosen(dataset)


def refuse_unknown(names: Iterable[str], datasets: Iterable[DatasetSpec]) -> None:
    """Check that data sets have these sources.

    Args:
        names: of entries that do not say what kind they are, and so may be misspelt.
        datasets: those of the configuration, at any scale; looked at where a name is not one of demix's own.

    Raises:
        ConfigError: neither a data set of demix nor one of these has such a source.
    """
    ours = {getattr(member("datasets", kind), "source", "") for kind in kinds("datasets")} - {""}
    unsure = [name for name in names if name not in ours]
    if not unsure:
        return
    allowed = ours | {dataset.source_name for dataset in datasets if dataset.source or dataset.files}
    for name in unsure:
        if name not in allowed:
            raise ConfigError(f"datasets: {unknown('data set', name, allowed)}")


def _default(name: str) -> SourceSpec:
    found = member("sources", kind_of_source(name))()
    assert isinstance(found, SourceSpec)
    return found
