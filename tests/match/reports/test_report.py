"""Reports: families, first differences, conformity, and the page itself."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any, cast

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.bridge.contract import parse_contract
from bidwright.bridge.hand import parse_hand
from bidwright.cli import main
from bidwright.inference.reading.conformity import conforms
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.match.play.duplicate import play_match
from bidwright.match.play.plan import Plan
from bidwright.match.record.match_file import MatchFileError, read_match
from bidwright.match.record.match_lines import BoardLine
from bidwright.match.reports.attribution import buckets, by_phase, divergence, phase
from bidwright.match.reports.families import FAMILIES, family, height, strata, vulnerability
from bidwright.match.reports.report import report_html, write_report


def line(open_room: str, closed_room: str, imps: int = 0, number: int = 1) -> BoardLine:
    """Return the line of a board that North dealt, from the auctions at both tables."""
    rooms: dict[str, Any] = {}
    for room, text in (("open", open_room), ("closed", closed_room)):
        auction = parse_auction(text)
        contract = auction.contract()
        rooms[room] = {
            "auction": [str(call) for call in auction.calls],
            "by": [f"rule:{room}.{call}" for call in auction.calls],
            "contract": contract and contract.text,
            "declarer": contract and str(contract.declarer),
        }
    content = {"board": number, "dealer": "N", "vul": "NS", "imps": {"dd": imps}, **rooms}
    return cast(BoardLine, content)


@pytest.mark.parametrize(
    ("contract", "name"),
    [
        ("1NT", "part-score"),
        ("2SX", "part-score"),
        ("4D", "part-score"),
        ("3NT", "game"),
        ("4H", "game"),
        ("5C", "game"),
        ("6D", "slam"),
        ("7NTXX", "slam"),
    ],
)
def test_how_high_a_contract_is(contract: str, name: str) -> None:
    assert height(parse_contract(contract, Seat.NORTH)) == name


@pytest.mark.parametrize(
    ("open_room", "closed_room", "name"),
    [
        ("P P P P", "P P P P", "passed out"),
        ("1NT P P P", "1NT P 3NT P P P", "game"),
        ("1NT P P P", "P P P P", "part-score"),
        ("1S P 4S P P P", "1S P 4NT P 5D P 6S P P P", "slam"),
        ("1S X 4S P P P", "1S P 4S P P P", "competitive, game"),
        ("1S 2H P P P", "1S P P P", "competitive, part-score"),
    ],
)
def test_a_board_belongs_to_its_higher_contract(
    open_room: str, closed_room: str, name: str
) -> None:
    assert family(line(open_room, closed_room)) == name


def test_strata_add_up() -> None:
    lines = [line("1NT P P P", "P P P P", 3), line("1NT P P P", "1S P P P", -5)]
    lines.append(line("3NT P P P", "3NT P P P"))
    found = strata(lines, "dd", family, FAMILIES)
    assert [(each.name, each.tally.count, each.won, each.lost) for each in found] == [
        ("part-score", 2, 3, 5),
        ("game", 1, 0, 0),
    ]
    assert found[0].different == 2
    assert vulnerability(lines[0]) == "one side"


def test_the_first_call_that_differs_is_side_a_s_in_its_own_room() -> None:
    found = divergence(line("1NT P 3NT P P P", "1NT P 2NT P P P", -10), "dd")
    assert found is not None
    assert (str(found.before), found.seat) == ("1NT (P)", Seat.SOUTH)
    assert (found.a_room, found.a_call, found.b_call) == ("open", Call.C3NT, Call.C2NT)
    assert (found.a_by, found.b_by, found.imps) == ("rule:open.3NT", "rule:closed.2NT", -10)


def test_east_and_west_are_side_a_in_the_closed_room() -> None:
    found = divergence(line("1NT P P P", "1NT 2S P P P"), "dd")
    assert found is not None
    assert (found.a_room, found.a_call, found.b_call) == ("closed", Call.C2S, Call.PASS)


def test_the_same_auction_has_no_difference() -> None:
    assert divergence(line("1NT P P P", "1NT P P P"), "dd") is None


@pytest.mark.parametrize(
    ("auction", "name"),
    [
        ("", "opening"),
        ("P P", "opening"),
        ("1S P", "response"),
        ("P 1S X", "response"),
        ("1S P 2S P", "opener's rebid"),
        ("1S P 2C P 2S P", "responder's rebid"),
        ("1S", "overcall or double"),
        ("1S P 2S", "overcall or double"),
        ("1S 2H P", "advance"),
        ("1S 2H 2S P P", "competing later"),
    ],
)
def test_phases_of_an_auction(auction: str, name: str) -> None:
    assert phase(parse_auction(auction)) == name


def test_buckets_begin_with_what_cost_most() -> None:
    lines = [
        line("1NT P P P", "1S P P P", -5, 1),
        line("1NT P P P", "1S P P P", -7, 2),
        line("1NT P 3NT P P P", "1NT P P P", 10, 3),
    ]
    found = [each for one in lines if (each := divergence(one, "dd")) is not None]
    first, second = buckets(found)
    assert first.name == ("rule:open.1NT", "rule:closed.1S")
    assert ([each.board for each in first.divergences], first.total) == ([2, 1], -12)
    assert second.total == 10
    assert [bucket.name for bucket in by_phase(found)] == [("opening",), ("response",)]


@pytest.mark.parametrize(
    ("hand", "call", "allowed"),
    [
        ("KQ4.AQ8.K984.K32", "1NT", True),
        ("KQ4.AQ8.K984.432", "1NT", False),
        ("KQ984.AQ8.K4.432", "1S", True),
        ("KQ984.AQ8.K4.432", "1C", False),
        ("AKQ4.AQ8.K984.K3", "1NT", False),
        ("98432.765.842.53", "P", True),
        ("98432.765.842.53", "2C", False),
    ],
)
def test_an_opening_conforms_if_the_file_allows_it(
    tiny: Path, hand: str, call: str, allowed: bool
) -> None:
    rules = open_system(tiny)
    auction = parse_auction("")
    reading = Reader({Seat.NORTH.side: rules, Seat.EAST.side: rules}).read(auction)
    made = parse_auction(call).calls[0]
    assert conforms(reading.decision, parse_hand(hand), made) is allowed


# -------------------------------------------------------------------- the page


class _Page(HTMLParser):
    """Collects the text and checks that elements are closed in order."""

    VOID = frozenset({"meta", "br"})
    LAZY = frozenset({"tr", "td", "th", "dt", "dd"})

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element, its name and what it refers to."""
        if tag not in self.VOID | self.LAZY:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            if name in ("src", "href") or (name == "xlink:href" and value and value[0] != "#"):
                self.links.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that has no content."""
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID | self.LAZY:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        """Check that the last element opened is closed."""
        if tag not in self.LAZY:
            assert self.open.pop() == tag, self.getpos()

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        self.words.append(data)


def _page(text: str) -> tuple[_Page, str]:
    page = _Page()
    page.feed(text)
    assert page.open == []
    return page, " ".join(" ".join(page.words).split())


def test_a_report_needs_no_other_file(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    play_match(Plan(f"rules:{tiny}", "random:1", seed=4), 8, out)
    page, text = _page(report_html(read_match(out)))
    assert all(link.startswith("data:") for link in page.links)
    assert len(page.ids) == len(set(page.ids))
    for words in (
        "8 boards, each bid at two tables",
        "Swings by family",
        "Conformity of openings",
        "Where the IMPs went",
        "The worst boards of side A",
        "side A: ",
    ):
        assert words in text


@pytest.mark.system
def test_the_worst_boards_are_explained(tiny: Path, tmp_path: Path) -> None:
    weak = tmp_path / "weak.bid"
    weak.write_text(tiny.read_text().replace("tiny", "weak").replace("15..17", "12..14"))
    out = tmp_path / "match.jsonl"
    play_match(Plan(f"rules:{weak}", f"rules:{tiny}", seed=1), 30, out)
    lines = read_match(out).boards
    worst = min(lines, key=lambda each: (each["imps"]["dd"], each["board"]))
    assert worst["imps"]["dd"] < 0
    _, text = _page(report_html(read_match(out), worst=1))
    assert f"Board {worst['board']}: \u2212{-worst['imps']['dd']} IMPs" in text
    assert text.count("Open room") == 1
    assert "the tables part at" in text
    assert "promises" in text
    assert "weak.bid:" in text
    assert "100.00 %" in text


def test_a_system_that_has_changed_is_not_used(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    play_match(Plan(f"rules:{tiny}", "pass"), 2, out)
    for changed in (tiny.read_text().replace("15..17", "12..14"), "system tiny:\n"):
        tiny.write_text(changed)
        _, text = _page(report_html(read_match(out)))
        assert "have changed since: its calls are not explained nor judged" in text


def test_files_of_no_system_are_not_looked_for(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    play_match(Plan(f"rules:{tiny}", "pass"), 1, out)
    match = read_match(out)
    card = match.header["a"]
    card["system"] = card["players"][0]["system"] = None  # as nobody but a forger writes it
    assert "sources" in card["players"][0]
    _, text = _page(report_html(match))
    assert "have changed since" not in text


def test_a_side_without_a_file_may_be_judged_by_another(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    play_match(Plan("random:1", "random:2"), 3, out)
    _, text = _page(report_html(read_match(out), against=str(tiny)))
    assert f"Side A: {tiny}" in text


def test_names_cannot_become_markup(tmp_path: Path, engine: str) -> None:
    out = tmp_path / "match.jsonl"
    play_match(Plan(f"{engine} pass '<script>'", "pass"), 1, out)
    _, text = _page(report_html(read_match(out)))
    assert "<script>" in text


@pytest.mark.system
def test_a_report_of_the_same_file_is_the_same(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    play_match(Plan("random:1", "random:2"), 2, out)
    assert report_html(read_match(out)) == report_html(read_match(out))


def test_a_match_without_boards_has_no_report(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    play_match(Plan("random:1", "random:2"), 1, out)
    out.write_bytes(out.read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(MatchFileError, match="expected at least one board to report on, got none"):
        write_report(out, tmp_path / "match.html")


@pytest.mark.system
def test_the_command_writes_beside_the_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "match.jsonl"
    play_match(Plan("pass", "random:2"), 2, out)
    assert main(["report", str(out)]) == 0
    assert (tmp_path / "match.html").read_text().startswith("<!doctype html>")
    assert capsys.readouterr().out == f"wrote {tmp_path / 'match.html'}\n"
    assert main(["report", str(out), "--out", str(out)]) == 2
    assert "expected another file than the match file for --out" in capsys.readouterr().err
    assert main(["report", str(out), "--out", str(tmp_path / "no" / "where.html")]) == 2
    assert "cannot write" in capsys.readouterr().err
