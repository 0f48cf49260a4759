"""Texts of the page: what is wrong in them, and what a change changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bidwright.editor.editor_files import real_path
from bidwright.editor.place_answers import PlaceAnswers
from bidwright.editor.session import Session

Client = Any

GOOD = """\
system mine "Mine"

opening
  1NT "14 to 16" hcp 14..16, balanced
  1S "five spades" spades 5+, hcp 12..21
  pass "the rest"

example KQ4.AJ8.K987.Q52 -> 1NT
"""


def upload(client: Client, text: str, name: str = "mine") -> str:
    reply = client.post("/api/text", json={"name": name, "text": text})
    assert reply.status_code == 200
    return str(reply.json()["system"])


def check(client: Client, text: str, **query: object) -> Any:  # noqa: ANN401 - JSON
    reply = client.get("/api/check", params={"text": upload(client, text), **query})
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_a_good_text_has_no_problems(client: Client) -> None:
    found = check(client, GOOD)
    assert (found["usable"], found["examples"], found["problems"]) == (True, 1, [])


def test_a_mistake_has_its_place_and_a_way_out(client: Client) -> None:
    found = check(client, GOOD.replace("balanced", "balancd"))
    (problem,) = found["problems"]
    assert not found["usable"]
    assert (problem["severity"], problem["own"], problem["line"]) == ("error", True, 4)
    assert problem["at"] == "mine.bid:4"
    assert any("balanced" in line for line in problem["more"])


def test_an_example_that_is_bid_otherwise_is_told_and_no_obstacle(client: Client) -> None:
    found = check(client, GOOD.replace("-> 1NT", "-> 1S"))
    assert found["usable"]
    assert [each["code"] for each in found["problems"]] == ["E401"]


def test_a_file_is_opened_and_closed_and_opened_again(client: Client) -> None:
    """Faults of one text are not reported of the next one with the same name."""
    bad = GOOD.replace("balanced", "balancd")
    for text, usable in ((GOOD, True), (bad, False), (GOOD, True), (bad, False)):
        assert check(client, text + f"# {usable}\n")["usable"] == usable


def test_proofs_are_found_when_there_is_time(client: Client) -> None:
    text = GOOD.replace("  pass", '  1S "never" spades 6+, hcp 12..21\n  pass')
    assert "E411" not in [each["code"] for each in check(client, text)["problems"]]
    found = check(client, text, seconds=60)
    assert found["stage"] == "done"
    assert "E411" in [each["code"] for each in found["problems"]]


REMARKS = GOOD.replace(
    "opening\n",
    """\
let weak = hcp ..9   # allow W209: for a later chapter
let odd = hcp 3      # open W209: nobody knows what it is for
let idle = hcp 5

opening
  1S spades 7+, hcp 12..21   # allow W208: none of theirs
  1NT hcp 15..17, balanced   # allow E412: there is no gap
  1S spades 6+, hcp 12..20
  2S spades 8+, hcp 12..20   # allow E411: kept for the notes
