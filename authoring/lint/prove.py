"""Proves facts about a system, piece by piece, and keeps the results.

`prove` is a generator: it yields `ProofStage` while it works and `Finding`s at the end, and may be
closed at any time. Results are kept on disk by the meanings of the rules. When some rules change,
only the positions that they can touch are examined again: those with a decision, anywhere in
their auction, to which the pattern of a changed rule applies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, cast

from bidwright.authoring.hands.evidence import Evidence, EvidenceValues
from bidwright.authoring.hands.positions import DEALS
from bidwright.authoring.lint.answers import needs_answer, once
from bidwright.authoring.lint.causing_lines import placed_at_causes
from bidwright.authoring.lint.claims import POSITIONS
from bidwright.authoring.lint.findings import Finding, findings
from bidwright.authoring.lint.impact import Basis, Touched, basis, block_list
from bidwright.authoring.lint.proof_record import ProofRecord, RecordFields
from bidwright.authoring.lint.proof_workers import Proofs, ProofWorkers, Task, side_of_deal
from bidwright.authoring.lint.undisclosed import borne_out, wording
from bidwright.authoring.lint.written_order import written_order
from bidwright.kb.assembly import rule_base
from bidwright.kb.language import ast
from bidwright.kb.language.system import System
from bidwright.kb.language.walk import pattern_text
from bidwright.kb.rules.author_claims import claim_text
from bidwright.kb.rules.fingerprints import hash_of, rule_fingerprints
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.cache import Cache
from bidwright.runtime.code import code_key
from bidwright.runtime.crew import ALONE, Crew

_ALONE = 150
"""The most positions that are proved in one process: further ones cost more than they save."""

_BASES = 200
"""Auctions that may be continued by the calls of a pattern with `...`."""

_CHUNKS = {
    "bid": 10,
    "explore": 6,
    "examine": 40,
    "judge": 6,
    "answers": 12,
    "texts": 12,
    "claims": 4,
}
"""Things in one piece of work."""


class _Setting(TypedDict):
    """The inputs of a proof, the system apart."""

    code: str
    deals: int
    theirs: str


class _Stored(Basis, _Setting):
    """An entry of the cache: the fields of a `ProofRecord`, with all that they depend on."""

    record: RecordFields


def _code() -> str:
    """Return the fingerprint of the code behind the proofs."""
    return code_key("kb", "inference", "authoring/hands", "authoring/lint")


@dataclass(frozen=True, slots=True)
class ProofStage:
    """The progress of proofs.

    Attributes:
        stage: the work in progress, in words.
        done: pieces of this stage that are done.
        total: pieces of this stage.
    """

    stage: str
    done: int
    total: int


def prove(
    system: System,
    rules: RuleBase | None = None,
    crew: Crew = ALONE,
    deals: int = DEALS,
    vs: RuleBase | None = None,
) -> Iterator[ProofStage | Finding]:
    """Yield progress, then the faults of a system.

    Args:
        system: a system without errors.
        rules: the same, compiled, if that was done.
        crew: the processes that work.
        deals: random deals that are bid to find the common positions.
        vs: the opponents' system, which then makes all their calls; None where they play the
            system itself, and come in with any legal call to which it gives a meaning.
    """
    proof = ProofRun(system, rules, crew, deals, vs)
    yield from proof.stages()
    yield from proof.findings()


class ProofRun:
    """The proofs of one system: the work, and its findings at any time."""

    def __init__(
        self,
        system: System,
        rules: RuleBase | None = None,
        crew: Crew = ALONE,
        deals: int = DEALS,
        vs: RuleBase | None = None,
    ) -> None:
        """Prepare; the arguments are those of `prove`."""
        self._system = system
        self._rules = rules or rule_base(system.name, system.title, system.statements)
        self._vs = vs
        self._proof = _Proof(system, self._rules, crew, deals, vs)
        self._ended = False

    def stages(self) -> Iterator[ProofStage]:
        """Do the work, and yield its progress."""
        yield from self._proof.run()
        self._ended = True

    def findings(self) -> list[Finding]:
        """Return the findings; of work that was stopped those of the positions seen by then."""
        evidence = self._proof.evidence() if self._ended else self._proof.evidence_so_far()
        merged = findings(evidence, {rule.id: rule for rule in self._rules.rules})
        if not self._ended:
            return merged
        return list(placed_at_causes(merged, self._system, self._rules, self._vs))


class _Proof:
    """The proofs about one system."""

    def __init__(
        self, system: System, rules: RuleBase, crew: Crew, deals: int, vs: RuleBase | None
    ) -> None:
        self._rules = rules
        self._vs = vs
        self._crew = crew
        self._deals = deals
        self._by_id = {rule.id: rule for rule in rules.rules}
        self._marks = rule_fingerprints(rules)
        against = "" if vs is None else f"_against_{vs.name}"
        self._theirs = "" if vs is None else rule_fingerprints(vs).system
        # Twelve systems by other values or opponents: proofs of one displace the oldest.
        self._cache = Cache(f"proofs_{rules.name}{against}", most=12)
        self._known = ProofRecord()
        self._shares: dict[str, float] = {}
        self._order = written_order(system)
        # Neighbouring blocks count as one for what is written in order, so they are kept, too.
        self._block_list = [*block_list(system.statements), *self._order.groups()]
        self._wording = list(wording(rules))
        self._said = {
            rule.id: ", ".join(map(claim_text, rule.shows)) for rule in rules.rules if rule.shows
        }
        self._workers: ProofWorkers | None = None
        self._lane_of: dict[str, int] = {}

    # ------------------------------------------------------------------- running

    def run(self) -> Iterator[ProofStage]:
        # Everything that a result depends on, so that an entry is right or not found.
        key = f"{_code()}_{self._marks.system}{self._theirs}{self._claimed}_{self._deals}"
        earlier = cast("_Stored | None", self._cache.read(key, dict))
        # Blocks are no part of a meaning, but of an order that is written.
        if earlier is not None and earlier["blocks"] == self._block_list:
            self._known = ProofRecord(**earlier["record"])
            self._weigh()
            return
        # Another state of the system is the best place to start from.
        self._take_over(earlier or cast("_Stored | None", self._cache.newest(dict)))
        try:
            yield from self._stages()
        finally:
            if self._workers is not None:
                self._workers.close()
        entry: _Stored = {
            **basis(self._rules, self._marks, self._block_list),
            **self._setting,
            "record": cast("RecordFields", vars(self._known)),
        }
        self._cache.write(key, entry)

    @property
    def _claimed(self) -> str:
        """A mark of the authors' claims, for these change no meaning."""
        # A claim changes no meaning, so the system's fingerprint does not show it.
        return f"_{hash_of(repr(sorted(self._said.items())))}" if self._said else ""

    @property
    def _setting(self) -> _Setting:
        """The inputs of a proof, the system apart."""
        return {"code": _code(), "deals": self._deals, "theirs": self._theirs}

    def _take_over(self, earlier: _Stored | None) -> None:
        """Take the results of an earlier proof that the changes since then do not affect."""
        # Results of other code or other opponents are not used.
        if earlier is None or any(earlier.get(k) != one for k, one in self._setting.items()):
            return
        touched = Touched.between(earlier, self._rules, self._marks, self._block_list)
        if touched is None:
            return
        self._known = ProofRecord(**earlier["record"]).untouched(touched, self._by_id)

    def _stages(self) -> Iterator[ProofStage]:
        record = self._known
        missing = [str(n) for n in range(self._deals) if str(n) not in record.deals]
        yield from self._work("bidding deals", "bid", [int(n) for n in missing], record.deals)
        self._weigh()
        groups: dict[str, list[CompiledRule]] = {}
        for rule in self._rules.rules:
            groups.setdefault(pattern_text(rule.pattern), []).append(rule)
        # Closed patterns first: what they lead to is where open ones may continue.
        closed = {t: group for t, group in groups.items() if not group[0].pattern.open}
        yield from self._explore({t: g for t, g in closed.items() if t not in record.explored}, [])
        yield from self._examine()
        live = Counter(rule for one in record.examined.values() for rule in one["live"])
        opened = {
            # A general rule that was live somewhere needs no auction of its own.
            text: [rule for rule in group if not live[rule.id] and not rule.optional]
            for text, group in groups.items()
            if group[0].pattern.open and text not in record.explored
        }
        # Short auctions first, and always in the same order.
        bases = sorted(record.examined, key=lambda words: (len(words.split()), words))
        yield from self._explore({t: g for t, g in opened.items() if g}, bases)
        yield from self._examine()
        yield from self._judge()
        yield from self._answers()
        yield from self._texts()
        yield from self._claims()

    def _work(
        self, stage: str, name: str, items: Sequence[object], into: MutableMapping[str, Any]
    ) -> Iterator[ProofStage]:
        """Do a stage, and put the result of each item under its first word."""
        if not items:
            return
        if self._workers is None:
            many = len(items) > _ALONE or (name == "bid" and len(items) > 20)
            # For few items starting processes takes longer than the work.
            crew = self._crew if many else replace(self._crew, jobs=1)
            proofs = Proofs(self._rules, self._order, self._vs)
            about = ["proof", self._marks.system, self._block_list, self._setting]
            self._workers = ProofWorkers(proofs, crew, about)
        size = _CHUNKS[name]
        tasks = list(self._tasks(name, items, size))
        yield ProofStage(stage, 0, len(items))
        done = 0
        for worker, task, results in self._workers.run(tasks):
            for item, result in zip(task[1], results, strict=True):
                into[str(item[0]) if isinstance(item, tuple) else str(item)] = result
                # Whoever has read an auction is given what continues it.
                if name in ("bid", "explore"):
                    self._note(worker, [result] if name == "bid" else result)
            done += len(results)
            yield ProofStage(stage, done, len(items))

    def _tasks(self, name: str, items: Sequence[Any], size: int) -> Iterator[tuple[int, Task]]:
        assert self._workers is not None
        share = -(-len(items) // self._workers.count)
        parts: list[list[Any]] = [[] for _ in range(self._workers.count)]
        for place, item in enumerate(items):
            # By the worker that knows the auction, else an equal share.
            parts[self._lane_of.get(_place(name, item), place // share)].append(item)
        for worker, part in enumerate(parts):
            for at in range(0, len(part), size):
                yield worker, (name, part[at : at + size])

    def _note(self, worker: int, auctions: Sequence[str]) -> None:
        """Note the worker that was the first to read some auctions."""
        for words in auctions:
            head = words.split()
            for length in range(2, len(head) + 1):
                self._lane_of.setdefault(" ".join(head[:length]), worker)

    # -------------------------------------------------------------------- stages

    def _weigh(self) -> None:
        """Count the deals that reach each position.

        Against opponents of another system half of the deals are bid by each side, and the
        positions are those at which a player of the system is to call.
        """
        counts: Counter[str] = Counter()
        every = 1 if self._vs is None else 2
        for number, words in self._known.deals.items():
            # The system's side calls at every second position.
            head = words.split()
            first = 2 if every == 1 else 2 + side_of_deal(int(number))
            counts.update(" ".join(head[:length]) for length in range(first, len(head), every))
        # Against others half of the deals have the system on the other side.
        self._shares = {words: every * count / self._deals for words, count in counts.items()}

    def _explore(
        self, groups: Mapping[str, Sequence[CompiledRule]], bases: Sequence[str]
    ) -> Iterator[ProofStage]:
        texts = sorted(groups)
        auctions: dict[str, list[str]] = {}
        items = [(text, [rule.id for rule in groups[text]], bases[:_BASES]) for text in texts]
        yield from self._work("finding auctions", "explore", items, auctions)
        self._known.explored.update(auctions)

    def _examine(self) -> Iterator[ProofStage]:
        # Positions that nobody asks for any more are dropped with their faults.
        wanted = dict.fromkeys(self._shares)
        wanted.update(dict.fromkeys(w for found in self._known.explored.values() for w in found))
        for words in [words for words in self._known.examined if words not in wanted]:
            del self._known.examined[words]
        items = [words for words in sorted(wanted) if words not in self._known.examined]
        yield from self._work("examining positions", "examine", items, self._known.examined)

    def _positions(self) -> dict[str, list[str]]:
        """Return the positions of each rule where it is live, the frequent ones first."""
        positions: dict[str, list[str]] = {}
        for words, examined in self._known.examined.items():
            for rule in examined["live"]:
                positions.setdefault(rule, []).append(words)
        for places in positions.values():
            places.sort(key=lambda words: (-self._shares.get(words, 0.0), len(words), words))
        return positions

    def _unchosen(self) -> list[str]:
        """Return the firm rules that no sampled hand chose, by id."""
        chosen = {rule for one in self._known.examined.values() for rule in one["chosen"]}
        # By span: a rule of a convention included twice is one line.
        used = {self._by_id[rule].span for rule in chosen if rule in self._by_id}
        return [
            rule.id
            for rule in self._rules.rules
            if not rule.optional and rule.span not in used and not _is_net(rule)
        ]

    def _judge(self) -> Iterator[ProofStage]:
        unchosen = self._unchosen()
        verdicts = self._known.verdicts
        for rule in [rule for rule in verdicts if rule not in set(unchosen)]:
            del verdicts[rule]
        positions = self._positions()
        items = [(rule, positions.get(rule, [])[:16]) for rule in unchosen if rule not in verdicts]
        # By auction, so that a worker meets beginnings that it has read.
        items.sort(key=lambda item: item[1][0] if item[1] else "")
        yield from self._work("proving rules dead or alive", "judge", items, verdicts)

    def _answers(self) -> Iterator[ProofStage]:
        chosen = self._where_chosen()
        answers = self._known.answers
        items = []
        for rule, (words, _) in chosen.items():
            if rule not in self._by_id or not needs_answer(self._by_id[rule]):
                continue
            if rule in answers and answers[rule]["at"] == words:
                continue
            items.append((rule, words))
        items.sort(key=lambda item: item[1])
        evidence: dict[str, list[EvidenceValues]] = {}
        yield from self._work("looking for answers", "answers", items, evidence)
        at = dict(items)
        for rule, missing in evidence.items():
            answers[rule] = {"at": at[rule], "faults": missing}
        for rule in [rule for rule in answers if rule not in chosen]:
            del answers[rule]

    def _where_chosen(self) -> dict[str, tuple[str, float]]:
        """Return the likeliest position with a choice of each rule, and its probability."""
        chosen: dict[str, tuple[str, float]] = {}
        for words, examined in self._known.examined.items():
            place = (words, self._shares.get(words, 0.0))
            for rule in examined["chosen"]:
                likeliest = chosen.get(rule)
                # The likeliest, then the shortest, then by name: no tie is left to chance.
                if likeliest is None or (-place[1], len(words), words) < (
                    -likeliest[1],
                    len(likeliest[0]),
                    likeliest[0],
                ):
                    chosen[rule] = place
        for rule, verdict in self._known.verdicts.items():
            witness = verdict["witness"]
            if witness and rule not in chosen:
                chosen[rule] = (witness, self._shares.get(witness, 0.0))
        return chosen

    def _texts(self) -> Iterator[ProofStage]:
        """Compare the texts that the condition does not bear out with the meanings of calls."""
        suspect = {each.rule for each in self._wording}
        chosen = self._where_chosen()
        items = [
            (rule, chosen[rule][0])
            for rule in sorted(suspect & chosen.keys())
            if rule not in self._known.texts or self._known.texts[rule]["at"] != chosen[rule][0]
        ]
        ranges: dict[str, list[tuple[int, int]]] = {}
        yield from self._work("comparing texts", "texts", items, ranges)
        for rule, words in items:
            self._known.texts[rule] = {"at": words, "shows": ranges[rule]}

    def _claims(self) -> Iterator[ProofStage]:
        """Hold the authors' claims to the readings of their calls."""
        positions = self._positions()
        wanted = {
            rule: (says, positions[rule][:POSITIONS])
            for rule, says in self._said.items()
            if rule in positions
        }
        record = self._known.claims
        for rule in [rule for rule in record if rule not in wanted]:
            del record[rule]
        items = [
            (rule, places)
            for rule, (says, places) in sorted(wanted.items())
            if rule not in record or (record[rule]["says"], record[rule]["at"]) != (says, places)
        ]
        false: dict[str, list[EvidenceValues]] = {}
        yield from self._work("proving what calls show", "claims", items, false)
        for rule, places in items:
            record[rule] = {"says": self._said[rule], "at": places, "faults": false[rule]}

    # ------------------------------------------------------------------ evidence

    def evidence(self) -> Iterator[Evidence]:
        """Yield the evidence."""
        record = self._known
        for examined in record.examined.values():
            yield from map(Evidence.from_json, examined["faults"])
        missing = [Evidence.from_json(e) for one in record.answers.values() for e in one["faults"]]
        yield from once(missing, self._rules.rules)
        yield from self._dead()
        for proved in record.claims.values():
            yield from map(Evidence.from_json, proved["faults"])
        for undisclosed in self._wording:
            text = record.texts.get(undisclosed.rule)
            # A text that the condition does not say may still be true of the hands.
            if not borne_out(undisclosed, [] if text is None else text["shows"]):
                yield undisclosed

    def evidence_so_far(self) -> Iterator[Evidence]:
        """Yield the evidence of work that was stopped.

        It is about positions and answers: that a rule is dead takes them all.
        """
        record = self._known
        for examined in record.examined.values():
            yield from map(Evidence.from_json, examined["faults"])
        missing = [Evidence.from_json(e) for one in record.answers.values() for e in one["faults"]]
        yield from once(missing, self._rules.rules)

    def _dead(self) -> Iterator[Evidence]:
        """Yield the faults of rules that are used nowhere.

        A rule of a convention that is included in several places is one line in a file. A change
        of a system may leave rules of it unused. Rules over calls that the opponents do not make
        are not looked at, and one that stands over such calls, too, is not proved dead.
        """
        used = {
            self._by_id[rule].span for rule, one in self._known.verdicts.items() if one["witness"]
        }
        dead = [
            Evidence.from_json(each)
            for rule, one in self._known.verdicts.items()
            if self._by_id[rule].span not in used
            for each in one["faults"]
        ]
        dead = [e for e in dead if e.code == "W420" or not self._by_id[e.rule].rank.layer]
        lost = {self._by_id[e.rule].span for e in dead if e.code == "W420"}
        if self._vs is not None:
            # Against one system calls that it does not make prove nothing.
            yield from (e for e in dead if self._by_id[e.rule].span not in lost)
            return
        proved = {self._by_id[e.rule].span for e in dead if e.code != "W420"}
        yield from (e for e in dead if e.code != "W420")
        # A rule proved dead in one place and unreached in another is one line, printed once.
        yield from (e for e in dead if e.code == "W420" and self._by_id[e.rule].span not in proved)


def _place(name: str, item: Any) -> str:  # noqa: ANN401 - what each stage is about
    """Return the auction that a piece of work is about, if it is about one."""
    if name in ("judge", "claims"):
        return item[1][0] if item[1] else ""
    if name == "examine":
        return str(item)
    return str(item[1]) if name in ("answers", "texts") else ""


def _is_net(rule: CompiledRule) -> bool:
    """Return True for the pass that stands last for all hands that the others leave over."""
    return rule.condition is None and rule.call == ast.LiteralCall("P")
