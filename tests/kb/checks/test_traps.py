"""Texts that are legal but seldom meant are reported, and those that only look like it are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.kb.language.diagnostics import render
from bidwright.kb.loading.load import load

ASK = "after 1M (P) 3M (P)\n  4NT hcp 18+; artificial, forcing, asks keycards\n"

TRAPS: dict[str, tuple[str, str]] = {
    "or between commas": (
        "opening\n  1M M 6, hcp 5..10 or hcp 20..21, losers ..7\n",
        """\
trap.bid:2:11: W207 ',' binds looser than 'or': this asks for M 6 and losers ..7 in every case
2 |   1M M 6, hcp 5..10 or hcp 20..21, losers ..7
  |           ^^^^^^^^^^^^^^^^^^^^^^^
  = help: write (hcp 5..10 or hcp 20..21) if so, else (M 6, hcp 5..10) or (hcp 20..21, losers ..7)
""",
    ),
    "two numbers of one suit": (
        "opening\n  1H hearts 5+, hearts ..4\n",
        """\
trap.bid:2:17: W205 hearts 5+ and hearts ..4 exclude each other
2 |   1H hearts 5+, hearts ..4
  |                 ^^^^^^^^^^
  = the other range: trap.bid:2:6
""",
    ),
    "more cards than a hand has": (
        "opening\n  1H hearts 7+, hcp 12+, spades 7+\n",
        """\
trap.bid:2:26: W206 no hand meets hearts 7+ and spades 7+
2 |   1H hearts 7+, hcp 12+, spades 7+
  |                          ^^^^^^^^^
  = help: change one of them, or write 'or' between them if one is enough
  = the other condition: trap.bid:2:6
""",
    ),
    "balanced with a long suit of a letter": (
        "opening\n  1M M 6+, balanced\n",
        """\
trap.bid:2:12: W206 no hand meets M 6+ and balanced
2 |   1M M 6+, balanced
  |            ^^^^^^^^
  = help: change one of them, or write 'or' between them if one is enough
  = the other condition: trap.bid:2:6
""",
    ),
    "contradiction by a definition": (
        "let weak = hcp 5..10\nopening\n  2H weak, hearts 6, hcp 12+\n",
        """\
trap.bid:3:22: W206 no hand meets weak and hcp 12+
3 |   2H weak, hearts 6, hcp 12+
  |                      ^^^^^^^
  = help: change one of them, or write 'or' between them if one is enough
  = the other condition: trap.bid:3:6
""",
    ),
    "alternative that the rest excludes": (
        "opening\n  1H hearts 5, spades 4 or hearts 6\n",
        """\
trap.bid:2:28: W206 no hand meets hearts 6 here, beside hearts 5
2 |   1H hearts 5, spades 4 or hearts 6
  |                            ^^^^^^^^
  = help: leave it out, or change what excludes it; ',' binds looser than 'or': write brackets \
around each case
  = this excludes it: trap.bid:2:6
""",
    ),
    "their suit": (
        "after (1S)\n  2X X 5+, hcp 10+\n",
        """\
trap.bid:2:3: W208 2X includes 2S, and they have bid that suit
2 |   2X X 5+, hcp 10+
  |   ^^
  = help: add 'not their_suit(X)', or ';' and 'artificial' for a cue-bid
""",
    ),
    "or without a blank after it": (
        "opening\n  1S hcp 8..9 orspades 4\n",
        """\
trap.bid:2:15: E125 a blank is missing between 'or' and 'spades'
2 |   1S hcp 8..9 orspades 4
  |               ^^^^^^^^
  = help: write 'or spades'
""",
    ),
    "may without a blank after it": (
        "opening\n  may2C hcp 5\n",
        """\
trap.bid:2:3: E125 a blank is missing between 'may' and '2C'
2 |   may2C hcp 5
  |   ^^^^^
  = help: write 'may 2C'
""",
    ),
    "forcing game in one word": (
        "opening\n  2C hcp 22+; forcinggame\n",
        """\
trap.bid:2:15: E125 a blank is missing between 'forcing' and 'game'
2 |   2C hcp 22+; forcinggame
  |               ^^^^^^^^^^^
  = help: write 'forcing game'
""",
    ),
    "agreement of a letter that is nowhere": (
        "after 1M (P)\n  4C M 4+; agrees Y\n",
        """\
trap.bid:2:12: E206 'agrees Y' is about no suit: nothing says what 'Y' is
2 |   4C M 4+; agrees Y
  |            ^^^^^^^^
  = expected: 'Y' in the calls before, in the call or in the condition
  = help: write 'agrees M'
