"""The environment that pictures are rendered in, as data."""

from typing import ClassVar, Literal

from demix.specs.base import Component


class Renderer(Component):
    """A Python with Blender: of DEMIX_RENDER_PYTHON, or one that is set up here."""

    implementation: ClassVar[str] = "demix_render.blender:Renderer"
    kind: Literal["renderer"] = "renderer"
