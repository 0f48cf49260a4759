"""Notes of a Polish Club as long as those that players keep, imported: how many calls are rules.

    python bench/polish_notes.py
    python bench/polish_notes.py --write wj.bml

The notes are written here, in words of their own, from a table of openings, answers and rebids that
is spelt out for every suit, with what Polish players do when opponents bid. They are some 1,500
lines in the habits of such files: a leading `!` for an alert, `--` between figures, `#` for the
suit bid, `BAL`, `GF`, `INV`, `PRE`, `SPL`, `MIN`, `MAX`, prose between the tables. Printed are the
rows, those that became rules, those that stayed text, and the openings that did.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bidwright.authoring.exchange.importer import import_file
from bidwright.authoring.exchange.records import Fate
from bidwright.lab.ending import ended

_SUITS = "CDHS"
_MAJORS = "HS"


def notes() -> str:
    """Return the notes."""
    lines = [
        "#+TITLE: Polish Club, long version",
        "",
        "* Openings",
        "",
        *_OPENINGS.splitlines(),
        "",
    ]
    lines += ["Passed hands answer as others do unless it is said here.", ""]
    for part in (
        _club,
        _diamond,
        _majors,
        _notrump,
        _twos,
        _threes,
        _they_interfere,
        _they_open,
    ):
        lines += part()
    return "\n".join(lines) + "\n"


_OPENINGS = """\
1C = ! any of
     - 12--14 BAL
     - 15+, 5+!c
     - 18+, any
1D = 11--17, 4+!d
1H = 11--17, 5+!h
1S = 11--17, 5+!s
1N = 15--17 BAL
2C = ! 11--14, 5+!c and 4!h or 11--14, 5+!c and 4!s or 11--14, 6+!c
2D = ! 6--10, 6+ card major
2H = ! 6--10, 5!h and 4+ minor
2S = ! 6--10, 5!s and 4+ minor
2N = ! 6--10, 5--5 minors
3C = PRE, 7+#
3D = PRE, 7+#
3H = PRE, 7+#
3S = PRE, 7+#
3N = ! a solid suit of seven, nothing outside
4C = ! 5--10, 8+!c
4D = ! 5--10, 8+!d
4H = 8+#, 5--10
4S = 8+#, 5--10
"""


def _other(suit: str) -> str:
    return "S" if suit == "H" else "H"


def _after(history: str, rows: str) -> list[str]:
    """Return a table under the calls before it."""
    return [f"{history};", *rows.strip("\n").split("\n"), ""]


def _club() -> Iterator[str]:
    yield from ("* 1C and what follows", "")
    yield from _after(
        "1C-",
        """
