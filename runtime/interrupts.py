"""Ctrl-C while foreign code is at work: it waits until that code is left, and is never lost.

An exception that arises inside a callback of compiled code, or between two of its calls that belong
together, is swallowed, ends the process, or leaves an object half made.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any


class DeferredInterrupts:
    """A context that only notes SIGINT; its handler is called at the end.

    Elsewhere than in the main thread, and where SIGINT is ignored, nothing changes. It may be
    nested.

    Attributes:
        pending: True once SIGINT has come.
    """

    def __init__(self) -> None:
        """Prepare; nothing changes yet."""
        self.pending = False
        self._before: Any = None

    def __enter__(self) -> DeferredInterrupts:
        """Begin to take notes."""
        # Python lets only the main thread set handlers, and runs them there.
        if threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            # SIG_IGN and SIG_DFL are numbers.
            if callable(before):
                self._before = before
                signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.pending = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Call the handler of SIGINT, if it came.

        Raises:
            KeyboardInterrupt: It came, and its handler raises this.
        """
        if self._before is None:
            return
        before, self._before = self._before, None
        signal.signal(signal.SIGINT, before)
        if self.pending:
            before(signal.SIGINT, None)
