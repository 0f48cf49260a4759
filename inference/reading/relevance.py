"""Leave out what cannot matter: rules that the bounds of a hand already exclude.

Dropping a rival that cannot hold changes no meaning and saves the solver its work.
"""

from __future__ import annotations

from bidwright.bridge.calls import Call
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.possible import may_hold
from bidwright.kb.rules.decision_list import Decision


def without_excluded(decision: Decision, call: Call, bounds: Bounds) -> Decision:
    """Return the decision as far as it matters to what `call` shows of a hand within the bounds.

    Rules after the last one that makes the call go, and so do those that the bounds exclude. If
    the bounds exclude every rule that makes the call they all stay: the call contradicts what
    was shown, and the reader has to see that.
    """
    own = decision.making(call)
    live = {i for i in own if may_hold(decision.instances[i].formula, bounds)} or set(own)
    last = max(live, default=-1)
    return Decision(
        tuple(
            instance
            for i, instance in enumerate(decision.instances[: last + 1])
            if (i in live)
            or (
                instance.call != call
                and not instance.optional
                and may_hold(instance.formula, bounds)
            )
        )
    )
