"""Numbers that verbs take as options: whole ones in a range, and amounts that are finite."""

from __future__ import annotations

from math import isfinite
from typing import Any

import click


class Whole(click.IntRange):
    """A whole number in a range; the help calls it N, and a mistake is explained in words."""

    name = "n"

    def _describe_range(self) -> str:
        """Return nothing: the help says what a number is for, mistakes say what it may be."""
        return ""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click passes on what it has
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        """Return the number.

        Raises:
            click.BadParameter: It is no whole number, or is out of range.
        """
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            low = self.min
            if self.max is not None:
                wanted = f"from {low:,} to {self.max:,}"
            else:
                wanted = f"of at least {low:,}"
            self.fail(f"expected a whole number {wanted}, got {str(value)[:40]}", param, ctx)


SEED = Whole(0, 2**63 - 1)
"""A random seed."""

JOBS = Whole(1, 1_024)
"""A number of processes; each takes memory as soon as there is work for it."""


class Finite(click.FloatRange):
    """A number in a range that is neither infinite nor "not a number"."""

    name = "number"

    def _describe_range(self) -> str:
        """Return nothing: the help says what a number is for, mistakes say what it may be."""
        return ""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click passes on what it has
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """Return the number.

        Raises:
            click.BadParameter: It is none, is not finite, or is out of range.
        """
        try:
            number = float(super().convert(value, param, ctx))
        except click.BadParameter:
            above = f"{'above' if self.min_open else 'of at least'} {self.min:g}"
            below = "" if self.max is None else f" and {'below' if self.max_open else 'at most'} "
            limit = "" if self.max is None else f"{self.max:g}"
            wanted = f"a number {above}{below}{limit}"
            self.fail(f"expected {wanted}, got {str(value)[:40]}", param, ctx)
        if not isfinite(number):
            self.fail(f"expected a finite number, got {value}", param, ctx)
        return number


SECONDS = Finite(0, min_open=True)
"""A time limit in seconds."""
