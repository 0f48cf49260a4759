"""Positions with exact facts: what is in them, and that interrupted work goes on."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.errors import InvalidError
from bidwright.cli import main
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.kb.rules.decision_list import fits
from bidwright.neural.data import belief_positions
from bidwright.neural.data.auctions import Auctions
from bidwright.neural.data.belief_positions import load_positions, make_positions
from bidwright.neural.data.bidding import BiddingPlan
from bidwright.neural.data.making import make_corpus
from bidwright.neural.data.self_play import self_play
from bidwright.neural.env.card_layout import CARD
from bidwright.neural.exact_facts import exact_facts, fitting_or_none, others_of
from bidwright.neural.networks import CARDS, Network, NetworkShape
from bidwright.neural.seeing import observe

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")


@pytest.fixture(scope="module")
def random_calls(tmp_path_factory: pytest.TempPathFactory) -> Auctions:
    """Return auctions with one random call in three."""
    path = tmp_path_factory.mktemp("corpus") / "odd.npz"
    return make_corpus(path, BiddingPlan(MINI, 6, 0.3), 8)


@pytest.mark.system
def test_positions_say_what_was_seen_shown_and_true(random_calls: Auctions, tmp_path: Path) -> None:
    found = make_positions(tmp_path / "p.npz", random_calls, MINI)
    assert len(found) == random_calls.lengths.sum()
    reader = Reader(dict.fromkeys(Side, open_system(MINI)))
    for place in range(0, len(found), 3):
        row = found.rows[place]
        whole = random_calls.auction(int(row["auction"]))
        auction = Auction(whole.dealer, whole.calls[: row["before"]], whole.vulnerability)
        deal = deal_from_owner(random_calls.owner[row["auction"]])
        hand = deal[auction.turn]
        assert hand is not None
        seen = found.seen(slice(place, place + 1))[0]
        assert (seen[:480] == observe([auction], [hand])[0]).all()
        reading = reader.read(auction)
        assert (
            row["facts"] == exact_facts(fitting_or_none(reading, hand), auction.turn, hand)
        ).all()
        for who, seat in enumerate(others_of(auction.turn)):
            other = deal[seat]
            assert other is not None
            kept = all(
                fits(turn.steps, features_of(other)) for turn in reading.possible_turns(seat)
            )
            assert row["departed"][who] != kept
    assert 0.1 < found.rows["departed"].mean() < 0.9


@pytest.mark.system
def test_who_bids_by_the_rules_has_not_departed(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path / "c.npz", BiddingPlan(MINI, 6, 0.0), 5)
    assert not make_positions(tmp_path / "p.npz", corpus, MINI).rows["departed"].any()


def test_interrupted_work_goes_on(
    random_calls: Auctions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(belief_positions, "_BATCH", 3)
    whole = make_positions(tmp_path / "whole.npz", random_calls, MINI)
    path = tmp_path / "p.npz"

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_positions(path, random_calls[:5], MINI, progress=stop)
    done: list[int] = []
    found = make_positions(path, random_calls, MINI, progress=done.append)
    assert done == [6, 8]
    assert (found.rows == whole.rows).all()
    assert found.digest() == load_positions(path).digest() == whole.digest()
    assert make_positions(path, random_calls, MINI).digest() == whole.digest()
    with pytest.raises(InvalidError, match="holds other positions; name another file"):
        make_positions(path, random_calls[:5], MINI)
    other = replace(random_calls, origin={"kind": "other"})
    with pytest.raises(InvalidError, match="holds other positions"):
        make_positions(path, other, MINI)


def test_files_that_are_something_else_are_refused(random_calls: Auctions, tmp_path: Path) -> None:
    path = tmp_path / "p.npz"
    with pytest.raises(InvalidError, match="expected positions made by 'train positions'"):
        load_positions(path)
    np.savez(path, rows=np.zeros(3), origin=np.array("{}"))
    with pytest.raises(InvalidError, match="make it anew"):
        load_positions(path)
    np.savez(path, rows=np.zeros(3), origin=np.array("[]"))
    with pytest.raises(InvalidError, match="expected positions that say where they are from"):
        load_positions(path)
    found = make_positions(tmp_path / "q.npz", random_calls[:1], MINI)
    found.rows["facts"][0, 0] = np.nan
    found.save(path)
    with pytest.raises(InvalidError, match="expected finite facts"):
        load_positions(path)


def test_a_policy_that_sees_card_vectors_is_told_what_is_played() -> None:
    torch.manual_seed(3)
    policy = Network(NetworkShape(480, 38, 16, 2, CARDS))
    torch.nn.init.normal_(policy.last.weight)
    cards = np.random.default_rng(3).normal(size=(2, CARD)).astype(np.float32)
    cards[:, 0] = 1.0
    told, hidden, alike = (
        self_play(policy, 5, 4, {}, given) for given in (cards, None, np.zeros_like(cards))
    )
    assert (told.owner == hidden.owner).all()
    assert alike.digest() == hidden.digest(), "zeros disclose nothing"
    assert told.digest() != hidden.digest()


def test_more_self_play_begins_with_less() -> None:
    policy = Network(NetworkShape(480, 38, 8, 1))
    few, many = (self_play(policy, count, 4, {}) for count in (7, 120))
    assert (few.owner == many.owner[:7]).all()
    assert [few.auction(place) for place in range(7)] == [many.auction(place) for place in range(7)]
    assert all(few.auction(place).is_over for place in range(7))
    assert len({tuple(row) for row in many.owner.tolist()}) == 120


def test_the_verb_asks_for_one_source(
    corpus_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["-o", str(tmp_path / "p.npz"), "--quiet"]
    for words in ([], ["--policy", "sayc"], ["--policy", "sayc", "--data", "c.npz", "-n", "3"]):
        assert main(["train", "positions", *words, *out]) == 2
        assert "expected either --policy WEIGHTS with -n AUCTIONS, or" in capsys.readouterr().err
    words = ["train", "positions", "--data", str(corpus_file), "--system", MINI, "-n", "2"]
    assert main([*words, *out]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{len(load_positions(tmp_path / 'p.npz'))} positions in ")
    assert "some hidden hand is outside what its calls possibly show" in said
