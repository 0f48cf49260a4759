"""Compiled loops of A2C and BAD; all in one module, which numba's store of machine code watches.

`room` defines the letters, rows and blocks.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bidwright.lab.games.public import Singles, Table
from bidwright.lab.games.room import Adam, Agent, Beliefs, Net, Played, Room, Rows, Spare
from bidwright.lab.games.tree import Ints
from bidwright.runtime.jit import inlined, jit, loose

_MEAN, _SQUARE, _SMALL = np.float32(0.1), np.float32(0.001), np.float32(1e-8)
"""Adam's: how fast both means follow, and what keeps it from dividing by 0."""
_NONE: Any = np.int64(0)
_ONE: Any = np.int64(1)
"""Numba compiles a function once more for each literal number that it is called with."""


@inlined
def _add(out: Singles, at: int, spare: Spare, count: int, of: Singles) -> None:
    """Add to row `at` of `out` the first `count` rows of `of` that `spare` lists, weighted."""
    units, k = out.shape[1], 0
    # Four at a time: the sum is read and written once for all of them.
    while k + 4 <= count:
        a, b, c, d = spare.number[k], spare.number[k + 1], spare.number[k + 2], spare.number[k + 3]
        p, q, r, s = spare.weight[k], spare.weight[k + 1], spare.weight[k + 2], spare.weight[k + 3]
        for unit in range(units):
            out[at, unit] += p * of[a, unit] + q * of[b, unit] + r * of[c, unit] + s * of[d, unit]
        k += 4
    while k < count:
        a, p = spare.number[k], spare.weight[k]
        for unit in range(units):
            out[at, unit] += p * of[a, unit]
        k += 1


@loose
def _dot(some: Singles, at: int, other: Singles, by: int) -> np.float32:
    """Return the product of row `at` of one and row `by` of the other."""
    total = np.float32(0.0)
    # Sums in single precision, in any order (`loose`): the compiler may then add several numbers at
    # a time.
    for unit in range(some.shape[1]):
        total += some[at, unit] * other[by, unit]
    return total


@inlined
def _rectify(values: Singles, at: int, spare: Spare) -> int:
    """Replace negative values of a row by 0; list the others and return their number."""
    count = 0
    for unit in range(values.shape[1]):
        value = max(values[at, unit], np.float32(0.0))
        values[at, unit] = value
        spare.number[count] = unit
        spare.weight[count] = value
        count += value > 0
    return count


@jit
def _lay(table: Table, agent: Agent, rows: Rows, low: int, high: int, known: Beliefs) -> None:
    """Write the inputs of the rows from `low` on: the position, and the beliefs about holdings."""
    for row in range(low, high):
        rows.gain[row], rows.uses[row] = 0.0, 0
        place, n = rows.place[row], rows.game[row]
        # Only inputs that are not 0 are listed: a position has a few features out of many, and a
        # product with the whole matrix would mostly add zeros.
        count = table.seen[place]
        for k in range(count):
            rows.inputs[row, k] = table.features[place, k]
            rows.weight[row, k] = 1.0
        for player in range(2):
            if agent.is_public or player == rows.caller[row]:
                base = agent.features + player * table.holdings[0]
                possible = known.many[player, n]
                for k in range(possible):
                    rows.inputs[row, count] = base + known.holding[player, n, k]
                    # Holdings that are still possible are equally likely: the deal is uniform and
                    # calls only rule out.
                    rows.weight[row, count] = 1.0 / possible
                    count += 1
        rows.active[row] = count


