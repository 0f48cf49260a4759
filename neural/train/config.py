"""Configurations of runs: a dataclass each, filled in from YAML files and single settings."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import yaml

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.text_files import load


@dataclass(frozen=True)
class RunConfig:
    """What every run has.

    Attributes:
        seed: what all randomness comes from.
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
        """Check the settings that count something.

        Raises:
            InvalidError: There is none of what is needed, or the seed is negative.
        """
        for each in fields(self):
            least = 0 if each.name == "seed" else 1
            if each.name in _COUNTS and getattr(self, each.name) < least:
                raise InvalidError(
                    f"expected {least} or more for the setting {each.name!r}, "
                    f"got {getattr(self, each.name)}"
                )


_COUNTS = frozenset(
    {
        *("seed", "threads", "width", "depth", "steps", "batch", "evaluate_every"),
        *("iterations", "boards", "pool_size", "pool_every", "epochs", "minibatches"),
        *("replay", "updates"),
        *("search_calls", "search_answers", "search_rollouts", "search_latest"),
    }
)
"""Settings of all configurations that have to be at least 1; the seed may be 0."""

C = TypeVar("C", bound=RunConfig)


def read_config(kind: type[C], source: str | None, settings: Sequence[str] = ()) -> C:
    """Return a configuration.

    Args:
        kind: its class.
        source: a YAML file, or the name of one that comes with the package; None for defaults.
        settings: `key=value`, which come last.

    Raises:
        InvalidError: If there is no such file, setting or value.
    """
    values: dict[str, Any] = {}
    if source is not None:
        path = _find(source)
        values |= _mapping(load(path)[0], str(path))
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise InvalidError(f"expected KEY=VALUE, got {setting!r}")
        values |= _mapping(f"{key.strip()}: {value.strip()}", setting)
    return from_mapping(kind, values)


def from_mapping(kind: type[C], values: dict[str, Any]) -> C:
    """Return a configuration with these values and defaults.

    Raises:
        InvalidError: If there is no such setting, or a value is of another type.
    """
    types = get_type_hints(kind)
    checked = {}
    for key, value in values.items():
        if key not in types:
            close = get_close_matches(key, types, 1)
            hint = f"; did you mean {close[0]!r}?" if close else f" ({', '.join(types)})"
            raise InvalidError(f"unknown setting {key!r}{hint}")
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


def _mapping(text: str, place: str) -> dict[str, Any]:
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InvalidError(f"expected YAML in {place}: {' '.join(str(error).split())}") from None
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise InvalidError(f"expected settings, each with a value, in {place}")
    return found


def _checked(key: str, value: Any, expected: Any) -> Any:  # noqa: ANN401 - any YAML value
    """Return a value as its type; whole numbers and texts such as 1e-4 may stand for floats."""
    if expected is float and isinstance(value, int | str) and not isinstance(value, bool):
        try:
            return float(value)
        except ValueError:
            pass
    if expected == tuple[float, ...] and isinstance(value, list):
        try:
            return tuple(float(each) for each in value)
        except (TypeError, ValueError):
            raise InvalidError(f"expected numbers for the setting {key!r}, got {value!r}") from None
    if expected == tuple[str, ...] and isinstance(value, list):
        return tuple(str(each) for each in value)
    if expected in (int, float, str, bool) and type(value) is expected:
        return value
    name = getattr(expected, "__name__", str(expected))
    raise InvalidError(f"expected {name} for the setting {key!r}, got {value!r}")
