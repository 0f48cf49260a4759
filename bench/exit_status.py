"""How a measurement ends: its exit status, and one sentence where it could not go on."""

from __future__ import annotations

import sys
from collections.abc import Callable

from bidwright.bridge.errors import BidwrightError


def exit_status(measure: Callable[[], object], stopped: str) -> int:
    """Run a measurement; return 0, 2 for bad input, or 130 if it was interrupted.

    Args:
        measure: what measures and prints.
        stopped: what an interruption leaves, for somebody who would go on: `the boards are kept`.
    """
    try:
        measure()
    except BidwrightError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"stopped; {stopped}", file=sys.stderr)
        return 130
    return 0
