"""Data sets of images, as data: their shape, what is known of each image, and the files that they are made from.

The contract of the code behind a spec is in `demix.datasets.common.conversion`.
"""

from typing import Annotated, Any, ClassVar

from pydantic import Field, SerializeAsAny, StringConstraints

from demix.specs.base import Component, InNoKey, Spec, parse
from demix.specs.families import member_of

Md5 = Annotated[str, StringConstraints(pattern="^[0-9a-f]{32}$")]
Sha256 = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


class FileSpec(Spec):
    """A file that is fetched from elsewhere."""

    name: Annotated[str, StringConstraints(pattern="^[^/.][^/]*$")] = Field(description="what it is called here")
    md5: Md5 | None = Field(None, description="checksum that it must have")
    sha256: Sha256 | None = Field(None, description="the same; without any, that of the file that was used first")
    urls: Annotated[tuple[str, ...], InNoKey()] = Field((), description="addresses to try in turn")


class DatasetSpec(Component):
    """What every data set says of itself. Its implementation is a `Converted` or `Rendered` data set, both described in
    `demix.datasets.common.conversion`, with an example of a whole one; `demix.datasets.kitti_stand_in` is one to copy.
    """

    programs: ClassVar[tuple[str, ...]] = ("demix.datasets.common.moments",)
    external: ClassVar[bool] = True
    """Getting it can fail, since it needs a network, a folder or a renderer."""

    stand_in: ClassVar[bool] = False
    """Its images are synthetic and replace those of a published data set."""

    has_sequences: ClassVar[bool] = False
    """Its images are frames of sequences."""

    source: ClassVar[str] = ""
    """Its entry in `datasets` of the configuration, which may say where it comes from; empty: that of its kind."""

    constants: ClassVar[tuple[str, ...]] = ()
    """Names of mean and std that a problem may normalise with, beside the data's own; the implementation has them."""

    @property
    def source_name(self) -> str:
        """Its entry in `datasets` of the configuration."""
        return self.source or self.kind

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
        """Channels, height and width of an image."""
        raise NotImplementedError

    @property
    def factors(self) -> tuple[str, ...]:
        """Names of the factors that are known of every image and vary, in the order of their columns."""
        return ()

    @property
    def known(self) -> tuple[str, ...]:
        """Names of the arrays that it has a row of for each image, such as "labels"; scores may need them."""
        return ("factors",) if self.factors else ()

    @property
    def evaluation_splits(self) -> tuple[str, ...]:
        """Names of the splits that codes are scored on; tables show the first. "marginal" means the images of the split
        "train", on which encoders are trained too."""
        return ("marginal",)

    @property
    def files(self) -> tuple[FileSpec, ...]:
        """Files to fetch before it can be converted."""
        return ()

    @property
    def shards(self) -> dict[str, int]:
        """Number of images by split that have to be rendered before it can be converted."""
        return {}


Dataset = Annotated[SerializeAsAny[DatasetSpec], member_of("datasets")]


class _Choice(Spec):
    data: Dataset


def dataset_from(data: Any, where: str) -> DatasetSpec:
    """A data set of any kind from plain data.

    Args:
        where: how a user finds the place; it starts every line of the error.

    Raises:
        ConfigError: it is not valid.
    """
    return parse(_Choice, {"data": data}, where).data
