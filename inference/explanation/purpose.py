"""The purpose of a call, in a few words: the authors' terms, or its effect at the table.

The texts of rules say why a hand chooses a call ("five spades", "nothing better") as well as what
the call is for ("limit raise"). What repeats the bounds, or is about the choice, is left out; where
nothing is left, a call is named after its place in the auction: an overcall, a raise, a cue-bid.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from bidwright.bridge.calls import Call, bid
from bidwright.bridge.cards import SUITS, Denomination, Seat
from bidwright.inference.explanation.table_position import TablePosition
from bidwright.inference.explanation.terms import (
    ACTS,
    FILLERS,
    FORCES,
    QUALIFIERS,
    SAID_BY,
    SYNONYMS,
    TERMS,
    TRADE,
    UNCOUNTED,
)
from bidwright.inference.headline import NEARLY_ALL, Headline, Strength, unit_of
from bidwright.inference.meaning import Meaning
from bidwright.kb.logic.bounds import Bounds, Interval
from bidwright.kb.logic.features import LENGTHS
from bidwright.kb.logic.formula import Literal
from bidwright.kb.logic.public_state import CallRecord, Forcing, game_level
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rule import CompiledRule
from bidwright.runtime.sentences import COUNTS

_SUPPORT, _NATURAL, _LONG = 3, 4, 5
"""Cards that make a raise, a suit that is bid naturally, a suit to transfer to."""

_MAJORS = 2
"""The lower major."""

_TWO, _QUANTITATIVE, _SLAM = 2, 4, 6
"""The level of a bid of notrump that picks a suit, that of one that invites slam, and of slams."""

_WEAK = 11
"""The most points of a weak jump."""

_STRONG = 16
"""The fewest points of a strong opening."""

_LIMITED = 4
"""The points between the ends of a range of strength that leaves partner nothing to ask."""

_NEGATIVE = 8
"""The most points of a negative answer to a strong opening."""

_SHOWN_IN_SUIT = ("feature", "stopper", "control")
"""Questions with answers that name the suit of the thing asked for."""

_SAYS_WEAK = "weak"
"""The word of authors that call a jump weak themselves."""

_MANY = 0.4
"""The share of a call's hands by rules with words that are quoted in place of those without."""

_MOST_MEANINGS = 3
"""Meanings of one artificial call that are named."""

_WORDS_OF_FACTS = re.compile(
    r"none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|[0-9]+"
    r"|(club|diamond|heart|spade|major|minor|card|point|trump)s?|hcp|balanced|flat|suit|shortage"
    r"|not|usually|fit|maximum|minimum|few|fewer|more|most|least|long|longer|good|both|together|unbid|support"
    r"|a|and|at|in|nearly|no|of|or|over|perhaps|than|the|to"
)
_OPENING, _LONGER_MINOR, _REBID = "natural opening", "opening in the longer minor", "notrump rebid"
"""Names of calls that need no more than their bounds."""

_DULL = frozenset(
    {"new suit", "second suit", "artificial", "invites game", _OPENING, _LONGER_MINOR, _REBID}
)
"""Names of calls that are used only where the author says nothing."""

_BARE = frozenset({"natural", "game", "small slam", "grand slam", "new suit", "rebid", "suit"})
"""Words of authors that the place in the auction says better."""

Lengths = tuple[Interval, Interval, Interval, Interval]
"""The ranges of the four suits, C D H S."""

_OF_STRENGTH = QUALIFIERS | {"strong", "weak"}
"""Words of authors for nothing but strength."""

_CONTROL = re.compile(r"(?:a )?control(?= in return|[,:]|$)")
"""Beginnings of texts of authors on calls that show a control in the suit bid."""

_PARTS = re.compile(r"[^,;:\s][^,;:]*")
"""The parts of a text between its signs."""

_STOPPED = re.compile(r"\b(?:their suit|it) stopped\b")
"""Words of authors for a stopper in the one suit of the opponents."""

_NUMBER_OF_POINTS = re.compile(rf"\b(?:{'|'.join(COUNTS)}|[0-9]+)(?: or more)? points?\b")

_POINTS = re.compile(r"[0-9]+ (?:to [0-9]+|or more)")
"""A text that is a range of points and nothing else."""

_SIGNS = re.compile(r"([,;:]\s+)")
"""The signs between the parts of a text, kept by a split."""

_SHORT_HERE = re.compile(r"\b(?:(?:a )?singleton or void|short(?:ness|age)?)(?: here| there)?$")
"""Words of authors for shortness in the suit bid."""

_BOUNDARY = re.compile(r"[,;:]\s+")

