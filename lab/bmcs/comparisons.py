"""The tables and figures of the BMCS paper in Markdown: its figures, ours, and the commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from bidwright import Seat
from bidwright.bridge.json_values import UncheckedObject
from bidwright.lab.bmcs import paper_figures
from bidwright.lab.bmcs.results import RunResults
from bidwright.lab.bmcs.runs import ARMS, RL, SEARCHES, SL, Size
from bidwright.match.record.estimate import Tally
from bidwright.match.record.match_file import read_match
from bidwright.match.record.match_lines import ROOMS, auction_of, contract_of, team_of
from bidwright.match.record.scorers import DOUBLE_DUMMY
from bidwright.neural.env.layout import HIDDEN_HANDS, OBSERVATION
from bidwright.neural.train.a2c import A2CConfig
from bidwright.neural.train.belief_training import BeliefConfig
from bidwright.neural.train.config import RunConfig, read_config
from bidwright.neural.train.imitation import ImitationConfig
from bidwright.neural.weights import load_weights

NOT_RUN = "not run"
MATCHES = {"SL": "sl-rules", "RL": "rl-rules", "RL-BMCS": "bmcs-rules"}
AUDITS = {"SL": "audit-sl", "RL": "audit-rl", "RL-BMCS": "audit-bmcs"}
PLAYED = {who: name for who, name in MATCHES.items() if who != "SL"}
"""The runs of Table III, of Table V, and of Figures 4 to 6, by the agent."""


@dataclass(frozen=True)
class PaperTable:
    """A table.

    Attributes:
        title: its title.
        heads: the names of its columns.
        lines: its cells.
        runs: the runs whose commands made it.
    """

    title: str
    heads: tuple[str, ...]
    lines: Sequence[Sequence[str]]
    runs: Sequence[str] = ()

    def text(self, results: RunResults) -> str:
        """Return it as Markdown, with the commands, rules and processor time of its runs."""
        rule = ("---", *("---:" for _ in self.heads[1:]))
        rows = (self.heads, rule, *self.lines)
        parts = [f"### {self.title}", "", *(f"| {' | '.join(row)} |" for row in rows)]
        done = [record for name in self.runs if (record := results.kept(name)) is not None]
        if done:
            rules = ", ".join(dict.fromkeys(kept["rules"] for kept in done))
            minutes = sum(kept["seconds"] for kept in done) / 60
            parts += [
                "",
                f"Rules of `sayc`: `{rules}`; {minutes:.1f} minutes of one core.",
                "",
                "```",
            ]
            parts += [*(kept["command"] for kept in done), "```"]
        return "\n".join(parts)


Made = Iterator[PaperTable]


def settings(_: RunResults, __: Size) -> Made:
    """Yield Tables I, II and VI: the paper's settings and those of our configurations."""
    kinds: dict[str, type[RunConfig]] = {
        "bmcs2024_sl": ImitationConfig,
        "bmcs2024": A2CConfig,
        "bmcs2024_belief": BeliefConfig,
    }
    for name, wanted in paper_figures.SETTINGS.items():
        # Read from the configuration that is shipped, and not written down a second time: a table
        # cannot differ from what a run would use.
        config = read_config(kinds[name], name)
        lines = [
            (each.what, each.printed, f"`{each.key}: {getattr(config, each.key)}`")
            if each.key
            else (each.what, each.printed, "none")
            for each in wanted
        ]
        yield PaperTable(f"Settings of `{name}`", ("setting", "paper", "ours"), lines)
    ours = (OBSERVATION, OBSERVATION + HIDDEN_HANDS)
    # The value network of the paper sees the observation and the three hidden hands.
    printed = zip(paper_figures.INPUTS.items(), ours, strict=True)
    sizes = [(what, str(size), str(own)) for (what, size), own in printed]
    yield PaperTable("Table VI: numbers that go in", ("network", "paper", "ours"), sizes)


