"""Policies that go by a position of card vectors, and those that do not, are told apart."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from bidwright.bench.changed_cards import compare, main, systems_of
from bidwright.bridge.errors import InvalidError
from bidwright.neural.data.auctions import Auctions, load_auctions
from bidwright.neural.data.bidding import BiddingPlan
from bidwright.neural.data.making import make_corpus
from bidwright.neural.env.card_layout import FACTS, STANDARD
from bidwright.neural.networks import CardVectors

MINI = Path(__file__).parents[1] / "systems" / "mini.bid"
PLACE = STANDARD.index("1NT")


class _ByOneNumber(nn.Module):
    """Always calls pass, or a bid where it is told of another least strength of one notrump."""

    def __init__(self, usual: float, reads: bool) -> None:
        super().__init__()
        self._usual, self._reads = usual, reads

    def forward(self, seen: Tensor, cards: CardVectors) -> Tensor:
        told = cards.table[cards.which[:, 0], 1 + PLACE * FACTS + 1]
        other = (told != self._usual) & torch.tensor(self._reads)
        out = torch.zeros(len(seen), 38)
        out[:, 0], out[:, 37] = 1.0, 2.0 * other
        return out


@pytest.fixture(name="corpus", scope="module")
def _corpus(tmp_path_factory: pytest.TempPathFactory) -> Auctions:
    folder = tmp_path_factory.mktemp("corpus")
    text = MINI.read_text(encoding="utf-8")
    assert "15..17" in text
    weak = folder / "weak.bid"
    weak.write_text(text.replace("15..17", "12..14").replace("system mini", "system weak"))
    file = folder / "two.npz"
    make_corpus(file, BiddingPlan(str(MINI), 1, others=(str(weak),)), 60)
    return load_auctions(file)


def test_the_position_that_a_policy_goes_by_is_named(corpus: Auctions) -> None:
    first, _ = systems_of(corpus)
    usual = float(corpus.cards[1, 1 + PLACE * FACTS + 1])
    by_it = {each.system: each for each in compare(_ByOneNumber(usual, True), corpus, 500)}
    assert by_it[first].foretold > 0.3
    assert by_it[first].place == "1NT"
    assert by_it[first].worst == pytest.approx(-by_it[first].foretold)
    blind = {each.system: each for each in compare(_ByOneNumber(usual, False), corpus, 500)}
    assert blind[first].worst == blind[first].mean == 0.0
    assert blind[first].foretold == by_it[first].foretold


def test_one_system_is_not_enough(corpus_of_one: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InvalidError, match="expected a corpus of several systems"):
        systems_of(load_auctions(corpus_of_one))
    assert main(["sayc", "--data", str(corpus_of_one)]) == 2
    assert "expected a policy with card vectors, got 'sayc'" in capsys.readouterr().err


@pytest.fixture(name="corpus_of_one")
def _corpus_of_one(tmp_path: Path) -> Path:
    make_corpus(tmp_path / "one.npz", BiddingPlan(str(MINI), 1), 5)
    return tmp_path / "one.npz"