1D = ! 0--7
1H = 7+, 4+#
1S = 7+, 4+#
1N = 8--10 BAL, no major
2C = GF, 5+#
2D = GF, 5+#
2H = 4--6, 6+#
2S = 4--6, 6+#
2N = 11--12 BAL, no major
3C = 5--7, 7+#
3D = 5--7, 7+#
3H = PRE, 7+#
3S = PRE, 7+#
3N = 13--15 BAL
4H = to play, 7+#, 4--8
4S = to play, 7+#, 4--8""",
    )
    yield from ("The negative answer says nothing of shape.", "")
    yield from _after(
        "1C-1D",
        """
1H = 3+#, 12--17
1S = 3+#, 12--17
1N = 18--20 BAL
2C = 15+, 5+#
2D = ! GF, any hand
2H = 18--21, 5+#
2S = 18--21, 5+#
2N = 21--22 BAL
3C = 18--21, 6+#
3D = 18--21, 6+#
3H = 18--21, 6+#, one loser in the suit
3S = 18--21, 6+#, one loser in the suit
3N = 25--27 BAL
4H = 6+#, a hand that needs nothing
4S = 6+#, a hand that needs nothing""",
    )
    for major in _MAJORS:
        sign, other = major.lower(), _other(major)
        jump = "2S = 4+#, 5--7" if major == "H" else "2H = 5+#, 5--7"
        yield from _after(
            f"1C-1D-1{major}",
            f"""
1N = 5--7 BAL
2C = 5+#, 5--7
2D = 5+#, 5--7
{jump}
2{major} = 4#, 5--7
3C = 6+#, 5--7
3D = 6+#, 5--7
3{major} = 4#, 6--7, a singleton
P = 0--5""",
        )
        yield from _after(
            f"1C-1D-2{major}",
            f"""
2N = 0--4, no support
3C = 5+#, 5--7
3D = 5+#, 5--7
3{major} = 3+#, 5--7
4{major} = 3+!{sign}, 0--4
3N = 5--7 BAL, stoppers""",
        )
        rebid = "1S = 4+#, 12--17" if major == "H" else "2H = 5+!c and 4!h, 15--17"
        yield from _after(
            f"1C-1{major}",
            f"""
{rebid}
1N = 12--14 BAL
2C = 15--17, 5+#
2D = ! 18+, 3+!{sign}
2{major} = 12--14, 4!{sign}
2N = ! 18--20 BAL
3C = 18+, 5+#
3D = 18+, 5+#
3{major} = 15--17, 4!{sign}
3N = 5+!c, solid, 18+
4C = SPL
4D = SPL
4{major} = 18--20, 4!{sign}, BAL""",
        )
        yield from _after(
            f"1C-1{major}-1N",
            f"""
2C = ! INV+, relay
2D = ! GF, relay
2{major} = 5+!{sign}, 7--10
2{other} = 5+!{sign} and 4+!{other.lower()}, INV
2N = 11--12 BAL
3C = 5+!c and 4+!{sign}, GF
3D = 5+!d and 4+!{sign}, GF
3{major} = 6+!{sign}, 13--16
3N = 13--17 BAL
4{major} = 6+!{sign}, 10--13""",
        )
        yield from _after(
            f"1C-1{major}-1N-2C",
            f"""
2D = MIN, at most 2!{sign}
2{major} = 3!{sign}
2{other} = 4!{other.lower()}
2N = MAX, at most 2!{sign}
3C = 4!c, 12--14
3{major} = 3!{sign}, MAX""",
        )
        yield from _after(
            f"1C-1{major}-2C",
            f"""
2D = ! GF, 10+
2{major} = 5+!{sign}, 7--9
2N = 10--11 BAL
3C = 4+!c, 8--10
3{major} = 6+!{sign}, 10--12
3N = 12--14 BAL""",
        )
        yield from _after(
            f"1C-1{major}-2N",
            f"""
3C = ! relay
3D = 5+#, 8+
3{major} = 5+!{sign}, 7+
3N = 7--10 BAL
4{major} = 6+!{sign}, 7--9""",
        )
    for major in _MAJORS:
        sign = major.lower()
        yield from _after(
            f"1C-1{major}-2{major}",
            f"""
2N = ! INV+, relay
3C = 4+#, INV
3D = 4+#, INV
3{major} = 5+!{sign}, 9--10
3N = 12--16 BAL
4{major} = 5+!{sign}, 11--14
P = 7--9""",
        )
        yield from _after(
            f"1C-1{major}-3{major}",
            f"""
3N = ! asks for a shortness
4C = cue, 11+
4D = cue, 11+
4{major} = 8--11
P = 7""",
        )
    yield from _after(
        "1C-1N",
        """
2C = 15+, 5+#
2D = ! 18+, relay
2H = 18+, 5+#
2S = 18+, 5+#
2N = 18--19 BAL
3C = 18+, 6+#
3N = 18--19 BAL, no ambition
P = 12--14 BAL""",
    )
    yield from _after(
        "1C-2N",
        """
3C = 15+, 5+#
3D = 18+, 5+#
3H = 18+, 5+#
3S = 18+, 5+#
3N = 14--18 BAL
4N = 19--20 BAL
P = 12--13 BAL""",
    )
    yield from _after(
        "1C-3N",
        """
4C = 18+, 5+#
4D = 18+, 5+#
4H = 18+, 5+#
4S = 18+, 5+#
4N = 18--19 BAL
P = 12--14 BAL""",
    )
    for minor in "CD":
        other = "D" if minor == "C" else "C"
        yield from _after(
            f"1C-3{minor}",
            f"""
3H = 18+, 5+#
3S = 18+, 5+#
3N = 18--20 BAL
5{minor} = 3+!{minor.lower()}, 18+
P = 12--14 BAL""",
        )
        yield from _after(
            f"1C-2{minor}",
            f"""
2H = 12--14, 4#
2S = 12--14, 4#
2N = 12--14 BAL, no major
3{minor} = 3+!{minor.lower()}, 15+
3{other} = 5+#, 15+
3N = 18--20 BAL
4{minor} = 4+!{minor.lower()}, 18+""",
        )
    for major in _MAJORS:
        yield from _after(
            f"1C-2{major}",
            f"""
2N = ! relay, 18+
3{major} = 3!{major.lower()}, 15--17
4{major} = 3+!{major.lower()}, 18+
3N = 18--20 BAL
P = 12--14 BAL""",
        )
        yield from _after(
            f"1C-2{major}-2N",
            f"""
3C = MIN
3D = MAX, a singleton
3{major} = MAX
3N = 6+!{major.lower()}, 6""",
        )


