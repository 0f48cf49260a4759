"""Scripts of the program `dealer`: what they deal is bid as the rule says."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from bidwright.authoring.hands.dealer_script import dealer_script, with_named_shapes
from bidwright.authoring.hands.dealing import spot_of
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.deal import Deal
from bidwright.bridge.pbn import read_pbn
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.player import choose
from bidwright.kb.loading.compiled import open_system

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
_PROGRAM = shutil.which("dealer") or shutil.which("/usr/games/dealer")


def test_a_script_has_dealer_vulnerability_and_named_shapes() -> None:
    rules = open_system(MINI)
    spot = spot_of(rules, reader_for(rules), "opening.1NT", None)
    text = dealer_script(spot, 4, 7)
    assert "dealer north\nvulnerable none\ngenerate 10000000\n" in text
    assert "run by: dealer -s 7 FILE" in text
    assert "produce 4\nshape_0 = shape(north, any 4333 + any 4432 + any 5332)\n" in text
    assert "hcp(north)>=15" in text
    assert text.endswith("action printpbn\n")


def test_a_shape_is_written_once() -> None:
    shape = "shape(north, any 4333)"
    assert with_named_shapes(f"{shape} || !{shape}") == (
        [f"shape_0 = {shape}"],
        "shape_0 || !shape_0",
    )


@pytest.mark.skipif(_PROGRAM is None, reason="there is no dealer on this machine")
@pytest.mark.parametrize(("rule", "auction"), [("opening.1NT", None), ("2C", "1NT (P)")])
def test_what_it_deals_is_bid_so(rule: str, auction: str | None, tmp_path: Path) -> None:
    assert _PROGRAM is not None
    rules = open_system(MINI)
    reader = reader_for(rules)
    spot = spot_of(rules, reader, rule, parse_auction(auction) if auction else None)
    ran = subprocess.run(
        [_PROGRAM], input=dealer_script(spot, 10, 1), capture_output=True, encoding="utf-8"
    )
    path = tmp_path / "dealt.pbn"
    path.write_text(ran.stdout, encoding="utf-8")
    boards = [board for board in read_pbn(path) if board.deal]
    assert len(boards) == 10, ran.stdout[-500:] + ran.stderr
    calls = [*spot.auction.calls, "1NT" if rule == "opening.1NT" else "2C"]
    for board in boards:
        reading = reader.start(spot.auction.dealer, spot.auction.vulnerability)
        for call in calls:
            assert isinstance(board.deal, Deal)
            hand = board.deal[reading.auction.turn]
            assert hand is not None
            assert str(choose(reading, hand).call) == str(call)
            reading = reading.with_call(choose(reading, hand).call)