""",
)


def test_comments_mean_what_they_mean_in_check(client: Client) -> None:
    of_files = {(4, "W209", "info"), (5, "W209", "warning"), (8, "W431", "warning")}
    of_proofs = {(9, "W431", "warning")}
    for seconds, expected in ((0, of_files), (60, of_files | of_proofs)):
        found = check(client, REMARKS, seconds=seconds)
        assert found["usable"]
        assert found["stage"] == ("done" if seconds else "proofs")
        told = [(each["line"], each["code"], each["severity"]) for each in found["problems"]]
        assert len(told) == len(set(told))
        assert {each for each in told if each[1] in ("W209", "W431", "E411")} == expected


@pytest.mark.slow
def test_what_a_change_changes(client: Client) -> None:
    old = upload(client, GOOD, "old")
    new = upload(client, GOOD.replace("14..16", "15..17").replace("-> 1NT", "-> pass"), "new")
    found = client.get("/api/changes", params={"old": old, "new": new}).json()
    assert found["changed"]
    (group,) = found["groups"]
    assert group["cause"]["name"] == "opening.1NT"
    assert group["cause"]["new"]["place"] == "new.bid:4"
    pairs = {(each["old"], each["new"]) for each in group["hands"] if not each["calls"]}
    assert pairs >= {("1NT", "P"), ("P", "1NT")}
    same = client.get("/api/changes", params={"old": old, "new": old}).json()
    assert not same["changed"]


@pytest.mark.system
def test_a_system_of_the_package_is_changed(client: Client) -> None:
    text = 'system own "O"\ninclude sayc\noverride opening.1NT\n  1NT "weak" hcp 12..14, balanced\n'
    own = upload(client, text)
    found = client.get("/api/position", params={"auction": "1NT", "ns": own}).json()
    assert found["shown"]["N"] == "12-14 HCP, balanced"
    proof = client.get("/api/call", params={"auction": "1NT", "ns": own}).json()["rules"][0]
    assert (proof["at"], proof["source"]) == ("mine.bid:4", '1NT "weak" hcp 12..14, balanced')


HOSTILE = [
    "",
    "\0",
    "include mine\n",
    'system mine "M"\ninclude mine\n',
    'system mine "M"\n' + "let a = " + "(" * 3000 + "\n",
    'system mine "M"\n' + "".join(f"let a{i} = a{i + 1} or a{i + 1}\n" for i in range(60)),
    'system mine "M"\nopening\n' + "  1C hcp 1..2\n" * 1000,
    "system " * 20_000,
    "\u202e\ufeff system",
    'convention mine "only a convention"\nafter 1NT (P)\n  2C hcp 8+\n',
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_text_is_answered_for(client: Client, text: str) -> None:
    system = upload(client, text)
    checked = client.get("/api/check", params={"text": system})
    assert checked.status_code in (200, 400, 503), checked.text
    used = client.get("/api/position", params={"ns": system})
    assert used.status_code in (200, 400, 503), used.text
    assert client.get("/api/position", params={"auction": "1NT"}).status_code == 200


def asked(client: Client, what: str, text: str, **query: object) -> Any:  # noqa: ANN401 - JSON
    reply = client.get(f"/api/{what}", params={"text": upload(client, text), **query})
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_colours_are_those_of_the_language_server(client: Client, tmp_path: Path) -> None:
    text = GOOD.replace("five spades", "♠♠ five").replace("  pass", "  1H hearts 5+ oops (\n  pass")
    found = asked(client, "colours", text)
    path = real_path(str(tmp_path / "mine.bid"))
    session = Session()
    session.put(path, path.as_uri(), text)
    document = session.document(path)
    assert document is not None
    marks = PlaceAnswers(session).painter.marks(document)
    assert [[*mark] for mark in marks] == found["marks"]
    good = asked(client, "colours", GOOD)
    words = {
        GOOD.split("\n")[line][at : at + width]: good["kinds"][kind]
        for line, at, width, kind in good["marks"]
    }
    assert (words["opening"], words["1NT"], words["hcp"]) == ("keyword", "enumMember", "property")


def test_characters_are_those_of_javascript(client: Client) -> None:
    text = GOOD.replace('"five spades"', '"\U0001f0a1"')
    marks = asked(client, "colours", text)["marks"]
    after = [mark[1] for mark in marks if mark[0] == 4]
    assert after[:3] == [2, 5, 10]  # the card is two units of UTF-16


def test_what_may_be_written_is_proposed(client: Client) -> None:
    text = GOOD.replace("hcp 14..16, balanced", "hcp 14..16, bal")
    found = asked(client, "proposals", text, line=3, character=32)
    assert found["start"] == 29
    assert "balanced" in [each["text"] for each in found["proposals"]]
    calls = asked(client, "proposals", GOOD.replace("  pass", "  \n  pass"), line=5, character=2)
    assert [each["text"] for each in calls["proposals"]][:2] == ["pass", "1C"]


def test_a_word_and_a_rule_have_a_meaning(client: Client) -> None:
    word = asked(client, "meaning", GOOD, line=3, character=18)["text"]
    assert word.startswith("`hcp`: high-card points")
    rule = asked(client, "meaning", GOOD, line=3, character=3)["text"]
    assert "needs: 14-16 HCP, balanced" in rule
    assert "mine.bid:4" in rule
    assert asked(client, "meaning", GOOD, line=1, character=0)["text"] == ""


def test_a_place_outside_the_text_is_said(client: Client) -> None:
    query = {"text": upload(client, GOOD), "line": 99}
    reply = client.get("/api/proposals", params=query)
    assert reply.status_code == 400
    assert reply.json()["error"] == "expected a line from 0 to 8, got 99"


def test_files_of_the_machine_are_not_read_by_the_editor(client: Client, tmp_path: Path) -> None:
    (tmp_path / "secret.bid").write_text("let hidden = hcp 7..9\n")
    text = f"include {tmp_path}/secret\n{GOOD}"
    found = asked(client, "proposals", text, line=4, character=20)
    assert "hidden" not in str(found)
