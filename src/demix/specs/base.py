"""What all config models share: closed, immutable, and errors that a user can act on."""

from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator

from demix.errors import ConfigError, unknown


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


class Component(Spec):
    """A part that code implements. Its fields are the keyword arguments of the class named by `implementation`.

    The name is text, "module:class", so that reading a config never imports the code (nor torch), and so that
    a run's key can follow it to the code that decides the run's result.
    """

    implementation: ClassVar[str]
    programs: ClassVar[tuple[str, ...]] = ()
    """Modules of other programs that decide its result too; they are never imported here."""

    libraries: ClassVar[tuple[str, ...]] = ("torch", "numpy")
    """Those whose major versions decide a result of which this is the whole spec."""

    kind: str


def _expand_name(value: Any) -> Any:
    return {"kind": value} if isinstance(value, str) else value


named = BeforeValidator(_expand_name)
"""Lets a bare name stand for a component with default parameters: `uniform` for `{kind: uniform}`."""


def named_or(kind: str) -> BeforeValidator:
    """As `named`; a mapping without a kind is one of this kind."""

    def expand(value: Any) -> Any:
        value = _expand_name(value)
        return {"kind": kind, **value} if isinstance(value, dict) else value

    return BeforeValidator(expand)


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
    context = item.get("ctx", {})
    if item["type"] == "union_tag_invalid":
        tags = [tag.strip().strip("'") for tag in context["expected_tags"].split(",")]
        return f"{place}: {unknown(context['discriminator'].strip(chr(39)), context['tag'], tags)}"
    if item["type"] == "union_tag_not_found":
        return f"{place}: the key {context['discriminator']} is missing"
    if item["type"] == "value_error":
        return f"{place}: {context['error']}"
    if item["type"] == "missing":
        return f"{place}: this key is missing"
    return f"{place}: {item['msg'].lower()}, got {item['input']!r}"
