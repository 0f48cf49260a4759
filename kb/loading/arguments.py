"""The values of a module's parameters: its own, and those that an `include` gives."""

from __future__ import annotations

from collections.abc import Sequence

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, error
from bidwright.kb.loading.include_problems import unknown_parameter
from bidwright.kb.loading.substitute import KINDS, Values

_EXAMPLES = {
    ast.Pattern: "calls, such as 1NT or 1NT (P) 2C",
    ast.Range: "a range, such as 15..17",
    ast.Number: "a number, such as 5",
    ast.Name: "a suit, such as H",
}


def values_of(
    header: ast.Header | None, arguments: Sequence[ast.Argument], span: ast.Span
) -> tuple[dict[str, ast.ArgumentValue], list[Diagnostic]]:
    """Return the value of each parameter, and what is missing, unknown or of the wrong kind.

    Args:
        header: the module's header, if it has one.
        arguments: what the `include` gives.
        span: the place of the `include`.
    """
    parameters = {each.name: each for each in header.parameters} if header else {}
    module = header.name if header else "a file without a header"
    values = {name: each.value for name, each in parameters.items() if each.value is not None}
    problems: list[Diagnostic] = []
    for argument in arguments:
        default = values.get(argument.name)
        if argument.name not in parameters:
            problems.append(unknown_parameter(argument, module, parameters))
        elif argument.value is not None:
            value = _single(argument.value)
            if default is not None and not _fits(value, default):
                place = parameters[argument.name].span
                problems.append(_wrong_kind(argument, value, default, module, place))
            # What has a value of the wrong kind keeps its own, so that a mistake is reported once.
            else:
                values[argument.name] = value
    given = {argument.name for argument in arguments}
    problems += [
        error(
            "E304",
            f"parameter '{name}' of {module} has no value",
            span,
            help=f"write ({name} = ...) after its name",
        )
        for name in parameters
        if name not in values and name not in given
    ]
    return values, problems


# `notrump = 15` is read as a range, whatever it is for.
def _single(value: ast.ArgumentValue) -> ast.ArgumentValue:
    """Return a range of one number as that number."""
    match value:
        case ast.Range(low=low, high=high, span=span) if low is not None and low == high:
            return ast.Number(low, span=span)
        case _:
            return value


def _fits(value: ast.ArgumentValue, default: ast.ArgumentValue) -> bool:
    """Return True if a value is of the kind of the default; a number is a range of one."""
    # A number stands for the range with both ends.
    if isinstance(default, ast.Range):
        return isinstance(value, ast.Range | ast.Number)
    return type(value) is type(default)


def _wrong_kind(
    argument: ast.Argument,
    value: ast.ArgumentValue,
    default: ast.ArgumentValue,
    module: str,
    place: ast.Span,
) -> Diagnostic:
    return error(
        "E306",
        f"parameter '{argument.name}' of {module} is {KINDS[type(default)]}, "
        f"not {KINDS[type(value)]}",
        value.span,
        expected=_EXAMPLES[type(default)],
        related=(Related("the parameter", place),),
    )


def without_defaults(
    header: ast.Header | None, arguments: tuple[ast.Argument, ...]
) -> tuple[ast.Argument, ...]:
    """Return the arguments for parameters that have no value of their own."""
    with_values = {each.name for each in header.parameters if each.value} if header else set()
    return tuple(each for each in arguments if each.name not in with_values)


def inherited(values: Values, header: ast.Header | None, outer: Values) -> Values:
    """Return the values in a file: a fragment shares those of the file that includes it."""
    return values if header is not None else {**outer, **values}
