"""Traversals of the latents of 3DIdent, as data."""

from pydantic import Field

from demix.specs.datasets import DatasetSpec
from demix.specs.datasets.common.rendering import RenderingSpec
from demix.specs.datasets.common.threedident import LATENTS, RawLatent


class TraversalsSpec(RenderingSpec, DatasetSpec):
    """Images for a figure: one latent at a time takes several values while the others stay at 0."""

    values: tuple[RawLatent, ...] = Field(
        (-1.0, -1 / 3, 1 / 3, 1.0), min_length=1, description="raw values, from the top row to the bottom row"
    )

    @property
    def shards(self) -> dict[str, int]:
        """There is one split."""
        return {"all": len(self.values) * len(LATENTS)}
