"""Systems at the front door: values, texts, files that change, sides that differ, agents."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import bidwright

STRONG = 'system strong "Strong club"\n\nopening\n  1C "strong" hcp {least}+; forcing\n'
HAND = "KQ4.AQ8.K9873.K2"  # 17 points


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))


def strong(least: int = 16) -> bidwright.System:
    return bidwright.System.from_text(STRONG.format(least=least))


def test_a_text_is_a_system() -> None:
    system = strong()
    assert (system.name, system.title, system.parameters) == ("strong", "Strong club", {})
    assert str(system.bid(HAND).call) == "1C"
    assert system.read("1C").meanings[0].bounds.hcp == (16, 37)
    assert system.check() == ()


def test_the_mistakes_of_a_text_are_shown_without_the_folder_that_holds_it() -> None:
    with pytest.raises(bidwright.InvalidError, match="did you mean 'hcp'") as caught:
        bidwright.System.from_text("opening\n  1C hpc 16+\n", "strong")
    assert str(caught.value).startswith(
        "strong.bid cannot be used: 1 error\n\nstrong.bid:2:6: E201"
    )


def test_a_file_that_changed_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "mine.bid"
    path.write_text(STRONG.format(least=16))
    first = bidwright.open_system(path)
    assert bidwright.open_system(path) is first
    path.write_text(STRONG.format(least=18))
    assert str(bidwright.bid(HAND, system=path).call) == "P"
    assert str(first.bid(HAND).call) == "1C"


def test_a_text_that_somebody_else_put_into_the_cache_is_not_believed() -> None:
    path = Path(strong().spec)
    path.write_text(STRONG.format(least=18))
    assert str(strong().bid(HAND).call) == "1C"


def test_sides_play_systems_of_their_own() -> None:
    system, other = strong(), strong(18)
    reading = system.read("1C (P) P (P)", ew=other)
    assert reading.meanings[0].bounds.hcp == (16, 37)
    assert system.read("1C", ns=other).meanings[0].bounds.hcp == (18, 37)
    assert bidwright.read("P 1C", system=system, ew=other).meanings[1].bounds.hcp == (18, 37)


def test_a_parameter_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(bidwright.InvalidError, match="sayc has no parameter 'minors'; it has notr"):
        bidwright.open_system("sayc", minors=4)


def test_assumptions_are_warnings_at_the_line_of_the_caller() -> None:
    with pytest.warns(bidwright.BidwrightWarning, match="two partners bid") as given:
        explained = strong().explain("1S-4S")
    assert str(explained.auction) == "1S (P) 4S"
    assert [each.filename for each in given] == [__file__]


def test_bidding_after_the_end_is_refused() -> None:
    with pytest.raises(bidwright.IllegalError, match="expected an auction in progress"):
        strong().bid(HAND, "P P P P")


def test_what_is_no_hand_is_refused_in_a_sentence() -> None:
    with pytest.raises(bidwright.InvalidError, match="expected a hand or text for it, got 7"):
        strong().bid(7)  # type: ignore[arg-type]


class Opener(bidwright.Bot):
    """Opens 1C, and passes after that."""

    def call(self, request: bidwright.Request) -> str:
        """Return the call."""
        return "P" if request.auction.last_bid else "1C"


class Silent(bidwright.Bot):
    """Passes."""

    spec = "silent"

    def call(self, request: bidwright.Request) -> bidwright.Answer:
        """Return the call."""
        return bidwright.Answer(bidwright.Call.PASS, by="habit")


def test_bots_play_a_match_and_are_not_closed_by_it() -> None:
    result = bidwright.play_match(Opener(), Silent(), boards=2, seed=3)
    assert (result.boards, result.different) == (2, 2)
    plan = result.standing.plan
    assert (plan.a, plan.b) == ("python:opener", "python:silent")
    assert str(result).startswith("side A python:opener  against  python:silent\n2 boards, 2 bid")
    with pytest.raises(bidwright.InvalidError, match="expected an agent"):
        bidwright.open_agent("python:opener")


def test_two_bots_of_a_class_are_two_players() -> None:
    result = bidwright.play_match(Silent(), Silent(), boards=1, seed=3)
    assert (result.standing.plan.b, result.imps) == ("python:silent.2", 0.0)


def test_a_bot_that_draws_lots_is_an_agent_like_any_other() -> None:
    class Lucky(bidwright.Bot):
        def call(self, request: bidwright.Request) -> bidwright.Call:
            return random.Random(request.seed).choice(request.auction.legal_calls())

    choice = bidwright.bid(HAND, system=strong(), agent=Lucky())
    assert choice.call in bidwright.parse_auction("").legal_calls()
    assert (choice.rule, choice.shows, Lucky.spec) == (None, None, "lucky")


def test_agents_of_this_process_do_not_play_in_others() -> None:
    with pytest.raises(bidwright.InvalidError, match="expected jobs=1 with agents of this process"):
        bidwright.play_match(Silent(), "pass", boards=2, jobs=2)