_NOT_FORCING = "not forcing"
"""Words of authors that are a purpose only beside "natural"."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """The purpose of a call.

    Attributes:
        words: the purpose in a few words, the most important first.
        alternatives: the meanings of a call with several, in the authors' words, the most
            frequent first; empty for a call with one.
    """

    words: tuple[str, ...]
    alternatives: tuple[str, ...] = ()


def purpose_of(meaning: Meaning, position: TablePosition) -> Purpose:
    """Return the purpose of a call; an empty one where its bounds say it all.

    Args:
        meaning: the meaning of the call.
        position: the auction before it.
    """
    rules = [instance.rule for instance in _main(meaning)]
    act = _act(meaning, position)
    # Without an agreement the labels of general rules ("nothing better") are no purpose: the place
    # in the auction is all that can be named.
    if not rules or not meaning.is_stated:
        return Purpose(tuple(_specific(meaning, position, filter(None, (act.word,)))))
    if act.instead:
        return Purpose((act.word,))
    words, alternatives = _authors_words(meaning, _rules_to_quote(meaning, rules))
    words = [word for word in words if word not in FORCES]
    # Where earlier calls exclude the hands of a rule, its words on strength are false of the rest.
    if meaning.relaxed:
        words = [word for word in words if word not in _OF_STRENGTH]
    named = _name(rules, " ".join((*words, *alternatives)).lower())
    texts = " ".join((named or "", *words, *alternatives)).lower()
    # The author's own term wins over the table's, except where his words only repeat facts: "five
    # spades" of an overcall is no name.
    is_plain = _is_plain(words) and (act.word not in _DULL or all(map(_POINTS.fullmatch, words)))
    is_better = act.always or not words or is_plain
    if act.word and not _is_said(act, texts) and is_better:
        words = [word for word in words if word not in act.word and word not in _BARE]
        words = [*words, act.word] if act.follows else [act.word, *words]
    # "raise, four-card support": support is what a raise shows.
    if any("raise" in word for word in words):
        words = [*filter(None, (_without_parts(word, _is_support) for word in words))]
    if named:
        is_named = partial(_is_in, named.lower())
        # A convention's name says that the call is artificial: "Stayman, artificial" is one word
        # too many.
        words = [_without_parts(word, is_named) for word in words if word != "artificial"]
        words = [named, *filter(None, words)]
    if words == [_NOT_FORCING]:
        words = [f"natural, {_NOT_FORCING}"]
    specific = tuple(_specific(meaning, position, dict.fromkeys(words)))
    purpose = Purpose(specific, tuple(_with_stopper(meaning, each) for each in alternatives))
    return _in_key_cards(purpose) if _asks_for_key_cards(meaning) else purpose


def _without_parts(text: str, is_left_out: Callable[[str], bool]) -> str:
    """Return a text without those of its parts that are left out, and the signs before them."""
    first, *rest = _SIGNS.split(text)
    kept_text = "" if is_left_out(first) else first
    for sign, part in zip(rest[::2], rest[1::2], strict=True):
        if not is_left_out(part):
            kept_text += sign + part if kept_text else part
    return kept_text


def _is_range(part: str) -> bool:
    """Return True if a part of a text is a range of points: `15 to 18`, `a good 14 or more`."""
    return _POINTS.fullmatch(part.removeprefix("a good ")) is not None


def _is_support(part: str) -> bool:
    """Return True if a part of a text is another word for a raise."""
    return SYNONYMS.get(part.lower()) == "raise"


def _is_in(name: str, part: str) -> bool:
    """Return True if the name of a convention contains a part of a text."""
    return part.lower() in name


def _in_key_cards(purpose: Purpose) -> Purpose:
    """Return the purpose of a question for aces in the words of key cards."""
    aces, key_cards = asking("aces"), asking("key cards")
    words, alternatives = (
        tuple(text.replace(aces, key_cards) for text in texts)
        for texts in (purpose.words, purpose.alternatives)
    )
    return Purpose(words, alternatives)


def _asks_for_key_cards(meaning: Meaning) -> bool:
    """Return True if a question for aces is answered in key cards, as it is with a suit agreed."""
    record = meaning.record
    return record.asks == "aces" and record.agrees is not None and "keycards" in meaning.questions


def _main(meaning: Meaning) -> Sequence[Instance]:
    """Return the rules that nearly all hands use for a call; all needed ones without shares."""
    headline = meaning.headline
    if headline is not None and headline.instances:
        return headline.instances
    firm = [instance for instance in meaning.needed if not instance.optional]
    return firm or meaning.needed


def _rules_to_quote(meaning: Meaning, rules: Sequence[CompiledRule]) -> Sequence[CompiledRule]:
    """Return the rules with texts to quote: the first alone if nearly all hands go by it."""
    headline, call = meaning.headline, meaning.record.call
    # Where two rules shared a call 91 to 9, their common words were none, and the text of the main
    # one was lost.
    if headline is None or not headline.rules or headline.rules[0].share < NEARLY_ALL:
        return rules if headline is None else _with_words(headline, rules)
    text = rules[0].text or ""
    # "five spades" may be quoted only if the rarer rules bid five spades too.
    if call.is_bid and call.denomination.is_suit and _says_only_facts(text):
        least = headline.lengths[int(call.denomination)][0]
        if not {COUNTS[least], str(least)} & {*re.findall(r"\w+", text.lower())}:
            return rules  # rarer rules bid a shorter suit
    return rules[:1]


def _with_words(headline: Headline, rules: Sequence[CompiledRule]) -> Sequence[CompiledRule]:
    """Return the rules without those that name only a force, if many hands are left."""
    main = headline.rules[: headline.main]
    speaking = [each for each in main if _term(each.instance.rule.text or "") not in FORCES]
    # The force stands behind the bounds: "inviting" is no meaning beside "preference".
    if sum(each.share for each in speaking) < _MANY * sum(each.share for each in main):
        return rules
    return [each.instance.rule for each in speaking]


def _term(text: str) -> str:
    return SYNONYMS.get(text.lower(), text)


def _name(rules: Sequence[CompiledRule], said: str) -> str | None:
    """Return the convention that rules have in common, if their words do not name it."""
    conventions = {rule.convention for rule in rules}
    name = conventions.pop() if len(conventions) == 1 else None
    return name if name and name.lower() not in said else None


def _is_said(act: _Act, said: str) -> bool:
    """Return True if words imply the name of a call, by the table `SAID_BY`."""
    term = next((each for each in SAID_BY if act.word.startswith(each)), "")
    return any(re.search(rf"\b{word}", said) for word in (act.word, *SAID_BY.get(term, ())))


def _is_plain(words: Sequence[str]) -> bool:
    """Return True if words are only about facts that bounds give, strength or force."""
    return all(
        _says_only_facts(word) or word in _OF_STRENGTH or word in FORCES or word in _BARE
        for word in words
    )


def _authors_words(meaning: Meaning, rules: Sequence[CompiledRule]) -> tuple[list[str], list[str]]:
    """Return the words of rules on their call: those in common, and the others one by one.

    Texts are quoted as they are. What is about the choice of the call is left out; where texts say
    different facts of the hand, the bounds around them say it in their place.
    """
    is_pass = meaning.record.call == Call.PASS
    texts: list[str] = []
    for rule in rules:
        # Rules that apply anywhere, and those for pass, are labelled by the choice they end:
        # "enough", "nothing better". Only terms of the trade among these words are about the call.
        anywhere = is_pass or (rule.pattern.open and not rule.pattern.elements)
        text = _quoted(rule.text or "", anywhere=anywhere)
        # "inviting" is the force of a call, and stands behind the bounds: as a meaning of its own
        # it made "invitational; or strong, no fit" of one bid.
        text = "" if text in FORCES else text
        if text not in texts:
            texts.append(text)
    if len(texts) < 2:
        return [*filter(None, texts)], []
    parts = [[TERMS.get(part.lower(), part) for part in _BOUNDARY.split(text)] for text in texts]
    shared = [part for part in parts[0] if all(part in others for others in parts)]
    left = [
        ", ".join(part for part in each if part not in shared and part not in QUALIFIERS)
        for each in parts
    ]
    if shared and not all(left):  # some rule says nothing more than what they have in common
        return shared, []
    if meaning.record.call == Call.DOUBLE and "takeout" in shared:
        return shared, []  # what else texts say is about the shapes that double, and bounds say it
    if not left[0]:  # the most frequent rule says nothing that the others do not say
        return shared, []
    left = [text for text in dict.fromkeys(left) if text]
    facts = [text for text in left if _says_only_facts(text)]
    if len(facts) == len(left) or (facts and not meaning.record.artificial and left[0] in facts):
        return shared, []
    left = [text for text in left if text not in facts or meaning.record.artificial]
    # Every slam is to play: "small slam in the best fit; or to play" tells no two hands apart.
    if meaning.record.call.is_bid and meaning.record.call.level >= _SLAM and len(left) > 1:
        left = [text for text in left if text != "to play"]
    # Alternatives with the same head differ in a detail that the bounds give.
    left = _by_heads(text for text in _merged(left) if text not in _BARE) or left[:1]
    if len(left) < 2:
        return [*shared, *left], []
    # One range stands behind all alternatives: "15 to 18, balanced; or length in their suit; 14-18"
    # said two.
    left = [_without_parts(text, _is_range) or text for text in left]
    return shared, left[:_MOST_MEANINGS]


def _merged(texts: Sequence[str]) -> list[str]:
    """Return texts; those that add only facts to another, which bounds say as well, as that one.

    A part that says only facts is left out of a text that others are joined with.
    """
    parts = [[p for p in _BOUNDARY.split(text) if not _says_only_facts(p)] for text in texts]
    common = [
        min((each for each in parts if each and {*each} <= {*own}), key=len, default=own)
        for own in parts
    ]
    return [
        *dict.fromkeys(
            ", ".join(shared) if common.count(shared) > 1 else text
            for text, shared in zip(texts, common, strict=True)
        )
    ]


def _by_heads(texts: Iterable[str]) -> list[str]:
    """Return texts, those that begin with the same words as one: by all that they have in common.

    `takeout, strong` and `takeout, a flat opening` are both takeout. What most texts say is first.
    """
    parts: dict[str, list[str]] = {}
    count: Counter[str] = Counter()
    for text in texts:
        head, *rest = _BOUNDARY.split(text)
        head = next((each for each in parts if head.startswith(f"{each} ")), head)
        parts[head] = [part for part in parts[head] if part in rest] if head in parts else rest
        count[head] += 1
    return [", ".join([head, *parts[head]]) for head, _ in count.most_common()]


def _quoted(text: str, *, anywhere: bool) -> str:
    """Return a rule's text without the parts that are about the choice of the call.

    Args:
        text: the text.
        anywhere: whether the rule is a general one; of these only terms are kept.
    """
    # Before the split: some of these remarks have a comma in them.
    if text.lower() in FILLERS:
        return ""
    parts = []
    for part in _BOUNDARY.split(text):
        term = SYNONYMS.get(part.lower(), part)
        if (
            term.lower() in FILLERS
            or term == "natural"
            or (anywhere and term not in TRADE and term not in ACTS)
            or _says_points(term)
        ):
            continue
        parts.append((part, term))
    # All parts count: the author's own signs between them stay, a colon does not become a comma.
    if len(parts) == len(_BOUNDARY.split(text)) > 1:
        return _PARTS.sub(lambda part: TERMS.get(part[0].lower(), part[0]), text)
    return ", ".join(term for _, term in parts)


def _says_points(text: str) -> bool:
    """Return True if words only give a number of points, which the exact strength repeats."""
    return _says_only_facts(text) and _NUMBER_OF_POINTS.search(text) is not None


def _says_only_facts(text: str) -> bool:
    """Return True if every word is about facts that bounds give as well."""
    # "no opening bid" and "no fit" are about the auction, though their words are those of facts.
    if text in TRADE or text in ACTS or re.fullmatch(r"no [^0-9]+", text):
        return False
    words = re.findall(r"\w+", text.lower())
    return all(_WORDS_OF_FACTS.fullmatch(word) for word in words)


def _specific(meaning: Meaning, position: TablePosition, words: Iterable[str]) -> Iterator[str]:
    """Yield words with the suit, or the contract, that they are about."""
    call = meaning.record.call
    for word in words:
        # The suit shown, not the next one up: transfers after interference skip suits.
        if word == "transfer" and (suit := long_suit(meaning, call)) is not None:
            yield f"transfer to {SUITS[suit].name.lower()}"
        # An answer that narrows nothing down is forced: "as asked" would suggest that it tells
        # something.
        elif word == "as asked" and meaning.bounds == meaning.before:
            yield "forced"
        elif _STOPPED.search(word):
            yield _with_stopper(meaning, word)
        elif _is_short_in_suit_bid(meaning) and _SHORT_HERE.search(word):
            short = call.denomination.name.lower()
            yield _SHORT_HERE.sub(f"singleton or void in {short}", word)
        elif word == "rebid" and call.is_bid and call.denomination.is_suit:
            yield f"repeats {call.denomination.name.lower()}"
        elif word == "leaves partner in" and position.last_bid is not None:
            # Partner's narrow range leaves the decision to this player, so that his pass is a
            # judgement.
            none = "no game: " if _is_limited(position) else ""
            yield f"{none}leaves partner in {position.last_bid.call}"
        elif call.is_bid and call.denomination.is_suit and _CONTROL.match(word):
            yield _CONTROL.sub(f"control in {call.denomination.name.lower()}", word, count=1)
        elif word in FORCES or (word == "natural" and call.is_bid):
            continue  # its force, or its bounds, say so
        elif word.startswith("asks for a") and word in TRADE and meaning.record.agrees is not None:
            yield f"{word}, {SUITS[meaning.record.agrees].name.lower()} agreed"
        else:
            yield word


def _is_short_in_suit_bid(meaning: Meaning) -> bool:
    """Return True if a call bids a suit of its maker's of at most one card."""
    call, headline = meaning.record.call, meaning.headline
    if headline is None or not call.is_bid or not call.denomination.is_suit:
        return False
    return headline.bounds.lengths[int(call.denomination)][1] <= 1


