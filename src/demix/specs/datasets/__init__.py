"""Data sets of images, as data: where they come from and what is known of each picture."""

from typing import Annotated, Any, ClassVar

from pydantic import SerializeAsAny, StringConstraints

from demix.specs.base import Component, Spec
from demix.specs.families import member_of

Md5 = Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]
Sha256 = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


class FileSpec(Spec):
    """A file that is fetched from elsewhere."""

    name: str
    md5: Md5 | None = None
    sha256: Sha256 | None = None


class DatasetSpec(Component):
    """What every data set says of itself."""

    external: ClassVar[bool] = True
    """It may not be available: a network, a folder, a renderer is needed."""

    stand_in: ClassVar[bool] = False
    """It is made up in place of published data."""

    has_sequences: ClassVar[bool] = False
    """Its pictures are frames of sequences."""

    source: ClassVar[str] = ""
    """Its entry in `datasets` of the configuration, which says where it comes from; empty: it needs none."""

    constants: ClassVar[dict[str, tuple[tuple[float, ...], tuple[float, ...]]]] = {}
    """Mean and std of channels that a problem may normalise with, by name, beside the data's own."""

    normalization: ClassVar[str] = "none"
    """What a problem normalises with if it names nothing: "none", "own" or one of the constants."""

    @property
    def label(self) -> str:
        """How tables name it."""
        return self.kind

    @property
    def labels(self) -> dict[str, str]:
        """Label columns of tables: space and marginal."""
        return {"space": self.label, "marginal": ""}

    @property
    def shape(self) -> tuple[int, int, int]:
        """Channels, height and width of a picture."""
        raise NotImplementedError

    @property
    def factors(self) -> tuple[str, ...]:
        """Names of the factors that are known of every picture and vary, in the order of their columns."""
        return ()

    @property
    def evaluation_splits(self) -> tuple[str, ...]:
        """Splits that are scored, the one that tables show first. "marginal": the one that is trained on."""
        return ("marginal",)

    @property
    def files(self) -> tuple[FileSpec, ...]:
        """Files to fetch before it can be converted."""
        return ()

    @property
    def shards(self) -> dict[str, int]:
        """Number of pictures by split that have to be rendered before it can be converted."""
        return {}

    def facts(self) -> dict[str, Any]:
        """What its card says beside statistics."""
        return {}


Dataset = Annotated[SerializeAsAny[DatasetSpec], member_of("datasets")]
