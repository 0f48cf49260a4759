"""Documents of a system: the card, the tree of calls, HTML and Markdown."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bidwright.authoring.doc.document import CallNote, Notes, PositionNote
from bidwright.authoring.doc.html import anchor, suits, to_html
from bidwright.authoring.doc.markdown import to_markdown
from bidwright.authoring.doc.notes import notes_of
from bidwright.cli import main
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load

SYSTEM = """\
system small "A small system & more"
  source "our notes"
  gaps "no slams"

let good(S) = top3(S) 2+ or top5(S) 3+

opening "Opening bids"
  1NT "15 to 17" hcp 15..17, balanced; announce "15 to 17"
  2C "strong" hcp 22+; artificial, forcing
  1S "five" spades 5+, hcp 12+
  1H "five" hearts 5+, hcp 12+
  may 1H "a good four" hearts 4, hcp 12+, good(H)
  pass

after 1NT (P) "Responses"
  bid(C) "four-card major?" hcp 8+, hearts 4 or spades 4; artificial, forcing, asks major, \
convention "Stayman"
    2M "four" M 4+; answers major
    2D "none"; artificial, answers major
    (X)
      XX "clubs" clubs 4+
      pass
  3NT "enough" hcp + partner.hcp.min >= 25
  pass

after 1M (P) "Responses to a major"
  2M "raise" fit(M) 8+, hcp 6..9, usually hcp 7+; agrees M
  2X "new suit" X 4+, hcp 10+; forcing
  4NT "aces?" hcp 17+; artificial, forcing, asks aces
    5C "none" aces 0; answers aces
    5D "one" aces 1; answers aces

after (1M)
  X "takeout" hcp 12+, M ..2; forcing, alert "takeout, <short> there"
  1X "natural" X 5+, hcp 8..16, longest_unbid(X)

after (1NT)
  X "penalties" hcp 16+

anywhere "Sound bidding" when below_game and contract_level ..3
  3NT "enough for game" combined(hcp) 26+, not their_suit(S), stopper(H)
  pass

