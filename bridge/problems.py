"""Collects errors about unreadable parts of a file, or raises the first one."""

from bidwright.bridge.errors import BidwrightError


class Problems:
    """The problems of one board, each with its place in the file."""

    def __init__(self, place: str, strict: bool) -> None:
        """Begin without a problem.

        Args:
            place: What stands before the line's number: `file:`, or `line ` for a string.
            strict: Raise instead of collecting.
        """
        self._place = place
        self._strict = strict
        self._found: list[tuple[int, str]] = []

    def add(self, line: int, error: BidwrightError) -> None:
        """Note a problem.

        Raises:
            BidwrightError: The same kind of error with its place, if `strict`.
        """
        message = f"{self._place}{line}: {error}"
        if self._strict:
            raise type(error)(message)
        self._found.append((line, message))

    def messages(self) -> tuple[str, ...]:
        """Return the messages in the order of their places."""
        return tuple(message for _, message in sorted(self._found))
