"""Whether a call means the same in two versions, and in what it differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bidwright.authoring.diff.delta import Delta
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.public_state import CallRecord
from bidwright.kb.wording.words import bounds_text


def means_same(old: Reading, new: Reading) -> bool:
    """Tell whether the last call means the same in both versions, if all calls before it do.

    It does if it does the same in public, and is proved to show the same hands.
    """
    one, other = old.meanings[-1], new.meanings[-1]
    if one.record != other.record or one.relaxed != other.relaxed:
        return False
    if one.turn == other.turn:
        return True
    if one.turn is None or other.turn is None:
        return False
    engine, earlier = new.reader.engine, other.earlier
    return not any(
        engine.possible((*earlier, shown, missing), ())
        for shown, missing in (
            (one.turn, other.turn.complement()),
            (other.turn, one.turn.complement()),
        )
    )


@dataclass(frozen=True)
class Aspect:
    """One thing that a call showed or did, and shows or does.

    Attributes:
        name: `shows`, `does`, `text` or `rule`.
        old: as it was.
        new: as it is.
    """

    name: str
    old: str
    new: str


# ---------------------------------------------------------------- in which it differs


def aspects(old: Meaning, new: Meaning, delta: Delta) -> Iterator[Aspect]:
    """Yield what differs between the meanings of a call."""
    shown = [bounds_text(each.bounds) if each.known else "" for each in (old, new)]
    if old.bounds != new.bounds or old.known != new.known:
        if shown[0] == shown[1]:
            shown = [_fine(each) for each in (old, new)]
        yield Aspect("shows", shown[0] or "nothing known", shown[1] or "nothing known")
    does = [_does(each.record) for each in (old, new)]
    if does[0] != does[1]:
        yield Aspect("does", does[0] or "nothing more", does[1] or "nothing more")
    texts = [next((each.rule.text for each in one.instances), None) or "" for one in (old, new)]
    ids = [dict.fromkeys(each.rule.id for each in one.instances) for one in (old, new)]
    come = [each for each in ids[1] if delta.pairs.get(each) not in ids[0]]
    kept = {delta.pairs.get(each) for each in ids[1]}
    gone = [each for each in ids[0] if each not in kept]
    if texts[0] != texts[1] and not delta.changed_in_words.issuperset(ids[1]):
        yield Aspect("text", texts[0] or "none", texts[1] or "none")
    elif come or gone:
        yield Aspect("rule", ", ".join(gone) or "no other", ", ".join(come) or "no other")


def _fine(meaning: Meaning) -> str:
    """Return bounds with the numbers that their words leave out."""
    bounds = meaning.bounds
    points = "{}-{}".format(*bounds.points)
    controls = "{}-{}".format(*bounds.controls)
    return f"{bounds_text(bounds)} ({points} points, {controls} controls)"


def _does(record: CallRecord) -> str:
    words = ["artificial"] if record.artificial else []
    words += [record.forcing_words] if record.forcing_words else []
    words += ["invitational"] if record.invitational else []
    words += ["sign-off"] if record.signoff else []
    words += [f"agrees {'CDHS'[record.agrees]}"] if record.agrees is not None else []
    words += [f"asks {record.asks}"] if record.asks else []
    return ", ".join(words)
