"""Checks longer than a keystroke: run by worker processes, broken off when texts change."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from bidwright.authoring.lint.catalogue import LINTS
from bidwright.bridge.regular_files import read_regular_text
from bidwright.editor.actions import DEAL
from bidwright.editor.helper import PROOFS, Helper, HelperError, HelperReply
from bidwright.editor.session import Project, Session
from bidwright.kb.language.diagnostics import Diagnostic, from_json
from bidwright.kb.language.limits import MOST_BYTES

Show = Callable[[str | None], None]
_PAUSE = 0.5
"""The time without a change, in seconds, before a system is checked."""


class Background:
    """Two workers: one answers requests, the other checks systems."""

    def __init__(
        self,
        session: Session,
        tell: Callable[[], None],
        report: Callable[[str], Awaitable[Show | None]],
    ) -> None:
        """Work for a session.

        Args:
            session: the editor's files.
            tell: tells the editor what is wrong.
            report: begins to show progress, and returns what shows a step, or the end.
        """
        self._session = session
        self._tell = tell
        self._report = report
        self._answers = Helper()
        self._checks = Helper()
        self._running: dict[Path, asyncio.Task[None]] = {}
        self._warming: asyncio.Task[None] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def _texts(self) -> dict[str, str]:
        """Return the texts that are open in the editor and differ from the disk."""
        changed: dict[str, str] = {}
        for path, text in self._session.files.opened.items():
            saved = None
            with suppress(OSError, UnicodeDecodeError):
                saved = read_regular_text(path, MOST_BYTES)
            if saved != text:
                changed[str(path)] = text
        return changed

    async def ask(self, about: Path, **request: Any) -> Any:  # noqa: ANN401 - see `worker`
        """Return a worker's answer to a request about a file.

        Raises:
            HelperError: it failed.
        """
        project = self._session.project(about)
        if project is None:
            raise HelperError(f"{about.name} is part of no system")
        return await self._answers.ask(root=str(project.root), texts=self._texts(), **request)

    def warm(self, path: Path) -> None:
        """Let the worker that answers requests get ready, the first time that a file is opened."""
        project = self._session.project(path)
        if self._warming is None and project is not None and project.look.rules:
            # A hover needs the engine and the compiled system: what is slow the first time.
            first = project.look.rules[0].id
            self._warming = asyncio.ensure_future(self._warm(path, first))

    async def _warm(self, path: Path, rule: str) -> None:
        with suppress(HelperError):
            await self.ask(path, do="hover", rules=[rule])

    # ------------------------------------------------------------------ checks

    def changed(self, path: Path) -> None:
        """Check the systems of a file once nothing has changed for a moment."""
        for project in self._session.projects.of(path):
            running = self._running.pop(project.root, None)
            if running is not None:
                running.cancel()
            self._running[project.root] = asyncio.ensure_future(self._check(project))

    def forget(self) -> None:
        """Cancel the checks of systems that are not open any more."""
        roots = {project.root for project in self._session.projects.all()}
        for root in self._running.keys() - roots:
            self._running.pop(root).cancel()
            # What was found for it would come back if the system was opened again.
            self._session.deep.pop(root, None)

    async def _check(self, project: Project) -> None:
        await asyncio.sleep(_PAUSE)
        if project.look.system.has_errors:
            return
        problems: list[Diagnostic] = []
        # Proofs take minutes: what they found before the change is shown until they are through
        # again.
        earlier = [one for one in self._session.known_deep(project.root) if one.code in LINTS]
        show = await self._report(f"checking {project.look.system.name}")

        def listen(reply: HelperReply) -> None:
            problems.extend(map(from_json, reply["found"]))
            # All that needs no proof is shown at once, with the old findings of the proofs.
            if reply["step"] == PROOFS:
                self._session.found_deep(project.root, [*problems, *earlier])
                self._tell()
            if show is not None:
                show(reply["step"])

        paths = [str(p) for p in project.look.paths if p in self._session.files.opened]
        try:
            await self._checks.ask(
                listen, do="check", root=str(project.root), texts=self._texts(), paths=paths
            )
        # The worker failed or died; the next change asks again.
        except HelperError:
            return
        finally:
            if show is not None:
                # The editor's progress has to end also where the check was cancelled.
                show(None)
        self._session.found_deep(project.root, problems)
        self._tell()

    # ------------------------------------------------------------------- rest

    def scratch(self, name: str, text: str) -> Path:
        """Return a file to show a text in."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="bidwright-")
        path = Path(self._folder.name) / ("hands.bid" if name == DEAL else "examples.txt")
        path.write_text(text, encoding="utf-8")
        return path

    def stop(self) -> None:
        """End the workers."""
        for task in (*self._running.values(), self._warming):
            if task is not None:
                task.cancel()
        self._answers.stop()
        self._checks.stop()
        if self._folder is not None:
            self._folder.cleanup()
