"""Kinds of figures, as data: which results each is made of, and how it checks them while the workflow is planned.

The contract of the code behind a spec is `demix.figures.common.kind.FigureKind`.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Protocol

from pydantic import Field, SerializeAsAny

from demix.specs.base import Component
from demix.specs.datasets import DatasetSpec
from demix.specs.families import member_of
from demix.specs.run import RunSpec
from demix.specs.scores import ScoreRequest

NEEDS = frozenset({"scores", "histories", "codes", "shards"})
"""What a figure may be made of: scores of runs, histories of their trainings, their codes, rendered images."""


class ShownRun(Protocol):
    """What a figure may read of a resolved run."""

    @property
    def id(self) -> str: ...
    @property
    def spec(self) -> RunSpec: ...
    @property
    def published(self) -> RunSpec: ...
    @property
    def seeds(self) -> range: ...


Shown = Mapping[str, Sequence[ShownRun]]
"""The runs of a figure by the key of its spec that names them: one for a run, several for a sweep."""


class FigureSpec(Component):
    """What every figure says of itself. Its implementation is a `demix.figures.common.kind.FigureKind`, which collects,
    draws and captions it; `demix.figures.kinds.latent_scores` is one to copy.
    """

    libraries: ClassVar[tuple[str, ...]] = ()
    needs: ClassVar[frozenset[str]] = frozenset()
    """Which of `NEEDS` this figure is made of."""

    folder: ClassVar[str] = "figures"
    """Folder of its parquet file below results/<scale>/: "figures", or "tables" for numbers alone."""

    reads_data: ClassVar[bool] = False
    """True if it also reads the images or factors of the data sets that its runs are trained on."""

    title: str
    notes: tuple[str, ...] = Field((), description="sentences for the caption, such as which settings are our choice")

    @property
    def runs_named(self) -> dict[str, str]:
        """Ids of the runs that it shows, by the key of this spec that names them, such as "run" or "runs.box"."""
        return {}

    @property
    def sweeps_named(self) -> dict[str, str]:
        """Names of the sweeps that it shows, by the key of this spec that names them."""
        return {}

    @property
    def seeds_shown(self) -> tuple[int, ...] | None:
        """Seeds of its runs that it shows; None for all."""
        return None

    @property
    def requests(self) -> tuple[ScoreRequest, ...]:
        """Scores that it needs of each of its runs."""
        return ()

    @property
    def coded_sets(self) -> tuple[str, ...]:
        """Evaluation sets whose codes it reads, of each of its runs."""
        return ()

    @property
    def rendered(self) -> DatasetSpec | None:
        """Images that have to be rendered for it alone."""
        return None

    def check(self, runs: Shown) -> None:
        """Refuse runs that cannot be shown.

        Raises:
            ValueError: the message starts with the place in this spec, such as "run: ...".
        """

    def details(self, runs: Shown) -> dict[str, Any]:
        """What collecting and drawing need to know of the runs, as plain data for the plan."""
        return {}


Figure = Annotated[SerializeAsAny[FigureSpec], member_of("figures.kinds")]
