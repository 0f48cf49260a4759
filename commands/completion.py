"""The verb `completion`: a script that makes a shell complete verbs and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that makes a shell complete verbs, options and files.

    Example, for the start file of the shell: eval "$(bidwright completion bash)"
    """
    generator = get_completion_class(shell)
    assert generator is not None
    script = generator(context.find_root().command, {}, "bidwright", "_BIDWRIGHT_COMPLETE")
    # For bash click's own `source` asks for the shell's version, which the script needs no more.
    click.echo(script.source_template % script.source_vars())
