"""`bidwright explain`: prose, JSON, questions, files and JSON lines."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
GOLDEN = Path(__file__).parents[1] / "golden" / "explain"

AUCTIONS = {
    "stayman": ["1NT (P) 2C (P) 2D"],
    "jacoby": ["1S (P) 2NT"],
    "contested": ["1D (X) 1H (1S)", "--dealer", "E", "--vul", "both", "--full"],
    "third_seat": ["P (P) 1S", "--vul", "ew", "--full"],
    "psyche": ["P (P) 1C (P) 3NT", "--full"],
    "off_the_book": ["1C (3H) 4S"],
    "notrump_why": ["1NT (P) 2C (P) 2D", "--why", "N hearts"],
    "hcp_why": ["1NT (P) 2NT", "--why", "hcp"],
    "why_not_stayman": ["1NT (P) 3NT", "--why-not", "2C"],
    "why_not_raise": ["1S (P) 1NT", "--why-not", "2S"],
    "knowledge": [
        "1NT (P) 3NT (P) P (P)",
        "--hand",
        "W:QJT9.AQ82.873.K5",
        "--dummy",
        "K84.K53.AK42.962",
    ],
}


def golden(name: str, text: str) -> str:
    """Return the golden text of a name; REWRITE_GOLDEN=1 writes it anew."""
    path = GOLDEN / name
    if os.environ.get("REWRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", AUCTIONS)
def test_explained_auctions_are_the_golden_ones(run: Run, mini: str, name: str) -> None:
    result = run("explain", *AUCTIONS[name], "--system", mini)
    assert (result.code, result.err) == (0, "")
    assert result.out == golden(f"{name}.txt", result.out)


def test_no_golden_text_is_left_over() -> None:
    names = {path.name for path in GOLDEN.iterdir()}
    assert names == {f"{name}.txt" for name in AUCTIONS} | {"stayman.json", "bid.txt", "board.pbn"}


def test_json_is_the_golden_one(run: Run, mini: str) -> None:
    result = run("explain", "1NT (P) 2C", "--system", mini, "--json")
    assert (result.code, result.err) == (0, "")
    assert result.out == golden("stayman.json", result.out)


def test_prose_and_json_tell_the_same_bounds(run: Run, mini: str) -> None:
    auction = "1NT (2H) 3NT"
    prose = run("explain", auction, "--system", mini, "--full").out
    calls = json.loads(run("explain", auction, "--system", mini, "--json").out)["calls"]
    told = [
        line.split("possible", 1)[1].strip() for line in prose.splitlines() if " possible " in line
    ]
    assert told == [call["shown"] for call in calls]


def test_questions_are_answered_in_json(run: Run, mini: str) -> None:
    why = json.loads(
        run("explain", "1NT P 2C P 2D", "--why", "N hearts", "--system", mini, "--json").out
    )
    assert why["about"] == "hearts"
    low, high = why["bounds"]
    assert (low["low"], high["high"]) == (2, 3)
    assert [(r["kind"], r["call"]) for r in high["reasons"]] == [("unmade", "2H")]
    why_not = json.loads(
        run("explain", "1NT P 3NT", "--why-not", "2C", "--system", mini, "--json").out
    )
    assert [rule["standing"] for rule in why_not["rules"]] == ["first"]


def test_nothing_shown_is_said_so(run: Run, mini: str) -> None:
    result = run("explain", "1NT P 2C", "--why", "E clubs", "--system", mini)
    assert result.out == "East has shown nothing about clubs.\n"
    result = run("explain", "1NT P 2C", "--why-not", "7S", "--system", mini)
    assert result.out == "No rule bids 7S here.\n"


def test_a_board_of_a_file_is_compared_with_its_hands(run: Run, mini: str, tmp_path: Path) -> None:
    path = tmp_path / "board.pbn"
    path.write_text(
        '[Board "7"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
        '[Deal "N:AQ8.K75.KQ84.J32 J943.QT4.J62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"]\n'
        '[Auction "N"]\n1NT Pass 3NT AP\n'
    )
    result = run("explain", "--pbn", str(path), "--board", "7", "--system", mini)
    assert result.code == 0
    lines = [line.strip() for line in result.out.splitlines() if line.strip().startswith("held ")]
    assert lines[0] == "held      AQ8.K75.KQ84.J32, as agreed"
    assert lines[1].startswith(
        "held      KT75.AJ62.A7.964, possible; the system has 2C (asks for a"
    )
    assert len(lines) == 2
    assert result.out.count("KT75") == 1
    reply = json.loads(run("explain", "--pbn", str(path), "--system", mini, "--json").out)
    held = [call.get("held") for call in reply["calls"]]
    assert [each["judged"] for each in held] == [True] * 6
    assert [each["rule"] for each in held][:3] == ["opening.1NT", held[1]["rule"], None]
    assert [each["finding"] for each in held] == [None] * 6
    assert [each["due"] for each in held] == [None, None, "2C", None, None, None]


def test_a_lin_file_is_read(run: Run, mini: str, tmp_path: Path) -> None:
    path = tmp_path / "board.lin"
    path.write_text(
        "qx|o1|md|3SAQ8HK75DKQ84CJ32,SJ943HQT4DJ62CKT8,SKT75HAJ62DA7C964,|sv|o|"
        "mb|1N|mb|p|mb|3N|mb|p|mb|p|mb|p|\n"
    )
    result = run("explain", "--lin", str(path), "--system", mini)
    assert (result.code, result.err) == (0, "")
    assert "N 1NT  15 to 17, balanced" in result.out


def test_a_board_is_annotated(run: Run, mini: str) -> None:
    result = run("explain", "1NT (P) 2C (P) 2D", "--annotate", "--system", mini)
    assert (result.code, result.err) == (0, "")
    assert result.out == golden("board.pbn", result.out)


def test_each_side_is_read_by_its_own_system(run: Run, mini: str, tmp_path: Path) -> None:
    weak = tmp_path / "weak.bid"
    weak.write_text('system weak "Weak notrump"\n\nopening\n  1NT hcp 12..14, balanced\n  pass\n')
    for dealer, hcp in (("N", [15, 17]), ("E", [12, 14])):
        argv = ("explain", "1NT", "--dealer", dealer, "--ns", mini, "--ew", str(weak), "--json")
        reply = json.loads(run(*argv).out)
        assert reply["calls"][0]["hcp"] == hcp
        assert reply["systems"] == {"ns": "Mini Standard", "ew": "Weak notrump"}
    words = ("explain", "1NT", "--ns", mini, "--ew")
    assert "; NS Mini Standard / EW Weak notrump\n" in run(*words, str(weak)).out
    assert "; both sides Mini Standard\n" in run(*words, mini).out


# ------------------------------------------------------------------ JSON lines


def lines(*requests: object) -> str:
    return "".join(
        (each if isinstance(each, str) else json.dumps(each)) + "\n" for each in requests
    )


def test_lines_are_answered_with_their_ids(run: Run, mini: str) -> None:
    requests = lines(
        {"id": 1, "dealer": "E", "vul": "ns", "auction": ["1N", "P", "2C"]},
        {"id": "two", "auction": "1S (2H)", "ns": mini, "ew": mini},
        {"id": 3, "dealer": "N", "vul": "both", "auction": []},
    )
    result = run("explain", "--jsonl", "--system", mini, stdin=requests)
    assert (result.code, result.err) == (0, "")
    one, two, three = map(json.loads, result.out.splitlines())
    assert [reply["id"] for reply in (one, two, three)] == [1, "two", 3]
    assert [call["call"] for call in one["calls"]] == ["1NT", "P", "2C"]
    assert [call["seat"] for call in one["calls"]] == ["E", "S", "W"]
    assert three["calls"] == []
    notrump, _, stayman = one["calls"]
    assert notrump["hcp"] == [15, 17]
    assert notrump["len"] == {suit: [2, 5] for suit in "SHDC"}
    assert stayman["artificial"] is True
    assert stayman["forcing"] == "one round"
    assert stayman["name"] == "Stayman"
    assert stayman["asks"] == "major"
    assert stayman["rules"] == [{"call": "2C", "rule": "mini.stayman", "at": f"{mini}:23"}]
    assert two["calls"][0]["rules"][0]["rule"] == "opening.1S"
    assert "1NT" in [denied["call"] for denied in two["calls"][0]["denies"]]


def test_boxes_fit_closely_when_asked_for(run: Run, mini: str) -> None:
    auction = {"auction": "1NT P 2C", "boxes": True}
    result = run("explain", "--jsonl", "--system", mini, stdin=lines(auction))
    boxes = json.loads(result.out)["calls"][-1]["boxes"]
    assert [(box["len"]["S"], box["len"]["H"]) for box in boxes] == [
        ([0, 9], [4, 4]),
        ([4, 4], [0, 9]),
    ]


def test_a_call_without_a_rule_is_not_known_and_shows_nothing(run: Run, mini: str) -> None:
    result = run("explain", "--jsonl", "--system", mini, stdin=lines({"auction": "1C 3H"}))
    call = json.loads(result.out)["calls"][-1]
    assert call["known"] is False
    assert call["hcp"] == [0, 37]
    assert call["rules"] == []


BROKEN = [
    ("{", "expected a line of JSON, got '{' (it is no JSON: expected a name in double quotes"),
    ("[1]", "expected a JSON object, got '[1]'"),
    ({"id": 9}, "expected a list of calls as 'auction', got None"),
    ({"id": 9, "auction": [1]}, "expected a list of calls as 'auction', got [1]"),
    ({"id": 9, "auction": ["frog"]}, "expected a call (P, X, XX or 1C to 7NT), got 'frog'"),
    ({"id": 9, "auction": "1S 1H"}, "illegal call 1H after 1S in auction '1S'"),
    ({"id": 9, "auction": [], "dealer": 3}, "expected text as 'dealer', got 3"),
    ({"id": 9, "auction": [], "dealer": "Q"}, "expected a seat (N, E, S or W), got 'Q'"),
    (
        {"id": 9, "auction": [], "vul": "some"},
        "expected a vulnerability (None, NS, EW or Both), got 'some'",
    ),
    ({"id": 9, "auction": [], "ns": "frog"}, "expected a system ("),
]


@pytest.mark.parametrize(("request_", "message"), BROKEN, ids=lambda value: str(value)[:40])
def test_a_broken_line_gets_an_error_and_the_next_an_answer(
    run: Run, mini: str, request_: object, message: str
) -> None:
    requests = lines(request_, {"id": 10, "auction": "1NT"})
    result = run("explain", "--jsonl", "--system", mini, stdin=requests)
    assert (result.code, result.err) == (0, "")
    broken, good = map(json.loads, result.out.splitlines())
    assert broken["id"] == (9 if isinstance(request_, dict) else None)
    assert broken["error"].startswith(message)
    assert good["id"] == 10
    assert good["calls"][0]["hcp"] == [15, 17]


def test_a_bug_in_one_answer_does_not_end_the_service(
    run: Run, mini: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bidwright.inference.explanation import service

    original = service.explain

    def explain(library: service.Library, request: dict[str, Any], *options: str) -> Any:  # noqa: ANN401
        if request["id"] == 1:
            raise KeyError("seven")
        return original(library, request, *options)

    monkeypatch.setattr(service, "explain", explain)
    requests = lines({"id": 1, "auction": "1NT"}, {"id": 2, "auction": "1NT"})
    result = run("explain", "--jsonl", "--system", mini, stdin=requests)
    broken, good = map(json.loads, result.out.splitlines())
    assert broken == {"id": 1, "error": "internal error, KeyError: 'seven'"}
    assert good["calls"][0]["hcp"] == [15, 17]


def test_deals_follow_from_the_seed(run: Run, mini: str) -> None:
    command = ["explain", "1NT", "--deals", "3", "--system", mini, "--seed"]
    first, again, other = (run(*command, seed) for seed in ("7", "7", "8"))
    assert first.code == 0
    assert first.out == again.out != other.out