def _diamond() -> Iterator[str]:
    yield from ("* 1D and what follows", "")
    yield from _after(
        "1D-",
        """
1H = 6+, 4+#
1S = 6+, 4+#
1N = 7--10, no major
2C = GF, 5+#
2D = ! 10+, 4+#
2H = 4--7, 6+#
2S = 4--7, 6+#
2N = 11--12 BAL
3C = INV, 6+#
3D = 4--8, 5+#
3H = SPL
3S = SPL
3N = 13--15 BAL
4C = SPL
4D = PRE, 6+#
4H = 4--8, 7+#
4S = 4--8, 7+#""",
    )
    for major in _MAJORS:
        sign = major.lower()
        rebid = "1S = 4#, 11--17" if major == "H" else "2H = 4#, 11--15"
        yield from _after(
            f"1D-1{major}",
            f"""
{rebid}
1N = 12--14 BAL
2C = 4+#, 11--15
2D = 6+#, 11--14
2{major} = 4!{sign}, 11--14
3C = 5+#, 15--17
3D = 6+#, 15--17
3{major} = 4!{sign}, 15--17
4C = SPL
4{major} = 4!{sign}, 16--17""",
        )
        yield from _after(
            f"1D-1{major}-2D",
            f"""
2{major} = 6+!{sign}, 6--10
2N = 11--12
3C = ! GF, relay
3D = 3+!d, 9--11
3{major} = 6+!{sign}, 11--12
3N = 13--15
4{major} = 6+!{sign}, 12--14""",
        )
        yield from _after(
            f"1D-1{major}-2C",
            f"""
2D = 2+!d, 6--9
2{major} = 6+!{sign}, 6--9
2N = 11--12
3C = 4+!c, 8--11
3D = 4+!d, 10--11
3{major} = 6+!{sign}, 10--12
3N = 12--15""",
        )
        yield from _after(
            f"1D-1{major}-1N",
            f"""
2C = ! INV+, relay
2D = 4+!d, 6--9
2{major} = 5+!{sign}, 6--9
2N = 11--12 BAL
3C = 5+#, GF
3D = 5+!d and 4+!{sign}, GF
3{major} = 6+!{sign}, 11--12
3N = 13--16 BAL
4{major} = 6+!{sign}, 12--15
P = 6--10 BAL""",
        )
        yield from _after(
            f"1D-1{major}-2{major}",
            f"""
2N = 11--12 BAL
3C = 4+#, 11+
3D = 4+!d, 11+
3{major} = 5+!{sign}, 10--11
3N = 13--15 BAL
4{major} = 5+!{sign}, 12--15
P = 6--10""",
        )
    yield from _after(
        "1D-2D",
        """
2H = a stopper here, 11+
2S = a stopper here, 11+
2N = 12--14 BAL
3C = 4+#, 14--17
3D = 6+#, 11--13
3N = 15--17, stoppers""",
    )
    yield from _after(
        "1D-2C",
        """
2D = 5+#, 11--14
2H = 4#, 15--17
2S = 4#, 15--17
2N = 12--14 BAL
3C = 3+!c, 15--17
3D = 6+#, 15--17""",
    )


