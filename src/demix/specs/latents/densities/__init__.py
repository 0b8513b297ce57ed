"""Densities of latents, as data: their names, parameters and the spaces they live on.

Conventions (those of the authors' code; the papers print only a letter):

    uniform              constant density
    vmf                  prop. to exp(concentration * <mean, z>), on the unit sphere
    normal               prop. to exp(-|x|^2 / (2 std^2)); std is the standard deviation of a coordinate
    laplace              prop. to exp(-|x|_1 / scale); standard deviation sqrt(2) * scale
    generalized_normal   prop. to exp(-sum_k (|x_k| / scale)^exponent)

`generalized_normal` with exponent 2 is *not* `normal` with std = scale: its standard deviation is scale / sqrt(2).
"""

from typing import Annotated, ClassVar

from pydantic import SerializeAsAny

from demix.specs.base import Component
from demix.specs.families import member_of

EVERYWHERE = frozenset({"sphere", "box", "unbounded"})


class DensitySpec(Component):
    """A density around a centre. Its implementation is a `demix.latents.densities.common.base.Density`;
    `demix.latents.densities.laplace` is one to copy.
    """

    spaces: ClassVar[frozenset[str]] = EVERYWHERE
    """Kinds of the spaces that it lives on."""

    @property
    def label(self) -> str:
        """How tables name it."""
        return self.kind


Density = Annotated[SerializeAsAny[DensitySpec], member_of("latents.densities")]
