"""Answers in files, as the page of a site reads them: made by what answers the explorer's page.

A shard is named by a hash of all that its answers depend on: the texts of the system, the code, and
the questions. What is there already is kept, and a name never means other answers.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypedDict

from bidwright.explorer.answering import Answered, answer
from bidwright.explorer.page_systems import PageSystems
from bidwright.explorer.queries import Query
from bidwright.explorer.site.reached_auctions import AnswerShard
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.code import code_key
from bidwright.runtime.files import replacing_bytes

DATA = "data"
"""The folder of the site with the answers, a folder for each system in it."""
SUFFIX = ".gz"
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class ShardFile:
    """A shard with its questions and its file.

    Attributes:
        system: the name of the system that both sides play.
        vulnerability: the word of the vulnerability.
        shard: the auctions.
        path: the file.
    """

    system: str
    vulnerability: str
    shard: AnswerShard
    path: str


def fingerprint(rules: RuleBase) -> str:
    """Return a hash of a system's texts and of the code that answers."""
    # Texts and code in the name of a file: a run resumes where another stopped, and a browser may
    # keep each file for ever.
    about = [sorted(rules.file_hashes.items()), code_of_answers()]
    return sha256(json.dumps(about).encode()).hexdigest()[:_DIGITS]


def code_of_answers() -> str:
    """Return a hash of the code that answers: all but what only writes the site."""
    return code_key("bridge", "kb", "inference", "authoring", "explorer", without="site")


def shard_file(out: Path, system: str, print_: str, vulnerability: str, shard: AnswerShard) -> str:
    """Return the path of a shard's file.

    Args:
        out: the folder of the site.
        system: the name of the system.
        print_: its fingerprint.
        vulnerability: the word of the vulnerability.
        shard: the auctions.
    """
    about = [print_, vulnerability, shard.before, shard.last]
    name = sha256(json.dumps(about).encode()).hexdigest()[:_DIGITS]
    return str(out / DATA / system / f"{name}{SUFFIX}")


def packed(content: object) -> bytes:
    """Return plain values as compressed JSON, the same bytes for the same values."""
    # Without a time in the header, so that the same answers are the same bytes.
    return gzip.compress(json.dumps(content, ensure_ascii=False).encode(), 9, mtime=0)


def write_packed(path: Path, content: object) -> None:
    """Write plain values as compressed JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing_bytes(path, durable=False) as stream:
        # Not forced to the disk, which takes longer than the work: a file that is lost is written
        # again.
        stream.write(packed(content))


class AuctionQuery(TypedDict):
    """The values of a question about an auction."""

    auction: str
    ns: str
    ew: str
    dealer: str
    vul: str


class ShardWriter:
    """Works out shards and writes them, in one process."""

    def __init__(self, files: Mapping[str, str]) -> None:
        """Answer about the package's systems, and about files by their names."""
        self._systems = PageSystems(files)

    def __call__(self, file: ShardFile) -> int:
        """Write a shard, which is there whole or not at all; return its number of auctions."""
        content: dict[str, dict[str, Answered]] = {}
        for last, auction in file.shard.auctions():
            query: AuctionQuery = {
                "auction": auction,
                "ns": file.system,
                "ew": file.system,
                "dealer": "N",
                "vul": file.vulnerability,
            }
            content[last] = self._answers(query)
        write_packed(Path(file.path), content)
        return len(content)

    def _answers(self, query: AuctionQuery) -> dict[str, Answered]:
        """Return the answers about an auction by their kinds, as the page asks for them."""
        # What the page asks when it shows an auction: one file serves the whole view.
        kinds: dict[str, Query] = {"position": query}
        answers = {"position": self._ask("position", query)}
        over = answers["position"].get("answer", {}).get("over", True)
        if not over:
            kinds["chosen"] = query
        if query["auction"]:
            place = len(query["auction"].split()) - 1
            kinds["call"] = {**query, "place": str(place)}
        for kind, asked in kinds.items():
            if kind not in answers:
                answers[kind] = self._ask(kind, asked)
        return answers

    def _ask(self, kind: str, query: Query) -> Answered:
        return answer(self._systems, {"do": kind, "query": query, "texts": {}})
