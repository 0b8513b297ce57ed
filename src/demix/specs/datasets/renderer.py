"""The environment that images are rendered in, as data."""

from typing import ClassVar

from demix.specs.datasets import DatasetSpec


class RendererSpec(DatasetSpec):
    """A Python with Blender: that of DEMIX_RENDER_PYTHON, or one that is set up here."""

    programs: ClassVar[tuple[str, ...]] = ()
    libraries: ClassVar[tuple[str, ...]] = ()