def imitation(results: RunResults, _: Size) -> Made:
    """Yield the accuracy of predicted calls, and the learning curve of a small run."""
    card = load_weights(SL, "policy").card["measured"]
    heads = ("who", "predicted", "n", "cross-entropy")
    lines = [
        ("paper: calls of WBridge5", paper_figures.ACCURACY, "", ""),
        (f"`{SL}`: calls of the rules it was made for", *_predicted(card)),
    ]
    for line in results.result("imitation") or ():
        lines.append((f"small run, step {line['step']:,}", *_predicted(line)))
    yield PaperTable(
        "Section VI-A: calls that the imitation predicts", heads, lines, ("corpus", "imitation")
    )


def _predicted(measured: UncheckedObject) -> tuple[str, str, str]:
    share, count = measured["accuracy"], measured["positions"]
    return (_share(share * count, count), f"{count:,}", f"{measured['held_out_loss']:.3f}")


def self_play(results: RunResults, size: Size) -> Made:
    """Yield Figure 2: IMPs of each way of self-play by round, each seed's."""
    heads = ("who", "decisions", "against its start", f"against `policy:{RL}`", "openings allowed")
    lines: list[tuple[str, ...]] = [
        ("paper: best RL against SL", "", paper_figures.RL_AGAINST_SL, "", ""),
        (f"`{RL}` against `{SL}`", "", _compared(results, "rl-sl"), "", ""),
    ]
    for arm in ARMS:
        results_of_runs = [results.result(name) for name in _arms(size, [arm])]
        curves = [curve for curve in results_of_runs if curve is not None]
        if not curves:
            lines.append((arm, NOT_RUN, "", "", ""))
            continue
        # One line a round, with the results of all seeds in it: two seeds are too few for an error
        # of their mean.
        for points in zip(*curves, strict=True):
            lines.append(
                (
                    f"{arm}, round {points[0]['step']}",
                    f"{points[0]['decisions']:,}",
                    _each(points, "imps"),
                    _each(points, f"imps_{RL}"),
                    ", ".join(f"{100 * point['conformity']:.1f} %" for point in points),
                )
            )
    runs = ["rl-sl", *_arms(size, ARMS)]
    yield PaperTable("Figure 2: self-play, IMPs a board", heads, lines, runs)


def _each(points: Sequence[UncheckedObject], name: str) -> str:
    return ", ".join(f"{each[name]:+.2f} ± {each[f'{name}_error']:.2f}" for each in points)


def _compared(results: RunResults, name: str) -> str:
    result = results.result(name)
    return NOT_RUN if result is None else f"{result['imps']:+.2f} ± {result['error']:.2f}"


def belief(results: RunResults, _: Size) -> Made:
    """Yield Figure 3: the cross-entropy of beliefs by the length of the auction."""
    result = results.result("belief")
    ways = ("uniform", "net", "constraints", "both")
    heads = ("calls before", "positions", *ways, "uniform - net")
    # The paper plots these curves without numbers: only their direction can be set beside ours.
    lines: list[tuple[str, ...]] = [("paper", "100,000", "high, level", "falls", "", "", "> 0")]
    for group in result["groups"] if result else ():
        cells = [f"{group[way]['loss']:.4f} ± {group[way]['error'] or 0:.4f}" for way in ways]
        gained = group["uniform"]["loss"] - group["net"]["loss"]
        lines.append((group["calls"], f"{group['positions']:,}", *cells, f"{gained:.4f}"))
    title = "Figure 3: cross-entropy of beliefs, nats a card and player"
    yield PaperTable(title, heads, lines, ("belief",))


def matches(results: RunResults, _: Size) -> Made:
    """Yield Table III: matches against WBridge5 there, against the rules of SAYC here."""
    lines = [
        (who, paper_figures.AGAINST_WBRIDGE5.get(who, ""), *_match(results, name))
        for who, name in MATCHES.items()
    ]
    for better, worse in (("RL", "SL"), ("RL-BMCS", "RL")):
        differs = _differs(results, MATCHES[better], MATCHES[worse])
        printed = "+0.30" if better == "RL-BMCS" else ""
        lines.append((f"{better} over {worse}, the same boards", printed, *differs))
    heads = ("who", "paper, against WBridge5", "ours, against `rules:sayc`", "boards")
    yield PaperTable("Table III: matches, IMPs a board", heads, lines, tuple(MATCHES.values()))


