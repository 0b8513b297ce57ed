"""Specs: typed, immutable records of everything that the configuration can say. All of them derive from `Spec`.

A spec has three forms, each for one purpose:

- JSON (`spec.model_dump_json()`, read back by `parse`) goes into the command line of a step. It has every field.
- `content(spec)` goes into keys. It lacks fields at their neutral value, and on request those that only decide the
  evaluation, so that equal results have equal keys.
- `demix.support.mappings.flat` of either has one entry a value, such as "problem.space.low": to name the values in
  which two specs differ, such as a run's departures from the published settings.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.fields import FieldInfo

from demix.support.errors import ConfigError, unknown

SPEC_PACKAGE = "demix.specs"


@dataclass(frozen=True)
class Neutral:
    """Marks a field that was added to a spec after results had been computed with it.

        steepness: Annotated[float, Neutral(1.0)] = Field(1.0, description="...")

    A field that equals its neutral value is left out of keys, so results from before it was added are still found. Nor
    is it passed to the implementation, whose parameter needs the neutral value as its default. The value stands here
    beside the field's default, so that another default later on gives new keys, as it must.
    """

    value: Any


class ForEvaluation:
    """Marks a field that changes what is scored but not what is trained: it is left out of the keys of trainings."""


class InNoKey:
    """Marks a field that decides no result, such as where a file comes from."""


class Spec(BaseModel):
    """A closed, immutable config model: a key it does not know is an error that names the nearest one."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, data: Any) -> Any:
        if isinstance(data, dict):
            for key in data:
                if key not in cls.model_fields:
                    raise ValueError(unknown("key", key, cls.model_fields))
        return data

    def fields(self) -> Iterator[tuple[str, Any, FieldInfo]]:
        """Name, value and declaration of every field that is not at its neutral value."""
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if not any(isinstance(mark, Neutral) and mark.value == value for mark in field.metadata):
                yield name, value, field


class Member(Spec):
    """A member of a family, which `kind` chooses (see `demix.specs.families`).

    A class of demix lies in a module of its own below `demix.specs`, which gives it its `kind`; a class of a user's own
    has the kind "module:Class".
    """

    kind: str = ""

    @classmethod
    def kind_name(cls) -> str:
        """The value of `kind` in the configuration that chooses this class."""
        if cls.__module__.startswith(f"{SPEC_PACKAGE}."):
            return cls.__module__.rsplit(".", 1)[1]
        return f"{cls.__module__}:{cls.__qualname__}"

    @model_validator(mode="before")
    @classmethod
    def _name_kind(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        name = cls.kind_name()
        if data.get("kind", name) != name:
            raise ValueError(unknown("kind", data["kind"], [name]))
        return data | {"kind": name}


class Component(Member):
    """A part that code implements. Its fields are the keyword arguments of the class that `implementation` names.

    The implementation is the class (or function) of the same name, less "Spec": for a class of demix in the module of
    the same name below `demix`, for one of a user's own in the same module, unless it names another one. It is named,
    never imported: reading a config imports no torch, and a run's key can follow the name to the code that decides the
    run's result.
    """

    implementation: ClassVar[str] = ""
    """ "module:class" of the code; empty: the one that follows from the name of the spec."""

    programs: ClassVar[tuple[str, ...]] = ()
    """Further modules whose code counts in keys, such as those of the program that renders. They are not imported."""

    libraries: ClassVar[tuple[str, ...]] = ("torch", "numpy")
    """Packages whose versions are in the key of a result that this spec alone describes."""

    @property
    def implemented_by(self) -> str:
        """ "module:class" of the code."""
        cls = type(self)
        module = cls.__module__.replace(f"{SPEC_PACKAGE}.", "demix.", 1)
        return cls.implementation or f"{module}:{cls.__qualname__.removesuffix('Spec')}"


def components(spec: Any) -> Iterator[Component]:
    """A spec and all components below it that code implements, in lists and mappings too."""
    if isinstance(spec, Component):
        yield spec
    if isinstance(spec, Spec):
        for name in type(spec).model_fields:
            yield from components(getattr(spec, name))
    elif isinstance(spec, dict):
        for value in spec.values():
            yield from components(value)
    elif isinstance(spec, tuple):
        for value in spec:
            yield from components(value)


def content(value: Any, *, evaluation: bool = True) -> Any:
    """A spec as plain data for keys: without fields at their neutral value and those that decide no result.

    Args:
        evaluation: false leaves out fields that are marked with `ForEvaluation` too.
    """
    left_out = InNoKey if evaluation else (InNoKey, ForEvaluation)
    if isinstance(value, Spec):
        return {
            name: content(inner, evaluation=evaluation)
            for name, inner, field in value.fields()
            if not any(isinstance(mark, left_out) for mark in field.metadata)
        }
    if isinstance(value, dict):
        return {str(name): content(inner, evaluation=evaluation) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [content(inner, evaluation=evaluation) for inner in value]
    return value


S = TypeVar("S", bound="Spec")


def parse(model: type[S], data: Any, where: str) -> S:
    """Validate `data` against `model`.

    Args:
        model: the spec class.
        data: plain data, as YAML or JSON give it.
        where: how a user finds the place, such as "problems.sph-uni"; it starts every line of the error.

    Raises:
        ConfigError: one line for each thing that is wrong.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ConfigError("\n".join(_explain(where, item) for item in error.errors())) from None


def _explain(where: str, item: Any) -> str:
    """One line for one pydantic error: place, what is wrong, the value that was given."""
    place = ".".join([where, *(str(part) for part in item["loc"])])
    if item["type"] == "value_error":
        return f"{place}: {item['ctx']['error']}"
    if item["type"] == "missing":
        return f"{place}: this key is missing"
    return f"{place}: {item['msg'].lower()}, got {item['input']!r}"
