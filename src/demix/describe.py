"""Every key of the configuration: default and meaning. With a name, such as `model`, only that part.

python -m demix.describe                      everything
python -m demix.describe config               workflow_config.yaml and the files of suites
python -m demix.describe latents.densities    the kinds of a family, each with its parameters
"""

import types
import typing
from collections.abc import Iterator
from functools import cache
from pkgutil import walk_packages
from typing import Any

import demix.specs
from demix.specs.base import SPEC_PACKAGE, Spec
from demix.specs.families import base_of, kinds, member
from demix.specs.model import ModelSpec
from demix.specs.training import TrainingSpec
from demix.specs.workflow import WorkflowSpec
from demix.support.cli import parser, run
from demix.support.errors import ConfigError, unknown

ROOTS: dict[str, type[Spec]] = {"config": WorkflowSpec, "model": ModelSpec, "training": TrainingSpec}
"""Where the description starts; the families that these refer to follow."""


def main() -> None:
    """Command line."""
    parts = [*ROOTS, *families().values()]
    arguments = parser("describe", __doc__)
    arguments.add_argument("part", nargs="?", help=f"one of {', '.join(parts)}")
    options = arguments.parse_args()
    if options.part and options.part not in parts:
        raise ConfigError(unknown("part", options.part, parts))
    for name in [options.part] if options.part else parts:
        print("\n".join(description_of(name)), end="\n\n")


@cache
def families() -> dict[type[Spec], str]:
    """Families of components, folders of `demix.specs` with a base class, by that class."""
    packages = (found.name for found in walk_packages(demix.specs.__path__, f"{SPEC_PACKAGE}.") if found.ispkg)
    return {base: name for name, base in _bases(name.removeprefix(f"{SPEC_PACKAGE}.") for name in packages)}


def _bases(names: Iterator[str]) -> Iterator[tuple[str, type[Spec]]]:
    for name in names:
        try:
            yield name, base_of(name)
        except ValueError:  # a folder that is no family, such as one of helpers
            continue


def description_of(part: str) -> list[str]:
    """Lines that describe a root or a family."""
    if part in ROOTS:
        return description(part, ROOTS[part])
    lines = [f"{part}: {_summary(base_of(part))} One of the kinds below, or module:Class, a class of your own."]
    for kind in kinds(part):
        lines += description(kind, member(part, kind), "  ")
    return lines


def description(title: str, model: type[Spec], indent: str = "") -> list[str]:
    """Lines that describe a spec and, indented, the specs that its keys hold."""
    lines = [f"{indent}{title}: {_summary(model)}"]
    for key, field in model.model_fields.items():
        if key == "kind":
            continue
        needed = field.is_required()
        default = "" if needed else f" = {_short(field.get_default(call_default_factory=True))}"
        found = specs_in(field.annotation, *field.metadata)
        chosen = "".join(f"  [see {families()[inner]}]" for inner in found if inner in families())
        about = f"{'  (needed)' if needed else ''}{chosen}  {field.description or ''}".rstrip()
        lines.append(f"{indent}  {key}{default}{about}")
        for inner in found:
            if inner not in families():
                lines += description(key, inner, indent + "      ")
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


def _summary(model: type[Spec]) -> str:
    """The first sentence of its docstring."""
    paragraph = " ".join((model.__doc__ or "").split("\n\n")[0].split())
    return f"{paragraph.split('. ')[0].rstrip('.')}."


def _short(value: Any) -> str:
    if isinstance(value, Spec):
        changed = value.model_dump(exclude_defaults=True)
        return str(changed or value.model_dump().get("kind", "defaults"))
    return str(value)


if __name__ == "__main__":
    run(main)