""",
    ),
    "file included twice": (
        "include conventions/stayman\ninclude conventions/stayman\n",
        """\
trap.bid:2:1: W210 'conventions/stayman' is included already, so this does nothing
2 | include conventions/stayman
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  = help: leave it out, or give other values to its parameters
  = included here: trap.bid:1:1
""",
    ),
    "rule removed twice": (
        "opening\n  1S hcp 12+\n  1H\nremove opening.1S\nremove opening.1S\n",
        """\
trap.bid:5:1: W211 the rule 'opening.1S' is removed before
5 | remove opening.1S
  | ^^^^^^^^^^^^^^^^^
  = help: leave this one out
  = removed here: trap.bid:4:1
""",
    ),
    "rule overridden after it is removed": (
        "opening\n  1S hcp 12+\n  1H\nremove opening.1S\noverride opening.1S\n  1S hcp 9+\n",
        """\
trap.bid:5:1: W211 the rule 'opening.1S' is removed before
5 | override opening.1S
  | ^^^^^^^^^^^^^^^^^^^
  = help: leave out the 'remove', or this override
  = removed here: trap.bid:4:1
""",
    ),
    "definition that nothing uses": (
        "let weak = hcp 5..10\nopening\n  2H hearts 6\n",
        """\
trap.bid:1:1: W209 nothing uses the definition 'weak'
1 | let weak = hcp 5..10
  | ^^^^^^^^^^^^^^^^^^^^
  = help: use it in a condition, or remove it
""",
    ),
    "rebase onto nothing": (
        "after 1NT (P)\n  2C hcp 8+\nrebase 1NT (X) -> 1S (P)\n",
        """\
trap.bid:3:19: W212 no rule stands after 1S (P), so this 'rebase' does nothing
3 | rebase 1NT (X) -> 1S (P)
  |                   ^^^^^^
  = help: write 'after 1S (P)' and rules, or another auction here
""",
    ),
    "answers about no suit": (
        ASK + "answer keycards\n  step(1) keycards(X) 1\n    bid(X)\n  step(2)\n",
        """\
trap.bid:3:1: W214 which suit 'keycards' is about is not said here, so X may be any suit in \
keycards(X) 1
3 | answer keycards
  | ^^^^^^^^^^^^^^^
  = help: write 'in X' behind the question: answer keycards in X
  = X stands here: trap.bid:4:3
""",
    ),
    "answers about no suit by a definition": (
        "let few(S) = keycards(S) ..1\n" + ASK + "answer keycards\n  step(1) few(X)\n  step(2)\n",
        """\
trap.bid:4:1: W214 which suit 'keycards' is about is not said here, so X may be any suit in few(X)
4 | answer keycards
  | ^^^^^^^^^^^^^^^
  = help: write 'in X' behind the question: answer keycards in X
  = X stands here: trap.bid:5:3
""",
    ),
    "a sign-off in no suit under an answer": (
        ASK + "answer keycards\n  step(1) aces ..1\n    6X; signoff\n  step(2)\n",
        """\
trap.bid:3:1: W214 which suit 'keycards' is about is not said here, so X may be any suit in 6X
3 | answer keycards
  | ^^^^^^^^^^^^^^^
  = help: write 'in X' behind the question: answer keycards in X
  = X stands here: trap.bid:5:5
""",
    ),
    "answers to several questions about no suit": (
        ASK + "after 2M (P)\n  4C; artificial, forcing, asks aces\n"
        "answer keycards|aces\n  step(1) keycards(X) 1, X is not C\n  step(2)\n",
        """\
trap.bid:5:1: W214 which suit 'keycards' is about is not said here, so X may be any suit in \
keycards(X) 1
5 | answer keycards|aces
  | ^^^^^^^^^^^^^^^^^^^^
  = help: write 'in X' behind the question: answer keycards in X
  = X stands here: trap.bid:6:3