@jit
def _evaluate(
    table: Table, agent: Agent, net: Net, rows: Rows, low: int, high: int, spare: Spare
) -> None:
    """Write layers, value, and the odds of the calls for each block, of the rows from `low` on."""
    last, units = len(net.last) - 1, net.second.shape[1]
    for row in range(low, high):
        count = rows.active[row]
        for k in range(count):
            spare.number[k], spare.weight[k] = rows.inputs[row, k], rows.weight[row, k]
        for unit in range(units):
            rows.first[row, unit] = net.first_bias[unit]
            rows.second[row, unit] = net.second_bias[unit]
        _add(rows.first, row, spare, count, net.first)
        count = _rectify(rows.first, row, spare)
        _add(rows.second, row, spare, count, net.second)
        for unit in range(units):
            rows.second[row, unit] = max(rows.second[row, unit], np.float32(0.0))
        rows.value[row] = net.last_bias[last] + _dot(rows.second, row, net.last, last)
        place, caller = rows.place[row], rows.caller[row]
        options = table.options[place]
        for block in range(rows.blocks[row]):
            base = agent.offset[caller] + agent.stride[caller] * rows.holding[row, block]
            begin = block * options
            most = np.float32(-np.inf)
            for k in range(options):
                out = base + table.column[place, k]
                logit = net.last_bias[out] + _dot(rows.second, row, net.last, out)
                rows.logs[row, begin + k] = logit
                most = max(most, logit)
            total = np.float32(0.0)
            for k in range(begin, begin + options):
                # The largest logit is taken away first, so that exp does not overflow.
                rows.logs[row, k] -= most
                rows.odds[row, k] = math.exp(rows.logs[row, k])
                total += rows.odds[row, k]
            shift, share = np.float32(math.log(total)), np.float32(1 / total)
            for k in range(begin, begin + options):
                rows.logs[row, k] -= shift
                rows.odds[row, k] *= share
                rows.slope[row, k] = 0.0


@inlined
def _is_same(agent: Agent, known: Beliefs, caller: int, one: int, other: int) -> bool:
    """Return True if the caller sees the same of holdings in two games."""
    for player in range(2):
        if agent.is_public or player == caller:
            if known.many[player, one] != known.many[player, other]:
                return False
            for k in range(known.many[player, one]):
                if known.holding[player, one, k] != known.holding[player, other, k]:
                    return False
    return True


@jit
def _draw(
    table: Table,
    rows: Rows,
    played: Played,
    beliefs: Beliefs,
    begin: int,
    end: int,
    rng: np.random.Generator,
) -> None:
    """Take decisions: draw a call for each block, make that of the caller's holding.

    What stays possible are the holdings for which the same was drawn.
    """
    for decision in range(begin, end):
        n, row = played.game[decision], played.row[decision]
        place, caller = rows.place[row], rows.caller[row]
        options, mine = table.options[place], 0
        for block in range(rows.blocks[row]):
            at = block * options
            left, option = np.float32(rng.random()), 0
            # The last option takes what rounding leaves of the probability.
            while option < options - 1 and left >= rows.odds[row, at + option]:
                left -= rows.odds[row, at + option]
                option += 1
            played.drawn[decision, block] = option
            # The caller's own holding makes the call; the other blocks are what he would have
            # called.
            if rows.holding[row, block] == played.held[caller, n]:
                mine = option
        count = 0
        for block in range(rows.blocks[row]):
            if played.drawn[decision, block] == mine:
                beliefs.holding[caller, n, count] = rows.holding[row, block]
                count += 1
        beliefs.many[caller, n] = count
        played.place[n] = table.child[place, mine]


@jit
def play(room: Room, rng: np.random.Generator) -> tuple[int, int]:
    """Play the games of a minibatch; return the numbers of rows and of decisions."""
    table, agent, rows, played, beliefs = (
        room.table,
        room.agent,
        room.rows,
        room.played,
        room.beliefs,
    )
    for n in range(len(played.place)):
        played.place[n] = 0
        for player in range(2):
            holdings = table.holdings[player]
            # A product of floats may round up to the number of holdings.
            held = min(int(rng.random() * holdings), holdings - 1)
            played.held[player, n] = held
            beliefs.many[player, n] = holdings if agent.is_public else 1
            for k in range(beliefs.many[player, n]):
                beliefs.holding[player, n, k] = k if agent.is_public else held
    count, decisions = _NONE, _NONE
    for caller in table.caller:
        # All games of a length have the same caller, so one pass over the games makes one turn, and
        # its rows are evaluated together.
        low, begin = count, decisions
        for n in range(len(played.place)):
            place = played.place[n]
            if table.end[place] >= 0:
                continue
            row = low
            # Rows of this turn only: a row is shared by games in which it looks the same to the
            # caller.
            while row < count and not (
                rows.place[row] == place and _is_same(agent, beliefs, caller, rows.game[row], n)
            ):
                row += 1
            if row == count:
                count += 1
                rows.place[row], rows.caller[row], rows.game[row] = place, caller, n
                rows.blocks[row] = beliefs.many[caller, n]
                for block in range(rows.blocks[row]):
                    rows.holding[row, block] = beliefs.holding[caller, n, block]
            played.game[decisions], played.row[decisions] = n, row
            decisions += 1
        _lay(table, agent, rows, low, count, beliefs)
        _evaluate(table, agent, room.net, rows, low, count, room.spare)
        _draw(table, rows, played, beliefs, begin, decisions, rng)
    return count, decisions


