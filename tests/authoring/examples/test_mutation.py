"""Moved thresholds: who notices, and a hand that would."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bidwright.cli import main

TEXT = """\
let good(S) = top3(S) 2+

opening
  1NT hcp 15..17, balanced
  1S spades 5+, hcp 11..14
  2S spades 6, hcp 5..10, good(S), seat ..3
  pass

after 1NT (P)
  2S "never: with five spades the hand has bid already" spades 5, hcp ..9, hearts 13
  3NT hcp 10..15
  2NT hcp 8..9
  pass
"""

Mutate = Callable[..., tuple[int, str]]


@pytest.fixture
def mutate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Mutate:
    """Return a function that writes a file with examples and runs the verb on it."""
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)

    def run(examples: str, *options: str, text: str = TEXT) -> tuple[int, str]:
        Path("own.bid").write_text(f"{text}\n{examples}")
        code = main(["mutate", "own.bid", "--quiet", *options])
        return code, capsys.readouterr().out

    return run


def changes(output: str) -> list[str]:
    return re.findall(r"^own\.bid:\d+: (.* -> .*)$", output, re.MULTILINE)


def test_suggested_examples_hold_and_are_noticed(mutate: Mutate) -> None:
    code, output = mutate("", "--limit", "0")
    assert code == 1
    found = changes(output)
    assert "hcp 15..17 -> hcp 14..17" in found
    assert "top3(S) 2+ -> top3(S) 1+" in found
    assert "seat ..3 -> seat ..4" in found
    assert "hcp 10..15 -> hcp 11..15" in found
    suggested = "".join(f"{line}\n" for line in output.splitlines() if line.startswith("example"))
    assert main(["test", "own.bid"]) == 2  # there are no examples yet
    code, output = mutate(suggested, "--limit", "0")
    assert main(["test", "own.bid"]) == 0
    assert changes(output) == []
    # What is left makes no difference: no hand has eighteen cards.
    assert code == 1
    assert "no hand was found that bids otherwise" in output


def test_of_a_convention_alone_it_is_said_that_nobody_opens(mutate: Mutate) -> None:
    text = 'convention own "Own"\n\nafter 1NT (P)\n  2C hcp 8+; forcing\n    2D hcp ..15\n    2H\n'
    code, output = mutate("", "-k", "own.bid:5", text=text)
    assert code == 1
    assert "no hand was found that bids otherwise, for nobody opens here: " in output


def test_what_an_example_notices_needs_no_other(mutate: Mutate) -> None:
    _, without = mutate("", "-k", "own.bid:4 hcp", "--limit", "0")
    assert changes(without) == [
        "hcp 15..17 -> hcp 14..17",
        "hcp 15..17 -> hcp 16..17",
        "hcp 15..17 -> hcp 15..16",
        "hcp 15..17 -> hcp 15..18",
    ]
    examples = "example KQ4.AQ8.K987.J82 -> 1NT\nexample KQ4.AQ8.A987.K82 -> pass\n"
    code, output = mutate(examples, "-k", "own.bid:4 hcp", "--limit", "0")
    assert code == 1
    assert changes(output) == ["hcp 15..17 -> hcp 14..17", "hcp 15..17 -> hcp 15..16"]
    assert "4 of 4 changes tried: 2 are noticed by an example, 2 by none" in output


def test_a_full_set_of_boundaries_leaves_nothing(mutate: Mutate) -> None:
    examples = "".join(
        f"example {line}\n"
        for line in (
            "KQ4.AQ8.K987.J82 -> 1NT",
            "KQ4.AJ8.K987.J82 -> pass",
            "KQ4.AQ8.A987.Q82 -> 1NT",
            "KQ4.AQ8.A987.K82 -> pass",
        )
    )
    code, output = mutate(examples, "-k", "own.bid:4 hcp")
    assert (code, changes(output)) == (0, [])


def test_general_rules_are_tried_where_bidding_leads(mutate: Mutate) -> None:
    text = "opening\n  1C hcp 12+\n  pass\n\nanywhere\n  1H hearts 5+, hcp 8..11\n  pass\n"
    _, output = mutate("", "-k", "1H hcp", text=text)
    assert changes(output) == [
        "hcp 8..11 -> hcp 7..11",
        "hcp 8..11 -> hcp 9..11",
        "hcp 8..11 -> hcp 8..10",
        "hcp 8..11 -> hcp 8..12",
    ]


def test_a_corpus_tells_what_matters_most(mutate: Mutate) -> None:
    deal = "N:KQ4.AJ8.K987.J82 - - -"
    line = json.dumps({"deal": deal, "dealer": "N", "vul": "None", "auction": "P P P P"})
    Path("boards.jsonl").write_text(f"{line}\n" * 3)
    _, output = mutate("", "--corpus", "boards.jsonl", "--limit", "1")
    assert changes(output) == ["hcp 15..17 -> hcp 14..17  (3 hands of the corpus notice)"]


def test_a_run_that_was_cut_short_is_gone_on_with(mutate: Mutate) -> None:
    whole = mutate("", "--out", "kept.jsonl", "--limit", "3")
    lines = Path("kept.jsonl").read_text().splitlines(keepends=True)
    Path("kept.jsonl").write_text("".join(lines[:20]) + lines[20][:10])
    assert mutate("", "--out", "kept.jsonl", "--limit", "3") == whole


def test_a_file_of_other_results_is_refused(
    mutate: Mutate, capsys: pytest.CaptureFixture[str]
) -> None:
    mutate("", "--out", "kept.jsonl", "--limit", "1")
    Path("own.bid").write_text(TEXT.replace("hcp 8..9", "hcp 7..9"))
    assert main(["mutate", "own.bid", "--out", "kept.jsonl", "--quiet"]) == 2
    wanted = "expected results of mutate for this system, corpus and version in 'kept.jsonl'"
    assert wanted in capsys.readouterr().err
    Path("kept.jsonl").write_text("not ours\n")
    assert main(["mutate", "own.bid", "--out", "kept.jsonl", "--quiet"]) == 2
    assert wanted in capsys.readouterr().err
    assert main(["mutate", "own.bid", "-k", "nothing"]) == 2
    assert "expected thresholds with 'nothing' in own, found none" in capsys.readouterr().err


@pytest.mark.system
def test_json_and_processes_tell_the_same(mutate: Mutate) -> None:
    alone = json.loads(mutate("", "--limit", "2", "--json")[1])
    assert json.loads(mutate("", "--limit", "2", "--json", "--jobs", "2")[1]) == alone
    assert alone[0]["noticed_by"] is None
    assert alone[0]["change"] == "top3(S) 2+ -> top3(S) 1+"
    assert alone[0]["rules"] == ["opening.2S"]
    assert alone[0]["example"].startswith("example ")


PARTNERS = """\
opening
  1NT hcp 15..17, balanced
  1S spades 5+, hcp 11..21
  pass

