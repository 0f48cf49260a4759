"""Malformed files, each with everything that an author is told about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.kb.language.diagnostics import render
from bidwright.kb.loading.load import load

CASES: dict[str, tuple[str, str]] = {
    "dash_in_range": (
        """\
opening
  1NT "strong" hcp 15-17, balanced
""",
        """\
bad.bid:2:20: E114 a range is written with two dots
2 |   1NT "strong" hcp 15-17, balanced
  |                    ^^^^^
  = help: write '15..17'
""",
    ),
    "word_in_range": (
        """\
opening
  1NT hcp 15 to 17
""",
        """\
bad.bid:2:11: E114 a range is written with two dots
2 |   1NT hcp 15 to 17
  |           ^^^^^^^^
  = help: write '15..17'
""",
    ),
    "range_without_end": (
        """\
opening
  1NT hcp 15.., balanced
""",
        """\
bad.bid:2:15: E114 a range without an end is written with '+'
2 |   1NT hcp 15.., balanced
  |               ^
  = expected: a number after '..'
  = help: write 15+ for 15 or more
""",
    ),
    "comma_forgotten": (
        """\
opening
  1S spades 5+ hcp 12+
""",
        """\
bad.bid:2:16: E101 'hcp' is not expected here; conditions are separated by ','
2 |   1S spades 5+ hcp 12+
  |                ^^^
  = expected: ',', 'and', 'or' or the end of the condition
  = help: write ',' before 'hcp'
""",
    ),
    "ampersand": (
        """\
opening
  1S spades 5+ & hcp 12+
""",
        """\
bad.bid:2:16: E117 conditions are joined by ',' or 'and', not by '&'
2 |   1S spades 5+ & hcp 12+
  |                ^
  = expected: ',' or 'and'
  = help: write ','
""",
    ),
    "double_equals": (
        """\
opening
  1S spades == 5
""",
        """\
bad.bid:2:6: E117 equality is written without a sign, or with one '='
2 |   1S spades == 5
  |      ^^^^^^^^^^^
  = help: write 'spades 5'
""",
    ),
    "text_after_condition": (
        """\
opening
  1S spades 5+ "five spades"
""",
        """\
bad.bid:2:16: E101 the text of a rule stands right after its call
2 |   1S spades 5+ "five spades"
  |                ^^^^^^^^^^^^^
  = expected: ',' and another condition, ';' and actions, or the end of the line
  = help: write the call, then the text, then the condition: 1NT "strong" hcp 15..17
""",
    ),
    "text_without_end": (
        """\
opening
  1S "five spades spades 5+
""",
        """\
bad.bid:2:6: E112 a text without a closing quote
2 |   1S "five spades spades 5+
  |      ^^^^^^^^^^^^^^^^^^^^^^
  = help: write '"' at its end
""",
    ),
    "bracket_never_closed": (
        """\
