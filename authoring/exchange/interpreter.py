"""From a description of a call to a condition and actions, and what could not be understood.

A description is understood as a whole or not at all: words that are not understood are returned as
they stand, and with them it is no rule, since it asks for more than was read. Where a habit of the
trade was read into the words ("transfer to hearts" as five of them) a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bidwright.authoring.exchange.statement_readers import (
    ACTIONS,
    AMOUNTS,
    ANY_HAND,
    CONVENTIONS,
    ENDS,
    FIRST_READINGS,
    HEDGES,
    NOISE,
    OR_BETTER,
    PURPOSES,
    READERS,
    READINGS,
    REST,
    STRENGTHS,
    TRANSFERS,
    Description,
    DescriptionContext,
    Reading,
    is_bare,
    settle,
)
from bidwright.authoring.exchange.tokens import (
    DescriptionToken,
    PhraseTable,
    ranges_at,
    starts,
    tokens_of,
)
from bidwright.kb.language import ast
from bidwright.kb.language.tree_parts import parts


def _phrases(table: Iterable[str]) -> PhraseTable[str]:
    """Return a table of phrases that stand for themselves."""
    return PhraseTable((tuple(each.lower().split()), each) for each in table)


_SEPARATORS = re.compile(r"(?:(?:\*|--++|\u2013|\u2014)\s*+)*+")
"""Stars and long dashes at the ends of words that are not understood say nothing."""

_ACTIONS, _AMOUNTS, _REST, _ANY_HAND = map(_phrases, (ACTIONS, AMOUNTS, REST, ANY_HAND))
_CONVENTIONS, _PURPOSES, _TRANSFERS = map(_phrases, (CONVENTIONS, PURPOSES, TRANSFERS))


def _without_separators(text: str) -> str:
    """Return a text without separators at its ends; each way is looked along once."""
    for _ in range(2):
        found = _SEPARATORS.match(text)
        text = (text[found.end() :] if found else text)[::-1]
    return text


def describe(text: str, context: DescriptionContext | None = None) -> Description:
    """Return what a description says."""
    context = context or DescriptionContext()
    found = Description()
    bare: list[list[DescriptionToken]] = []
    for clause in _clauses(tokens_of(text)):
        if is_bare(clause):
            bare.append(clause)
        else:
            _Clause(clause, text, found, context).read()
    for clause in bare:
        _points(clause, text, found)
    if not context.exported:
        settle(found, context)
    return found


def _points(clause: list[DescriptionToken], text: str, found: Description) -> None:
    """Read a range beside suits, `4+!H, 6+`, as high-card points: it counts no suit."""
    read = ranges_at(clause, 0)
    assert read is not None
    if len(found.conditions) and all("suit" in _kinds(each) for each in found.conditions[:1]):
        found.conditions.append(ast.InRange(ast.Name("hcp"), read[0]))
    else:
        found.unread.append(text[clause[0].start : clause[-1].end])


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


def _kinds(condition: ast.Condition) -> frozenset[str]:
    """Return what a condition speaks of, suits being all alike."""
    suits = {"clubs", "diamonds", "hearts", "spades", "M", "m", "oM", "om", "X", "Y", "Z"}
    found = set()
    for part in parts(condition):
        if isinstance(part, ast.Name | ast.Apply):
            found.add("suit" if part.name in suits else part.name)
        elif isinstance(part, ast.Shape):
            found.add("suit")
    return frozenset(found)


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
        self._noted: list[str] = []

    def read(self) -> None:
        """Read it."""
        if self._is_word("usually"):
            self._usually()
            return
        while self._at < len(self._tokens):
            if self._tokens[self._at].value in HEDGES:
                self._skip(len(self._tokens) - self._at)
                break
            start = self._at
            condition = None if self._names_action() else self._alternatives()
            if condition is not None:
                self._flush()
                self._found.conditions.append(condition)
            elif self._at == start and not (self._statement() or self._joint()):
                self._skip(1)
        self._flush()
        self._found.notes += self._noted

    # ---------------------------------------------------------------- unread words

    def _skip(self, count: int) -> None:
        self._skipped += self._tokens[self._at : self._at + count]
        self._at += count

    def _flush(self) -> None:
        told = [token for token in self._skipped if token.value not in (*NOISE, "(", ")")]
        if told:
            start, end = self._skipped[0].start, self._skipped[-1].end
            words = _without_separators(self._text[start:end].strip())
            self._found.unread += [words] if words else []
        self._skipped = []

    def _is_word(self, *words: str) -> bool:
        if self._at >= len(self._tokens) or self._tokens[self._at].kind == "quoted":
            return False
        return self._tokens[self._at].value in words

    # ------------------------------------------------------------------ conditions

    def _alternatives(self) -> ast.Condition | None:
        """Read conditions with `or` between them; None, and nothing taken, if a side is unread.

        Of `4+!H or 4+!S 8+` nobody knows whether the points go with both sides: alternatives of
        which one is several statements without `and` between them have to speak of the same.
        """
        start = self._at
        items: list[ast.Condition] = []
        loose = False
        while True:
            found = self._conjunction()
            if found is None:
                self._at = start
                if items:  # what stands after `or` is not understood: so the whole is not
                    self._skip(len(self._tokens) - start)
                return None
            items.append(found[0])
            loose = loose or found[1]
            if not self._is_word("or", "/"):
                break
            self._at += 1
        if len(items) == 1:
            return items[0]
        if loose and len({_kinds(item) for item in items}) > 1:
            self._at = start
            self._skip(len(self._tokens) - start)
            return None
        return ast.Or(tuple(items))

    def _conjunction(self) -> tuple[ast.Condition, bool] | None:
        """Read statements that all hold; tell whether some follow each other without `and`."""
        items: list[ast.Condition] = []
        loose = False
        while (found := self._item(joined=bool(items))) is not None:
            loose = loose or (bool(items) and not found[1])
            items.append(found[0])
        if not items:
            return None
        return (items[0] if len(items) == 1 else ast.And(tuple(items))), loose

    def _item(self, *, joined: bool) -> tuple[ast.Condition, bool] | None:
        """Read a statement; tell whether `and` stands before it."""
        start = self._at
        linked = False
        while True:
            found = self._negated() or self._grouped() or self._atom()
            if found is not None:
                return found, linked
            if joined and self._is_word("and", "&", "with"):
                linked = True
            elif not self._is_word(*NOISE):
                self._at = start
                return None
            self._at += 1

    def _negated(self) -> ast.Condition | None:
        if not self._is_word("not", "no", "denies", "without"):
            return None
        start = self._at
        plain = self._is_word("not")
        if starts(self._tokens, self._at, ("no", "suit", "longer", "than")):
            return None
        self._at += 1
        found = self._item(joined=False) if plain else None
        item = found[0] if found else None if plain else self._atom()
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
            self._skipped = []
            return None
        self._at += 1
        return items[0] if len(items) == 1 else ast.And(tuple(items))

    def _atom(self) -> ast.Condition | None:
        if (condition := self._habit(FIRST_READINGS)) is not None:
            return condition
        for reader in READERS:
            found = reader(self._tokens, self._at)
            if found is not None:
                self._at = found[1]
                return found[0]
        return self._habit(READINGS)

    def _habit(self, readings: Iterable[Reading]) -> ast.Condition | None:
        for reading in readings:
            habit = reading(self._tokens, self._at, self._context)
            if habit is not None:
                self._at = habit.end
                self._noted += [habit.note] if habit.note else []
                self._found.act(habit.actions)
                return habit.condition
        return None

    # --------------------------------------------------------------------- actions

    def _usually(self) -> None:
        """Read the rest as what is typical; nothing is taken if it is not understood."""
        self._at += 1
        condition = self._alternatives()
        if condition is None or self._at < len(self._tokens):
            self._at = 0
            self._skipped = []
            self._skip(len(self._tokens))
            self._flush()
            return
        self._found.act([ast.Action("usually", condition=condition)])

    def _names_action(self) -> bool:
        """Tell whether words for what a call does, or a name, stand here: they come first.

        The amounts "max" and "min" are no names before a number.
        """
        if self._longest(_ACTIONS):
            return True
        return bool(self._longest(_AMOUNTS)) and ranges_at(self._tokens, self._at) is None

    def _statement(self) -> bool:
        """Read an action, a name, or that any hand will do."""
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
        for table in (_REST, _ANY_HAND):
            if words := self._longest(table):
                self._at += len(words.split())
                self._found.any_hand = True
                self._found.rest = self._found.rest or table is _REST
                return True
        return self._action() or self._named()

    def _longest(self, table: PhraseTable[str]) -> str:
        """Return the longest entry of a table that stands here; empty for none."""
        found = table.longest(self._tokens, self._at)
        return found[0] if found is not None else ""

    def _named(self) -> bool:
        """Read the name of a convention or purpose: which hands it means is in other words."""
        for table in (_CONVENTIONS, _PURPOSES, _AMOUNTS, _TRANSFERS):
            if words := self._longest(table):
                self._at += len(words.split())
                if table is _CONVENTIONS:
                    self._found.act([ast.Action("convention", words)])
                if table is _TRANSFERS:
                    self._found.act([ast.Action("artificial"), ast.Action("forcing")])
                self._found.named.append(words)
                return True
        return False

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

    def _action(self) -> bool:
        words = self._longest(_ACTIONS)
        if not words:
            return False
        self._at += len(words.split())
        self._found.act(ACTIONS[words])
        strength = "invitation+" if words in OR_BETTER else STRENGTHS.get(ACTIONS[words][0].kind)
        self._found.strength = strength or self._found.strength
        return True

    def _joint(self) -> bool:
        """Skip a word that joins what was understood."""
        if self._is_word("and", "&", *NOISE) and not self._skipped:
            self._at += 1
            return True
        return False
