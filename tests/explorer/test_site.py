"""The static site: its answers are the server's, and a run goes on where another stopped."""

from __future__ import annotations

import gzip
import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from bidwright import Auction, BidwrightError, Seat
from bidwright.bridge.calls import parse_call
from bidwright.bridge.typed_auction import read_typed
from bidwright.cli import main
from bidwright.explorer.answering import PageQuestion, answer
from bidwright.explorer.page_systems import PageSystems
from bidwright.explorer.site import static_site
from bidwright.explorer.site.answer_shards import ShardFile, ShardWriter
from bidwright.explorer.site.reached_auctions import (
    AnswerShard,
    first_calls,
    of_boards,
    of_files,
    shards_of,
)
from bidwright.explorer.site.reading_pages import (
    CONVENTIONS,
    PageOrder,
    _header_text,
    packaged_conventions,
    template,
    write_page,
)
from bidwright.explorer.site.static_site import SiteSettings, build_site
from bidwright.kb.loading.convention_names import other_names
from bidwright.kb.loading.load import load
from bidwright.runtime.crew import work

MINI = str(Path(__file__).parents[1] / "systems" / "mini.bid")
ADDRESS = "https://example.org/below/"
_NODE = shutil.which("node")
needs_node = pytest.mark.skipif(_NODE is None, reason="there is no node on this machine")


def calls_of(text: str) -> tuple[Any, ...]:
    return tuple(parse_call(word) for word in text.split())


def unpacked(path: Path) -> Any:  # noqa: ANN401 - JSON
    return json.loads(gzip.decompress(path.read_bytes()))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "out"
    settings = SiteSettings(
        {"mini": MINI}, first=1, corpus=[calls_of("1NT P 2C P 2D")], address=ADDRESS, pages=False
    )
    build_site(out, settings)
    return out


