"""Means of runs or boards with their standard errors, for tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def with_error(values: Sequence[float], form: str = "+.2f") -> str:
    """Return a mean with its standard error as text: of one value the value, of none nothing.

    Args:
        values: Independent values.
        form: The format of a number; the error has no sign.

    Example:
        >>> with_error([0.1, 0.3]), with_error([0.1]), with_error([])
        ('+0.20 ± 0.10', '+0.10', '')
    """
    if not values:
        return ""
    mean = format(np.mean(values), form)
    if len(values) == 1:
        return mean
    return f"{mean} ± {format(np.std(values, ddof=1) / len(values) ** 0.5, form.strip('+'))}"
