"""The verb `fmt`: convention files in the layout of the house."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import click

from bidwright.runtime.sentences import noun_for


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE|FOLDER]...")
@click.option("--check", is_flag=True, help="Write nothing; name the files that would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def fmt(files: tuple[str, ...], check: bool, diff: bool) -> int:
    """Put convention files into one layout; comments, groups and line breaks stay.

    Without a file, all those below the current folder; with `-`, the standard input. Exit code 1
    says that a file has errors, or that --check or --diff would change one.

    Example: bidwright fmt --check systems my_system.bid
    """
    from bidwright.authoring.convention_files import convention_files, read_text
    from bidwright.kb.language.diagnostics import render
    from bidwright.kb.language.format import reformat
    from bidwright.runtime.files import write_text

    piped = files == ("-",)
    texts: dict[str, str]
    if piped:
        from bidwright.commands.requests import whole_input
        from bidwright.kb.language.limits import MOST_CHARACTERS

        texts = {"standard input": whole_input(MOST_CHARACTERS)}
    else:
        texts = {str(path): read_text(path) for path in convention_files(files)}
    changed = broken = 0
    for name, text in texts.items():
        result, problems = reformat(text, name)
        if result is None:
            broken += 1
            click.echo(render(problems, {name: text}), err=True)
            continue
        if result != text:
            changed += 1
            if diff:
                click.echo(_difference(text, result, name), nl=False)
            elif check:
                click.echo(f"would change {name}")
            elif not piped:
                # Always LF: a checkout with other line ends would make every file a change.
                write_text(Path(name), result, newline="\n")
                click.echo(f"changed {name}")
        if piped and not (check or diff):
            click.echo(result, nl=False)
    if not piped:
        click.echo(_summary(len(texts), changed, broken, dry_run=check or diff), err=diff)
    return int(broken > 0 or (changed > 0 and (check or diff)))


def _difference(before: str, after: str, name: str) -> str:
    lines = unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), name, f"{name} formatted"
    )
    # A diff of a file without a last line end would run into the next line.
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def _summary(total: int, changed: int, broken: int, *, dry_run: bool) -> str:
    same = total - changed - broken
    parts = [f"{same} as {'it' if same == 1 else 'they'} should be"] if same else []
    if changed:
        parts.insert(0, f"{changed} {'would change' if dry_run else 'changed'}")
    if broken:
        parts.append(f"{broken} with errors, left alone")
    return f"{total} {noun_for(total, 'file')}: {', '.join(parts)}"
