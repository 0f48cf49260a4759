"""Conformance: the findings of a conversation, line by line, with the rules that lines broke.

`fake_server` examines a client, `fake_clients` examine a manager; both note every line here.
Broken rules are kept apart from habits, which tolerant programs put up with.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bidwright import BidwrightError
from bidwright.match.protocol.line_parser import LineError, habit, parse_line
from bidwright.match.protocol.lines import Message
from bidwright.match.protocol.wire import Gone, Late, Wire

RULES = {
    "ending": "lines end with CR LF",
    "line": "lines are those of the protocol, in characters 32 to 127",
    "connecting": 'first the client says Connecting "TEAM" as SEAT using protocol version 18',
    "teams": "a seated client says that it is ready for teams, then that it is ready to start",
    "deal": "after Start of board, whenever it comes, the client says that it is ready for deal",
    "cards": "after the board's number the client says that it is ready for cards",
    "wait-bid": "before another player's call the client says that it is ready for that bid",
    "call": "the player in turn makes a legal call, in the name of its own seat",
    "wait-card": "before another player's card the client says that it is ready for it",
    "card": "the player asked to lead or in turn plays a legal card",
    "dummy": "after the first card all but dummy say that they are ready for dummy",
    "seated": 'the manager answers SEAT ("TEAM") seated',
    "refuse": "a client that cannot be seated gets a text and no seat",
    "who": "the manager says who plays in a Teams line",
    "start": "each board begins with Start of board",
    "board": "the manager sends the board's number, dealer and vulnerability, to all the same",
    "hand": "each client gets thirteen cards of its own, the four hands make a deck",
    "relay": "a call goes to the three others, as it was made",
    "partner": "explanations go to opponents only",
    "patience": "nothing is sent to a client that has not said that it is ready",
    "illegal": "an illegal call is answered by a text and not passed on",
    "lead": "the leader of each trick is asked to lead",
    "relay-card": "a card goes to all but its player",
    "tolerance": "lines of other programs come in capitals, with double blanks and more dots",
    "end": "after a board the next one starts or the session ends",
}
"""The rules that are examined, by name."""


class Broken(BidwrightError):
    """The conversation cannot go on."""


@dataclass(frozen=True)
class RuleFinding:
    """A finding about a line.

    Attributes:
        number: the line's number in the conversation, from 1.
        rule: the rule's name.
        text: the expected line and the line that came.
        broken: True if the rule is broken; otherwise it is a habit.
    """

    number: int
    rule: str
    text: str
    broken: bool


@dataclass
class ConformanceReport:
    """The lines of a conversation and the findings.

    Attributes:
        lines: the lines, `<` before those of the program examined, `>` before ours.
        findings: the findings, in order.
        passed: the number of times that each rule was seen kept.
    """

    lines: list[str] = field(default_factory=list)
    findings: list[RuleFinding] = field(default_factory=list)
    passed: dict[str, int] = field(default_factory=dict)

    def log(self, direction: str, name: str, text: str) -> None:
        """Note a line."""
        if direction != "!":
            self.lines.append(f"{direction} {name}: {text}")

    def keep(self, rule: str) -> None:
        """Note that a rule was kept."""
        self.passed[rule] = self.passed.get(rule, 0) + 1

    def note(self, rule: str, text: str) -> None:
        """Note a habit; each is reported once."""
        # A habit shows in every line of its kind, and would bury the rest of the report.
        if not any(each.text == text and each.rule == rule for each in self.findings):
            self.findings.append(RuleFinding(len(self.lines), rule, text, False))

    def fail(self, rule: str, text: str) -> None:
        """Note that a rule was broken by the last line, or by a line that is missing after it."""
        self.findings.append(RuleFinding(len(self.lines), rule, text, True))

    @property
    def conforms(self) -> bool:
        """True if no rule was broken."""
        return not any(each.broken for each in self.findings)

    def text(self) -> str:
        """Return the findings, each with its line and the one before it, and the sum."""
        parts: list[str] = []
        for finding in self.findings:
            word = "broken" if finding.broken else "habit"
            parts.append(
                f"line {finding.number}: {word}, rule {finding.rule} ({RULES[finding.rule]})"
            )
            # A broken rule is often seen only beside the line that was answered.
            first = max(0, finding.number - (2 if finding.broken else 1))
            for number, line in enumerate(self.lines[first : finding.number], start=first + 1):
                parts.append(f"  {number:>4} {line}")
            parts.append(f"       = {finding.text}")
        broken = sum(each.broken for each in self.findings)
        checks = sum(self.passed.values())
        parts.append(
            f"{len(self.lines)} lines, {checks} checks of {len(self.passed)} rules kept, "
            f"{broken} broken, {len(self.findings) - broken} habits"
        )
        return "\n".join(parts)


class Ear:
    """Listens to one connection of the program that is examined."""

    def __init__(self, wire: Wire, report: ConformanceReport, timeout: float) -> None:
        """Listen for at most `timeout` seconds to each line."""
        self.wire, self._report, self._timeout = wire, report, timeout
        self._kept: list[str] = []

    async def text(self, rule: str, expected: str, timeout: float | None = None) -> str:
        """Return the next line as it is.

        Raises:
            Broken: There is none.
        """
        if self._kept:
            return self._kept.pop(0)
        try:
            text = await self.wire.receive_text(timeout or self._timeout)
        except LineError as error:
            self._report.fail("line", str(error))
            raise Broken from None
        except (Gone, Late) as error:
            self._report.fail(rule, f"expected {expected}: {error}")
            raise Broken from None
        # A line with a bare LF can still be read, so the examination goes on.
        if self.wire.ending != b"\r\n":
            self._report.note("ending", f"expected CR LF, got {self.wire.ending!r}")
        return text

    def put_back(self, text: str) -> None:
        """Have a line be the next one again."""
        self._kept.insert(0, text)

    async def message(self, rule: str, expected: str) -> Message:
        """Return the message of the next line, with a note if it is written in another way.

        Raises:
            Broken: There is none, or it is not the protocol's.
        """
        text = await self.text(rule, expected)
        try:
            message = parse_line(text)
        except LineError as error:
            self._report.fail(rule, f"expected {expected}: {error}")
            raise Broken from None
        differs = habit(text, message)
        if differs is not None:
            self._report.note("line", f"{differs}, in a line of the kind '{_kind(message)}'")
        return message

    async def expect(self, rule: str, expected: Message) -> None:
        """Check that the next line has the expected message.

        Raises:
            Broken: It says something else, or there is none.
        """
        message = await self.message(rule, f"'{expected}'")
        if message != expected:
            self._report.fail(rule, f"expected '{expected}', got '{message}'")
            raise Broken
        self._report.keep(rule)

    async def silence(self, rule: str, seconds: float, why: str) -> None:
        """Check that no line comes for a while; one that does is kept for later."""
        try:
            text = await self.wire.receive_text(seconds)
        except (Late, Gone):
            self._report.keep(rule)
        else:
            self._kept.append(text)
            self._report.fail(rule, f"expected nothing {why}, got {text!r}")


def _kind(message: Message) -> str:
    """Return the kind of a line in a few words."""
    name = type(message).__name__
    return "".join(f" {each.lower()}" if each.isupper() else each for each in name).strip()
