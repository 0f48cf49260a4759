"""Answers to hostile links, pages and uploads: one sentence, and a status from 400 on."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from bidwright.explorer import request_limits

Client = Any

BAD_LINKS = [
    ("position?auction=1Z", 400, "expected a call (P, X, XX or 1C to 7NT), got '1Z'"),
    ("position?auction=2C%201C", 400, "illegal call 1C after 2C"),
    ("position?dealer=Q", 400, "expected a seat"),
    ("position?vul=perhaps", 400, "expected a vulnerability"),
    ("position?ns=/etc/passwd", 400, "expected a system ("),
    ("position?ns=../../secret", 400, "expected a system ("),
    ("position?ns=own:0123456789abcdef", 400, "this text is not kept here any more"),
    ("position?ns=own:zzz", 400, "expected a system ("),
    (f"position?auction={'P' * 700}", 400, "expected at most 600 characters as 'auction'"),
    ("chosen?auction=P%20P%20P%20P", 400, "expected an auction in progress"),
    ("chosen?seed=-1", 400, "expected a number from 0 to"),
    ("chosen?seed=1e9", 400, "expected a number from 0 to"),
    ("call?auction=", 400, "expected an auction with a call in it"),
    ("call?auction=1C&place=1", 400, "expected a number from 0 to 0 as 'place', got 1"),
    ("deals?auction=1C&number=1000000", 400, "expected a number from 1 to 24"),
    ("deals?auction=1C&hand=AAAA", 400, "expected four holdings"),
    ("odds?auction=1C&question=drop%20table", 400, "expected"),
    (f"typed?auction={'1C' * 1000}", 400, "illegal call 1C after 1C"),
    ("typed?auction=https://x.example/%3Fx%3D1", 400, "expected a link with lin="),
    ("typed?auction=file:///etc/passwd", 400, "expected a link with lin="),
    ("nothing", 404, "expected one of typed"),
    (f"position?auction={'x' * 5000}", 414, "expected a link of at most 4,096 characters"),
]


@pytest.mark.parametrize(("link", "status", "sentence"), BAD_LINKS)
def test_a_hostile_link_gets_a_sentence(
    client: Client, link: str, status: int, sentence: str
) -> None:
    reply = client.get(f"/api/{link}")
    assert reply.status_code == status, reply.text
    message = reply.json()["error"]
    assert sentence in message
    assert "\n" not in message
    assert len(message) <= 400


def test_text_from_outside_comes_back_as_text(client: Client) -> None:
    reply = client.get("/api/position", params={"auction": "<script>alert(1)</script>"})
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_every_answer_says_what_the_page_may_load(client: Client) -> None:
    for path in ("/", "/static/main.js", "/api/systems", "/nothing", "/api/position?auction=1Z"):
        policy = client.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy


def test_another_host_is_refused(client: Client) -> None:
    """A page elsewhere under a name that was made to point here gets nothing."""
    for host in ("evil.example", "localhost.evil.example", "", "[::", "a b"):
        reply = client.get("/api/systems", headers={"host": host})
        assert reply.status_code == 421


def test_requests_of_another_page_are_refused(client: Client) -> None:
    other = {"origin": "http://evil.example"}
    assert client.get("/api/systems", headers=other).status_code == 403
    text = {"name": "x", "text": "system x"}
    assert client.post("/api/text", json=text, headers=other).status_code == 403
    cross = {"sec-fetch-site": "cross-site"}
    assert client.get("/api/systems", headers=cross).status_code == 403
    assert client.get("/", headers=cross).status_code == 200


def test_a_form_of_another_page_is_refused(client: Client) -> None:
    reply = client.post("/api/text", data={"name": "x", "text": "system x"})
    assert reply.status_code == 415


def test_a_large_upload_is_refused(client: Client) -> None:
    text = "#" * (request_limits.MOST_BODY + 1)
    reply = client.post("/api/text", json={"name": "x", "text": text})
    assert reply.status_code == 413
    parts = (b"x" * 50_000 for _ in range(20))
    headers = {"content-type": "application/json"}
    assert client.post("/api/text", content=parts, headers=headers).status_code == 413
    text = "#" * (request_limits.MOST_TEXT + 1)
    reply = client.post("/api/text", json={"name": "x", "text": text})
    assert (reply.status_code, "at most" in reply.json()["error"]) == (400, True)


BAD_BODIES = [b"", b"{", b"[]", b'"text"', b"[" * 100_000, b'{"name": 1}', b"\xff\xfe"]


@pytest.mark.parametrize("body", BAD_BODIES, ids=range(len(BAD_BODIES)))
def test_a_body_that_is_no_request_is_refused(client: Client, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    reply = client.post("/api/text", content=body, headers=headers)
    assert reply.status_code == 400
    assert reply.json()["error"]


BAD_NAMES = ["../../etc/passwd", "a/b", "", "a b", ".hidden", "x" * 41, "a\0b"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_text_has_a_plain_name(client: Client, name: str) -> None:
    reply = client.post("/api/text", json={"name": name, "text": "system x"})
    assert reply.status_code == 400
    assert "expected a name of letters" in reply.json()["error"]


def upload(client: Client, text: str) -> str:
    reply = client.post("/api/text", json={"name": "mine", "text": text})
    assert reply.status_code == 200
    return str(reply.json()["system"])


def test_an_include_reaches_the_files_of_the_package_only(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret.bid"
    secret.write_text('convention secret "s"\nopening\n  1C "secret" hcp 3..4\n')
    for name in ("secret", "../secret", f"..{tmp_path}/secret", str(tmp_path / "secret")):
        system = upload(client, f'system mine "M"\ninclude {name}\n')
        reply = client.get("/api/position", params={"ns": system})
        assert reply.status_code == 400
        assert str(tmp_path.parent) not in reply.text.replace(name, "")
    system = upload(client, 'system mine "M"\ninclude muiderberg\n')
    assert client.get("/api/position", params={"ns": system}).status_code == 200


def test_a_text_of_another_browser_is_not_read(client: Client) -> None:
    system = upload(client, 'system mine "M"\nopening\n  1C "clubs" clubs 5+\n')
    cookies = dict(client.cookies)
    client.cookies.clear()
    reply = client.get("/api/position", params={"ns": system})
    client.cookies.update(cookies)
    assert reply.status_code == 400
    assert client.get("/api/position", params={"ns": system}).status_code == 200


def test_a_text_with_mistakes_is_named_with_its_place(client: Client) -> None:
    system = upload(client, 'system mine "M"\nopening\n  1C "clubs" hcp 5+ clubs\n')
    reply = client.get("/api/position", params={"ns": system})
    assert reply.status_code == 400
    assert reply.json()["error"].startswith("mine.bid:3:")


def test_the_cookie_of_texts_is_out_of_reach_of_scripts(client: Client) -> None:
    client.cookies.clear()
    reply = client.post("/api/text", json={"name": "mine", "text": 'system mine "M"\n'})
    cookie = reply.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_texts_are_bounded_in_number() -> None:
    from bidwright.explorer.kept_texts import KeptTexts

    texts = KeptTexts()
    token = texts.browser(None)
    keys = [texts.keep(token, "mine", f"# {number}").key for number in range(20)]
    assert texts.text(token, keys[0]) is None
    kept = [key for key in keys if texts.text(token, key)]
    assert kept == keys[-request_limits.MOST_TEXTS :]
    others = [texts.browser(None) for _ in range(request_limits.MOST_SESSIONS)]
    for each in others:
        texts.keep(each, "mine", "#")
    assert texts.text(token, keys[-1]) is None
    assert texts.browser(token) != token


def test_texts_are_bounded_in_size() -> None:
    from bidwright.explorer.kept_texts import KeptTexts

    texts = KeptTexts()
    large = "#" * request_limits.MOST_TEXT
    tokens = [texts.browser(None) for _ in range(200)]
    keys = [texts.keep(token, "mine", large).key for token in tokens]
    kept = sum(texts.text(token, key) is not None for token, key in zip(tokens, keys, strict=True))
    assert kept == request_limits.MOST_KEPT // request_limits.MOST_TEXT


def test_a_slow_question_is_given_up_and_the_next_is_answered() -> None:
    import asyncio

    from bidwright.explorer.answer_pool import AnswerPool, RefusedError

    async def ask() -> bytes:
        pool = AnswerPool(1)
        try:
            with pytest.raises(RefusedError, match="no answer was found within 0 seconds") as found:
                await pool.ask("deals", {"auction": "1NT P"}, {}, 0.01)
            assert found.value.status == 503
            return await pool.ask("position", {"auction": "1NT"}, {}, 120)
        finally:
            await pool.stop()

    started = time.monotonic()
    assert b'"1NT"' in asyncio.run(ask())
    assert time.monotonic() - started < 600


def test_the_limits_in_the_documentation_are_those_that_hold() -> None:
    text = (Path(__file__).parents[2] / "docs" / "explorer.md").read_text(encoding="utf-8")
    said = f"{request_limits.MOST_TEXTS} texts of {request_limits.MOST_TEXT:,} characters at most"
    assert said in " ".join(text.split())
