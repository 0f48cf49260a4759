"""The probes are sound, and their runner counts rightly."""

from pathlib import Path

import pytest

from bidwright.bench.probing import (
    COLUMNS,
    FOLDER,
    Result,
    as_json,
    by_topic,
    main,
    read_probes,
    report,
    run_probes,
)
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Side, Vulnerability
from bidwright.bridge.errors import InvalidError
from bidwright.match.agents.specs import default_context, open_agent

HEADER = ",".join(COLUMNS)
NOTRUMP = "p1,opening,KJ74.A83.KQ5.Q62,none,,1NT,1,15 balanced"
PASS = "p2,answer,T9843.T6.742.853,we,1NT (X),P 2S,2,nothing"


def _file(folder: Path, *rows: str) -> Path:
    path = folder / "probes.csv"
    path.write_text("\n".join((HEADER, *rows)) + "\n")
    return path


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("sayc", 800),
        ("acol", 150),
        ("sayc_tournament", 25),
        ("two_over_one", 25),
        ("precision", 150),
        ("chapters/sayc", 100),
        ("chapters/acol", 42),
        ("chapters/two_over_one", 34),
        ("chapters/polish_club", 15),
    ],
)
def test_every_probe_has_thirteen_cards_a_legal_auction_and_the_turn(name: str, least: int) -> None:
    assert len(read_probes(FOLDER / f"{name}.csv")) >= least


def test_a_row_is_read_from_the_side_of_the_hand(tmp_path: Path) -> None:
    opening, answer = read_probes(_file(tmp_path, NOTRUMP, PASS))
    assert opening.hand.hcp == 15
    assert opening.auction.calls == ()
    assert answer.auction.calls == (Call.C1NT, Call.DOUBLE)
    assert answer.auction.turn.side is Side.NS
    assert answer.auction.vulnerability is Vulnerability.NS
    assert answer.calls == (Call.PASS, Call.C2S)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("p,t,KJ74.A83.KQ5.Q6,none,,1NT,1,r", "13 cards"),
        ("p,t,KJ74.A83.KQ5.Q62,none,1NT,1NT,1,r", "last call in brackets"),
        ("p,t,KJ74.A83.KQ5.Q62,none,(1H) (P),1NT,1,r", "every second call"),
        ("p,t,KJ74.A83.KQ5.Q62,none,(1H),1D,1,r", "the expected call 1D is illegal"),
        ("p,t,KJ74.A83.KQ5.Q62,none,(1H),,1,r", "at least one call"),
        ("p,t,KJ74.A83.KQ5.Q62,red,(1H),P,1,r", "none, we, they, both"),
        ("p,t,KJ74.A83.KQ5.Q62,none,(1H),P,1", "expected the columns"),
        (NOTRUMP, "'p1' is used before"),
    ],
)
def test_a_wrong_row_is_refused_with_its_place(tmp_path: Path, row: str, message: str) -> None:
    path = _file(tmp_path, NOTRUMP, row)
    with pytest.raises(InvalidError, match=message) as caught:
        read_probes(path)
    assert str(caught.value).startswith(f"{path}:3: ")


def test_results_are_counted_by_topic_and_failures_listed(tmp_path: Path) -> None:
    path = _file(tmp_path, NOTRUMP, NOTRUMP.replace("p1", "p3").replace(",1NT,", ",P,"), PASS)
    results = run_probes(read_probes(path), open_agent("pass", default_context()))
    assert [result.right for result in results] == [False, True, True]
    assert by_topic(results) == {"opening": (1, 2), "answer": (1, 1)}
    lines = report(results).splitlines()
    assert lines[0].startswith("p1 KJ74.A83.KQ5.Q62 opening: P by")
    assert [line.split() for line in lines[1:]] == [
        ["opening", "1", "of", "2", "50.0", "%"],
        ["answer", "1", "of", "1", "100.0", "%"],
        ["all", "2", "of", "3", "66.7", "%"],
    ]
    assert as_json("x", results)["right"] == 2
    assert as_json("x", results)["failures"][0]["expected"] == ["1NT"]
    assert isinstance(results[0], Result)


def test_the_runner_asks_the_rules_of_the_system(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _file(tmp_path, NOTRUMP, NOTRUMP.replace("p1", "p3").replace(",1NT,", ",P,"))
    assert main(["sayc", "--probes", str(path)]) == 0
    out = capsys.readouterr().out
    assert "p3 KJ74.A83.KQ5.Q62 opening: 1NT by rule:" in out
    assert main(["sayc", "--probes", str(tmp_path / "none.csv")]) == 2
    assert "cannot read the probes" in capsys.readouterr().err
