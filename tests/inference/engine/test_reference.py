"""The gates of the engine and the encoded rules of the reference mean the same.

The reference (`reference/`) states calls and conditions as facts for rules that a grounder reads;
the engine builds gates. On random statements, and on positions of auctions, both must give the
same bounds, the same consistent sets of grounds and the same reasons.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import HAND_SIZE, Seat, Side, Vulnerability
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.known_cards import HONOURS
from bidwright.inference.engine.reasons import Claim, minimal_core
from bidwright.inference.engine.statements import Statement, Turn
from bidwright.inference.engine.workspace import HAND, MadeCall, Workspace
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.features import HCP, HONOUR_LETTERS, LENGTHS, POINTS, SUIT_LETTERS
from bidwright.kb.logic.formula import Formula
from bidwright.tests.inference.engine.reference.encoded_rules import Ground, Reference

Maker = Callable[[int], Any]
HAND_ENDS = (*HAND, "report")

AUCTIONS = (
    "1S P 3S P 4S P P P",
    "1H P 3H 4H P 4S P P P",
    "1NT P 2C P 2H P 4H P P P",
    "1D X 1H 1S 2H P P 2S P P P",
    "2C P 2D P 2NT P 3C P 3S P 4S P P P",
    "P P 1C 1H X 2H P P X P 2S P P P",
    "1S 2NT X 3C P P X P P P",
    "2S X P 3H P 4H P P P",
    "1C P 1S P 1NT P 2NT P 3NT P P P",
)


def ranges(bounds: Bounds) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the bounds of player `x` as the reference names them."""
    named = {
        "hcp": bounds.hcp,
        "points": bounds.points,
        "controls": bounds.controls,
        "aces": bounds.aces,
        "balanced": (0, 1) if bounds.balanced is None else (int(bounds.balanced),) * 2,
    }
    for letter, length in zip(SUIT_LETTERS, bounds.lengths, strict=True):
        named[f"len({letter})"] = length
    for card in HONOURS:
        suit, rank = divmod(card, HAND_SIZE)
        name = f"card({SUIT_LETTERS[suit]},{HONOUR_LETTERS[HAND_SIZE - 1 - rank]})"
        named[name] = (int(card in bounds.sure), int(card not in bounds.impossible))
    return {("x", name): interval for name, interval in named.items()}


def numbered(statements: Sequence[Statement], player: str = "x") -> dict[int, MadeCall]:
    return {place: (player, each) for place, each in enumerate(statements)}


class Twins:
    """The same calls and claims in the engine's program and in the reference's."""

    def __init__(
        self,
        workspace: Workspace,
        calls: Mapping[int, MadeCall],
        claims: Sequence[tuple[str, Formula]],
        encodings: Sequence[str] = HAND,
        base: str = "player(x).",
    ) -> None:
        """Build both."""
        self.workspace = workspace
        self.reference = Reference(calls, claims, encodings, base)
        self.goals: list[int] = []
        self.assumed: dict[Ground, int] = {}
        for player, claim in claims:
            assumed, goal = workspace.assumptions(calls, player, claim)
            self.goals.append(goal)
            self.assumed = {(each.place, each.index, each.clause): each.literal for each in assumed}
        assert self.assumed.keys() == self.reference.grounds.keys()

    def agree_on(self, grounds: Sequence[Ground], claim: int) -> None:
        """Check that both find a claim to follow from grounds, or both do not."""
        ours = [self.assumed[ground] for ground in grounds]
        theirs = [self.reference.grounds[ground] for ground in grounds]
        goal = self.reference.formulas[claim]
        theirs += [] if goal is None else [-goal]
        core = self.workspace.program.core([*ours, -self.goals[claim]])
        assert (core is None) == (self.reference.core(theirs) is None)

    def agree_on_reasons(self, claim: int) -> None:
        """Check that both give the same reason for a claim."""
        groups = [
            [ground for ground in self.assumed if (ground[2] is None) is unmade]
            for unmade in (False, True)
        ]
        goal = self.reference.formulas[claim]
        ours = minimal_core(
            self.workspace.program,
            [-self.goals[claim]],
            [[self.assumed[ground] for ground in group] for group in groups],
        )
        theirs = minimal_core(
            self.reference,
            [] if goal is None else [-goal],
            [[self.reference.grounds[ground] for ground in group] for group in groups],
        )
        if ours is None or theirs is None:
            assert ours is theirs
            return
        by_ours = {literal: ground for ground, literal in self.assumed.items()}
        by_theirs = {literal: ground for ground, literal in self.reference.grounds.items()}
        assert [by_ours[each] for each in ours] == [by_theirs[each] for each in theirs]


