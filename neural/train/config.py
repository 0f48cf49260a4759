"""Configurations of runs: a dataclass each, filled in from YAML files and single settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from importlib.resources import files
from math import inf, isfinite
from pathlib import Path
from reprlib import Repr
from typing import Any, TypeVar, get_type_hints

import yaml

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.regular_files import KIB, read_regular
from bidwright.bridge.text_files import decode, reason_of_value


@dataclass(frozen=True)
class RunConfig:
    """The settings that every run has.

    Attributes:
        seed: the seed of all random generators.
        device: `cpu`, `cuda`, or `auto` for a GPU where there is one.
        bf16: compute in bfloat16 where that is safe, if the device has instructions for it.
        threads: processor threads of each process.
        checkpoint_minutes: minutes between checkpoints.
        width: neurons of each hidden layer.
        depth: hidden layers.
    """

    seed: int = 0
    device: str = "auto"
    bf16: bool = False
    threads: int = 1
    checkpoint_minutes: float = 5.0
    width: int = 256
    depth: int = 4

    def __post_init__(self) -> None:
        """Check that each setting is a number that it can be.

        Raises:
            InvalidError: A number is below the least or above the most of its setting.
        """
        for setting in fields(self):
            value = getattr(self, setting.name)
            for number in value if isinstance(value, tuple) else (value,):
                if isinstance(number, int | float):
                    _check_range(setting.name, number)


_COUNTS = (
    *("threads", "width", "depth", "steps", "batch", "evaluate_every", "evaluation_deals"),
    *(
        "iterations",
        "boards",
        "parts",
        "groups",
        "pool_size",
        "pool_every",
        "epochs",
        "minibatches",
    ),
    *("replay", "updates"),
    *("search_depth", "search_answers", "search_rollouts", "search_latest", "held_out"),
)
_FROM_NOUGHT = ("seed", "lag", "warmup", "critic_first", "burn_in", "search_deals")
_SHARES = (
    "against",
    "undisclosed",
    "mask",
    "leash_doubt",
    "search_share",
    "search_least",
    "search_weight",
    "trace",
    "rate_at_end",
    "hidden",
    "forgets",
    "blend",
)
_AMOUNTS = (
    *("checkpoint_minutes", "learning_rate", "policy_rate", "critic_rate", "weight_decay"),
    *("leash_targets", "file_targets", "leash_cost", "hold", "entropy_weight"),
    *("priority_exponent", "importance_exponent", "clip", "reward_scale", "ratio_cap"),
)
_LEAST: dict[str, float] = {
    **dict.fromkeys(_COUNTS, 1),
    **dict.fromkeys((*_FROM_NOUGHT, *_SHARES, *_AMOUNTS), 0),
    "tables": 2,
}
"""The least that a setting of any configuration may be."""
_MOST: dict[str, float] = {
    **dict.fromkeys((*_COUNTS, *_FROM_NOUGHT), 2**31 - 1),
    **dict.fromkeys(_SHARES, 1),
    **{"seed": 2**63 - 1, "threads": 1_024, "width": 65_536, "depth": 1_024},
}
"""The most that it may be."""
_ABOVE_NOUGHT = ("clip", "leash_doubt", "reward_scale")


def _check_range(name: str, number: float) -> None:
    shown = number if isinstance(number, int) else f"{number:g}"
    # The name means a share in some configurations and a number of auctions in others.
    if name == "held_out" and isinstance(number, float):
        if not 0 < number < 1:
            raise InvalidError(
                f"expected a share between 0 and 1 for the setting {name!r}, got {shown}"
            )
        return
    least, most = _LEAST.get(name, -inf), _MOST.get(name, inf)
    if number < least:
        raise InvalidError(f"expected {least} or more for the setting {name!r}, got {shown}")
    if number > most:
        raise InvalidError(f"expected {most:,} or less for the setting {name!r}, got {shown}")
    if name in _ABOVE_NOUGHT and not number:
        raise InvalidError(f"expected more than 0 for the setting {name!r}, got {shown}")


_QUOTES = Repr()
_QUOTES.maxlevel, _QUOTES.maxlist, _QUOTES.maxdict = 2, 4, 4
# Lists in YAML may hold each other: 700 bytes once wrote messages until memory was gone.
_QUOTES.maxstring = _QUOTES.maxlong = _QUOTES.maxother = 100
"""Writes values for messages: of lists, which may hold each other in YAML, the beginning."""

_MOST_BYTES = 64 * KIB
"""Bytes of a configuration: fifty settings and their comments take three KB, and reading 100 MB of
YAML takes minutes."""

C = TypeVar("C", bound=RunConfig)


class _Loader(yaml.SafeLoader):
    """Reads YAML without numbers that Python refuses to print."""


def _whole_number(loader: _Loader, node: yaml.ScalarNode) -> int:
    """Return a whole number.

    YAML 1.1 has numbers to the base of 60, `1:59`, so that few signs make one of more digits than
    Python converts, in any message about it, too.

    Raises:
        ValueError: It is longer than any setting.
    """
    if len(node.value) > _MOST_DIGITS:
        raise ValueError(f"expected a number of at most {_MOST_DIGITS} digits")
    return loader.construct_yaml_int(node)


_MOST_DIGITS = 40
_Loader.add_constructor("tag:yaml.org,2002:int", _whole_number)


def read_config(kind: type[C], source: str | None, settings: Sequence[str] = ()) -> C:
    """Return a configuration.

    Args:
        kind: its class.
        source: a YAML file, or the name of one that comes with the package; None for defaults.
        settings: `key=value`, which come last.

    Raises:
        InvalidError: If there is no such file, setting or value.
    """
    values: dict[str, object] = {}
    if source is not None:
        path = _find(source)
        values |= _mapping(decode(read_regular(path, _MOST_BYTES)), str(path))
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise InvalidError(f"expected KEY=VALUE, got {setting!r}")
        values |= _mapping(f"{key.strip()}: {value.strip()}", setting)
    return from_mapping(kind, values)


def from_mapping(kind: type[C], values: UncheckedObject) -> C:
    """Return a configuration with these values and defaults.

    Raises:
        InvalidError: If there is no such setting, or a value is of another type.
    """
    types = get_type_hints(kind)
    checked = {}
    for key, value in values.items():
        if key not in types:
            close = get_close_matches(str(key), types, 1)
            hint = f"; did you mean {close[0]!r}?" if close else f" ({', '.join(types)})"
            raise InvalidError(f"unknown setting {_QUOTES.repr(key)}{hint}")
        checked[key] = _checked(key, value, types[key])
    missing = [
        each.name
        for each in fields(kind)
        if each.default is dataclasses.MISSING and each.name not in checked
    ]
    if missing:
        raise InvalidError(f"expected a value for the setting {missing[0]!r}")
    return kind(**checked)


def to_yaml(config: RunConfig) -> str:
    """Return a configuration as YAML text."""
    values = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in dataclasses.asdict(config).items()
    }
    # In the order of the fields, not of the alphabet: a reader finds the file again.
    return yaml.safe_dump(values, sort_keys=False)


def named_configs() -> list[str]:
    """Return the names of the configurations that come with the package."""
    folder = files("bidwright") / "neural" / "runs"
    return sorted(each.name[:-5] for each in folder.iterdir() if each.name.endswith(".yaml"))


def _find(source: str) -> Path:
    if (path := Path(source)).is_file():
        return path
    shipped = Path(str(files("bidwright") / "neural" / "runs" / f"{source}.yaml"))
    if shipped.is_file():
        return shipped
    names = ", ".join(named_configs())
    raise InvalidError(f"expected a YAML file or one of {names}, got {source!r}")


def _reason(error: Exception) -> str:
    reason = reason_of_value(error) if isinstance(error, ValueError) else str(error)
    return " ".join(reason.split())


def _mapping(text: str, place: str) -> UncheckedObject:
    try:
        values = yaml.load(text, _Loader)
    except RecursionError:
        raise InvalidError(f"expected YAML in {place}: it is nested too deep") from None
    except (yaml.YAMLError, ValueError) as error:  # a ValueError: a date that is none, 5,000 digits
        raise InvalidError(f"expected YAML in {place}: {_reason(error)}") from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise InvalidError(f"expected settings, each with a value, in {place}")
    return values


def _checked(key: str, value: Any, expected: Any) -> Any:  # noqa: ANN401 - any YAML value
    """Return a value as its type; whole numbers and texts such as 1e-4 may stand for floats."""
    # YAML takes 1e-4 for a text, since it lacks a full stop.
    if expected is float and (number := _finite(value)) is not None:
        return number
    if expected == tuple[float, ...] and isinstance(value, list):
        numbers = [_finite(each) for each in value]
        if None in numbers:
            raise InvalidError(
                f"expected numbers for the setting {key!r}, got {_QUOTES.repr(value)}"
            )
        return tuple(numbers)
    if expected == tuple[str, ...] and isinstance(value, list):
        if any(isinstance(each, list | dict) for each in value):
            raise InvalidError(f"expected texts for the setting {key!r}, got {_QUOTES.repr(value)}")
        return tuple(str(each) for each in value)
    # `True` is an int, but no number in a configuration.
    if expected in (int, str, bool) and type(value) is expected:
        return value
    name = "a finite number" if expected is float else getattr(expected, "__name__", str(expected))
    raise InvalidError(f"expected {name} for the setting {key!r}, got {_QUOTES.repr(value)}")


def _finite(value: Any) -> float | None:  # noqa: ANN401 - any YAML value
    """Return a number as a float, None if it is none or is not finite."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
