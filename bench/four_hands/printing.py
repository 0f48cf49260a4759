"""The comparison as text and as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bidwright.bench.four_hands.comparison import (
    FaultRow,
    Pair,
    Row,
    by_doubles,
    by_family,
    by_fault,
    divergences,
    row_of,
    worst,
)
from bidwright.bench.four_hands.slams import Slams, by_outcome
from bidwright.match.record.estimate import Tally
from bidwright.match.reports.attribution import Bucket, buckets, by_phase

Json = dict[str, Any]

_EXAMPLES = 5


def _error(tally: Tally) -> str:
    return f"{tally.error:.3f}" if tally.count > 1 else "-"


def _table(rows: Iterable[Row], boards: int) -> list[str]:
    lines = [f"{'':34} boards    ours  engine  excess  +-      per 1000"]
    for row in rows:
        lines.append(
            f"{row.name:34} {row.excess.count:6} {row.ours.mean:7.3f} {row.theirs.mean:7.3f}"
            f" {row.excess.mean:+7.3f}  {_error(row.excess):6} {1000 * row.total / boards:+8.1f}"
        )
    return lines


def _bucket_lines(found: Iterable[Bucket], boards: int) -> list[str]:
    return [
        f"{bucket.tally.count:6} {bucket.tally.mean:+7.3f}  {_error(bucket.tally):6}"
        f" {1000 * bucket.total / boards:+8.1f}  {' '.join(bucket.name)}"
        f"  (boards {', '.join(str(each.board) for each in bucket.divergences[:_EXAMPLES])})"
        for bucket in found
    ]


def _fault_lines(faults: Iterable[FaultRow], boards: int) -> list[str]:
    lines = []
    for row in faults:
        rules = ", ".join(f"{name} ({count})" for name, count in row.rules[:_EXAMPLES])
        numbers = ", ".join(map(str, row.boards[:_EXAMPLES]))
        where = f"  boards {numbers}: {rules}" if row.boards else ""
        share = 1000 * len(row.boards) / boards
        lines.append(f"{row.kind:20} {len(row.boards):6} {share:8.2f}{where}")
    return lines


def _slam_lines(found: Iterable[Slams]) -> list[str]:
    head = f"{'':8} ours  engine  excess IMPs of ours"
    return [
        head,
        *(f"{row.outcome:8} {row.ours:4}  {row.theirs:6}  {row.swing:+19}" for row in found),
    ]


def _worst_lines(pair: Pair) -> list[str]:
    divergence = pair.divergence
    assert divergence is not None
    board, (ours, theirs) = pair.board, pair.scores
    contracts = [str(each.contract() or "passed out") for each in (pair.auction, board.reference)]
    return [
        f"board {board.number}: {divergence.imps:+d} IMPs, dealer {board.dealer}, vulnerable"
        f" {board.vulnerability.word}, par {pair.line['par']:+d}; {divergence.seat} called"
        f" {divergence.a_call} by {divergence.a_by or 'no rule'}, engine {divergence.b_call}",
        f"  {board.deal.to_pbn()}",
        f"  ours   {pair.auction}: {contracts[0]}, {ours:+d}",
        f"  engine {board.reference}: {contracts[1]}, {theirs:+d}",
    ]


def report(pairs: Sequence[Pair], top: int) -> str:
    """Return the whole comparison as text.

    Args:
        pairs: the boards, at least one.
        top: how many rules and worst boards are listed.
    """
    count = len(pairs)
    parted = divergences(pairs)
    rules = buckets(parted, [(each.a_by or "no rule",) for each in parted])
    every = row_of("all", pairs)
    lines = [
        f"{count} boards, {len(parted)} bid differently",
        f"mean IMPs from par, without sign: ours {every.ours.mean:.3f} +- {_error(every.ours)},"
        f" engine {every.theirs.mean:.3f} +- {_error(every.theirs)}",
        "",
        "By kind of auction",
        *_table([*by_family(pairs), every], count),
        "",
        "By who was doubled, ours | engine",
        *_table(by_doubles(pairs), count),
        "",
        "First different call by kind of decision: boards, IMPs gained by our call, +-, per 1000",
        *_bucket_lines(by_phase(parted), count),
        "",
        f"First different call by our rule, the {top} costliest",
        *_bucket_lines(rules[:top], count),
        "",
        "Slams: boards on which one was made, failed, or was missed with twelve tricks there",
        *_slam_lines(by_outcome(pairs)),
        "",
        "Faults: boards, per 1000",
        *_fault_lines(by_fault(pairs), count),
        "",
        f"The {top} worst boards",
        *(line for pair in worst(pairs, top) for line in _worst_lines(pair)),
    ]
    return "\n".join(lines)


def _row_json(row: Row) -> Json:
    error = row.excess.error if row.excess.count > 1 else None
    return {
        "boards": row.excess.count,
        "ours": row.ours.mean,
        "ours_error": row.ours.error if row.ours.count > 1 else None,
        "engine": row.theirs.mean,
        "excess": row.excess.mean,
        "error": error,
    }


def _bucket_json(bucket: Bucket) -> Json:
    return {
        "boards": [each.board for each in bucket.divergences],
        "mean": bucket.tally.mean,
        "error": bucket.tally.error if bucket.tally.count > 1 else None,
        "total": bucket.total,
    }


def as_json(pairs: Sequence[Pair]) -> Json:
    """Return the figures of the comparison as plain values."""
    parted = divergences(pairs)
    rules = buckets(parted, [(each.a_by or "no rule",) for each in parted])
    return {
        "all": _row_json(row_of("all", pairs)),
        "different": len(parted),
        "families": {row.name: _row_json(row) for row in by_family(pairs)},
        "doubles": {row.name: _row_json(row) for row in by_doubles(pairs)},
        "phases": {bucket.name[0]: _bucket_json(bucket) for bucket in by_phase(parted)},
        "rules": {bucket.name[0]: _bucket_json(bucket) for bucket in rules},
        "slams": {
            row.outcome: {"ours": row.ours, "engine": row.theirs, "excess": row.swing}
            for row in by_outcome(pairs)
        },
        "faults": {row.kind: {"boards": list(row.boards)} for row in by_fault(pairs)},
    }