def _with_stopper(meaning: Meaning, text: str) -> str:
    """Return a text with the name of the one suit of the opponents that it says is stopped."""
    # With two suits of the opponents "their suit" does not say which: the author's words stay.
    if len(meaning.theirs) != 1:
        return text
    (suit,) = meaning.theirs
    return _STOPPED.sub(f"stopper in {SUITS[suit].name.lower()}", text)


def _is_limited(position: TablePosition) -> bool:
    """Return True if partner has limited his hand to a few points by notrump below game."""
    last = position.last_bid
    partner = next((m for m in reversed(position.earlier) if m.record is last), None)
    strength = None if partner is None else _strength_of(partner)
    if last is None or strength is None or strength.high is None or last.artificial:
        return False
    is_notrump = last.call.denomination is Denomination.NOTRUMP
    return (
        is_notrump
        and last.call.level < game_level(last.call.denomination)
        and strength.high - (strength.low or 0) <= _LIMITED
    )


def long_suit(meaning: Meaning, call: Call) -> int | None:
    """Return the only suit, other than the one bid, with five cards shown; else None."""
    shown = meaning.bounds if meaning.headline is None else meaning.headline.bounds
    long = [suit for suit, (low, _) in enumerate(shown.lengths) if low >= _LONG]
    others = [suit for suit in long if not call.is_bid or suit != int(call.denomination)]
    return others[0] if len(others) == 1 else None


