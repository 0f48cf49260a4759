"""The content of a system's document, before it is HTML or Markdown.

Texts write suits as symbols. Calls too: `1♠`, `3NT`, `X`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """One rule.

    Attributes:
        id: its id in the system.
        text: the author's words.
        needs: its condition in words.
        usually: its `usually` condition, likewise.
        optional: True for a `may` rule.
        file: the file that it stands in.
        line: its line there.
    """

    id: str
    text: str
    needs: str
    usually: str
    optional: bool
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class CallNote:
    """A call at a position.

    Attributes:
        call: the call as the rules write it, such as `2M`.
        name: the convention, if it is one.
        flags: forcing, artificial, ...
        disclosed: the announcements and alerts for opponents.
        rules: the rules that make it, in the order of choice.
        shows: its meaning in the example auction, denials included; empty if not worked out.
        denies: the part of that which follows from calls not made.
        example: the auction that `shows` is worked out in, the call included.
        after: the positions after it.
        see: patterns that follow as well and stand at another call.
    """

    call: str
    name: str
    flags: tuple[str, ...]
    disclosed: tuple[str, ...]
    rules: tuple[RuleEntry, ...]
    shows: str
    denies: tuple[str, ...]
    example: str
    after: tuple[PositionNote, ...] = ()
    see: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """The authors' words of its firm rules, or what they ask for."""
        # The author's texts describe what is agreed; `may` rules stand below.
        rules = [rule for rule in self.rules if not rule.optional] or list(self.rules)
        return "; ".join(dict.fromkeys(rule.text or rule.needs for rule in rules))


@dataclass(frozen=True, slots=True)
class PositionNote:
    """A position: a pattern of calls before ours.

    Attributes:
        pattern: the calls, `opening` or `anywhere`.
        last: the last call of theirs, if they did not pass.
        titles: the authors' headings.
        when: the public conditions, in words; empty for none.
        is_general: True if it is no auction in particular; others may have the same pattern.
        calls: the calls that we may make.
    """

    pattern: str
    last: str
    titles: tuple[str, ...]
    when: str
    is_general: bool
    calls: tuple[CallNote, ...]

    def walk(self) -> Iterator[PositionNote]:
        """Yield it and every position below it."""
        yield self
        for call in self.calls:
            for after in call.after:
                yield from after.walk()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the notes."""

    title: str
    positions: tuple[PositionNote, ...]

    def walk(self) -> Iterator[PositionNote]:
        """Yield every position in it."""
        for position in self.positions:
            yield from position.walk()


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Lines of a card that belong together.

    Attributes:
        heading: their subject, such as the auction before them; empty for nothing more.
        lines: each with its label.
    """

    heading: str
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CardSection:
    """A part of the convention card."""

    title: str
    groups: tuple[CardGroup, ...]


@dataclass(frozen=True, slots=True)
class Notes:
    """A document of a system.

    Attributes:
        name: the system's name.
        title: its title.
        sources: the books and booklets that it follows.
        gaps: the parts that it leaves out.
        card: the convention card.
        sections: the notes.
        definitions: the names that rules use, with their meanings.
        same: auctions with the meanings of calls in another one.
    """

    name: str
    title: str
    sources: tuple[str, ...]
    gaps: tuple[str, ...]
    card: tuple[CardSection, ...]
    sections: tuple[Section, ...]
    definitions: tuple[tuple[str, str], ...]
    same: tuple[str, ...]
