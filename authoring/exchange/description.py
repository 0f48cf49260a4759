"""What a description of a call says, as far as it was understood."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bidwright.kb.language import ast


@dataclass
class Description:
    """What a description says.

    Attributes:
        conditions: what the hand has; all of it holds.
        any_hand: it says that every hand does this.
        rest: it says that every hand does this that makes no other call of the table.
        actions: what the call does.
        optional: a player is free to do it.
        text: the author's own words, where they stand in quotes.
        unread: the words that were not understood, in order.
        notes: what was read into the words.
        strength: what is said of strength without points: `game`, `invitation`, `invitation+`
            or `below game`; empty for nothing.
        named: names of conventions and purposes, which leave the hands to other words.
    """

    conditions: list[ast.Condition] = field(default_factory=list)
    any_hand: bool = False
    rest: bool = False
    actions: list[ast.Action] = field(default_factory=list)
    optional: bool = False
    text: str | None = None
    unread: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    strength: str = ""
    named: list[str] = field(default_factory=list)

    @property
    def condition(self) -> ast.Condition | None:
        """The condition as a whole; None if the words name none."""
        items: list[ast.Condition] = []
        for each in self.conditions:
            items += each.items if isinstance(each, ast.And) else [each]
        if len(items) < 2:
            return items[0] if items else None
        return ast.And(tuple(items))

    @property
    def is_rule(self) -> bool:
        """Whether it says which hands make the call, and all of it was understood."""
        return (bool(self.conditions) or self.any_hand) and not self.unread

    def act(self, actions: Iterable[ast.Action]) -> None:
        """Add actions; one of a kind is enough."""
        kinds = {action.kind for action in self.actions}
        self.actions += [action for action in actions if action.kind not in kinds]


@dataclass(frozen=True, slots=True)
class DescriptionContext:
    """What words of a description refer to.

    Attributes:
        partner_suit: the suit that "support" and "trumps" mean, a word of the language.
        own_suit: the suit that is bid: "a six-card suit".
        their_suit: the one suit that they have bid: "a stopper", "takeout".
        partner_bid: whether partner has bid.
        below_game: whether the call is below game.
        exported: whether it is this program's own words: of strength they say all in points.
    """

    partner_suit: str | None = None
    own_suit: str | None = None
    their_suit: str | None = None
    partner_bid: bool = False
    below_game: bool = True
    exported: bool = False
