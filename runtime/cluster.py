"""Work on the machines of a Ray cluster, complete though some of them die.

Every item is a Ray task on one processor. A task whose machine or process dies is given to another
one. An item that takes much longer than others is given to a second machine as well while there is
room, and the result that comes first counts. Machines that join are used from then on.

All machines need this program in the same version, and the files that the work reads by the same
paths; a machine with another version of the program is named and the work ends. Whoever can reach a
Ray cluster can run programs on its machines: see docs/trust.md.
"""

from __future__ import annotations

import logging
import os
import platform
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np

from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.runtime import processes
from bidwright.runtime.code import code_key
from bidwright.runtime.extras import need
from bidwright.runtime.garbage import collect_rarely
from bidwright.runtime.processes import AHEAD, Done, Failures, Shared

_TRIES = 20
"""The number of times an item is given to another machine because one died."""
_SLOW = 3.0
"""The multiple of an item's usual time before it is given to a second machine."""
_AT_LEAST = 5.0
"""Seconds that it may take in any case."""
_PATIENCE = 20.0
"""Seconds to wait for a connection."""
_LOOKS = 2.0
"""Seconds between two checks for new machines and slow items."""
_CODE = ("bridge", "runtime", "kb", "inference", "neural", "match", "authoring")


def connected(address: str) -> Any:  # noqa: ANN401 - a module without types
    """Return the module Ray, connected to a cluster.

    Raises:
        InvalidError: There is no Ray, or no cluster at the address.
    """
    need("ray")
    import ray

    if not ray.is_initialized():
        _reach(address)
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, TimeoutError, ValueError, RuntimeError) as failure:
            reason = str(failure).strip().split("\n")[0][:120]
            raise InvalidError(f"no Ray cluster answers at {address}: {reason}") from None
    return ray


