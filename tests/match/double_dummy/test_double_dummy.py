"""Double-dummy results: known ones, agreement of the ways to ask, and what the cache remembers."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bidwright.bridge.cards import Denomination, Seat, parse_card
from bidwright.bridge.contract import parse_contract
from bidwright.bridge.deal import Deal, random_deal
from bidwright.bridge.errors import IllegalError, InvalidError
from bidwright.bridge.symmetry import PERMUTATIONS, Views, random_views
from bidwright.match.double_dummy.dd_solver import DoubleDummy, owners_of
from bidwright.match.double_dummy.store import Store, nothing_known

SPADES, NOTRUMP = Denomination.SPADES, Denomination.NOTRUMP

ONE_SUIT_EACH = Deal.from_pbn(
    "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
)
"""Whoever has the trumps takes everything; in notrump the leader does."""

TOP_SPADES = Deal.from_pbn("N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 765.876.876.7654 432.5432.5432.32")
"""North and South take all tricks in notrump."""


@pytest.fixture(scope="module")
def owner() -> NDArray[np.uint8]:
    rng = np.random.default_rng(11)
    return owners_of([random_deal(rng) for _ in range(3)])


@pytest.fixture(scope="module")
def table(owner: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return DoubleDummy().tables(owner)


def test_table_of_one_suit_each() -> None:
    table = DoubleDummy().table(ONE_SUIT_EACH)
    trumps = {Seat.NORTH: 3, Seat.EAST: 2, Seat.SOUTH: 1, Seat.WEST: 0}
    for holder, suit in trumps.items():
        sides = [13 if declarer.side is holder.side else 0 for declarer in Seat]
        assert table[suit].tolist() == sides
    assert table[NOTRUMP].tolist() == [0, 0, 0, 0]


def test_contracts_agree_with_the_table(owner: NDArray[np.uint8], table: NDArray[np.uint8]) -> None:
    places = [(d, denomination, 3 - d) for d in range(3) for denomination in (0, 3, 4)]
    deals, denominations, declarers = map(list, zip(*places, strict=True))
    found = DoubleDummy().tricks(owner[deals], denominations, declarers)
    assert (found == table[deals, denominations, declarers]).all()


@pytest.mark.parametrize("margin", [-1, 0, 1])
def test_contract_makes_if_the_table_says_so(
    margin: int, owner: NDArray[np.uint8], table: NDArray[np.uint8]
) -> None:
    denominations, declarers = [4, 3, 2], [0, 1, 2]
    tricks = table[[0, 1, 2], denominations, declarers].astype(int)
    makes = DoubleDummy().makes(owner, denominations, declarers, tricks + margin)
    assert makes.tolist() == [margin <= 0] * 3


def test_needs_of_none_and_more_than_all() -> None:
    owner = owners_of([TOP_SPADES, TOP_SPADES, TOP_SPADES])
    assert DoubleDummy().makes(owner, [4] * 3, [0] * 3, [0, 13, 14]).tolist() == [True, True, False]


def test_leads_agree_with_the_best_one() -> None:
    service = DoubleDummy()
    contract = parse_contract("3N", Seat.SOUTH)
    tricks = service.lead_tricks(TOP_SPADES, contract)
    west = TOP_SPADES.west
    assert west is not None
    assert tricks.keys() == west.cards
    assert min(tricks.values()) == service.contract_tricks(TOP_SPADES, NOTRUMP, Seat.SOUTH) == 13
    cross = service.lead_tricks(ONE_SUIT_EACH, parse_contract("7S", Seat.NORTH))
    assert set(cross) == {parse_card(f"H{rank}") for rank in "AKQJT98765432"}


def test_same_deal_is_solved_once(owner: NDArray[np.uint8], table: NDArray[np.uint8]) -> None:
    views = random_views(6, np.random.default_rng(3))
    many = views.of_deals(np.repeat(owner[:1], 6, axis=0))
    service = DoubleDummy()
    assert (service.tables(many) == views.of_tricks(np.repeat(table[:1], 6, axis=0))).all()
    assert service.solved == 1
    assert (service.tricks(many, [4] * 6, views.turns) == table[0, 4, 0]).all()
    assert service.solved == 2


def test_all_96_views_are_found_in_the_cache(
    owner: NDArray[np.uint8], table: NDArray[np.uint8], tmp_path: Path
) -> None:
    cache = tmp_path / "results.sqlite"
    with DoubleDummy(cache) as service:
        service.tables(owner)
        assert service.solved == 3
    suits = np.tile(np.repeat(PERMUTATIONS, 4, axis=0), (3, 1))
    views = Views(suits, np.tile(np.arange(4), 3 * 24))
    deals, tables = np.repeat(owner, 96, axis=0), np.repeat(table, 96, axis=0)
    seen, expected = views.of_deals(deals), views.of_tricks(tables)
    rng = np.random.default_rng(1)
    denominations, declarers = rng.integers(0, 5, 288), rng.integers(0, 4, 288)
    cells = expected[np.arange(288), denominations, declarers]
    with DoubleDummy(cache) as service:
        assert (service.tables(seen) == expected).all()
        assert (service.tricks(seen, denominations, declarers) == cells).all()
        needs = rng.integers(0, 14, 288)
        assert (service.makes(seen, denominations, declarers, needs) == (cells >= needs)).all()
        assert service.solved == 0


def test_answers_about_contracts_are_kept_as_bounds(
    owner: NDArray[np.uint8], table: NDArray[np.uint8], tmp_path: Path
) -> None:
    cache = tmp_path / "results.sqlite"
    tricks = int(table[0, 3, 1])
    one = owner[:1]
    with DoubleDummy(cache) as service:
        assert service.makes(one, [3], [1], [tricks]).all()
        assert not service.makes(one, [3], [1], [tricks + 2]).any()
        assert service.solved == 2
        assert service.makes(one, [3], [1], [tricks - 1]).all()
        assert not service.makes(one, [3], [1], [tricks + 3]).any()
        assert service.solved == 2
        assert service.tricks(one, [3], [1]) == tricks
        assert service.tricks(one, [3], [1]) == tricks
        assert service.solved == 3
        assert not service.makes(one, [3], [1], [tricks + 1]).any()
        assert service.solved == 3


def test_processes_give_the_same_results(
    owner: NDArray[np.uint8], table: NDArray[np.uint8], tmp_path: Path
) -> None:
    seen: list[tuple[int, int]] = []

    def progress(done: int, count: int) -> None:
        seen.append((done, count))

    with DoubleDummy(tmp_path / "results.sqlite", jobs=2, progress=progress) as service:
        assert (service.tables(owner) == table).all()
    assert seen[-1] == (3, 3)
    assert len(seen) > 1


def test_threads_may_ask_at_the_same_time(
    owner: NDArray[np.uint8], table: NDArray[np.uint8], tmp_path: Path
) -> None:
    with (
        DoubleDummy(tmp_path / "results.sqlite") as service,
        ThreadPoolExecutor(4) as threads,
    ):
        answers = list(
            threads.map(lambda deal: service.tricks(owner[[deal]], [4], [0])[0], [0, 1, 2, 0])
        )
    assert answers == table[[0, 1, 2, 0], 4, 0].tolist()


def test_unknown_hands_are_refused() -> None:
    with pytest.raises(IllegalError, match="expected four hands to solve"):
        DoubleDummy().table(Deal.from_pbn("N:AKQ.AKQ.AKQ.AKQJ - - -"))


# ------------------------------------------------------------------------ store


def test_store_keeps_the_tighter_bounds(tmp_path: Path) -> None:
    with Store(tmp_path / "new" / "results.sqlite") as store:
        bounds = nothing_known(1)
        bounds[0, 0, 4, 0] = 7
        store.add([b"a"], bounds)
        bounds = nothing_known(1)
        bounds[0, :, 4, 0] = 5, 9
        store.add([b"a"], bounds)
        assert store.read([b"b", b"a"])[:, :, 4, 0].tolist() == [[0, 13], [7, 9]]
        assert store.count() == 1


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to look at" * 30, b"short"]
)
def test_file_of_another_kind_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(InvalidError, match="expected a file of double-dummy results, or none, at"):
        Store(path)
    assert path.read_bytes() == content


def test_store_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 9")
    file.close()
    with pytest.raises(InvalidError, match="it has version 9, not 1"):
        Store(path)
