"""3DIdent rendered here, as data."""

from typing import ClassVar

from pydantic import Field, NonNegativeInt, field_validator

from demix.specs.datasets.common.rendering import RenderingSpec
from demix.specs.datasets.common.threedident import LATENTS, LatentName, RawLatent, ThreeDIdentSpec


class RenderedThreeDIdentSpec(RenderingSpec, ThreeDIdentSpec):
    """Images rendered by Blender's Cycles from uniform latents."""

    programs: ClassVar[tuple[str, ...]] = (*RenderingSpec.programs, *ThreeDIdentSpec.programs)
    held: dict[LatentName, RawLatent] = Field({}, description="latents that do not vary, with their raw value")
    seed: NonNegativeInt = Field(0, description="of the latents")

    @field_validator("held")
    @classmethod
    def _some_vary(cls, held: dict[LatentName, float]) -> dict[LatentName, float]:
        if len(held) > len(LATENTS) - 2:
            raise ValueError(f"at least two of the {len(LATENTS)} latents must vary, {len(held)} are held")
        return {name: held[name] for name in LATENTS if name in held}  # type: ignore[index]

    @property
    def factors(self) -> tuple[str, ...]:
        return tuple(name for name in LATENTS if name not in self.held)

    @property
    def shards(self) -> dict[str, int]:
        return self.counts()
