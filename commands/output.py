"""What verbs share when they print: examples on help pages, `--json`, the style of the terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bidwright.inference.explanation.text_style import TextStyle

Json = dict[str, Any]


def examples(*lines: str) -> str:
    """Return examples as the end of a help page, their line breaks kept."""
    return "\n".join(["\b", f"Example{'s' * (len(lines) > 1)}:", *(f"  {line}" for line in lines)])


def terminal_style() -> TextStyle:
    """Return the width and colours of the terminal that is printed to."""
    from bidwright.inference.explanation import text_style

    return text_style.terminal_style()


def print_json(value: Json) -> None:
    """Print an object as indented JSON."""
    print(json.dumps(value, indent=2, ensure_ascii=False))
