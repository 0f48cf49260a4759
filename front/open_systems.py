"""Systems, which are opened to read, explain, bid and deal by them."""

from __future__ import annotations

import os
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary, finalize

from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.errors import InvalidError
from bidwright.front.inputs import (
    AuctionLike,
    HandLike,
    hand_of,
    in_progress,
    seen_hands,
    typed_auction,
    warn,
)
from bidwright.inference.explanation.service import Library
from bidwright.inference.reading.reader import Reading
from bidwright.kb.loading.compiled import open_system as open_rules
from bidwright.kb.loading.compiled import source_key
from bidwright.kb.loading.search_path import available_systems as available_systems
from bidwright.kb.rules.rulebase import RuleBase

if TYPE_CHECKING:
    from bidwright.front.explained import ChosenCall, ExplainedAuction
    from bidwright.front.file_problem import FileProblem
    from bidwright.inference.sampling import DealBatch, Probability


class System:
    """A bidding system, ready to read, explain, bid and deal by.

    `open_system` gives it by a name or a file, `System.from_text` by the text of a convention
    file. What it has worked out is remembered, so one object for many questions is much faster
    than the functions of the same names. Its methods take `ns` and `ew` where one side plays
    another system; without them both sides play this one.

    Attributes:
        spec: the name or the path that it was opened by; `rules:SPEC` is an agent that plays it.
        rules: the compiled system; what its attributes are is not promised between versions.

    Example:
        >>> import bidwright
        >>> sayc = bidwright.open_system("sayc")
        >>> sayc.name, sayc.title
        ('sayc', 'Standard American Yellow Card')
        >>> str(sayc.bid("AQ84.K2.KQ73.J64", "1NT (P)").call)
        '2C'
    """

    def __init__(self, rules: RuleBase, spec: str, key: str) -> None:
        """Wrap a compiled system; `open_system` and `from_text` are for callers."""
        self.rules = rules
        self.spec = spec
        self._key = key
        # Readers remember the system by its key: with the last reference to it they go, too.
        finalize(self, _LIBRARY.drop, key)

    @classmethod
    def from_text(cls, text: str, name: str = "system") -> System:
        r"""Return the system of a text in the convention language.

        Args:
            text: the text; it may include files of the package.
            name: the name of the text in messages.

        Raises:
            InvalidError: The text has errors; `str` of it shows them with their lines.

        Example:
            >>> import bidwright
            >>> strong = bidwright.System.from_text('opening\n  1C "strong" hcp 16+\n')
            >>> str(strong.bid("AKQ4.AQ8.K987.K2").call), str(strong.bid("KQ4.Q87.K987.K32").call)
            ('1C', 'P')
        """
        from bidwright.front.written_systems import file_of_text

        path = file_of_text(text, name)
        try:
            return open_system(path)
        except InvalidError as error:
            # The folder is the program's: the user has given a text and a name.
            raise InvalidError(str(error).replace(f"{path.parent}{os.sep}", "")) from None

    @property
    def name(self) -> str:
        """The name that its file gives it, or the file's own."""
        return self.rules.name

    @property
    def title(self) -> str:
        """The title that its file gives it; empty if there is none."""
        return self.rules.title

    @cached_property
    def parameters(self) -> dict[str, str]:
        """The parameters of a system of the package with their values; empty for other files.

        `open_system(name, **values)` opens it with other values.
        """
        from bidwright.authoring.checking.new_system import parameters_of

        return parameters_of(self.spec) if self.spec in available_systems() else {}

    def read(
        self,
        auction: AuctionLike = "",
        *,
        ns: SystemLike | None = None,
        ew: SystemLike | None = None,
        dealer: Seat | str = Seat.NORTH,
        vulnerability: Vulnerability | str = Vulnerability.NONE,
    ) -> Reading:
        """Return the reading of an auction: the meaning of each call.

        Args:
            auction: the calls, or text as `parse_auction` reads it.
            ns: the system of North-South, if it is not this one.
            ew: the system of East-West, likewise.
            dealer: the first caller of an auction that is text.
            vulnerability: `none`, `ns`, `ew` or `both`, likewise.

        Raises:
            InvalidError: The auction cannot be read, or a system does not exist.
            IllegalCallError: A call is illegal where it stands.
        """
        calls = typed_auction(auction, dealer, vulnerability).auction
        systems = {Side.NS: self._or(ns), Side.EW: self._or(ew)}
        reader = _LIBRARY.reader(systems[Side.NS]._key, systems[Side.EW]._key)
        return reader.read(calls)

    def explain(
        self,
        auction: AuctionLike,
        *,
        ns: SystemLike | None = None,
        ew: SystemLike | None = None,
        dealer: Seat | str = Seat.NORTH,
        vulnerability: Vulnerability | str = Vulnerability.NONE,
    ) -> ExplainedAuction:
        """Return an auction with the explanation of every call; see the function `explain`."""
        from bidwright.front.explained import ExplainedAuction

        typed = typed_auction(auction, dealer, vulnerability)
        return ExplainedAuction.of(self.read(typed.auction, ns=ns, ew=ew), typed.board)

    def bid(
        self,
        hand: HandLike,
        auction: AuctionLike = "",
        *,
        ns: SystemLike | None = None,
        ew: SystemLike | None = None,
        dealer: Seat | str = Seat.NORTH,
        vulnerability: Vulnerability | str = Vulnerability.NONE,
    ) -> ChosenCall:
        """Return the call that a hand makes after an auction; see the function `bid`."""
        from bidwright.front.explained import ChosenCall
        from bidwright.inference.explanation.explain import Explainer

        cards = hand_of(hand)
        calls = in_progress(typed_auction(auction, dealer, vulnerability).auction)
        reading = self.read(calls, ns=ns, ew=ew)
        return ChosenCall.by_rule(Explainer(reading.reader).explain_choice(reading, cards))

    def sample(
        self,
        auction: AuctionLike,
        number: int = 1000,
        *,
        seed: int = 0,
        exact: bool = False,
        hand: HandLike | None = None,
        seat: Seat | str | None = None,
        dummy: HandLike | None = None,
        ns: SystemLike | None = None,
        ew: SystemLike | None = None,
        dealer: Seat | str = Seat.NORTH,
        vulnerability: Vulnerability | str = Vulnerability.NONE,
    ) -> DealBatch:
        """Return deals that agree with an auction; see the function `sample`."""
        import numpy as np

        from bidwright.inference.posterior.draws import draw_batches
        from bidwright.inference.sampling import DealBatch, feasible_knowledge

        # A batch of no deals would be an array without a shape for callers to index.
        if number < 1:
            raise InvalidError(f"expected a number of deals from 1, got {number}")
        calls = typed_auction(auction, dealer, vulnerability).auction
        seen, table = seen_hands(calls, hand, seat, dummy)
        reading = self.read(calls, ns=ns, ew=ew)
        belief = feasible_knowledge(reading, *(seen or ()), dummy=table, soft=not exact)
        warn(doubt.sentence(calls) for doubt in belief.doubts)
        # In batches as the command draws them, so that a seed gives the same deals there and here.
        batches = list(draw_batches(belief, number, np.random.default_rng(seed)))
        return DealBatch(np.concatenate([batch.owner for batch in batches]))

    def odds(
        self,
        auction: AuctionLike,
        question: str,
        *,
        seed: int = 0,
        exact: bool = False,
        hand: HandLike | None = None,
        seat: Seat | str | None = None,
        dummy: HandLike | None = None,
        ns: SystemLike | None = None,
        ew: SystemLike | None = None,
        dealer: Seat | str = Seat.NORTH,
        vulnerability: Vulnerability | str = Vulnerability.NONE,
    ) -> Probability:
        """Return a probability after an auction; see the function `odds`."""
        from bidwright.inference.posterior.section import View

        calls = typed_auction(auction, dealer, vulnerability).auction
        seen, table = seen_hands(calls, hand, seat, dummy)
        view = View.of(self.read(calls, ns=ns, ew=ew), seen, table, seed, exact=exact)
        warn(view.warnings)
        ((_, probability),) = view.odds([question])
        return probability

    def check(self) -> tuple[FileProblem, ...]:
        """Return the mistakes in the system's files as they are now; see `check`."""
        from bidwright.front.file_problem import problems_of

        return problems_of(self.spec)

    def _or(self, other: SystemLike | None) -> System:
        return self if other is None else system_of(other)

    def __str__(self) -> str:
        """Return the title, or the name where there is none."""
        return self.title or self.name

    def __repr__(self) -> str:
        """Return the class and the name or path of the system."""
        return f"<System {self.spec!r}>"


