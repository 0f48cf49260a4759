"""Values of JSON, as they are read from files that other programs may have written."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, TypeAlias, Union

JsonValue: TypeAlias = Union[bool, int, float, str, "list[JsonValue]", "dict[str, JsonValue]", None]
"""Any value that JSON has."""

UncheckedObject: TypeAlias = Mapping[str, Any]
"""A mapping from outside (JSON, YAML, a file of arrays) before its entries are checked.

Any of them may be missing, or be anything.
"""

_KIND_NAMES: dict[Any, str] = {
    bool: "true or false",
    dict: "an object",
    int: "a number",
    list: "a list",
    str: "text",
}


def misfit(
    content: UncheckedObject, shape: Mapping[str, type], may_be_null: Collection[str] = ()
) -> str | None:
    """Return in words the first entry of an object that is missing or of another kind, or None.

    Args:
        content: the object.
        shape: the kind of each entry: `bool`, `dict`, `int`, `list` or `str`; others may follow.
        may_be_null: names of entries that may be null instead.

    Example:
        >>> print(misfit({"seed": "7"}, {"seed": int}))
        expected a number as 'seed', got "7"
    """
    for name, kind in shape.items():
        if name in may_be_null and name in content and content[name] is None:
            continue
        if not isinstance(content.get(name), kind):
            value = shown(content[name]) if name in content else "nothing"
            return f"expected {_KIND_NAMES[kind]} as {name!r}, got {value}"
    return None


def shown(value: object) -> str:
    """Return the beginning of a value's text, as messages quote it."""
    return json.dumps(value)[:60]
