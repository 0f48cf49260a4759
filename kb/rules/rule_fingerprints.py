"""The fingerprints of the rules of a system, one by one; see `fingerprint` for what they cover."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from bidwright.kb.rules.fingerprint import RuleWriter, aside_text, hash_of, rule_text
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.code import code_key


class RuleFingerprints:
    """The fingerprints of a system's rules; use `rule_fingerprints`, which computes them once.

    Attributes:
        of_rule: by id, of the rule with the definitions that it uses.
        alone: by id, of the rule with definitions as names only.
        placed: by id, as `of_rule`, with the convention that the rule is from and how many systems
            its own one is away from the deepest that is included. A rule keeps it where another
            system includes its own.
        order: the ids in the order of choice.
        rebases: of each `rebase`, in their order.
        asides: of each statement that puts aside what was said before it, in their order; of which
            rules that is, is not covered.
    """

    def __init__(self, rules: RuleBase) -> None:
        """Compute the fingerprint of every rule."""
        whole, named = RuleWriter(rules.lets), RuleWriter({})
        ordered = sorted(rules.rules, key=lambda rule: rule.rank)
        self.order: tuple[str, ...] = tuple(rule.id for rule in ordered)
        self.of_rule = {rule.id: hash_of(rule_text(whole, rule)) for rule in ordered}
        self.alone = {rule.id: hash_of(rule_text(named, rule)) for rule in ordered}
        deepest = max((rule.rank.layer for rule in ordered), default=0)
        self.placed = {
            rule.id: f"{self.of_rule[rule.id]} {deepest - rule.rank.layer} {rule.convention or ''}"
            for rule in ordered
        }
        self.rebases = tuple(hash_of(whole.text(each)) for each in rules.rebases)
        self.asides = tuple(hash_of(aside_text(whole, each)) for each in rules.asides)
        counts = (f"{each.rules} {each.rebases}" for each in rules.asides)
        self._rest = (*self.rebases, *self.asides, *counts, f"latitude {rules.latitude}")

    @property
    def system(self) -> str:
        """The fingerprint of the whole system, the ids of its rules, and the code that reads it."""
        rules = (f"{each} {self.placed[each]}" for each in self.order)
        return hash_of("\n".join((code_key("kb", "inference"), *self._rest, *rules)))


_COMPUTED: WeakKeyDictionary[RuleBase, RuleFingerprints] = WeakKeyDictionary()


def rule_fingerprints(rules: RuleBase) -> RuleFingerprints:
    """Return the fingerprints of a system's rules."""
    if rules not in _COMPUTED:
        _COMPUTED[rules] = RuleFingerprints(rules)
    return _COMPUTED[rules]
