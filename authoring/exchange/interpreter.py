"""From a description of a call to a condition and actions, and what could not be understood.

Nothing is guessed silently: words that are not understood are returned as they stand, and where
a habit of the trade was read into the words ("transfer to hearts" as five of them) a note says so.
"""

from __future__ import annotations

from fractions import Fraction

from bidwright.authoring.exchange.description import Description, DescriptionContext
from bidwright.authoring.exchange.habits import (
    ACTIONS,
    ANY_HAND,
    CONVENTIONS,
    ENDS,
    HEDGES,
    NOISE,
    TRANSFERS,
    TURNS,
)
from bidwright.authoring.exchange.ranges import ranges_at, starts, suit_at
from bidwright.authoring.exchange.single_statements import READERS, length
from bidwright.authoring.exchange.tokens import DescriptionToken, tokens_of
from bidwright.kb.language import ast


def _phrase(words: str) -> tuple[str, ...]:
    return tuple(words.split())


def describe(text: str, context: DescriptionContext | None = None) -> Description:
    """Return what a description says."""
    found = Description()
    for clause in _clauses(tokens_of(text)):
        _Clause(clause, text, found, context or DescriptionContext()).read()
    return found


def _clauses(tokens: list[DescriptionToken]) -> list[list[DescriptionToken]]:
    """Split at commas and other stops that are not in brackets."""
    clauses: list[list[DescriptionToken]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.value == "(") - (token.value == ")")
        if token.kind == "sign" and token.value in ENDS and depth <= 0:
            clauses.append([])
        else:
            clauses[-1].append(token)
    return [clause for clause in clauses if clause]


