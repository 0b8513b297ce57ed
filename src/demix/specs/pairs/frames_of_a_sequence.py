"""Frames of one sequence, as data."""

from pydantic import Field, PositiveInt

from demix.specs.datasets import DatasetSpec
from demix.specs.pairs import PairLawSpec

SECONDS_A_FRAME = 0.05
"""As the authors label separations; KITTI itself has 0.1 s between frames, and a part of the data is not KITTI's."""


class FramesOfASequenceSpec(PairLawSpec):
    """Two frames of one sequence, the second at most `max_separation` frames later (ICML 2021, Table 3)."""

    max_separation: PositiveInt = Field(
        1, description="frames between the two; uniform from 1 to this, cut off where the sequence ends"
    )

    def check(self, data: DatasetSpec) -> None:
        """Refuse a data set without sequences."""
        if not data.has_sequences:
            raise ValueError(f"pairs frames_of_a_sequence need sequences, and data set {data.kind} has none")

    @property
    def label(self) -> str:
        frames = f"≤ {self.max_separation} frame{'s' if self.max_separation > 1 else ''}"
        seconds = SECONDS_A_FRAME * (1 + self.max_separation) / 2
        return f"{frames} (Δt {seconds:g} s)"