def _match(results: RunResults, name: str) -> tuple[str, str]:
    result = results.result(name)
    if result is None:
        return (NOT_RUN, "")
    imps = result["imps"][DOUBLE_DUMMY]
    return (f"{imps['mean']:+.2f} ± {imps['error']:.2f}", f"{result['boards']:,}")


def _differs(results: RunResults, better: str, worse: str) -> tuple[str, str]:
    """Return the mean difference of two matches on their common boards, and the number of these."""
    if results.kept(better) is None or results.kept(worse) is None:
        return (NOT_RUN, "")
    # An interrupted match is shorter: only the boards that both have are compared.
    imps = [
        [line["imps"][DOUBLE_DUMMY] for line in read_match(_file(results, name)).boards]
        for name in (better, worse)
    ]
    tally = Tally.of(one - other for one, other in zip(*imps, strict=False))
    return (f"{tally.mean:+.2f} ± {tally.error:.2f}", f"{tally.count:,}")


def _file(results: RunResults, name: str) -> Any:  # noqa: ANN401 - a path
    return results.path(name).with_suffix(".jsonl")


def ablations(results: RunResults, size: Size) -> Made:
    """Yield Table IV: searches against RL, and ways of self-play against the full one."""
    printed = {"constraints": "", "belief": "+0.30", "uniform": "+0.12", "few": ""}
    heads = ("search", "paper: over RL", f"ours, against `policy:{RL}`", "boards")
    lines_of_searches = [(way, printed[way], *_match(results, f"{way}-rl")) for way in SEARCHES]
    yield PaperTable(
        "Table IV: what search gains, IMPs a board",
        heads,
        [
            *lines_of_searches,
            ("belief over uniform", "+0.18", *_differs(results, "belief-rl", "uniform-rl")),
        ],
        _searches(),
    )
    printed = {"no-pr": "-0.15", "no-hi": "-0.10"}
    lines = []
    for arm in (arm for arm in ARMS if arm != "full"):
        cells = [_compared(results, f"{name}-full") for name in _arms(size, [arm])]
        lines.append((arm, printed.get(arm, ""), ", ".join(cells), "2,000 each"))
    heads = ("self-play", "paper: over RL", "ours, against `full`", "boards")
    title = "Table IV: what self-play gains, IMPs a board"
    yield PaperTable(title, heads, lines, _against_full(size))


def conformity(results: RunResults, _: Size) -> Made:
    """Yield Table V: openings that conform to SAYC."""
    openings_of = {
        who: {each["call"]: each for each in audit["openings"]}
        for who, name in AUDITS.items()
        if (audit := results.result(name)) is not None
    }
    heads = ("opening", "paper: RL", "RL-BMCS", "WBridge5", *(f"ours: {who}" for who in AUDITS))
    lines = []
    for call, printed in paper_figures.OPENINGS.items():
        cells = [
            _openings([openings_of[who].get(call)]) if who in openings_of else NOT_RUN
            for who in AUDITS
        ]
        lines.append((call, *(f"{share:.2f}" for share in printed), *cells))
    every = [
        _openings(openings_of[who].values()) if who in openings_of else NOT_RUN for who in AUDITS
    ]
    lines.append(("all openings", "", "", "", *every))
    calls = [results.result(name) for name in AUDITS.values()]
    shares = [_openings([each["all"]]) if each else NOT_RUN for each in calls]
    lines.append(("all calls", "", "", "", *shares))
    title = "Table V: openings that conform to SAYC, in %, of how many"
    yield PaperTable(title, heads, lines, tuple(AUDITS.values()))


def _openings(found: Any) -> str:  # noqa: ANN401 - entries of an audit, or None
    # An agent may never have made an opening: then the audit has no entry for it.
    given = [each for each in found if each]
    count = sum(each["made"] for each in given)
    return (
        f"{_share(sum(each['conforming'] for each in given), count)} of {count:,}" if count else "-"
    )