def _majors() -> Iterator[str]:
    for major in _MAJORS:
        sign, other = major.lower(), _other(major)
        yield from (f"* 1{major} and what follows", "")
        first = "1S = 6+, 4+#" if major == "H" else "2H = GF, 5+#"
        yield from _after(
            f"1{major}-",
            f"""
{first}
1N = 6--12, at most 3!{sign}
2C = ! GF, 2+#
2D = GF, 5+#
2{major} = 3!{sign}, 6--9
2N = ! 4+!{sign}, 12+
3C = ! 4!{sign}, 7--9
3D = ! 4!{sign}, 10--11
3{major} = 4+!{sign}, 0--6
3N = 13--15 BAL, 3!{sign}
4C = SPL
4D = SPL
4{major} = 5+!{sign}, 2--8""",
        )
        yield from _after(
            f"1{major}-1N",
            f"""
2C = 3+#, 11--17
2D = 3+#, 11--17
2{major} = 6+!{sign}, 11--14
2N = ! 6+!{sign}, 16--17
3C = 5+#, 15--17
3D = 5+#, 15--17
3{major} = 6+!{sign}, 15--16
P = 12--13 BAL""",
        )
        yield from _after(
            f"1{major}-1N-2{major}",
            f"""
2N = 11--12
3C = 6+#, 8--10
3D = 6+#, 8--10
3{major} = 2+!{sign}, 10--11
4{major} = 2+!{sign}, 12
P = 6--9""",
        )
        for minor in "CD":
            yield from _after(
                f"1{major}-1N-2{minor}",
                f"""
2{major} = 2!{sign}, 6--9
2N = 10--12 BAL
3{minor} = 5+!{minor.lower()}, 8--10
3{major} = 3!{sign}, 10--12
3N = 12, no fit
P = 4+!{minor.lower()}, 6--8""",
            )
        yield from _after(
            f"1{major}-2C",
            f"""
2D = ! 11--13, any
2{major} = 6+!{sign}, 14--17
2{other} = 4+#, 14--17
2N = 14--17 BAL
3C = 4+#, 14--17
3D = 5+#, 14--17
3{major} = 6+!{sign}, solid""",
        )
        yield from _after(
            f"1{major}-2C-2D",
            f"""
2{major} = 3+!{sign}
2{other} = 4+#, natural
2N = 12--14 BAL
3C = 5+#, no fit
3D = 4+!d and 5+!c
3{major} = 3+!{sign}, 16+
3N = 15--17 BAL
4{major} = 3+!{sign}, 12--14""",
        )
        yield from _after(
            f"1{major}-2D",
            f"""
2{major} = 5!{sign}, 11--13
2N = 12--14 BAL
3C = 4+#, 14--17
3D = 3+!d, 11+
3{major} = 6+!{sign}, 14--17""",
        )
        yield from _after(
            f"1{major}-2{major}",
            f"""
2N = INV, relay
3C = 4+#, 14--16
3D = 4+#, 14--16
3{major} = 6+!{sign}, 11--13
4{major} = 15--17, 6+!{sign}""",
        )
        yield from _after(
            f"1{major}-2N",
            f"""
3C = ! 11--13, no shortness
3D = ! 14--17, no shortness
3H = ! a singleton, 11+
3S = ! a singleton, 14+
3N = a void
4C = 5+#, 11--13
4D = 5+#, 11--13
4{major} = 11--12, 6+!{sign}""",
        )
        for bid, force in (("3C", "7--9"), ("3D", "10--11")):
            yield from _after(
                f"1{major}-{bid}",
                f"""
3{major} = 11--13, no interest opposite {force}
4{major} = 14--17
3N = ! asks for a singleton""",
            )


