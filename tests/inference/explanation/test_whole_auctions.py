"""Whole auctions as people read them: each text was read aloud and judged when it was kept.

`REWRITE_GOLDEN=1` writes them anew after a change of the system or of the words; read the diff.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.typed_auction import read_typed
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.prose import prose
from bidwright.inference.explanation.terms import FILLERS
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system

GOLDEN = Path(__file__).parents[2] / "golden" / "auctions"
SAYC = open_system("sayc")
EXPLAINER = Explainer(Reader({Side.NS: SAYC, Side.EW: SAYC}))

AUCTIONS = {
    "stayman_hearts": "1NT P 2C P 2H P 4H P P P",
    "stayman_none": "1NT P 2C P 2D P 3NT P P P",
    "stayman_spades_invited": "1NT P 2C P 2S P 2NT P 3NT P P P",
    "transfer_choice": "1NT P 2H P 2S P 3NT P 4S P P P",
    "transfer_superaccept": "1NT P 2D P 3H P 4H P P P",
    "transfer_second_suit": "1NT P 2H P 2S P 3C P 3NT P P P",
    "notrump_invitation": "1NT P 2NT P P P",
    "notrump_gerber": "1NT P 4C P 4S P 6NT P P P",
    "notrump_quantitative": "1NT P 4NT P 6NT P P P",
    "notrump_overcalled": "1NT (2S) 3C (P) 3NT P P P",
    "notrump_doubled": "1NT (X) 2H (P) P (P)",
    "two_notrump_stayman": "2NT P 3C P 3H P 4H P P P",
    "two_clubs_hearts": "2C P 2D P 2H P 3H P 4NT P 5C P 6H P P P",
    "two_clubs_notrump": "2C P 2D P 2NT P 3NT P P P",
    "raise_to_two": "1S P 2S P P P",
    "raise_and_game_try": "1S P 2S P 3D P 4S P P P",
    "limit_raise_declined": "1H P 3H P P P",
    "limit_raise_accepted": "1S P 3S P 4S P P P",
    "jacoby_shortage": "1S P 2NT P 3C P 4S P P P",
    "blackwood": "1S P 3S P 4NT P 5H P 6S P P P",
    "weak_freak_raise": "1H P 4H P P P",
    "one_notrump_response": "1S P 1NT P 2D P 2S P P P",
    "two_over_one": "1S P 2H P 3H P 4H P P P",
    "fourth_suit": "1D P 1H P 1S P 2C P 2NT P 3NT P P P",
    "reverse": "1D P 1S P 2H P 2S P 4S P P P",
    "jump_shift_by_opener": "1H P 1S P 3D P 3H P 4H P P P",
    "jump_rebid": "1H P 1S P 3H P 4H P P P",
    "minor_raise": "1D P 3D P 3NT P P P",
    "up_the_line": "1C P 1D P 1H P 1S P 2S P 4S P P P",
    "notrump_rebid": "1C P 1H P 1NT P 2H P P P",
    "strong_jump_rebid_notrump": "1D P 1H P 2NT P 3NT P P P",
    "preempt_raised": "3H P 4H P P P",
    "weak_two_feature": "2H P 2NT P 3D P 4H P P P",
    "weak_two_raised": "2S P 4S P P P",
    "weak_two_doubled": "2S (X) P (3H) P (4H) P P P",
    "preempt_doubled": "3D (X) P (3S) P (4S) P P P",
    "overcall_and_raise": "1D (1S) 2D (2S) 3D P P P",
    "overcall_cue_bid": "1C (1H) P (2C) P (2H) P P P",
    "overcall_two_level": "1S (2D) 2S (3D) P P P",
    "negative_double": "1C (1S) X (P) 2H (P) P P",
    "negative_double_game": "1D (1S) X (P) 4H (P) P P",
    "takeout_double": "1H (X) P (1S) P (2S) P P P",
    "takeout_and_redouble": "1S (X) XX (2C) X P P P",
    "takeout_strong": "1D (X) P (1H) P (1NT) P P P",
    "michaels": "1H (2H) 4H (4S) P P X P P P",
    "unusual_notrump": "1S (2NT) 3S (4C) 4S P P P",
    "weak_jump_overcall": "1D (2H) 2S (P) 3S (P) 4S P P P",
    "notrump_overcall": "1H (1NT) P (2C) P (2S) P (3NT) P P P",
    "balancing": "1S P P (X) P (2C) P P P",
    "balancing_notrump": "1H P P (1NT) P P P",
    "jordan": "1H (X) 2NT (P) 4H P P P",
    "responsive_position": "1D (X) 2D (2S) P P P",
    "penalty_double": "1NT (2H) X P P P",
    "third_seat": "P P 1S P 2S P P P",
    "passed_out": "P P P P",
    "psychic_looking": "P P 1C P 3NT P P P",
    "no_agreement": "1C (3H) 7C",
    "slam_double": "1S P 3S P 4NT P 5D P 6S (X) P P P",
    "sacrifice": "1H (1S) 4H (4S) P P 5H P P P",
    "game_forced_cue": "1S P 2NT P 4S P 4NT P 5C P 5S P P P",
}
VULNERABLE = {"third_seat": Vulnerability.EW, "sacrifice": Vulnerability.NS}
DEALERS = {"third_seat": Seat.WEST, "balancing": Seat.EAST}


def text_of(name: str) -> str:
    vulnerability = VULNERABLE.get(name, Vulnerability.NONE)
    typed = read_typed(AUCTIONS[name], DEALERS.get(name, Seat.NORTH), vulnerability)
    return prose(EXPLAINER.explain(typed.auction)) + "\n"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.system] if place % 4 else [])
        for place, name in enumerate(AUCTIONS)
    ],
)
def test_an_auction_reads_as_it_was_judged(name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    text = text_of(name)
    if os.environ.get("REWRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_there_are_sixty_and_none_is_left_over() -> None:
    assert len(AUCTIONS) == 60
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(AUCTIONS)


WORDS_TO_AVOID = [
    r"\bit\b",
    r"\.bid:",
    r"the deck",
    r"at most (2[0-9]|3[0-9]) HCP",
    r"_",
    r"any hand",
    *(rf"(: |; |, ){re.escape(filler)}([,;]|$)" for filler in sorted(FILLERS)),
]


@pytest.mark.parametrize("name", AUCTIONS)
def test_no_auction_has_words_that_players_do_not_use(name: str) -> None:
    text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    body = "\n".join(text.splitlines()[2:])
    assert not [word for word in WORDS_TO_AVOID if re.search(word, body)]
