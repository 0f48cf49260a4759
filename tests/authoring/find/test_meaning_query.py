"""Queries by meaning: every kind of clause against boards that are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.authoring.find.meaning_query import parse_query
from bidwright.authoring.find.read_boards import ReadShard, Systems, read_shards
from bidwright.bridge.cards import Seat
from bidwright.bridge.errors import InvalidError

ROOT = Path(__file__).parents[3]
MINI = str(ROOT / "tests" / "systems" / "mini.bid")
DEAL = "N:AQ8.K75.KQ84.J32 J943.QT4.J62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"

GAMES = (
    # 0: Stayman finds no fit
    ("N", "None", "1NT Pass 2C Pass 2D Pass 3NT AP", "N", "3NT", "9"),
    # 1: the same opening after two passes, by South
    ("E", "All", "Pass 1NT Pass 2C Pass 2H Pass 4H AP", "S", "4H", "9"),
    # 2: passed out
    ("N", "NS", "AP", "", "Pass", ""),
    # 3: an opponent doubles the contract
    ("N", "EW", "1NT Pass 2NT Pass 3NT Pass Pass X AP", "N", "3NTX", "8"),
)


@pytest.fixture(scope="module")
def shard(tmp_path_factory: pytest.TempPathFactory) -> ReadShard:
    """Return the boards as they are read by the small system."""
    texts = [
        f'[Board "{number}"]\n[Dealer "{dealer}"]\n[Vulnerable "{vul}"]\n[Deal "{DEAL}"]\n'
        f'[Declarer "{declarer}"]\n[Contract "{contract}"]\n[Result "{result}"]\n'
        f'[Auction "{dealer}"]\n{auction}\n'
        for number, (dealer, vul, auction, declarer, contract, result) in enumerate(GAMES)
    ]
    folder = tmp_path_factory.mktemp("boards")
    path = folder / "boards.pbn"
    path.write_text("\n".join(texts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BIDWRIGHT_CACHE", str(folder / "cache"))
        ((named, found),) = read_shards([path], Systems(MINI, MINI))
        ((_, again),) = read_shards([path], Systems(MINI, MINI))
    assert named == path
    assert again.bounds == found.bounds
    return found


@pytest.mark.parametrize(
    ("query", "boards"),
    [
        ("opener shows hcp 15..17, balanced", [0, 1, 3]),
        ("opener shows hcp 15..17, balanced; vul opener", [1]),
        ("opener shows hcp 18+", []),
        ("responder shows artificial, forcing", [0, 1]),
        ("responder bids 2C then opener bids 2H", [1]),
        ("opener bids 2H then responder bids 2C", []),
        ("opener shows hearts 4+", [1]),
        ("opener denies hearts 4+", [0]),
        ("responder bids 2C; no opener shows hearts 4+", [0]),
        ("opener promises hcp 12+ and balanced", [0, 1, 3]),
        ("anyone bids 2NT or 2H", [1, 3]),
        ("overcaller doubles", [3]),
        ("lho doubles", [3]),
        ("auction 1NT (P) 2C", [0, 1]),
        ("contract 3NT", [0, 3]),
        ("contract 3NTX", [3]),
        ("contract game; result made", [0]),
        ("contract hearts by opener", [1]),
        ("contract doubled", [3]),
        ("result down", [1, 3]),
        ("result 8..8", [3]),
        ("passed out", [2]),
        ("not passed out; vul none", [0]),
        ("opener has hcp 15+", [0, 3]),
        ("north has diamonds 4, hcp 15", [0, 1, 2, 3]),
        ("anyone has spades 5+", []),
        ("dealer has clubs 3; contract 4H", [1]),
    ],
)
def test_a_query_finds_the_boards(shard: ReadShard, query: str, boards: list[int]) -> None:
    matches = parse_query(query).matches(shard, Seat.SOUTH)
    assert [match.number for match in matches] == boards


def test_the_calls_that_fit_are_told(shard: ReadShard) -> None:
    (_, second) = parse_query("responder bids 2C then opener bids 2D or 2H").matches(shard)
    assert second.places == (3, 5)


def test_who_me_is_can_be_chosen(shard: ReadShard) -> None:
    query = parse_query("me bids 1NT")
    assert [match.number for match in query.matches(shard, Seat.NORTH)] == [0, 3]
    assert [match.number for match in query.matches(shard, Seat.SOUTH)] == [1]


def test_the_text_of_a_board_is_kept(shard: ReadShard) -> None:
    assert '[Board "3"]' in shard.text(3)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "expected a clause such as"),
        ("nobody shows hearts 5+", "it begins with a player"),
        ("opener dances", "it begins with a player"),
        ("opener shows hearst 5+", "in 'opener shows hearst 5+'"),
        ("opener shows", "expected a condition after 'shows'"),
        ("opener bids 8C", "expected a call"),
        ("contract 9H", "expected a contract (4H, 3NTX, hearts"),
        ("contract", "expected a contract"),
        ("contract 4H by nobody", "expected a player after 'by'"),
        ("result often", "expected made, down or tricks"),
        ("auction P P", "expected an auction with a bid"),
        ("auction 1NT 1C", "in 'auction 1NT 1C'"),
        ("vul everybody", "expected a player, none or both"),
        ("opener bids 1C then contract 3NT", "expected calls before and after 'then'"),
        ("passed by", "expected 'passed out'"),
    ],
)
def test_what_cannot_be_asked_is_said(query: str, message: str) -> None:
    with pytest.raises(InvalidError) as error:
        parse_query(query)
    assert message in str(error.value)