# ------------------------------------------------------------------ at the table


class _Act(NamedTuple):
    """The name of a call by its place in the auction.

    Attributes:
        word: the term; empty if there is none.
        always: True if it stands beside the author's words in any case.
        follows: True if it stands behind them.
        instead: True if it stands in their place.
    """

    word: str
    always: bool = False
    follows: bool = False
    instead: bool = False


_NOTHING = _Act("")


def _act(meaning: Meaning, position: TablePosition) -> _Act:
    """Return the name of a call by its place in the auction."""
    record = meaning.record
    call = record.call
    # Questions first: a call that asks is named by its question wherever it stands.
    if record.asks is not None:
        last = position.last_bid
        # A general rule of many files asks for aces by any 4NT. Over partner's natural notrump, and
        # without an agreement, players take it as an invitation to slam.
        at_four = call.is_bid and call == Call.C4NT
        if (
            at_four
            and not meaning.is_stated
            and last is not None
            and _raises_notrump(last, position.me)
        ):
            return _Act("quantitative")
        return _Act(asking(record.asks))
    if answer := _answer_to_invitation(meaning, position) or _answer_to_try(meaning, position):
        return answer
    if call == Call.PASS:
        return _Act(_act_of_pass(position))
    if not call.is_bid:
        return _act_of_double(meaning, position)
    if answer := _answer_to_transfer(meaning, position):
        return answer
    if position.has_asked and call.is_bid:
        return _placing(meaning, position)
    if call.denomination is Denomination.NOTRUMP:
        return _act_in_notrump(meaning, position)
    return _act_in_suit(meaning, position)


def _answer_to_invitation(meaning: Meaning, position: TablePosition) -> _Act | None:
    """Return the name of an answer to partner's invitation; None if there was none."""
    last = position.last_action
    if last is None or last.seat != position.me.partner:
        return None
    call, last_call = meaning.record.call, last.call
    # The record of an undiscussed 4NT has no invitation, since no rule says so.
    if not (last.invitational or _is_quantitative(position)):
        return None
    if not last_call.is_bid:
        return None
    if call == Call.PASS:
        return _Act("declines the invitation", always=True, follows=True)
    if not call.is_bid or meaning.record.artificial:
        return None
    at_game = call.level >= game_level(call.denomination)
    # An invitation at game is one to slam: 5NT over a quantitative 4NT accepts nothing.
    if last_call.level >= game_level(last_call.denomination):
        if call.level < _SLAM:
            return None
        return _Act("accepts the invitation", always=True)
    if call.level >= _SLAM:  # an invitation to game asks for no slam
        return None
    if (
        at_game
        # 3NT over an invitation in an agreed major offers a choice; over one in a minor it is the
        # game that was invited.
        and last.agrees is not None
        and last.agrees >= _MAJORS
        and call.denomination is Denomination.NOTRUMP
    ):
        return _Act("choice of games", always=True)
    if at_game:
        return _Act("accepts the invitation", always=True)
    if meaning.record.signoff:
        return _Act("declines the invitation", always=True)
    return None


def _answer_to_try(meaning: Meaning, position: TablePosition) -> _Act | None:
    """Return the name of an answer to opener's game try over a single raise; None if it is none.

    A try in a new suit, or in notrump, forces; game accepts it, the agreed suit declines it.
    """
    call, last, suit = meaning.record.call, position.last_bid, position.agreed_suit
    if suit is None or suit < _MAJORS or last is None or last.seat != position.me.partner:
        return None
    mine = [r for r in position.records if r.seat == position.me and r.call != Call.PASS]
    is_raise = len(mine) == 1 and mine[0].call.level == _TWO and mine[0].natural_suit == suit
    is_try = last.asks is None and not last.artificial and not last.invitational
    if not is_raise or not is_try or last.seat != position.opener or last.natural_suit == suit:
        return None
    if int(last.call) >= int(bid(_SUPPORT, Denomination(suit))) or not call.is_bid:
        return None
    if call.denomination is not Denomination(suit):
        return None
    is_game = call.level == game_level(call.denomination)
    return _Act(f"{'accepts' if is_game else 'declines'} the game try", always=True)


