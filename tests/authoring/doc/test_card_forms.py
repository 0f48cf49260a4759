"""The forms that players hand in: their fields, and two pages of paper."""

import re
from pathlib import Path

import pytest

from bidwright.authoring.doc import pdf
from bidwright.authoring.doc.card import Card, card_of
from bidwright.authoring.doc.card_forms import Form, FormTable, short, trimmed
from bidwright.authoring.doc.card_layouts import FORMS
from bidwright.authoring.doc.form_html import form_html
from bidwright.cli import main
from bidwright.inference.reading.examples import reader_for
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.load import load

SYSTEM = """\
system small "Small & <simple>"
  source "our notes"

opening
  1NT "15 to 17" hcp 15..17, balanced; announce "15 to 17"
  2C "strong" hcp 22+; artificial, forcing
  2D "a weak two in a major" hcp 5..10, hearts 6 or spades 6; artificial, convention "Multi"
  1M "five" M 5+, hcp 12+
  1m "four" m 4+, hcp 12+
  pass
after 1NT (P)
  2C "a major?" hcp 8+, hearts 4 or spades 4; artificial, forcing, convention "Stayman"
  2NT hcp 8..9; invitational
  pass
after 1M (P)
  2M "raise" M 3+, hcp 6..9
  2NT "a good raise" M 4+, hcp 13+; artificial, forcing game, convention "Jacoby"
  1NT "the rest" hcp 6..9
after 1M (P) 1NT (P)
  2C "seventeen or more" hcp 17+; artificial, forcing, convention "Gazzilli"
after (1X)
  X "takeout" hcp 12+, X ..2
  1Y "natural" Y 5+, hcp 8..16, longest_unbid(Y)
after 1m (1M)
  X "negative" oM 4, hcp 6+
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("forms") / "small.bid"
    path.write_text(SYSTEM, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def card(file: Path) -> Card:
    rules = open_system(file)
    return card_of(rules, load(file), reader_for(rules))


def _fields(form: Form) -> dict[str, str]:
    """Return the texts of a form by their fields; those of tables by title and row."""
    found: dict[str, str] = {}
    for page in form.pages:
        for part in page.parts:
            if isinstance(part, FormTable):
                found |= {f"{part.title}/{row[0]}": " | ".join(row[1:]) for row in part.rows}
            else:
                found |= {f"{part.title}/{field.name}": field.text for field in part.fields}
    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "acbl",
            {
                "Overview/1NT open": "15-17",
                "1NT opening bids/2♣": "a major?; 8+; F1 (artificial)",
                "1♥ 1♠ opening bids/Art. raises: 2NT": "Jacoby, a good raise; 13+ HCP, 4+♠; GF",
                "Doubles/Negative": "over 1♦ through 1♠",
            },
        ),
        ("wbf", {"SPECIAL BIDS THAT MAY REQUIRE DEFENCE/Openings": "2♦ Multi"}),
        (
            "ebu",
            {
                "1NT OPENINGS AND RESPONSES/Strength": "15-17",
                "TWO-LEVEL OPENINGS AND RESPONSES/2♦": "Multi",
            },
        ),
    ],
)
def test_fields_are_filled_from_the_system(card: Card, name: str, expected: dict[str, str]) -> None:
    told = _fields(FORMS[name](card))
    for field, text in expected.items():
        assert text in told[field], (field, told[field])


@pytest.mark.parametrize("name", FORMS)
def test_a_convention_of_the_system_is_on_every_form(card: Card, name: str) -> None:
    form = FORMS[name](card)
    assert len(form.pages) == 2
    everything = str(_fields(form))
    for convention in ("Multi", "Stayman", "Jacoby", "Gazzilli"):
        assert convention in everything, convention


def test_leads_and_signals_are_lines_to_write_on(card: Card) -> None:
    told = _fields(FORMS["acbl"](card))
    assert told["Leads/Vs. NT: length"] == told["Defensive carding/Attitude"] == ""


def test_what_players_write_shorter() -> None:
    assert short("limit raise; 10-12 with distribution (7-12 HCP), 3+ ♠; invitational") == (
        "limit raise; 10\N{NON-BREAKING HYPHEN}12 dist (7\N{NON-BREAKING HYPHEN}12 HCP), 3+♠; INV"
    )
    assert trimmed("one; two; three", 12) == "one; two …"
    assert trimmed("one; two", 12) == "one; two"


def test_html_escapes_and_stands_alone(card: Card) -> None:
    html = form_html(FORMS["ebu"](card))
    assert "Small &amp; &lt;simple&gt;" in html
    assert not re.search(r"https?://|<link|src=", html)
    assert html.count('<article class="page">') == 2


@pytest.mark.skipif(pdf.printer() is None, reason="there is no Chromium on this machine")
def test_a_form_is_printed_on_two_pages(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "card.pdf"
    assert main(["doc", str(file), "--form", "acbl", "-o", str(out), "--quiet"]) == 0
    content = out.read_bytes()
    assert content.startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b(?!s)", content)) == 2


def test_without_a_browser_one_sentence_says_the_way_out(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pdf, "printer", lambda: None)
    out = tmp_path / "card.pdf"
    assert main(["doc", str(file), "--form", "wbf", "-o", str(out), "--quiet"]) == 2
    assert not out.exists()
    assert capsys.readouterr().err == (
        "bidwright: expected Chromium or Chrome on this machine to write PDF, found neither:"
        " install one, or write HTML (-o card.html) and print it from a browser\n"
    )
    assert main(["doc", str(file), "--form", "wbf", "--format", "md"]) == 2
    assert "expected --form with html or pdf, got it with md" in capsys.readouterr().err


def test_a_browser_that_fails_is_said_to_have_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "printer", lambda: "/bin/false")
    with pytest.raises(pdf.NoPrinterError, match="/bin/false did not write the PDF"):
        pdf.to_pdf("<p>card</p>")