rebase 1NT (X) -> 1NT (P)
"""


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Notes:
    file = tmp_path_factory.mktemp("doc") / "small.bid"
    file.write_text(SYSTEM, encoding="utf-8")
    system = load(file)
    assert not system.has_errors
    return notes_of(rule_base(system.name, system.title, system.statements), system)


def _position(notes: Notes, pattern: str) -> PositionNote:
    return next(
        position
        for section in notes.sections
        for position in section.walk()
        if position.pattern == pattern
    )


def _call(notes: Notes, pattern: str, call: str) -> CallNote:
    return next(each for each in _position(notes, pattern).calls if each.call == call)


def test_every_rule_is_in_the_notes_once_with_its_line(notes: Notes) -> None:
    lines = SYSTEM.splitlines()
    rules = [
        rule
        for section in notes.sections
        for position in section.walk()
        for call in position.calls
        for rule in call.rules
    ]
    assert len({rule.id for rule in rules}) == len(rules) == 23
    for rule in rules:
        assert not rule.text or f'"{rule.text}"' in lines[rule.line - 1]


def test_words_are_made_from_the_conditions(notes: Notes) -> None:
    raised = _call(notes, "1M (P)", "2M")
    assert raised.rules[0].needs == "6-9 HCP, 3+ M"
    assert raised.rules[0].usually == "7+ HCP"
    assert raised.flags == ("agrees M",)
    enough = _call(notes, "1NT (P)", "3NT")
    assert enough.rules[0].needs == "10+ HCP"
    natural = _call(notes, "(1M)", "1X")
    assert natural.rules[0].needs == "8-16 HCP, 5+ X, X the longest unbid suit"
    assert natural.example.startswith("(1♥) 1♠")


def test_what_a_call_denies_is_told_apart(notes: Notes) -> None:
    none = _call(notes, "1NT (P) 2♣ (P)", "2♦")
    assert none.rules[0].needs == "any hand"
    assert none.denies == ("at most 3 ♠", "at most 3 ♥")
    assert none.example == "1NT (P) 2♣ (P) 2♦"


def test_general_rules_are_in_the_words_of_the_language(notes: Notes) -> None:
    general = _call(notes, "anywhere", "3NT")
    position = _position(notes, "anywhere")
    assert position.titles == ("Sound bidding",)
    assert position.when == "the last bid is below game; level of the last bid: at most 3"
    assert general.rules[0].needs == (
        "26+ HCP together with partner's; not (an opponent has bid ♠ naturally, or shown four); "
        "A, Kx, Qxx or Jxxx in ♥"
    )


def test_continuations_stand_under_the_call_that_leads_to_them(notes: Notes) -> None:
    stayman = _call(notes, "1NT (P)", "2♣")
    assert stayman.name == "Stayman"
    assert [(after.pattern, after.last) for after in stayman.after] == [
        ("1NT (P) 2♣ (P)", ""),
        ("1NT (P) 2♣ (X)", "(X)"),
    ]
    assert [position.pattern for position in notes.sections[0].positions] == ["opening"]
    assert _call(notes, "opening", "1♥").see == ("1M (P)",)
    assert notes.same == ("1NT (X) as after 1NT (P)",)


def test_the_card(notes: Notes) -> None:
    card = {
        section.title: {group.heading: dict(group.lines) for group in section.groups}
        for section in notes.card
    }
    assert card["General approach"][""]["Forcing openings"] == "2♣"
    assert card["Opening bids"][""]["1NT"] == "15 to 17; balanced (announce “15 to 17”)"
    assert card["Notrump openings"]["1NT (P)"] == {
        "2♣": "Stayman, asks for a major, four-card major?; 8+; forcing (artificial)",
        "3NT": "to play; 10+",
    }
    assert card["Defence to their notrump"]["(1NT)"]["X"] == "penalties; 16+"
    assert card["Slam conventions"][""] == {"4NT asks aces": "5♣ none · 5♦ one"}


VOID = {"meta", "input", "br", "link"}


class _Strict(HTMLParser):
    """Fails on elements that are not closed, and gathers links and ids."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        assert len(values) == len(attrs)
        self.ids += [values["id"] or ""] if "id" in values else []
        self.links += [values["href"] or ""] if "href" in values else []
        assert "src" not in values
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_well_formed_and_needs_nothing_else(notes: Notes) -> None:
    text = to_html(notes)
    page = _Strict()
    page.feed(text)
    page.close()
    assert page.open == []
    assert len(set(page.ids)) == len(page.ids)
    inner = {link[1:] for link in page.links if link.startswith("#")}
    assert inner
    assert inner <= set(page.ids)
    assert "http" not in text
    assert "@import" not in text
    assert "url(" not in text
    assert "A small system &amp; more" in text
    assert "takeout, &lt;short&gt; there" in text
    assert '5+\u00a0<i class="s">♠</i>' in text


def test_suits_are_coloured_and_text_is_escaped() -> None:
    assert suits("1♥ <b>") == '1<i class="h">♥</i> &lt;b&gt;'
    assert anchor("1♥ (2..3♠) P|X (any)") == "1H-(2..3S)-P|X-(any)"


def test_markdown_has_every_call(notes: Notes) -> None:
    text = to_markdown(notes)
    assert text.startswith("# A small system & more\n\n## Convention card\n")
    calls = re.findall(r"^ +- \*\*(.+?)\*\*", text, re.MULTILINE)
    expected = [
        call.call
        for section in notes.sections
        for position in section.walk()
        for call in position.calls
    ]
    assert sorted(calls) == sorted(expected)
    assert "takeout, \\<short\\> there" in text


def test_the_verb_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "small.bid"
    file.write_text(SYSTEM, encoding="utf-8")
    out = tmp_path / "card.html"
    assert main(["doc", str(file), "-o", str(out), "--quiet"]) == 0
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main(["doc", str(file), "--format", "md", "--quiet"]) == 0
    assert capsys.readouterr().out.startswith("# A small system")
    assert main(["doc", str(file), "-o", str(tmp_path / "no" / "card.html"), "--quiet"]) == 2
    assert "no such file" in capsys.readouterr().err
    assert main(["doc", "nonsense"]) == 2


@pytest.mark.slow
def test_sayc_is_one_page_of_less_than_three_megabytes(tmp_path: Path) -> None:
    out = tmp_path / "sayc.html"
    assert main(["doc", "sayc", "-o", str(out), "--quiet"]) == 0
    assert out.stat().st_size < 3_000_000
    page = _Strict()
    page.feed(out.read_text(encoding="utf-8"))
    assert page.open == []
    assert len(set(page.ids)) == len(page.ids)
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