def answers(site: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each auction with its answers, found as the page finds them."""
    manifest = json.loads((site / "site.json").read_text(encoding="utf-8"))
    for system in manifest["systems"]:
        folder = site / "data" / system["name"]
        for before, name in unpacked(folder / f"{system['index']}.gz")["none"].items():
            for last, entry in unpacked(folder / f"{name}.gz").items():
                yield " ".join([*before.split("-"), last]).strip() if last else "", entry


def test_longer_auctions_are_there_if_enough_boards_begin_with_them() -> None:
    boards = [calls_of("1NT P 2C P 2D P P P"), calls_of("1NT P 2C P 2H"), calls_of("1S P P P")]
    begun = set(of_boards(boards, always=2, most=5, seen=2))
    assert calls_of("1S P") in begun
    assert calls_of("1S P P") not in begun
    assert calls_of("1NT P 2C P") in begun
    assert calls_of("1NT P 2C P 2D") not in begun
    assert max(map(len, of_boards(boards, always=2, most=5, seen=1))) == 5


def test_every_first_call_is_there_once() -> None:
    assert [len(set(first_calls(number))) for number in range(3)] == [1, 37, 738]
    assert all(len(calls) <= 2 for calls in first_calls(2))


def test_an_auction_brings_its_beginnings() -> None:
    shards = shards_of([calls_of("1NT P 2C"), calls_of("1NT P 2D")])
    assert shards == [
        AnswerShard("begin", ("",)),
        AnswerShard("", ("1NT",)),
        AnswerShard("1NT", ("P",)),
        AnswerShard("1NT-P", ("2C", "2D")),
    ]
    assert list(shards[3].auctions()) == [("2C", "1NT P 2C"), ("2D", "1NT P 2D")]


def test_the_answers_are_the_servers_byte_for_byte(site: Path) -> None:
    systems = PageSystems({"mini": MINI})
    asked = 0
    for auction, entry in answers(site):
        if auction not in ("", "1NT", "1NT P", "1NT P 2C", "1NT P 2C P 2D", "7NT"):
            continue
        query = {"auction": auction, "ns": "mini", "ew": "mini", "dealer": "N", "vul": "none"}
        for kind, reply in entry.items():
            place = {"place": str(len(auction.split()) - 1)} if kind == "call" else {}
            request: PageQuestion = {"do": kind, "query": {**query, **place}, "texts": {}}
            assert json.dumps(reply) == json.dumps(answer(systems, request))
            asked += 1
    assert asked == 6 * 3 - 1  # the auction without a call has no last call to explain


@pytest.mark.system
def test_sayc_answers_as_the_server_does_over_http(client: Any, tmp_path: Path) -> None:  # noqa: ANN401
    rng = random.Random(5)
    write = ShardWriter({})
    two_calls = [each for each in first_calls(2) if len(each) == 2]
    for number, calls in enumerate(rng.sample(two_calls, 12)):
        before, last = str(calls[0]), str(calls[1])
        path = tmp_path / f"{number}.gz"
        write(ShardFile("sayc", "none", AnswerShard(before, (last,)), str(path)))
        text = gzip.decompress(path.read_bytes())
        for kind, reply in json.loads(text)[last].items():
            query = {"auction": f"{before} {last}", "ns": "sayc", "ew": "sayc"}
            if kind == "call":
                query["place"] = "1"
            got = client.get(f"/api/{kind}", params=query)
            if got.status_code == 200:
                assert b'{"answer": ' + got.content + b"}" in text
            else:
                assert reply == {"refused": got.json()["error"]}


def test_what_is_there_is_kept_and_what_nothing_names_goes(site: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(site, out)
    smaller = SiteSettings({"mini": MINI}, first=1, address=ADDRESS, pages=False)
    before = {path: path.stat().st_mtime_ns for path in out.glob("data/mini/*.gz")}
    size = build_site(out, smaller)
    after = {path: path.stat().st_mtime_ns for path in out.glob("data/mini/*.gz")}
    shards = {path for path in after if not path.name.startswith("index-")}
    assert size.reused == len(shards) == size.shards
    assert all(after[path] == before[path] for path in shards)
    assert len(shards) < len(before)


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    settings = SiteSettings({"mini": MINI}, first=1, corpus=[calls_of("1NT P 2C")], pages=False)
    position: dict[str, Any] = {"answer": {"calls": []}}
    monkeypatch.setattr(ShardWriter, "_answers", lambda *_: {"position": position})

    def interrupted(*arguments: Any, **options: Any) -> Iterator[Any]:  # noqa: ANN401
        results = work(*arguments, **options)
        yield next(results)
        yield next(results)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(static_site, "work", interrupted)
        with pytest.raises(KeyboardInterrupt):
            build_site(out, settings)
    size = build_site(out, settings)
    assert (size.reused, size.shards) == (2, 4)
    assert [auction for auction, _ in answers(out) if auction.startswith("1NT")] == [
        "1NT",
        "1NT P",
        "1NT P 2C",
    ]


def test_the_first_page_has_its_first_answers_and_names_no_root(site: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    assert 'src="/' not in page
    assert 'href="/' not in page
    values = json.loads(page.partition('id="site">')[2].partition("</script>")[0])
    assert values["begins"]["content"][""]["position"]["answer"]["calls"] == []
    for name in ("main.js", "shards.js", "typed.js", "style.css"):
        assert (site / "static" / name).exists()
    worker = (site / "worker.js").read_text(encoding="utf-8")
    assert '"VERSION"' not in worker
    assert '"static/shards.js"' in worker


def test_the_sitemap_and_the_missing_page_have_the_address(site: Path) -> None:
    assert f"<loc>{ADDRESS}library/</loc>" in (site / "sitemap.xml").read_text(encoding="utf-8")
    missing = (site / "404.html").read_text(encoding="utf-8")
    assert 'href="/below/library/"' in missing
    assert "bidwright serve" in missing


def test_a_convention_has_a_page_of_its_own(tmp_path: Path) -> None:
    order = PageOrder(
        CONVENTIONS,
        "landy",
        packaged_conventions()["landy"],
        str(tmp_path),
        ADDRESS,
        "Ours",
        explored=False,
    )
    entry = write_page(order)
    page = (tmp_path / "conventions" / "landy" / "index.html").read_text(encoding="utf-8")
    assert "<title>Landy · Ours</title>" in page
    assert 'content="Landy: over their one notrump two clubs shows both majors.' in page
    assert f'<link rel="canonical" href="{ADDRESS}conventions/landy/">' in page
    assert "values = 9..15" in page
    assert "<h2>Examples</h2>" in page
    assert page.count("<summary>Answer</summary>") == 6
    assert (tmp_path / "conventions" / "landy" / "notes.html").exists()
    assert ["(1NT)", "2♣"] in [[pattern, call] for pattern, call, _ in entry["calls"]]
    assert entry["path"] == "conventions/landy/"


def test_a_page_is_found_by_the_other_names_of_its_convention() -> None:
    text = Path(packaged_conventions()["woolsey"]).read_text(encoding="utf-8")
    assert "Multi-Landy" in other_names(text)
    assert other_names('system ours "Ours"\n') == []


def test_the_library_says_no_title_twice() -> None:
    entry = {"path": "conventions/baron/", "title": "Baron", "text": "Baron: two spades asks."}
    about = {"title": "Ours", "address": "", "systems": []}
    library = template("library.html.j2").render(**about, conventions=[entry])
    assert '<span class="quiet">two spades asks.</span>' in library


def test_boards_without_hands_give_auctions(tmp_path: Path) -> None:
    path = tmp_path / "boards.jsonl"
    path.write_text('{"auction": "1N P 3N P P P"}\n{"no": 1}\n{"auction": ["1S", "P"]}\n')
    assert list(of_files([path])) == [calls_of("1NT P 3NT P P P"), calls_of("1S P")]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["{there}"], "expected an empty folder, or a site of bidwright"),
        (["{new}", "--system", "nosuch"], "or a file such as my_system.bid, got 'nosuch'"),
        (["{new}", "--system", "sayc", "--system", "sayc"], "with different names, got 'sayc'"),
        (["{new}", "--url", "example.org"], "expected an address such as https://example.org/"),
        (["{new}", "--vul", "green"], "green"),
        (["{new}", "--corpus", "{there}/x.jsonl"], "there/x.jsonl"),
    ],
)
def test_bad_input_is_a_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    (there / "letter.txt").write_text("dear all")
    arguments = [word.format(there=there, new=tmp_path / "new") for word in words]
    assert main(["site", *arguments]) == 2
    message = capsys.readouterr().err
    assert sentence in message
    assert message.count("\n") == 1


# ---------------------------------------------------------------------- in the page


def _by_node(script: str, given: object) -> Any:  # noqa: ANN401 - JSON
    """Return the result of a function of the page's modules, as node runs them."""
    assert _NODE is not None
    folder = Path(str(files("bidwright.explorer").joinpath("static")))
    program = (
        "import { readFileSync } from 'node:fs';\n"
        "globalThis.document = { getElementById: () => null };\n"
        f"const typed = await import({(folder / 'typed.js').as_uri()!r});\n"
        f"const shards = await import({(folder / 'shards.js').as_uri()!r});\n"
        f"console.log(JSON.stringify(({script})(JSON.parse(readFileSync(0, 'utf8')))));"
    )
    ran = subprocess.run(
        [_NODE, "--input-type=module", "-e", program],
        input=json.dumps(given),
        capture_output=True,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


TYPED = [
    *("", "1S-4S", "1s (2h) x p", "1NT 3NT (X)", "1S (2H) P P X", "1C 1D 1H 1S", "1S,P,4S,P"),
    *("1SP4SPPP", "1nt! 2c? all pass", "P P P P", "(1H) 2C (P) P (X)", "1H - 2H - 4H", "pass 1d"),
    *("1S (P) 4S AP", "1NT (P) 2C (P) 2D P", "1S 2H", "1D 1C", "1S (2H", "hello", "P P P P P"),
    *("1♠ (2♥) 2♠", "1 NT P 3 NT", "1S (P) 2S (3H) 4S (P) (P) (P)", "X", "1H 2H 3H", "(P) 1NT"),
]


def typed_texts(number: int) -> list[str]:
    """Return auctions written in many ways: with brackets, dashes, marks, and passes left out."""
    rng = random.Random(3)
    texts = list(TYPED)
    for _ in range(number):
        auction = Auction(Seat.NORTH)
        words = []
        for place in range(rng.randint(1, 8)):
            if auction.is_over:
                break
            legal = list(auction.legal_calls())
            call = rng.choice([*legal[:3], *legal[:8]])
            auction = auction.with_call(call)
            word = str(call)
            if rng.random() < 0.15 and word == "P":
                continue
            if place % 2 and rng.random() < 0.7:
                word = f"({word})"
            words.append(word)
        texts.append(rng.choice([" ", " ", "-", ", "]).join(words))
    return texts


@needs_node
def test_the_page_reads_typed_auctions_as_the_program_does() -> None:
    texts = typed_texts(1_500)
    program: list[object] = []
    for text in texts:
        try:
            read = read_typed(text, Seat.EAST)
        except BidwrightError:
            program.append(None)
        else:
            auction = read.auction
            calls = [str(call) for call in auction.calls]
            program.append([calls, str(auction), len(read.remarks)])
    script = (
        "(texts) => texts.map((text) => { try { const read = typed.readTyped(text, 'E', 'none');"
        " return [read.calls, read.text, read.remarks.length]; } catch { return null; } })"
    )
    page = _by_node(script, texts)
    assert [each for each in zip(texts, page, program, strict=True) if each[1] != each[2]] == []
    assert 5 < program.count(None) < len(texts) / 2


@needs_node
@pytest.mark.parametrize("dealer", ["E", "S", "W"])
def test_another_dealer_has_the_same_answers_with_other_seats(dealer: str) -> None:
    systems = PageSystems({"mini": MINI})

    def asked(kind: str, **more: str) -> Any:  # noqa: ANN401 - JSON
        query = {"auction": "1NT P 2C", "ns": "mini", "ew": "mini", **more}
        return answer(systems, {"do": kind, "query": query, "texts": {}})["answer"]

    # Of another dealer the side that is vulnerable, if one is, is the same one by its calls.
    north = {"dealer": "N", "vul": "ns"}
    here = {"dealer": dealer, "vul": "ns" if dealer == "S" else "ew"}
    script = (
        f"(given) => given.map(([kind, value]) => shards.turnedAnswer(kind, value, '{dealer}'))"
    )
    kinds = ("position", "call", "chosen")
    page = _by_node(script, [[kind, asked(kind, **north)] for kind in kinds])
    assert page == [asked(kind, **here) for kind in kinds]


def test_the_modules_that_are_fetched_at_once_are_those_of_the_first_view() -> None:
    folder = Path(str(files("bidwright.explorer").joinpath("static")))
    needed, left = {"main.js"}, ["main.js"]
    while left:
        text = (folder / left.pop()).read_text(encoding="utf-8")
        fresh = set(re.findall(r'^import .*?"\./(\w+\.js)";$', text, re.MULTILINE)) - needed
        needed |= fresh
        left += fresh
    assert needed - {"main.js"} == set(static_site._FIRST_VIEW)


def test_a_text_for_check_is_no_text_for_readers() -> None:
    system = load(packaged_conventions()["blackwood"])
    assert "W422" in next(iter(system.texts.values())).partition("\n\n")[0]
    assert "W422" not in _header_text(system)
    assert _header_text(system).startswith("Blackwood, four aces:")