def _is_quantitative(position: TablePosition) -> bool:
    """Return True if partner has raised the player's notrump to 4NT, and it asks for no aces."""
    calls = [meaning for meaning in position.earlier if meaning.record.call.is_bid]
    if len(calls) < 2 or calls[-1].record.call != Call.C4NT or calls[-1].is_stated:
        return False
    return _raises_notrump(calls[-2].record, calls[-1].record.seat)


def _answer_to_transfer(meaning: Meaning, position: TablePosition) -> _Act | None:
    """Return the name of an answer to partner's transfer; None if there was none."""
    partner = next(
        (m for m in reversed(position.earlier) if m.record.seat == position.me.partner), None
    )
    if partner is None or position.last_bid is not partner.record:
        return None
    # A question such as Stayman is artificial too, but its next bid up is an answer and no
    # completion.
    transfer = partner.record
    if not transfer.call.is_bid or not transfer.artificial or transfer.asks is not None:
        return None
    suit = _transferred_to(partner)
    # A player who has shown the suit before bids the one below it for another reason: a control,
    # say.
    if suit is None or partner.before.lengths[suit][0] >= _NATURAL:
        return None
    call = meaning.record.call
    if call.denomination is not Denomination(suit):
        # Over interference, and at game, another bid has its own meaning.
        if call.level < game_level(call.denomination) and not position.has_acted(position.me.lho):
            return _Act("breaks the transfer")
        return None
    if position.jump(call):
        return _Act("super-accepts the transfer", always=True)
    return _Act("completes the transfer", always=True)


def _transferred_to(meaning: Meaning) -> int | None:
    """Return the suit that an artificial bid shows by the bid below it; None if it does not."""
    call = meaning.record.call
    # Modulo: the bid below clubs is notrump, by which clubs are shown, but that is no suit bid.
    above = (int(call.denomination) + 1) % len(Denomination)
    shown = meaning.bounds if meaning.headline is None else meaning.headline.bounds
    if above == int(Denomination.NOTRUMP) or not call.denomination.is_suit:
        return None
    return above if shown.lengths[above][0] >= _NATURAL else None


def _placing(meaning: Meaning, position: TablePosition) -> _Act:
    """Return the name of the bid that follows the answer to the player's question."""
    call = meaning.record.call
    if meaning.record.artificial:
        return _NOTHING
    if call.level > _SLAM:
        return _slam(call)
    if call.level >= game_level(call.denomination):
        return _Act("to play", always=True)
    return _Act("invites game") if meaning.record.invitational else _NOTHING


def _act_of_pass(position: TablePosition) -> str:
    me, last, action = position.me, position.last_bid, position.last_action
    if last is None or action is None:
        return "no opening bid"
    ours = action.seat == me.partner
    if ours and action.call == Call.DOUBLE:
        return "leaves the double in"
    if ours and action.call.is_bid:
        if (
            position.opener == me.partner
            and not position.has_acted(me)
            and last.natural_suit is not None
            and last.call.level == 1
        ):
            return "too weak to respond"
        return "leaves partner in"
    if position.opener == me.partner:
        return "" if position.has_acted(me) else "no response"
    # Only the first pass over the opening is "no overcall": later ones were a chance already
    # refused.
    called = any(record.seat == me for record in position.records[position.opened :])
    return "" if called or position.has_acted(me.partner) else "no overcall"


def _act_of_double(meaning: Meaning, position: TablePosition) -> _Act:
    """Return the name of a double or a redouble."""
    me, last = position.me, position.last_bid
    record = meaning.record
    if record.call == Call.REDOUBLE:
        return _Act("values")
    shown = meaning.bounds if meaning.headline is None else meaning.headline.bounds
    # Authors' words on a double come first; those of a general rule ("values") know nothing of the
    # artificial bid that was doubled.
    general = all(instance.rule.is_catch_all for instance in _main(meaning))
    if last is not None and last.artificial and last.call.denomination.is_suit:
        suit = int(last.call.denomination)
        if general or record.forcing is Forcing.NO or shown.lengths[suit][0] >= _NATURAL:
            return _Act(f"lead-directing: {SUITS[suit].name.lower()}", instead=general)
    texts = [instance.rule.text or "" for instance in _main(meaning)]
    if any("penalties" in text for text in texts):
        return _Act("penalties")
    if record.forcing is Forcing.NO:
        # Lightner: the hand not on lead doubles a slam to ask for an unusual lead; the leader needs
        # no such signal.
        if last is not None and last.call.level >= _SLAM:
            leads = position.leader == me
            return _Act(
                "penalties" if leads else "Lightner: asks for an unusual lead",
                instead=not leads and general,
            )
        return _Act("values")
    # At his first turn: a player who has passed partner's opening reopens with a takeout double.
    called = any(r.seat == me for r in position.records[position.opened :])
    if position.opener == me.partner and not called:
        return _Act("negative double", always=True)
    partner = next(
        (r for r in position.records if r.seat == me.partner and r.call != Call.PASS), None
    )
    answers = partner is not None and partner.call == Call.DOUBLE and not position.has_acted(me)
    if answers and not position.is_opening_side and position.last_action is position.last_bid:
        return _Act("responsive double", always=True)
    if position.is_opening_side and position.opener == me and partner is not None:
        responded = partner.natural_suit
        # A support double promises exactly three: with four opener raises.
        if responded is not None and shown.lengths[responded] == (_SUPPORT, _SUPPORT):
            return _Act("support double", always=True)
    return _Act("takeout", always=True)