SystemLike = System | str | Path
"""A system, or what `open_system` opens."""

# Weak: a notebook that opens a hundred variants keeps those that it names.
_OPEN: WeakValueDictionary[str, System] = WeakValueDictionary()
"""The systems in use, by the hash of what they were made from."""


def _rules_of(key: str) -> RuleBase:
    return _OPEN[key].rules


_LIBRARY = Library(_rules_of)
"""The readers of all systems; it forgets what was read when the process has grown by too much."""


def open_system(name: str | Path, **parameters: object) -> System:
    """Return a system that comes with the package, or that of a convention file.

    Args:
        name: one of `available_systems()`, or the path of a `.bid` file or of a folder with a
            `system.bid`. A file that has changed since is read anew.
        parameters: values of a packaged system's parameters (`System.parameters`), as the language
            writes them: `notrump="12..14"`, `majors=4`. With another notrump, opener's rebid of one
            notrump moves as well unless it is given.

    Raises:
        UnknownSystemError: There is no such system or file (an `InvalidError`).
        BrokenSystemError: Its files have errors; `str` of it shows them (an `InvalidError`).
        InvalidError: The system has no such parameter.

    Example:
        >>> import bidwright
        >>> weak = bidwright.open_system("sayc", notrump="12..14")
        >>> str(weak.bid("KQ4.A82.K984.Q32").call)
        '1NT'
        >>> weak.read("1NT").meanings[0].bounds.hcp
        (12, 14)
    """
    if parameters:
        # A file of two lines: other values make a system like any other, which an agent can be
        # given by its path.
        from bidwright.front.written_systems import file_of_text, text_with_values

        values = {key: str(value) for key, value in parameters.items()}
        name = file_of_text(text_with_values(str(name), values), str(name))
    if str(name) in available_systems():
        return _packaged(str(name))
    return _at(str(name), f"{os.path.abspath(name)}\0{source_key(name)}")


@lru_cache(maxsize=64)
def _packaged(name: str) -> System:
    # By name alone: the files of the package do not change while the program runs.
    return _opened(name, name)


@lru_cache(maxsize=16)
def _at(path: str, key: str) -> System:
    # The key has a hash of the files: a file that was edited is another system. The cache holds on
    # to the last ones, so that a loop that names its system each time does not compile it each
    # time.
    return _opened(path, key)


def _opened(spec: str, key: str) -> System:
    system = _OPEN.get(key)
    if system is None:
        _OPEN[key] = system = System(open_rules(spec), spec, key)
    return system


def system_of(system: SystemLike) -> System:
    """Return a system, or the one that a name or a path stands for; see `open_system`."""
    return system if isinstance(system, System) else open_system(system)
