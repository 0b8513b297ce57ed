"""Pair laws, as data: which two samples of a data set belong together.

The contract of the code behind a spec is `demix.pairs.common.base.PairLaw`.
"""

from typing import Annotated

from pydantic import SerializeAsAny

from demix.specs.base import Component
from demix.specs.datasets import DatasetSpec
from demix.specs.families import member_of


class PairLawSpec(Component):
    """Which two samples of a data set belong together, and which view of each the encoder gets. Its implementation is a
    `demix.pairs.common.base.PairLaw`; `demix.pairs.augmented` is one to copy.
    """

    def check(self, data: DatasetSpec) -> None:
        """Refuse a data set of which it cannot make pairs, as by `data.known`, `data.factors` or `data.shape`.

        Raises:
            ValueError: something that it needs is not known of its images.
        """

    @property
    def label(self) -> str:
        """How tables name the conditional."""
        return self.kind


PairLaw = Annotated[SerializeAsAny[PairLawSpec], member_of("pairs")]
