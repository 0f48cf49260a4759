"""Fixtures of the tests of matches: a small system, and an engine with many habits.

Tests import `match_files` from this folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

TINY = """\
system tiny "Tiny"

opening "Openings"
  1NT "strong" hcp 15..17, balanced; announce "15 to 17"
  2C "any strong hand" hcp 18+; artificial, forcing
  1S "spades" spades 5+, hcp 11+
  1H "hearts" hearts 5+, hcp 11+
  1D "diamonds" diamonds 4+, hcp 11+
  1C "clubs" hcp 11+
  pass "the rest"

after 1NT (P) "Responses"
  3NT "game" hcp 10+
  pass "no game" hcp ..9

after 2C (P) "Responses to two clubs"
  2D "waiting"; artificial

anywhere "The rest"
  pass "nothing to say"
"""

ENGINE = """\
import json
import sys
import time

habit = sys.argv[1]
count = 0
held = []


def say(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    request = json.loads(line)
    count += 1
    number = request.get("id")
    if habit == "pass":
        say({"id": number, "call": "pass"})
    elif habit == "backwards":
        held.append(number)
        if len(held) == int(sys.argv[2]):
            for each in reversed(held):
                say({"id": each, "call": "P"})
            held = []
    elif habit == "die":
        if count > int(sys.argv[2]):
            print("out of ideas", file=sys.stderr, flush=True)
            sys.exit(3)
        say({"id": number, "call": "P"})
    elif habit == "silent":
        time.sleep(60)
    elif habit == "babble":
        print("I bid one club", flush=True)
    elif habit == "list":
        say([number, "P"])
    elif habit == "stranger":
        say({"id": 10**6, "call": "P"})
    elif habit == "mute":
        say({"id": number})
    elif habit == "eight":
        say({"id": number, "call": "8C"})
    elif habit == "low":
        say({"id": number, "call": "1C"})
    elif habit == "error":
        say({"id": number, "error": "no such hand"})
    elif habit == "alert":
        say({"id": number, "call": "P", "by": "net", "alert": "shows thirteen cards"})
    elif habit == "asks":
        if "about" in request:
            print(json.dumps(request), file=open(sys.argv[2], "a"))
            say({"id": number, "call": "P"})
        elif request["auction"]:
            say({"id": number, "ask": len(request["auction"]) - int(sys.argv[3])})
        else:
            say({"id": number, "call": "P"})
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """Return the path of a small convention file."""
    path = tmp_path / "tiny.bid"
    path.write_text(TINY, encoding="utf-8")
    return path


@pytest.fixture
def engine(tmp_path: Path) -> str:
    """Return the specification of an engine, to which a habit is added."""
    path = tmp_path / "engine.py"
    path.write_text(ENGINE, encoding="utf-8")
    return f"engine:{sys.executable} {path}"
