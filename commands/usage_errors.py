"""Messages about a wrong command line: one sentence, with the page of help that leads on."""

from __future__ import annotations

import re

import click


def usage_sentence(error: click.ClickException) -> str:
    """Return a wrong use of the command line in one sentence, as other mistakes are reported.

    Args:
        error: as click raises it, with its context if the verb is known.

    Returns:
        The option or argument, its expected form, and the command that shows the help.
    """
    context = error.ctx if isinstance(error, click.UsageError) else None
    message = re.sub(r"(?<=\S)[.]$", "", _message(error))  # not the folder `.`
    if context is None:
        return message
    if message.endswith("?"):
        return f"{message} See {context.command_path} --help"
    return f"{message}; see {context.command_path} --help"


def _message(error: click.ClickException) -> str:
    if isinstance(error, click.MissingParameter) or not isinstance(error, click.BadParameter):
        text = error.format_message()
        return text[0].lower() + text[1:] if text.split(" ")[0] in _BEGINNINGS else text
    return f"{_name(error)}: {error.message}" if _name(error) else error.message


_BEGINNINGS = {"No", "Missing", "Option", "Got", "Expected"}
"""First words of click's own sentences."""


def _name(error: click.BadParameter) -> str:
    """Return the option or the argument as the command line has it."""
    parameter = error.param
    if isinstance(parameter, click.Option):
        return parameter.opts[-1]
    if parameter is None or error.ctx is None:
        return ""
    return parameter.make_metavar(error.ctx)
