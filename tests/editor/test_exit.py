"""The language server as a process: how it ends."""

from __future__ import annotations

import json
import subprocess
import sys


def _message(method: str, number: int | None = None, **params: object) -> bytes:
    content: dict[str, object] = {"jsonrpc": "2.0", "method": method}
    if number is not None:
        content["id"] = number
    if method not in ("shutdown", "exit"):
        content["params"] = params
    data = json.dumps(content).encode()
    return b"Content-Length: %d\r\n\r\n" % len(data) + data


def test_a_clean_shutdown_ends_with_success() -> None:
    command = [sys.executable, "-m", "bidwright", "lsp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_message("initialize", 1, capabilities={}, processId=None))
        process.stdin.write(_message("initialized") + _message("shutdown", 2))
        process.stdin.flush()
        said = b""
        while b'"id": 2' not in said:
            said += process.stdout.read(1)
        process.stdin.write(_message("exit"))
        process.stdin.flush()
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_an_editor_that_has_gone_ends_the_server_without_a_word() -> None:
    command = [sys.executable, "-m", "bidwright", "lsp"]
    pipe = subprocess.PIPE
    item = {"uri": "file:///gone.bid", "languageId": "bid", "version": 0, "text": "sistem x"}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(_message("initialize", 1, capabilities={}, processId=None))
        process.stdin.flush()
        process.stdout.read(1)
        process.stdout.close()
        process.stdin.write(_message("initialized"))
        process.stdin.write(_message("textDocument/didOpen", textDocument=item))
        process.stdin.flush()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""
