"""Scripts of the program `dealer`: the hands of a position or of a rule, in its language.

Every feature of a hand that rules count can be written there, so a script deals exactly the hands
that the rules bid; teachers' tools read such scripts.
"""

from __future__ import annotations

import re

from bidwright.authoring.hands.dealing import Spot
from bidwright.authoring.hands.positions import setting_text
from bidwright.authoring.hands.proofs import HandsAt
from bidwright.bridge.cards import SUIT_WORDS, Seat
from bidwright.inference.engine.statements import Statement
from bidwright.kb.logic.features import FEATURES
from bidwright.kb.logic.formula import Formula, Literal

SEATS = ("north", "east", "south", "west")
"""The seats as `dealer` names them, in seat order."""
_VULNERABLE = {"none": "none", "ns": "NS", "ew": "EW", "both": "all"}
# Conditions on four hands may fit one deal in a million, and `dealer` stops after so many.
_GENERATED = 10_000_000


def dealer_script(spot: Spot, count: int, seed: int) -> str:
    """Return a script that deals boards with a position's auction and the hands asked for.

    Args:
        spot: the position, or a rule at it.
        count: the number of deals.
        seed: the seed, which `dealer` takes on its command line.
    """
    me = spot.hands.seat
    turns = {
        meaning.record.seat: HandsAt(spot.reading, meaning.record.seat).turns
        for meaning in spot.reading.meanings
    }
    turns[me] = (*spot.hands.turns, *spot.question.turns(me))
    parts = [
        in_dealer(turn.statement, seat)
        # The condition of the player to call first: it rejects most deals, and `dealer` stops at a
        # false part.
        for seat in sorted(turns, key=lambda seat: seat != me)
        for turn in turns[seat]
    ]
    definitions, condition = with_named_shapes("\n  && ".join(parts) or "1")
    auction = spot.auction
    lines = [
        f"# {spot}".replace("\n", " "),
        f"# {setting_text(auction)}; run by: dealer -s {seed} FILE",
        f"dealer {SEATS[auction.dealer]}",
        f"vulnerable {_VULNERABLE[auction.vulnerability.word]}",
        f"generate {_GENERATED}",
        f"produce {count}",
        *definitions,
        "condition",
        f"  {condition}",
        "action printpbn",
    ]
    return "\n".join(lines) + "\n"


def with_named_shapes(condition: str) -> tuple[list[str], str]:
    """Return definitions of the shapes in a condition, and the condition with their names.

    `dealer` holds 32 shapes at most, so each is written once.
    """
    # The same shape comes up for several rules, and counts against the limit each time it is
    # written.
    shapes = dict.fromkeys(re.findall(r"shape\([^)]*\)", condition))
    named = {shape: f"shape_{number}" for number, shape in enumerate(shapes)}
    text = re.sub(r"shape\([^)]*\)", lambda shape: named[shape[0]], condition)
    return [f"{name} = {shape}" for shape, name in named.items()], text


def in_dealer(statement: Statement, seat: Seat) -> str:
    """Return the meaning of a call as an expression of `dealer`."""
    alternatives, denied = [], []
    for alternative in statement:
        # What an earlier alternative takes is denied to the later ones, so the denials pile up.
        denied += [f"!{_formula(rival, seat)}" for _, rival in alternative.rivals]
        alternatives.append(f"({' && '.join([_formula(alternative.formula, seat), *denied])})")
    return f"({' || '.join(alternatives)})"


def _formula(formula: Formula, seat: Seat) -> str:
    clauses = (
        "(" + " || ".join(_literal(literal, seat) for literal in clause) + ")" for clause in formula
    )
    return f"({' && '.join(clauses) or '1'})"


def _literal(literal: Literal, seat: Seat) -> str:
    plus = [_times(weight, index, seat) for index, weight in literal.terms if weight > 0]
    minus = [_times(-weight, index, seat) for index, weight in literal.terms if weight < 0]
    # All terms stand on the side where they are positive: `dealer` has no negative numbers.
    if literal.at_least < 0:
        plus.append(str(-literal.at_least))
    else:
        minus.append(str(literal.at_least))
    sign = ">=" if literal.positive else "<"
    return f"{'+'.join(plus) or '0'}{sign}{'+'.join(minus) or '0'}"


def _times(weight: int, index: int, seat: Seat) -> str:
    feature = _feature(FEATURES[index], SEATS[seat])
    return feature if weight == 1 else f"{weight}*{feature}"


def _feature(name: str, seat: str) -> str:
    """Return a feature of a hand as `dealer` counts it."""
    kind, _, arguments = name.rstrip(")").partition("(")
    if kind == "hcp":
        return f"hcp({seat})"
    if kind == "points":
        return f"(hcp({seat})+" + "+".join(_feature(f"over4({s})", seat) for s in "cdhs") + ")"
    if kind in ("balanced", "semibalanced"):
        # `any` covers all orders of the suits.
        more = " + any 5422 + any 6322" if kind == "semibalanced" else ""
        return f"shape({seat}, any 4333 + any 4432 + any 5332{more})"
    if kind == "pattern":
        lengths = arguments.split(",")
        # A pattern with a suit of ten cards or more cannot be written in four digits.
        return "0" if len(lengths[0]) > 1 else f"shape({seat}, any {''.join(lengths)})"
    suit = SUIT_WORDS["cdhs".index(arguments[0])]
    length = f"{suit}({seat})"
    ace, king, queen, jack = (f"hascard({seat},{rank}{suit[0].upper()})" for rank in "AKQJ")
    forms = {
        "len": length,
        "card": f"hascard({seat},{arguments[-1].upper()}{suit[0].upper()})",
        "losers": f"loser({seat},{suit})",
        # A quick trick counts 2: AK 4, AQ 3, A or KQ 2, Kx 1.
        "quick": f"(2*{ace}+{ace}*{king}+{king}*({length}>=2)+({ace}||{king})*{queen}"
        f"-{ace}*{king}*{queen})",
        "short531": f"({length}==0?5:{length}==1?3:{length}==2?1:0)",
        "short321": f"({length}==0?3:{length}==1?2:{length}==2?1:0)",
        "over4": f"({length}>4?{length}-4:0)",
        "void": f"({length}==0)",
        "singleton": f"({length}==1)",
        "doubleton": f"({length}==2)",
        # Written like the rules' stopper: ace, guarded king, third queen, fourth jack.
        "stopper": f"({ace}||{king}&&{length}>=2||{queen}&&{length}>=3||{jack}&&{length}>=4)",
        "half_stopper": f"({king}||{queen}&&{length}>=2||{jack}&&{length}>=3)",
    }
    return forms[kind]
