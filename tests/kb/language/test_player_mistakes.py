# ruff: noqa: E501, RUF001 - messages stand in one piece, mistakes as players type them
"""Mistakes that players make in a rule, each with its whole message and with what is right.

Where the advice says what to write, writing it gives a rule without mistakes. Beside each mistake
stands a rule that only looks like it; nothing is said about that.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.repair import edit_of
from bidwright.kb.language.vocabulary import SAID_OTHERWISE, WORDS
from bidwright.kb.loading.load import load

MISTAKES: tuple[tuple[str, str, str | None, str], ...] = (
    (
        '2D "Multi" artificial, forcing to 2NT',
        "2:13-40: E113 actions stand after ';'",
        "write '; artificial, forcing to 2NT'",
        '2D "Multi"; artificial, forcing to 2NT',
    ),
    (
        '2D "Multi" hcp 5..10, forcing to 2NT',
        "2:23-39: E113 actions stand after ';'",
        "write '; forcing to 2NT'",
        '2D "Multi" hcp 5..10; forcing to 2NT',
    ),
    (
        '2D "Multi" hcp 5..10; artificial, forcing to 2 notrump',
        "2:37-57: E113 a force to a level names the bid",
        "write 'forcing to 2NT'",
        '2D "Multi" hcp 5..10; artificial, forcing to 2NT',
    ),
    (
        "2H hearts 5+ forcing",
        "2:15-23: E113 actions stand after ';'",
        "write '; forcing'",
        "2H hearts 5+; forcing",
    ),
    (
        "2H hearts 5+, forcing game",
        "2:15-29: E113 actions stand after ';'",
        "write '; forcing game'",
        "2H hearts 5+; forcing game",
    ),
    (
        "2H hearts 5+ artificial",
        "2:15-26: E113 actions stand after ';'",
        "write '; artificial'",
        "2H hearts 5+; artificial",
    ),
    (
        "1NT hcp 8.9",
        "2:7-14: W206 no hand meets hcp 8.9",
        "write 'hcp 8..9'",
        "1NT hcp 8..9",
    ),
    (
        "1NT hcp 8-9",
        "2:11-14: E114 a range is written with two dots",
        "write '8..9'",
        "1NT hcp 8..9",
    ),
    (
        "1NT hcp 8 to 9",
        "2:11-17: E114 a range is written with two dots",
        "write '8..9'",
        "1NT hcp 8..9",
    ),
    (
        "1NT hcp 12 - 14",
        "2:11-18: E114 a range is written with two dots",
        "write '12..14'",
        "1NT hcp - 3 >= 9",
    ),
    (
        "1NT hcp 20–21",
        "2:11-16: E114 a range is written with two dots",
        "write '20..21'",
        "1NT hcp 20..21",
    ),
    (
        "1NT hcp 20...21",
        "2:11-18: E114 a range is written with two dots",
        "write '20..21'",
        "1NT hcp ..21",
    ),
    (
        "1NT hcp 20~21",
        "2:11-16: E114 a range is written with two dots",
        "write '20..21'",
        "1NT hcp 20|21",
    ),
    (
        "1NT hcp 20/21",
        "2:11-16: E114 a range is written with two dots",
        "write '20..21'",
        "1NT hcp 20|21",
    ),
    (
        "1NT hcp between 20 and 21",
        "2:11-28: E114 a range is written with two dots",
        "write '20..21'",
        "1NT hcp 20..21 and balanced",
    ),
    (
        "1NT hcp == 8",
        "2:7-15: E117 equality is written without a sign, or with one '='",
        "write 'hcp 8'",
        "1NT hcp = 8",
    ),
    (
        "1NT hearts == spades",
        "2:7-23: E117 equality is written with one '='",
        "write 'hearts = spades'",
        "1NT hearts = spades",
    ),
    ("1NT hcp => 8", "2:11-13: E117 this is no sign of a comparison", "write '>='", "1NT hcp >= 8"),
    ("1NT hcp =< 8", "2:11-13: E117 this is no sign of a comparison", "write '<='", "1NT hcp <= 8"),
    ("1NT hcp ≥ 8", "2:11-12: E117 this is no sign of a comparison", "write '>='", "1NT hcp >= 8"),
    ("1NT hcp ≤ 8", "2:11-12: E117 this is no sign of a comparison", "write '<='", "1NT hcp <= 8"),
    ("1NT hcp <> 8", "2:11-13: E117 this is no sign of a comparison", "write '!='", "1NT hcp != 8"),
    (
        "2H 5+ hearts",
        "2:6-15: E114 the number stands after what it counts",
        "write 'hearts 5+'",
        "2H 5 <= hearts",
    ),
    (
        "2H 5 hearts",
        "2:6-14: E114 the number stands after what it counts",
        "write 'hearts 5'",
        "2H 5 < hearts",
    ),
    ("2H 5+H", "2:6-9: E114 the number stands after what it counts", "write 'H 5+'", "2H H 5+"),
    (
        "2H hcp 5+, 6 hearts",
        "2:14-22: E114 the number stands after what it counts",
        "write 'hearts 6'",
        "2H hcp 5..6, hearts 6",
    ),
    (
        "2H exactly 4 hearts",
        "2:6-22: E114 the number stands after what it counts",
        "write 'hearts 4'",
        "2H hearts 4",
    ),
    (
        "2H at least 5 hearts",
        "2:6-23: E114 the number stands after what it counts",
        "write 'hearts 5+'",
        "2H hearts 5+",
    ),
    (
        "2H at most 3 spades",
        "2:6-22: E114 the number stands after what it counts",
        "write 'spades ..3'",
        "2H spades ..3",
    ),
    (
        "2H 8-10 hcp",
        "2:6-14: E114 the number stands after what it counts",
        "write 'hcp 8..10'",
        "2H hcp 8..10",
    ),
    (
        "2H 8..10 hcp",
        "2:6-15: E114 the number stands after what it counts",
        "write 'hcp 8..10'",
        "2H hcp 8..10",
    ),
    (
        "2H hearts 5+, 8-10 hcp",
        "2:17-25: E114 the number stands after what it counts",
        "write 'hcp 8..10'",
        "2H hearts 5+, hcp 8..10",
    ),
    (
        "2H 6-card hearts",
        "2:6-19: E114 the number stands after what it counts",
        "write 'hearts 6'",
        "2H hearts 6",
    ),
    (
        "2H 5 or more hearts",
        "2:6-22: E114 the number stands after what it counts",
        "write 'hearts 5+'",
        "2H hearts 5 or spades 5",
    ),
    (
        "2H hcp 10 or more",
        "2:10-20: E114 a range without an end is written with '+' or '..'",
        "write '10+'",
        "2H hcp 10 or hearts 6",
    ),
    (
        "2H hcp 10 or less",
        "2:10-20: E114 a range without an end is written with '+' or '..'",
        "write '..10'",
        "2H hcp 10 or spades 6",
    ),
    (
        "2H hcp 10-",
        "2:10-13: E114 a range without a beginning is written with '..'",
        "write '..10'",
        "2H hcp ..10",
    ),
    (
        "2NT hcp max 21",
        "2:7-17: E114 a limit is written as a range",
        "write 'hcp ..21'",
        "2NT hcp ..21",
    ),
    (
        "2NT hcp under 21",
        "2:7-19: E114 a limit is written as a range",
        "write 'hcp ..20'",
        "2NT hcp < 21",
    ),
    (
        "2NT hcp over 19",
        "2:7-18: E114 a limit is written as a range",
        "write 'hcp 20+'",
        "2NT hcp > 19",
    ),
    (
        "2NT hcp at least 20",
        "2:7-22: E114 a limit is written as a range",
        "write 'hcp 20+'",
        "2NT hcp 20+",
    ),
    ("2NT hcp is 20", "2:7-16: E114 a limit is written as a range", "write 'hcp 20'", "2NT hcp 20"),
    (
        "2H hearts5+",
        "2:6-14: E101 a blank stands between a number and its range",
        "write 'hearts 5+'",
        "2H hearts 5+",
    ),
    (
        "2H H5+",
        "2:6-9: E101 a blank stands between a number and its range",
        "write 'H 5+'",
        "2H H 5+",
    ),
    ("2H hearts five", "2:13-17: E114 numbers are written in digits", "write '5'", "2H hearts 5"),
    ("1H ♥ 5+", "2:6-7: E101 in a condition a suit is a word", "write 'hearts'", "1♥ hearts 5+"),
    (
        "2M Z other than C",
        "2:6-20: E101 one suit is told from another by 'is not'",
        "write 'Z is not C'",
        "2M Z is not C",
    ),
    (
        "2M Z != C",
        "2:6-12: E232 '!=' compares how many cards are in two suits, not the suits (expected: 'is' or 'is not'; for the cards a word, such as clubs)",
        "write 'Z is not C'",
        "2M Z != clubs",
    ),
    (
        "2X D = X",
        "2:6-11: E232 '=' compares how many cards are in two suits, not the suits (expected: 'is' or 'is not'; for the cards a word, such as clubs)",
        "write 'X is D'",
        "2X X is D",
    ),
    (
        "2H void in hearts",
        "2:6-20: E202 a suit stands in brackets after such a word",
        "write 'void(hearts)'",
        "2H void(hearts)",
    ),
    (
        "2H singleton hearts",
        "2:6-22: E202 a suit stands in brackets after such a word",
        "write 'singleton(hearts)'",
        "2H singleton(H)",
    ),
    (
        "2H stopper in spades",
        "2:6-23: E202 a suit stands in brackets after such a word",
        "write 'stopper(spades)'",
        "2H stopper(S)",
    ),
    (
        "2H spade stopper",
        "2:6-19: E202 a suit stands in brackets after such a word",
        "write 'stopper(spades)'",
        "2H stopper(spades)",
    ),
    (
        "2H no singleton",
        "2:6-18: E117 what a hand does not have is counted",
        "write 'singletons 0'",
        "2H singletons 0",
    ),
    (
        "2H no void",
        "2:6-13: E117 what a hand does not have is counted",
        "write 'voids 0'",
        "2H voids 0",
    ),
    (
        "2H hearts 5+, no spades",
        "2:17-26: E117 what a hand does not have is counted",
        "write 'spades 0'",
        "2H hearts 5+, spades 0",
    ),
    (
        "2H no aces",
        "2:6-13: E117 what a hand does not have is counted",
        "write 'aces 0'",
        "2H aces 0",
    ),
    (
        "2H hearts 5+ but not balanced",
        "2:15-23: E117 a condition is denied by 'not'",
        "write ', not'",
        "2H hearts 5+, not balanced",
    ),
    (
        "2H unless balanced",
        "2:5-12: E117 a condition is denied by 'not'",
        "write ' not'",
        "2H not balanced",
    ),
    (
        "2H hearts 5+ with hcp 5+",
        "2:15-20: E117 conditions are joined by ',' or 'and'",
        "write ','",
        "2H hearts 5+, hcp 5+",
    ),
    (
        "2H hearts 5+ if balanced",
        "2:15-18: E117 conditions are joined by ',' or 'and'",
        "write ','",
        "2H hearts 5, balanced",
    ),
    (
        "2H hearts 5+ AND hcp 5+",
        "2:15-19: E117 conditions are joined by ',' or 'and'",
        "write ','",
        "2H hearts 5+ and hcp 5+",
    ),
    (
        "2H hearts 5+ OR hcp 5+",
        "2:16-18: E117 this word is written in small letters",
        "write 'or'",
        "2H hearts 5+ or hcp 5+",
    ),
    (
        "2H hearts 5, or spades 5",
        "2:14-18: E117 no ',' stands before 'or'",
        "write ' or'",
        "2H hearts 5, hcp 5+ or spades 5",
    ),
    (
        "2H hearts 6,, hcp 5..10",
        "2:14-16: E101 one ',' is enough",
        "write ','",
        "2H hearts 6, hcp 5..10",
    ),
    (
        "1NT hcp 15..17, balanced usually",
        "2:19-35: E101 'usually' stands before what it is about",
        "write 'usually balanced'",
        "1NT hcp 15..17, usually balanced",
    ),
    (
        "2H either hearts 6 or spades 6",
        "2:6-19: E101 alternatives need 'or' alone",
        "write 'hearts'",
        "2H hearts 6 or spades 6",
    ),
    (
        "2H 'weak' hearts 6",
        "2:6-12: E101 a text stands in double quotes",
        "write '\"weak\"'",
        '2H "it\'s weak" hearts 6',
    ),
    (
        '2H "weak", hearts 6',
        "2:6-13: E101 no ',' stands after the text of a rule",
        "write '\"weak\"'",
        '2H "weak, long" hearts 6',
    ),
    (
        "2H = hearts 5+",
        "2:5-7: E101 the condition stands right after the call",
        "leave it out",
        "2H hearts = 5",
    ),
    (
        "2H - hearts 5+",
        "2:5-7: E101 the condition stands right after the call",
        "leave it out",
        "2H hearts - 5 > spades",
    ),
    (
        "2H shows hearts 5+",
        "2:5-11: E101 the condition stands right after the call",
        "leave it out",
        '2H "shows hearts" hearts 5+',
    ),
    (
        "2H hearts 6; hcp 5..10",
        "2:14-19: E113 conditions stand before ';'",
        "write ', hcp'",
        "2H hearts 6, hcp 5..10; forcing",
    ),
    (
        "1NT 4333",
        "2:7-11: E220 a shape stands after 'shape'",
        "write 'shape 4333'",
        "1NT shape 4333",
    ),
    (
        "1NT shape 4-3-3-3",
        "2:7-20: E220 a shape is written without '-'",
        "write 'shape 4333'",
        "1NT shape 4=3=3=3",
    ),
    (
        "1NT distribution 4333",
        "2:7-24: E220 a shape stands after 'shape'",
        "write 'shape 4333'",
        "1NT shape 4333|4432",
    ),
    (
        "2C; asks major, force",
        "2:19-24: E113 this action has another name",
        "write 'forcing'",
        "2C; asks major, forcing",
    ),
    (
        "2C; ask major",
        "2:7-10: E113 this action has another name",
        "write 'asks'",
        "2C; asks major",
    ),
    (
        "2C hcp 22+; game forcing",
        "2:15-27: E113 this action has another name",
        "write 'forcing game'",
        "2C hcp 22+; forcing game",
    ),
    (
        "2C hcp 22+; gf",
        "2:15-17: E113 this action has another name",
        "write 'forcing game'",
        "2C hcp 22+; forcing game",
    ),
    (
        "2C hcp 9..11; invite",
        "2:17-23: E113 this action has another name",
        "write 'invitational'",
        "2C hcp 9..11; invitational",
    ),
    (
        "2C hcp 5+; non-forcing",
        "2:14-25: E113 this action has another name",
        "write 'nonforcing'",
        "2C hcp 5+; nonforcing",
    ),
    (
        "2C clubs 6; to play",
        "2:15-22: E113 this action has another name",
        "write 'signoff'",
        "2C clubs 6; signoff",
    ),
    (
        "3H hearts 3; agree H",
        "2:16-21: E113 this action has another name",
        "write 'agrees'",
        "3H hearts 3; agrees H",
    ),
    (
        "2H; convention Flannery",
        "2:18-26: E119 a text stands in double quotes",
        "write '\"Flannery\"'",
        '2H; convention "Flannery"',
    ),
    (
        "1S/1H hcp 5+",
        "2:3-8: E110 calls of one rule are joined by '|' without blanks",
        "write '1S|1H'",
        "1S|1H hcp 5+, M 5|6",
    ),
    (
        "may 2H, 2S hcp 5+",
        "2:7-13: E110 calls of one rule are joined by '|' without blanks",
        "write '2H|2S'",
        "may 2H|2S hcp 5+",
    ),
    (
        "2H hcp GF+",
        "2:10-13: E114 this is no number of points",
        "write the points, such as 13+, and 'forcing game' after ';' if that is meant",
        "2H hcp 13+; forcing game",
    ),
    (
        "2h hearts 5+",
        "2:3-5: E109 '2h' is not a call (expected: a call such as 1NT, 2H, 2M, pass, X or XX)",
        "did you mean '2H'?",
        "2H hearts 5+",
    ),
    (
        "2H hearts 5+ spades 4",
        "2:16-22: E101 'spades' is not expected here; conditions are separated by ',' (expected: ',', 'and', 'or' or the end of the condition)",
        "write ',' before 'spades'",
        "2H hearts 5+, spades 4",
    ),
    (
        "2NT HCP 20..21",
        "2:7-10: E201 unknown number 'HCP' (expected: a number such as hcp, spades or losers)",
        "did you mean 'hcp'?",
        "2NT hcp 20..21",
    ),
    (
        "1NT 15-17 HCP, balanced",
        "2:7-16: E114 the number stands after what it counts",
        "write 'hcp 15..17'",
        "1NT hcp 15..17, balanced",
    ),
    (
        "1NT hcp=15..17",
        "2:7-17: E114 no sign stands between a number and its range",
        "write 'hcp 15..17'",
        "1NT hcp 15..17",
    ),
    (
        "1NT hcp 15,16,17",
        "2:11-19: E114 several values are joined by '|'",
        "write '15|16|17'",
        "1NT hcp 15|16|17",
    ),
    (
        "1NT hcp 15/16/17",
        "2:11-19: E114 several values are joined by '|'",
        "write '15|16|17'",
        "1NT hcp 15|16|17",
    ),
    (
        "1NT 15+ hcp",
        "2:7-14: E114 the number stands after what it counts",
        "write 'hcp 15+'",
        "1NT hcp 15+",
    ),
    (
        "1NT hcp 15 plus",
        "2:11-18: E114 a range without an end is written with '+' or '..'",
        "write '15+'",
        "1NT hcp 15+",
    ),
    (
        "1NT hcp 15 - 17",
        "2:11-18: E114 a range is written with two dots",
        "write '15..17'",
        "1NT hcp 15..17",
    ),
    (
        "1NT hcp (15..17)",
        "2:7-19: E114 a range stands without brackets",
        "write 'hcp 15..17'",
        "1NT hcp 15..17",
    ),
    (
        "1NT hcp [15..17]",
        "2:7-19: E114 a range stands without brackets",
        "write 'hcp 15..17'",
        "1NT hcp 15..17",
    ),
    (
        "1NT hcp 15…17",
        "2:11-16: E114 a range is written with two dots",
        "write '15..17'",
        "1NT hcp 15..17",
    ),
    (
        "1NT hcp 15..17 bal",
        "2:17-21: E201 this shape has another name, and conditions are joined by ','",
        "write ', balanced'",
        "1NT hcp 15..17, balanced",
    ),
    (
        "1NT hcp 15..17, bal",
        "2:19-22: E201 this shape has another name",
        "write 'balanced'",
        "1NT hcp 15..17, balanced",
    ),
    (
        "1NT hcp 15..17, BAL",
        "2:19-22: E201 this shape has another name",
        "write 'balanced'",
        "1NT hcp 15..17, balanced",
    ),
    (
        "1NT hcp 15..17, Balanced",
        "2:19-27: E201 unknown condition 'Balanced' (expected: a range after a number, or a fact such as balanced)",
        "did you mean 'balanced'?",
        "1NT hcp 15..17, balanced",
    ),
    (
        "1NT 15..17, balanced",
        "2:7-13: E114 nothing says what is counted",
        "write 'hcp 15..17'",
        '1NT "15..17" balanced',
    ),
    (
        "1NT points 15..17, flat",
        "2:22-26: E201 this shape has another name",
        "write 'balanced'",
        "1NT points 15..17, balanced",
    ),
    (
        "1NT hcp 15..17, no 5 card major",
        "2:19-34: E114 the length of the longer major is 'longest_major', of the longer minor 'longest_minor'",
        "write 'longest_major ..4'",
        "1NT hcp 15..17, longest_major ..4",
    ),
    (
        "1NT hcp 15..17, not 5 card major",
        "2:19-35: E114 the length of the longer major is 'longest_major', of the longer minor 'longest_minor'",
        "write 'longest_major ..4'",
        "1NT hcp 15..17, longest_major ..4",
    ),
    (
        "1NT hcp 15..17, 5332",
        "2:19-23: E220 a shape stands after 'shape'",
        "write 'shape 5332'",
        "1NT hcp 15..17, shape 5332",
    ),
    (
        "1NT hcp 15..17, 4333|4432",
        "2:19-23: E220 a shape stands after 'shape'",
        "write 'shape 4333'",
        "1NT hcp 15..17, shape 4333|4432",
    ),
    (
        "1NT hcp 15..17, shape 4-3-3-3",
        "2:19-32: E220 a shape is written without '-'",
        "write 'shape 4333'",
        "1NT hcp 15..17, shape 4333",
    ),
    (
        "1NT hcp 15..17, shape (4333)",
        "2:25-31: E220 a shape is written with digits alone",
        "write '4333'",
        "1NT hcp 15..17, shape 4333",
    ),
    (
        "1NT hcp 15..17, shape any 4333",
        "2:25-33: E220 a shape is written with digits alone",
        "write '4333'",
        "1NT hcp 15..17, shape 4333",
    ),
    (
        "1NT hcp 15..17; announce 15-17",
        "2:19-33: E113 a text stands in double quotes",
        "write 'announce \"15-17\"'",
        '1NT hcp 15..17; announce "15-17"',
    ),
    (
        '1NT hcp 15..17; alert: "x"',
        "2:24-25: E113 no ':' stands after an action",
        "leave it out",
        '1NT hcp 15..17; alert "x"',
    ),
    (
        "1NT hcp 15..17. balanced",
        "2:17-18: E117 conditions are joined by ',' or 'and'",
        "write ','",
        "1NT hcp 15..17, balanced",
    ),
    (
        "1NT = hcp 15..17",
        "2:6-8: E101 the condition stands right after the call",
        "leave it out",
        "1NT hcp 15..17",
    ),
    (
        "1NT - hcp 15..17",
        "2:6-8: E101 the condition stands right after the call",
        "leave it out",
        "1NT hcp 15..17",
    ),
    (
        "1 NT hcp 15..17",
        "2:3-7: E109 a call is one word: the level, and C D H S or NT",
        "write '1NT'",
        "1NT hcp 15..17, clubs 2..5",
    ),
    (
        "1nt hcp 15..17",
        "2:3-6: E109 '1nt' is not a call (expected: a call such as 1NT, 2H, 2M, pass, X or XX)",
        "did you mean '1NT'?",
        "1NT hcp 15..17",
    ),
    (
        "NT1 hcp 15..17",
        "2:3-6: E109 the level stands before the suit",
        "write '1NT'",
        "1NT hcp 15..17",
    ),
    (
        "1SA hcp 15..17",
        "2:3-6: E109 a call is one word: the level, and C D H S or NT",
        "write '1NT'",
        "1NT hcp 15..17",
    ),
    (
        "2S hcp 6..10, 6 spades",
        "2:17-25: E114 the number stands after what it counts",
        "write 'spades 6'",
        "2S hcp 6..10, spades 6",
    ),
    (
        "2S hcp 6..10, spades: 6",
        "2:23-24: E117 no ':' stands between a number and its range",
        "leave it out",
        "2S hcp 6..10, spades 6",
    ),
    (
        "2S hcp 6..10, spades six",
        "2:24-27: E114 numbers are written in digits",
        "write '6'",
        "2S hcp 6..10, spades 6",
    ),
    (
        "2S hcp 6..10, ♠6+",
        "2:17-20: E101 a blank stands between a number and its range",
        "write 'spades 6+'",
        "2S hcp 6..10, spades 6+",
    ),
    (
        "2S hcp 6..10, 6-card suit",
        "2:17-28: E114 the length of the longest suit is 'longest'",
        "write 'longest 6'",
        "2S hcp 6..10, longest 6",
    ),
    (
        "2S hcp 6..10, six-card suit",
        "2:17-30: E114 the length of the longest suit is 'longest'",
        "write 'longest 6'",
        "2S hcp 6..10, longest 6",
    ),
    (
        "2S hcp 6..10, spades exactly 6",
        "2:17-33: E114 a limit is written as a range",
        "write 'spades 6'",
        "2S hcp 6..10, spades 6",
    ),
    (
        "2S hcp 6..10, spades 6 cards",
        "2:25-31: E114 what is counted stands once, before the range",
        "leave it out",
        "2S hcp 6..10, spades 6",
    ),
    (
        "2S hcp 6..10, spades 6 or 7",
        "2:24-30: E114 several values are joined by '|'",
        "write '6|7'",
        "2S hcp 6..10, spades 6 or hearts 7",
    ),
    (
        "2S hcp 6..10, spades 6/7",
        "2:24-27: E114 a range is written with two dots",
        "write '6..7'",
        "2S hcp 6..10, spades 6..7",
    ),
    (
        "2S hcp 6..10, AQ of spades",
        "2:17-29: E202 cards are asked for by 'has', each by itself",
        "write 'has(SA), has(SQ)'",
        "2S hcp 6..10, has(SA), has(SQ)",
    ),
    (
        "2S hcp 6..10, ace of spades",
        "2:17-30: E202 a card is asked for by 'has'",
        "write 'has(SA)'",
        "2S hcp 6..10, has(SA)",
    ),
    (
        "2S hcp 6..10, has ace of spades",
        "2:17-34: E202 a card is asked for by 'has'",
        "write 'has(SA)'",
        "2S hcp 6..10, has(SA)",
    ),
    (
        "2S hcp 6..10, has SA",
        "2:17-23: E202 a card is asked for by 'has'",
        "write 'has(SA)'",
        "2S hcp 6..10, has(SA) or has(SK)",
    ),
    (
        "2S hcp 6..10, has(AS)",
        "2:17-24: E202 the suit of a card stands before its rank",
        "write 'has(SA)'",
        "2S hcp 6..10, has(SA)",
    ),
    (
        "2S hcp 6..10, has(spade A)",
        "2:17-29: E202 a card is one word: the suit and its rank",
        "write 'has(SA)'",
        "2S hcp 6..10, has(SA)",
    ),
    (
        "2S hcp 6..10, has(S,A)",
        "2:17-25: E202 a card is one word: the suit and its rank",
        "write 'has(SA)'",
        "2S hcp 6..10, has(SA)",
    ),
    (
        "2S hcp 6..10, 2 of top 3 spades",
        "2:17-34: E202 top honours are counted by 'top3'",
        "write 'top3(spades) 2+'",
        "2S hcp 6..10, top3(spades) 2+",
    ),
    (
        "2S hcp 6..10, top3 spades 2+",
        "2:17-28: E202 a suit stands in brackets after such a word",
        "write 'top3(spades)'",
        "2S hcp 6..10, top3(spades) 2+",
    ),
    (
        "2S hcp 6..10, spades => 6",
        "2:24-26: E117 this is no sign of a comparison",
        "write '>='",
        "2S hcp 6..10, spades >= 6",
    ),
    (
        "2S hcp 6..10, spades 6+ cards",
        "2:26-32: E114 what is counted stands once, before the range",
        "leave it out",
        "2S hcp 6..10, spades 6+",
    ),
    (
        "2S hcp 6..10, spades at least 6",
        "2:17-34: E114 a limit is written as a range",
        "write 'spades 6+'",
        "2S hcp 6..10, spades 6+",
    ),
    (
        "2S hcp 6..10, spades longer than hearts",
        "2:17-42: E117 suits are compared by '>'",
        "write 'spades > hearts'",
        "2S hcp 6..10, spades > hearts",
    ),
    (
        "2S hcp 6..10, spades longest",
        "2:17-31: E202 a suit stands in brackets after such a word",
        "write 'longest(spades)'",
        "2S hcp 6..10, longest(spades)",
    ),
    (
        "2S hcp 6..10, longest suit spades",
        "2:17-36: E202 a suit stands in brackets after such a word",
        "write 'longest(spades)'",
        "2S hcp 6..10, longest(spades)",
    ),
    (
        "2S hcp 6..10, more spades than hearts",
        "2:17-40: E117 suits are compared by '>'",
        "write 'spades > hearts'",
        "2S hcp 6..10, spades > hearts",
    ),
    (
        "2S hcp 6..10, both majors",
        "2:17-28: E201 each suit has its own range",
        "write the lengths that are meant, such as spades 4+, hearts 4+",
        "2S hcp 6..10, spades 4+, hearts 4+",
    ),
    (
        "2S hcp 6..10, 5-5 in the majors",
        "2:17-34: E220 each suit has its own range",
        "write 'spades 5+, hearts 5+'",
        "2S hcp 6..10, spades 5+, hearts 5+",
    ),
    (
        "2S hcp 6..10, 5/5 majors",
        "2:17-27: E220 each suit has its own range",
        "write 'spades 5+, hearts 5+'",
        "2S hcp 6..10, spades 5+, hearts 5+",
    ),
    (
        "2S hcp 6..10, 5-5",
        "2:17-20: E220 two lengths in any suits are a shape",
        "write 'shape 55xx'",
        "2S hcp 6..10, shape 55xx|65xx",
    ),
    (
        "2S hcp 6..10, hearts or spades 5+",
        "2:17-36: E114 each number has its own range",
        "write '(hearts 5+ or spades 5+)'",
        "2S hcp 6..10, hearts 5 or spades 5+",
    ),
    (
        "2S hcp 6..10, hearts/spades 5+",
        "2:17-33: E114 each number has its own range",
        "write '(hearts 5+ or spades 5+)'",
        "2S hcp 6..10, (hearts 5+ or spades 5+)",
    ),
    (
        "2S hcp 6..10, hearts and spades 5+",
        "2:17-37: E114 each number has its own range",
        "write 'hearts 5+ and spades 5+'",
        "2S hcp 6..10, hearts 5+ and spades 5+",
    ),
    (
        "2S hcp 6..10, 4 card major",
        "2:17-29: E114 the length of the longer major is 'longest_major', of the longer minor 'longest_minor'",
        "write 'longest_major 4+'",
        "2S hcp 6..10, longest_major 4+",
    ),
    (
        "2S hcp 6..10, short hearts",
        "2:17-29: E117 at most one card is '..1'",
        "write 'hearts ..1'",
        "2S hcp 6..10, hearts ..1",
    ),
    (
        "2S hcp 6..10, shortness hearts",
        "2:17-33: E117 at most one card is '..1'",
        "write 'hearts ..1'",
        "2S hcp 6..10, hearts ..1",
    ),
    (
        "2S hcp 6..10, hearts singleton or void",
        "2:17-41: E117 at most one card is '..1'",
        "write 'hearts ..1'",
        "2S hcp 6..10, singleton(hearts) or void(hearts)",
    ),
    (
        "2S hcp 6..10, no hearts",
        "2:17-26: E117 what a hand does not have is counted",
        "write 'hearts 0'",
        "2S hcp 6..10, hearts 0",
    ),
    (
        "2S hcp 6..10, no 4 hearts",
        "2:17-28: E117 what a hand does not have is counted",
        "write 'hearts ..3'",
        "2S hcp 6..10, hearts ..3",
    ),
    (
        "2S hcp 6..10, without 4 hearts",
        "2:17-33: E117 what a hand does not have is counted",
        "write 'hearts ..3'",
        "2S hcp 6..10, hearts ..3",
    ),
    (
        "2S hcp 6..10, stoppers(H)",
        "2:17-28: E201 unknown condition 'stoppers' (expected: a range after a number, or a fact such as balanced)",
        "did you mean 'stopper'?",
        "2S hcp 6..10, stopper(H)",
    ),
    (
        "2S hcp 6..10, 3 card support",
        "2:17-31: E114 support is the length of a suit",
        "write the suit that partner has bid and the cards in it, such as M 3+",
        "2S hcp 6..10, spades 3+",
    ),
    (
        "2S hcp 6..10, support for partner",
        "2:17-36: E114 support is the length of a suit",
        "write the suit that partner has bid and the cards in it, such as M 3+",
        "2S hcp 6..10, fit(S) 8+",
    ),
    (
        "2S hcp 6..10, opening values",
        "2:17-31: E201 strength is written in points",
        "write the points that are meant, such as hcp 12+ or hcp ..9",
        "2S hcp 6..10, points 9+",
    ),
    (
        "2S weak",
        "2:6-10: E201 strength is written in points",
        "write the points that are meant, such as hcp 12+ or hcp ..9",
        '2S "weak"',
    ),
    (
        "2S hcp 6..10, non-vulnerable",
        "2:17-31: E201 vulnerability is 'vulnerable', 'not vulnerable' or 'favourable'",
        "write 'not vulnerable'",
        "2S hcp 6..10, not vulnerable",
    ),
    (
        "2S hcp 6..10, not vul",
        "2:17-24: E201 vulnerability is 'vulnerable', 'not vulnerable' or 'favourable'",
        "write 'not vulnerable'",
        "2S hcp 6..10, not vulnerable",
    ),
    (
        "2S hcp 6..10, vul",
        "2:17-20: E201 vulnerability is 'vulnerable', 'not vulnerable' or 'favourable'",
        "write 'vulnerable'",
        "2S hcp 6..10, vulnerable",
    ),
    (
        "2S hcp 6..10, if vulnerable",
        "2:15-19: E117 conditions are joined by ',' or 'and'",
        "write ','",
        "2S hcp 6..10, vulnerable",
    ),
    (
        "2S hcp 6..10 if not vulnerable",
        "2:15-18: E117 conditions are joined by ',' or 'and'",
        "write ','",
        "2S hcp 6..10, not vulnerable",
    ),
    (
        "2S hcp 6..10 vulnerable",
        "2:16-26: E101 'vulnerable' is not expected here; conditions are separated by ',' (expected: ',', 'and', 'or' or the end of the condition)",
        "write ',' before 'vulnerable'",
        "2S hcp 6..10, vulnerable",
    ),
    (
        "2S hcp 6..10, 3rd seat",
        "2:17-25: E201 a seat is 'seat' and its number, dealer 1",
        "write 'seat 3'",
        "2S hcp 6..10, seat 3",
    ),
    (
        "2S hcp 6..10, third seat",
        "2:17-27: E201 a seat is 'seat' and its number, dealer 1",
        "write 'seat 3'",
        "2S hcp 6..10, seat 3",
    ),
    (
        "2S hcp 6..10, seat 3rd",
        "2:17-25: E201 a seat is 'seat' and its number, dealer 1",
        "write 'seat 3'",
        "2S hcp 6..10, seat 3",
    ),
    (
        "2S hcp 6..10, passed hand",
        "2:17-28: E201 this fact is one word",
        "write 'passed_hand'",
        "2S hcp 6..10, passed_hand",
    ),
    (
        "2S hcp 6..10, by passed hand",
        "2:17-31: E201 this fact is one word",
        "write 'passed_hand'",
        "2S hcp 6..10, passed_hand",
    ),
    (
        "2S hcp 6..10 hcp",
        "2:15-19: E114 what is counted stands once, before the range",
        "leave it out",
        "2S hcp 6..10",
    ),
    (
        "2S 6-10, spades 6",
        "2:6-10: E114 nothing says what is counted",
        "write 'hcp 6..10'",
        "2S hcp 6..10, spades 6",
    ),
    (
        "2S hcp max 10",
        "2:6-16: E114 a limit is written as a range",
        "write 'hcp ..10'",
        "2S hcp ..10",
    ),
    (
        "2S hcp 10-",
        "2:10-13: E114 a range without a beginning is written with '..'",
        "write '..10'",
        "2S hcp ..10",
    ),
    (
        "2S hcp 10 or fewer",
        "2:10-21: E114 a range without an end is written with '+' or '..'",
        "write '..10'",
        "2S hcp ..10",
    ),
    (
        "2S hcp about 10",
        "2:10-18: E114 a range has two ends",
        "write the range that is meant, such as 9..11",
        "2S hcp 9..11",
    ),
    (
        "2S hcp ~10",
        "2:10-13: E114 a range has two ends",
        "write the range that is meant, such as 9..11",
        "2S hcp 10",
    ),
    (
        "2S HCP 6..10",
        "2:6-9: E201 unknown number 'HCP' (expected: a number such as hcp, spades or losers)",
        "did you mean 'hcp'?",
        "2S hcp 6..10",
    ),
    (
        "2S Hcp 6..10",
        "2:6-9: E201 unknown number 'Hcp' (expected: a number such as hcp, spades or losers)",
        "did you mean 'hcp'?",
        "2S hcp 6..10",
    ),
    (
        "2S hcps 6..10",
        "2:6-10: E201 unknown number 'hcps' (expected: a number such as hcp, spades or losers)",
        "did you mean 'hcp'?",
        "2S hcp 6..10",
    ),
    (
        "2S spades 6, honors(spades) 2+",
        "2:16-30: E201 unknown number 'honors' (expected: a number such as hcp, spades or losers)",
        "did you mean 'top5'?",
        "2S spades 6, top5(spades) 2+",
    ),
    (
        "2S spades 6, support(hearts) ..3",
        "2:16-31: E201 unknown number 'support' (expected: a number such as hcp, spades or losers)",
        "did you mean 'fit'?",
        "2S spades 6, fit(hearts) ..3",
    ),
    (
        "2S pts 6..10",
        "2:6-9: E201 unknown number 'pts' (expected: a number such as hcp, spades or losers)",
        "did you mean 'points'?",
        "2S points 6..10",
    ),
    (
        "2S points6..10",
        "2:6-17: E101 a blank stands between a number and its range",
        "write 'points 6..10'",
        "2S points 6..10",
    ),
    (
        '2S "weak two"; hcp 6..10',
        "2:16-21: E113 conditions stand before ';'",
        "write ' hcp'",
        '2S "weak two" hcp 6..10',
    ),
    (
        '2S "weak two", hcp 6..10',
        "2:6-17: E101 no ',' stands after the text of a rule",
        "write '\"weak two\"'",
        '2S "weak two" hcp 6..10',
    ),
    (
        "2S 'weak two' hcp 6..10",
        "2:6-16: E101 a text stands in double quotes",
        "write '\"weak two\"'",
        '2S "weak two" hcp 6..10',
    ),
    (
        "2S “weak two” hcp 6..10",
        "2:6-16: E101 a text stands in straight double quotes",
        "write '\"weak two\"'",
        '2S "weak two" hcp 6..10',
    ),
    (
        '2S "weak two hcp 6..10',
        "2:6-25: E112 a text without a closing quote",
        "write '\"' at its end",
        '2S "weak two" hcp 6..10',
    ),
    (
        '2S hcp 6..10; "weak two"',
        "2:15-27: E113 the text of a rule stands right after its call",
        'write the call, then the text, then the condition: 1NT "strong" hcp 15..17',
        '2S "weak two" hcp 6..10',
    ),
    (
        '2S hcp 6..10 "weak two"',
        "2:16-26: E101 the text of a rule stands right after its call (expected: ',' and another condition, ';' and actions, or the end of the line)",
        'write the call, then the text, then the condition: 1NT "strong" hcp 15..17',
        '2S "6..10" hcp 6..10',
    ),
    (
        "2S hcp 6..10; preemptive",
        "2:17-27: E113 this is a name, not an action",
        "write 'convention \"preemptive\"'",
        '2S hcp 6..10; convention "preemptive"',
    ),
    (
        "2S hcp 6..10; weak",
        "2:17-21: E113 this is a name, not an action",
        "write 'convention \"weak\"'",
        '2S hcp 6..10; convention "weak"',
    ),
    (
        "2S hcp 6..10; to play",
        "2:17-24: E113 this action has another name",
        "write 'signoff'",
        "2S hcp 6..10; signoff",
    ),
    (
        "2S hcp 6..10; game forcing",
        "2:17-29: E113 this action has another name",
        "write 'forcing game'",
        "2S hcp 6..10; forcing game",
    ),
    (
        "2S hcp 6..10; GF",
        "2:17-19: E113 this action has another name",
        "write 'forcing game'",
        "2S hcp 6..10; forcing game",
    ),
    (
        "2S hcp 6..10; forcing to 3 spades",
        "2:17-36: E113 a force to a level names the bid",
        "write 'forcing to 3S'",
        "2S hcp 6..10; forcing to 3S, agrees spades",
    ),
    (
        "2S hcp 6..10; forcing to three spades",
        "2:17-40: E113 a force to a level names the bid",
        "write 'forcing to 3S'",
        "2S hcp 6..10; forcing to 3S",
    ),
    (
        "2S hcp 6..10; forcing until 2NT",
        "2:17-34: E113 a force to a level names the bid",
        "write 'forcing to 2NT'",
        "2S hcp 6..10; forcing to 2NT",
    ),
    (
        "2S hcp 6..10; slam try",
        "2:17-25: E113 this is a name, not an action",
        "write 'convention \"slam try\"'",
        '2S hcp 6..10; convention "slam try"',
    ),
    (
        "2S hcp 6..10; artificial forcing",
        "2:28-35: E113 'forcing' is not expected here; actions are separated by ',' (expected: ',' and another action, or the end of the line)",
        "write ',' before 'forcing'",
        "2S hcp 6..10; artificial, forcing",
    ),
    (
        "2S hcp 6..10; artificial and forcing",
        "2:17-39: E113 actions are separated by ','",
        "write 'artificial, forcing'",
        "2S hcp 6..10; artificial, forcing",
    ),
    (
        "2S hcp 6..10; artificial; forcing",
        "2:27-28: E113 actions are separated by ','; only the first follows ';' (expected: ',' or the end of the line)",
        "write ','",
        "2S hcp 6..10; artificial, forcing",
    ),
    (
        "2S hcp 6..10, artificial",
        "2:15-27: E113 actions stand after ';'",
        "write '; artificial'",
        "2S hcp 6..10; artificial",
    ),
    (
        "2S hcp 6..10: artificial",
        "2:15-16: E113 actions stand after ';'",
        "write ';'",
        "2S hcp 6..10; artificial",
    ),
    (
        "2S hcp 6..10; asks for aces",
        "2:17-30: E113 a question is 'asks' and one word",
        "write 'asks aces'",
        "2S hcp 6..10; asks aces",
    ),
    (
        "2S hcp 6..10; asking aces",
        "2:17-28: E113 a question is 'asks' and one word",
        "write 'asks aces'",
        "2S hcp 6..10; asks aces",
    ),
    (
        "2S hcp 6..10; asks keycards for hearts",
        "2:17-41: E113 the suit of a question stands after 'in'",
        "write 'asks keycards in hearts'",
        "2S hcp 6..10; asks keycards in hearts",
    ),
    (
        '2S hcp 6..10; asks "aces"',
        "2:17-28: E113 a question is one word without quotes",
        "write 'asks aces'",
        "2S hcp 6..10; asks aces",
    ),
    (
        "maybe 2S hcp 6..10",
        "2:3-8: E109 a call that the player is free to make begins with 'may'",
        "write 'may'",
        "maybe: 2S hcp 6..10",
    ),
    (
        "can 2S hcp 6..10",
        "2:3-6: E109 a call that the player is free to make begins with 'may'",
        "write 'may'",
        "may 2S hcp 6..10",
    ),
    (
        "sometimes 2S hcp 6..10",
        "2:3-12: E109 a call that the player is free to make begins with 'may'",
        "write 'may'",
        "may 2S hcp 6..10",
    ),
    (
        "p hcp ..10",
        "2:3-4: E109 'p' is not a call (expected: a call such as 1NT, 2H, 2M, pass, X or XX)",
        "did you mean 'P'?",
        "P hcp ..10",
    ),
    (
        "PASS hcp ..10",
        "2:3-7: E109 'PASS' is not a call (expected: a call such as 1NT, 2H, 2M, pass, X or XX)",
        "did you mean 'pass'?",
        "pass hcp ..10",
    ),
    (
        "else pass",
        "2:3-8: E109 a rule without a condition holds for every hand",
        "leave it out",
        "pass",
    ),
    (
        "otherwise pass",
        "2:3-13: E109 a rule without a condition holds for every hand",
        "leave it out",
        "pass",
    ),
    (
        "- pass",
        "2:3-5: E109 a rule begins with its call, without a bullet or a number",
        "leave it out",
        "pass",
    ),
    (
        "* 2S hcp 6..10",
        "2:3-5: E109 a rule begins with its call, without a bullet or a number",
        "leave it out",
        "2S hcp 6..10",
    ),
    (
        "1. 2S hcp 6..10",
        "2:3-6: E109 a rule begins with its call, without a bullet or a number",
        "leave it out",
        "2S hcp 6..10",
    ),
    (
        "S2 hcp 6..10",
        "2:3-5: E109 the level stands before the suit",
        "write '2S'",
        "2S hcp 6..10",
    ),
    (
        "2X hcp 6..10, X not C",
        "2:17-24: E101 one suit is told from another by 'is not'",
        "write 'X is not C'",
        "2X hcp 6..10, X is not C",
    ),
    (
        "2X hcp 6..10, X 6+, not clubs",
        "2:23-32: E204 a suit alone is no condition",
        "write 'X is not C' for another suit than clubs, or 'clubs 0' for no club",
        "2X hcp 6..10, X 6+, X is not C",
    ),
    (
        "2M hcp 6..10, M 6+, has(M Q)",
        "2:23-31: E202 a card is one word: the suit and its rank",
        "write 'has(MQ)'",
        "2M hcp 6..10, M 6+, has(MQ)",
    ),
    (
        "2M hcp 6..10, M 6+,, oM 3",
        "2:21-23: E101 one ',' is enough",
        "write ','",
        "2M hcp 6..10, M 6+, oM 3",
    ),
    (
        "2M hcp 6..10 M 6+",
        "2:16-17: E101 'M' is not expected here; conditions are separated by ',' (expected: ',', 'and', 'or' or the end of the condition)",
        "write ',' before 'M'",
        "2M hcp 6..10, M 6+",
    ),
    (
        "2M hcp (12 if vulnerable else 10)",
        "2:6-36: E117 a number that depends on a condition stands in brackets after a comparison",
        "write 'hcp >= (12 if vulnerable else 10)'",
        "2M hcp >= (12 if vulnerable else 10)",
    ),
    (
        "2M hcp 12 if vulnerable else 10",
        "2:6-34: E117 a number that depends on a condition stands in brackets after a comparison",
        "write 'hcp >= (12 if vulnerable else 10)'",
        "2M hcp >= (12 if vulnerable else 10)",
    ),
    (
        "2M control Z",
        "2:6-15: E202 a control is 'control(S)', 'first_control(S)' or 'second_control(S)'",
        "write 'control(Z)'",
        "2M control(Z)",
    ),
    (
        "2M controls(Z)",
        "2:6-17: E202 a control is 'control(S)', 'first_control(S)' or 'second_control(S)'",
        "write 'control(Z)'",
        "2M control(Z)",
    ),
    (
        "2M first round control Z",
        "2:6-27: E202 a control is 'control(S)', 'first_control(S)' or 'second_control(S)'",
        "write 'first_control(Z)'",
        "2M first_control(Z)",
    ),
    (
        "2H or 2S hcp 5",
        "2:3-11: E110 calls of one rule are joined by '|' without blanks",
        "write '2H|2S'",
        "2H|2S hcp 5",
    ),
    (
        "2H and 2S hcp 5",
        "2:3-12: E110 calls of one rule are joined by '|' without blanks",
        "write '2H|2S'",
        "2H|2S hcp 5",
    ),
    (
        "2H,2S hcp 5",
        "2:3-8: E110 calls of one rule are joined by '|' without blanks",
        "write '2H|2S'",
        "2H|2S hcp 5",
    ),
    (
        "1..2M hcp 5",
        "2:3-8: E110 a rule makes one call, not a range of levels (expected: a call such as 1M)",
        "write one rule for each level",
        "1M|2M hcp 5",
    ),
    (
        "step 2 hcp 5",
        "2:3-9: E109 what is meant stands in brackets",
        "write 'step(2)'",
        "step(2) hcp 5",
    ),
    (
        "jump M hcp 5",
        "2:3-9: E109 what is meant stands in brackets",
        "write 'jump(M)'",
        "jump(M) hcp 5",
    ),
    (
        "cheapest M hcp 5",
        "2:3-13: E109 what is meant stands in brackets",
        "write 'bid(M)'",
        "bid(M) hcp 5",
    ),
)
"""A rule with a mistake; place, code, message and what is expected; the advice; a right rule."""

OPEN = frozenset(
    {
        "2H hcp GF+",
        "2S hcp 6..10, both majors",
        "2S hcp 6..10, 3 card support",
        "2S hcp 6..10, support for partner",
        "2S hcp 6..10, opening values",
        "2S weak",
        "2S hcp about 10",
        "2S hcp ~10",
        '2S "weak two hcp 6..10',
        '2S hcp 6..10; "weak two"',
        '2S hcp 6..10 "weak two"',
        "2X hcp 6..10, X 6+, not clubs",
        "1..2M hcp 5",
    }
)
"""Mistakes that only the author can mend."""


def found_in(rule: str, folder: Path) -> list[Diagnostic]:
    path = folder / "player.bid"
    path.write_text(f"opening\n  {rule}\n", encoding="utf-8")
    # That a question is answered is a matter of the rest of the system.
    return [each for each in load(path).diagnostics if each.code != "W203"]


def advice_followed(rule: str, diagnostic: Diagnostic) -> str:
    """Return a rule with the advice about it carried out, as `check --fix` would."""
    edit = edit_of(diagnostic, f"  {rule}")
    assert edit is not None, diagnostic.help
    return edit.applied(f"  {rule}").strip()


@pytest.mark.parametrize(("rule", "message", "advice", "right"), MISTAKES)
def test_mistake_has_its_message(
    rule: str, message: str, advice: str | None, right: str, tmp_path: Path
) -> None:
    [found] = found_in(rule, tmp_path)
    place = f"{found.span.line}:{found.span.column}-{found.span.end_column}"
    expected = f" (expected: {found.expected})" if found.expected else ""
    assert f"{place}: {found.code} {found.message}{expected}" == message
    assert found.help == advice


@pytest.mark.parametrize("rule", [rule for rule, *_ in MISTAKES if rule not in OPEN])
def test_advice_followed_gives_a_right_rule(rule: str, tmp_path: Path) -> None:
    [found] = found_in(rule, tmp_path)
    assert found_in(advice_followed(rule, found), tmp_path) == []


def test_the_table_is_long() -> None:
    assert len({rule for rule, *_ in MISTAKES}) == len(MISTAKES) >= 150


@pytest.mark.parametrize("right", sorted({right for *_, right in MISTAKES}))
def test_what_only_looks_like_a_mistake_is_right(right: str, tmp_path: Path) -> None:
    assert found_in(right, tmp_path) == []


def test_comma_at_the_end_of_a_line_is_reported_there(tmp_path: Path) -> None:
    [found] = found_in("1H hearts 5+,\n    2H hearts 3+", tmp_path)
    assert (found.code, found.span.line, found.span.column) == ("E102", 2, 15)
    assert found.message == "a line that ends with ',' goes on in the next line"
    assert found_in("1H hearts 5+,\n    hcp 12+", tmp_path) == []


def test_wrong_value_of_a_parameter_is_reported_where_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "module.bid").write_text(
        'convention module(low = 8) "A module"\nopening\n  1NT hcp >= low\n', encoding="utf-8"
    )
    path = tmp_path / "author.bid"
    path.write_text("include module(low = 1NT)\n", encoding="utf-8")
    [found] = load(path).diagnostics
    assert (found.code, found.span.file) == ("E306", path.as_posix())
    path.write_text("include module(low = 9)\n", encoding="utf-8")
    assert load(path).diagnostics == ()


def test_way_out_of_a_low_priority_is_a_higher_one(tmp_path: Path) -> None:
    [found] = found_in("1S spades 5+; priority -3\n  pass", tmp_path)
    assert (found.code, found.help) == (
        "W201",
        "give it a priority above 0, or that rule 'last resort'",
    )
    assert found_in("1S spades 5+; priority 1\n  pass", tmp_path) == []


def test_what_is_said_otherwise_is_no_word_and_what_is_meant_is_one() -> None:
    known = {word.name for word in WORDS}
    assert {*SAID_OTHERWISE.values()} <= known
    assert not {*SAID_OTHERWISE} & known
