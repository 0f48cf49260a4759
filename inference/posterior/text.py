"""The posterior of a deal, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import HAND_SIZE, SUITS, Denomination, Seat, Side, card_name
from bidwright.bridge.deal import Deal
from bidwright.inference.explanation.text_style import PLAIN, TextStyle
from bidwright.inference.posterior.effects import Effect, Summary
from bidwright.inference.posterior.events import GAME, SLAM
from bidwright.inference.posterior.probability_tables import (
    HONOURS,
    HandTables,
    Numbers,
    Posterior,
    middle,
)
from bidwright.inference.sampling import EDGES, JUDGEMENT, Probability
from bidwright.kb.wording.shares import percent
from bidwright.kb.wording.words import Style

_BAR = 40
_ROWS = 10
_SHORTEST, _LONGEST = 0, 8
"""The lengths that have a column; the last one stands for it and all above."""
_SMALLEST_SHARE = 0.05
"""Smaller shares of fits are not printed."""

_SPADES_FIRST = tuple(Denomination(suit) for suit in reversed(range(len(SUITS))))


def posterior_text(found: Posterior, auction: Auction, style: TextStyle = PLAIN) -> str:
    """Return all tables of a posterior as text, several paragraphs."""
    parts = [_head(found, style)]
    parts += [_hand(seat, tables, style) for seat, tables in found.hands.items()]
    parts += [_honours(found, style), _sides(found, style), _key_cards(found, auction, style)]
    return "\n\n".join(part for part in parts if part)


def _head(found: Posterior, style: TextStyle) -> str:
    one_in = 1 / found.share
    rare = f"{one_in:,.1f}" if one_in < 100 else f"{one_in:,.0f}"
    if found.deals is not None:
        size = f"{found.deals:,.0f}" if found.deals < 1e9 else f"{found.deals:.4g}"
        lines = [f"{size} deals agree, counted: 1 in {rare}. Tables of hands are exact."]
        drawn = "Everything else is"
    else:
        lines = [f"About 1 in {rare} deals agrees."]
        drawn = "Figures are"
    if found.belief.knowledge.soft:
        (_, near), (_, far) = EDGES
        lines += [
            "Hands count in full where the calls usually show them; what takes judgement counts",
            f"{JUDGEMENT:g} times as much, a point beyond {near:g}, two points and a card {far:g}.",
        ]
    elif found.belief.sampler.judgement is not None:
        lines.append(f"A hand that takes judgement makes a deal count {JUDGEMENT:g} times as much.")
    lines.append(
        f"{drawn} from {len(found.batch):,} deals drawn (± {100 * found.error:.1g} % at most)."
    )
    return "\n".join([style.strong("What is likely of the deal"), *lines])


def _hand(seat: Seat, tables: HandTables, style: TextStyle) -> str:
    low, high = middle(tables.hcp)
    title = f"{seat.name.capitalize()}: {tables.mean_hcp:.1f} HCP on average, mostly {low}-{high}"
    return "\n".join([style.strong(title), *_bars(tables.hcp, style), *_lengths(tables, style)])


def _bars(table: Numbers, style: TextStyle) -> Iterator[str]:
    """Yield a histogram: a line for each number of points, or for a few of them together."""
    values = np.flatnonzero(table >= 0.0005)
    low, high = int(values.min()), int(values.max())
    # Rounded up: the histogram never has more than its rows.
    width = -(-(high - low + 1) // _ROWS)
    starts = range(low, high + 1, width)
    shares = [float(table[start : start + width].sum()) for start in starts]
    top = max(shares)
    mark = "█" if style.suits is Style.SYMBOLS else "#"
    for start, share in zip(starts, shares, strict=True):
        name = str(start) if width == 1 else f"{start}-{start + width - 1}"
        bar = mark * round(_BAR * share / top)
        yield f"  {name:>5} HCP {percent(share):>6}  {bar}".rstrip()


def _lengths(tables: HandTables, style: TextStyle) -> Iterator[str]:
    columns = range(_SHORTEST, _LONGEST + 1)
    heads = [f"{n}+" if n == _LONGEST else str(n) for n in columns]
    yield "  cards  " + "".join(f"{head:>7}" for head in heads) + "   mean"
    for suit in _SPADES_FIRST:
        row = tables.lengths[suit]
        shares = [*row[:_LONGEST], row[_LONGEST:].sum()]
        name = style.suits.suit(suit)
        yield (
            f"  {name:<9}"
            + "".join(f"{percent(share):>7}" for share in shares)
            + (f"{tables.mean_lengths[suit]:>7.1f}")
        )


def _honours(found: Posterior, style: TextStyle) -> str:
    seats = tuple(found.hands)
    if not seats:
        return ""
    lines = [style.strong("Who holds what"), "  card " + "".join(f"{seat!s:>7}" for seat in seats)]
    for place, card in enumerate(HONOURS):
        shares = [found.hands[seat].honours[place] for seat in seats]
        if sum(shares) > 0:
            lines.append(f"  {card_name(card):<5}" + "".join(f"{percent(s):>7}" for s in shares))
    return "\n".join(lines)


def _sides(found: Posterior, style: TextStyle) -> str:
    """Return the points and fits of each side with a hidden hand."""
    lines = []
    batch = found.batch
    for side in Side:
        pair = [seat for seat in Seat if seat.side is side]
        if not any(seat in found.hands for seat in pair):
            continue
        points = batch.hcp(pair[0]) + batch.hcp(pair[1])
        average = float(np.average(points, weights=batch.weights))
        game, slam = (percent(batch.share(points >= least)) for least in (GAME, SLAM))
        lines.append(f"  {_name(side)}: {average:.1f} HCP together; {GAME}+ {game}, {SLAM}+ {slam}")
        fits = batch.fit_table(pair[0])
        for suit in _SPADES_FIRST:
            share = float(fits[suit, 8:].sum())
            if share >= _SMALLEST_SHARE:
                ways = ", ".join(
                    f"{how} {percent(much)}" for how, much in _ways(found, pair[0], suit)
                )
                name = style.suits.suit(suit)
                lines.append(f"    8+ {name} {percent(share)} ({ways})")
    return "\n".join([style.strong("Both hands of a side"), *lines]) if lines else ""


def _ways(found: Posterior, seat: Seat, suit: Denomination) -> list[tuple[str, float]]:
    """Return the commonest ways to have a fit, one hand's length before the partner's."""
    batch = found.batch
    mine = batch.lengths(seat)[:, suit].astype(np.int64)
    other = batch.lengths(seat.partner)[:, suit].astype(np.int64)
    # A pair of lengths as one number: sixteen is the next power of two above thirteen.
    both = np.bincount(16 * mine + other, weights=batch.weights, minlength=256)
    shares = both / both.sum()
    ways = [
        (f"{mine}-{other}", float(shares[16 * mine + other]))
        for mine in range(HAND_SIZE + 1)
        for other in range(HAND_SIZE + 1)
        # Eight cards are a fit; divisions of less than one in fifty are left out.
        if mine + other >= 8 and shares[16 * mine + other] >= 0.02
    ]
    return sorted(ways, key=lambda way: -way[1])[:3]


def _key_cards(found: Posterior, auction: Auction, style: TextStyle) -> str:
    """Return the number of aces of each hidden hand, and of key cards where trumps are bid."""
    contract = auction.contract()
    lines = []
    trumps, side = None, None
    if contract and contract.denomination.is_suit:
        trumps, side = contract.denomination, contract.declarer.side
    for seat in found.hands:
        aces = found.batch.held(seat)[:, [card for card in HONOURS if card % 13 == 12]].sum(axis=1)
        lines.append(_count(f"{seat.name.capitalize()} aces", aces, found))
        # The king of trumps counts as a key card for the side that plays there.
        if trumps is not None and seat.side is side:
            keys = found.batch.key_cards(seat, trumps)
            lines.append(_count(f"{seat.name.capitalize()} key cards", keys, found))
    head = "How many aces" + (
        f", and key cards if {style.suits.suit(trumps)} are trumps" if trumps is not None else ""
    )
    return "\n".join([style.strong(head), *lines])


def _count(name: str, values: np.ndarray, found: Posterior) -> str:
    # Four aces, five key cards: no count is above five.
    shares = [found.batch.share(values == number) for number in range(6)]
    shares_text = ", ".join(f"{n}: {percent(share)}" for n, share in enumerate(shares) if share > 0)
    return f"  {name:<16} {shares_text}"


def _name(side: Side) -> str:
    return "North-South" if side is Side.NS else "East-West"


# --------------------------------------------------------------------- the rest


def effects_text(found: Sequence[Effect], style: TextStyle = PLAIN) -> str:
    """Return a table of the information in each call."""
    lines = [
        style.strong("What each call tells"),
        "  bits: how surprising the call was, and so how much it tells; then, before -> after, its",
        "  maker's HCP on average (nine of ten hands in brackets), and lengths S-H-D-C",
    ]
    for effect in found:
        bits = "too rare" if effect.bits is None else f"{effect.bits:.1f} bits"
        if effect.error:
            bits += f" ± {effect.error:.2f}"
        call = f"{effect.seat} {style.call(effect.call)}"
        lines.append(f"  {call:<6} {bits:<17} {_change(effect)}".rstrip())
    return "\n".join(lines)


def _change(effect: Effect) -> str:
    before, after = effect.before, effect.after
    if before is None or after is None:
        return ""
    return f"{_points(before)} -> {_points(after)}   {_shape(before)} -> {_shape(after)}"


def _points(summary: Summary) -> str:
    low, high = summary.hcp_range
    return f"{summary.hcp:.1f} ({low}-{high})"


def _shape(summary: Summary) -> str:
    return "-".join(f"{length:.1f}" for length in reversed(summary.lengths))


def deals_text(deals: Sequence[Deal], style: TextStyle = PLAIN) -> str:
    """Return example deals, a line each."""
    return "\n".join([style.strong("Deals that agree"), *(f"  {deal}" for deal in deals)])


def odds_text(question: str, chance: Probability, drawn: int) -> str:
    """Return the answer to a question, exact or with its error and sample size."""
    if chance.is_exact:
        return f"{question}: {100 * chance.value:.4g} % (exact)"
    error = f"± {100 * chance.error:.2g} %"
    return f"{question}: {100 * chance.value:.3g} % (from {drawn:,} deals, {error})"