after 1NT (P)
  3NT hcp + partner.hcp.min >= 25
  2S spades 5+
  pass

after 1NT (P) 2S (P)
  4S spades 4+
  3NT hcp 17
  pass

after 1S (P)
  2S spades 3+, hcp 6..9
  pass

after 1S (P) 2S (P)
  4S hcp 16+
  pass

after (1NT)
  2H hearts 5+, hcp 16+
  pass

after 1NT (2H)
  X hearts 4+
  pass
"""


def verdicts(output: str) -> dict[str, tuple[str | None, str | None]]:
    return {each["change"]: (each["noticed_by"], each["how"]) for each in json.loads(output)}


@pytest.mark.parametrize(
    ("example", "change", "how"),
    [
        # Responder counts on the points that opener shows.
        ("KQ4.KJ8.987.8742 after 1NT (P) -> pass", "hcp 15..17 -> hcp 14..17", None),
        ("KQ4.KJ8.987.8742 after 1NT (P) -> pass", "hcp 15..17 -> hcp 16..17", "bids 3NT"),
        ("KQ4.KQ8.987.8742 after 1NT (P) -> 3NT", "hcp 15..17 -> hcp 14..17", "bids P"),
        # Opener has bid the first call of the auction with this very hand.
        (
            "KQJ74.A82.432.J2 after 1S (P) 2S (P) -> pass",
            "hcp 11..21 -> hcp 12..21",
            "bids P and not 1S before",
        ),
        # He has not bid this one, so it is no worse with the change.
        ("KQJ74.A82.432.32 after 1S (P) 2S (P) -> pass", "hcp 11..21 -> hcp 12..21", None),
    ],
)
def test_an_example_notices_what_its_auction_says(
    mutate: Mutate, example: str, change: str, how: str | None
) -> None:
    _, output = mutate(f"example {example}", "--json", "--limit", "1", text=PARTNERS)
    noticed, told = verdicts(output)[change]
    assert (noticed is not None, told) == (how is not None, how)


def test_an_example_notices_a_call_that_nobody_makes_any_more(mutate: Mutate) -> None:
    text = PARTNERS.replace("2H hearts 5+, hcp 16+", "2H hearts 4+, hcp 37")
    text = text.replace("X hearts 4+", "X spades 3+")
    example = "example KQ4.KQ84.987.874 after 1NT (2H) -> X"
    _, output = mutate(example, "--json", "--limit", "1", text=text)
    found = verdicts(output)
    assert found["hearts 4+ -> hearts 3+"] == (None, None)
    assert found["hearts 4+ -> hearts 5+"] == ("own.bid:32", "nobody bids 2H in its auction")


def test_what_calls_show_is_told_apart(mutate: Mutate) -> None:
    example = "example KQ4.AQ8.9874.875 after 1NT (P) -> 3NT"
    code, output = mutate(example, "-k", "15..17", "--json", text=PARTNERS)
    assert code == 1
    found = {each["change"]: each for each in json.loads(output)}
    high = found["hcp 15..17 -> hcp 15..18"]
    assert (high["noticed_by"], high["read_otherwise_in"]) == (None, "own.bid:32")
    _, output = mutate(example, "-k", "15..17", text=PARTNERS)
    assert "a call in an example shows something else, but no example states" in output


def test_each_suggested_example_kills_its_change(mutate: Mutate) -> None:
    _, output = mutate("", "--json", "--limit", "0", text=PARTNERS)
    survivors = [each for each in json.loads(output) if each["example"]]
    assert len(survivors) > 12
    for survivor in survivors[::3]:
        _, output = mutate(survivor["example"], "--json", "--limit", "1", text=PARTNERS)
        places = ("line", "column", "change")
        (again,) = (
            each for each in json.loads(output) if all(each[k] == survivor[k] for k in places)
        )
        assert again["noticed_by"] == "own.bid:32", survivor
        assert again["how"] == f"bids {survivor['changed']}"
