"""A change of the rules touches the auctions it can change, and no line is kept that it may."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from bidwright.bench.four_hands import changes
from bidwright.bench.four_hands.bidding import bid_board
from bidwright.bench.four_hands.changes import Change, change_of, code_fingerprint
from bidwright.bench.four_hands.results import auction_of
from bidwright.bench.four_hands.states import packed, unpacked
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Side
from bidwright.inference.reading.reader import Reader
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.tests.bench.four_hands.small import SYSTEM, compiled, some_boards

RANGE = ("2M M 3+, hcp 6..9", "2M M 3+, hcp 6..10")
NEW = ("  2C hcp 10+; forcing", "  2C hcp 10+; forcing\n  1NT hcp 6..9")
GONE = ('  2C "Stayman" hcp 8+, spades 4 or hearts 4; artificial, forcing\n', "")
MOVED = (
    "  1S spades 5+, hcp 12..21\n  1H hearts 5+, hcp 12..21\n",
    "  1H hearts 5+, hcp 12..21\n  1S spades 5+, hcp 12..21\n",
)
ANYWHERE = ('pass "enough" hcp ..11', 'pass "enough" hcp ..10')
SLAM = ("6NT hcp 34+", "6NT hcp 33+")
LEVEL = ("4NT contract_level 2, hcp 30+", "4NT contract_level 2, hcp 10+")
REBASED = ("rebase 1NT (X) -> 1NT (P)\n", "")
WORDS = ('1NT "strong"', '1NT "strong notrump"')
CHANGES = (RANGE, NEW, GONE, MOVED, ANYWHERE, SLAM, LEVEL, REBASED, WORDS)


def versions(folder: Path, change: tuple[str, str]) -> tuple[RuleBase, RuleBase]:
    """Return the small system and a changed one."""
    assert SYSTEM.count(change[0]) == 1
    return compiled(folder), compiled(folder, SYSTEM.replace(*change))


def touches(change: Change, earlier: RuleBase, auction: str) -> bool:
    """Return True if a change touches an auction, read by the earlier version."""
    reading = Reader({Side.NS: earlier, Side.EW: earlier}).read(parse_auction(auction))
    return change.touches(reading.auction, lambda: unpacked(packed(reading), reading.auction))


@pytest.mark.parametrize(
    ("change", "auction", "touched"),
    [
        (RANGE, "1S P 2S AP", True),
        (RANGE, "P P 1H P P P", True),
        (RANGE, "1NT P P P", False),
        (RANGE, "1S 2D P P P", False),
        (NEW, "1S P 2S AP", True),
        (NEW, "1NT P 2C AP", False),
        (GONE, "1NT P 3NT AP", True),
        (GONE, "1NT X P P P", True),
        (GONE, "1S P 3S AP", False),
        (MOVED, "1NT P P P", True),
        (MOVED, "P P P P", True),
        (ANYWHERE, "1NT P 3NT AP", True),
        (SLAM, "1NT P P P", True),
        (SLAM, "P P P 1C P P P", False),
        (SLAM, "P P P P", False),
        (LEVEL, "1NT P 2C AP", True),
        (LEVEL, "1S P 3S AP", False),
        (REBASED, "1NT X P P P", True),
        (REBASED, "1NT P P P", False),
        (WORDS, "1NT P P P", False),
    ],
)
def test_an_auction_is_touched_where_a_changed_rule_applies(
    tmp_path: Path, change: tuple[str, str], auction: str, touched: bool
) -> None:
    earlier, later = versions(tmp_path, change)
    assert touches(change_of(earlier, later), earlier, auction) is touched


def test_nothing_is_touched_by_the_same_rules(tmp_path: Path) -> None:
    found = change_of(compiled(tmp_path), compiled(tmp_path, "# a comment\n" + SYSTEM))
    assert [version.rules for version in found.versions] == [(), ()]
    assert (found.rebases, found.names) == ((), {})
    assert not found.touches(parse_auction("1S P 2S AP"), tuple)


def test_without_public_states_a_rule_that_matches_touches(tmp_path: Path) -> None:
    found = change_of(*versions(tmp_path, SLAM))
    assert found.touches(parse_auction("P P P P"), tuple)
    raised = change_of(*versions(tmp_path, RANGE))
    assert raised.touches(parse_auction("1S P 2S AP"), tuple)
    assert not raised.touches(parse_auction("1NT P P P"), tuple)


def test_a_rule_that_takes_another_name_is_followed(tmp_path: Path) -> None:
    text = SYSTEM.replace('  1NT "strong"', '  1NT hcp 25..27, balanced\n  1NT "strong"')
    found = change_of(compiled(tmp_path), compiled(tmp_path, text))
    assert found.names == {"opening.1NT": "opening.1NT#2"}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_not_touched_is_bid_the_same(tmp_path: Path, change: tuple[str, str]) -> None:
    earlier, later = versions(tmp_path, change)
    found = change_of(earlier, later)
    readers = [Reader({Side.NS: each, Side.EW: each}) for each in (earlier, later)]
    kept = 0
    for board in some_boards(tmp_path, 40, seed=5):
        before, after = (bid_board(reader, board) for reader in readers)
        states = partial(unpacked, before["states"], auction_of(before, board))
        if not found.touches(auction_of(before, board), states):
            names = [found.names.get(name, name) for name in before["by"]]
            assert {**before, "by": names} == after
            kept += 1
    assert (kept > 0) is (change not in (MOVED, ANYWHERE))


def test_code_that_changes_has_another_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "files", lambda package: tmp_path)
    monkeypatch.setattr(changes, "_CODE", ("part", "one.py"))
    (tmp_path / "part").mkdir()
    for name in ("one.py", "part/grammar.lark", "part/notes.md"):
        (tmp_path / name).write_text("as it was")
    found = code_fingerprint()
    for name, is_code in (("part/notes.md", False), ("part/grammar.lark", True), ("one.py", True)):
        (tmp_path / name).write_text("otherwise")
        assert (code_fingerprint() != found) is is_code
        found = code_fingerprint()


EVERYTHING = """system told "All that a call may tell"

opening
  2D "Multi"; artificial, forcing to 2NT
    either weak(M): "weak two" M 6, hcp 5..10
  1S spades 5+, hcp 12+
  pass

after 2D (P)
  2NT "asks" hcp 15+; asks feature
  pass

after 1S (P)
  4NT "keycards" hcp 15+; artificial, forcing, asks keycards in S, agrees S

after 1S (P) 4NT (P)
  5C hcp 12+; artificial, answers keycards
"""


@pytest.mark.parametrize(
    ("system", "auction"),
    [(SYSTEM, "P 1NT P 2C P"), (EVERYTHING, "2D P 2NT P P"), (EVERYTHING, "1S P 4NT P 5C P P")],
)
def test_public_states_come_back_as_they_were(tmp_path: Path, system: str, auction: str) -> None:
    rules = compiled(tmp_path, system)
    reader = Reader({Side.NS: rules, Side.EW: rules})
    reading = reader.read(parse_auction(auction))
    states = list(unpacked(packed(reading), reading.auction))
    assert [state.auction.calls for state in states] == [
        reading.auction.calls[:length] for length in range(len(reading.meanings))
    ]
    step = reader.start(reading.auction.dealer, reading.auction.vulnerability)
    for call, state in zip(reading.auction.calls, states, strict=True):
        assert step.state == state
        step = step.with_call(call)
