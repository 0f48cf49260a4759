"""The commands as functions: read, explain, bid, sample, odds, check, diff, solve."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bidwright.bridge.board import Board
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.front.inputs import AuctionLike, DealLike, HandLike, board_of
from bidwright.front.open_systems import System, SystemLike, system_of
from bidwright.inference.reading.reader import Reading

if TYPE_CHECKING:
    from bidwright.front.differences import SystemDifference
    from bidwright.front.explained import ChosenCall, ExplainedAuction
    from bidwright.front.file_problem import FileProblem
    from bidwright.inference.sampling import DealBatch, Probability
    from bidwright.match.agents.agent import Agent
    from bidwright.match.double_dummy.solved_board import SolvedBoard


def read(
    auction: AuctionLike = "",
    *,
    system: SystemLike = "sayc",
    ns: SystemLike | None = None,
    ew: SystemLike | None = None,
    dealer: Seat | str = Seat.NORTH,
    vulnerability: Vulnerability | str = Vulnerability.NONE,
) -> Reading:
    """Return the reading of an auction: the meaning of each call.

    Args:
        auction: the calls: an `Auction`, a `Board`, or text as `parse_auction` reads it.
        system: the system of both sides: a `System`, a name or a path as for `open_system`.
        ns: the system of North-South, if it is another one.
        ew: the system of East-West, likewise.
        dealer: the first caller of an auction that is text.
        vulnerability: `none`, `ns`, `ew` or `both`, likewise.

    Returns:
        The reading, with a `Meaning` for each call in `meanings`. `with_call` goes on from it.

    Raises:
        InvalidError: The auction cannot be read, or a system does not exist or has errors.
        IllegalCallError: A call is illegal where it stands.

    Example:
        >>> import bidwright
        >>> reading = bidwright.read("1NT (P) 2H", system="sayc")
        >>> transfer = reading.meanings[-1]
        >>> str(transfer.seat), str(transfer.call), transfer.record.artificial
        ('S', '2H', True)
        >>> transfer.bounds.lengths[bidwright.Denomination.SPADES]
        (5, 13)
    """
    return system_of(system).read(auction, ns=ns, ew=ew, dealer=dealer, vulnerability=vulnerability)


def explain(
    auction: AuctionLike,
    *,
    system: SystemLike = "sayc",
    ns: SystemLike | None = None,
    ew: SystemLike | None = None,
    dealer: Seat | str = Seat.NORTH,
    vulnerability: Vulnerability | str = Vulnerability.NONE,
) -> ExplainedAuction:
    """Return an auction with the explanation of every call.

    Args:
        auction: the calls: an `Auction`, a `Board`, or text as `parse_auction` reads it. On a
            board with hands the text says as well how each call fits its hand.
        system: the system of both sides: a `System`, a name or a path as for `open_system`.
        ns: the system of North-South, if it is another one.
        ew: the system of East-West, likewise.
        dealer: the first caller of an auction that is text.
        vulnerability: `none`, `ns`, `ew` or `both`, likewise.

    Returns:
        The explanation; `str` of it is what `bidwright explain` prints.

    Raises:
        InvalidError: The auction cannot be read, or a system does not exist or has errors.
        IllegalCallError: A call is illegal where it stands.

    Example:
        >>> import bidwright
        >>> print(bidwright.explain("1NT (P) 2H", system="sayc"))
        1NT (P) 2H
        dealer North, nobody vulnerable; both sides Standard American Yellow Card
        <BLANKLINE>
        N 1NT  15 to 17, balanced
        E P    no overcall; usually up to 13
        S 2H   transfer: five spades or more; forcing
    """
    return system_of(system).explain(
        auction, ns=ns, ew=ew, dealer=dealer, vulnerability=vulnerability
    )


def bid(
    hand: HandLike,
    auction: AuctionLike = "",
    *,
    system: SystemLike = "sayc",
    ns: SystemLike | None = None,
    ew: SystemLike | None = None,
    dealer: Seat | str = Seat.NORTH,
    vulnerability: Vulnerability | str = Vulnerability.NONE,
    agent: str | Agent | None = None,
) -> ChosenCall:
    """Return the call that a hand makes after an auction, with the reason for it.

    Args:
        hand: the thirteen cards of the player in turn, as text spades first.
        auction: the calls so far: an `Auction`, a `Board`, or text as `parse_auction` reads it.
        system: the system of both sides: a `System`, a name or a path as for `open_system`.
        ns: the system of North-South, if it is another one.
        ew: the system of East-West, likewise.
        dealer: the first caller of an auction that is text.
        vulnerability: `none`, `ns`, `ew` or `both`, likewise.
        agent: an agent that chooses in place of the rules, or its specification as for
            `open_agent`.

    Raises:
        InvalidError: Something cannot be read, or a system does not exist or has errors.
        IllegalError: The auction is over.
        AgentError: The agent cannot be started, or failed.

    Example:
        >>> import bidwright
        >>> choice = bidwright.bid("AQ84.K2.KQ73.J64", "1NT (P)", system="sayc")
        >>> str(choice.call), choice.rule.text
        ('2C', 'Stayman: asks for a four-card major')
        >>> print(choice.rejected[0].rule.call, choice.rejected[0].rule.text)
        P eight flat points are not enough
    """
    if agent is not None:
        from bidwright.front.matches import bid_by

        # An agent plays either side's seat: it is given both systems, and discloses by them.
        systems = system if ns is None else ns, system if ew is None else ew
        return bid_by(agent, hand, auction, systems, dealer, vulnerability)
    return system_of(system).bid(
        hand, auction, ns=ns, ew=ew, dealer=dealer, vulnerability=vulnerability
    )


def sample(
    auction: AuctionLike,
    number: int = 1000,
    *,
    seed: int = 0,
    exact: bool = False,
    hand: HandLike | None = None,
    seat: Seat | str | None = None,
    dummy: HandLike | None = None,
    system: SystemLike = "sayc",
    ns: SystemLike | None = None,
    ew: SystemLike | None = None,
    dealer: Seat | str = Seat.NORTH,
    vulnerability: Vulnerability | str = Vulnerability.NONE,
) -> DealBatch:
    """Return deals that agree with an auction, each drawn with exactly its chance.

    It needs the extra `bidwright[deals]`. Calls that no deal agrees with are read less strictly,
    with a `BidwrightWarning`.

    Args:
        auction: the calls: an `Auction`, a `Board`, or text as `parse_auction` reads it.
        number: the number of deals.
        seed: the random seed; equal seeds give equal deals.
        exact: True for possible hands only; else hands near them count as well, for less (`EDGES`
            of `bidwright.inference.sampling`).
        hand: of a player who sees it; without it all four are hidden.
        seat: where he sits; the player in turn if it is not given.
        dummy: dummy's hand, if it is on the table.
        system: the system of both sides: a `System`, a name or a path as for `open_system`.
        ns: the system of North-South, if it is another one.
        ew: the system of East-West, likewise.
        dealer: the first caller of an auction that is text.
        vulnerability: `none`, `ns`, `ew` or `both`, likewise.

    Returns:
        The deals: iterable, indexed from 0, and as an array: `owner`, uint8 `[number, 52]`, has
        the seat of each card.

    Raises:
        InvalidError: Something cannot be read, or a system does not exist or has errors.
        IllegalError: A card is held twice.
        RareDealsError: So few deals agree that the search found no more.

    Example:
        >>> import bidwright
        >>> deals = bidwright.sample("1NT (P) 3NT", 100, seed=1, exact=True, system="sayc")
        >>> len(deals), all(15 <= deal.north.hcp <= 17 for deal in deals)
        (100, True)
        >>> deals.hcp(bidwright.Seat.NORTH).shape
        (100,)
    """
    return system_of(system).sample(
        auction,
        number,
        seed=seed,
        exact=exact,
        hand=hand,
        seat=seat,
        dummy=dummy,
        ns=ns,
        ew=ew,
        dealer=dealer,
        vulnerability=vulnerability,
    )


def odds(
    auction: AuctionLike,
    question: str,
    *,
    seed: int = 0,
    exact: bool = False,
    hand: HandLike | None = None,
    seat: Seat | str | None = None,
    dummy: HandLike | None = None,
    system: SystemLike = "sayc",
    ns: SystemLike | None = None,
    ew: SystemLike | None = None,
    dealer: Seat | str = Seat.NORTH,
    vulnerability: Vulnerability | str = Vulnerability.NONE,
) -> Probability:
    """Return the probability of a property of the deal after an auction.

    It needs the extra `bidwright[deals]`.

    Args:
        auction: the calls: an `Auction`, a `Board`, or text as `parse_auction` reads it.
        question: `SK with East`, `fit spades N-S 8+`, `5-3 fit spades N-S`, `N-S hcp 25+`,
            `game N-S`, `slam N-S`, or a seat with a condition as rules write it:
            `W hcp 12+, hearts 5+`.
        seed: the random seed of deals that are drawn where they cannot be counted.
        exact: True for possible hands only, as in `sample`.
        hand: of a player who sees it; without it all four are hidden.
        seat: where he sits; the player in turn if it is not given.
        dummy: dummy's hand, if it is on the table.
        system: the system of both sides: a `System`, a name or a path as for `open_system`.
        ns: the system of North-South, if it is another one.
        ew: the system of East-West, likewise.
        dealer: the first caller of an auction that is text.
        vulnerability: `none`, `ns`, `ew` or `both`, likewise.

    Returns:
        The probability: `value` from 0 to 1, with its standard `error`, which is 0 where deals
        were counted.

    Raises:
        InvalidError: Something cannot be read, or a system does not exist or has errors.
        IllegalError: A card is held twice.

    Example:
        >>> import bidwright
        >>> fit = bidwright.odds("1NT (P) 2H", "fit spades N-S 8+", system="sayc")
        >>> 0.5 < fit.value < 1
        True
    """
    return system_of(system).odds(
        auction,
        question,
        seed=seed,
        exact=exact,
        hand=hand,
        seat=seat,
        dummy=dummy,
        ns=ns,
        ew=ew,
        dealer=dealer,
        vulnerability=vulnerability,
    )


def check(system: SystemLike) -> tuple[FileProblem, ...]:
    r"""Return the mistakes in a system, its examples included; empty if there are none.

    Args:
        system: a `System`, the name of one, or the path of a `.bid` file or of a system's folder.

    Raises:
        UnknownSystemError: There is no such system or file (an `InvalidError`).

    Example:
        >>> import bidwright, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "strong.bid"
        >>> _ = path.write_text('opening\n  1C "strong" hpc 16+\n')
        >>> problem, *_ = bidwright.check(path)
        >>> problem.code, problem.line, problem.help
        ('E201', 2, "did you mean 'hcp'?")
    """
    from bidwright.front.file_problem import problems_of

    return system.check() if isinstance(system, System) else problems_of(system)


def diff(
    old: SystemLike,
    new: SystemLike,
    *,
    deals: int = 10_000,
    positions: int = 250,
    follow: int = 50,
    top: int = 8,
    causes: int = 12,
    seed: int = 0,
) -> SystemDifference:
    r"""Return the differences at the table between two systems.

    Args:
        old: a `System`, a name or a path as for `open_system`.
        new: the other system, likewise.
        deals: random deals that are bid by both systems.
        positions: auctions that are compared, those of most deals first.
        follow: deals left over that are followed to the end.
        top: the most differences that are kept for each change.
        causes: the most changes whose differences are kept, the most frequent first.
        seed: the random seed of the deals.

    Raises:
        InvalidError: A system does not exist or has errors.

    Example:
        >>> import bidwright
        >>> text = 'opening\n  1NT "strong" hcp 15..17, balanced\n'
        >>> strong = bidwright.System.from_text(text, "strong")
        >>> weak = bidwright.System.from_text(text.replace("15..17", "12..14"), "weak")
        >>> print(str(bidwright.diff(strong, weak, deals=200)).splitlines()[0])
        strong -> weak
    """
    from bidwright.authoring.diff.compare import Effort
    from bidwright.front.differences import SystemDifference

    effort = Effort(deals, positions, follow, top, causes, seed)
    return SystemDifference.between(old, new, effort)


def solve(
    deal: DealLike,
    dealer: Seat | str = Seat.NORTH,
    vulnerability: Vulnerability | str = Vulnerability.NONE,
) -> SolvedBoard:
    """Return the double-dummy tricks of every contract on a deal, and par.

    It needs the extra `bidwright[match]`. For many deals at once see `DoubleDummy`.

    Args:
        deal: four hands, or three that give the fourth; a `Board` has dealer and vulnerability.
        dealer: the first caller, on whom par depends.
        vulnerability: `none`, `ns`, `ew` or `both`.

    Returns:
        The board with `tricks`, uint8 `[5, 4]`: declarer's tricks in each denomination (C D H S
        NT) by each declarer (N E S W), and `par`. Its `text()` is what `bidwright solve` prints.

    Raises:
        InvalidError: The text is no deal, or a hand is not known.
        IllegalError: A card is held twice.

    Example:
        >>> import bidwright
        >>> solved = bidwright.solve(
        ...     "N:AQ8.K75.KQ84.J32 J943.QT4.J62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"
        ... )
        >>> int(solved.tricks[bidwright.Denomination.NOTRUMP, bidwright.Seat.NORTH])
        9
        >>> solved.par_text()
        'NS +420, 4S= by North-South'
    """
    from bidwright.match.double_dummy.dd_solver import DoubleDummy
    from bidwright.match.double_dummy.solved_board import solve_boards

    board = board_of(deal, dealer, vulnerability)
    with DoubleDummy() as service:
        return solve_boards([board], service)[0]


def read_boards(source: str | Path) -> list[Board]:
    r"""Return the boards of a PBN or LIN file, of such a text, or of a link to a hand viewer.

    Args:
        source: a `Path` is a file; text is a file if there is one of that name, else the boards
            themselves.

    Returns:
        The boards in their order. Of each, `errors` says what could not be read.

    Raises:
        InvalidError: The file cannot be read or holds no board, or the text is none of these.

    Example:
        >>> import bidwright
        >>> board, = bidwright.read_boards(
        ...     '[Dealer "N"]\n[Auction "N"]\n1NT Pass 3NT AP\n'
        ... )
        >>> str(board.auction)
        '1NT (P) 3NT (P) P (P)'
    """
    from bidwright.bridge.pasted_text import read_pasted
    from bidwright.bridge.recorded_boards import boards_of

    # A text of many lines is no name; some systems refuse to look for one that is too long.
    if isinstance(source, Path) or ("\n" not in source and len(source) < 1000 and _is_file(source)):
        return boards_of(Path(source))
    return read_pasted(source)


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False
