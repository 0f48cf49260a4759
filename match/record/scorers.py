"""Scorers of contracts: the leader's knowledge, and doubling of contracts that fail.

Two questions make four scorers. The lead: `dd`, all four players see the deal from the first
card on; `blind`, the leader knows his hand and the auction only, and play is double dummy after
his lead. Doubling: as bid, or perfect (`pd`): a contract that fails is scored doubled if
nobody doubled it. Plain double dummy flatters bidding too high, since nobody doubles; together
with `pd` it brackets the truth.
"""

from __future__ import annotations

from dataclasses import replace

from bidwright.bridge.cards import Side, Vulnerability
from bidwright.bridge.contract import Contract
from bidwright.bridge.scoring import imps, score

DOUBLE_DUMMY = "dd"
PERFECT_DOUBLING = "dd+pd"
BLIND = "blind"
BLIND_PERFECT = "blind+pd"

SCORERS = {
    DOUBLE_DUMMY: "double dummy",
    PERFECT_DOUBLING: "double dummy, failing contracts doubled",
    BLIND: "blind lead, then double dummy",
    BLIND_PERFECT: "blind lead, failing contracts doubled",
}
"""The title of each scorer."""

PLAYED = "played"
"""Not a scorer to choose: cards that were really played at a table."""


def punished(contract: Contract, tricks: int) -> Contract:
    """Return the contract as perfect defenders would have it: doubled if it fails."""
    if tricks < contract.target and not contract.doubled:
        return replace(contract, doubled=1)
    return contract


def score_ns(
    contract: Contract | None, vulnerability: Vulnerability, tricks: int, *, perfect: bool = False
) -> int:
    """Return North-South's points.

    Args:
        contract: the contract; `None` if the board was passed out.
        vulnerability: the vulnerability of the board.
        tricks: declarer's tricks.
        perfect: double a failing contract.
    """
    if contract is None:
        return 0
    if perfect:
        contract = punished(contract, tricks)
    side = contract.declarer.side
    points = score(contract, vulnerability.is_vulnerable(side), tricks)
    # All scores are North-South's, so that two tables can be subtracted.
    return points if side is Side.NS else -points


def scores_ns(
    contract: Contract | None, vulnerability: Vulnerability, tricks: dict[str, int]
) -> dict[str, int]:
    """Return North-South's points by every scorer; `tricks` are those by each kind of lead."""
    scores: dict[str, int] = {}
    for lead in (DOUBLE_DUMMY, BLIND):
        if lead in tricks:
            scores[lead] = score_ns(contract, vulnerability, tricks[lead])
            scores[f"{lead}+pd"] = score_ns(contract, vulnerability, tricks[lead], perfect=True)
    return scores


def board_imps(open_ns: dict[str, int], closed_ns: dict[str, int]) -> dict[str, int]:
    """Return the IMPs of the side that sat North-South in the open room, by every scorer."""
    # A table may lack a blind lead that the other has.
    return {name: imps(open_ns[name] - closed_ns[name]) for name in open_ns if name in closed_ns}
