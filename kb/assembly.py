"""From the statements of a system to its compiled rules: where the syntax tree ends.

What a rule needs of the tree is taken over as it stands: the expressions of its call, its pattern
and its condition. The rest of a statement becomes fields of the rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bidwright.kb.conditions.reads import words_of
from bidwright.kb.language import ast
from bidwright.kb.language.rule_changes import RuleChange
from bidwright.kb.language.tree_parts import pattern_of
from bidwright.kb.language.walk import PlacedRule, walk
from bidwright.kb.logic.latitude import SYSTEMS_OWN
from bidwright.kb.logic.public_state import Forcing
from bidwright.kb.rules.patterns import SUIT_VARIABLES, specificity, variables_in
from bidwright.kb.rules.rule import AuthorClaim, CompiledRule, RuleRank, conjuncts_of
from bidwright.kb.rules.rulebase import RuleBase, Said
from bidwright.kb.rules.superseded import SupersededAuctions

Located = tuple[str, ast.Statement]
"""A statement and the module that it is from."""


def rule_base(
    name: str,
    title: str,
    statements: Sequence[Located],
    changes: Sequence[RuleChange] = (),
    file_hashes: Mapping[str, str] | None = None,
) -> RuleBase:
    """Compile a system.

    Args:
        name: its name, such as `sayc`.
        title: its title.
        statements: what it says, includes resolved, parameters filled in, overrides applied.
        changes: what became of rules and definitions that it changes.
        file_hashes: the SHA-256 of each file that it is compiled from, by the file's name.
    """
    all_statements = [statement for _, statement in statements]
    latitudes = [each.points for each in all_statements if isinstance(each, ast.Latitude)]
    says = Said(
        rules=tuple(compile_rule(each, place) for place, each in enumerate(walk(statements))),
        examples=tuple((m, each) for m, each in statements if isinstance(each, ast.Example)),
        lets={each.name: each for each in all_statements if isinstance(each, ast.Let)},
        rebases=tuple(each for each in all_statements if isinstance(each, ast.Rebase)),
        superseded=superseded_in(statements),
        latitude=latitudes[-1] if latitudes else SYSTEMS_OWN,
    )
    return RuleBase(name, title, says, changes, file_hashes)


def _shown(condition: ast.Condition) -> Iterator[AuthorClaim]:
    """Yield the claims of a `shows`; the grammar lets nothing else through."""
    for part in conjuncts_of(condition):
        match part:
            case ast.InRange(expr=ast.Name(name=name), ranges=(one,)):
                low, high = (None if end is None else int(end) for end in (one.low, one.high))
                yield AuthorClaim(name, low, high)
            case ast.Fact(expr=ast.Name(name=name)):
                yield AuthorClaim(name, 1, 1)
            case _:
                raise TypeError(f"nothing that a call shows: {part!r}")


_FORCING = {
    "forcing": Forcing.ONE_ROUND,
    "forcing_to": Forcing.LEVEL,
    "forcing_game": Forcing.GAME,
}


def _words_of_call(call: ast.CallExpr) -> Iterator[str]:
    match call:
        case ast.LevelCall(suit=word) | ast.RelativeCall(argument=word):
            yield word
        case _:
            return


def suit_words(rule: ast.Rule, condition: ast.Condition | None) -> list[str]:
    """Return the suit variables that a rule's call, condition and actions mention, in order."""
    words = [*_words_of_call(rule.call), *words_of(condition), *_kind(rule)[1:]]
    words += (word for action in rule.actions for word in words_of(action.condition))
    for action in rule.actions:
        if action.kind == "agrees":
            words.append(action.argument or "")
        elif action.suit is not None:
            words.append(action.suit)
        elif action.kind == "forcing_to":
            # `forcing to 3M` names its suit behind the level.
            words.append((action.argument or "")[1:])
    return [word for word in words if word in SUIT_VARIABLES]


def _kind(rule: ast.Rule) -> tuple[str, ...]:
    """Return the name of the alternative that a rule is, with its letters."""
    if rule.kind is None:
        return ()
    letters = (each.name for each in rule.kind.args if isinstance(each, ast.Name))
    return rule.kind.name, *letters


def compile_rule(placed: PlacedRule, order: int) -> CompiledRule:
    """Return a rule ready to be matched; `order` is its place in the files."""
    rule = placed.rule
    parts = [part for part in (placed.when, rule.condition) if part is not None]
    # That of the block comes first, so that its rules begin with the same guard
    # (`kb.rules.offers`).
    condition = None if not parts else parts[0] if len(parts) == 1 else ast.And(tuple(parts))
    actions = {action.kind: action for action in rule.actions}
    argument = {kind: action.argument for kind, action in actions.items()}
    priority = int(argument.get("priority") or 0)
    # Of two ranks the smaller one comes first, and of two patterns the more special one.
    rank = tuple(-part for part in specificity(placed.pattern, placed.when))
    shows = actions["shows"].condition if "shows" in actions else None
    forcing = max((_FORCING[kind] for kind in actions if kind in _FORCING), default=Forcing.NO)
    return CompiledRule(
        id=placed.id,
        module=placed.module,
        pattern=placed.pattern,
        call=rule.call,
        condition=condition,
        optional=rule.optional,
        text=argument.get("as") or rule.text,
        span=rule.span,
        variables=variables_in(suit_words(rule, condition)),
        rank=RuleRank(
            (rank[0], rank[1], rank[2], rank[3]),
            rule.tier or ast.Tier.BOOK,
            placed.layer,
            -priority,
            order,
        ),
        artificial="artificial" in actions,
        forcing=forcing,
        invitational="invitational" in actions,
        signoff="signoff" in actions,
        agrees=argument.get("agrees"),
        asks=argument.get("asks"),
        answers=argument.get("answers"),
        alert=(argument["alert"] or "") if "alert" in actions else None,
        announce=(argument["announce"] or "") if "announce" in actions else None,
        convention=argument.get("convention"),
        latitude=next((kind for kind in ("strict", "loose") if kind in actions), ""),
        usually=actions["usually"].condition if "usually" in actions else None,
        forcing_to=argument.get("forcing_to"),
        asks_in=actions["asks"].suit if "asks" in actions else None,
        choice=rule.choice,
        kind=_kind(rule),
        source=argument.get("source"),
        measured=argument.get("measured"),
        shows=tuple(_shown(shows)) if shows is not None else (),
    )


def superseded_in(
    statements: Iterable[tuple[str, ast.Statement]],
) -> tuple[SupersededAuctions, ...]:
    """Return the auctions that the `replace` and `undiscussed` statements of a system override."""
    overridden = []
    rules = rebases = 0
    for located in statements:
        _, statement = located
        if isinstance(statement, ast.Replace | ast.Undiscussed):
            undiscussed = statement if isinstance(statement, ast.Undiscussed) else None
            overridden.append(
                SupersededAuctions(pattern_of(statement), rules, rebases, undiscussed)
            )
        # Counted as the compiler numbers them: a statement overrides the rules with a smaller
        # number.
        rules += sum(1 for _ in walk([located]))
        rebases += isinstance(statement, ast.Rebase)
    return tuple(overridden)
