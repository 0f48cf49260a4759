"""A headless Chromium, driven over its debugging pipe: no driver and no other package is needed."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

Json = dict[str, Any]

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 120.0
"""Seconds that a page may take until something is there; machines of tests are slow."""


def find_browser() -> str | None:
    """Return the browser of this machine, None if it has none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class PageError(AssertionError):
    """A page that did not do what was expected."""


class Browser:
    """One page of a browser.

    Attributes:
        errors: what the page wrote to its console as an error, and exceptions in it.
    """

    def __init__(self, program: str) -> None:
        """Start a browser with a profile of its own."""
        self._profile = tempfile.TemporaryDirectory(prefix="bidwright-browser-")
        read_end, self._out = os.pipe()
        self._in, write_end = os.pipe()
        to_child, from_child = (
            fcntl.fcntl(each, fcntl.F_DUPFD, 10) for each in (read_end, write_end)
        )

        def take_pipes() -> None:
            """Give the browser its pipes as the files 3 and 4, where it looks for them."""
            os.dup2(to_child, 3)
            os.dup2(from_child, 4)

        command = [
            program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--remote-debugging-pipe", "--no-first-run", "--disable-extensions",
            f"--user-data-dir={self._profile.name}", "about:blank",
        ]  # fmt: skip
        self._process = subprocess.Popen(
            command,
            pass_fds=(3, 4),
            preexec_fn=take_pipes,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for each in (read_end, write_end, to_child, from_child):
            os.close(each)
        self._number = 0
        self._buffer = b""
        self.errors: list[str] = []
        targets = self._send("Target.getTargets", {})["targetInfos"]
        page = next(each for each in targets if each["type"] == "page")
        attached = self._send(
            "Target.attachToTarget", {"targetId": page["targetId"], "flatten": True}
        )
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.command(f"{domain}.enable")

    def __enter__(self) -> Self:
        """Return the browser."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait(20)
        os.close(self._in)
        os.close(self._out)
        for _attempt in range(20):  # its helpers write to the profile for a moment
            try:
                self._profile.cleanup()
                return
            except OSError:
                time.sleep(0.2)

    # -------------------------------------------------------------------- pipe

    def _send(self, method: str, parameters: Json, session: str | None = None) -> Json:
        self._number += 1
        message: Json = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        for found in self._messages():
            if found.get("id") == self._number:
                if "error" in found:
                    raise PageError(f"{method}: {found['error']}")
                result: Json = found["result"]
                return result
        raise PageError("the browser has ended")

    def _messages(self) -> Iterator[Json]:
        until = time.monotonic() + PATIENCE
        while True:
            while b"\0" not in self._buffer:
                ready, _, _ = select.select([self._in], [], [], until - time.monotonic())
                if not ready:
                    raise PageError("the browser does not answer")
                part = os.read(self._in, 1 << 20)
                if not part:
                    return
                self._buffer += part
            text, _, self._buffer = self._buffer.partition(b"\0")
            found = json.loads(text)
            self._note(found)
            yield found

    def _note(self, found: Json) -> None:
        if found.get("method") == "Runtime.exceptionThrown":
            self.errors.append(str(found["params"]["exceptionDetails"])[:400])
        if found.get("method") == "Log.entryAdded":
            entry = found["params"]["entry"]
            if entry["level"] == "error":
                self.errors.append(f"{entry['text']} {entry.get('url', '')}")

    def command(self, method: str, **parameters: Any) -> Json:  # noqa: ANN401 - of the protocol
        """Return what a command of the protocol returns."""
        return self._send(method, parameters, self._session)

    # -------------------------------------------------------------------- page

    def run(self, script: str) -> Any:  # noqa: ANN401 - whatever the script gives
        """Return the value of an expression in the page; a promise is waited for."""
        found = self.command(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in found:
            raise PageError(f"{script}: {found['exceptionDetails']}"[:600])
        return found["result"].get("value")

    def go(self, address: str) -> None:
        """Open a page."""
        self.command("Page.navigate", url=address)

    def wait(self, condition: str) -> None:
        """Wait until an expression in the page is true.

        Raises:
            PageError: It did not become true in time.
        """
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if self.run(f"Boolean({condition})"):
                    return
            except PageError:
                pass  # the page is being loaded
            time.sleep(0.05)
        shown = self.run("document.body.innerText.slice(0, 800)")
        raise PageError(f"{condition} did not become true; the page shows: {shown}")

    def text(self, selector: str = "body") -> str:
        """Return the text of an element."""
        return str(self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''"))

    def click(self, selector: str) -> None:
        """Press an element as a reader does: where it is seen, with the mouse."""
        place = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.command(
                "Input.dispatchMouseEvent",
                type=kind,
                x=place[0],
                y=place[1],
                button="left",
                clickCount=1,
            )

    def type(self, text: str) -> None:
        """Type a text where the focus is."""
        self.command("Input.insertText", text=text)

    def key(self, key: str) -> None:
        """Press a key: a letter, or `Enter`, `Tab`, `Backspace`."""
        codes = {"Enter": 13, "Tab": 9, "Backspace": 8, "ArrowLeft": 37, "ArrowRight": 39}
        extra: Json = {"windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        if len(key) == 1 or key == "Enter":
            extra["text"] = "\r" if key == "Enter" else key
        self.command("Input.dispatchKeyEvent", type="keyDown", key=key, **extra)
        self.command("Input.dispatchKeyEvent", type="keyUp", key=key)

    def window(self, width: int, height: int, *, dark: bool = False, phone: bool = False) -> None:
        """Set the size of the window, and how it looks."""
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.command("Emulation.setEmulatedMedia", features=features)

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Write a picture of the page as PNG."""
        found = self.command("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Yield a browser.

    Raises:
        PageError: This machine has none.
    """
    program = find_browser()
    if program is None:
        raise PageError("there is no Chromium on this machine")
    with Browser(program) as browser:
        yield browser
