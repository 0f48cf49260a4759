"""Files of BBOalert: records of context, call and explanation."""

from pathlib import Path

import pytest

from bidwright.authoring.exchange.bboalert import LONGEST, to_bboalert
from bidwright.authoring.exchange.call_tables import tabulate
from bidwright.authoring.exchange.importer import Imported, import_file
from bidwright.authoring.exchange.records import BadFileError, Fate
from bidwright.cli import main
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load

SYSTEM = """\
system small "Small, and ours"
  source "our notes"

opening
  1NT "strong" hcp 15..17, balanced; announce "15 to 17"
  1S "five, good" hcp 11+ or seat 3 and hcp 9+, spades 5+
  pass

after 1NT (P)
  2C "four-card major?" hcp 8+, hearts 4 or spades 4; artificial, forcing
    2M "four" M 4+
    2D "none"; artificial

after 1NT (X)
  XX "clubs" clubs 5+, hcp 5..9
  2D "diamonds" diamonds 5+, hcp 5..9

after (1C) when not vulnerable and they_vulnerable
  X "takeout" hcp 12+, clubs ..2, hearts 3+, spades 3+; forcing, alert "takeout of clubs"
"""


@pytest.fixture
def written(tmp_path: Path) -> str:
    file = tmp_path / "small.bid"
    file.write_text(SYSTEM, encoding="utf-8")
    system = load(file)
    assert system.diagnostics == ()
    return to_bboalert(tabulate(rule_base(system.name, system.title, system.statements), system))


def _imported(tmp_path: Path, text: str) -> Imported:
    file = tmp_path / "notes.bboalert"
    file.write_text(text, encoding="utf-8")
    return import_file(file, "notes")


def _fates(found: Imported) -> list[Fate]:
    return [line.fate for line in found.report.lines]


def test_a_system_as_records(written: str) -> None:
    general, *options = written.split("Option,")
    assert general == (
        "BBOalert,Small; and ours,bidwright, rows in the order of choice; our notes\n"
        '1N--,2C,8+ hcp & 4 !H or 4 !S; artificial; forcing; "four-card major?"\n'
        '1N--2C--,2H,4+ !H; "four"\n'
        '+,2S,4+ !S; "four"\n'
        '+,2D,any hand; artificial; "none"\n'
        '1NDb,Rd,5+ !C & 5-9 hcp; "clubs"\n'
        '+,2D,5+ !D & 5-9 hcp; "diamonds"\n'
    )
    assert [each.splitlines() for each in options] == [
        [
            "seat 1 2",
            ',1N,15-17 hcp & balanced; announce "15 to 17"; "strong"',
            ',1S,11+ hcp & 5+ !S; "five & good"',
            ",--,any hand",
        ],
        [
            "seat 4",
            ',1N,15-17 hcp & balanced; announce "15 to 17"; "strong"',
            ',1S,11+ hcp & 5+ !S; "five & good"',
            ",--,any hand",
        ],
        [
            "seat 3",
            ',1N,15-17 hcp & balanced; announce "15 to 17"; "strong"',
            ',1S,11+ hcp or 9+ hcp & 5+ !S; "five & good"',
            ",--,any hand",
        ],
        [
            "we not vulnerable / they vulnerable",
            "1C,Db,12+ hcp & at most 2 !C & 3+ !H & 3+ !S; forcing; "
            'alert "takeout of#clubs"; "takeout"',
        ],
    ]


def test_no_message_is_longer_than_an_alert(written: str) -> None:
    records = [line.split(",", 2)[2] for line in written.splitlines()[1:] if line.count(",") > 1]
    assert len(records) == 16
    for words in records:
        assert "," not in words
        assert all(len(part) <= LONGEST for part in words.split("#"))


