"""Double-dummy tricks of whole tables and of single contracts, and verdicts on contracts.

One service over the solver: it solves nothing twice, not even a deal in another symmetric form,
spreads the work over processes and keeps results in a file.

Shapes: `D` deals. `owner` is uint8 `[D, 52]`, the seat of each card.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.cards import NUM_CARDS, Card, Denomination, Seat
from bidwright.bridge.contract import Contract
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import IllegalError
from bidwright.bridge.symmetry import canonical
from bidwright.match.double_dummy.dds import (
    Owners,
    Tricks,
    solve_contracts,
    solve_leads,
    solve_tables,
    solve_targets,
)
from bidwright.match.double_dummy.pool import Pool
from bidwright.match.double_dummy.pool import SolverError as SolverError
from bidwright.match.double_dummy.store import Bounds, Store, nothing_known
from bidwright.runtime.closing import Closing

Integers = NDArray[np.integer] | Sequence[int]
T = TypeVar("T", bound=np.generic)
OnProgress = Callable[[int, int], None]
"""Called with the number of solved problems and the number of all."""

_TABLES_AT_A_TIME = 5
_CONTRACTS_AT_A_TIME = 40


def owners_of(deals: Sequence[Deal]) -> Owners:
    """Return uint8 `[D, 52]`: the seat of each card.

    Raises:
        IllegalError: If a hand is not known.
    """
    for deal in deals:
        if not deal.is_complete:
            raise IllegalError(f"expected four hands to solve, got deal '{deal}'")
    return np.array([deal.owner for deal in deals], dtype=np.uint8).reshape(-1, NUM_CARDS)


class DoubleDummy(Closing):
    """Answers questions about double-dummy play, from known results or by solving.

    Example:
        >>> import bidwright
        >>> deals = bidwright.sample("1NT (P) 3NT", 3, seed=1, system="sayc")
        >>> with bidwright.DoubleDummy() as solver:
        ...     tables = solver.tables(deals.owner)
        >>> tables.shape, tables.dtype
        ((3, 5, 4), dtype('uint8'))
    """

    def __init__(
        self, cache: Path | None = None, jobs: int = 1, progress: OnProgress | None = None
    ) -> None:
        """Open the file of known results, if one is given.

        Args:
            cache: the file of known results.
            jobs: the number of processes that solve; with one, this process does.
            progress: called with the number of solved problems and the number of all.

        Raises:
            InvalidError: If the file of known results cannot be used.
        """
        self._store = Store(cache) if cache else None
        self._pool = Pool(jobs)
        self._progress = progress
        self.solved = 0
        """Problems given to the solver so far."""

    # ------------------------------------------------------------------- many

    def tables(self, owner: Owners) -> Tricks:
        """Return uint8 `[D, 5, 4]`: declarer's tricks in each denomination, by each declarer.

        Raises:
            SolverError: If a process of the solver died.
        """
        # Up to 96 deals are the same but for the names of suits and seats: one result serves all.
        keys, views = canonical(owner)
        bounds = self._known(keys)
        open_deals = np.flatnonzero((bounds[:, 0] < bounds[:, 1]).any(axis=(1, 2)))
        # Backwards, so that of equal deals the first one is kept.
        first = {keys[deal]: deal for deal in reversed(open_deals.tolist())}
        # In the order of the deals, so that every run solves the same parts.
        todo = np.array(sorted(first.values()), dtype=np.int64)
        for part, tricks in self._solve(solve_tables, (owner[todo],), _TABLES_AT_A_TIME):
            seen = views[todo[part]].of_tricks(tricks)
            # What was solved is exact: lower and upper bound are the same.
            bounds[todo[part]] = seen[:, None]
            self._keep([keys[deal] for deal in todo[part]], bounds[todo[part]])
        # Equal deals take the result of the one that was solved.
        for deal in open_deals.tolist():
            bounds[deal] = bounds[first[keys[deal]]]
        # Results are turned back to the suits and seats that were asked for.
        return views.back(bounds[:, 0])

    def tricks(self, owner: Owners, denominations: Integers, declarers: Integers) -> Tricks:
        """Return uint8 `[D]`: declarer's tricks in one contract for each deal.

        Raises:
            SolverError: If a process of the solver died.
        """
        questions = _Questions(owner, denominations, declarers)
        bounds = self._known(questions.keys)
        low, high = questions.cells(bounds)
        # A contract whose bounds meet is known, even from verdicts on other levels only.
        todo = questions.first_of_each(np.flatnonzero(low < high))
        arrays = (owner[todo], questions.denominations[todo], questions.declarers[todo])
        for part, tricks in self._solve(solve_contracts, arrays, _CONTRACTS_AT_A_TIME):
            self._learn(questions, todo[part], tricks, tricks)
            low[todo[part]] = tricks
        return np.asarray(low[questions.same])

    def makes(
        self, owner: Owners, denominations: Integers, declarers: Integers, needs: Integers
    ) -> NDArray[np.bool_]:
        """Return bool `[D]`, True where declarer can take as many tricks as he needs.

        This is much cheaper than the number of tricks.

        Raises:
            SolverError: If a process of the solver died.
        """
        need = np.asarray(needs)
        questions = _Questions(owner, denominations, declarers, need)
        bounds = self._known(questions.keys)
        low, high = questions.cells(bounds)
        # Known bounds often decide already: at least as many tricks, or fewer at most.
        enough = low >= need
        todo = questions.first_of_each(np.flatnonzero((low < need) & (high >= need)))
        arrays = (owner[todo], questions.denominations[todo], questions.declarers[todo], need[todo])
        for part, makes in self._solve(solve_targets, arrays, _CONTRACTS_AT_A_TIME):
            asked = need[todo[part]]
            # A verdict is a bound: at least the need, or one trick less at most.
            least = np.where(makes, asked, low[todo[part]])
            most = np.where(makes, high[todo[part]], asked - 1)
            self._learn(questions, todo[part], least, most)
            enough[todo[part]] = makes
        return np.asarray(enough[questions.same])

    # -------------------------------------------------------------------- one

    def table(self, deal: Deal) -> Tricks:
        """Return uint8 `[5, 4]`: declarer's tricks in each denomination, by each declarer."""
        return np.asarray(self.tables(owners_of([deal]))[0])

    def contract_tricks(self, deal: Deal, denomination: Denomination, declarer: Seat) -> int:
        """Return declarer's tricks with best play by all."""
        return int(self.tricks(owners_of([deal]), [denomination], [declarer])[0])

    def lead_tricks(self, deal: Deal, contract: Contract) -> dict[Card, int]:
        """Return declarer's tricks after each card that may be led."""
        # The store has no leads: they are solved each time.
        self.solved += 1
        owner = owners_of([deal])[0]
        return solve_leads(owner, contract.denomination, contract.declarer)

    # ---------------------------------------------------------------- plumbing

    def _known(self, keys: Sequence[bytes]) -> Bounds:
        return self._store.read(keys) if self._store else nothing_known(len(keys))

    def _keep(self, keys: Sequence[bytes], bounds: Bounds) -> None:
        if self._store:
            self._store.add(keys, bounds)

    def _learn(
        self,
        questions: _Questions,
        which: NDArray[np.int64],
        least: NDArray[np.integer],
        most: NDArray[np.integer],
    ) -> None:
        """Store bounds of the tricks in single contracts."""
        if not self._store:
            return
        # Several contracts of one deal may be among them: their bounds go into one entry.
        entries: dict[bytes, Bounds] = {}
        for place, low, high in zip(which.tolist(), least.tolist(), most.tolist(), strict=True):
            entry = entries.setdefault(questions.keys[place], nothing_known(1)[0])
            # Only this contract's cell is known; the others keep the widest bounds.
            entry[:, questions.rows[place], questions.columns[place]] = low, high
        self._store.add(list(entries), np.stack(list(entries.values())))

    def _solve(
        self,
        function: Callable[..., NDArray[T]],
        arrays: tuple[NDArray[Any], ...],
        size: int,
    ) -> Generator[tuple[slice, NDArray[T]]]:
        """Yield the results of a function for parts of the arrays, as they come."""
        done, count = 0, len(arrays[0])
        for part, result in self._pool.run(function, arrays, size):
            done += len(result)
            self.solved += len(result)
            yield part, result
            if self._progress:
                self._progress(done, count)

    def close(self) -> None:
        """Close the file of known results, end the processes."""
        self._pool.close()
        if self._store:
            self._store.close()


