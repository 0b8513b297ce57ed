"""From a spec to the object that it describes."""

from importlib import import_module
from typing import Any

from demix.specs.base import Component


def build(spec: Component, **context: Any) -> Any:
    """Call the class that `spec.implementation` names with the fields of the spec as keyword arguments.

    Args:
        spec: a component of the experiment model.
        context: further keyword arguments, such as the number of latents.
    """
    module, name = spec.implementation.split(":")
    fields = {key: getattr(spec, key) for key in type(spec).model_fields if key != "kind"}
    return getattr(import_module(module), name)(**fields, **context)
