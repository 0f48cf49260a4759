"""Shared output of verbs: examples on help pages, `--json`, the style of the terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bidwright.bridge.errors import one_sentence
from bidwright.runtime.files import check_writable
from bidwright.runtime.sentences import noun_for

if TYPE_CHECKING:
    from bidwright.inference.explanation.text_style import TextStyle


def examples(*lines: str) -> str:
    """Return examples as the end of a help page, their line breaks kept."""
    return "\n".join(
        ["\b", f"{noun_for(len(lines), 'Example')}:", *(f"  {line}" for line in lines)]
    )


def check_outputs(**files: Path | None) -> None:
    """Check that files can be written, before the work whose results go there begins.

    Args:
        files: the files by the names of their options.

    Raises:
        UsageError: One is a folder or in a folder that is not there, or two are the same.
        InvalidError: One cannot be written.
    """
    named = {f"--{option}": path for option, path in files.items() if path is not None}
    for option, path in named.items():
        if path.is_dir():
            raise click.UsageError(f"expected a file for {option}, got the folder {path}")
        if not path.parent.is_dir():
            raise click.UsageError(
                f"expected a file in a folder that is there for {option}, got {path}"
            )
    for first, other in combinations(named, 2):
        # By real paths: a link would let one output write over the other.
        if os.path.realpath(named[first]) == os.path.realpath(named[other]):
            raise click.UsageError(f"expected different files for {first} and {other}")
    for path in named.values():
        check_writable(path)


def terminal_style() -> TextStyle:
    """Return the width and colours of the terminal that is printed to."""
    from bidwright.inference.explanation import text_style

    return text_style.terminal_style()


_MOST = 50
"""Warnings that are printed; the rest is counted."""


def print_warnings(messages: Sequence[str]) -> None:
    """Print the first messages of warnings, and the number of further ones."""
    for message in messages[:_MOST]:
        print(f"bidwright: {one_sentence(message)}", file=sys.stderr)
    if len(messages) > _MOST:
        print(f"bidwright: and {len(messages) - _MOST} more", file=sys.stderr)


def print_json(value: Mapping[str, object]) -> None:
    """Print an object as indented JSON."""
    print(json.dumps(value, indent=2, ensure_ascii=False))
