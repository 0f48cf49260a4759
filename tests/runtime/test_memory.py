"""Long-lived processes forget before they remember too much."""

from __future__ import annotations

import gc
import subprocess
import sys

from bidwright.inference.explanation import service
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.memory import Growth, need_address_space

MINI = "tests/systems/mini.bid"


def _asked(growth: Growth) -> bool:
    """Ask until the memory has been looked at once."""
    return any([growth.is_over() for _ in range(32)])


def test_growth_is_noticed_and_counted_anew() -> None:
    growth = Growth(130 * 10_000)
    assert not _asked(growth)
    kept = [object() for _ in range(20_000)]
    assert _asked(growth)
    growth.begin_again()
    assert not _asked(growth)
    assert len(kept) == 20_000


def test_a_library_over_its_budget_answers_as_before() -> None:
    requests = [
        {"auction": [call], "dealer": dealer, "vul": vul}
        for call in ("1NT", "1S", "2C", "P", "1H")
        for dealer in "NESW"
        for vul in ("none", "ns", "ew", "both")
    ]
    opened: list[str] = []

    def opener(name: str) -> RuleBase:
        opened.append(name)
        return open_system(name)

    free = service.Library(open_system)
    small = service.Library(opener, budget=1)
    readers = set()
    for request in requests:
        assert service.explain(small, request, MINI) == service.explain(free, request, MINI)
        readers.add(id(small.reader(MINI, MINI)))
    assert len(readers) > 1, "something was forgotten"
    assert opened == [MINI], "systems stay what they were"


def test_readings_are_forgotten_before_rules_and_the_engine() -> None:
    library = service.Library(open_system)
    request = {"auction": ["1NT", "P", "2C"]}
    before = service.explain(library, request, MINI)
    reader = library.reader(MINI, MINI)
    auction = service.auction_of(request)
    reading = reader.read(auction)
    library.forget()
    assert library.reader(MINI, MINI) is reader
    assert reader.read(auction) is not reading
    assert reader.read(auction).meanings == reading.meanings
    assert service.explain(library, request, MINI) == before


def test_ten_forgettings_leave_no_more_than_the_first() -> None:
    library = service.Library(open_system)
    left = []
    for _ in range(10):
        for call in ("1NT", "1S", "2C", "1H"):
            library.reader(MINI, MINI).read(service.auction_of({"auction": [call]}))
        library.forget()
        gc.collect()
        left.append(sys.getallocatedblocks())
    assert max(left[1:]) <= left[0] + 2_000


def test_a_limit_on_address_space_is_asked_before_it_is_met() -> None:
    need_address_space(10 * 2**40)  # there is no limit on this process
    asked = (
        "import resource; from bidwright.runtime.memory import need_address_space; "
        "most = 2**30; resource.setrlimit(resource.RLIMIT_AS, (most, most)); "
        "need_address_space(2**20); need_address_space(most)"
    )
    result = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True)
    assert result.stderr.endswith(
        "MemoryError: the limit on address space leaves less than 1024 MB\n"
    )