def _act_in_notrump(meaning: Meaning, position: TablePosition) -> _Act:
    """Return the name of a bid of notrump."""
    call, record, me = meaning.record.call, meaning.record, position.me
    if record.artificial:
        return _Act("artificial")
    last = position.last_bid
    # 4NT over notrump invites slam on points; over a suit it would have been a question, see
    # `_act`.
    if call.level == _QUANTITATIVE and last is not None and _raises_notrump(last, me):
        return _Act("quantitative", always=True)
    if call.level >= _SLAM:
        return _slam(call)
    if not position.is_opening_side and not position.has_acted(me, me.partner):
        return _Act("balancing notrump" if position.is_balancing else "notrump overcall")
    # After a completed transfer 3NT leaves opener the choice of game in the major.
    at_game = call.level >= game_level(call.denomination)
    # Opener's 3NT over Jacoby forces on: partner is asked for anything but a pass.
    if at_game and record.forcing is not Forcing.NO:
        return _NOTHING
    if position.opener is not None and at_game:
        return _Act("choice of games" if _has_transferred(position) else "to play")
    if record.invitational:
        return _Act("invites game")
    # After partner's takeout double 2NT is too high to play on few points: it asks for the cheaper
    # of two suits.
    if position.answers_double and call.level == _TWO and not meaning.is_stated:
        return _Act("scrambling: two places to play")
    if position.answers_double:
        return _Act("answers the double")
    if not meaning.is_stated:
        return _Act("natural in notrump")
    return _Act(_REBID) if position.has_acted(me) else _NOTHING


def _slam(call: Call) -> _Act:
    """Return the name of a natural bid of a slam."""
    if call.level > _SLAM:
        return _Act("grand slam, to play", always=True)
    return _Act("to play")


def _has_transferred(position: TablePosition) -> bool:
    """Return True if the player has shown a major by a transfer that partner has completed."""
    mine = [meaning for meaning in position.earlier if meaning.record.seat == position.me]
    if not mine or not mine[-1].record.artificial:
        return False
    suit = _transferred_to(mine[-1])
    last = position.last_bid
    return suit is not None and suit >= _MAJORS and last is not None and last.natural_suit == suit


def _raises_notrump(last: CallRecord, me: Seat) -> bool:
    return last.seat == me.partner and last.call.denomination is Denomination.NOTRUMP


def _act_in_suit(meaning: Meaning, position: TablePosition) -> _Act:
    """Return the name of a bid of a suit."""
    record = meaning.record
    call, me = record.call, position.me
    suit, jump = int(call.denomination), position.jump(call)
    shown = meaning.bounds if meaning.headline is None else meaning.headline.bounds
    if record.artificial:
        return _artificial(meaning, position, shown)
    if call.level >= _SLAM:
        return _slam(call)
    name = SUITS[suit].name.lower()
    length = shown.lengths[suit][0]
    game = call.level >= game_level(call.denomination)
    answered = _Act("") if position.is_asked else None
    if record.agrees == suit or position.is_suit_of(me.partner, suit):
        # First, since a save is in a raised suit as a rule: "raise to game" would hide that it may
        # go down.
        if _is_save(meaning, position):
            return _Act("save", always=True)
        if position.is_suit_of(me, suit):
            word = "to play" if game else f"repeats {name}" if meaning.is_stated else "raise"
            return _Act(word)
        if game and not meaning.is_stated:
            is_exact = call.level == game_level(call.denomination)
            return _Act("raise to game" if is_exact else "raise")
        if position.is_asked:
            return _NOTHING
        # Two cards and a choice between partner's suits: he goes back to one without promising a
        # raise.
        if length < _SUPPORT and _has_two_suits(position, me.partner):
            return _Act("jump preference" if jump else "preference", always=True)
        if game and call.level == game_level(call.denomination):
            return _Act("raise to game", always=True)
        return _Act("jump raise" if jump == 1 else "raise", always=True)
    if position.is_suit_of(me, suit):
        word = "jump rebid" if jump == 1 else f"repeats {name}"
        return answered or _Act("to play" if game else word, always=not game)
    # With four cards shown a bid of their suit is natural.
    if _is_theirs(position, suit) and length < _NATURAL:
        return _Act("cue-bid", always=True)
    if answered is not None:
        return answered
    if _shows_control(meaning, position):
        return _Act(f"control in {name}", always=True)
    return _new_suit(meaning, position, jump)


def _is_save(meaning: Meaning, position: TablePosition) -> bool:
    """Return True for a bid over the opponents' game that should cost less than the game."""
    last, strength = position.last_bid, _strength_of(meaning)
    # Both hands of the side have to be weak: with strength the same bid is meant to make.
    if last is None or last.seat.side == position.me.side:
        return False
    if last.call.level < game_level(last.call.denomination):
        return False
    partner = next(
        (m for m in reversed(position.earlier) if m.record.seat == position.me.partner), None
    )
    theirs = None if partner is None else _strength_of(partner)
    weak = strength is None or (strength.high is not None and strength.high <= _WEAK)
    return weak and theirs is not None and theirs.high is not None and theirs.high <= _WEAK


def _shows_control(meaning: Meaning, position: TablePosition) -> bool:
    """Return True if a new suit above a suit that is agreed shows a control, and no length.

    It does above three of an agreed major, and above three notrump where a minor is agreed.
    """
    # A rule of the book has a meaning of its own there, such as a second suit or a splinter.
    if meaning.is_stated and not all(each.rule.is_catch_all for each in _main(meaning)):
        return False
    return _is_above_agreed_suit(meaning, position)


def _is_above_agreed_suit(meaning: Meaning, position: TablePosition) -> bool:
    """Return True for a new suit above the agreed one, where no fit is needed any more."""
    call, suit = meaning.record.call, position.agreed_suit
    if suit is None or not position.is_opening_side or position.has_acted(position.me.lho):
        return False
    if int(call.denomination) == suit:
        return False
    # Below these levels a new suit over an agreed one tries for game: length, not a control.
    return call.level > _SUPPORT or (
        call.level == _SUPPORT and suit >= _MAJORS and int(call.denomination) > suit
    )


