"""Explanations against a teacher's: auctions with facts, judged in one process.

    python bench/textbook.py [--data bench/textbook_own.csv] [--show]

The last call of each auction is judged by its headline. A row names facts, separated by semicolons:

purpose    a regular expression that the purpose must match (case is ignored)
strength   a range such as 10-12 or 13+; each end may be one point off, in whatever unit of
           strength the headline counts
suits      bounds on lengths, such as S>=4,H<=3
force      round, game or invitational; "round" is met by "game"

A row holds if all its facts do; the last line gives rows and facts that hold.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bidwright.bridge.typed_auction import read_typed
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.json_form import call_json
from bidwright.inference.explanation.service import Library
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ending import ended

OWN = Path(__file__).with_name("textbook_own.csv")
_SLACK = 1
"""Points that an end of a range may be off."""
_OPEN = 4
"""The distance of an upper end from the lower one, in points, that counts as none."""
_WEAK = 5
"""A lower end as small as this is as good as none."""

Row = Mapping[str, str]


class Fact(NamedTuple):
    """A fact that a row names.

    Attributes:
        name: the column.
        wanted: what it says.
        holds: whether the headline says so.
    """

    name: str
    wanted: str
    holds: bool


def facts(row: Row, headline: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield the facts of a row, judged by a headline."""
    if wanted := row["purpose"]:
        text = f"{headline['purpose']} {headline['text']}"
        yield Fact("purpose", wanted, bool(re.search(wanted, text, re.IGNORECASE)))
    if wanted := row["strength"]:
        yield Fact("strength", wanted, _is_as_strong(wanted, headline["strength"] or {}))
    for bound in filter(None, row["suits"].split(",")):
        suit, sign, cards = bound[0], bound[1:3], int(bound[3:])
        low, high = headline["suits"][suit]
        yield Fact("suits", bound, low >= cards if sign == ">=" else high <= cards)
    if wanted := row["force"]:
        met = {"round": ("round", "game"), "game": ("game",), "invitational": ("invitational",)}
        yield Fact("force", wanted, headline["force"] in met[wanted])


def _is_as_strong(wanted: str, strength: Mapping[str, Any]) -> bool:
    """Return True if a range of strength is the one wanted."""
    low, _, high = wanted.replace("+", "-").partition("-")
    least, most = strength.get("low") or 0, strength.get("high")
    if abs(least - int(low)) > _SLACK and not (int(low) <= _SLACK and least <= _WEAK):
        return False
    if high:
        return most is not None and abs(most - int(high)) <= _SLACK
    return most is None or most >= int(low) + _OPEN


def main() -> None:
    """Judge the auctions of a file and print the facts that hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=OWN)
    parser.add_argument("--show", action="store_true", help="print each row that does not hold")
    parser.add_argument("--all", action="store_true", help="print each row")
    args = parser.parse_args()
    with args.data.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    explainers: dict[str, Explainer] = {}
    library = Library(open_system)
    held = good = total = 0
    for row in rows:
        system = row["system"]
        if system not in explainers:
            explainers[system] = Explainer(library.reader(system, system))
        auction = read_typed(row["auction"]).auction
        reading = explainers[system].reader.read(auction)
        headline = call_json(explainers[system].explain_last(reading))["headline"]
        judged = list(facts(row, headline))
        total += len(judged)
        good += sum(fact.holds for fact in judged)
        missing = [f"{fact.name} {fact.wanted}" for fact in judged if not fact.holds]
        held += not missing
        if args.all or (args.show and missing):
            print(f"{system}: {row['auction']}\n  wanted  {row['sentence']}")
            print(f"  got     {headline['text']}  {headline['strength']} {headline['share']:.0%}")
            if missing:
                print(f"  missing {', '.join(missing)}")
    print(
        f"TEXTBOOK rows {held}/{len(rows)} = {held / len(rows):.1%}, "
        f"facts {good}/{total} = {good / total:.1%}"
    )


if __name__ == "__main__":
    sys.exit(ended(main))
