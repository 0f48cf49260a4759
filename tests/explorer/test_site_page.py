"""A site in a real browser, below a path of a plain web server, with and without a network."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect, sync_playwright

from bidwright import __version__
from bidwright.explorer.site.static_site import SiteSettings, build_site
from bidwright.tests.explorer.test_page import _PATIENCE, _PROGRAM
from bidwright.tests.explorer.test_site import MINI, calls_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(_PROGRAM is None, reason="there is no Chromium on this machine"),
]


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files until its server is said to be down; then no request is answered."""

    def do_GET(self) -> None:
        if getattr(self.server, "is_down", False):
            self.close_connection = True
            return
        super().do_GET()

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ThreadingHTTPServer]]:
    root = tmp_path_factory.mktemp("web")
    corpus = [calls_of("1NT P 2C P 2D"), calls_of("1NT P 3NT P P P")]
    build_site(root / "below", SiteSettings({"mini": MINI}, first=1, corpus=corpus, pages=False))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/below/", server
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(served: tuple[str, ThreadingHTTPServer]) -> Iterator[Page]:
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=_PROGRAM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True)
        context.set_default_timeout(_PATIENCE)
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(served[0])
        page.wait_for_selector(".box")
        yield page
        browser.close()
    assert errors == []


def test_a_reader_clicks_types_and_opens_a_proof(page: Page) -> None:
    page.click("[data-call='1NT']")
    page.wait_for_url("**/below/?auction=1NT")
    expect(page.locator("ol.made .line")).to_contain_text("15 to 17, balanced")
    expect(page.locator(".often").first).to_contain_text("%")
    page.keyboard.type("p3n")
    page.wait_for_url("**/?auction=1NT-P-3NT")
    expect(page.locator("ol.made > li")).to_have_count(3)
    page.click("ol.made > li:nth-child(1) button")
    expect(page.locator(".detail .proof pre")).to_contain_text("hcp 15..17, balanced")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_another_dealer_and_a_typed_line(page: Page) -> None:
    page.select_option("label:has-text('Dealer') select", "E")
    page.locator("input[name=auction]").fill("1NT (P) 2C (P) 2D")
    page.keyboard.press("Enter")
    page.wait_for_url("**auction=1NT-P-2C-P-2D**")
    expect(page.locator("ol.made > li").last).to_contain_text("no major")
    assert page.locator("ol.made .seat").all_inner_texts() == ["E", "S", "W", "N", "E"]


def test_the_link_is_copied_and_a_position_reported(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.type("1n")
    expect(page.locator("ol.made > li")).to_have_count(1)
    page.click(".copy-link")
    expect(page.locator("#toast")).to_have_text("The link is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.click(".report-position")
    report = page.locator(".report-text").input_value()
    assert report.startswith("Auction: 1NT\nDealer N, vulnerable none\n")
    assert "N 1NT: 15 to 17, balanced" in report
    assert f"bidwright {__version__}, site of 1 systems\n{page.url}\n" in report


def test_suits_and_letters_have_the_look_that_was_chosen(page: Page) -> None:
    page.click(".tools summary")
    colours = (
        "['.club', '.spade'].map((each) => getComputedStyle(document.querySelector(each)).color)"
    )
    club, spade = page.evaluate(colours)
    assert club != spade
    page.select_option("select[name=suits]", "two")
    page.select_option("select[name=size]", "largest")
    page.reload()
    page.wait_for_selector(".box")
    club, spade = page.evaluate(colours)
    assert club == spade
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "21.6px"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_what_is_missing_says_so_with_the_command(page: Page) -> None:
    page.keyboard.type("1s2h")
    expect(page.locator(".problem code")).to_have_text(
        "bidwright explain '1S 2H' --system mini.bid"
    )
    page.click(".undo")
    expect(page.locator("ol.made > li")).to_have_count(1)
    page.click("form.inline .main")
    expect(page.locator(".problem code")).to_contain_text("bidwright sample '1S'")


def test_it_works_without_a_network_after_the_first_visit(
    page: Page, served: tuple[str, ThreadingHTTPServer]
) -> None:
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # from here on the worker keeps what is read
    page.click("[data-call='1NT']")
    expect(page.locator("ol.made > li")).to_have_count(1)
    served[1].is_down = True  # type: ignore[attr-defined]
    page.goto(f"{served[0]}?auction=1NT")
    expect(page.locator("ol.made .line")).to_contain_text("15 to 17, balanced")
    page.goto(f"{served[0]}library/")
    expect(page.locator("h1")).to_have_text("Library")
    served[1].is_down = False  # type: ignore[attr-defined]
