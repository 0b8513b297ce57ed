"""From a spec to the object that it describes."""

from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from demix.specs.base import Component


def build(spec: Component, **context: Any) -> Any:
    """Call what implements a spec with the fields of the spec as keyword arguments, neutral ones left out.

    Args:
        spec: a component of the experiment model.
        context: further keyword arguments, such as the number of latents; those that the implementation does not take
            are left out.
    """
    module, name = spec.implemented_by.split(":")
    implementation = getattr(import_module(module), name)
    fields = {key: value for key, value, _ in spec.fields() if key != "kind"}
    return implementation(**fields, **_taken(implementation, context))


def _taken(implementation: Any, context: dict[str, Any]) -> dict[str, Any]:
    """Those of the arguments that it has a parameter for."""
    parameters = signature(implementation).parameters
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters.values()):
        return context
    return {key: value for key, value in context.items() if key in parameters}
