"""The ten filters of the page: every query fits the boards that are meant, by SAYC, and no other.

Where a filter on the text of auctions stands beside a query, the boards have one that it misses or
takes by mistake.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bidwright.authoring.find.meaning_query import parse_query
from bidwright.authoring.find.read_boards import ReadShard, Systems, read_shards
from bidwright.kb.loading.compiled import open_system

pytestmark = pytest.mark.system
ROOT = Path(__file__).parents[3]
DEAL = "N:AQ8.K75.KQ84.J32 J943.QT4.J62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"
SPADES = "N:5.AKQJ5.KQJ4.AK2 943.T9.T62.QT873 KT8.87642.A7.964 AQJ762.3.9853.J5"
SEVEN = "N:5.AKQJ5.KQJ4.AK2 T3.T9.T62.QT8743 AKQ9876.42.A7.96 J42.8763.9853.J5"

BOARDS = (
    ("transfer", "1NT Pass 2D Pass 2H AP", "2H", 8, DEAL),
    ("transfer after an overcall", "Pass 1NT Pass 2H Pass 2S AP", "2S", 8, DEAL),
    ("diamonds that are natural", "1C Pass 1D Pass 1NT AP", "1NT", 7, DEAL),
    ("Stayman with a fit", "Pass 1NT Pass 2C Pass 2H Pass 4H AP", "4H", 9, DEAL),
    ("Stayman without a fit", "1NT Pass 2C Pass 2H Pass 3NT AP", "3NT", 9, DEAL),
    ("limit raise", "1S Pass 3S Pass 4S AP", "4S", 10, DEAL),
    ("strong notrump over an opening", "Pass Pass 1H 1NT AP", "1NT", 7, DEAL),
    ("negative double", "1D 1S X Pass 2H AP", "2H", 8, DEAL),
    ("penalty double", "1S X Pass 2H AP", "2H", 8, DEAL),
    ("reverse", "1D Pass 1S Pass 2H Pass 2NT AP", "2NT", 8, DEAL),
    ("weak two passed out", "Pass 2S AP", "2S", 8, DEAL),
    ("splinter", "1H Pass 4D Pass 4H AP", "4H", 10, DEAL),
    ("seven spades not bid", "1H Pass 2H AP", "2H", 8, SEVEN),
)
MEANT = {
    "transfers to a major": ["transfer", "transfer after an overcall"],
    "Stayman that found a fit": ["Stayman with a fit"],
    "limit raises": ["limit raise"],
    "a strong notrump": ["strong notrump over an opening"],
    "negative doubles": ["negative double"],
    "reverses": ["reverse"],
    "weak two-bids": ["weak two passed out"],
    "splinters": ["splinter"],
    "a game that went down": ["Stayman with a fit"],
    "seven spades": ["seven spades not bid"],
}


@pytest.fixture(scope="module")
def shard(tmp_path_factory: pytest.TempPathFactory) -> ReadShard:
    """Return the boards as SAYC reads them."""
    folder = tmp_path_factory.mktemp("filters")
    path = folder / "boards.pbn"
    path.write_text(
        "\n".join(
            f'[Board "{number}"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{deal}"]\n'
            f'[Declarer "{_declarer(auction, contract)}"]\n[Contract "{contract}"]\n'
            f'[Result "{result}"]\n[Auction "N"]\n{auction}\n'
            for number, (_, auction, contract, result, deal) in enumerate(BOARDS)
        )
    )
    ((_, shard),) = read_shards([path], Systems("sayc", "sayc"))
    return shard


def _declarer(auction: str, contract: str) -> str:
    """Return the seat that bid the strain of the contract first, of the side that bid it last."""
    calls = auction.split()
    last = calls.index(contract)
    strain = contract[1:]
    return next("NESW"[i % 4] for i in range(last % 2, last + 1, 2) if calls[i][1:] == strain)


def _queries() -> dict[str, str]:
    page = (ROOT / "docs" / "find.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| `([^`]+)` \|$", page, re.MULTILINE)
    return {name: query for wanted, query in rows for name in MEANT if wanted.startswith(name)}


def test_every_filter_of_the_page_is_tried() -> None:
    assert _queries().keys() == MEANT.keys()


@pytest.mark.parametrize("name", MEANT)
def test_a_filter_fits_what_is_meant(shard: ReadShard, name: str) -> None:
    query = parse_query(_queries()[name], open_system("sayc").lets)
    assert [BOARDS[match.number][0] for match in query.matches(shard)] == MEANT[name]
