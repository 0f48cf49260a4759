"""From a description of a call to a condition and actions, and what could not be understood.

A description is understood as a whole or not at all: words that are not understood are returned as
they stand, and with them it is no rule, since it asks for more than was read. Where a habit of the
trade was read into the words ("transfer to hearts" as five of them) a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

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
    DescriptionToken,
    PhraseTable,
    Reading,
    is_bare,
    ranges_at,
    settle,
    starts,
    tokens_of,
)
from bidwright.bridge.cards import WORD_OF_SUIT
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.runtime.sentences import NUMBER_WORDS


def _phrases(table: Iterable[str]) -> PhraseTable[str]:
    """Return a table of phrases that stand for themselves."""
    return PhraseTable((tuple(each.lower().split()), each) for each in table)


# Possessive: a row of 20,000 dashes took 65 seconds, as each was tried in every way.
_SEPARATORS = re.compile(r"(?:(?:\*|--++|\u2013|\u2014)\s*+)*+")
"""Stars and long dashes at the ends of words that are not understood say nothing."""

_ACTIONS, _AMOUNTS, _REST, _ANY_HAND = map(_phrases, (ACTIONS, AMOUNTS, REST, ANY_HAND))
_CONVENTIONS, _PURPOSES, _TRANSFERS = map(_phrases, (CONVENTIONS, PURPOSES, TRANSFERS))


def _without_separators(text: str) -> str:
    """Return a text without separators at its ends; each way is looked along once."""
    # From both ends, the second time backwards.
    for _ in range(2):
        separators = _SEPARATORS.match(text)
        text = (text[separators.end() :] if separators else text)[::-1]
    return text


_DASHES = re.compile(r"(?<=[0-9+])(?:--+|[\u2013\u2014])(?=[0-9])")
_ALERT = re.compile(r"\s*(?:!(?!(?:[cdhsCDHSMmXYZ]|o[Mm])(?![A-Za-z]))|\*(?=\s))\s*")


def describe(text: str, context: DescriptionContext | None = None) -> Description:
    """Return the condition and the actions of a description.

    A `!` or `*` in front is the mark of an alert, a long dash between figures a short one, and `#`
    the suit that is bid.
    """
    context = context or DescriptionContext()
    description = Description()
    if not context.exported:
        # A `!` before a suit's letter is the suit, and no alert.
        mark = _ALERT.match(text)
        if mark is not None and mark.end():
            description.act([ast.Action("alert")])
            text = text[mark.end() :]
        text = _DASHES.sub("-", text)
    if not context.exported and (lettered := _lettered(text, context)) is not None:
        lettered.actions = [*description.actions, *lettered.actions]
        return lettered
    tokens = tokens_of(text)
    if not context.exported and (whole := _separate_ways(tokens, text, context)) is not None:
        whole.actions = [*description.actions, *whole.actions]
        return whole
    if not context.exported:
        # A number in words may be the length of the suit after it.
        tokens = _with_figures([_with_suit(token, context.own_suit) for token in tokens])
        tokens = _with_high_cards(tokens)
        context = _after_transfer(tokens, context)
        words = {token.value for token in tokens if token.kind == "word"}
        context = replace(
            context,
            is_natural=not words & _OTHERS,
            is_solid="solid" in words or any(word.startswith("akq") for word in words),
            is_gambling="gambling" in words,
        )
        tokens = _with_holdings(tokens, context)
    bare: list[list[DescriptionToken]] = []
    for clause in _clauses(tokens):
        if is_bare(clause):
            bare.append(clause)
        else:
            _Clause(clause, text, description, context).read()
    for clause in bare:
        _points(clause, text, description, context)
    # Of the two suits of a transfer nobody knows which is meant.
    if not context.exported:
        if _has_transfer(tokens) and any(map(_is_either, description.conditions)):
            description.unread.append("a transfer, without its suit")
        if context.own_suit is not None and any(map(_is_some_shortness, description.conditions)):
            description.unread.append("a shortness, without its suit")
        if len(description.conditions) > 1 and any(map(_is_uneven, description.conditions)):
            description.unread.append("alternatives that commas cut")
        settle(description, context)
    return description


def describe_options(
    text: str, options: Iterable[str], context: DescriptionContext
) -> Description | None:
    """Return the meaning of a description with alternatives in lines of their own.

    Args:
        text: the words before them: words for a choice, or what holds for all of them.
        options: the alternatives.
        context: what the words refer to.

    Returns:
        The whole; None if the lines are not alternatives: no words say so, and two of them can
        hold together.
    """
    readings = [describe(option, context) for option in options]
    mark = _ALERT.match(text)
    lead = text[mark.end() :] if mark is not None else text
    chosen = _CHOICE.fullmatch(lead.strip())
    points = [_points_of(reading) for reading in readings]
    # Two lines that can hold together may both be meant.
    if chosen is None and (None in points or len(set(points)) < len(points)):
        return None
    description = describe((chosen["more"] or "") if chosen else lead, context)
    if mark is not None and mark.end():
        description.act([ast.Action("alert")])
    for option, reading in zip(options, readings, strict=True):
        if not reading.is_rule or reading.rest or reading.actions:
            description.unread += reading.unread or [option]
        description.notes += reading.notes
    description.any_hand = any(reading.condition is None for reading in readings)
    if not description.any_hand:
        conditions = tuple(reading.condition for reading in readings if reading.condition)
        description.conditions.append(ast.Or(conditions))
    return description


_LETTERED = re.compile(r"\((?P<mark>[a-h]|[1-8]|i{1,3})\)|(?<![\w(])(?P<bare>[a-h]|[1-8])\)")


def _lettered(text: str, context: DescriptionContext) -> Description | None:
    """Read `(a) 12-14 bal (b) 15+, 4+!C` as alternatives; None if there are none of that sort."""
    marks = list(_LETTERED.finditer(text))
    written = [mark["mark"] or mark["bare"] for mark in marks]
    orders = ("abcdefgh", "12345678", ("i", "ii", "iii"))
    if len(marks) < 2 or not any(written == list(order[: len(marks)]) for order in orders):
        return None
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    options = [
        _JOINING.sub("", text[mark.end() : end].strip(" ,;:."))
        for mark, end in zip(marks, ends, strict=True)
    ]
    return describe_options(text[: marks[0].start()].strip(" ,;"), options, context)


_JOINING = re.compile(r"[ ,;]+(?:or|and/or)$", re.IGNORECASE)

_CHOICE = re.compile(
    r"(?:(?P<more>.*?)[,;:]?\s*)??\(?(?:either|any of|one of|or|alternatives)(?: of)?\)?:?|",
    re.IGNORECASE,
)
"""Words for a choice, alone or at the end of what holds for all alternatives."""


def _points_of(reading: Description) -> tuple[ast.Range, ...] | None:
    for condition in reading.conditions:
        if isinstance(condition, ast.InRange) and condition.expr == ast.Name("hcp"):
            return condition.ranges
    return None


_SHORTNESS = frozenset({"singletons", "voids", "doubletons"})


def _is_some_shortness(condition: ast.Condition) -> bool:
    """Return True if a condition asks for a short suit without naming it."""
    return any(
        isinstance(part, ast.InRange)
        and isinstance(part.expr, ast.Name)
        and part.expr.name in _SHORTNESS
        and any(one.low for one in part.ranges)
        for part in parts(condition)
    ) and not isinstance(condition, ast.Not)


def _with_figures(tokens: list[DescriptionToken]) -> list[DescriptionToken]:
    # One longer at its end, so that each token has another after it.
    """Return tokens with numbers in words as figures where a suit follows: `five hearts`."""
    after = [*tokens[1:], None][: len(tokens)]
    return [
        replace(token, kind="number", value=str(NUMBER_WORDS.index(token.value)))
        if token.kind == "word"
        and token.value in NUMBER_WORDS[1:11]
        and more is not None
        and more.kind == "suit"
        else token
        for token, more in zip(tokens, after, strict=True)
    ]


def _with_high_cards(tokens: list[DescriptionToken]) -> list[DescriptionToken]:
    """Return tokens with points that nothing else is said of as high-card points.

    In the language `points` counts length as well; players who do say `total points`.
    """
    before = [None, *tokens][: len(tokens)]
    return [
        replace(token, value="hcp")
        if token.kind == "word"
        and token.value in ("point", "points")
        and (less is None or less.kind != "word" or less.value in _BEFORE_POINTS)
        else token
        for token, less in zip(tokens, before, strict=True)
    ]


_BEFORE_POINTS = ("more", "less", "fewer", "better", "good", "bad", "about")


def _is_uneven(condition: ast.Condition) -> bool:
    """Return True if one alternative gives points and another does not.

    Beside other statements nobody knows then where an alternative ends.
    """
    # Two ranges that touch are one range cut in two, each for a kind of hand.
    if isinstance(condition, ast.InRange):  # `0-6 or 7+` is all there is: two hands, not one
        pairs = zip(condition.ranges, condition.ranges[1:], strict=False)
        return any(one.high is not None and one.high + 1 == more.low for one, more in pairs)
    if not isinstance(condition, ast.Or):
        return False
    pointed = ["hcp" in _kinds(item) for item in condition.items]
    return any(pointed) and not all(pointed)


def _separate_ways(
    tokens: list[DescriptionToken], text: str, context: DescriptionContext
) -> Description | None:
    """Read `12-14 bal or 15+, 5+!C`, where commas stand within alternatives.

    Returns:
        The alternatives, if every one says its points and is understood; else None.
    """
    if not any(token.text == "," for token in tokens):
        return None
    ends = [token for token in tokens if token.kind == "word" and token.value == "or"]
    starts_at = [0, *(token.end for token in ends)]
    stops_at = [*(token.start for token in ends), len(text)]
    texts = [text[start:stop].strip(" ,;") for start, stop in zip(starts_at, stops_at, strict=True)]
    # In brackets a comma may belong to anything.
    if len(texts) < 2 or "(" in text:
        return None
    readings = [describe(each, context) for each in texts]
    if not all(_points_of(reading) and reading.is_rule for reading in readings):
        return None
    if any(reading.actions or reading.strength or reading.rest for reading in readings):
        return None
    description = Description(notes=[note for reading in readings for note in reading.notes])
    description.conditions.append(
        ast.Or(tuple(reading.condition for reading in readings if reading.condition))
    )
    return description


def _with_suit(token: DescriptionToken, suit: str | None) -> DescriptionToken:
    """Return a token; `#` as the suit that is bid."""
    if token.text != "#" or token.kind != "sign" or suit is None:
        return token
    return replace(token, kind="suit", value=suit)


def _after_transfer(
    tokens: list[DescriptionToken], context: DescriptionContext
) -> DescriptionContext:
    """Return the context of a description: in the row of a transfer, its suit is the one above."""
    if not _has_transfer(tokens):
        return context
    return replace(context, own_suit=context.next_suit)


_FEWEST = 3
"""A suit of fewer cards is not held but denied: a figure below is a level or a count of points."""

_OTHERS = frozenset(
    {"art", "artificial", "conv", "conventional", "relay", "puppet", "marionette", "asks", "asking"}
    | {"transfer", "trf", "tfr", "xfer", "transfers", "ask", "namyats", "either", "unknown"}
    | {"choice", "then", "next", "forces", "followed"}
    | {word for name in CONVENTIONS for word in name.lower().split()}
)
"""Words that let a figure count another suit than the one bid, or name the next call."""


_BEFORE_HOLDING = frozenset(
    {"with", "and", "&", ",", ";", ".", ":", "no", "not", "without", "denies", "has", "a", "<", ">"}
    | {"<=", ">=", "than", "least", "most", "exactly", "precisely", "-", "\u2013", "to", "+"}
)
"""The words before a holding, `12-14 with 4S`, and never before a bid but `to` of a transfer."""


def _with_holdings(
    tokens: list[DescriptionToken], context: DescriptionContext
) -> list[DescriptionToken]:
    """Return tokens with the letter of `4H` as a suit where it is a holding and cannot be a bid.

    As a bid `4H` stands after words ("choice of 4H", "good 4H opening") or in rows that name a call
    to come: relays, puppets, transfers. After `c` it is a length only if clubs are bid: `6+c`.
    """
    changed = list(tokens)
    for at, token in enumerate(tokens):
        figure = tokens[at - 1] if at else None
        if token.kind != "word" or figure is None or figure.end != token.start:
            continue
        if token.text == "c" and figure.text == "+" and context.own_suit == "clubs":
            changed[at] = replace(token, kind="suit", value="clubs")
        is_figure = figure.kind == "number" and token.text in WORD_OF_SUIT
        if is_figure and context.is_natural and _is_holding(changed, at - 1):
            changed[at] = replace(token, kind="suit", value=WORD_OF_SUIT[token.text])
    return changed


def _is_holding(tokens: list[DescriptionToken], at: int) -> bool:
    """Return True if a figure before the letter of a suit counts its cards."""
    if len(tokens[at].text) > 1 or int(tokens[at].value) > _MOST_HELD:
        return False
    after = tokens[at + 2] if at + 2 < len(tokens) else None
    if after is not None and after.value in ("=", "bid", "opening", "rebid", "->", "overcall"):
        return False
    before = tokens[at - 1] if at else None
    if before is None or before.kind == "suit":
        return int(tokens[at].value) >= _FEWEST
    if before.value == "or":
        return at > 1 and tokens[at - 2].kind == "suit"
    if before.value == "to":  # of a range, `0 to 3H`, not of a call
        return at > 1 and tokens[at - 2].kind == "number"
    if before.kind == "number" or before.text == "+":  # points before it: `12-14 4S`
        return int(tokens[at].value) >= _FEWEST
    bounded = before.value in ("<", ">", "<=", ">=", "than", "least", "most", "-", "\u2013")
    return before.value in _BEFORE_HOLDING and (bounded or int(tokens[at].value) >= _FEWEST)


_MOST_HELD = 8


def _has_transfer(tokens: list[DescriptionToken]) -> bool:
    words = {token.value for token in tokens if token.kind == "word"}
    return bool(words & {"transfer", "trf", "tfr", "xfer"})


def _is_either(condition: ast.Condition) -> bool:
    """Return True if a condition is about one of several suits, left open."""
    return isinstance(condition, ast.Or) and all(
        isinstance(item, ast.InRange) and isinstance(item.expr, ast.Name)
        for item in condition.items
    )


def _points(
    clause: list[DescriptionToken], text: str, description: Description, context: DescriptionContext
) -> None:
    """Read a range beside suits, `4+!H, 6+`, as points, and beside points as the suit bid."""
    read = ranges_at(clause, 0)
    assert read is not None
    low = read[0][0].low
    if len(description.conditions) and all(
        "suit" in _kinds(each) for each in description.conditions[:1]
    ):
        description.conditions.append(ast.InRange(ast.Name("hcp"), read[0]))
    elif (
        context.own_suit is not None
        and context.is_natural
        and (low or 0) >= _FEWEST
        and len(description.conditions) == 1
        and _points_of(description) is not None
    ):
        description.conditions.append(ast.InRange(ast.Name(context.own_suit), read[0]))
    else:
        description.unread.append(text[clause[0].start : clause[-1].end])


def _clauses(tokens: list[DescriptionToken]) -> list[list[DescriptionToken]]:
    """Split at commas and other stops that are not in brackets."""
    clauses: list[list[DescriptionToken]] = [[]]
    depth = 0
    for token in tokens:
        # Commas in brackets separate parts of one statement.
        depth += (token.value == "(") - (token.value == ")")
        if token.kind == "sign" and token.value in ENDS and depth <= 0:
            clauses.append([])
        else:
            clauses[-1].append(token)
    return [clause for clause in clauses if clause]


def _kinds(condition: ast.Condition) -> frozenset[str]:
    """Return the subjects of a condition, all suits being alike."""
    suits = {"clubs", "diamonds", "hearts", "spades", "M", "m", "oM", "om", "X", "Y", "Z"}
    kinds = set()
    for part in parts(condition):
        if isinstance(part, ast.Name | ast.Apply):
            kinds.add("suit" if part.name in suits else part.name)
        elif isinstance(part, ast.Shape):
            kinds.add("suit")
    return frozenset(kinds)


def _fewer(item: ast.Condition) -> ast.Condition | None:
    """Return the length that `no 4!H` allows: who denies four hearts does not have five."""
    match item:
        case ast.InRange(expr=ast.Name(name=name), ranges=(one,)) if (
            "suit" in _kinds(item) and one.low is not None and one.low == one.high
        ):
            if one.low >= _FEWEST:
                return ast.InRange(ast.Name(name), (ast.Range(None, one.low - 1),))
    return None


class _Clause:
    """Reads one clause into a description."""

    def __init__(
        self,
        tokens: list[DescriptionToken],
        text: str,
        description: Description,
        context: DescriptionContext,
    ) -> None:
        self._tokens = tokens
        self._text = text
        self._found = description
        self._context = context
        self._at = 0
        self._skipped: list[DescriptionToken] = []
        self._noted: list[str] = []
        self._chosen = False

    def read(self) -> None:
        """Read it."""
        if self._is_word("usually"):
            self._usually()
            return
        chosen = False
        while self._at < len(self._tokens):
            # After "may" nothing is promised, so the rest says nothing.
            if self._tokens[self._at].value in HEDGES:
                self._skip(len(self._tokens) - self._at)
                break
            start = self._at
            condition = None if self._names_action() else self._alternatives()
            if condition is not None:
                if chosen and not isinstance(condition, ast.Or):
                    self._found.unread.append("alternatives and more without a comma")
                self._flush()
                self._found.conditions.append(condition)
                chosen = chosen or self._chosen
            elif self._at == start and not (self._statement() or self._joint()):
                self._skip(1)
        self._flush()
        self._found.notes += self._noted

    # ---------------------------------------------------------------- unread words

    def _skip(self, count: int) -> None:
        self._skipped += self._tokens[self._at : self._at + count]
        self._at += count

    def _flush(self) -> None:
        # Brackets that hold nothing are no words.
        words_left = [token for token in self._skipped if token.value not in (*NOISE, "(", ")")]
        if words_left:
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
        loose = self._chosen = False
        while True:
            conjunction = self._conjunction()
            if conjunction is None:
                self._at = start
                if items:  # what stands after `or` is not understood: so the whole is not
                    # With `or` before it the unread part may be an alternative, so all of it is
                    # left.
                    self._skip(len(self._tokens) - start)
                return None
            items.append(conjunction[0])
            loose = loose or conjunction[1]
            if not self._is_word("or", "/"):
                break
            self._at += 1
        if len(items) == 1:
            return items[0]
        # `4+!H or 4+!S 8+`: nobody knows whether the points go with both.
        if loose and len({_kinds(item) for item in items}) > 1:
            self._at = start
            self._skip(len(self._tokens) - start)
            return None
        self._chosen = True
        return ast.Or(tuple(items))

    def _conjunction(self) -> tuple[ast.Condition, bool] | None:
        """Read statements that all hold; tell whether some follow each other without `and`."""
        items: list[ast.Condition] = []
        loose = False
        while (item := self._item(joined=bool(items))) is not None:
            loose = loose or (bool(items) and not item[1])
            items.append(item[0])
        if not items:
            return None
        return (items[0] if len(items) == 1 else ast.And(tuple(items))), loose

    def _item(self, *, joined: bool) -> tuple[ast.Condition, bool] | None:
        """Read a statement; tell whether `and` stands before it."""
        start = self._at
        linked = False
        while True:
            condition = self._negated() or self._grouped() or self._atom()
            if condition is not None:
                return condition, linked
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
        # "no 4-card major" denies a length, "not" a statement.
        plain = self._is_word("not")
        if starts(self._tokens, self._at, ("no", "suit", "longer", "than")):
            return None
        self._at += 1
        actions, noted = list(self._found.actions), list(self._noted)
        statement = self._item(joined=False) if plain else None
        item = statement[0] if statement else None if plain else self._atom()
        bound = item is not None and self._is_about_own_class(item, start)
        if item is None or bound or self._found.actions != actions:
            # Nothing is taken back but what this attempt has added.
            self._at, self._found.actions, self._noted = start, actions, noted
            return None
        return _fewer(item) or ast.Not(item)

    def _is_about_own_class(self, item: ast.Condition, start: int) -> bool:
        """Return True if `no 4-card major` stands in the row of a major: it may mean either."""
        words = {token.value for token in self._tokens[start : self._at]}
        suit_bid = self._context.own_suit
        return bool(
            words & {"cm", "major", "minor", "cmajor", "cminor"}
            and suit_bid is not None
            and item == ast.InRange(ast.Name(suit_bid), getattr(item, "ranges", ()))
        )

    def _grouped(self) -> ast.Condition | None:
        if not self._is_word("("):
            return None
        start = self._at
        actions = list(self._found.actions)
        self._at += 1
        items: list[ast.Condition] = []
        while (item := self._alternatives()) is not None:
            items.append(item)
            if self._is_word(","):
                self._at += 1
        if not items or not self._is_word(")") or self._found.actions != actions:
            self._at, self._found.actions = start, actions
            self._skipped = []
            return None
        self._at += 1
        return items[0] if len(items) == 1 else ast.And(tuple(items))

    def _atom(self) -> ast.Condition | None:
        if (condition := self._habit(FIRST_READINGS)) is not None:
            return condition
        for reader in READERS:
            read = reader(self._tokens, self._at)
            if read is not None:
                self._at = read[1]
                return read[0]
        return self._habit(READINGS)

    def _habit(self, readings: Iterable[Reading]) -> ast.Condition | None:
        for reading in readings:
            habit = reading(self._tokens, self._at, self._context)
            # In brackets words are a gloss, by which no call does anything.
            if habit is not None and habit.actions and self._is_in_brackets():
                return None
            if habit is not None:
                self._at = habit.end
                self._noted += [habit.note] if habit.note else []
                self._found.act(habit.actions)
                return habit.condition
        return None

    # --------------------------------------------------------------------- actions

    def _usually(self) -> None:
        """Read the rest as typical facts; nothing is taken if it is not understood."""
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
        """Return True if words for an action, or a name, stand here: they come first.

        The amounts "max" and "min" are no names before a number.
        """
        if self._longest(_ACTIONS):
            return True
        # "max 11" is a bound, "max" alone a name.
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
        entry = table.longest(self._tokens, self._at)
        return entry[0] if entry is not None else ""

    # Which hands a convention's name means has to be in other words.
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

    def _is_in_brackets(self) -> bool:
        """Return True if a bracket is open here: a gloss has no actions."""
        before = [token.value for token in self._tokens[: self._at] if token.kind == "sign"]
        return before.count("(") > before.count(")")

    def _action(self) -> bool:
        words = self._longest(_ACTIONS)
        if not words or self._is_in_brackets():
            return False
        self._at += len(words.split())
        self._found.act(ACTIONS[words])
        strength = "invitation+" if words in OR_BETTER else STRENGTHS.get(ACTIONS[words][0].kind)
        self._found.strength = strength or self._found.strength
        return True

    def _joint(self) -> bool:
        """Skip a word that joins two parts that were understood."""
        if self._is_word("and", "&", *NOISE) and not self._skipped:
            self._at += 1
            return True
        return False