def _reach(address: str) -> None:
    """Check that a server listens at an address: Ray itself waits for a minute or longer.

    Raises:
        InvalidError: Nobody does.
    """
    # `auto`, and names without a port, are left to Ray.
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not port.isdecimal():
        return
    try:
        socket.create_connection((host or "127.0.0.1", int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as failure:
        raise InvalidError(f"no Ray cluster answers at {address}: {failure}") from None


class Tasks:
    """The tasks of a piece of work on a Ray cluster."""

    def __init__(
        self,
        address: str,
        prepare: Callable[..., Callable[[Any], Any]],
        arguments: tuple[Any, ...],
        failures: Failures,
    ) -> None:
        """Connect to a cluster, and have it store the work.

        Args:
            address: the address of the cluster; `auto` for the one that this machine belongs to.
            prepare: as for `crew.Pieces`; called once in each process of the cluster.
            arguments: as for `crew.Pieces`.
            failures: the errors and words for failures.

        Raises:
            InvalidError: There is no Ray, or no cluster at the address.
        """
        self._ray = ray = connected(address)
        self._failures = failures
        self._key = secrets.token_hex(8)
        # In a list, so that Ray passes the reference: each process fetches it once.
        self._task = [ray.put((prepare, arguments))]
        self._program, self._folder = program(), os.getcwd()
        self._remote = ray.remote(num_cpus=1, max_retries=_TRIES, scheduling_strategy="SPREAD")(_do)
        self._items: dict[int, Any] = {}
        self._since: dict[int, float] = {}
        self._doing: dict[Any, int] = {}
        self._took: list[float] = []
        self._looked, self._processors = 0.0, 1

    @property
    def room(self) -> int:
        """The number of processors that the cluster has."""
        if time.monotonic() - self._looked > _LOOKS:
            self._processors = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            self._looked = time.monotonic()
        return self._processors

    @property
    def ahead(self) -> int:
        """The number of results that may wait for an earlier one before further pieces begin."""
        return AHEAD * self.room

    def begin(self, number: int, item: Any, worker: int | None = None) -> None:  # noqa: ANN401
        """Give an item with a number of its own to the cluster, which chooses the machine."""
        self._items[number] = item
        self._since[number] = time.monotonic()
        self._send(number)

    def _send(self, number: int) -> None:
        words = (self._key, self._task, self._program, self._folder, self._items[number])
        self._doing[self._remote.remote(*words)] = number

    def receive(self) -> Iterator[Done]:
        """Wait for results; yield those there are."""
        done, _ = self._ray.wait(list(self._doing), num_returns=1, timeout=_LOOKS)
        for reference in done:
            number = self._doing.pop(reference)
            if number not in self._items:  # another machine was faster
                continue
            result = self._result(reference, self._items[number])
            self._took.append(time.monotonic() - self._since.pop(number))
            del self._items[number]
            yield Done(number, result)
        self._second()

    def _second(self) -> None:
        """Give the item that is waited for longest to a second machine, if it is slow."""
        if not self._took or not self._items or len(self._doing) >= self.room:
            return
        # The earliest piece is the one that all later results wait for.
        number = min(self._items)
        copies = sum(each == number for each in self._doing.values())
        # Of the latest results, and their median, so that neither slow beginnings nor one slow
        # machine move it.
        limit = max(_AT_LEAST, _SLOW * median(self._took[-50:]))
        if copies == 1 and time.monotonic() - self._since[number] > limit:
            self._send(number)

    def _result(self, reference: Any, item: object) -> Any:  # noqa: ANN401
        try:
            failed, result = self._ray.get(reference)
        except self._ray.exceptions.RayTaskError as failure:
            cause = str(failure.cause or failure).strip().split("\n")[-1]
            raise self._failures.error(
                f"the work failed on a machine of the cluster: {cause}"
            ) from None
        except self._ray.exceptions.RayError as failure:
            reason = str(failure).strip().split("\n")[0][:200]
            raise self._failures.died(f"the cluster lost a task: {reason}", item) from None
        if failed:
            raise self._failures.error(result)
        return result

    def share(self, value: Any) -> Shared[Any]:  # noqa: ANN401
        """Return a value as pieces can have it: the cluster stores it once for all of them."""
        return Shared(None, [self._ray.put(value)])

    def close(self) -> None:
        """Give up the tasks that are not done."""
        for reference in self._doing:
            self._ray.cancel(reference, force=True)
        self._doing, self._items, self._since = {}, {}, {}


def program() -> str:
    """Return the versions that all machines have to have in common."""
    # Results have to be the same to the bit on all machines, which other versions need not give.
    python = ".".join(platform.python_version_tuple()[:2])
    return f"{code_key(*_CODE)[:16]}, Python {python}, numpy {np.__version__}"


# ------------------------------------------------------------------ on the machines

_prepared: dict[str, Callable[[Any], Any]] = {}
"""The work of this process of the cluster, by the key of the run."""


def _do(key: str, task: list[Any], wanted: str, folder: str, item: Any) -> tuple[bool, Any]:  # noqa: ANN401
    """Do an item; return True and the message if it failed, else False and the result."""
    import ray

    try:
        if key not in _prepared:
            _check(wanted, folder)
            collect_rarely()
            # Processes of a cluster outlive a run, so what they hold of an earlier one is let go
            # here.
            for earlier in list(_prepared):
                processes.close(_prepared.pop(earlier))
            prepare, arguments = ray.get(task[0])
            _prepared[key] = prepare(*arguments)
        return False, _prepared[key](item)
    # As a value, not as an exception, which Ray would wrap together with its traceback.
    except BidwrightError as error:
        return True, str(error)


def _check(wanted: str, folder: str) -> None:
    """Go to the folder of the command, and see that this is the same program.

    Raises:
        InvalidError: It is not, or there is no such folder.
    """
    if program() != wanted:
        raise InvalidError(
            f"machine {platform.node()} of the cluster has another program ({program()}) than the "
            f"one that asks ({wanted})"
        )
    try:
        os.chdir(folder)
    except OSError:
        raise InvalidError(
            f"machine {platform.node()} of the cluster has no folder {folder}; start from a folder "
            "that all machines share"
        ) from None
