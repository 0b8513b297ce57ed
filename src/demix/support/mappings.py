"""Nested mappings, as YAML and JSON give them: laid over one another, and with dotted paths."""

from typing import Any


def merge(base: Any, patch: Any) -> Any:
    """`patch` laid over `base`, mapping by mapping; entries of `base` come first, lists are replaced.

    A mapping of another `kind` replaces the old one, whose parameters are not its own.
    """
    if not isinstance(base, dict) or not isinstance(patch, dict):
        return patch
    if "kind" in patch and patch["kind"] != base.get("kind"):
        return patch
    return base | {key: merge(base.get(key), value) for key, value in patch.items()}


def flat(content: Any, prefix: str = "") -> dict[str, Any]:
    """Nested mappings as one mapping with dotted paths; an empty mapping is a value.

    Args:
        content: plain data.
        prefix: path of the content itself.
    """
    if not isinstance(content, dict) or not content:
        return {prefix: content}
    found: dict[str, Any] = {}
    for key, value in content.items():
        found |= flat(value, f"{prefix}.{key}" if prefix else str(key))
    return found