class _Clause:
    """Reads one clause into a description."""

    def __init__(
        self,
        tokens: list[DescriptionToken],
        text: str,
        found: Description,
        context: DescriptionContext,
    ) -> None:
        self._tokens = tokens
        self._text = text
        self._found = found
        self._context = context
        self._at = 0
        self._skipped: list[DescriptionToken] = []

    def read(self) -> None:
        """Read it; with a turn of words in what is not understood, none of it counts."""
        found = self._found
        before = (len(found.conditions), len(found.actions), len(found.notes), len(found.unread))
        self._read()
        turns = any(
            token.kind in ("word", "sign") and token.value in TURNS for token in self._tokens
        )
        if turns and len(found.unread) > before[3]:
            del found.conditions[before[0] :]
            del found.actions[before[1] :]
            del found.notes[before[2] :]
            del found.unread[before[3] :]
            self._skipped = self._tokens
            self._flush()

    def _read(self) -> None:
        if self._is_word("usually") and self._usually():
            return
        while self._at < len(self._tokens):
            if self._tokens[self._at].value in HEDGES:
                self._skip(len(self._tokens) - self._at)
                break
            start = self._at
            condition = self._alternatives()
            if condition is not None:
                self._flush()
                self._found.conditions.append(condition)
            elif self._at == start and not (self._statement() or self._joint()):
                self._skip(1)
        self._flush()

    # ---------------------------------------------------------------- unread words

    def _skip(self, count: int) -> None:
        self._skipped += self._tokens[self._at : self._at + count]
        self._at += count

    def _flush(self) -> None:
        told = [token for token in self._skipped if token.value not in (*NOISE, "(", ")")]
        if told:
            start, end = self._skipped[0].start, self._skipped[-1].end
            self._found.unread.append(self._text[start:end].strip())
        self._skipped = []

    def _is_word(self, *words: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at].value in words

    # ------------------------------------------------------------------ conditions

    def _alternatives(self) -> ast.Condition | None:
        """Read conditions with `or` between them; None, and nothing taken, if a side is unread."""
        start = self._at
        items: list[ast.Condition] = []
        while True:
            item = self._conjunction()
            if item is None:
                self._at = start
                if items:  # what stands after `or` is not understood: so the whole is not
                    self._skip(len(self._tokens) - start)
                return None
            items.append(item)
            if not self._is_word("or", "/"):
                break
            self._at += 1
        return items[0] if len(items) == 1 else ast.Or(tuple(items))

    def _conjunction(self) -> ast.Condition | None:
        items: list[ast.Condition] = []
        while (item := self._item(joined=bool(items))) is not None:
            items.append(item)
        if not items:
            return None
        return items[0] if len(items) == 1 else ast.And(tuple(items))

    def _item(self, *, joined: bool) -> ast.Condition | None:
        start = self._at
        while True:
            found = self._negated() or self._grouped() or self._atom()
            if found is not None:
                return found
            if not self._is_word(*NOISE) and not (joined and self._is_word("and", "&")):
                self._at = start
                return None
            self._at += 1

    def _negated(self) -> ast.Condition | None:
        if not self._is_word("not", "no", "denies", "without"):
            return None
        start = self._at
        plain = self._is_word("not")
        for suit_facts in (("no", "suit", "longer", "than"),):
            if starts(self._tokens, self._at, suit_facts):
                return None
        self._at += 1
        item = self._item(joined=False) if plain else self._atom()
        if item is None:
            self._at = start
            return None
        return ast.Not(item)

    def _grouped(self) -> ast.Condition | None:
        if not self._is_word("("):
            return None
        start = self._at
        self._at += 1
        items: list[ast.Condition] = []
        while (item := self._alternatives()) is not None:
            items.append(item)
            if self._is_word(","):
                self._at += 1
        if not items or not self._is_word(")"):
            self._at = start
            return None
        self._at += 1
        return items[0] if len(items) == 1 else ast.And(tuple(items))

    def _atom(self) -> ast.Condition | None:
        for reader in READERS:
            found = reader(self._tokens, self._at)
            if found is not None:
                self._at = found[1]
                return found[0]
        return self._support() or self._major()

    def _support(self) -> ast.Condition | None:
        """Read `3+ support`, `4 trumps` as partner's suit, `6-card suit` as the suit bid."""
        read = ranges_at(self._tokens, self._at)
        if read is None:
            return None
        for suit, words in (
            (self._context.partner_suit, ("support",)),
            (self._context.partner_suit, ("trumps",)),
            (self._context.partner_suit, ("card", "support")),
            (self._context.partner_suit, ("-", "card", "support")),
            (self._context.own_suit, ("card", "suit")),
            (self._context.own_suit, ("-", "card", "suit")),
        ):
            if suit is not None and starts(self._tokens, read[1], words):
                self._at = read[1] + len(words)
                return length(suit, read[0])
        return None

    def _major(self) -> ast.Condition | None:
        """Read `four-card major`, the number in words."""
        for number, word in enumerate(("four", "five", "six"), 4):
            for kind, suits in (("major", ("hearts", "spades")), ("minor", ("clubs", "diamonds"))):
                for words in ((f"{word}-card", kind), (word, "card", kind)):
                    if starts(self._tokens, self._at, words):
                        self._at += len(words)
                        least = (ast.Range(Fraction(number), None),)
                        return ast.Or(tuple(length(suit, least) for suit in suits))
        return None

    # --------------------------------------------------------------------- actions

    def _usually(self) -> bool:
        """Read the rest as what is typical; nothing is taken if it is not understood."""
        self._at += 1
        condition = self._alternatives()
        if condition is None or self._at < len(self._tokens):
            self._at = 0
            self._skipped = []
            self._skip(len(self._tokens))
            self._flush()
            return True
        self._found.act([ast.Action("usually", condition=condition)])
        return True

    def _statement(self) -> bool:
        """Read an action, or that any hand will do."""
        token = self._tokens[self._at]
        if token.kind == "quoted":
            self._at += 1
            self._found.text = token.value
            return True
        if token.value in ("alert", "announce", "convention"):
            return self._texted(token.value)
        if token.value in ("asks", "answers", "agrees"):
            return self._questioned(token.value)
        if token.value == "optional":
            self._at += 1
            self._found.optional = True
            return True
        for words in sorted(ANY_HAND, key=len, reverse=True):
            if starts(self._tokens, self._at, _phrase(words)):
                self._at += len(_phrase(words))
                self._found.any_hand = True
                return True
        return self._transfer() or self._action() or self._convention()

    def _convention(self) -> bool:
        """Read a convention's name alone: it says nothing of the hand."""
        name = next((name for name in CONVENTIONS if self._is_word(name.lower())), None)
        if name is None:
            return False
        self._at += 1
        self._found.act([ast.Action("convention", name)])
        return True

    def _texted(self, kind: str) -> bool:
        after = self._at + 1
        text = None
        if after < len(self._tokens) and self._tokens[after].kind == "quoted":
            text = self._tokens[after].value
        elif kind == "convention":
            return False
        self._at += 1 + (text is not None)
        self._found.act([ast.Action(kind, text)])
        return True

    def _questioned(self, kind: str) -> bool:
        place = self._at + 1
        place += kind != "agrees" and starts(self._tokens, place, ("for",))
        if place >= len(self._tokens):
            return False
        token = self._tokens[place]
        if (token.kind == "suit") is not (kind == "agrees") or token.kind in ("sign", "quoted"):
            return False
        self._at = place + 1
        self._found.act([ast.Action(kind, token.value)])
        return True

    def _transfer(self) -> bool:
        for words in TRANSFERS:
            phrase = _phrase(words)
            place = self._at + len(phrase)
            if starts(self._tokens, self._at, phrase) and (suit := suit_at(self._tokens, place)):
                self._at = place + 1
                five = (ast.Range(Fraction(5), None),)
                self._found.conditions.append(length(suit, five))
                self._found.act([ast.Action("artificial"), ast.Action("forcing")])
                self._found.notes.append(f"a transfer was read as five {suit} or more")
                return True
        return False

    def _action(self) -> bool:
        found = [words for words in ACTIONS if starts(self._tokens, self._at, _phrase(words))]
        if not found:
            return False
        longest = max(found, key=lambda words: len(_phrase(words)))
        self._at += len(_phrase(longest))
        self._found.act(ACTIONS[longest])
        return True

    def _joint(self) -> bool:
        """Skip a word that joins what was understood."""
        if self._is_word("and", "&", *NOISE) and not self._skipped:
            self._at += 1
            return True
        return False