opening
  1S (spades 5+ or hearts 5+
  1H hearts 5+
""",
        """\
bad.bid:2:6: E111 this bracket is never closed
2 |   1S (spades 5+ or hearts 5+
  |      ^
  = expected: ')' before the rule or statement ends
""",
    ),
    "small_letters": (
        """\
opening
  1nt hcp 15..17
""",
        """\
bad.bid:2:3: E109 '1nt' is not a call
2 |   1nt hcp 15..17
  |   ^^^
  = expected: a call such as 1NT, 2H, 2M, pass, X or XX
  = help: did you mean '1NT'?
""",
    ),
    "level_too_high": (
        """\
opening
  8C clubs 8+
""",
        """\
bad.bid:2:3: E109 '8C' is not a call
2 |   8C clubs 8+
  |   ^^
  = expected: a call such as 1NT, 2H, 2M, pass, X or XX
  = help: levels go from 1 to 7; write C D H S NT in capitals
""",
    ),
    "colon_after_call": (
        """\
opening
  1NT: hcp 15..17
""",
        """\
bad.bid:2:6: E101 no ':' stands after a call
2 |   1NT: hcp 15..17
  |      ^
  = expected: a text, a condition, or ';' and actions
  = help: leave out ':'
""",
    ),
    "misspelt_action": (
        """\
opening
  2C hcp 22+; artifical, forcing
""",
        """\
bad.bid:2:15: E113 'artifical' is not an action
2 |   2C hcp 22+; artifical, forcing
  |               ^^^^^^^^^
  = expected: an action such as forcing, artificial, agrees S or alert
  = help: did you mean 'artificial'?
""",
    ),
    "action_before_semicolon": (
        """\
opening
  2C hcp 22+, forcing game
""",
        """\
bad.bid:2:13: E113 actions stand after ';'
2 |   2C hcp 22+, forcing game
  |             ^^^^^^^^^^^^^^
  = help: write '; forcing game'
""",
    ),
    "two_semicolons": (
        """\
opening
  2C hcp 22+; artificial; forcing
""",
        """\
bad.bid:2:25: E113 actions are separated by ','; only the first follows ';'
2 |   2C hcp 22+; artificial; forcing
  |                         ^
  = expected: ',' or the end of the line
  = help: write ','
""",
    ),
    "priority_in_words": (
        """\
opening
  2C hcp 22+; priority high
""",
        """\
bad.bid:2:24: E113 'priority' takes a whole number, got 'high'
2 |   2C hcp 22+; priority high
  |                        ^^^^
  = expected: a whole number such as 5 or -5
""",
    ),
    "two_tiers": (
        """\
opening
  1C hcp 12+; judgement, last resort
  judgement
    1D diamonds 4+; default
""",
        """\
bad.bid:2:26: E228 this rule is in the tier 'judgement' already
2 |   1C hcp 12+; judgement, last resort
  |                          ^^^^^^^^^^^
  = help: name a tier once: in a heading above the rules, or among the actions of one rule

bad.bid:4:5: E228 this rule is in the tier 'judgement' already
4 |     1D diamonds 4+; default
  |     ^^^^^^^^^^^^^^^^^^^^^^^
  = help: name a tier once: in a heading above the rules, or among the actions of one rule
""",
    ),
    "tier_like_a_label": (
        """\
opening
  1C hcp 12+
  judgement:
    1D diamonds 4+
""",
        """\
bad.bid:3:13: E102 a call stands after a label and its ':'
3 |   judgement:
  |             ^
  = expected: a call such as 1NT, 2M, pass, X or bid(S)
  = help: leave out ':' for a tier such as judgement, whose rules are indented under it
""",
    ),
    "tier_with_a_rule_on_its_line": (
        """\
opening
  1C hcp 12+
  judgement 1D diamonds 4+
""",
        """\
bad.bid:3:13: E101 the heading of a tier stands alone on its line
3 |   judgement 1D diamonds 4+
  |             ^^
  = expected: the end of the line, and rules indented under it
""",
    ),
    "tier_without_rules": (
        """\
opening
  1C hcp 12+
  judgement
  1D diamonds 4+
""",
        """\
bad.bid:3:3: E107 no rules follow 'judgement'
3 |   judgement
  |   ^^^^^^^^^
  = expected: rules on the next lines, indented more than this one
""",
    ),
    "tier_misspelt": (
        """\
opening
  1C hcp 12+
  judgment
    1D diamonds 4+
""",
        """\
bad.bid:3:3: E109 a rule begins with a call, got 'judgment'
3 |   judgment
  |   ^^^^^^^^
  = expected: a call such as 1NT, 2M, pass, X or bid(S)
  = help: did you mean 'judgement'?
""",
    ),
    "condition_too_short": (
        """\
opening
  1NT hcp 15..17,
""",
        """\
bad.bid:2:18: E102 something is missing at the end of the file
2 |   1NT hcp 15..17,
  |                  ^
  = expected: a condition such as hcp 15..17
""",
    ),
    "misspelt_statement": (
        """\
openning
  1NT hcp 15..17
""",
        """\
bad.bid:1:1: E108 'openning' begins no statement
1 | openning
  | ^^^^^^^^
  = expected: a statement such as opening, after, let or include
  = help: did you mean 'opening'?
""",
    ),
    "rule_outside_block": (
        """\
1NT hcp 15..17
""",
        """\
bad.bid:1:1: E115 the rule '1NT' stands in no block
1 | 1NT hcp 15..17
  | ^^^
  = expected: a statement such as opening, after, let or include
  = help: write it indented under 'opening', 'after PATTERN' or 'anywhere'
""",
    ),
    "block_without_rules": (
        """\
opening "nothing"
after 1NT (P)
  2C hcp 8+
""",
        """\
bad.bid:1:1: E107 no rules follow 'opening'
1 | opening "nothing"
  | ^^^^^^^
  = expected: rules on the next lines, indented more than this one
""",
    ),
    "rules_under_definition": (
        """\
let a = hcp 5+
  1NT a
""",
        """\
bad.bid:2:3: E106 this line is indented, but the line above takes nothing under it
2 |   1NT a
  |   ^^^
  = expected: a line at the left margin
  = help: begin the line at the left margin, or put it under 'opening', 'after' or 'anywhere'
""",
    ),
    "tab": (
        """\
opening
\t1NT hcp 15..17
""",
        """\
bad.bid:2:1: E104 a tab in the blanks before a line
2 | \t1NT hcp 15..17
  | ^
  = help: indent with spaces
""",
    ),
    "inconsistent_indentation": (
        """\
opening
    1NT hcp 15..17
      2C hcp 8+
     2D hcp 8+
""",
        """\
bad.bid:4:1: E105 this line is indented like no line above it
4 |      2D hcp 8+
  | ^^^^^
  = expected: 0, 4 or 6 spaces before it, got 5
""",
    ),
    "two_their_calls_in_one_bracket": (
        """\
after 1NT (P P)
  2C hcp 8+
""",
        """\
bad.bid:1:14: E118 their calls are written in brackets, each in its own
1 | after 1NT (P P)
  |              ^
  = expected: ')' or '|' and another call
  = help: write every call of both sides: 1NT (P) 2C (P)
""",
    ),
    "when_forgotten": (
        """\
opening vulnerable
  1NT hcp 15..17
""",
        """\
bad.bid:1:9: E118 a condition of a block stands after 'when'
1 | opening vulnerable
  |         ^^^^^^^^^^
  = expected: 'when' and a condition, or the end of the line
  = help: write 'when' before it
""",
    ),
    "dots_twice": (
        """\
after 1NT ... 4NT ... (P)
  2C hcp 8+
""",
        """\
bad.bid:1:19: E118 '...' stands once in a pattern
1 | after 1NT ... 4NT ... (P)
  |                   ^^^
  = expected: a call such as 1NT, 2M, any or bid
  = help: write 'any' and '(any)' for a single call
""",
    ),
    "title_forgotten": (
        """\
system mine
opening
  1NT hcp 15..17
""",
        """\
bad.bid:1:12: E119 a title or text must stand in quotes
1 | system mine
  |            ^
  = expected: a text in quotes, such as "Stayman"
""",
    ),
    "header_in_the_middle": (
        """\
opening
  1NT hcp 15..17
system mine "Mine"
""",
        """\
bad.bid:3:1: E103 'system' must be the first statement of a file
3 | system mine "Mine"
  | ^^^^^^^^^^^^^^^^^^
  = help: one file describes one system or one convention
""",
    ),
    "argument_without_name": (
        """\
include conventions/stayman(1NT)
""",
        """\
bad.bid:1:29: E119 arguments are given by name
1 | include conventions/stayman(1NT)
  |                             ^^^
  = expected: a parameter's name, '=' and its value
  = help: write (over = 1NT)
""",
    ),
    "two_files_in_one_include": (
        """\
include conventions/stayman, conventions/gerber
""",
        """\
bad.bid:1:28: E119 one 'include' names one file
1 | include conventions/stayman, conventions/gerber
  |                            ^
  = expected: '(' or the end of the line
  = help: write another 'include' on the next line
""",
    ),
    "example_without_arrow": (
        """\
example KQ4.AQ8.K9873.K2 1NT
""",
        """\
bad.bid:1:26: E119 an example ends with '->' and the call
1 | example KQ4.AQ8.K9873.K2 1NT
  |                          ^^^
  = expected: '->' and a call, such as -> 1NT
""",
    ),
    "example_brackets": (
        """\
example KQ4.AQ8.K9873.K2 after 1S (P) P P (P) -> 1NT
""",
        """\
bad.bid:1:39: E116 the calls of the two sides must alternate
1 | example KQ4.AQ8.K9873.K2 after 1S (P) P P (P) -> 1NT
  |                                       ^
  = expected: brackets around every second call; the last call is theirs
  = help: write every call, passes too: 1NT (P)
""",
    ),
    "line_joined_by_mistake": (
        """\
let a = hcp 5+ or
let b = hcp 6+
""",
        """\
bad.bid:1:16: E102 a line that ends with 'or' goes on in the next line
1 | let a = hcp 5+ or
  |                ^^
  = help: leave out 'or', or indent the next line more than this one
""",
    ),
    "several_at_once": (
        """\
opening
  1NT hcp 15-17
    2c hcp 8+
    2D hcp 8+ hearts 5+
  1S spades
afer 1S (P)
  2S spades 3+
let x hcp 5+
""",
        """\
bad.bid:2:11: E114 a range is written with two dots
2 |   1NT hcp 15-17
  |           ^^^^^
  = help: write '15..17'

bad.bid:3:5: E109 '2c' is not a call
3 |     2c hcp 8+
  |     ^^
  = expected: a call such as 1NT, 2H, 2M, pass, X or XX
  = help: did you mean '2C'?

bad.bid:4:15: E101 'hearts' is not expected here; conditions are separated by ','
4 |     2D hcp 8+ hearts 5+
  |               ^^^^^^
  = expected: ',', 'and', 'or' or the end of the condition
  = help: write ',' before 'hearts'

bad.bid:5:6: E204 'spades' is a number; a condition needs a range after it
5 |   1S spades
  |      ^^^^^^
  = expected: a range such as 5+, ..11 or 15..17

bad.bid:6:1: E108 'afer' begins no statement
6 | afer 1S (P)
  | ^^^^
  = expected: a statement such as opening, after, let or include
  = help: did you mean 'after'?

bad.bid:8:7: E119 a definition needs '=' and what it stands for
8 | let x hcp 5+
  |       ^^^
  = expected: '='
  = help: write let NAME = CONDITION
""",
    ),
    "unknown_name": (
        """\
opening
  1NT hpc 15..17, balancd
""",
        """\
bad.bid:2:7: E201 unknown number 'hpc'
2 |   1NT hpc 15..17, balancd
  |       ^^^
  = expected: a number such as hcp, spades or losers
  = help: did you mean 'hcp'?

bad.bid:2:19: E201 unknown condition 'balancd'
2 |   1NT hpc 15..17, balancd
  |                   ^^^^^^^
  = expected: a range after a number, or a fact such as balanced
  = help: did you mean 'balanced'?
""",
    ),
    "unknown_function": (
        """\
opening
  1NT hcp 15..17, stoper(S)
""",
        """\
bad.bid:2:19: E201 unknown condition 'stoper'
2 |   1NT hcp 15..17, stoper(S)
  |                   ^^^^^^^^^
  = expected: a range after a number, or a fact such as balanced
  = help: did you mean 'stopper'?
""",
    ),
    "unknown_public_number": (
        """\
anywhere
  3NT hcp + partner.hcp.mim 25+
""",
        """\
bad.bid:2:13: E201 unknown number 'partner.hcp.mim'
2 |   3NT hcp + partner.hcp.mim 25+
  |             ^^^^^^^^^^^^^^^
  = expected: a number such as hcp, spades or losers
  = help: did you mean 'partner.hcp.min'?
""",
    ),
    "action_as_condition": (
        """\
opening
  2C hcp 22+, artificial
""",
        """\
bad.bid:2:13: E113 actions stand after ';'
2 |   2C hcp 22+, artificial
  |             ^^^^^^^^^^^^
  = help: write '; artificial'
""",
    ),
    "range_forgotten": (
        """\
opening
  1S spades, hcp 12+
""",
        """\
bad.bid:2:6: E204 'spades' is a number; a condition needs a range after it
2 |   1S spades, hcp 12+
  |      ^^^^^^
  = expected: a range such as 5+, ..11 or 15..17
""",
    ),
    "fact_with_range": (
        """\
opening
  1NT balanced 1+, hcp 15..17
""",
        """\
bad.bid:2:7: E205 'balanced' is a condition, not a number
2 |   1NT balanced 1+, hcp 15..17
  |       ^^^^^^^^
  = expected: a number such as hcp, spades or losers
  = help: write 'balanced' alone, or 'not balanced'
""",
    ),
    "suit_forgotten": (
        """\
opening
  1NT stopper, hcp 15..17
""",
        """\
bad.bid:2:7: E202 'stopper' takes 1 argument in brackets
2 |   1NT stopper, hcp 15..17
  |       ^^^^^^^
  = expected: stopper(S)
""",
    ),
    "too_many_arguments": (
        """\
opening
  1NT hcp(S) 15..17
""",
        """\
bad.bid:2:7: E202 'hcp' takes nothing in brackets, got 1
2 |   1NT hcp(S) 15..17
  |       ^^^^^^
  = expected: hcp
""",
    ),
    "no_suit": (
        """\
opening
  1S top3(hcp) 2+
""",
        """\
bad.bid:2:11: E203 'hcp' is not a suit
2 |   1S top3(hcp) 2+
  |           ^^^
  = expected: a suit, as in top3(S)
""",
    ),
    "no_card": (
        """\
opening
  1S has(S9)
""",
        """\
bad.bid:2:10: E203 'S9' is not a card such as SA or MQ
2 |   1S has(S9)
  |          ^^
  = expected: a card such as SA or MQ, as in has(SA)
""",
    ),
    "other_major_of_nothing": (
        """\
opening
  2D oM 5+
""",
        """\
bad.bid:2:6: E206 'oM' is the other suit than 'M', but nothing says what 'M' is
2 |   2D oM 5+
  |      ^^
  = expected: 'M' in the calls before, in the call or in the condition
  = help: write 'M'
""",
    ),
    "letter_in_definition": (
        """\
let long = X 6+
opening
  2X long
""",
        """\
bad.bid:1:12: E206 'X' stands for no suit in the definition of 'long'
1 | let long = X 6+
  |            ^
  = expected: a parameter of the definition, or a suit such as spades
  = help: make 'X' a parameter of 'long'
""",
    ),
    "definition_in_circles": (
        """\
let a = b + 1
let b = a - 1
""",
        """\
bad.bid:1:1: E207 'a' is defined by itself: a -> b -> a
1 | let a = b + 1
  | ^^^^^^^^^^^^^
  = 'b' is defined here: bad.bid:2:1
""",
    ),
    "definition_twice": (
        """\
let a = hcp 5+
let a = hcp 6+
""",
        """\
bad.bid:2:1: E218 'a' is defined twice
2 | let a = hcp 6+
  | ^^^^^^^^^^^^^^
  = help: write 'override let a' to replace the first definition
  = first defined here: bad.bid:1:1
""",
    ),
    "definition_of_a_word": (
        """\
let balanced = hcp 5+
""",
        """\
bad.bid:1:1: E219 'balanced' is a word of the language
1 | let balanced = hcp 5+
  | ^^^^^^^^^^^^^^^^^^^^^
""",
    ),
    "reversed_range": (
        """\
opening
  1NT hcp 17..15
""",
        """\
bad.bid:2:11: E208 the range 17..15 is empty
2 |   1NT hcp 17..15
  |           ^^^^^^
  = expected: the smaller number first
  = help: write 15..17
""",
    ),
    "impossible_range": (
        """\
opening
  2C hcp 41+
""",
        """\
bad.bid:2:10: E209 hcp is never 41+
2 |   2C hcp 41+
  |          ^^^
  = expected: numbers from 0 to 37
""",
    ),
    "impossible_sum": (
        """\
opening
  2C hcp + spades 55+
""",
        """\
bad.bid:2:19: E209 hcp + spades is never 55+
2 |   2C hcp + spades 55+
  |                   ^^^
  = expected: numbers from 0 to 50
""",
    ),
    "impossible_comparison": (
        """\
opening
  2C aces > 4
""",
        """\
bad.bid:2:6: E209 aces > 4 never holds
2 |   2C aces > 4
  |      ^^^^^^^^
  = expected: on the left numbers from 0 to 4, on the right 4
""",
    ),
    "exclusive_ranges": (
        """\
opening
  2C hcp 5..9, spades 5, hcp 12+
""",
        """\
bad.bid:2:26: W205 hcp 5..9 and hcp 12+ exclude each other
2 |   2C hcp 5..9, spades 5, hcp 12+
  |                          ^^^^^^^
  = the other range: bad.bid:2:6
""",
    ),
    "impossible_shape": (
        """\
opening
  1C shape 4441|5531
""",
        """\
bad.bid:2:6: E220 '5531' is not a shape: the suit lengths of a hand add up to 13
2 |   1C shape 4441|5531
  |      ^^^^^^^^^^^^^^^
  = expected: a shape such as 5431, 4=4=3=2 or 55xx
""",
    ),
    "two_calls_of_ours": (
        """\
after 1S 2S (P)
  3S spades 6+
""",
        """\
bad.bid:1:10: E211 two calls of ours in a row: 1S 2S
1 | after 1S 2S (P)
  |          ^^
  = expected: our calls bare and theirs in brackets, in turn
  = help: write their call between them, such as 1S (P) 2S
""",
    ),
    "pattern_ends_with_ours": (
        """\
after 1S (P) 2S
  3S spades 6+
""",
        """\
bad.bid:1:14: E211 the pattern ends with our call 2S
1 | after 1S (P) 2S
  |              ^^
  = expected: their call in brackets as the last one, since it is our turn after it
  = help: write 2S (P)
""",
    ),
    "illegal_pattern": (
        """\
after 1S (1H)
  2S spades 3+
""",
        """\
bad.bid:1:10: E212 (1H) is not a legal call after 1S
1 | after 1S (1H)
  |          ^^^^
  = expected: a call that the Laws allow there
""",
    ),
    "auction_over": (
        """\
after 1S (P) P (P)
  2S spades 3+
""",
        """\
bad.bid:1:16: E212 the auction is over after 1S (P) P (P)
1 | after 1S (P) P (P)
  |                ^^^
""",
    ),
    "illegal_call": (
        """\
after 1S (2H)
  2D diamonds 5+
""",
        """\
bad.bid:2:3: E213 2D is never a legal call after 1S (2H)
2 |   2D diamonds 5+
  |   ^^
  = expected: a call that the Laws allow there
""",
    ),
    "double_as_opening": (
        """\
opening
  X hcp 12+
""",
        """\
bad.bid:2:3: E213 X is not an opening call
2 |   X hcp 12+
  |   ^
  = expected: a bid or pass
""",
    ),
    "unknown_word_in_pattern": (
        """\
after 1NT (p)
  2C hcp 8+
""",
        """\
bad.bid:1:12: E214 'p' is neither a call nor a parameter of this file
1 | after 1NT (p)
  |            ^
  = expected: a call such as 1NT, 2M, P, any, bid or suit, or a parameter
  = help: did you mean 'P'?
""",
    ),
    "relative_call_of_nothing": (
        """\
opening
  bid(spaeds) spades 5+
""",
        """\
bad.bid:2:3: E221 'spaeds' is neither a suit nor NT
2 |   bid(spaeds) spades 5+
  |   ^^^^^^^^^^^
  = expected: a suit, a suit variable or NT, as in bid(S)
  = help: did you mean 'bid(spades)'?
""",
    ),
    "their_pass_without_blank": (
        """\
after 1S bid(P)
  3S spades 6+
""",
        """\
bad.bid:1:10: E211 two calls of ours in a row: 1S bid(P)
1 | after 1S bid(P)
  |          ^^^^^^
  = expected: our calls bare and theirs in brackets, in turn
  = help: write their call between them, such as 1S (P) bid(P)

bad.bid:1:10: E221 'P' is neither a suit nor NT
1 | after 1S bid(P)
  |          ^^^^^^
  = expected: a suit, a suit variable or NT, as in bid(S)
  = help: write a blank before their call: bid (P)
""",
    ),
    "dead_rule": (
        """\
opening
  1NT hcp 15..17
  pass
  1S spades 5+
""",
        """\
bad.bid:4:3: W201 this rule is never used: pass is for every hand
4 |   1S spades 5+
  |   ^^
  = help: put it before that rule, or write 'may' before that one's call
  = the rule for every hand: bad.bid:3:3
""",
    ),
    "contradicting_actions": (
        """\
opening
  2C hcp 22+; forcing, signoff
""",
        """\
bad.bid:2:24: W204 'forcing' and 'signoff' contradict each other
2 |   2C hcp 22+; forcing, signoff
  |                        ^^^^^^^
""",
    ),
    "answer_without_question": (
        """\
after ... 4NT (P)
  5C aces 0; artificial, answers aces
  pass
""",
        """\
bad.bid:2:26: W203 no call asks 'aces'
2 |   5C aces 0; artificial, answers aces
  |                          ^^^^^^^^^^^^
  = help: write 'asks aces' after the call that asks
""",
    ),
    "unknown_rule": (
        """\
opening
  1NT hcp 15..17
override opening.1N
  1NT hcp 14..16
""",
        """\
bad.bid:3:1: E216 there is no rule 'opening.1N'
3 | override opening.1N
  | ^^^^^^^^^^^^^^^^^^^
  = expected: the id of a rule, such as opening.1NT or "1M (P): 3M"
  = help: did you mean 'opening.1NT'?
""",
    ),
    "unknown_definition": (
        """\
let a = hcp 5+
override let b = hcp 6+
""",
        """\
bad.bid:2:1: E217 there is no definition 'b' to override
2 | override let b = hcp 6+
  | ^^^^^^^^^^^^^^^^^^^^^^^
  = help: leave out 'override'
""",
    ),
    "parameter_of_nothing": (
        """\
opening
  1NT hcp in values
""",
        """\
bad.bid:2:7: E227 'values' is neither a parameter nor a range that has a name
2 |   1NT hcp in values
  |       ^^^^^^^^^^^^^
  = expected: a parameter in the header, such as convention c(values = 8..9)
  = help: write 'let values = 8..9', or the range itself
""",
    ),
    "missing_file": (
        """\
include conventions/staymann
""",
        """\
bad.bid:1:1: E301 there is no file for 'conventions/staymann'
1 | include conventions/staymann
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  = expected: conventions/staymann.bid or systems/conventions/staymann.bid or systems/conventions/staymann/system.bid or systems/conventions/conventions/staymann.bid
  = help: did you mean 'conventions/stayman'?
""",  # noqa: E501
    ),
    "file_includes_itself": (
        """\
include bad
""",
        """\
bad.bid:1:1: E303 'bad' includes itself: bad.bid -> bad.bid
1 | include bad
  | ^^^^^^^^^^^
""",
    ),
    "unknown_parameter": (
        """\
system mine "Mine"
include conventions/stayman(ovr = 1NT)
""",
        """\
bad.bid:2:29: E305 stayman has no parameter 'ovr'
2 | include conventions/stayman(ovr = 1NT)
  |                             ^^^^^^^^^
  = expected: over or values
  = help: did you mean 'over'?
""",
    ),
    "hand_of_twelve": (
        """\
example KQ4.AQ8.K9873.K -> 1NT
""",
        """\
bad.bid:1:9: E222 this is not a hand: expected 13 cards, got 12
1 | example KQ4.AQ8.K9873.K -> 1NT
  |         ^^^^^^^^^^^^^^^
  = help: write spades, hearts, diamonds and clubs: KQ4.AQ8.K9873.K2
""",
    ),
    "card_twice": (
        """\
example KQ4.AQ8.K9873.KK -> 1NT
""",
        """\
bad.bid:1:9: E222 this is not a hand: expected each card once, got CK twice
1 | example KQ4.AQ8.K9873.KK -> 1NT
  |         ^^^^^^^^^^^^^^^^
  = help: write spades, hearts, diamonds and clubs: KQ4.AQ8.K9873.K2
""",
    ),
    "illegal_example": (
        """\
example KQ4.AQ8.K9873.K2 after 1S (1H) -> 1NT
""",
        """\
bad.bid:1:1: E223 this auction is against the Laws: illegal call 1H after 1S in auction '1S'
1 | example KQ4.AQ8.K9873.K2 after 1S (1H) -> 1NT
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
""",
    ),
    "no_vulnerability": (
        """\
example KQ4.AQ8.K9873.K2 vul us -> 1NT
""",
        """\
bad.bid:1:26: E224 'us' cannot stand after 'vul'
1 | example KQ4.AQ8.K9873.K2 vul us -> 1NT
  |                          ^^^^^^
  = expected: none, ns, ew or both
""",
    ),
    "rebase_to_many": (
        """\
rebase 1NT (X) -> 1NT (P|2C)
""",
        """\
bad.bid:1:23: E225 'rebase' needs a single auction on the right
1 | rebase 1NT (X) -> 1NT (P|2C)
  |                       ^^^^^^
  = expected: one call for each turn, such as 1NT (P)
""",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_message(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, expected = CASES[name]
    (tmp_path / "bad.bid").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    system = load("bad.bid")
    assert render(system.diagnostics, system.texts) + "\n" == expected