def _artificial(meaning: Meaning, position: TablePosition, shown: Bounds) -> _Act:
    """Return the name of an artificial bid of a suit."""
    record, me = meaning.record, position.me
    suit = int(record.call.denomination)
    # Five hearts over a question for aces is an answer, whoever has bid hearts.
    if _is_theirs(position, suit) and record.answers is None:
        return _Act("cue-bid", always=True)
    is_above = record.agrees is not None and _is_above_agreed_suit(meaning, position)
    # With at most one card it is a splinter: see below.
    if is_above and shown.lengths[suit][1] > 1:
        return _Act(f"control in {SUITS[suit].name.lower()}")
    if record.agrees is not None and shown.lengths[suit][1] <= 1 and position.jump(record.call):
        return _Act("splinter", always=True)
    if _is_fourth_suit(position, suit) and not position.is_asked:
        return _Act("fourth suit", always=True)
    if answer := _shown_by_answer(meaning, position):
        return answer
    if position.opener is None:
        # Two clubs and a strong club. An artificial weak opening forces as well, so that points
        # decide.
        low = strength.low or 0 if (strength := _strength_of(meaning)) else 0
        if record.forcing is not Forcing.NO and low >= _STRONG:
            return _Act("strong, artificial", always=True)
        return _Act("artificial")
    last = position.last_bid
    if (
        not position.has_acted(me)
        and last is not None
        and last.seat == me.partner == position.opener
        and last.artificial
        # Over a strong artificial opening the negative is the cheap answer of the weak hands.
        and _is_negative(meaning)
    ):
        return _Act("negative", always=True)
    if position.is_relayed and meaning.bounds == meaning.before:
        return _Act("forced")
    if _corrects(meaning, position):
        return _Act("pass or correct", always=True)
    if _is_relay(meaning, position):
        return _Act("relay")
    return _Act("artificial")


def _is_relay(meaning: Meaning, position: TablePosition) -> bool:
    """Return True if a bid only makes room: the cheapest bid over partner's, forcing, no suit."""
    record, last = meaning.record, position.last_bid
    if record.forcing is Forcing.NO or last is None or last.seat != position.me.partner:
        return False
    shown = meaning.bounds if meaning.headline is None else meaning.headline.bounds
    # Calls are numbered in the order of the bids: the next number is the next step.
    cheapest = int(record.call) == int(last.call) + 1
    return cheapest and all(low < _NATURAL for low, _ in shown.lengths)


def _corrects(meaning: Meaning, position: TablePosition) -> bool:
    """Return True if a bid is in one of the suits that partner may have, and promises nothing."""
    record, last = meaning.record, position.last_bid
    if record.forcing is not Forcing.NO or last is None or last.seat != position.me.partner:
        return False
    partner = position.earlier[-2] if len(position.earlier) > 1 else None
    if partner is None or partner.record is not last or not last.artificial:
        return False
    suit = int(record.call.denomination)
    # Pass or correct: the bid promises no length, partner passes or names his real suit.
    return suit in _possible_suits(partner) and meaning.bounds.lengths[suit][0] < _SUPPORT


def _possible_suits(meaning: Meaning) -> frozenset[int]:
    """Return the suits of a call that shows one of several; empty for other calls."""
    if meaning.turn is None or meaning.headline is None or meaning.headline.main < 2:
        return frozenset()
    suits = set()
    for rule in meaning.headline.rules[: meaning.headline.main]:
        # A rule at a time: together the rules of a Multi show no suit at all.
        bounds = meaning.engine.bounds((*meaning.earlier, meaning.turn.made_by({rule.place})))
        long = (
            []
            if bounds is None
            else [i for i, (low, _) in enumerate(bounds.lengths) if low >= _LONG]
        )
        if len(long) == 1:
            suits.add(long[0])
    return frozenset(suits) if len(suits) > 1 else frozenset()


def _strength_of(meaning: Meaning) -> Strength | None:
    return None if meaning.headline is None else meaning.headline.strength


def _is_negative(meaning: Meaning) -> bool:
    """Return True if the most frequent hands of an answer to a strong opening are weak."""
    headline = meaning.headline
    if headline is None:
        return False
    numbers = [
        literal.at_least - 1
        for clause in headline.rules[0].instance.formula
        for literal in clause
        # An upper end of strength is a negative literal, "not 8+"; the bounds of the whole call
        # would be those of its rarest rule.
        if not literal.positive and unit_of(literal.terms)
    ]
    return bool(numbers) and min(numbers) <= _NEGATIVE


def _shown_by_answer(meaning: Meaning, position: TablePosition) -> _Act | None:
    """Return the name of an answer to a question about a thing in a suit: `stopper in hearts`."""
    # Partner's last call, whatever the opponents bid since: a question stays open over a double.
    asked = next((r for r in reversed(position.records) if r.seat == position.me.partner), None)
    if asked is None or asked.asks not in _SHOWN_IN_SUIT:
        return None
    call = meaning.record.call
    if not call.denomination.is_suit or position.is_suit_of(position.me, int(call.denomination)):
        return None
    word = f"{asked.asks} in {call.denomination.name.lower()}"
    return _Act(word, always=True)


def _is_fourth_suit(position: TablePosition, suit: int) -> bool:
    """Return True if a suit is the fourth one, after three natural bids without a fit."""
    me = position.me
    # In competition a bid of the last suit is natural: the artificial fourth suit is for silent
    # opponents.
    if position.has_acted(me.lho, me.rho) or not position.is_opening_side:
        return False
    bid = {
        seat: {r.natural_suit for r in position.records if r.seat == seat} - {None}
        for seat in (me, me.partner)
    }
    both = bid[me] | bid[me.partner]
    # A suit that both have bid is a fit, and the fourth suit has nothing to ask.
    return len(both) == len(SUITS) - 1 and suit not in both and not bid[me] & bid[me.partner]