def claims_of(bounds: Bounds) -> list[Formula]:
    """Return that strength and lengths are within bounds, and one claim that does not follow."""
    found = [Claim(HCP, *bounds.hcp), Claim(POINTS, *bounds.points)]
    for index, (low, high) in zip(LENGTHS, bounds.lengths, strict=True):
        found += [Claim(index, at_least=low), Claim(index, at_most=high)]
    found.append(Claim(HCP, at_least=bounds.hcp[0] + 1))
    return [claim.formula for claim in found]


def check(turns: Sequence[Turn], engine: HandEngine, workspace: Workspace, seed: int) -> None:
    """Hold bounds, sets of grounds and reasons of a player's calls equal."""
    bounds = engine.bounds(turns)
    statements = [turn.statement for turn in turns]
    if not all(statements):
        assert bounds is None
        return
    calls = numbered(statements)
    reference = Reference(calls, (), HAND_ENDS)
    ends = reference.ends(list(reference.grounds.values()))
    assert ends == (None if bounds is None else ranges(bounds))
    if bounds is None:
        return
    claims = claims_of(bounds)
    twins = Twins(workspace, calls, [("x", claim) for claim in claims])
    choose = random.Random(seed)
    for place in range(len(claims)):
        twins.agree_on_reasons(place)
        grounds = [ground for ground in twins.assumed if choose.random() < 0.7]
        twins.agree_on(grounds, place)


@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.system) for seed in range(2, 5))]
)
def test_random_statements_mean_the_same(
    hand_engine: HandEngine, rule_maker: Maker, seed: int
) -> None:
    decision = rule_maker(400 + seed).decision(20, 6)
    workspace = Workspace(HAND_ENDS, "player(x).", 800)
    for call in sorted({instance.call for instance in decision.instances}):
        check([Turn(Seat.NORTH, call, decision.shown_steps(call))], hand_engine, workspace, seed)


@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.system), 1])
def test_random_statements_of_several_calls_mean_the_same(
    hand_engine: HandEngine, rule_maker: Maker, seed: int
) -> None:
    maker = rule_maker(450 + seed)
    workspace = Workspace(HAND_ENDS, "player(x).", 800)
    decisions = [maker.decision(10, 4) for _ in range(2)]
    calls = [sorted({each.call for each in decision.instances}) for decision in decisions]
    for first in calls[0]:
        for second in calls[1][:2]:
            turns = [
                Turn(Seat.NORTH, call, decision.shown_steps(call))
                for decision, call in zip(decisions, (first, second), strict=True)
            ]
            check(turns, hand_engine, workspace, seed)


@pytest.mark.parametrize("seed", range(2))
def test_random_statements_of_four_hands_mean_the_same(rule_maker: Maker, seed: int) -> None:
    maker = rule_maker(480 + seed)
    workspace = Workspace((*HAND, "deal", "report"), "", 3000)
    engine = HandEngine()
    calls: dict[int, MadeCall] = {}
    claims: list[tuple[str, Formula]] = []
    while len(calls) < 3:
        decision = maker.decision(8, 4)
        call = decision.instances[0].call
        turn = Turn(Seat.NORTH, call, decision.shown_steps(call))
        bounds = engine.bounds([turn])
        if bounds is not None:
            player = "nes"[len(calls)]
            calls[len(calls)] = (player, turn.statement)
            claims.append((player, Claim(HCP, at_most=bounds.hcp[1]).formula))
            claims.append((player, Claim(LENGTHS[0], at_most=bounds.lengths[0][1]).formula))
    twins = Twins(workspace, calls, claims, (*HAND, "deal"), "")
    for place in range(len(claims)):
        twins.agree_on_reasons(place)


@pytest.mark.parametrize(
    "text",
    [*AUCTIONS[:2], *(pytest.param(text, marks=pytest.mark.system) for text in AUCTIONS[2:])],
)
def test_positions_of_auctions_mean_the_same(hand_engine: HandEngine, text: str) -> None:
    rules = open_system("sayc")
    reader = Reader({Side.NS: rules, Side.EW: rules}, hand_engine)
    workspace = Workspace(HAND_ENDS, "player(x).", 3000)
    reading = reader.read(parse_auction(text, Seat.NORTH, Vulnerability.NONE))
    for seat in Seat:
        turns = reading.turns(seat)
        assert turns
        check(turns[:2], hand_engine, workspace, seat)
