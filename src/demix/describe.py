"""Every key of the configuration: default and meaning. With a name, such as `problem`, only that part."""

import types
import typing
from typing import Any

from demix.specs.base import Spec
from demix.specs.mask_pairs import MaskPairs
from demix.specs.model import Model
from demix.specs.picture_pairs import PicturePairs
from demix.specs.problem import SyntheticProblem
from demix.specs.training import Training
from demix.specs.workflow import WorkflowConfig
from demix.support.cli import parser, run
from demix.support.errors import ConfigError, unknown

PARTS: dict[str, type[Spec]] = {
    "config": WorkflowConfig,
    "problem": SyntheticProblem,
    "mask_pairs": MaskPairs,
    "picture_pairs": PicturePairs,
    "model": Model,
    "training": Training,
}


def main() -> None:
    """Command line."""
    arguments = parser("describe", __doc__)
    arguments.add_argument("part", nargs="?", help=f"one of {', '.join(PARTS)}")
    options = arguments.parse_args()
    if options.part and options.part not in PARTS:
        raise ConfigError(unknown("part", options.part, PARTS))
    for name in [options.part] if options.part else PARTS:
        print("\n".join(description(name, PARTS[name])), end="\n\n")


def description(title: str, model: type[Spec], indent: str = "") -> list[str]:
    """Lines that describe a spec and, indented, the specs that its keys hold."""
    lines = [f"{indent}{title}: {(model.__doc__ or '').splitlines()[0]}"]
    for key, field in model.model_fields.items():
        needed = field.is_required()
        default = "" if needed else f" = {_short(field.get_default(call_default_factory=True))}"
        lines.append(f"{indent}  {key}{default}{'  (needed)' if needed else ''}  {field.description or ''}".rstrip())
        for inner in specs_in(field.annotation, *field.metadata):
            kind = inner.model_fields.get("kind")
            lines += description(str(kind.default) if kind else key, inner, indent + "      ")
    return lines


def specs_in(*annotations: Any) -> list[type[Spec]]:
    """Spec classes that an annotation mentions, in order."""
    found: list[type[Spec]] = []
    for annotation in annotations:
        if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
            found += [annotation] if issubclass(annotation, Spec) else []
        else:
            found += specs_in(*typing.get_args(annotation))
    return found


def _short(value: Any) -> str:
    if isinstance(value, Spec):
        changed = value.model_dump(exclude_defaults=True)
        return str(changed or value.model_dump().get("kind", "defaults"))
    return str(value)


if __name__ == "__main__":
    run(main)