def shown_by_place(meaning: Meaning, position: TablePosition, lengths: Lengths) -> Lengths:
    """Return the lengths of suits, C D H S, with the cards that a bid shows by its place.

    A suit that is bid naturally is one of four cards, or a raise on three of them; that holds
    where no rule says anything, too.

    Args:
        meaning: the meaning of the call.
        position: the auction before it.
        lengths: the ranges of its maker's suits, C D H S, by other evidence.
    """
    call = meaning.record.call
    if not call.is_bid or not call.denomination.is_suit or meaning.record.artificial:
        return lengths
    suit = int(call.denomination)
    if _is_theirs(position, suit) or _shows_control(meaning, position):
        return lengths
    # General rules raise on three cards and bid new suits on four, as everybody does.
    least = _SUPPORT if position.is_suit_of(position.me.partner, suit) else _NATURAL
    if position.is_suit_of(position.me, suit) and position.agreed_suit != suit:
        least = _LONG  # nobody repeats four cards
    shown = list(lengths)
    low, high = shown[suit]
    # Never above the upper end: other evidence may deny the fourth card.
    shown[suit] = (max(low, min(least, high)), high)
    clubs, diamonds, hearts, spades = shown
    return clubs, diamonds, hearts, spades


def _new_suit(meaning: Meaning, position: TablePosition, jump: int) -> _Act:
    """Return the name of a natural bid of a suit that is new to the player's side."""
    call, me = meaning.record.call, position.me
    game = call.level >= game_level(call.denomination)
    if position.is_opening_side:
        if position.opener is None:
            return _opening(meaning)
        if _is_positive(meaning, position):
            return _Act("positive", always=True)
        if position.opener == me and _is_reverse(position, call):
            return _Act("reverse", always=True)
        # Over interference jumps are preempts or fits, and a jump over one notrump is no jump
        # shift.
        quiet = not position.has_acted(me.lho, me.rho) and _has_bid_suit(position)
        if jump == 1 and not game and meaning.is_stated and quiet:
            forces = meaning.record.forcing is not Forcing.NO
            # The name is for the strong bid; jumps that invite are named by their rules.
            if not meaning.record.invitational:
                return _Act("jump shift", always=forces)
        if game and (jump or not meaning.is_stated):
            return _Act("to play")
        named = "new suit" if meaning.is_stated else f"shows {call.denomination.name.lower()}"
        if not position.has_acted(me):
            return _Act(named)
        others = (other for other in range(4) if other != int(call.denomination))
        if any(position.is_suit_of(me, other) for other in others):
            return _Act("second suit")
        return _Act(named)
    if position.answers_double and not position.has_acted(me):
        return _Act("answers the double")
    if game and (jump or not meaning.is_stated):
        return _Act("to play")
    if not position.has_acted(me, me.partner):
        texts = (instance.rule.text or "" for instance in _main(meaning))
        # Authors who write "weak jump" would have the word twice.
        weak = _is_weak(meaning) and not any(_SAYS_WEAK in text for text in texts)
        word = ("weak jump overcall" if weak else "jump overcall") if jump else "overcall"
        if position.is_balancing and not weak:
            word = f"balancing {word}"
        return _Act(word, always=True)
    return _Act(
        "new suit" if meaning.is_stated else f"competes in {call.denomination.name.lower()}"
    )


def _opening(meaning: Meaning) -> _Act:
    """Return the name of a natural opening bid of a suit."""
    call, headline = meaning.record.call, meaning.headline
    if call.level > 1 or headline is None:
        return _NOTHING
    suit = int(call.denomination)
    if suit >= _MAJORS or headline.lengths[suit][0] >= _NATURAL:
        return _Act(_OPENING)
    other_is_longer = Literal(tuple(sorted(((LENGTHS[suit], -1), (LENGTHS[1 - suit], 1)))), 1)
    if meaning.engine.possible(headline.turns, ((other_is_longer,),)):
        return _Act(_OPENING)
    return _Act(_LONGER_MINOR)


def _has_bid_suit(position: TablePosition) -> bool:
    """Return True if the maker's side has bid a suit naturally."""
    side = position.me.side
    return any(r.seat.side == side and r.natural_suit is not None for r in position.records)


def _is_positive(meaning: Meaning, position: TablePosition) -> bool:
    """Return True for a natural game-forcing answer to a strong artificial opening."""
    last, me = position.last_bid, position.me
    if last is None or last.seat != me.partner or position.has_acted(me):
        return False
    # A relay or question forces too, but it has answers and no positives.
    strong = last.artificial and last.forcing is not Forcing.NO and last.asks is None
    return strong and last.seat == position.opener and meaning.record.forcing is Forcing.GAME


def _is_weak(meaning: Meaning) -> bool:
    """Return True if the hands of a call are weaker than an opening bid."""
    strength = _strength_of(meaning)
    return strength is not None and strength.high is not None and strength.high <= _WEAK


def _is_reverse(position: TablePosition, call: Call) -> bool:
    """Return True for opener's second suit above two of the first, without a jump."""
    if position.agreed_suit is not None:
        return False
    mine = [record for record in position.records if record.seat == position.me]
    mine = [record for record in mine if record.call != Call.PASS]
    if len(mine) != 1 or mine[0].natural_suit is None or mine[0].call.level != 1:
        return False
    partner = next(
        (r for r in position.records if r.seat == position.me.partner and r.call.is_bid), None
    )
    # Over an artificial response at the two level, such as a game force, a higher suit shows no
    # extras.
    if partner is None or (partner.call.level > 1 and partner.natural_suit is None):
        return False
    return (
        call.level == mine[0].call.level + 1
        and int(call.denomination) > mine[0].natural_suit
        and (position.jump(call) == 0)
    )


def _has_two_suits(position: TablePosition, seat: Seat) -> bool:
    return sum(position.is_suit_of(seat, suit) for suit in range(len(SUITS))) > 1


def asking(question: str) -> str:
    """Return a question of the language as a term: `asks for aces`, `asks for a stopper`."""
    return f"asks for {asked_thing(question)}"


def asked_thing(question: str) -> str:
    """Return the thing that a question asks for, with its article: `aces`, `a stopper`."""
    # Names of questions are words of the language; two places once put "a" before each of them:
    # `asking for a strength`, `a ace`.
    words = question.replace("_", " ")
    if words.endswith("s") or words.rpartition(" ")[2] in UNCOUNTED:
        return words
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"


def _is_theirs(position: TablePosition, suit: int) -> bool:
    me = position.me
    if position.is_suit_of(me, suit) or position.is_suit_of(me.partner, suit):
        return False
    return any(position.is_suit_of(seat, suit) for seat in (me.lho, me.rho))
