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
        placed: by id, as `of_rule`, with the layer and the convention that the rule is from.
        order: the ids in the order of choice.
        rest: the fingerprint of what is not a rule: rebased auctions, what is put aside, latitude.
    """

    def __init__(self, rules: RuleBase) -> None:
        """Compute the fingerprint of every rule."""
        whole, named = RuleWriter(rules.lets), RuleWriter({})
        ordered = sorted(rules.rules, key=lambda rule: rule.rank)
        self.order: tuple[str, ...] = tuple(rule.id for rule in ordered)
        self.of_rule = {rule.id: hash_of(rule_text(whole, rule)) for rule in ordered}
        self.alone = {rule.id: hash_of(rule_text(named, rule)) for rule in ordered}
        self.placed = {
            rule.id: f"{self.of_rule[rule.id]} {rule.rank.layer} {rule.convention or ''}".rstrip()
            for rule in ordered
        }
        aside = (aside_text(whole, each, ordered) for each in rules.asides)
        rest = (*map(whole.text, rules.rebases), *aside, f"latitude {rules.latitude}")
        self.rest = hash_of("\n".join(rest))

    @property
    def system(self) -> str:
        """The fingerprint of the whole system, the ids of its rules, and the code that reads it."""
        rules = (f"{each} {self.placed[each]}" for each in self.order)
        return hash_of("\n".join((code_key("kb", "inference"), self.rest, *rules)))


_COMPUTED: WeakKeyDictionary[RuleBase, RuleFingerprints] = WeakKeyDictionary()


def rule_fingerprints(rules: RuleBase) -> RuleFingerprints:
    """Return the fingerprints of a system's rules."""
    if rules not in _COMPUTED:
        _COMPUTED[rules] = RuleFingerprints(rules)
    return _COMPUTED[rules]
