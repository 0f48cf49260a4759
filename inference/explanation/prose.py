"""Explanations as text of several lines: auctions, choices, reasons, one player's view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.roles import role_of, whose_call
from bidwright.inference.explanation.call_text import flag_words, rule_text
from bidwright.inference.explanation.denials import (
    denial_texts,
    denied_hand,
    places_text,
    telling,
    would_have,
)
from bidwright.inference.explanation.in_short import Brief, picture_of
from bidwright.inference.explanation.model import (
    CallExplanation,
    ChoiceExplanation,
    Explanation,
    Reason,
)
from bidwright.inference.explanation.questions import ExplainedBound, NotMade
from bidwright.inference.explanation.shown import possible_text, shown_text, trimmed
from bidwright.inference.explanation.text_style import (
    PLAIN,
    TextStyle,
    auction_text,
    labelled,
    titled,
)
from bidwright.inference.reading.player_view import PlayerView
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.phrases import ANY
from bidwright.kb.wording.shares import LEAST_SHARE, often, percent
from bidwright.kb.wording.words import BoundFact, bounds_text, fact_text

_VULNERABLE = {
    Vulnerability.NONE: "nobody vulnerable",
    Vulnerability.NS: "North-South vulnerable",
    Vulnerability.EW: "East-West vulnerable",
    Vulnerability.BOTH: "both sides vulnerable",
}


Lines = Sequence[tuple[str, str]]
"""Labels and texts that stand below a call."""


def prose(
    explanation: Explanation,
    style: TextStyle = PLAIN,
    *,
    full: bool = False,
    below: Mapping[int, Lines] | None = None,
) -> str:
    """Return an explained auction as text for people.

    Args:
        explanation: the auction.
        style: how it is written.
        full: whether to add rules, sources and alternatives, a paragraph for each call.
        below: further lines below calls, by their places in the auction: such calls are
            never left out.
    """
    below = below or {}
    auction = explanation.auction
    dealer = auction.dealer.name.capitalize()
    titles = dict(explanation.titles)
    systems = " / ".join(f"{side.name} {title}" for side, title in titles.items())
    # Two sides that play one system are the usual case; "NS SAYC / EW SAYC" was read as a
    # difference.
    if len(set(titles.values())) == 1:
        systems = f"both sides {next(iter(titles.values()))}"
    head = [
        style.strong(auction_text(auction, style) or "no calls"),
        f"dealer {dealer}, {_VULNERABLE[auction.vulnerability]}; {systems}",
    ]
    calls = explanation.calls
    if full:
        parts = ["\n".join(head), *(full_call_prose(call, auction, style) for call in calls)]
        parts[1:] = [_with_lines(text, below.get(i, ()), style) for i, text in enumerate(parts[1:])]
        return style.painted("\n\n".join(parts))
    last = _last_words(explanation, below)
    lines = [*head, ""]
    for place, call in enumerate(calls[:last]):
        text = call_prose(call, auction, style)
        lines.append(_with_lines(text, below.get(place, ()), style))
    lines += ["all pass"] if last < len(calls) else []
    return style.painted("\n".join(lines).rstrip())


def _with_lines(text: str, lines: Lines, style: TextStyle) -> str:
    return "\n".join([text, *(line for each in lines for line in labelled(*each, style))])


def _last_words(explanation: Explanation, below: Mapping[int, Lines]) -> int:
    """Return the number of calls before the closing passes that say nothing."""
    place = len(explanation.calls)
    if not explanation.auction.is_over:
        return place
    # Three passes that say nothing are one line; a pass with a remark below it, such as a finding
    # of the desk, keeps its own.
    while place and place - 1 not in below and explanation.calls[place - 1].brief.is_last_word:
        place -= 1
    return place


def call_prose(call: CallExplanation, auction: Auction, style: TextStyle = PLAIN) -> str:
    """Return the meaning of a call: a line, its denials if they matter, and all that is shown."""
    title = f"{call.record.seat} {style.call(call.record.call)}"
    lines = titled(title, "" if call.brief.is_empty else call.brief.summary(style), style)
    for label, text in call.brief.listed():
        lines += labelled(label, text, style)
    for label, text in _more_lines(call, auction, style):
        lines += labelled(label, text, style)
    return "\n".join(lines)


def _more_lines(
    call: CallExplanation, auction: Auction, style: TextStyle
) -> Iterator[tuple[str, str]]:
    # The short text speaks up only where a call cannot be believed even with judgement. What single
    # firm rules contradict is in the full text: see `_conflict` there.
    if call.contradicts and call.conflict:
        yield "conflict", _conflict(call, auction, style, call.contradicts)
    if _is_idle(call):
        yield "conflict", _IDLE
    for text in denial_texts(telling(call), style):
        yield "denies", text
    for phrase in call.typical:
        yield "usually", text_of(phrase, style.suits)
    # `undiscussed` silences the agreement, not the general rules: the hand was still bid by them.
    if call.undiscussed and call.shown != call.before:
        yield "general", bounds_text(trimmed(call.shown), style.suits)
    if shown := shown_text(call, style):
        yield "shown", shown


def full_call_prose(call: CallExplanation, auction: Auction, style: TextStyle = PLAIN) -> str:
    """Return the meaning of a call with rules, sources and alternatives, a paragraph."""
    head = call.brief.meaning(style)
    if call.context:
        head = f"{head} ({', '.join(call.context)})".strip()
    lines = titled(f"{call.record.seat} {style.call(call.record.call)}", head, style)
    for label, text in call_lines(call, auction, style):
        lines += labelled(label, text, style)
    return "\n".join(lines)


_READ = {
    "latitude": "read with all the latitude that the rules give",
    "denials": "read without what the call denies",
    "promises": "read without what the call promises",
}
"""Remarks on the reading of a call that contradicts others, by what was dropped."""


_IDLE = f"rules that come first take every hand for it; {_READ['denials']}"
"""Said of a call that nobody makes by the rules, though it contradicts no other call."""


def _is_idle(call: CallExplanation) -> bool:
    return call.agreed and call.relaxed == "denials" and not call.conflict


def _conflict(call: CallExplanation, auction: Auction, style: TextStyle, relaxed: str) -> str:
    others = " and ".join(
        whose_call(auction, place, style.call(auction.calls[place])) for place in call.conflict
    )
    return f"contradicts {others}; {_READ[relaxed]}"


def call_lines(
    call: CallExplanation, auction: Auction, style: TextStyle = PLAIN
) -> Iterator[tuple[str, str]]:
    """Yield the lines below a call in full: labels and texts."""
    if call.conflict:
        yield "conflict", _conflict(call, auction, style, call.relaxed)
    if _is_idle(call):
        yield "conflict", _IDLE
    if not call.known:
        yield "unknown", f"no rule of {call.system} makes this call here"
    if call.undiscussed:
        yield "because", f"it is undiscussed, so general rules bid it ({call.undiscussed})"
    if not call.agreed:
        yield from _sensible(call, style)
        yield "possible", bounds_text(call.possible, style.suits)
    else:
        yield from _agreed_lines(call, style)


def _agreed_lines(call: CallExplanation, style: TextStyle) -> Iterator[tuple[str, str]]:
    """Yield the meaning of a call by agreement, and its actions."""
    yield from _promises(call, style)
    for text in denial_texts(call.denied, style, sources=True):
        yield "denies", text
    for phrase in call.typical:
        yield "usually", text_of(phrase, style.suits)
    if flags := flag_words(call, style.suits):
        yield "it is", ", ".join(flags)
    if call.alert is not None:
        yield "alert", call.alert or call.brief.alert()
    if call.announce is not None:
        yield "announce", f'"{call.announce}"' if call.announce else call.brief.alert()
    if call.kinds:
        yield "that is", ", ".join(call.kinds)
    if shown := call.brief.together.text(style):
        yield "shown", shown
    yield "possible", possible_text(call, style)


def _sensible(call: CallExplanation, style: TextStyle) -> Iterator[tuple[str, str]]:
    """Yield the rules and actions of a call without an agreement, as labels and texts."""
    for label, rule in zip(["by", *["or"] * len(call.rules)], call.rules, strict=False):
        yield label, f"{rule.text} ({rule.place})" if rule.text else rule.place
    if flags := flag_words(call, style.suits):
        yield "it is", ", ".join(flags)


def _promises(call: CallExplanation, style: TextStyle) -> Iterator[tuple[str, str]]:
    listed = [rule for rule in call.rules if not rule.extra]
    # `may` rules say what a player is free to do. They come last, but are all there is where no
    # firm rule makes the call.
    main = [rule for rule in listed if not rule.optional] or listed
    optional = [rule for rule in listed if rule not in main]
    if len(listed) == 1:
        # A rule without a condition takes whatever the rules before it leave, so its promise is
        # nothing.
        if listed[0].needs == ANY:
            yield "by", f"any hand that no other rule takes ({listed[0].place})"
        else:
            yield "promises", rule_text(listed[0], style)
        return
    facts = ", ".join(fact_text(fact, style.suits) for fact in call.promised)
    if facts:
        yield "promises", facts
    shares = {id(rule): share for rule, share in call.shares}
    main = sorted(main, key=lambda rule: -shares.get(id(rule), 0.0))
    for label, rule in zip(["by", *["or"] * len(main)], main, strict=False):
        yield label, _often(shares.get(id(rule))) + rule_text(rule, style, titled=True)
    for rule in optional:
        yield "or maybe", _often(shares.get(id(rule))) + rule_text(rule, style, titled=True)


def _often(share: float | None) -> str:
    """Return the share of calls that a rule makes: `93 % `; nothing where that is not known."""
    if share is None:
        return ""
    # A reader of all rules wants to know how rare: three trumps for Jacoby, or a psychic bid.
    return f"{often(share)} " if share >= LEAST_SHARE else f"rarely ({percent(share)}) "


_MOST_REJECTED = 12


def choice_prose(choice: ChoiceExplanation, style: TextStyle = PLAIN) -> str:
    """Return the call of a hand and its reasons, as text for people."""
    chosen = choice.shows.record
    title = f"{chosen.seat} {style.call(chosen.call)}"
    rule = choice.rule
    head = (rule.text or "") if rule else "no rule fits the hand"
    lines = titled(title, head, style)
    if rule is not None:
        lines += labelled("because", rule_text(rule, style), style)
    listed = choice.rejected[:_MOST_REJECTED]
    for rejected in listed:
        call = style.call(rejected.rule.call)
        name = f"{call} ({rejected.rule.text})" if rejected.rule.text else call
        text = f"{name}: needs {text_of(rejected.unmet, style.suits)} ({rejected.rule.place})"
        lines += labelled("not", text, style)
    if len(choice.rejected) > len(listed):
        more = len(choice.rejected) - len(listed)
        lines += labelled("", f"and {more} more rules; --json lists them", style)
    for label, text in call_lines(choice.shows, choice.auction.with_call(chosen.call), style):
        # The rule that chose the call stands above under "because": the promises would repeat it.
        if label not in ("promises", "by", "or", "or maybe"):
            lines += labelled("will show" if label == "shown" else label, text, style)
    return "\n".join(lines)


def bounds_prose(
    seat: Seat, about: str, answers: Sequence[ExplainedBound], style: TextStyle = PLAIN
) -> str:
    """Return the bounds of a hand with their reasons, as text for people.

    Args:
        seat: the hand.
        about: `hcp`, `points`, `balanced` or a suit such as `spades`.
        answers: the bounds, the lower one first; empty if nothing was shown.
        style: how suits and calls are written.
    """
    name = seat.name.capitalize()
    if not answers:
        topic = "HCP" if about == "hcp" else about
        return f"{name} has shown nothing about {topic}."
    lines: list[str] = []
    for answer in answers:
        text = fact_text(answer.fact, style.suits)
        if answer.usual is not None:
            text = f"usually {fact_text(answer.usual, style.suits)}; by every rule {text}"
        lines.append(style.strong(f"{name}: {text}"))
        lines += [
            line
            for label, text in reason_lines(answer.fact, answer.reasons, style)
            for line in labelled(label, text, style)
        ]
    return "\n".join(lines)


def reason_lines(
    fact: BoundFact, reasons: Sequence[Reason], style: TextStyle = PLAIN
) -> Iterator[tuple[str, str]]:
    """Yield the grounds of a fact: labels and texts."""
    for reason in reasons:
        if reason.promised and reason.part is not None:
            where = places_text(reason.rules)
            yield (
                "promised",
                f"{style.call(reason.call)}: {text_of(reason.part, style.suits)} ({where})",
            )
    unmade = [reason for reason in reasons if not reason.promised]
    if unmade:
        yield "denied", f"{denied_hand(fact, style)} ({would_have(unmade, style, sources=True)})"


def not_made_prose(
    auction: Auction,
    call: Call,
    answers: Sequence[NotMade],
    style: TextStyle = PLAIN,
    *,
    beside: Sequence[tuple[Call, Brief]] = (),
) -> str:
    """Return the rules for a call that was not made in place of an auction's last, as text.

    Args:
        auction: the auction.
        call: the call that was not made.
        answers: the rules for it.
        style: how suits and calls are written.
        beside: the call made and the other one in short, to stand above the rules.
    """
    if not answers:
        return f"No rule bids {style.call(call)} here."
    role = role_of(auction, auction.turn.rho)
    chosen = style.call(auction.calls[-1])
    head = f"{role[0].upper()}{role[1:]} chose {chosen} and not {style.call(call)}"
    lines = [style.strong(head)]
    for other, brief in beside:
        lines += labelled(style.call(other), brief.meaning(style), style)
    lines += labelled("", f"The rules for {style.call(call)}:", style) if beside else []
    for answer in answers:
        lines += labelled(style.call(call), rule_text(answer.rule, style, titled=True), style)
        lines += labelled("", _STANDING[answer.standing], style)
        if answer.standing == "first":
            continue  # the rule comes first and was not used: there is no further reason
        for reason in answer.reasons or ():
            text = (
                f"{style.call(reason.call)} promises {text_of(reason.part, style.suits)}"
                if reason.part is not None
                else f"{style.call(reason.call)} was not made"
            )
            lines += labelled("excluded", f"{text} ({places_text(reason.rules)})", style)
    return "\n".join(lines)


_STANDING = {
    "first": "preferred to the call made, so the hand does not fit it",
    "optional": "a may rule: not using it denies nothing",
    "later": "the call made is preferred, so the hand may fit it",
}


def view_prose(view: PlayerView, style: TextStyle = PLAIN) -> str:
    """Return a player's knowledge of the other hands, as text for people."""
    auction = view.reading.auction
    lines = [style.strong(f"What {view.seat.name.capitalize()} knows")]
    for seat in Seat:
        if seat != view.seat:
            text = _known_text(view, seat, style)
            lines += labelled(seat.name.capitalize(), text, style)
    for place in view.relaxed:
        text = whose_call(auction, place, style.call(auction.calls[place]))
        lines += labelled("ignoring", f"{text}: the cards contradict it", style)
    return "\n".join(lines)


def _known_text(view: PlayerView, seat: Seat, style: TextStyle) -> str:
    """Return the knowledge of a hand, without cards that are known to be elsewhere."""
    hand = view.hands.get(seat)
    if hand is not None:
        return str(hand)
    meanings = view.reading.meanings
    last = next((each for each in reversed(meanings) if each.record.seat == seat), None)
    picture = "" if last is None else picture_of(last).text(style)
    bounds = view.known(seat)
    # A card that somebody else holds is no news about this hand; without this each hand would list
    # the thirteen cards of the viewer.
    elsewhere = view.seen.union(*(view.known(other).sure for other in Seat))
    exact = bounds_text(replace(bounds, impossible=bounds.impossible - elsewhere), style.suits)
    return f"{picture}; exactly: {exact}" if picture and picture != exact else exact