class _Questions:
    """Questions about single contracts, in terms of the deals' canonical views.

    Attributes:
        denominations: the denominations of the contracts.
        declarers: the declarers of the contracts.
        keys: the keys of the deals.
        rows: the denominations in the canonical views.
        columns: the declarers in the canonical views.
        same: for each question, the place of the first one that is the same.
    """

    def __init__(
        self,
        owner: Owners,
        denominations: Integers,
        declarers: Integers,
        needs: NDArray[np.integer] | None = None,
    ) -> None:
        self.denominations = np.asarray(denominations)
        self.declarers = np.asarray(declarers)
        self.keys, views = canonical(owner)
        everything = np.arange(len(owner))
        # Notrump keeps its place whatever the suits are called.
        suits = np.concatenate(
            (views.suits, np.full((len(owner), 1), Denomination.NOTRUMP)), axis=1
        )
        # The inverse permutation: where a denomination went in the canonical view.
        self.rows = np.argsort(suits, axis=1)[everything, self.denominations]
        # A turned table turns declarer with it.
        self.columns = (self.declarers + views.turns) % len(Seat)
        first: dict[tuple[bytes, int, int, int], int] = {}
        # The need is part of a question: two verdicts on one contract are two questions.
        asked = np.zeros(len(owner), dtype=np.int64) if needs is None else needs
        columns = (self.rows.tolist(), self.columns.tolist(), asked.tolist())
        self.same = np.array(
            [
                first.setdefault(question, place)
                for place, question in enumerate(zip(self.keys, *columns, strict=True))
            ],
            dtype=np.int64,
        )

    def cells(self, bounds: Bounds) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Return the fewest and the most tricks in question, uint8 `[D]`."""
        everything = np.arange(len(bounds))
        low, high = (bounds[everything, end, self.rows, self.columns] for end in (0, 1))
        return low, high

    def first_of_each(self, which: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places of some questions that are the first of their kind."""
        return np.asarray(which[self.same[which] == which])
