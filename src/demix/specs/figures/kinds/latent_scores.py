"""Scores of single latents, as data."""

from pydantic import Field

from demix.specs.figures.kinds import FigureSpec


class LatentScoresSpec(FigureSpec):
    """Which latents of pictures each run recovers: R2 of every latent, where tables print the mean."""

    runs: dict[str, str] = Field(min_length=1, description="run by what the figure calls it; all of the same latents")
    evaluation_set: str = Field("test", description="what the runs are scored on")