@jit
def blame(room: Room, count: int, decisions: int, entropy: float) -> None:
    """Write the derivatives of the loss by logits, and the gains of each row.

    A draw is made likelier by its gain, and so are those for holdings that the caller might have
    had ("counterfactual"); `entropy` counts by the probability of its holding.
    """
    table, rows, played = room.table, room.rows, room.played
    for decision in range(decisions):
        n, row = played.game[decision], played.row[decision]
        paid = table.rewards[table.end[played.place[n]], played.held[0, n], played.held[1, n]]
        # The gain over the value of the row is what a policy gradient weighs by.
        gain = paid - rows.value[row]
        # The gains of all decisions of a row are added up: they share its value and its odds, so
        # their derivatives differ only in the call that was drawn.
        rows.gain[row] += gain
        rows.uses[row] += 1
        options = table.options[rows.place[row]]
        for block in range(rows.blocks[row]):
            rows.slope[row, block * options + played.drawn[decision, block]] -= gain
    share = np.float32(1 / len(played.place))
    for row in range(count):
        options = table.options[rows.place[row]]
        # Of the holdings of a row one is the caller's, all equally likely: each has an equal part
        # of the entropy of a decision.
        weight = np.float32(entropy * rows.uses[row] / rows.blocks[row])
        for block in range(rows.blocks[row]):
            # The entropy of the block; its derivative by a logit is the odds times (log + entropy),
            # negated.
            spread = np.float32(0.0)
            for k in range(block * options, (block + 1) * options):
                spread -= rows.odds[row, k] * rows.logs[row, k]
            for k in range(block * options, (block + 1) * options):
                push = rows.gain[row] + weight * (rows.logs[row, k] + spread)
                rows.slope[row, k] = share * (rows.slope[row, k] + rows.odds[row, k] * push)


@jit
def descend(room: Room, count: int, critic: float) -> None:
    """Add the derivatives of the loss by all weights; the first layers of rows are used up."""
    table, agent, net, slopes = room.table, room.agent, room.net, room.slopes
    rows, spare, games = room.rows, room.spare, len(room.played.place)
    units, last = net.second.shape[1], len(net.last) - 1
    for row in range(count):
        place, caller = rows.place[row], rows.caller[row]
        options, used = table.options[place], 0
        for block in range(rows.blocks[row]):
            base = agent.offset[caller] + agent.stride[caller] * rows.holding[row, block]
            for k in range(options):
                spare.number[used] = base + table.column[place, k]
                spare.weight[used] = rows.slope[row, used]
                used += 1
        spare.number[used] = last
        # The value learns from the same sum: the derivative of the squared error of every decision.
        spare.weight[used] = -2 * critic * rows.gain[row] / games
        used += 1
        for k in range(used):
            out, slope = spare.number[k], spare.weight[k]
            slopes.last_bias[out] += slope
            for unit in range(units):
                slopes.last[out, unit] += slope * rows.second[row, unit]
        for unit in range(units):
            rows.back[row, unit] = 0.0
        _add(rows.back, row, spare, used, net.last)
        # Where the unit was cut off at 0, nothing flows back.
        for unit in range(units):
            if rows.second[row, unit] <= 0:
                rows.back[row, unit] = 0.0
            slopes.second_bias[unit] += rows.back[row, unit]
    for unit in range(units):
        used = 0
        for row in range(count):
            spare.number[used], spare.weight[used] = row, rows.first[row, unit]
            # Without a branch: a row that was cut off at 0 is overwritten by the next one.
            used += rows.first[row, unit] > 0
        _add(slopes.second, unit, spare, used, rows.back)
    for row in range(count):
        for unit in range(units):
            if rows.first[row, unit] > 0:
                # The layer itself is not needed any more; its derivatives take its place, which
                # spares an array.
                rows.first[row, unit] = _dot(net.second, unit, rows.back, row)
            slopes.first_bias[unit] += rows.first[row, unit]
        for k in range(rows.active[row]):
            seen, weight = rows.inputs[row, k], rows.weight[row, k]
            for unit in range(units):
                slopes.first[seen, unit] += weight * rows.first[row, unit]


