"""The 96 views of a deal share a key, and tricks follow the view."""

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.bridge.cards import Seat
from bidwright.bridge.symmetry import PERMUTATIONS, Views, canonical, random_views


def _deals(count: int, seed: int = 1) -> NDArray[np.uint8]:
    deck = np.repeat(np.arange(4, dtype=np.uint8), 13)
    return np.random.default_rng(seed).permuted(np.tile(deck, (count, 1)), axis=1)


def _all_views() -> Views:
    suits = np.repeat(PERMUTATIONS, len(Seat), axis=0)
    return Views(suits, np.tile(np.arange(len(Seat)), len(PERMUTATIONS)))


def test_all_96_views_have_one_key() -> None:
    for deal in _deals(20):
        seen = _all_views().of_deals(np.tile(deal, (96, 1)))
        assert len(set(map(bytes, seen))) == 96
        assert len(set(canonical(seen)[0])) == 1


def test_other_deals_have_other_keys() -> None:
    assert len(set(canonical(_deals(2000))[0])) == 2000


def test_mirror_of_east_and_west_has_another_key() -> None:
    mirror = np.array([0, 3, 2, 1], dtype=np.uint8)
    deals = _deals(50)
    assert not set(canonical(deals)[0]) & set(canonical(mirror[deals])[0])


def test_canonical_view_of_every_view_is_the_same_deal() -> None:
    for deal in _deals(5):
        seen = _all_views().of_deals(np.tile(deal, (96, 1)))
        assert len(set(map(bytes, canonical(seen)[1].of_deals(seen)))) == 1


def test_deal_that_looks_the_same_from_all_sides_has_one_key() -> None:
    one_suit_each = np.repeat(np.arange(4, dtype=np.uint8), 13)[None]
    seen = _all_views().of_deals(np.tile(one_suit_each, (96, 1)))
    assert len(set(canonical(seen)[0])) == 1


def test_tricks_follow_the_view_and_back() -> None:
    # A table whose cells name the declarer's holding: what a view shows must name the same.
    deals = _deals(100)
    views = random_views(100, np.random.default_rng(2))

    def spades_like_cells(owner: NDArray[np.uint8]) -> NDArray[np.uint8]:
        by_suit = owner.reshape(-1, 4, 13)
        lengths = (by_suit[:, :, None] == np.arange(4)[:, None]).sum(axis=3)
        aces = by_suit[:, :, None, 12] == np.arange(4)
        cells = lengths + 20 * aces
        return np.concatenate((cells, aces.sum(axis=1, keepdims=True)), axis=1).astype(np.uint8)

    tricks = spades_like_cells(deals)
    seen = views.of_tricks(tricks)
    assert (seen == spades_like_cells(views.of_deals(deals))).all()
    assert (views.back(seen) == tricks).all()


@pytest.mark.parametrize("count", [0, 1])
def test_few_deals_are_no_special_case(count: int) -> None:
    keys, views = canonical(_deals(2)[:count])
    assert len(keys) == len(views.turns) == count
