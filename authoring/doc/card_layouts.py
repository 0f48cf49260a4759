"""The three forms: which fields stand where, and what of a system fills them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bidwright.authoring.doc.card import Card
from bidwright.authoring.doc.card_conventions import ConventionEntry
from bidwright.authoring.doc.card_forms import (
    BLANK,
    Filler,
    Form,
    FormField,
    FormPage,
    FormPanel,
    FormTable,
    among,
    at_level,
    below,
    competing,
    fields,
    forcing_openings,
    general_pairs,
    negative_through,
    opening_text,
    panel,
    short,
    slam_pairs,
    special_doubles,
    special_openings,
    to_write,
    trimmed,
    two_suiters,
)
from bidwright.authoring.doc.rule_words import with_symbols
from bidwright.bridge.calls import parse_call

_PAIR = FormPanel(
    "Names", fields((("Player", BLANK), ("Player", BLANK), ("Numbers", BLANK)), blank=True)
)


# ---------------------------------------------------------------------------- ACBL


def acbl(card: Card) -> Form:
    """Return the card with the fields of the American Contract Bridge League."""
    it = Filler(card)
    overview = panel(
        "Overview",
        *general_pairs(it)[:1],
        ("Min. expected HCP: open, respond", _least(it)),
        ("Forcing openings", forcing_openings(it)),
        ("1NT open", it.strength("", "1NT")),
        ("Bids that may require preparation", trimmed(" · ".join(special_openings(it)), 300)),
    )
    notrump = panel(
        "1NT opening bids",
        ("1NT", opening_text(it, "1NT")),
        *_calls(it, "1NT P", "2C 2D 2H 2S 2NT 3C 3D 3H 3S 3NT 4C 4D 4H 4S 4NT", 125),
        ("They double: XX", it.says("1NT X", "XX")),
        (
            "They double: bids",
            it.list("1NT X", lambda call: call.is_bid and below("2NT")(call), 240),
        ),
        ("They overcall (2♥): X", it.says("1NT 2H", "X")),
        (
            "Bids over (2♥)",
            it.list("1NT 2H", among("2S", "2NT", "3C", "3H"), 220),
        ),
    )
    high_notrump = panel(
        "2NT and 3NT opening bids",
        ("2NT", opening_text(it, "2NT")),
        *_calls(it, "2NT P", "3C 3D 3H 3S 4C 4NT", 100),
        ("3NT", opening_text(it, "3NT")),
    )
    majors = panel(
        "1♥ 1♠ opening bids",
        ("Expected min. length 1st/2nd, 3rd/4th", _lengths(it, "1H", "1S")),
        ("HCP", it.strength("", "1S")),
        ("1♠ over 1♥", it.says("1H P", "1S")),
        ("1NT", it.says("1S P", "1NT")),
        ("Two over one", it.list("1S P", among("2C", "2D", "2H"), 230)),
        ("Raises: single", it.says("1S P", "2S")),
        ("Raises: jump", it.says("1S P", "3S")),
        ("Raises: game", it.says("1S P", "4S")),
        ("Art. raises: 2NT", it.says("1S P", "2NT")),
        ("3NT", it.says("1S P", "3NT")),
        ("Jump shift response", it.list("1S P", among("3C", "3D", "3H"), 170)),
        ("Splinter, double jumps", it.list("1S P", among("4C", "4D", "4H"), 150)),
        ("Passed hand", it.list("1S P", below("3S"), 260, passed=True)),
        ("After overcall (2♣): jump raise", it.says("1S 2C", "3S")),
        ("After overcall (2♣): cue-bid", it.says("1S 2C", "3C")),
    )
    minors = panel(
        "1♣ 1♦ opening bids",
        ("1♣ min. length", _cards(it.length("", "1C"))),
        ("1♦ min. length", _cards(it.length("", "1D"))),
        ("1♣", opening_text(it, "1C", 110)),
        ("New suit", it.list("1C P", among("1D", "1H", "1S"), 150)),
        (
            "1NT over 1♣, 1♦",
            " · ".join(filter(None, (it.says("1C P", "1NT", 90), it.says("1D P", "1NT", 90)))),
        ),
        (
            "2NT over 1♣, 1♦",
            " · ".join(filter(None, (it.says("1C P", "2NT", 90), it.says("1D P", "2NT", 90)))),
        ),
        ("3NT", it.says("1C P", "3NT", 100)),
        ("Raises: single", it.says("1C P", "2C")),
        ("Raises: jump", it.says("1C P", "3C")),
        ("2♣ over 1♦", it.says("1D P", "2C")),
        ("Jump shift response", it.list("1C P", among("2D", "2H", "2S"), 170)),
        ("After overcall (1♠): cue-bid, jump raise", it.list("1C 1S", among("2S", "3C"), 160)),
    )
    twos = FormPanel(
        "2-level openings",
        tuple(field for call in ("2C", "2D", "2H", "2S") for field in _two(it, call)),
    )
    preempts = panel(
        "Opening preempts",
        ("3-level", _openings_at(it, 3)),
        ("Responses over 3♥", it.list("3H P", below("4S"), 170)),
        ("4-level", _openings_at(it, 4)),
    )
    overcalls = panel(
        "Simple overcalls",
        ("1 level", it.says("1D", "1S")),
        ("2 level", it.says("1S", "2C")),
        ("Responses: new suit", it.list("1D 1H P", among("1S", "2C"), 150)),
        ("Raises", it.list("1D 1S P", among("2S", "3S", "4S"), 200)),
        ("Cue-bid", it.says("1D 1S P", "2D")),
        ("1NT, 2NT", it.list("1D 1S P", among("1NT", "2NT"), 130)),
    )
    jumps = panel(
        "Jump overcalls",
        ("At the two level", it.says("1D", "2S")),
        ("At the three level", it.says("1D", "3H")),
        ("2NT", it.says("1S", "2NT")),
    )
    notrumps = panel(
        "NT overcalls",
        ("Direct", it.says("1D", "1NT")),
        ("Responses", it.list("1D 1NT P", below("3NT"), 240)),
        ("Balancing", it.says("1D P P", "1NT")),
        ("2NT over a weak two", it.says("2H", "2NT")),
    )
    cues = panel(
        "Direct cue-bids",
        ("Over minor", it.says("1D", "2D")),
        ("Over major", it.says("1S", "2S")),
        ("Balancing", it.says("1S P P", "2S")),
    )
    defence = panel(
        "Defense vs notrump",
        *_calls(it, "1NT", "X 2C 2D 2H 2S 2NT 3C", 120),
    )
    takeout = panel("Over opp's T/O double", *competing(it))
    against = panel(
        "Vs. opening preempts",
        ("Dbl of weak two", it.says("2H", "X")),
        ("Responses: 2NT", it.says("2H X P", "2NT")),
        (
            "Dbl of three, four",
            " · ".join(filter(None, (it.says("3H", "X", 90), it.says("4H", "X", 90)))),
        ),
        ("Cue-bid of a weak two", it.says("2H", "3H")),
        ("3NT", it.says("3H", "3NT")),
    )
    doubles = panel("Doubles", ("Takeout", it.says("1H", "X", 200)), *special_doubles(it))
    slams = panel("Slam conventions", *slam_pairs(it))
    leads = to_write("Leads", *_LEADS)
    carding = to_write(
        "Defensive carding", "Attitude", "Count", "First discard", "Trump suit-pref.", "Special"
    )
    others = panel("Other conventional calls", ("", it.others(2_400)))
    return Form(
        "Convention card, ACBL fields",
        card.rules.title or card.rules.name,
        (
            FormPage(3, (_PAIR, overview, notrump, high_notrump, majors, minors, twos, preempts)),
            FormPage(
                3,
                (
                    *(overcalls, jumps, notrumps, cues, defence, takeout),
                    *(against, doubles, slams, others, leads, carding),
                ),
            ),
        ),
    )


_LEADS = ("Vs. suits: length", "Vs. suits: honors", "Vs. NT: length", "Vs. NT: honors")


def _calls(it: Filler, auction: str, names: str, most: int) -> Iterator[tuple[str, str]]:
    """Yield a field for each of some calls that somebody makes."""
    for name in names.split():
        yield with_symbols(name), it.says(auction, name, most)


def _least(it: Filler) -> str:
    """Return the fewest points of an opening bid and of a response."""
    opens = [each.low for each in it.meanings("", "1C") if each.low is not None]
    answers = [each.low for each in it.meanings("1C P", "1H") if each.low is not None]
    return ", ".join(str(min(ends)) for ends in (opens, answers) if ends)


def _cards(length: int | None) -> str:
    return "" if length is None else f"{length}"


def _lengths(it: Filler, *names: str) -> str:
    """Return the fewest cards of some openings, in the first seats and in the last ones."""
    fewest = []
    # The form has "1st/2nd, 3rd/4th": many systems open four-card majors in the last seats.
    for late in (False, True):
        lengths = [
            meaning.lengths[int(meaning.call.denomination)][0]
            for entry in it.card.openings
            if any(seat > 2 for seat, _ in entry.contexts) is late or entry.is_usual is not late
            for meaning in entry.meanings
            if str(meaning.call) in names
        ]
        fewest.append(str(min(lengths)) if lengths else "")
    return ", ".join(filter(None, fewest))


def _two(it: Filler, call: str) -> Iterator[FormField]:
    """Yield the fields of an opening of two in a suit."""
    text = opening_text(it, call)
    if not text:
        return
    yield FormField(with_symbols(call), text)
    answers = it.list(f"{call} P", below("4S"), 330)
    if answers:
        yield FormField("Responses", answers)


def _openings_at(it: Filler, level: int) -> str:
    """Return the openings at a level, those together that are alike."""
    of_level = at_level(level)
    openings = [
        f"{entry.call} {opening_text(it, str(entry.meanings[0].call), 90)}"
        for entry in it.card.openings
        if entry.is_usual and of_level(entry.meanings[0].call)
    ]
    return trimmed(" · ".join(openings), 330)


# ----------------------------------------------------------------------------- WBF


def wbf(card: Card) -> Form:
    """Return the card with the fields of the World Bridge Federation."""
    it = Filler(card)
    overcalls = panel(
        "OVERCALLS (Style; Responses; 1/2 Level; Reopening)",
        ("1 level", it.says("1D", "1S")),
        ("2 level", it.says("1S", "2C")),
        ("Responses", it.list("1D 1S P", below("3S"), 420)),
        ("Reopening", it.list("1S P P", among("2C", "2H"), 150)),
    )
    notrump = panel(
        "1NT OVERCALL (2nd/4th Live; Responses; Reopening)",
        ("2nd", it.says("1D", "1NT")),
        ("Responses", it.list("1D 1NT P", below("3NT"), 240)),
        ("Reopening", it.says("1D P P", "1NT")),
    )
    jumps = panel(
        "JUMP OVERCALLS (Style; Responses; Unusual NT)",
        ("Style", it.list("1D", among("2H", "2S", "3H"), 220)),
        ("Unusual NT", it.says("1S", "2NT")),
        ("Reopening", it.list("1D P P", among("2H", "2S"), 170)),
    )
    cues = panel(
        "DIRECT & JUMP CUE BIDS (Style; Responses; Reopen)",
        ("Over a minor", it.says("1D", "2D")),
        ("Over a major", it.says("1S", "2S")),
        ("Jump cue", it.says("1S", "3S")),
        ("Reopening", it.says("1S P P", "2S")),
    )
    against = panel(
        "VS. NT (vs. Strong/Weak; Reopening; PH)",
        ("Direct", it.list("1NT", below("3C"), 560)),
        ("Reopening", it.list("1NT P P", below("2NT"), 300)),
    )
    preempts = panel(
        "VS. PREEMPTS (Doubles; Cue-bids; Jumps; NT bids)",
        ("Double", it.says("2H", "X")),
        ("Cue-bid, jumps", it.list("2H", among("3H", "3S", "4C", "4D"), 260)),
        ("NT", it.list("2H", among("2NT", "3NT"), 170)),
        ("Over 3♥", it.list("3H", among("X", "3S", "3NT"), 200)),
    )
    strong = panel(
        "VS. ARTIFICIAL STRONG OPENINGS",
        ("2♣", it.list("2C", below("3S"), 330)),
    )
    takeout = panel("OVER OPPONENTS' TAKEOUT DOUBLE", *competing(it))
    leads = FormTable(
        "LEADS AND SIGNALS: OPENING LEADS STYLE",
        ("", "Lead", "In partner's suit"),
        (2, 4, 4),
        tuple((name, "", "") for name in ("Suit", "NT", "Subseq", "Other")),
    )
    table = FormTable(
        "LEADS",
        ("Lead", "Vs. Suit", "Vs. NT"),
        (2, 4, 4),
        tuple(
            (name, "", "") for name in ("Ace", "King", "Queen", "Jack", "10", "9", "Hi-X", "Lo-X")
        ),
    )
    signals = FormTable(
        "SIGNALS IN ORDER OF PRIORITY",
        ("", "Partner's lead", "Declarer's lead", "Discarding"),
        (2, 3, 3, 3),
        tuple((name, "", "", "") for name in ("Suit 1", "2", "3", "NT 1", "2", "3")),
    )
    takeout_doubles = panel(
        "TAKEOUT DOUBLES (Style; Responses; Reopening)",
        ("Style", it.says("1H", "X", 220)),
        ("Responses", it.list("1H X P", below("3NT"), 420)),
        ("Reopening", it.says("1H P P", "X")),
    )
    special = panel("SPECIAL, ARTIFICIAL & COMPETITIVE DBLS/RDLS", *special_doubles(it))
    heading = to_write("W B F CONVENTION CARD", "Category", "NCBO", "Players")
    summary = panel("SYSTEM SUMMARY: GENERAL APPROACH AND STYLE", *general_pairs(it))
    defences = panel(
        "SPECIAL BIDS THAT MAY REQUIRE DEFENCE",
        ("Openings", trimmed(" · ".join(special_openings(it)), 420)),
        ("Overcalls", trimmed(" · ".join(two_suiters(it)), 460)),
    )
    rows = tuple(row for call in _WBF_OPENINGS if (row := _wbf_row(it, call)))
    openings = FormTable(
        "OPENING BIDS",
        (
            *("BID", "ART.", "MIN. CARDS", "NEG. DBL THRU", "DESCRIPTION", "RESPONSES"),
            *("SUBSEQUENT AUCTION", "PASSED HAND AND COMPETITIVE BIDDING"),
        ),
        (5, 4, 5, 5, 16, 42, 13, 16),
        rows,
    )
    slams = panel("HIGH LEVEL BIDDING", *slam_pairs(it))
    notes = panel("IMPORTANT NOTES THAT DON'T FIT ELSEWHERE", ("", it.others(1_500)))
    more = to_write("", "SPECIAL FORCING PASS SEQUENCES", "PSYCHICS")
    return Form(
        "Convention card, WBF fields",
        card.rules.title or card.rules.name,
        (
            FormPage(
                3,
                (
                    *(
                        overcalls,
                        notrump,
                        jumps,
                        cues,
                        against,
                        preempts,
                        strong,
                        takeout,
                        leads,
                        table,
                    ),
                    *(signals, takeout_doubles, special, heading, summary, defences, notes, more),
                ),
            ),
            FormPage(1, (openings, slams)),
        ),
    )


_WBF_OPENINGS = [
    "1C",
    "1D",
    "1H",
    "1S",
    "1NT",
    "2C",
    "2D",
    "2H",
    "2S",
    "2NT",
    "3C",
    "3D",
    "3H",
    "3S",
    "3NT",
    "4C",
    "4D",
    "4H",
    "4S",
]


def _wbf_row(it: Filler, call: str) -> tuple[str, ...]:
    """Return the row of an opening bid; empty if nobody makes it."""
    bid = parse_call(call)
    text = opening_text(it, call, 130)
    if not text:
        return ()
    first = next(iter(it.meanings("", call)), None)
    length = it.length("", call)
    most = (460 if bid.level == 1 else 330) if bid.level < 3 else 100
    negative = negative_through(it, call) if bid.level == 1 else ""
    # The conventions that begin with this opening and go beyond the response.
    later = " · ".join(
        trimmed(f"{' '.join(entry.places[:1]) or entry.name} {_called(entry)}", 80)
        for entry in it.card.conventions
        if _goes_on(entry.places[0] if entry.places else entry.name, call)
    )
    passed = it.list(f"{call} P", below("3S"), 170, passed=True)
    doubled = it.list(f"{call} X", among("XX", "2NT"), 110) if bid.level < 3 else ""
    return (
        with_symbols(call),
        "X" if first is not None and first.artificial else "",
        "" if length is None else str(length),
        negative,
        text,
        it.list(f"{call} P", below("4S") if bid.level > 1 else below("4H"), most),
        trimmed(later, 190),
        " · ".join(filter(None, (passed and f"PH: {passed}", doubled and f"(X): {doubled}"))),
    )


def _called(entry: ConventionEntry) -> str:
    """Return the name of a convention, or what its call shows where it has none."""
    return entry.name if entry.places else short(entry.text)


def _goes_on(place: str, call: str) -> bool:
    """Return True for an auction that begins with an opening bid and goes beyond the response."""
    words = place.split()
    # Opening, pass, response, pass: what is shorter stands in the columns before.
    if len(words) < 4:
        return False
    head = words[0]
    bid = parse_call(call)
    # Places are written in the language's letters: `1M` goes on for both majors.
    letters = {"X": "CDHS", "M": "HS", "m": "CD"}.get(head[-1], head[-1])
    return head == with_symbols(call) or (
        bid.denomination.is_suit and head[0] == call[0] and call[-1] in letters and len(head) == 2
    )


# ----------------------------------------------------------------------------- EBU


def ebu(card: Card) -> Form:
    """Return the card with the fields of the EBU 20B."""
    it = Filler(card)
    general = panel("GENERAL DESCRIPTION OF BIDDING METHODS", *general_pairs(it))
    notrump = panel(
        "1NT OPENINGS AND RESPONSES",
        ("Strength", it.strength("", "1NT")),
        ("Shape constraints", opening_text(it, "1NT")),
        *(
            (f"Responses {name}", text)
            for name, text in _calls(it, "1NT P", "2C 2D 2H 2S 2NT", 130)
        ),
        ("Others", it.list("1NT P", lambda call: int(call) > int(parse_call("2NT")), 360)),
        ("Action after opponents double", it.list("1NT X", below("2S"), 260)),
        ("Action after other interference", it.list("1NT 2H", below("3S"), 330)),
    )
    twos = FormTable(
        "TWO-LEVEL OPENINGS AND RESPONSES",
        ("", "Meaning", "Responses", "Notes"),
        (4, 9, 23, 9),
        tuple(row for call in ("2C", "2D", "2H", "2S", "2NT") if (row := _ebu_two(it, call))),
    )
    note = panel(
        "OTHER ASPECTS OF SYSTEM WHICH OPPONENTS SHOULD NOTE",
        ("Openings", trimmed(" · ".join(special_openings(it)), 330)),
        ("Two-suited overcalls", trimmed(" · ".join(two_suiters(it)), 420)),
    )
    openings = FormTable(
        "OPENING BIDS",
        ("", "Point range", "Min. length", "Conv. meaning", "Special responses", "Notes"),
        (4, 5, 6, 8, 26, 11),
        tuple(row for call in ("1C", "1D", "1H", "1S") if (row := _ebu_one(it, call))),
    )
    preempts = panel(
        "3 BIDS, 4 BIDS",
        ("3 bids", _openings_at(it, 3)),
        ("Responses", it.list("3H P", below("4S"), 130)),
        ("4 bids", _openings_at(it, 4)),
    )
    defence = FormTable(
        "DEFENSIVE METHODS AFTER OPPONENTS OPEN: a natural one of a suit",
        ("", "Meaning", "Responses, notes"),
        (6, 14, 18),
        tuple(
            (name, text, answers)
            for name, text, answers in (
                (
                    "Simple overcall",
                    it.list("1H", among("1S", "2C"), 170),
                    it.list("1H 1S P", below("3S"), 260),
                ),
                (
                    "Jump overcall",
                    it.list("1H", among("2S", "3C"), 150),
                    it.list("1H 2S P", below("4S"), 130),
                ),
                ("Cue bid", it.list("1H", among("2H"), 150), it.list("1H 2H P", below("3NT"), 200)),
                ("1NT direct", it.says("1H", "1NT"), it.list("1H 1NT P", below("3C"), 200)),
                (
                    "1NT protective",
                    it.says("1H P P", "1NT"),
                    it.list("1H P P 1NT P", below("3C"), 130),
                ),
                ("2NT direct", it.says("1H", "2NT"), it.list("1H 2NT P", below("3S"), 130)),
                ("2NT protective", it.says("1H P P", "2NT"), ""),
                ("Takeout double", it.says("1H", "X", 200), it.list("1H X P", below("2NT"), 300)),
            )
            if text
        ),
    )
    others = FormTable(
        "OPPONENTS OPEN WITH",
        ("", "Defensive methods"),
        (6, 32),
        tuple(
            (name, text)
            for name, text in (
                ("Strong 2♣", it.list("2C", below("3S"), 240)),
                ("1NT", it.list("1NT", below("3C"), 480)),
                ("Weak 2", it.list("2H", among("X", "2S", "2NT", "3H", "3S", "4C"), 380)),
                ("Weak 3", it.list("3H", among("X", "3S", "3NT", "4H"), 260)),
                ("4 bids", it.list("4H", among("X", "4S", "4NT"), 200)),
            )
            if text
        ),
    )
    slams = panel("SLAM CONVENTIONS (name; meaning of responses)", *slam_pairs(it))
    competitive = panel(
        "COMPETITIVE AUCTIONS: opening of one of a suit, overcalled",
        ("Level to which negative doubles apply", _negative_levels(it)),
        ("Special meaning of bids", it.list("1H 1S", among("2S", "2NT", "3H"), 240)),
        ("Exceptions, other agreements", it.list("1S 2C", among("3C", "3S", "2NT"), 240)),
    )
    doubled = panel("COMPETITIVE AUCTIONS: they double for takeout", *competing(it))
    doubles = panel("OTHER AGREEMENTS CONCERNING DOUBLES AND REDOUBLES", *special_doubles(it))
    supplementary = panel("SUPPLEMENTARY DETAILS", ("", it.others(2_400)))
    leads = to_write(
        "OPENING LEADS",
        "v. suit contracts: honours",
        "v. suit contracts: length",
        "v. NT contracts: honours",
        "v. NT contracts: length",
    )
    carding = to_write(
        "CARDING METHODS", "On partner's lead", "On declarer's lead", "When discarding", "Other"
    )
    return Form(
        "Convention card, EBU 20B fields",
        card.rules.title or card.rules.name,
        (
            FormPage(2, (_PAIR, general, notrump, twos, note, openings, preempts)),
            FormPage(
                2,
                (
                    *(defence, others, slams, competitive, doubled, doubles, supplementary),
                    *(leads, carding),
                ),
            ),
        ),
    )


def _ebu_one(it: Filler, call: str) -> tuple[str, ...]:
    text = opening_text(it, call, 90)
    if not text:
        return ()
    length = it.length("", call)
    first = it.meanings("", call)[0]
    passed = it.list(f"{call} P", below("3S"), 150, passed=True)
    return (
        with_symbols(call),
        it.strength("", call),
        "" if length is None else str(length),
        text if first.artificial else "natural",
        it.list(f"{call} P", below("4H"), 460),
        passed and f"passed hand: {passed}",
    )


def _ebu_two(it: Filler, call: str) -> tuple[str, ...]:
    text = opening_text(it, call, 150)
    if not text:
        return ()
    doubled = it.list(f"{call} X", among("XX", "2NT", "3C"), 90)
    answers = it.list(f"{call} P", below("4S"), 420)
    return with_symbols(call), text, answers, doubled and f"after (X): {doubled}"


def _negative_levels(it: Filler) -> str:
    through = {call: negative_through(it, call) for call in ("1C", "1D", "1H", "1S")}
    return ", ".join(f"{with_symbols(call)}: {end}" for call, end in through.items() if end)


FORMS: dict[str, Callable[[Card], Form]] = {"acbl": acbl, "wbf": wbf, "ebu": ebu}
"""The forms by their names."""