def _notrump() -> Iterator[str]:
    yield from ("* 1N and what follows", "")
    yield from _after(
        "1N-",
        """
2C = ! Stayman, 8+, 4!h or 4!s
2D = ! TRF, 5+!h
2H = ! TRF, 5+!s
2S = ! 6+!c
2N = ! 6+!d
3C = ! 5--5 minors, GF
3D = ! 5--5 majors, GF
3H = ! 5+!d and 4+!c, a singleton !h, 9+
3S = ! 5+!d and 4+!c, a singleton !s, 9+
3N = 10--15, no major
4C = ! aces?
4D = ! TRF, 6+!h
4H = ! TRF, 6+!s
4N = 16--17 BAL""",
    )
    yield from _after(
        "1N-2C",
        """
2D = ! no major
2H = 4+!h
2S = 4+!s, no 4!h""",
    )
    yield from _after(
        "1N-2C-2D",
        """
2H = 5!h and 4!s, 8
2S = 5!s and 4!h, 8--9
2N = 8--9
3C = 5+#, GF
3D = 5+#, GF
3H = ! 5!s and 4!h, GF
3S = ! 5!h and 4!s, GF
3N = 10--15
4N = 16--17""",
    )
    for major in _MAJORS:
        sign, other = major.lower(), _other(major)
        yield from _after(
            f"1N-2C-2{major}",
            f"""
2N = 8--9, 4!{other.lower()}
3C = 5+#, GF
3D = 5+#, GF
3{major} = 4!{sign}, 8--9
3{other} = ! 4+!{sign}, 16+
3N = 10--15
4{major} = 4!{sign}, 10--14
4N = 16--17""",
        )
        transfer = "2D" if major == "H" else "2H"
        yield from _after(
            f"1N-{transfer}",
            f"""
2{major} = any
3{major} = 4!{sign}, 16--17
2N = ! 4!{sign}, 15, a doubleton
3C = ! 4!{sign}, 17, good clubs""",
        )
        second = "2S = 4+#, 8+" if major == "H" else "3H = 5+#, GF"
        yield from _after(
            f"1N-{transfer}-2{major}",
            f"""
{second}
2N = 8--9, 5!{sign}
3C = 4+#, GF
3D = 4+#, GF
3{major} = 6+!{sign}, 8--9
3N = 10--15, 5!{sign}
4C = SPL
4D = SPL
4{major} = 6+!{sign}, 10--14
4N = 16--17, 5!{sign}
P = 0--7""",
        )
    for bid, minor in (("2S", "C"), ("2N", "D")):
        over = "2N" if bid == "2S" else "3C"
        yield from _after(
            f"1N-{bid}",
            f"""
3{minor} = 3+!{minor.lower()}, 16--17
{over} = at most 2!{minor.lower()}""",
        )
        yield from _after(
            f"1N-{bid}-{over}",
            f"""
3{minor} = 0--7
3H = a singleton, 9+
3S = a singleton, 9+
3N = 8--10""",
        )