""",
    ),
}

FINE: dict[str, str] = {
    "or in brackets between commas": "opening\n  1M M 6, (hcp 5..10 or hcp 20..21), losers ..7\n",
    "cases in brackets": "opening\n  1M (M 6, hcp 5..10) or (hcp 20..21, balanced)\n",
    "or after the last comma": "opening\n  1M M 6, hcp 5..10 or hcp 20..21\n",
    "or before the first comma": "opening\n  1M M 6+ or longest 7+, hcp 5..10\n",
    "long suits that a hand can have": "opening\n  1H hearts 6+, spades 7\n",
    "balanced with a five-card major": "opening\n  1M M 5+, balanced\n",
    "letters that fit under one binding": "opening\n  1M M 5+, spades 5+, hearts ..4\n",
    "public facts are left open": "anywhere\n  3NT hcp ..9, partner.hcp.min 28+, not vulnerable\n",
    "denied definition": "let weak = hcp 5..10\nopening\n  1H not weak, hearts 5+, hcp 12+\n",
    "alternative beside another suit": "opening\n  1H hearts 5, spades 4 or clubs 4\n",
    "their suit denied": "after (1S)\n  2X X 5+, not their_suit(X), hcp 10+\n",
    "their suit limited": "after (1S)\n  2X X 5+, spades ..4\n",
    "cue-bid": "after (1S)\n  2X X ..2, hcp 13+; artificial\n",
    "letter that cannot be their suit": "after (1D)\n  2M M 6+, hcp 5..10\n",
    "letter bound in the calls": "after 1X (1S)\n  2X X 5+\n",
    "their two clubs": "after (2C)\n  3X X 7+, hcp ..10\n",
    "words that begin like or": "let order = hcp 5+\nopening\n  1S order or spades 5+\n",
    "words that begin like may": "let maybe = hcp 5+\nopening\n  may 2C maybe\n",
    "forcing to game": "opening\n  2C hcp 22+; forcing game\n",
    "agreement of a letter in the calls": "after 1M (P)\n  4C M 4+; agrees M\n",
    "agreement of the other major": "after 1M (P)\n  4C oM 4+; agrees oM\n",
    "agreement of a letter in the condition": "after 1NT (P)\n  4C Y 6+; agrees Y\n",
    "file included with two values": (
        "include conventions/stayman(over = 1NT)\ninclude conventions/stayman(over = 2NT)\n"
    ),
    "two rules removed": (
        "opening\n  1S hcp 12+\n  1H hcp 5\n  1C\nremove opening.1S\nremove opening.1H\n"
    ),
    "definition that a definition uses": (
        "let weak = hcp 5..10\nlet weaker = weak and losers 8+\nopening\n  2H weaker, hearts 6\n"
    ),
    "definitions without rules": "let weak = hcp 5..10\n",
    "rebase onto an auction with rules": (
        "after 1NT (P)\n  2C hcp 8+\nrebase 1NT (X) -> 1NT (P)\n"
    ),
    "rebase onto a letter": "after 1M (P)\n  2M M 3+\nrebase 1S (X) -> 1S (P)\n",
    "rebase onto what is rebased": (
        "after 1NT (P)\n  2C hcp 8+\nrebase 1NT (X) -> 1NT (P)\nrebase 1NT (2C) -> 1NT (X)\n"
    ),
    "answers about a suit": (
        ASK + "answer keycards in X\n  step(1) keycards(X) 1\n    bid(X)\n  step(2)\n"
    ),
    "answers about the agreed suit": (
        ASK + "answer keycards\n  step(1) agreed(X), keycards(X) 1\n"
        "    6X agreed(X), fit(X) 9+\n    5NT\n  step(2)\n"
    ),
    "answers that describe a suit": (
        ASK + "answer keycards\n  bid(X) X is not C, has(XK), has(XA)\n"
        "  5NT singleton(Y)\n  6Z Z 5+, fit(Z) 8+\n  6NT\n"
    ),
    "answers about the suit that they bid": (
        ASK + "answer keycards\n  step(1)\n    (5Y)\n      X losers(Y) ..1\n      pass\n"
    ),
    "answers under a public suit": (
        ASK + "answer keycards when agreed(X)\n  step(1) keycards(X) 1\n  step(2)\n"
    ),
}


def shown(text: str, folder: Path) -> str:
    path = folder / "trap.bid"
    path.write_text(text, encoding="utf-8")
    system = load(path)
    return render(system.diagnostics, system.texts).replace(str(path), "trap.bid")


@pytest.mark.parametrize("name", TRAPS)
def test_trap_is_reported(name: str, tmp_path: Path) -> None:
    text, expected = TRAPS[name]
    assert shown(text, tmp_path) == expected.rstrip("\n")


@pytest.mark.parametrize("name", FINE)
def test_what_only_looks_like_a_trap_is_not_reported(name: str, tmp_path: Path) -> None:
    assert shown(FINE[name], tmp_path) == ""