def _share(part: float, count: int) -> str:
    """Return a share in %, with the error of independent trials if it is not 0 or 1."""
    share = part / count
    # The error of 0 out of n would come out as 0, which says too much.
    if share in (0, 1):
        return f"{100 * share:.0f}"
    return f"{100 * share:.1f} ± {100 * sqrt(share * (1 - share) / count):.1f}"


def behaviour(results: RunResults, _: Size) -> Made:
    """Yield Figures 4 to 6: openings, contracts and lengths of the matches with the rules."""
    heads = ("what", "paper: RL", "RL-BMCS", "ours: RL", "RL-BMCS")
    ours = [_behaviour(results, name) for name in PLAYED.values()]
    printed = {
        "the agent opens, of all games": tuple(
            f"{each} %" for each in paper_figures.OPENED.values()
        )
    }
    lines = [
        (what, *printed.get(what, ("", "")), *(each.get(what, NOT_RUN) for each in ours))
        for what in dict.fromkeys(what for each in ours for what in each)
    ]
    yield PaperTable("Figures 4, 5 and 6: what is bid", heads, lines, tuple(PLAYED.values()))


def _behaviour(results: RunResults, name: str) -> dict[str, str]:
    if results.kept(name) is None:
        return {}
    levels: Counter[int] = Counter()
    contracts: Counter[str] = Counter()
    lengths: list[int] = []
    for line in read_match(_file(results, name)).boards:
        for room in ROOMS:
            auction, contract = auction_of(line, room), contract_of(line, room)
            lengths.append(len(auction.calls))
            first = next((at for at, call in enumerate(auction.calls) if call.is_bid), None)
            # An opening by the agent's own side: both rooms of a match have one.
            if (
                first is not None
                and team_of(room, Seat((auction.dealer + first) % len(Seat))) == "a"
            ):
                levels[auction.calls[first].level] += 1
            if contract is not None and team_of(room, contract.declarer) == "a":
                contracts[str(contract.bid)] += 1
    games, opened, played = len(lengths), levels.total(), contracts.total()
    most = ", ".join(f"{call} {100 * n / played:.0f} %" for call, n in contracts.most_common(4))
    few, many = sum(6 <= n <= 15 for n in lengths), sum(n > 20 for n in lengths)
    return {
        "games": f"{games:,}",
        "the agent opens, of all games": f"{_share(opened, games)} %",
        "of its openings: one or two level": f"{_share(levels[1] + levels[2], opened)} %",
        "most frequent contracts of its side": most,
        "auctions of 6 to 15 calls": f"{_share(few, games)} %",
        "auctions of more than 20 calls": f"{_share(many, games)} %",
    }


@dataclass(frozen=True)
class Part:
    """A part of the paper.

    Attributes:
        tables: makes its tables from what was run.
        runs: the names of the runs for it, at a size.
    """

    tables: Callable[[RunResults, Size], Made]
    runs: Callable[[Size], list[str]]


TABLES: dict[str, Part] = {
    "settings": Part(settings, lambda _: []),
    "imitation": Part(imitation, lambda _: ["corpus", "imitation"]),
    "figure2": Part(self_play, lambda size: ["rl-sl", *_arms(size, ARMS)]),
    "figure3": Part(belief, lambda _: ["belief"]),
    "table3": Part(matches, lambda _: list(MATCHES.values())),
    "table4": Part(ablations, lambda size: [*_against_full(size), *_searches()]),
    "table5": Part(conformity, lambda _: list(AUDITS.values())),
    "figures4-6": Part(behaviour, lambda _: list(PLAYED.values())),
}
"""The parts of the paper, in its order."""


def _arms(size: Size, arms: Collection[str]) -> list[str]:
    return [f"{arm}-{seed}" for seed in range(size.seeds) for arm in arms]


def _searches() -> list[str]:
    return [f"{way}-rl" for way in SEARCHES]


def _against_full(size: Size) -> list[str]:
    return [f"{name}-full" for name in _arms(size, [arm for arm in ARMS if arm != "full"])]
