"""The page in a real browser."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator

import pytest
from browser import Browser, find_browser, open_browser  # type: ignore[import-not-found]

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytestmark = pytest.mark.skipif(
    find_browser() is None, reason="there is no Chromium on this machine"
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "bidwright", "serve", "--port", str(port), "--processes", "1"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    for _ in range(600):
        try:
            urllib.request.urlopen(f"{address}/api/systems").read()
            break
        except OSError:
            assert process.poll() is None
            time.sleep(0.1)
    yield address
    process.terminate()
    process.wait(30)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Browser]:
    browser.errors.clear()
    browser.window(1280, 900)
    browser.go(f"{address}/")
    browser.wait("document.querySelector('.box')")
    yield browser
    assert not browser.errors


def test_calls_are_clicked_and_stand_in_the_link(page: Browser, address: str) -> None:
    page.click("[data-call='1NT']")
    page.wait("location.search === '?auction=1NT'")
    page.wait("document.querySelector('ol.made .line')")
    assert "15-17, balanced" in page.text("ol.made")
    page.click(".box [data-call='P']")
    page.wait("location.search === '?auction=1NT-P'")
    page.wait("document.querySelector('.next h2')?.innerText === 'South to call'")
    page.wait("document.querySelector('.often').innerText.includes('%')")
    page.run("history.back()")
    page.wait("document.querySelector('.next h2')?.innerText === 'East to call'")


def test_an_auction_is_typed(page: Browser) -> None:
    page.run("document.querySelector('input[name=auction]').select()")
    page.click("input[name=auction]")
    page.type("1S (2H) X")
    page.key("Enter")
    page.wait("location.search === '?auction=1S-2H-X'")
    page.wait("document.querySelectorAll('ol.made > li').length === 3")
    page.click("input[name=auction]")
    page.type(" (1C)")
    page.key("Enter")
    page.wait("document.querySelector('.typed .problem:not([hidden])')")
    assert "illegal call 1C" in page.text(".typed .problem")
    page.errors.clear()  # the browser notes the status 400


def test_keys_are_enough(page: Browser) -> None:
    page.key("1")
    page.key("h")
    page.wait("location.search === '?auction=1H'")
    page.wait("document.querySelectorAll('ol.made > li').length === 1")
    page.key("p")
    page.wait("location.search === '?auction=1H-P'")
    page.wait("document.querySelectorAll('ol.made > li').length === 2")
    page.key("Backspace")
    page.wait("location.search === '?auction=1H'")


def test_a_call_opens_with_its_proof(page: Browser, address: str) -> None:
    page.go(f"{address}/?auction=1NT-P-2H-P-2S-P-3NT&at=6")
    page.wait("document.querySelector('.detail .denials')")
    assert "at most 3" in page.text(".denials")
    assert "systems/sayc/notrump.bid:" in page.run("document.querySelector('.detail').textContent")


@pytest.mark.slow
def test_deals_and_plots_are_drawn(page: Browser, address: str) -> None:
    page.go(f"{address}/?auction=1NT-P")
    page.wait("document.querySelector('form.inline .main')")
    page.click("form.inline .main")
    page.wait("document.querySelectorAll('.deal').length === 6")
    assert page.run("document.querySelectorAll('svg.plot').length") == 8


def test_a_hostile_link_is_a_sentence_on_the_page(page: Browser, address: str) -> None:
    page.go(f"{address}/?auction=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
    page.wait("document.querySelector('.problem')")
    assert "expected a call" in page.text(".problem")
    assert page.run("document.querySelectorAll('img').length") == 0
    page.errors.clear()  # the browser notes the status 400


def test_nothing_is_wider_than_a_phone(page: Browser, address: str) -> None:
    page.window(390, 844, phone=True)
    page.go(f"{address}/?auction=1S-2H-X-P&at=2")
    page.wait("document.querySelector('.proof pre')")
    assert page.run("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_systems_stand_side_by_side(page: Browser, address: str) -> None:
    page.go(f"{address}/?view=compare&auction=1NT&with=sayc,acol")
    page.wait("document.querySelector('.side .pill')")
    assert page.run("document.querySelectorAll('.side thead th').length") == 3
    first = page.run(
        "[...document.querySelectorAll('.side tbody tr:first-child td')].map(e => e.innerText)"
    )
    assert first == ["15-17, balanced", "12-14, balanced"]


def test_a_board_is_pasted_and_stepped_through(page: Browser, address: str) -> None:
    page.go(f"{address}/?view=board")
    page.wait("document.querySelector('textarea')")
    page.click("textarea")
    page.type(
        "https://www.bridgebase.com/tools/handviewer.html?n=skq84ha7dkq2ck983"
        "&s=sa73hkj532da4cat6&d=n&v=o&a=1s-p-3n-p-p-p"
    )
    page.click(".paste .main")
    page.wait("document.querySelector('.detail .odd')")
    assert "North deals. Nobody vulnerable." in page.text(".explore.board .table")
    assert "departs from the system" in page.text(".detail .odd")
    assert "5+" in page.text(".detail li")
    assert "By the system this hand bids 1NT" in page.text(".detail")
    page.key("ArrowRight")
    page.wait("location.search.includes('at=1')")
    assert "deal=N" in page.run("location.search")
    page.wait("document.querySelector('ol.made > li:nth-child(2).open')")
    page.click(".report button")
    page.wait("document.querySelector('.report a[download]')")
    assert "3 calls on 1 board: 3 departs." in page.text(".report")


@pytest.mark.slow
def test_a_text_is_edited_with_live_diagnostics(page: Browser, address: str) -> None:
    page.go(f"{address}/?view=edit")
    page.wait("document.querySelector('.diagnostics .good')")
    page.wait("document.querySelector('.effect table')")
    rows = "[...document.querySelectorAll('.effect tbody tr')].map(e => e.innerText)"
    changed = page.run(f"{rows}.find(each => each.startsWith('1NT'))")
    assert "15-17, balanced" in changed
    assert "14-16, balanced" in changed
    page.run("(() => { const e = document.querySelector('textarea.code'); e.focus();"
             "e.setSelectionRange(0, 6); })()")  # fmt: skip
    page.type("sistem")
    page.wait("document.querySelector('.problems .error')")
    assert "1" in page.run("document.querySelector('.gutter .error').innerText")
    assert "sistem" in page.text(".problems")


@pytest.mark.slow
def test_a_hand_is_practised(page: Browser, address: str) -> None:
    page.go(f"{address}/?view=practice&topic=openings&seed=1")
    page.wait("document.querySelector('.desk .big')")
    page.click(".desk [data-call='7NT']")
    page.wait("document.querySelector('.feedback .odd')")
    page.click(".feedback button")
    page.wait("document.querySelector('.feedback .nod')")
    right = page.run("document.querySelector('.nod .call').innerText")
    assert right in page.text(".nod")
    page.click(".feedback button.main")
    page.wait("location.search.includes('seed=2')")
    page.wait("document.querySelector('.desk .big') && !document.querySelector('.nod')")


@pytest.mark.slow
@pytest.mark.parametrize("view", ["compare", "board", "edit", "practice"])
def test_no_view_is_wider_than_a_phone(page: Browser, address: str, view: str) -> None:
    page.window(390, 844, phone=True)
    page.go(f"{address}/?view={view}&auction={'' if view == 'board' else '1NT-P'}")
    page.wait("document.querySelector('#content > *') && !document.querySelector('.busy')")
    assert page.run("document.documentElement.scrollWidth") <= 390
