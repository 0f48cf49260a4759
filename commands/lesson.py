"""The verb `lesson`: hands to bid as a handout, quiz cards or boards."""

from __future__ import annotations

from pathlib import Path

import click

from bidwright.commands.common_options import FILE, quiet_option
from bidwright.commands.numbers import SEED, Whole
from bidwright.commands.output import examples

_KINDS = (".pdf", ".html", ".csv", ".pbn", ".lin")


@click.command(
    epilog=examples(
        "bidwright lesson stayman -n 12 -o stayman.pdf",
        "bidwright lesson openings --system acol -o cards.csv",
        "bidwright lesson --system my_system.bid -n 16 -o table.lin",
    )
)
@click.argument("topic", default="")
@click.option("--system", default="sayc", show_default=True, help="What both sides play.")
@click.option("-n", "count", default=8, show_default=True, type=Whole(1, 500), help="How many.")
@click.option("--seed", default=0, show_default=True, type=SEED, help="Other hands.")
@click.option("--title", metavar="TEXT", help="The title of the handout.  [default: the topic]")
@click.option(
    "-o",
    "--out",
    type=FILE,
    required=True,
    help="A handout (.pdf, .html), quiz cards (.csv) or boards with notes (.pbn, .lin).",
)
@quiet_option
def lesson(
    topic: str, system: str, count: int, seed: int, title: str | None, out: Path, quiet: bool
) -> None:
    """Write a lesson on TOPIC: hands to bid, with their answers.

    A topic is a file of the system, such as stayman or openings; without it hands are of any. Each
    hand has a single call by the system. Boards are bid to the end by the system, every call with
    its meaning for opponents: LIN goes to a teaching table.
    """
    from bidwright.authoring.lessons.lesson_files import handout, quiz_cards
    from bidwright.authoring.lessons.questions_to_bid import board_of, questions_of
    from bidwright.bridge.errors import InvalidError
    from bidwright.bridge.recorded_boards import boards_as_text
    from bidwright.kb.loading.compiled import open_system
    from bidwright.runtime.files import check_writable, replacing_bytes, write_text
    from bidwright.runtime.progress import progressing

    kind = out.suffix.lower()
    if kind not in _KINDS:
        raise InvalidError(f"expected -o with a file that ends in {', '.join(_KINDS)}, got {out}")
    if kind == ".pdf":
        from bidwright.authoring.doc.pdf import need_printer

        need_printer()
    check_writable(out)
    rules = open_system(system)
    drawn = questions_of(rules, topic, count, seed)
    questions = list(progressing(drawn, count, "drawing", "hands", quiet=quiet))
    if kind == ".csv":
        write_text(out, quiz_cards(questions, topic))
    elif kind in (".pbn", ".lin"):
        boards = [board_of(each, number) for number, each in enumerate(questions, 1)]
        write_text(out, boards_as_text(boards, out))
    else:
        heading = title or (topic or rules.title).replace("_", " ").capitalize()
        page = handout(questions, heading, f"Both sides play {rules.title}.")
        if kind == ".html":
            write_text(out, page)
        else:
            from bidwright.authoring.doc.pdf import to_pdf

            with replacing_bytes(out) as stream:
                stream.write(to_pdf(page))
    click.echo(f"{out}: {len(questions)} hands", err=True)
