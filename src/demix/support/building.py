"""From a spec to the object that it describes."""

from importlib import import_module
from typing import Any

from demix.specs.base import Component


def build(spec: Component, **context: Any) -> Any:
    """Call the class that implements a spec with the fields of the spec as keyword arguments, neutral ones left out.

    Args:
        spec: a component of the experiment model.
        context: further keyword arguments, such as the number of latents.
    """
    module, name = spec.implemented_by.split(":")
    fields = {key: value for key, value, _ in spec.fields() if key != "kind"}
    return getattr(import_module(module), name)(**fields, **context)
