"""The verb `rules`: the ids, tiers and places of a system's rules, or those of an auction."""

from __future__ import annotations

import click

from bidwright.commands.auction_options import typed_auction
from bidwright.commands.common_options import json_option
from bidwright.commands.output import examples, print_json
from bidwright.runtime.sentences import noun_for


@click.command(
    epilog=examples(
        "bidwright rules sayc",
        "bidwright rules sayc opening",
        'bidwright rules sayc "1NT P"',
        'bidwright rules sayc --pattern "1M (P)"',
        'bidwright rules sayc --pattern "1NT (P) ..." --tier judgement',
        "bidwright rules sayc --id 'stayman.*' --file conventions/stayman",
    )
)
@click.argument("system")
@click.argument("auction", required=False)
@click.option("--pattern", metavar="CALLS", help="Rules that may apply after such calls; "
              "'opening', 'anywhere', and '...' at the end for all that follows.")  # fmt: skip
@click.option("--id", "ids", multiple=True, metavar="ID", help="Rules of this id; * is anything.")
@click.option(
    "--tier",
    type=click.Choice(["book", "default", "judgement", "last resort"]),
    help="Rules of this tier.",
)
@click.option("--file", metavar="NAME", help="Rules of this file, such as conventions/stayman.")
@click.option("--dealer", default="N", metavar="SEAT", help="Who calls first (default N).")
@click.option("--vul", default="none", metavar="WHO", help="none, ns, ew or both (default none).")
@json_option
def rules(
    system: str,
    auction: str | None,
    pattern: str | None,
    ids: tuple[str, ...],
    tier: str | None,
    file: str | None,
    dealer: str,
    vul: str,
    as_json: bool,
) -> None:
    """List the rules of SYSTEM, or those that apply after AUCTION in the order of choice.

    `opening` or `anywhere` in the place of AUCTION is the same as --pattern.
    """
    from bidwright.authoring.rule_list import (
        chosen,
        displaced_at,
        displaced_of,
        displaced_text,
        read_pattern,
        rules_at,
        rules_of,
        text_of,
        with_ids,
    )
    from bidwright.inference.reading.examples import reader_for
    from bidwright.kb.loading.compiled import open_system

    if auction is not None and pattern is not None:
        raise click.UsageError("expected an auction or --pattern, not both")
    # These words are no calls, but what people type for a pattern.
    if auction in ("opening", "anywhere"):
        auction, pattern = None, auction
    base = open_system(system)
    if auction is not None:
        calls = typed_auction(auction, dealer, vul).auction
        assert calls is not None
        reading = reader_for(base).read(calls)
        listed, displaced = rules_at(reading), displaced_at(base, reading)
    else:
        wanted = read_pattern(pattern) if pattern is not None else None
        listed, displaced = rules_of(base, wanted), displaced_of(base, wanted)
    listed = chosen(listed, ids, tier, file)
    # A tier or a file is of rules that apply; displaced ones are listed by id only.
    gone = [] if tier or file else [displaced_text(each) for each in with_ids(displaced, ids)]
    if as_json:
        print_json({"rules": [each.as_json() for each in listed], "displaced": gone})
        return
    if listed:
        print(text_of(listed, at_position=auction is not None))
    print(f"{len(listed) or 'no'} {noun_for(len(listed), 'rule')}")
    for line in gone:
        print(line)