def _twos() -> Iterator[str]:
    yield from ("* 2C and what follows", "")
    yield from _after(
        "2C-",
        """
2D = ! relay, 10+
2H = 5+#, 7--10
2S = 5+#, 7--10
2N = 11--12 BAL
3C = 3+!c, 6--10
3D = 6+#, INV
3H = 6+#, INV
3S = 6+#, INV
3N = 13--15 BAL
4C = PRE, 5+#
P = 0--7""",
    )
    yield from _after(
        "2C-2D",
        """
2H = 4#, 11--14
2S = 4#, 11--14
2N = 6+!c, 13--14, stoppers
3C = 6+!c, 11--12
3D = 5+!c and 4!d
3N = 6+!c, solid""",
    )
    for major in _MAJORS:
        yield from _after(
            f"2C-2D-2{major}",
            f"""
2N = INV, relay
3C = 3+!c, 10--12
3D = ! GF, relay
3{major} = 4!{major.lower()}, INV
3N = 13--16
4{major} = 4!{major.lower()}, 12--15""",
        )
    yield from ("* 2D, the Multi", "")
    yield from _after(
        "2D-",
        """
2H = ! pass or correct
2S = ! pass or correct, 3+!h, INV
2N = ! 15+, relay
3C = 6+#, GF
3D = 6+#, GF
3H = ! pass or correct
3S = ! pass or correct
4H = ! pass or correct
4S = 7+#, 10+
P = 6+!d, 0--9""",
    )
    yield from _after(
        "2D-2N",
        """
3C = ! 6--8, 6!h
3D = ! 6--8, 6!s
3H = ! 9--10, 6!h
3S = ! 9--10, 6!s""",
    )
    yield from _after(
        "2D-2H",
        """
2S = 6+#, 6--10
3C = 6+!h, 10, good clubs
3D = 6+!h, 10, good diamonds
P = 6+!h""",
    )
    for major in _MAJORS:
        sign, other = major.lower(), _other(major)
        new = "2S = 5+#, INV" if major == "H" else "3H = 6+#, INV"
        yield from (f"* 2{major}, two suits", "")
        yield from _after(
            f"2{major}-",
            f"""
{new}
2N = ! relay, 14+
3C = ! pass or correct
3D = ! 3!{sign}, INV
3{major} = 3!{sign}, 0--8
3N = to play, 16+
4C = ! pass or correct
4{major} = 3+!{sign}, 6--14
P = 0--13""",
        )
        yield from _after(
            f"2{major}-2N",
            f"""
3C = 4+#, 6--8
3D = 4+#, 6--8
3H = ! 4+!c, 9--10
3S = ! 4+!d, 9--10
3N = 5!{sign} and 5!{other.lower()}""",
        )
    yield from ("* 2N, both minors", "")
    yield from _after(
        "2N-",
        """
3C = 0--9, 3+#
3D = 0--9, 3+#
3H = ! INV in a minor
3S = ! GF, relay
3N = 16+, stoppers
4C = 4+#, 6--10
4D = 4+#, 6--10
4H = 7+#, 12+
4S = 7+#, 12+""",
    )


def _threes() -> Iterator[str]:
    yield from ("* Answers to preempts", "")
    for suit in _SUITS:
        sign = suit.lower()
        yield from _after(
            f"3{suit}-",
            f"""
3N = 16+, a fit or stoppers
4{suit} = 3+!{sign}, 4--10
4N = ! aces?
P = 0--14""",
        )


