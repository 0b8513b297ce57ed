"""Natural video, as data: pairs of frames of one silhouette (ICML 2021, Table 3; 2020 workshop, Table 5)."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt, StringConstraints

from demix.specs.base import Component, named

SECONDS_A_FRAME = 0.05
"""As the authors label separations; KITTI itself has 0.1 s between frames, and a part of the data is not KITTI's."""

SIZE = 64
"""Height and width of a mask in pixels."""


class KittiMasksFile(Component):
    """The published file kitti_peds_v2.pickle (Zenodo record 3931823), converted."""

    implementation: ClassVar[str] = "demix.datasets.kitti_masks:KittiMasksFile"
    external: ClassVar[bool] = True
    kind: Literal["kitti_masks"] = "kitti_masks"
    sha256: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")] | None = Field(
        None, description="checksum that the file must have; none: that of the file that was used first"
    )

    @property
    def label(self) -> str:
        return "KITTI Masks"


class KittiStandIn(Component):
    """A made stand-in of the same format: silhouettes that move, grow and are partly hidden. No real data."""

    implementation: ClassVar[str] = "demix.datasets.kitti_stand_in:KittiStandIn"
    external: ClassVar[bool] = False
    kind: Literal["kitti_stand_in"] = "kitti_stand_in"
    sequences: PositiveInt = Field(1000, description="number of sequences")
    frames: PositiveInt = Field(80, description="mean length of a sequence, before it leaves the picture")
    motion: PositiveFloat = Field(1.0, description="size of the steps, as a multiple of those measured in KITTI Masks")
    seed: NonNegativeInt = Field(0, description="of everything that is drawn")

    @property
    def label(self) -> str:
        return "made stand-in"


MaskData = Annotated[Annotated[KittiMasksFile | KittiStandIn, Field(discriminator="kind")], named]


class MaskPairs(Component):
    """Two frames of one sequence of masks, at most so many apart. Factors: vertical and horizontal centre, area."""

    implementation: ClassVar[str] = "demix.mask_pairs:MaskPairs"
    dim: ClassVar[int] = 3
    has_pairs: ClassVar[bool] = True
    has_raw_score: ClassVar[bool] = False
    kind: Literal["mask_pairs"] = "mask_pairs"
    data: MaskData = KittiMasksFile()
    max_separation: PositiveInt = Field(
        1, description="frames between the two; uniform from 1 to this, cut off where the sequence ends"
    )
    shrink: Literal[1, 2, 4] = Field(1, description="pictures are averaged over blocks of so many pixels squared")
    held_out: float = Field(
        0.0, ge=0, lt=1, description="share of the sequences that is not trained on, for a score of its own"
    )
    evaluation_samples: int = Field(10_000, ge=2, description="start frames to score on, the same for all seeds")

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Channels, height and width."""
        return 1, SIZE // self.shrink, SIZE // self.shrink

    @property
    def evaluation_sets(self) -> tuple[str, ...]:
        """Names of the sets that codes are scored on."""
        return ("marginal", "held_out") if self.held_out else ("marginal",)

    @property
    def external(self) -> bool:
        """Its data comes from elsewhere, and may not be available."""
        return self.data.external

    @property
    def stand_in(self) -> bool:
        """Its data is made up in place of the published data."""
        return not self.data.external

    @property
    def data_spec(self) -> Component:
        """What decides the data's content; all seeds share it."""
        return self.data

    @property
    def labels(self) -> dict[str, str]:
        """Label columns of tables."""
        frames = f"≤ {self.max_separation} frame{'s' if self.max_separation > 1 else ''}"
        seconds = SECONDS_A_FRAME * (1 + self.max_separation) / 2
        return {"space": self.data.label, "marginal": "", "conditional": f"{frames} (Δt {seconds:g} s)"}
