"""Who does pieces of work that come up as the work goes on, and depend on what has come of it.

`crew.work` is for pieces that are all known at the beginning. Here a piece is begun when it is
known, whoever is free works at it, and the results are asked for in the order in which the pieces
were begun. What a piece comes to depends on the piece alone, not on who does it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bidwright.bridge.errors import BidwrightError
from bidwright.runtime import processes
from bidwright.runtime.crew import Crew
from bidwright.runtime.processes import KEPT, WorkerError, Workers

if TYPE_CHECKING:
    from bidwright.runtime.cluster import Tasks

Item = TypeVar("Item")
Result = TypeVar("Result")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Shared(Generic[Value]):
    """A value that many pieces need.

    Attributes:
        value: the value; None where the cluster has it.
        stored: the cluster's reference to it, in a list so that Ray passes the reference on.
    """

    value: Value | None
    stored: list[Any] | None = None

    def get(self) -> Value:
        """Return the value; a machine of a cluster fetches it once."""
        if self.stored is not None:
            import ray

            found: Value = ray.get(self.stored[0])
            return found
        assert self.value is not None
        return self.value


class PieceTeam(ABC, Generic[Item, Result]):
    """Those who do the pieces."""

    @abstractmethod
    def begin(self, item: Item) -> None:
        """Have a piece worked at as soon as somebody is free."""

    @abstractmethod
    def result(self) -> Result:
        """Return the result of the piece begun first of those whose results were not returned.

        Raises:
            BidwrightError: The work failed, or those who did it died once too often.
        """

    def share(self, value: Value) -> Shared[Value]:
        """Return a value as pieces can have it: on a cluster it is stored once for all of them."""
        return Shared(value)

    @abstractmethod
    def close(self) -> None:
        """Give up what is not done, and let go of who works."""


def assemble(
    crew: Crew,
    prepare: Callable[..., Callable[[Item], Result]],
    arguments: tuple[Any, ...],
    error: type[BidwrightError] = WorkerError,
    kept: str = KEPT,
) -> PieceTeam[Item, Result]:
    """Return who works.

    Args:
        crew: who it is; results are not kept as shards, because pieces do not come again.
        prepare: as for `processes.Workers`.
        arguments: as for `processes.Workers`.
        error: as for `processes.Workers`.
        kept: as for `processes.Workers`.

    Raises:
        InvalidError: There is no Ray, or no cluster at the address.
    """
    if crew.cluster is not None:
        from bidwright.runtime import cluster

        ray = cluster.connected(crew.cluster)
        task = ray.put((prepare, arguments))
        return _Cluster(ray, cluster.Tasks(ray, task, error, kept))
    if crew.jobs > 1:
        return _Processes(Workers(prepare, arguments, crew.jobs, error, kept))
    return _Alone(prepare(*arguments))


class _Alone(PieceTeam[Item, Result]):
    """This process, which works when a result is asked for."""

    def __init__(self, work: Callable[[Item], Result]) -> None:
        self._work = work
        self._waiting: deque[Item] = deque()

    def begin(self, item: Item) -> None:
        self._waiting.append(item)

    def result(self) -> Result:
        return self._work(self._waiting.popleft())

    def close(self) -> None:
        processes.close(self._work)


class _Others(PieceTeam[Item, Result]):
    """Others than this process, who are done in any order."""

    def __init__(self) -> None:
        self._finished: dict[int, Result] = {}
        self._begun, self._returned = 0, 0

    def begin(self, item: Item) -> None:
        self._send(self._begun, item)
        self._begun += 1

    def result(self) -> Result:
        while self._returned not in self._finished:
            self._finished.update(self._receive())
        self._returned += 1
        return self._finished.pop(self._returned - 1)

    @abstractmethod
    def _send(self, number: int, item: Item) -> None:
        """Have a piece with a number of its own done."""

    @abstractmethod
    def _receive(self) -> Iterable[tuple[int, Result]]:
        """Wait for results; return those there are, each with the number of its piece."""


class _Processes(_Others[Item, Result]):
    """Processes of this machine; one that is done gets more when a result is asked for."""

    def __init__(self, workers: Workers[Item, Result]) -> None:
        super().__init__()
        self._workers = workers
        self._waiting: deque[tuple[int, Item]] = deque()
        self._doing: dict[int, int] = {}

    def _send(self, number: int, item: Item) -> None:
        self._waiting.append((number, item))
        self._employ()

    def _receive(self) -> Iterable[tuple[int, Result]]:
        found = [(self._doing.pop(worker), done) for worker, done in self._workers.receive()]
        self._employ()
        return found

    def _employ(self) -> None:
        for worker in self._workers.idle():
            if self._waiting:
                self._doing[worker], item = self._waiting.popleft()
                self._workers.send(worker, item)

    def close(self) -> None:
        self._workers.close()


class _Cluster(_Others[Item, Result]):
    """The machines of a Ray cluster."""

    def __init__(self, ray: Any, tasks: Tasks) -> None:  # noqa: ANN401 - a module without types
        super().__init__()
        self._ray, self._tasks = ray, tasks

    def _send(self, number: int, item: Item) -> None:
        self._tasks.begin(number, item)

    def _receive(self) -> Iterable[tuple[int, Result]]:
        return self._tasks.receive()

    def share(self, value: Value) -> Shared[Value]:
        return Shared(None, [self._ray.put(value)])

    def close(self) -> None:
        self._tasks.cancel()