def _they_interfere() -> Iterator[str]:
    yield from ("* They interfere over 1C", "")
    yield from _after(
        "1C-(X)",
        """
XX = 9+
1D = 0--6
1H = 4+#, 6--9
1S = 4+#, 6--9
1N = 8--10 BAL
2C = 5+#, 6--9
2D = 5+#, 6--9
2H = 6+#, 4--7
2S = 6+#, 4--7""",
    )
    for suit in "DHS":
        sign = suit.lower()
        majors = [major for major in _MAJORS if major != suit]
        new = [f"1{m} = 4+#, 7+" for m in majors if suit == "D" or (suit, m) == ("H", "S")]
        twos = [f"2{m} = 5+#, 8+" for m in _SUITS if m > suit and m != suit and suit != "D"]
        lows = [f"2{m} = 5+#, 8--10" for m in "CD" if m < suit]
        yield from _after(
            f"1C-(1{suit})",
            "\n".join(
                [
                    f"X = {'4!s' if suit == 'H' else '4!h' if suit == 'S' else '4!h and 4!s'}, 7+",
                    *new,
                    f"1N = 8--10 BAL, a stopper in !{sign}",
                    *lows,
                    *twos,
                    f"2{suit} = ! GF, at most 2!{sign}",
                    f"2N = 11--12 BAL, a stopper in !{sign}",
                    f"3N = 13--15 BAL, a stopper in !{sign}",
                    "P = 0--6, any",
                ]
            ),
        )
        yield from _after(
            f"1C-(1{suit})-P-(P)",
            f"""
X = 18+, any
1N = 18--20 BAL, a stopper in !{sign}
2C = 15--17, 5+#
2{suit} = ! GF, 22+
2N = 21--22 BAL
P = 12--14 BAL""",
        )
    for level, suit in (("2", "C"), ("2", "D"), ("2", "H"), ("2", "S"), ("3", "D")):
        sign = suit.lower()
        free = [
            f"{level if m > suit else int(level) + 1}{m} = 5+#, 8+" for m in _SUITS if m != suit
        ]
        yield from _after(
            f"1C-({level}{suit})",
            "\n".join(
                ["X = 8+, no good bid", *free, f"3N = 12--15, a stopper in !{sign}", "P = 0--7"]
            ),
        )
    for opening in ("1D", "1H", "1S"):
        sign = opening[1].lower()
        yield from (f"* They interfere over {opening}", "")
        yield from _after(
            f"{opening}-(X)",
            f"""
XX = 10+
1N = 7--9 BAL
2{opening[1]} = 3+!{sign}, 5--8
2N = ! 4+!{sign}, 10+
3{opening[1]} = 4+!{sign}, 0--6
4{opening[1]} = 5+!{sign}, 2--8""",
        )
        for suit in _SUITS:
            if suit == opening[1]:
                continue
            height = 1 if suit > opening[1] else 2
            theirs = suit.lower()
            yield from _after(
                f"{opening}-({height}{suit})",
                f"""
X = negative, 8+, 4+ in an unbid major
{height}N = 8--11 BAL, a stopper in !{theirs}
{height + 1}{suit} = ! 3+!{sign}, 10+
{height + 1 if suit > opening[1] else height}{opening[1]} = 3+!{sign}, 6--9
3{opening[1]} = 4+!{sign}, 3--6
3N = 13--15 BAL, a stopper in !{theirs}
P = 0--7""",
            )
    yield from ("* They interfere over 1N", "")
    yield from _after(
        "1N-(X)",
        """
XX = 8+, BAL
2C = 5+#, 0--7
2D = 5+#, 0--7
2H = 5+#, 0--7
2S = 5+#, 0--7""",
    )
    for suit in _SUITS:
        sign = suit.lower()
        free = [
            f"{'2' if m > suit else '3'}{m} = 5+#, {'4--8' if m > suit else '10+'}"
            for m in _SUITS
            if m != suit
        ]
        yield from _after(
            f"1N-(2{suit})",
            "\n".join(
                [
                    "X = takeout, 8+",
                    *free,
                    f"3{suit} = ! Stayman, GF",
                    f"3N = 10--15, a stopper in !{sign}",
                    "P = 0--7",
                ]
            ),
        )


