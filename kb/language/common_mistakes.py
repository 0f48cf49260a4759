"""The usual mistakes in convention files, each with texts that show it.

At run time the texts are parsed once, and what the parser says of them is the key under which
the message is found. A test loops over the same table, so no message can go stale.
"""

from bidwright.kb.language.condition_mistakes import CONDITION_MISTAKES
from bidwright.kb.language.rule_mistakes import RULE_MISTAKES
from bidwright.kb.language.slip import Slip
from bidwright.kb.language.statement_mistakes import STATEMENT_MISTAKES

SLIPS: tuple[Slip, ...] = CONDITION_MISTAKES + RULE_MISTAKES + STATEMENT_MISTAKES
"""All usual mistakes; the first one that fits is reported."""
