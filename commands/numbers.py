"""Numbers that verbs take as options: seeds, and amounts that are finite."""

from __future__ import annotations

from math import isfinite
from typing import Any

import click

SEED = click.IntRange(0, 2**63 - 1)
"""What random numbers are drawn from."""

JOBS = click.IntRange(1, 1_024)
"""How many processes work; each takes memory as soon as there is work for it."""


class Finite(click.FloatRange):
    """A number in a range that is neither infinite nor "not a number"."""

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
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"expected a finite number, got {value}", param, ctx)
        return number


SECONDS = Finite(0, min_open=True)
"""How long something may take."""
