"""Disclosure of a call to the opponents: its alert, a sentence, and bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bidwright.inference.explanation.in_short import believed_bounds, brief_of
from bidwright.inference.meaning import Meaning
from bidwright.kb.logic.bounds import Bounds


@dataclass(frozen=True, slots=True)
class Disclosed:
    """The disclosure of a call to the opponents, by the caller's side or by who explains it.

    Attributes:
        is_alerted: whether the call needs an alert.
        sentence: what it means.
        bounds: what the sentence says of the hand, all that the caller has shown before included.
    """

    is_alerted: bool
    sentence: str
    bounds: Bounds


def disclosed(meanings: Sequence[Meaning]) -> Disclosed:
    """Return the disclosure of the last of some calls.

    A call needs an alert if a rule that may be meant says so, or makes it artificial. An alert text
    of the author's that all of them share says what it is for; else what prose says does.

    Args:
        meanings: what the calls of an auction mean up to that call, from the first.
    """
    meaning = meanings[-1]
    rules = [each.rule for each in meaning.instances if not each.optional]
    rules = rules or [each.rule for each in meaning.instances]
    # An announcement is a spoken alert, so at the table the call is marked by either word. Most
    # files flag artificial calls and write no alert; regulations ask for one all the same.
    is_alerted = any(
        rule.alert is not None or rule.announce is not None or rule.artificial for rule in rules
    )
    words = {rule.alert for rule in rules}
    # Two rules with different alert texts make one call: which of them is meant is hidden from the
    # opponents as well, so that neither text may be given alone.
    purpose = words.pop() if len(words) == 1 and meaning.agreed else None
    sentence = brief_of(meanings).alert(purpose or "")
    return Disclosed(is_alerted, sentence, believed_bounds(meaning))
