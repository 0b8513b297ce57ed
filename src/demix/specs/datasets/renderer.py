"""The environment that pictures are rendered in, as data."""

from demix.specs.datasets import DatasetSpec


class RendererSpec(DatasetSpec):
    """A Python with Blender: that of DEMIX_RENDER_PYTHON, or one that is set up here."""
