"""Scoring of duplicate bridge.

Source: Laws of Duplicate Bridge 2017: Law 77 (the duplicate scoring table) and Law 78 B
(the scale of international matchpoints, IMPs).
"""

from bisect import bisect_right

from bidwright.bridge.cards import HAND_SIZE
from bidwright.bridge.contract import Contract

SLAM = 6
"""Level of a small slam."""
GRAND_SLAM = 7
"""Level of a grand slam."""
GAME_POINTS = 100
"""Trick points that make a game."""

_IMP_STEPS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)


def score(contract: Contract | None, vulnerable: bool, tricks: int) -> int:
    """Return the points of declarer's side; below zero when the contract goes down.

    Args:
        contract: What was played; `None` if the deal was passed out, which scores 0.
        vulnerable: Whether declarer's side was.
        tricks: Tricks that declarer took, 0 to 13.

    Raises:
        ValueError: If that number of tricks cannot be taken.

    Source:
        Law 77.

    Example:
        >>> import bidwright
        >>> contract = bidwright.parse_auction("1NT (P) 3NT").contract()
        >>> bidwright.score(contract, True, 9), bidwright.score(contract, True, 8)
        (600, -100)
    """
    if not 0 <= tricks <= HAND_SIZE:
        raise ValueError(f"expected 0 to {HAND_SIZE} tricks, got {tricks}")
    if contract is None:
        return 0
    over = tricks - contract.target
    if over < 0:
        return -_penalty(contract.doubled, vulnerable, -over)
    return _made(contract, vulnerable) + over * _overtrick(contract, vulnerable)


def _trick_value(contract: Contract) -> int:
    return 20 if contract.denomination.is_minor else 30


def _made(contract: Contract, vulnerable: bool) -> int:
    """Return the points for the tricks contracted for, with all premiums."""
    # Law 77: the first trick in notrump is 40 points, each further one 30; a double counts them
    # twice, a redouble four times.
    first_trick = 0 if contract.denomination.is_suit else 10
    points = (contract.level * _trick_value(contract) + first_trick) << contract.doubled
    # For making a doubled or redoubled contract, 50 or 100 points beside all else.
    premium = 50 * contract.doubled
    if points < GAME_POINTS:
        premium += 50
    else:
        premium += 500 if vulnerable else 300
    if contract.level == SLAM:
        premium += 750 if vulnerable else 500
    elif contract.level == GRAND_SLAM:
        premium += 1500 if vulnerable else 1000
    return points + premium


def _overtrick(contract: Contract, vulnerable: bool) -> int:
    if not contract.doubled:
        return _trick_value(contract)
    # Doubled overtricks have the same value in every denomination.
    return 100 * contract.doubled * (2 if vulnerable else 1)


def _penalty(doubled: int, vulnerable: bool, down: int) -> int:
    if not doubled:
        return down * (100 if vulnerable else 50)
    # Doubled and not vulnerable: 100, 300, 500, then 300 more each; vulnerable: 200, then 300 more
    # each.
    per_trick, fourth_and_on = (300, 0) if vulnerable else (200, 100)
    return doubled * (per_trick * down - 100 + fourth_and_on * max(0, down - 3))


def imps(diff: int) -> int:
    """Return the IMPs for a difference in points, with its sign.

    Source:
        Law 78 B.

    Example:
        >>> imps(600 - 120), imps(-50)
        (10, -2)
    """
    # A step begins at its number: a difference of 20 points is 1 IMP, of 10 none.
    size = bisect_right(_IMP_STEPS, abs(diff))
    return size if diff > 0 else -size