@loose
def _follow(adam: Adam, size: np.float32, scale: np.float32) -> None:
    for k in range(len(adam.weights)):
        slope = adam.slopes[k]
        adam.mean[k] += _MEAN * (slope - adam.mean[k])
        adam.square[k] += _SQUARE * (slope * slope - adam.square[k])
        adam.weights[k] -= size * adam.mean[k] / (math.sqrt(adam.square[k]) * scale + _SMALL)
        # Cleared while they are at hand: the next minibatch only adds.
        adam.slopes[k] = 0.0


@jit
def update(adam: Adam, rate: float, step: int) -> None:
    """Make the `step`-th update, the first being 1; derivatives are 0 afterwards."""
    # Adam's means start at 0 and are too small at first.
    size = np.float32(rate / (1 - (1 - _MEAN) ** step))
    scale = np.float32(1 / math.sqrt(1 - (1 - _SQUARE) ** step))
    _follow(adam, size, scale)


@jit
def learn(
    room: Room,
    rng: np.random.Generator,
    low: int,
    high: int,
    rate: float,
    entropy: float,
    critic: float,
) -> None:
    """Play a minibatch and learn from it, from step `low`, the first being 0, to `high`."""
    for step in range(low, high):
        count, decisions = play(room, rng)
        blame(room, count, decisions, entropy)
        descend(room, count, critic)
        update(room.adam, rate, step + 1)


@inlined
def _pass_on(table: Table, known: Beliefs, place: int, caller: int, chosen: Ints) -> None:
    """Write the beliefs after each call of a position; a call that nobody makes changes nothing."""
    for option in range(table.options[place]):
        after = table.child[place, option]
        for player in range(2):
            count = 0
            for k in range(known.many[player, place]):
                holding = known.holding[player, place, k]
                if player != caller or chosen[place, holding] == option:
                    known.holding[player, after, count] = holding
                    count += 1
            # A call that no holding makes has no belief of its own; that before it is as good as
            # any, and the position must have one to be evaluated.
            if count == 0:
                for k in range(known.many[player, place]):
                    known.holding[player, after, k] = known.holding[player, place, k]
                count = known.many[player, place]
            known.many[player, after] = count


@jit
def choose(room: Room, known: Beliefs) -> Ints:
    """Return the likeliest option of every position and holding, `[P, H]`.

    `known` has room for all positions: beliefs follow these calls. Row 0 is used up.
    """
    table, agent, rows = room.table, room.agent, room.rows
    chosen = np.zeros((len(table.options), known.holding.shape[2]), np.int32)
    for player in range(2):
        known.many[player, 0] = table.holdings[player]
        for k in range(table.holdings[player]):
            known.holding[player, 0, k] = k
    for length, caller in enumerate(table.caller):
        holdings = table.holdings[caller]
        # Positions by length: the beliefs of a position follow from the calls chosen one length
        # before.
        for place in range(table.levels[length], table.levels[length + 1]):
            if table.end[place] >= 0:
                continue
            for holding in range(1 if agent.is_public else holdings):
                if not agent.is_public:
                    known.holding[caller, place, 0], known.many[caller, place] = holding, 1
                rows.place[0], rows.caller[0], rows.game[0] = place, caller, place
                _lay(table, agent, rows, _NONE, _ONE, known)
                rows.blocks[0] = holdings if agent.is_public else 1
                for block in range(rows.blocks[0]):
                    rows.holding[0, block] = holding + block
                _evaluate(table, agent, room.net, rows, _NONE, _ONE, room.spare)
                options = table.options[place]
                for block in range(rows.blocks[0]):
                    at = block * options
                    best = 0
                    for option in range(1, options):
                        if rows.odds[0, at + option] > rows.odds[0, at + best]:
                            best = option
                    chosen[place, holding + block] = best
            if agent.is_public:
                _pass_on(table, known, place, caller, chosen)
    return chosen