def test_what_is_written_is_read_as_it_was(written: str, tmp_path: Path) -> None:
    found = _imported(tmp_path, written)
    assert set(_fates(found)) == {Fate.CONTEXT, Fate.RULE}
    for part in (
        "opening when seat 1|2\n",
        "opening when seat 3\n",
        '  1NT "strong" hcp 15..17, balanced; announce "15 to 17"\n',
        '  1S "five, good" hcp 11+ or hcp 9+, spades 5+\n',
        "after (1C) when not vulnerable, they_vulnerable\n",
        'forcing, alert "takeout of clubs"\n',
        'after 1NT (X)\n  XX "clubs" clubs 5+, hcp 5..9\n',
    ):
        assert part in found.text


NOTES = """\
BBOalert,Our agreements
,1N,15-17 bal
,1S,11-15, 5+!S
1N--,2C,Stayman, 8+, 4cM
+,2D,5+!H
1N--2C--,2[HS],whatever
1N--2D--,2H,as asked
1_--,3N,13-15 bal
----,1H,8-15#5+!H
Option,Weak notrump
,1N,12-14 bal
Option,
1C,Db,takeout
1C,1H,5+!H, 8-15
1D*,1H,5+!H
1C_X,Db,4+!S
Alias,NMF,New minor forcing
1S--,2H,10+, 5+!H
1S--,2H,8+, 5+!H
----------,1N,15-17 bal
just prose
"""


def test_records_of_a_player(tmp_path: Path) -> None:
    found = _imported(tmp_path, NOTES)
    assert found.text.startswith('system notes "Our agreements"\n')
    rules = [line for line in found.text.splitlines()[2:] if line and "# " not in line]
    assert rules == [
        "opening",
        '  1NT "15-17 bal" hcp 15..17, balanced',
        '  1S "11-15, 5+!S" hcp 11..15, spades 5+',
        "after 1NT (P)",
        '  2D "5+!H" hearts 5+',
        '  2C "Stayman, 8+, 4cM" hcp 8+, hearts 4+ or spades 4+; convention "Stayman"',
        "after 1NT (P) 2D (P)",
        '  2H "as asked"',
        "after 1C|1D|1H|1S|1NT (P)",
        '  3NT "13-15 bal" hcp 13..15, balanced',
        "opening when seat 3",
        '  1H "8-15, 5+!H" hcp 8..15, hearts 5+',
        "after (1C)",
        '  1H "5+!H, 8-15" hearts 5+, hcp 8..15',
        '  X "takeout" clubs ..2, diamonds 3+, hearts 3+, spades 3+',
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (6, "not understood: 'whatever'"),
        (11, "it belongs to the option 'Weak notrump', which may be off"),
        (15, "its context stands for more auctions than can be listed"),
        (16, "its context stands for more auctions than can be listed"),
        (18, "line 19 says what it shows, too"),
        (19, "line 18 says what it shows, too"),
        (20, "its context has four passes or more before the first bid"),
    ],
)
def test_what_nobody_can_tell_stays_text(line: int, why: str, tmp_path: Path) -> None:
    row = _imported(tmp_path, NOTES).report.lines[line - 1]
    assert (row.fate, row.notes[0]) == (Fate.TEXT, why)


def test_a_file_without_records_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFileError, match=r"notes.bboalert:2: expected a record such as 1N--,2C"):
        _imported(tmp_path, "\nDear partner, we agreed,yesterday\n")


def test_the_verbs_take_the_notation_by_its_ending(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out, back = (tmp_path / name for name in ("s.bid", "s.bboalert", "b.bid"))
    source.write_text(SYSTEM, encoding="utf-8")
    assert main(["doc", str(source), "-o", str(out), "--quiet"]) == 0
    losses = (tmp_path / "s.bboalert.loss.txt").read_text(encoding="utf-8")
    assert (
        "option: what depends on seat or vulnerability (players switch options by hand)" in losses
    )
    assert main(["import", str(out), "-o", str(back)]) == 0
    assert main(["explain", "1NT P 2C P 2H", "--system", str(back)]) == 0
    assert "4+ hearts" in capsys.readouterr().out
    assert main(["check", str(out)]) != 0
    assert f"'bidwright import {out} -o NEW.bid'" in capsys.readouterr().out
