"""Options after a name in a specification: `sayc-rl,prior=0.5,shield=off`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from difflib import get_close_matches
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from bidwright.bridge.errors import InvalidError


def split_options(argument: str) -> tuple[str, dict[str, str]]:
    """Return the name and the options after the colon of a specification.

    Raises:
        InvalidError: An option has no value, or is there twice.

    Example:
        >>> split_options("runs/rl/policy.safetensors, prior=0.5")
        ('runs/rl/policy.safetensors', {'prior': '0.5'})
    """
    name, *rest = (part.strip() for part in argument.split(","))
    options: dict[str, str] = {}
    for part in rest:
        key, equals, value = (each.strip() for each in part.partition("="))
        if not equals or not value:
            raise InvalidError(f"expected an option such as prior=0.5 after a comma, got {part!r}")
        if key in options:
            raise InvalidError(f"expected the option {key!r} once")
        options[key] = value
    return name, options


def read_options(options: Mapping[str, str], *kinds: type[Any]) -> list[Any]:
    """Return an instance of each dataclass, filled in from options and defaults.

    Raises:
        InvalidError: No class has such a field, or a value is of another type.
    """
    classes = {each.name: kind for kind in kinds for each in fields(kind)}
    for key in options:
        if key not in classes:
            close = get_close_matches(key, classes, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(classes)}"
            raise InvalidError(f"unknown option {key!r}; {hint}")
    return [_instance(kind, options) for kind in kinds]


def _instance(kind: type[Any], options: Mapping[str, str]) -> Any:  # noqa: ANN401 - of any class
    types = get_type_hints(kind)
    values = {
        each.name: _value(each.name, options[each.name], types[each.name])
        for each in fields(kind)
        if each.name in options
    }
    assert all(each.default is not MISSING for each in fields(kind)), "options may be left out"
    return kind(**values)


def _value(key: str, text: str, expected: Any) -> Any:  # noqa: ANN401 - a type, and a value of it
    if get_origin(expected) is Literal:
        if text in get_args(expected):
            return text
        raise InvalidError(f"expected {key}={'|'.join(get_args(expected))}, got {text!r}")
    if expected is str:
        return text
    words: tuple[str, ...] = ()
    if get_origin(expected) in (Union, UnionType):  # a number, or a word instead
        expected, words = get_args(expected)[0], get_args(get_args(expected)[1])
        if text in words:
            return text
    try:
        value = expected(text)
    except ValueError:
        # A value that does not parse is treated like a negative one: one message for both.
        value = -1
    # NaN is the one number that is not equal to itself.
    if value < 0 or value != value:
        what = "a whole number" if expected is int else "a number"
        others = "".join(f" or {word}" for word in words)
        raise InvalidError(f"expected {what}, 0 or more,{others} as {key}, got {text!r}")
    return value
