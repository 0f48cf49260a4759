"""Random convention files: every construct, deep, wide and odd; some right, many not."""

from __future__ import annotations

from random import Random

NUMBERS: tuple[str, ...] = (
    "hcp",
    "points",
    "spades",
    "hearts",
    "aces",
    "losers",
    "longest",
    "two_longest",
)
NUMBERS += ("partner.hcp.min", "fit(spades)", "combined(hcp)", "support(S)", "second_longest")
FACTS: tuple[str, ...] = (
    "balanced",
    "void(S)",
    "stopper(hearts)",
    "has(SA)",
    "shape 5431",
    "otherwise",
    "unbalanced",
)
CALLS: tuple[str, ...] = (
    "1C",
    "1S",
    "1NT",
    "2H",
    "pass",
    "X",
    "XX",
    "7NT",
    "2M",
    "3m",
    "bid(Y)",
    "jump(M)",
    "step(1)",
)
CLASSES = ("any", "bid", "suit", "bid..2S")
ACTIONS: tuple[str, ...] = (
    "artificial",
    "forcing",
    "forcing game",
    "alert",
    'announce "x"',
    "agrees S",
    "asks major",
)
ACTIONS += ("priority 5", "priority -3", 'convention "C"', "answers major")
SCRAPS: tuple[str, ...] = (
    "",
    " ",
    "\t",
    "\n",
    "(",
    ")",
    '"',
    "#",
    "..",
    "|",
    "->",
    ";",
    ",",
    "=",
    "\u00e9",
    "\u2660",
)
SCRAPS += ("\x00", "\x1b", "\ufeff", "9" * 40, "(" * 60, "not " * 60, "\\", "\r\n", "let", "after")


class Author:
    """Writes convention files; the same seed writes the same."""

    def __init__(self, seed: int) -> None:
        """Begin with a seed."""
        self._rng = Random(seed)
        self._lets: list[str] = []

    def text(self) -> str:
        """Return a file, sometimes damaged."""
        rng = self._rng
        parts = ['system fuzz "Fuzz"\n'] if rng.random() < 0.9 else []
        for _ in range(rng.randint(1, 8)):
            parts.append(rng.choice((self._let, self._block, self._block, self._example))())
        text = "\n".join(parts)
        if rng.random() < 0.4:
            for _ in range(rng.randint(1, 3)):
                at = rng.randrange(len(text) + 1)
                text = text[:at] + rng.choice(SCRAPS) + text[at + rng.randint(0, 5) :]
        return text

    def _let(self) -> str:
        rng = self._rng
        name = f"d{len(self._lets)}"
        body = self._sum(3) if rng.random() < 0.5 else self._condition(3)
        self._lets.append(name)
        return f"let {name} = {body}\n"

    def _block(self) -> str:
        rng = self._rng
        first = rng.choice(("opening", f"after {self._pattern()}", "anywhere"))
        when = f" when {self._condition(1)}" if rng.random() < 0.2 else ""
        return f'{first} "b"{when}\n' + "".join(self._rule(1) for _ in range(rng.randint(1, 5)))

    def _pattern(self) -> str:
        rng = self._rng
        calls = [rng.choice((*CALLS, *CLASSES)) for _ in range(rng.randint(1, 4))]
        return " ".join(f"({call})" if at % 2 else call for at, call in enumerate(calls))

    def _rule(self, level: int) -> str:
        rng = self._rng
        condition = f" {self._condition(3)}" if rng.random() < 0.9 else ""
        action = f"; {rng.choice(ACTIONS)}" if rng.random() < 0.4 else ""
        may = "may " if rng.random() < 0.15 else ""
        line = f'{"  " * level}{may}{rng.choice(CALLS)} "r"{condition}{action}\n'
        if level < 4 and rng.random() < 0.25:
            line += "".join(self._rule(level + 1) for _ in range(rng.randint(1, 2)))
        return line

    def _condition(self, depth: int) -> str:
        rng = self._rng
        if depth == 0 or rng.random() < 0.35:
            return rng.choice((*FACTS, *(f"{self._sum(1)} {self._range()}" for _ in range(9))))
        inner = [self._condition(depth - 1) for _ in range(rng.randint(2, 3))]
        return rng.choice(
            (
                ", ".join(inner),
                " or ".join(inner),
                f"not {inner[0]}",
                f"({inner[0]})",
                f"{self._sum(2)} {rng.choice(('>=', '<', '=', '!='))} {self._sum(2)}",
                rng.choice(self._lets) if self._lets else inner[0],
            )
        )

    def _sum(self, depth: int) -> str:
        rng = self._rng
        if depth == 0 or rng.random() < 0.5:
            number = str(rng.choice((0, 1, 2, 5, 13, 37, 0.5, 999)))
            return rng.choice((*NUMBERS, number, *self._lets[-2:]))
        sign = rng.choice(("+", "-", "*"))
        return f"{self._sum(depth - 1)} {sign} {self._sum(depth - 1)}"

    def _range(self) -> str:
        low, high = self._rng.randint(0, 20), self._rng.randint(0, 20)
        return self._rng.choice((f"{low}", f"{low}+", f"..{high}", f"{low}..{high}", "4|6..7"))

    def _example(self) -> str:
        hand = self._rng.choice(("KQ4.AQ8.K9873.K2", "AKQJT98765432...", "A.K.Q.J", "-.-.-.-"))
        return f"example {hand} -> {self._rng.choice(CALLS)}\n"