def _they_open() -> Iterator[str]:
    yield from ("* They open", "")
    for suit in _SUITS:
        sign = suit.lower()
        over = [
            f"{'1' if m > suit else '2'}{m} = 5+#, {'8--16' if m > suit else '10--16'}"
            for m in _SUITS
            if m != suit
        ]
        jumps = [f"{'2' if m > suit else '3'}{m} = 6+#, 5--10" for m in _SUITS if m != suit]
        pair = "5!h and 5!s" if suit in "CD" else f"5!{_other(suit).lower()} and 5+ minor"
        yield from _after(
            f"(1{suit})",
            "\n".join(
                [
                    f"X = 12+, at most 2!{sign} or 18+, any",
                    *over,
                    f"1N = 15--18 BAL, a stopper in !{sign}",
                    *jumps,
                    f"2{suit} = ! {pair}, 8--11 or 16+",
                    "2N = ! the two lowest suits, 5--5",
                    "P = 0--11",
                ]
            ),
        )
        for mine in _SUITS:
            if mine <= suit:
                continue
            yield from _after(
                f"(1{suit})-1{mine}-(P)",
                f"""
1N = 8--11, a stopper in !{sign}
2{suit} = ! 10+, a fit or a good hand
2{mine} = 3+!{mine.lower()}, 6--9
2N = 12--14, a stopper in !{sign}
3{mine} = 4+!{mine.lower()}, 4--8
4{mine} = 4+!{mine.lower()}, 10--13
P = 0--7""",
            )
        low = [f"2{m} = 5+#, 0--7" for m in _SUITS if m != suit]
        high = [f"3{m} = 6+#, 8+" for m in _SUITS if m != suit]
        yield from _after(
            f"(1{suit})-1N-(P)",
            "\n".join(
                [*low, f"2{suit} = ! Stayman, 8+", *high, "2N = 8--9 BAL", "3N = 10--15 BAL"]
            ),
        )
        for more in _SUITS:
            if more <= suit:
                continue
            free = [
                f"{'1' if m > more else '2'}{m} = 5+#, {'8--16' if m > more else '10--16'}"
                for m in _SUITS
                if m not in (suit, more)
            ]
            shown = [f"4+!{m.lower()}" for m in _SUITS if m not in (suit, more)]
            yield from _after(
                f"(1{suit})-P-(1{more})",
                "\n".join(
                    [f"X = {' and '.join(shown)}, 11+", *free, "1N = 16--18 BAL", "P = 0--11"]
                ),
            )
        answers = [f"{'1' if m > suit else '2'}{m} = 4+#, 0--8" for m in _SUITS if m != suit]
        forward = [f"{'2' if m > suit else '3'}{m} = 4+#, 9--11" for m in _SUITS if m != suit]
        yield from _after(
            f"(1{suit})-X-(P)",
            "\n".join(
                [
                    *answers,
                    f"1N = 7--10, a stopper in !{sign}",
                    *forward,
                    f"2{suit} = ! 12+",
                    f"2N = 11--12, a stopper in !{sign}",
                    f"3N = 13--15, a stopper in !{sign}",
                    f"P = 5+!{sign}, 6+",
                ]
            ),
        )
    yield from _after(
        "(1N)",
        """
X = 16+
2C = ! 4+!h and 4+!s, 10+
2D = ! 6+ card major, 8+
2H = ! 5!h and 4+ minor, 8+
2S = ! 5!s and 4+ minor, 8+
2N = ! 5--5 minors, 8+
3C = 7+#, 6--10
3D = 7+#, 6--10""",
    )
    for suit in "DHS":
        sign = suit.lower()
        over = [f"{'2' if m > suit else '3'}{m} = 5+#, 11--16" for m in _SUITS if m != suit]
        yield from _after(
            f"(2{suit})",
            "\n".join(
                [
                    f"X = 13+, at most 2!{sign}",
                    *over,
                    f"2N = 15--18 BAL, a stopper in !{sign}",
                    f"3N = 19--21, a stopper in !{sign}",
                    "P = 0--12",
                ]
            ),
        )
        yield from _after(
            f"(2{suit})-X-(P)",
            "\n".join(
                [
                    *[f"{'2' if m > suit else '3'}{m} = 4+#, 0--8" for m in _SUITS if m != suit],
                    "2N = ! weak, 0--7",
                    f"3N = 11--14, a stopper in !{sign}",
                    f"P = 5+!{sign}, 8+",
                ]
            ),
        )


def main() -> int:
    """Print the number of calls that became rules; return 1 if fewer than 40 % did."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the notes there")
    given = parser.parse_args()
    text = notes()
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "polish.bml"
        path.write_text(text, encoding="utf-8")
        lines = import_file(path, "polish").report.lines
    rows = [line for line in lines if " = " in line.text]
    fates = Counter(line.fate for line in rows)
    last = 2 + len(_OPENINGS.splitlines()) + 2
    openings = Counter(line.fate for line in rows if line.number <= last)
    print(f"{text.count(chr(10)):,} lines, {len(rows):,} rows of calls")
    for fate in Fate:
        if fates[fate]:
            print(f"{fates[fate]:,} {fate.value}, of the openings {openings[fate]}")
    print(f"with a rule: {100 * fates[Fate.RULE] / len(rows):.1f} %")
    return int(fates[Fate.RULE] < 0.4 * len(rows))


if __name__ == "__main__":
    sys.exit(ended(main))
