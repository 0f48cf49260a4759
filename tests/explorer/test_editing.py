"""Texts of the page: what is wrong in them, and what a change changes."""

from __future__ import annotations

from typing import Any

import pytest

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
    """What was wrong in one text is not told of the next one with the same name."""
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
