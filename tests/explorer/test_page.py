"""The page in a real browser: the system's Chromium, driven by playwright."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright")

from playwright.sync_api import expect, sync_playwright

from bidwright.tests.explorer.axe import axe_script, violations
from bidwright.tests.explorer.legality import ASKED, random_auctions

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_PROGRAM = next((path for name in _NAMES if (path := shutil.which(name))), None)
pytestmark = [
    pytest.mark.skipif(_PROGRAM is None, reason="there is no Chromium on this machine"),
    pytest.mark.system,
]

_PATIENCE = 120_000.0
"""Milliseconds that a page may take until something is there; machines of tests are slow."""


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
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as driver:
        # Nothing is downloaded: tests use the browser of the machine, as root in containers, too.
        browser = driver.chromium.launch(
            executable_path=_PROGRAM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@contextmanager
def _opened(browser: Browser, address: str, **window: Any) -> Iterator[Page]:  # noqa: ANN401
    """Yield the page in a window of its own; fails if it wrote errors that no test expects.

    Args:
        browser: where it is opened.
        address: of the server.
        window: size and kind, as playwright's `new_context` takes them.
    """
    context = browser.new_context(**window)
    context.set_default_timeout(_PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    page.goto(f"{address}/")
    page.wait_for_selector(".box")
    yield page
    context.close()
    # A request that is refused is an error to the browser; its tests look at the sentence.
    assert not [error for error in errors if "status of 400" not in error]


def _there(page: Page, selector: str) -> None:
    """Wait until an element is there, seen or not."""
    page.wait_for_selector(selector, state="attached")


def _comes_to(page: Page, words: str) -> None:
    """Wait until the link of the page ends with words, or has them before other options."""
    page.wait_for_url(lambda link: f"{words}&" in f"{link}&")


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with _opened(browser, address, viewport={"width": 1280, "height": 900}) as page:
        yield page


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    window = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}
    with _opened(browser, address, **window, is_mobile=True) as page:
        yield page


def test_calls_are_clicked_and_stand_in_the_link(page: Page, address: str) -> None:
    page.click("[data-call='1NT']")
    _comes_to(page, "?auction=1NT")
    _there(page, "ol.made .line")
    assert "15 to 17, balanced" in page.inner_text("ol.made")
    page.click(".box [data-call='P']")
    _comes_to(page, "?auction=1NT-P")
    expect(page.locator(".next h2").first).to_have_text("South to call")
    expect(page.locator(".often").first).to_contain_text("%")
    page.go_back()
    expect(page.locator(".next h2").first).to_have_text("East to call")


def test_an_auction_is_typed(page: Page) -> None:
    page.locator("input[name=auction]").select_text()
    page.click("input[name=auction]")
    page.keyboard.insert_text("1S (2H) X")
    page.keyboard.press("Enter")
    _comes_to(page, "?auction=1S-2H-X")
    expect(page.locator("ol.made > li")).to_have_count(3)
    page.click("input[name=auction]")
    page.keyboard.insert_text(" (1C)")
    page.keyboard.press("Enter")
    _there(page, ".typed .problem:not([hidden])")
    assert "illegal call 1C" in page.inner_text(".typed .problem")


def test_keys_are_enough(page: Page) -> None:
    page.keyboard.press("1")
    page.keyboard.press("h")
    _comes_to(page, "?auction=1H")
    expect(page.locator("ol.made > li")).to_have_count(1)
    page.keyboard.press("p")
    _comes_to(page, "?auction=1H-P")
    expect(page.locator("ol.made > li")).to_have_count(2)
    page.keyboard.press("Backspace")
    _comes_to(page, "?auction=1H")


@pytest.mark.parametrize("view", ["explore", "compare"])
@pytest.mark.parametrize(
    ("keys", "auction"),
    [
        ("1d1sxp", "1D-1S-X-P"),
        ("1h2cxr", "1H-2C-X-XX"),
        ("1nppxp", "1N-P-P-X-P"),
    ],
)
def test_no_key_is_lost_while_the_server_is_slow(
    page: Page, address: str, keys: str, auction: str, view: str
) -> None:
    page.goto(f"{address}/?view={view}&with=sayc")
    _there(page, ".box")
    held: list[Route] = []
    page.route("**/api/**", lambda route: held.append(route))
    page.keyboard.type(keys)
    link = auction.replace("1N-", "1NT-")
    _comes_to(page, f"auction={link}")
    # The table shows the calls, and the box what is legal, before any answer.
    expect(page.locator(".auction .made")).to_have_count(link.count("-") + 1)
    expect(page.locator(".box [data-call='1C']")).to_be_disabled()
    assert held
    page.unroute("**/api/**")  # what was held goes on, and what is asked from here on is not held
    expect(page.locator("[aria-busy]")).to_have_count(0)
    _comes_to(page, f"auction={link}")


def test_a_call_that_is_not_legal_says_so(page: Page) -> None:
    page.keyboard.type("x")
    expect(page.locator("#toast")).to_have_text("double is not legal here.")
    page.keyboard.type("pppp")
    _comes_to(page, "?auction=P-P-P-P")
    page.keyboard.type("1c")
    expect(page.locator("#toast")).to_have_text("The auction is over.")


def test_the_page_and_bridge_allow_the_same_calls(page: Page) -> None:
    auctions = random_auctions(3_000, seed=2)
    answers = page.evaluate(
        f"async given => ({ASKED})(await import('/static/laws.js'), given)",
        [calls for calls, _, _ in auctions],
    )
    assert answers == [[legal, over] for _, legal, over in auctions]


def test_a_call_opens_with_its_proof(page: Page, address: str) -> None:
    page.goto(f"{address}/?auction=1NT-P-2H-P-2S-P-3NT&at=6")
    _there(page, ".detail .denials")
    assert "at most 3" in page.inner_text(".denials")
    assert "systems/sayc/notrump.bid:" in str(page.text_content(".detail"))


@pytest.mark.slow
def test_deals_and_plots_are_drawn(page: Page, address: str) -> None:
    page.goto(f"{address}/?auction=1NT-P")
    _there(page, "form.inline .main")
    page.click("form.inline .main")
    expect(page.locator(".deal")).to_have_count(6)
    assert page.locator("svg.plot").count() == 8


def test_a_hostile_link_is_a_sentence_on_the_page(page: Page, address: str) -> None:
    page.goto(f"{address}/?auction=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
    _there(page, ".problem")
    assert "expected a call" in page.inner_text(".problem")
    assert page.locator("img").count() == 0


def test_nothing_is_wider_than_a_phone(phone: Page, address: str) -> None:
    phone.goto(f"{address}/?auction=1S-2H-X-P&at=2")
    _there(phone, ".proof pre")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_systems_stand_side_by_side(page: Page, address: str) -> None:
    page.goto(f"{address}/?view=compare&auction=1NT&with=sayc,acol")
    _there(page, ".side .pill")
    assert page.locator(".side thead th").count() == 3
    first = page.evaluate(
        "[...document.querySelectorAll('.side tbody tr:first-child td')].map(e => e.innerText)"
    )
    assert first == ["15 to 17, balanced", "12 to 14, balanced"]


def test_a_board_is_pasted_and_stepped_through(page: Page, address: str) -> None:
    page.goto(f"{address}/?view=board")
    _there(page, "textarea")
    page.click("textarea")
    page.keyboard.insert_text(
        "https://www.bridgebase.com/tools/handviewer.html?n=skq84ha7dkq2ck983"
        "&s=sa73hkj532da4cat6&d=n&v=o&a=1s-p-3n-p-p-p"
    )
    page.click(".paste .main")
    _there(page, ".detail .odd")
    assert "North deals. Nobody vulnerable." in page.inner_text(".explore.board .table")
    assert "deviates from the system" in page.inner_text(".detail .odd")
    assert "5+" in page.inner_text(".detail li")
    assert "By the system this hand bids 1NT" in page.inner_text(".detail")
    page.keyboard.press("ArrowRight")
    _comes_to(page, "at=1")
    assert "deal=N" in page.evaluate("location.search")
    _there(page, "ol.made > li:nth-child(2).open")
    page.click(".report button")
    _there(page, ".report a[download]")
    assert "3 calls on 1 board: 1 departs." in page.inner_text(".report")


@pytest.mark.slow
def test_a_text_is_edited_with_live_diagnostics(page: Page, address: str) -> None:
    page.goto(f"{address}/?view=edit")
    _there(page, ".diagnostics .good")
    _there(page, ".effect table")
    rows = "[...document.querySelectorAll('.effect tbody tr')].map(e => e.innerText)"
    changed = page.evaluate(f"{rows}.find(each => each.startsWith('1NT'))")
    assert "15 to 17, balanced" in changed
    assert "14 to 16, balanced" in changed
    page.evaluate("(() => { const e = document.querySelector('textarea.code'); e.focus();"
             "e.setSelectionRange(0, 6); })()")  # fmt: skip
    page.keyboard.insert_text("sistem")
    _there(page, ".problems .error")
    assert "1" in page.inner_text(".gutter .error")
    assert "sistem" in page.inner_text(".problems")


def test_the_editor_colours_proposes_and_explains(page: Page, address: str) -> None:
    page.goto(f"{address}/?view=edit")
    _there(page, ".paint .enumMember")
    keywords = page.locator(".paint .keyword").all_inner_texts()
    assert keywords == ["system", "include", "override", "example"]
    end = "e.value.indexOf('; announce')"
    page.evaluate("(() => { const e = document.querySelector('textarea.code'); e.focus();"
             f"e.setSelectionRange({end}, {end}); }})()")  # fmt: skip
    page.keyboard.type(", hear")
    expect(page.locator(".proposals li").first).to_contain_text("hearts")
    expect(page.locator(".field-of-code [role=status]")).to_have_text("1 proposal: hearts")
    page.keyboard.press("Tab")
    expect(page.locator(".proposals")).to_be_hidden()
    page.keyboard.type(" 3 5")
    assert "balanced, hearts 3 5; announce" in page.input_value("textarea.code")
    _there(page, ".paint .flaw.error")
    page.keyboard.press("Control+z")
    assert page.input_value("textarea.code") != "", "what is written can be undone"
    box = page.locator(".paint > div").nth(6).locator("span").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 3, box["y"] + 9)
    page.mouse.move(box["x"] + 5, box["y"] + 9)
    expect(page.locator(".tip")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".tip")).to_be_hidden()
    page.click(".editor summary")
    expect(page.locator(".meaning")).to_contain_text("14-16 HCP")


@pytest.mark.slow
def test_the_editor_tells_keyboards_and_phones_what_is_wrong(phone: Page, address: str) -> None:
    phone.goto(f"{address}/?view=edit")
    _there(phone, ".diagnostics .good")
    phone.click(".editor summary")
    phone.focus("textarea.code")
    phone.keyboard.press("Control+End")
    phone.keyboard.type("opning")
    expect(phone.locator(".meaning")).to_contain_text("opning")


@pytest.mark.slow
def test_a_hand_is_practised(page: Page, address: str) -> None:
    page.goto(f"{address}/?view=practice&topic=openings&seed=1")
    _there(page, ".desk .big")
    page.click(".desk [data-call='7NT']")
    _there(page, ".feedback .odd")
    page.click(".feedback button")
    _there(page, ".feedback .nod")
    right = page.inner_text(".nod .call")
    assert right in page.inner_text(".nod")
    page.click(".feedback button.main")
    _comes_to(page, "seed=2")
    _there(page, ".desk .big")
    expect(page.locator(".nod")).to_have_count(0)


@pytest.mark.slow
def test_missed_hands_and_weak_spots_are_kept_in_the_browser(page: Page, address: str) -> None:
    hand = "view=practice&topic=openings&seed=1"
    page.goto(f"{address}/?{hand}")
    _there(page, ".desk .big")
    page.evaluate(
        "localStorage.setItem('bidwright.practice', JSON.stringify({missed: [], counts:"
        " {'sayc stayman': [1, 4], 'sayc openings': [0, 2], 'acol notrump': [0, 9]}}))"
    )
    page.click(".desk [data-call='7NT']")
    _there(page, ".feedback .odd")
    page.goto(f"{address}/?view=practice")
    _there(page, ".weak")
    assert page.locator(".weak .topics button").all_inner_texts() == [
        *("Opening bids", "Stayman", "Again: 1 missed hand"),
    ]
    page.click("text=Again: 1 missed hand")
    _comes_to(page, hand)
    _there(page, ".desk .big")
    page.click("text=Forget the record")
    expect(page.locator(".weak")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("view", ["explore", "compare", "board", "edit", "practice"])
def test_every_view_keeps_the_rules_of_wcag(browser: Browser, address: str, view: str) -> None:
    script = axe_script()
    if script is None:
        pytest.skip("axe-core is not on this machine: pip install axe-playwright-python")
    # The page allows no script but its own; what checks it is one.
    context = browser.new_context(bypass_csp=True)
    context.set_default_timeout(_PATIENCE)
    page = context.new_page()
    page.goto(
        f"{address}/?view={view}&topic=openings&seed=1&auction={'' if view == 'board' else '1NT-P'}"
    )
    _there(page, "#content > *")
    expect(page.locator(".busy")).to_have_count(0)
    assert violations(page, script) == []
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("view", ["compare", "board", "edit", "practice"])
def test_no_view_is_wider_than_a_phone(phone: Page, address: str, view: str) -> None:
    phone.goto(f"{address}/?view={view}&auction={'' if view == 'board' else '1NT-P'}")
    _there(phone, "#content > *")
    expect(phone.locator(".busy")).to_have_count(0)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
