"""The verb `sweep`: the effects of other ranges for a number of a rule."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from bidwright.commands.common_options import jobs_option, json_option, quiet_option
from bidwright.commands.numbers import SEED, Whole
from bidwright.runtime.progress import progressing

if TYPE_CHECKING:
    from bidwright.authoring.hands.sweep import RangeSetting


@click.command()
@click.argument("knob", metavar="'RULE [NUMBER]: RANGE...'")
@click.option("--system", default="sayc", show_default=True, help="The system to vary.")
@click.option(
    "--boards",
    default=100,
    show_default=True,
    type=Whole(1),
    help="Deals that are bid with each setting.",
)
@click.option("--match/--no-match", "matches", default=True, help="Play for IMPs as well.")
@click.option("--seed", default=0, show_default=True, type=SEED, help="Random seed of the deals.")
@jobs_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep the settings and match files there; interrupted matches are continued.",
)
@json_option
@quiet_option
def sweep(
    knob: str,
    system: str,
    boards: int,
    matches: bool,
    seed: int,
    jobs: int,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Try other ranges for a number of a rule: frequency, changes, and value in IMPs.

    Each range is measured against the system as it is: the chance that a hand is bid by the rule,
    the shares of random deals on which the auction or a meaning differs, and IMPs per board in a
    duplicate match. Without NUMBER it is the rule's range of hcp, or else its first.

    Example: bidwright sweep "opening.1NT: 14..16 12..14" --boards 500 --out notrump
    """
    from bidwright.authoring.hands import sweep as tried
    from bidwright.inference.reading.examples import reader_for
    from bidwright.kb.loading.compiled import open_system

    rules = open_system(system)
    knob_parsed = tried.parse_knob(rules, knob)
    # Without --out the settings are needed only while they are measured.
    with TemporaryDirectory() if out is None else nullcontext(str(out)) as folder:
        files = tried.write_settings(system, knob_parsed, Path(folder))

        def shown(items: Iterable[int], title: str) -> Iterable[int]:
            return progressing(items, boards, title, quiet=quiet)

        reader = reader_for(rules)
        auction = tried.auction_of_rule(rules, reader, knob_parsed.rule)
        present = tried.RangeSetting(
            tried.text_of(knob_parsed.test),
            None,
            tried.frequency(reader, knob_parsed.rule, auction),
        )
        # The same deals for all settings, so that differences come from the setting alone.
        played = tried.play(reader, boards, seed, lambda items: shown(items, "as it is"))
        settings = [present]
        for file, test in zip(files, knob_parsed.settings, strict=True):
            other = reader_for(open_system(str(file)))
            title = tried.text_of(test)
            setting = tried.RangeSetting(
                title, file, tried.frequency(other, knob_parsed.rule, auction)
            )
            again = tried.play(other, boards, seed, lambda items, t=title: shown(items, t))  # type: ignore[misc]
            tried.compare(played, again, (reader, other), setting)
            if matches:
                setting.imps = tried.match(setting, system, boards, seed, jobs, quiet=quiet)
            settings.append(setting)
    if as_json:
        click.echo(json.dumps([each.as_json() for each in settings], indent=2))
        return
    click.echo(
        f"{knob_parsed.rule} ({rules.by_id[knob_parsed.rule].span}), {boards} deals, seed {seed}"
    )
    click.echo(_table(settings, matches=matches))
    if out is not None:
        click.echo(f"the settings are in {out}")


def _table(settings: list[RangeSetting], *, matches: bool) -> str:
    from bidwright.kb.wording.words import bounds_text

    width = max(len(each.range) for each in settings)
    lines = [
        f"{'setting':{width}}  {'the rule bids':>18}  {'auctions':>8}  {'meanings':>8}"
        + ("  IMPs/board, with its 95% interval" if matches else "")
    ]
    for number, setting in enumerate(settings):
        exact = "exactly" if setting.frequency.is_exact else f"± {setting.frequency.error:.2%}"
        line = f"{setting.range:{width}}  {f'{setting.frequency.value:.2%} {exact}':>18}"
        if number == 0:
            lines.append(f"{line}  as it is")
            continue
        line += f"  {setting.auctions:>8.1%}  {setting.meanings:>8.1%}"
        if setting.imps is not None:
            # Too few boards have no interval.
            low, high = setting.imps["interval"] or (float("nan"), float("nan"))
            line += f"  {setting.imps['mean']:+.3f} ({low:+.3f} to {high:+.3f})"
        lines.append(line)
    for setting in settings[1:]:
        for calls, old, new in setting.examples:
            lines.append(f"\n{setting.range}, after {calls}")
            lines.append(f"  was {bounds_text(old)}")
            lines.append(f"  is  {bounds_text(new)}")
    return "\n".join(lines)
