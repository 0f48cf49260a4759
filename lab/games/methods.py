"""Methods by name, run on blocks of seeds: `cfr`, `a2c+jps`, `bad+jps:5`, ...

A method is its beginning (`random`, `cfr`, `a2c` or `bad`), and the search from there: none, `+jps`
(the depth read as in Algorithm 1), `+jps-text` (as in the text), or `+jps:5` (5 states drawn from
each information set). The beginning may have a setting of its own: `cfr@10000` has so many rounds,
`a2c@0.02` and `bad@0.3` so much entropy.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from zlib import crc32

import numpy as np

from bidwright import InvalidError
from bidwright.bridge.json_values import JsonValue
from bidwright.lab.games import cfr, jps, learning, paper, policies
from bidwright.lab.games.public import public_of
from bidwright.lab.games.settings import ENTROPY, Settings
from bidwright.lab.games.store import BLOCK, Store
from bidwright.lab.games.tree import Floats, Tree, grow
from bidwright.lab.games.zoo import game_of

_METHOD = re.compile(
    r"((random)|(cfr)(?:@([1-9]\d{0,5}))?|(a2c|bad)(?:@(0|0?\.\d{1,6}|1))?)"
    r"(\+jps(?:(-text)|:([1-9]\d{0,5}))?)?"
)

Begin = Callable[[Tree, np.random.Generator], Floats]


@dataclass(frozen=True)
class Method:
    """A method, taken apart.

    Attributes:
        name: As it is written.
        base: The beginning, with its setting.
        kind: The beginning without it: `random`, `cfr`, `a2c` or `bad`.
        setting: Rounds of CFR, or the coefficient of entropy of a learner; None for the usual.
        is_searched: True if joint policy search follows.
        reading: The reading of the depth of the search.
        samples: States drawn from each information set; 0 for all.
    """

    name: str
    base: str
    kind: str
    setting: float | None
    is_searched: bool
    reading: jps.Reading
    samples: int


def parse_method(name: str) -> Method:
    """Return the method of a name.

    Raises:
        InvalidError: There is none.
    """
    match = _METHOD.fullmatch(name)
    if not match:
        raise InvalidError(
            "expected a method such as cfr, bad+jps, cfr+jps-text, bad+jps:5, cfr@10000 or "
            f"a2c@0.02, got {name!r}"
        )
    base, random, regret, rounds, learner, entropy, search, text, samples = match.groups()
    setting = rounds or entropy
    return Method(
        name,
        base,
        random or regret or learner,
        float(setting) if setting else None,
        bool(search),
        "text" if text else "algorithm",
        int(samples or 0),
    )


class Runner:
    """Runs methods on one game and keeps the results."""

    def __init__(self, folder: Path, game: str, settings: Settings) -> None:
        """Open the store of a game; nothing is computed yet.

        Args:
            folder: Where results are kept.
            game: Its name.
            settings: How long A2C and BAD learn.
        """
        self.store = Store(folder, game)
        self.learning = settings
        self.game = game_of(game)
        self._tree: Tree | None = None

    @property
    def tree(self) -> Tree:
        """The game as arrays, grown when it is first asked for."""
        if self._tree is None:
            self._tree = grow(self.game)
        return self._tree

    def run(self, name: str, block: int) -> bool:
        """Run a block of seeds; return False if it was done before.

        Raises:
            InvalidError: There is no such method, or its results have other settings.
        """
        method = parse_method(name)
        settings = self._settings(method)
        if self.store.is_done(name, block, settings):
            return False
        if not method.is_searched:
            self._begin(method.base, block)
            return True
        # The beginning is kept as a result of its own, so `cfr` and `cfr+jps` compare the same
        # seeds.
        begin = self._begin(method.base, block)
        rng = self._rng(name, block)
        length = jps.chain_length(paper.DEPTHS.get(self.game.name), method.reading)
        at = time.process_time()
        improved = jps.improve(
            self.tree, begin, rng, length=length, samples=method.samples, passes=paper.PASSES
        )
        seconds = time.process_time() - at
        # With samples the sum is an estimate, so there is nothing to hold it against.
        gap = None if method.samples else improved.gap
        self.store.add(name, block, settings, improved.values, seconds, gap)
        return True

    def _settings(self, method: Method) -> dict[str, JsonValue]:
        settings: dict[str, JsonValue] = {}
        if method.kind in ("a2c", "bad"):
            settings |= asdict(self._learning(method))
        if method.kind == "cfr":
            settings["rounds"] = _rounds(method)
        if method.is_searched:
            settings["depth"] = paper.DEPTHS.get(self.game.name)
        if method.samples:
            settings["passes"] = paper.PASSES
        return settings

    def _learning(self, method: Method) -> Settings:
        usual = ENTROPY[method.kind]
        return replace(self.learning, entropy=usual if method.setting is None else method.setting)

    def _rng(self, name: str, block: int) -> np.random.Generator:
        # By name, not by Python's hash, which differs from process to process: a block has the same
        # seeds wherever and whenever it is run.
        return np.random.default_rng([crc32(f"{self.game.name}/{name}".encode()), block])

    def _begin(self, base: str, block: int) -> Floats:
        """Return the policies of a block before any search, `[S, K]`; keep what is new."""
        method = parse_method(base)
        settings = self._settings(method)
        is_done = self.store.is_done(base, block, settings)
        if is_done and (stored := self.store.policies(self.tree, base, block)) is not None:
            return stored
        rng = self._rng(base, block)
        if method.kind in ("a2c", "bad"):
            solved, seconds = self._learned(method, block, rng)
        else:
            at = time.process_time()
            solved = self._solved(method, rng)
            seconds = time.process_time() - at
        self.store.keep_policies(self.tree, base, block, solved)
        if not is_done:
            self.store.add(base, block, settings, policies.values(self.tree, solved), seconds)
        self.store.forget_begun(base, block)
        return solved

    def _learned(
        self, method: Method, block: int, rng: np.random.Generator
    ) -> tuple[Floats, float]:
        """Return the policies of a block, a seed after the other, and their seconds."""
        kind: learning.Kind = "a2c" if method.kind == "a2c" else "bad"
        done, seconds = self.store.begun(self.tree, method.base, block)
        public, settings = public_of(self.tree), self._learning(method)
        for stream in rng.spawn(BLOCK)[len(done) :]:
            at = time.process_time()
            policy = learning.learn_seed(self.tree, public, kind, stream, settings)
            done = np.concatenate([done, policy[None]])
            seconds += time.process_time() - at
            self.store.keep_begun(self.tree, method.base, block, done, seconds)
        return done, seconds

    def _solved(self, method: Method, rng: np.random.Generator) -> Floats:
        if method.kind == "random":
            return policies.purified(self.tree, policies.random(self.tree, BLOCK, rng))
        return cfr.solve(self.tree, BLOCK, rng, _rounds(method))


def _rounds(method: Method) -> int:
    return cfr.ROUNDS if method.setting is None else int(method.setting)
