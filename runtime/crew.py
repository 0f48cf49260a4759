"""Work cut into pieces, done by this process, by several, or by the machines of a cluster.

Pieces are independent: the result of a piece depends on the work and on the piece, not on the
worker, the time, or the number of tries. So pieces can be done anywhere and again, and the results
are the same to the bit. `work` is for pieces that are all listed at the beginning; `Pieces` takes
further ones while it works.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.runtime import processes
from bidwright.runtime.closing import Closing
from bidwright.runtime.processes import KEPT, Done, Failures, Shared, WorkerError, Workers
from bidwright.runtime.shards import Shards, shard_name

Item = TypeVar("Item")
Result = TypeVar("Result")
Value = TypeVar("Value")

# None may be an item.
_NO_MORE = object()


@dataclass(frozen=True, slots=True)
class Crew:
    """The workers.

    Attributes:
        jobs: processes of this machine; with one, this process works.
        cluster: the address of a Ray cluster that works instead, `auto` for the one that this
            machine belongs to.
        shards: a folder, or the URL of a place that fsspec can open, where results are kept.
    """

    jobs: int = 1
    cluster: str | None = None
    shards: str | None = None

    @property
    def is_alone(self) -> bool:
        """True if this process does all the work."""
        return self.cluster is None and self.jobs == 1


ALONE = Crew()
"""This process."""


class BackEnd(Protocol):
    """Workers, as `Pieces` uses them: this process, several, or a cluster."""

    @property
    def room(self) -> int:
        """The number of pieces that can be worked at at the same time."""

    @property
    def ahead(self) -> int:
        """The number of results that may wait for an earlier one before further pieces begin."""

    def begin(self, number: int, item: Any, worker: int | None = None) -> None:  # noqa: ANN401
        """Have a piece with a number of its own done, if possible by a worker of choice."""

    def receive(self) -> Iterable[Done]:
        """Wait for results; return those there are.

        Raises:
            BidwrightError: The work failed, or too many workers died.
        """

    def share(self, value: Any) -> Shared[Any]:  # noqa: ANN401
        """Return a value as all pieces can have it."""

    def close(self) -> None:
        """Give up the pieces that are not done, and end the workers; more pieces may follow."""


class Pieces(Closing, Generic[Item, Result]):
    """Pieces of work, begun one by one; results in the order of the beginnings or as they come."""

    def __init__(
        self,
        crew: Crew,
        prepare: Callable[..., Callable[[Item], Result]],
        arguments: tuple[Any, ...],
        error: type[BidwrightError] = WorkerError,
        earlier: str = KEPT,
        *,
        about: object = None,
        describe: Callable[[Item], object] = list,  # type: ignore[assignment]
        place: Callable[[Item], str] | None = None,
    ) -> None:
        """Choose the work and the workers.

        Args:
            crew: the workers.
            prepare: a function of a module, so that other processes find it. It is called with
                the arguments once in each process, before the first piece, and returns the function
                that does the work. If that has a method `close`, it is called at the end. If this
                process works, any function will do, and it is called at once.
            arguments: for `prepare`; it must be possible to pickle them, and the pieces.
            error: raised when another process raises a `BidwrightError`, with its message, or when
                it dies.
            earlier: the words on earlier results in the message about a worker that died.
            about: plain values: all that the results depend on but the piece. They name the shards;
                without them results are not kept.
            describe: returns plain values that name the shard of a piece, beside `about`.
            place: returns the piece in words, for the message about a worker that died at it.

        Raises:
            InvalidError: There is no Ray, or no cluster at the address, or no place for shards.
        """
        self._name: Callable[[Item], str] | None = None
        failures = Failures(error, earlier, place)
        if crew.shards is None or about is None:
            self._workers = _back_end(crew, prepare, arguments, failures)
        else:
            self._name = lambda item: shard_name(about, describe(item))
            if place is not None:
                failures = Failures(error, earlier, lambda named: place(named[1]))
            keeping = (crew.shards, prepare, arguments)
            self._workers = _back_end(crew, _Keeping, keeping, failures)
        self._finished: dict[int, Result] = {}
        self._begun, self._returned, self._doing = 0, 0, 0

    def begin(self, item: Item, worker: int | None = None) -> int:
        """Have a piece worked at as soon as a worker is free; return its number, counted from 0.

        Args:
            item: the piece.
            worker: a process that is to do it, unless another one has nothing else to do.
        """
        self._workers.begin(self._begun, (self._name(item), item) if self._name else item, worker)
        self._begun += 1
        self._doing += 1
        return self._begun - 1

    def result(self) -> Result:
        """Return the result of the earliest piece without a returned result.

        Raises:
            BidwrightError: The work failed, or too many workers died.
        """
        while self._returned not in self._finished:
            self._receive()
        self._returned += 1
        return self._finished.pop(self._returned - 1)

    def results(self, items: Iterable[Item]) -> Generator[Result]:
        """Yield the result of each item, in the order of the items.

        The workers stay for further items; they end if the generator is closed early.

        Raises:
            BidwrightError: The work failed, or too many workers died.
        """
        left, more = iter(items), True
        try:
            while True:
                while more and self._has_room():
                    item: Any = next(left, _NO_MORE)
                    if item is _NO_MORE:
                        more = False
                    else:
                        self.begin(item)
                while self._returned in self._finished:
                    yield self.result()
                if self._doing:
                    self._receive()
                elif not more:
                    return
        finally:
            # Closed early: nobody asks for what is still worked at.
            if self._doing:
                self.close()

    def as_they_come(self) -> Iterator[Done]:
        """Yield the results of all pieces that were begun, each when it is there.

        Raises:
            BidwrightError: The work failed, or too many workers died.
        """
        while self._doing:
            for done in self._workers.receive():
                self._doing -= 1
                yield done
        self._returned = self._begun

    def share(self, value: Value) -> Shared[Value]:
        """Return a value as pieces can have it: on a cluster it is stored once for all of them."""
        return self._workers.share(value)

    def close(self) -> None:
        """Give up the pieces that are not done, and end the workers."""
        self._workers.close()
        self._finished.clear()
        self._returned, self._doing = self._begun, 0

    def _has_room(self) -> bool:
        """Return True if a further piece may be begun: finished ones that wait fill the memory."""
        workers = self._workers
        return self._doing < workers.room and len(self._finished) <= workers.ahead

    def _receive(self) -> None:
        for done in self._workers.receive():
            self._finished[done.number] = done.result
            self._doing -= 1


def work(
    crew: Crew,
    prepare: Callable[..., Callable[[Item], Result]],
    arguments: tuple[Any, ...],
    items: Iterable[Item],
    about: object,
    error: type[BidwrightError] = WorkerError,
    earlier: str = KEPT,
    describe: Callable[[Item], object] = list,  # type: ignore[assignment]
    place: Callable[[Item], str] | None = None,
) -> Generator[Result]:
    """Yield the result of each item, in the order of the items; see `Pieces` for the arguments.

    Raises:
        BidwrightError: The work failed, or too many workers died.
    """
    with Pieces(
        crew, prepare, arguments, error, earlier, about=about, describe=describe, place=place
    ) as pieces:
        yield from pieces.results(items)


def _back_end(
    crew: Crew,
    prepare: Callable[..., Callable[[Any], Any]],
    arguments: tuple[Any, ...],
    failures: Failures,
) -> BackEnd:
    if crew.cluster is not None:
        from bidwright.runtime.cluster import Tasks

        return Tasks(crew.cluster, prepare, arguments, failures)
    if crew.jobs > 1:
        return Workers(prepare, arguments, crew.jobs, failures)
    return _Here(prepare, arguments)


class _Here:
    """This process, which works when a result is asked for."""

    room, ahead = 1, 0

    def __init__(
        self, prepare: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]
    ) -> None:
        self._prepare = partial(prepare, *arguments)
        self._work: Callable[[Any], Any] | None = self._prepare()
        self._waiting: deque[tuple[int, Any]] = deque()

    def begin(self, number: int, item: Any, worker: int | None = None) -> None:  # noqa: ANN401
        self._waiting.append((number, item))

    def receive(self) -> list[Done]:
        number, item = self._waiting.popleft()
        self._work = self._work or self._prepare()
        return [Done(number, self._work(item))]

    def share(self, value: Value) -> Shared[Value]:
        return Shared(value)

    def close(self) -> None:
        self._waiting.clear()
        processes.close(self._work)
        self._work = None


class _Keeping:
    """Does work and keeps the results as shards; a result that is there already is used."""

    def __init__(
        self, place: str, prepare: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]
    ) -> None:
        self._shards = Shards(place)
        self._prepare, self._arguments = prepare, arguments
        self._work: Callable[[Any], Any] | None = None

    def __call__(self, named: tuple[str, Any]) -> Any:  # noqa: ANN401 - what is worked out
        """Return the result of a named item."""
        name, item = named
        result = self._shards.read(name)
        if result is None:
            self._work = self._work or self._prepare(*self._arguments)
            self._shards.write(name, self._work(item))
            # Read back, so that a result is the same (lists for tuples, say) whether it was kept
            # before or not.
            result = self._shards.read(name)
        if result is None:
            raise InvalidError("a shard that was just written cannot be read again")
        return result

    def close(self) -> None:
        """End the work."""
        processes.close(self._work)
