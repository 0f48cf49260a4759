"""The language server, asked by a real client over the pipes of its own process.

One server serves the whole module; each test has a folder of its own in the server's folder, and
closes what it opened.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from bidwright.cli import main

sys.path.insert(0, str(Path(__file__).parent))
from editor_client import Editor  # type: ignore[import-not-found]  # beside this file

MAIN = """system small "A small system"

include stayman(over = 1NT)
include later

# Two of the top three honours.
let good(S) = top3(S) 2+

opening "Openings"
  1NT "15 to 17" hcp 15..17, balanced
  strong: 1S "five spades" spades 5+, hcp 12..21, good(spades)
    2S "raise" spades 3+, hcp 6..9
  1H "five good hearts" hearts 5+, hcp 12..21, good(H)
  pass; last resort

after 1X (P) "One of a suit"
  2X "raise" X 4+, hcp 6..9
  bid(Y) "a suit" Y 5+, good(Y), hcp 10+; forcing
  pass

example KQ4.AQ8.K9873.K2 -> 1NT
"""
STAYMAN = """convention stayman(over = 2NT, low = 8) "Stayman"
  source "Sam Stayman"

after over (P)
  ask: 2C "four-card major?" hcp >= low, hearts 4 or spades 4; artificial, forcing, asks major
    2H "hearts" hearts 4; answers major
    2D "none" ; artificial, answers major
"""
LATER = """after 1S (P)
  3S "limit raise" spades 4+, hcp 10..12, good(S); invitational
  pass

override small.strong
  1S "light" spades 5+, hcp 10..21
"""
BROKEN = MAIN.replace('  2X "raise" X 4+, hcp 6..9', '  2X "raise" X 4+, hcp 6..')


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    editor = Editor(tmp_path_factory.mktemp("systems"))
    yield editor
    editor.stop()


class Desk:
    """Files of one test, opened in the server that all tests share."""

    def __init__(self, editor: Editor, name: str) -> None:
        """Make the test's folder."""
        self.editor = editor
        self.client = editor.client
        self.name = name
        self.opened: list[str] = []
        (editor.folder / name).mkdir()

    def put(self, file: str, text: str) -> str:
        """Write a file; return what the editor calls it."""
        (self.editor.folder / self.name / file).write_text(text, encoding="utf-8")
        return f"{self.name}/{file}"

    def open(self, file: str, text: str | None = None) -> str:
        """Open a file that is there."""
        name = f"{self.name}/{file}"
        self.editor.open(name, text)
        self.opened.append(name)
        return name

    def system(self) -> str:
        """Write the small system, and open its first file."""
        self.put("stayman.bid", STAYMAN)
        self.put("later.bid", LATER)
        self.put("system.bid", MAIN)
        return self.open("system.bid")

    def codes(self, name: str) -> list[str]:
        """Return the codes of a file's diagnostics but those of proofs and examples."""
        codes = [str(each.code) for each in self.editor.problems(name)]
        return [code for code in codes if code[1] != "4"]

    def texts(self, edit: types.WorkspaceEdit | None) -> dict[str, str]:
        """Return the files that an edit changes, as it leaves them."""
        assert edit is not None
        assert edit.changes is not None
        return {
            Path(uri).name: _edited(Path(uri.removeprefix("file://")).read_text("utf-8"), changes)
            for uri, changes in edit.changes.items()
        }


def _edited(text: str, changes: Sequence[Any]) -> str:
    lines = text.split("\n")
    for each in sorted(changes, key=lambda c: c.range.start, reverse=True):
        start, end = each.range.start, each.range.end
        tail = lines[end.line][end.character :] if end.line < len(lines) else ""
        new = lines[start.line][: start.character] + each.new_text + tail
        lines[start.line : end.line + 1] = new.split("\n")
    return "\n".join(lines)


@pytest.fixture
def desk(server: Editor, request: pytest.FixtureRequest) -> Iterator[Desk]:
    desk = Desk(server, f"{request.node.originalname}_{len(list(server.folder.iterdir()))}")
    yield desk
    for name in desk.opened:
        server.close(name)
    assert not [text for text in server.messages if "rror" in text]


# ---------------------------------------------------------------- diagnostics


def test_a_sound_file_has_no_problems(desk: Desk) -> None:
    assert desk.codes(desk.system()) == []


def test_typing_brings_and_mends_a_problem(desk: Desk) -> None:
    name = desk.system()
    desk.editor.type(name, '2X "raise" X@ 4+', "x")
    [problem] = [each for each in desk.editor.problems(name) if str(each.code)[1] != "4"]
    assert (problem.code, problem.source) == ("E201", "bidwright")
    start = desk.editor.position(name, '2X "raise" @Xx 4+')
    assert problem.range == types.Range(start, types.Position(start.line, start.character + 2))
    desk.editor.write(name, MAIN)
    assert desk.codes(name) == []


def test_half_typed_rule_is_the_only_problem(desk: Desk) -> None:
    name = desk.system()
    desk.editor.write(name, BROKEN)
    assert desk.codes(name) == ["E114"]


def test_an_open_file_counts_as_the_editor_has_it(desk: Desk) -> None:
    name = desk.system()
    later = desk.open("later.bid")
    desk.editor.write(name, MAIN.replace("let good(S)", "let sound(S)"))
    assert desk.codes(later) == ["E201"]
    desk.editor.write(later, LATER.replace("good(S)", "sound(S)"))
    assert desk.codes(later) == []
    assert "E201" in desk.codes(name)


def test_a_closed_file_counts_as_it_is_on_the_disk(desk: Desk) -> None:
    name = desk.system()
    later = desk.open("later.bid", LATER.replace("good(S)", "fine(S)"))
    assert desk.codes(later) == ["E201"]
    desk.editor.close(desk.opened.pop())
    assert desk.codes(later) == []
    assert desk.codes(name) == []


def test_a_change_on_the_disk_is_noticed(desk: Desk) -> None:
    name = desk.system()
    later = desk.put("later.bid", LATER.replace("good(S)", "fine(S)"))
    assert "workspace/didChangeWatchedFiles" in desk.editor.registered
    change = types.FileEvent(desk.editor.uri(later), types.FileChangeType.Changed)
    desk.editor.send(
        desk.client.workspace_did_change_watched_files, types.DidChangeWatchedFilesParams([change])
    )
    desk.codes(name)
    assert desk.codes(later) == ["E201"]


def test_a_file_may_be_included_before_it_is_saved(desk: Desk) -> None:
    desk.put("system.bid", 'system s "S"\ninclude new\nopening\n  pass\n')
    name = desk.open("system.bid")
    assert desk.codes(name) == ["E301"]
    desk.open("new.bid", "after 1C (P)\n  pass\n")
    assert desk.codes(name) == []


def test_a_fragment_is_looked_at_in_its_system(desk: Desk) -> None:
    desk.put("stayman.bid", STAYMAN)
    desk.put("system.bid", MAIN)
    desk.put("later.bid", LATER)
    assert desk.codes(desk.open("later.bid")) == []


def test_places_are_counted_in_utf16(desk: Desk) -> None:
    name = desk.put("wide.bid", 'opening\n  1S "\U0001f0a1\u2660 spades" spade 5+\n  pass\n')
    desk.open("wide.bid")
    [problem] = desk.editor.problems(name)
    line = '  1S "XX\u2660 spades" '
    assert problem.range.start == types.Position(1, len(line))


def test_failing_examples_come_in_the_background_and_go_with_their_line(desk: Desk) -> None:
    name = desk.system()
    text = MAIN.replace("-> 1NT\n", "-> 1S\n")
    desk.editor.write(name, text)
    desk.editor.until(name, lambda found: "E401" in [each.code for each in found])
    assert any(step.startswith("examples") for step in desk.editor.steps)
    desk.editor.type(name, "@# Two of", "\n\n")
    [problem] = [each for each in desk.editor.problems(name) if each.code == "E401"]
    assert problem.range.start.line == desk.editor.position(name, "@example").line
    desk.editor.write(name, MAIN)
    assert "E401" not in [each.code for each in desk.editor.problems(name)]


@pytest.mark.system
def test_proofs_come_in_the_background_and_may_be_allowed(desk: Desk) -> None:
    any_hand = "1C hcp 12+  # allow W434: of any shape"
    text = f'system s "S"\nopening\n  {any_hand}\n  1S spades 5+, hcp 13+\n  pass\n'
    name = desk.put("system.bid", text)
    desk.open("system.bid")
    desk.editor.until(name, lambda found: [each.code for each in found] == ["E411"])
    [problem] = desk.editor.problems(name)
    assert "this rule is never used" in problem.message
    action = _actions(desk, name, "  1@S")["Allow E411 here, with a reason"]
    text = desk.texts(action.edit)["system.bid"]
    assert "  1S spades 5+, hcp 13+  # allow E411: \n" in text
    desk.editor.write(name, text.replace("E411: ", "E411: a test needs it"))
    assert not desk.editor.problems(name)


# --------------------------------------------------------------------- hover


def _hover(desk: Desk, name: str, spot: str) -> str:
    found = desk.editor.at(desk.client.text_document_hover_async, types.HoverParams, name, spot)
    if found is None:
        return ""
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


@pytest.mark.system
def test_hover_tells_what_a_call_shows_and_denies_and_how_often_it_comes_up(desk: Desk) -> None:
    text = _hover(desk, desk.system(), '1@H "five good')
    assert text.startswith("**1\u2665** after `opening`")
    assert "the text says: \u201cfive good hearts\u201d" in text
    assert "needs: 12-21 HCP, 5+ \u2665, 2+ of the top three \u2665" in text
    assert "denies: " in text
    assert "of the hands that get here" in text
    assert "(system.bid:13)" in text


def test_hover_goes_on_with_the_last_good_text(desk: Desk) -> None:
    name = desk.system()
    before = _hover(desk, name, '1@H "five good')
    desk.editor.write(name, BROKEN)
    assert _hover(desk, name, '1@H "five good') == before


@pytest.mark.parametrize(
    ("spot", "text"),
    [
        ("spa@des 5+, hcp 12..21, good(sp", "`spades`: cards in spades"),
        ("good(sp@ades", "`spades`: cards in spades"),
        ("go@od(spades)", "let good(S) = top3(S) 2+"),
        ("go@od(spades)", "Two of the top three honours."),
        ("; for@cing", "`forcing`: partner must not pass"),
        ("include stay@man", "source: Sam Stayman"),
        ("o@ver = 1NT", "- `1NT` in system.bid"),
        ('raise" @X 4+', "`X`: a suit"),
        ("last re@sort", "`last resort`: what is left when nothing else fits"),
    ],
)
def test_hover_on_words(desk: Desk, spot: str, text: str) -> None:
    assert text in _hover(desk, desk.system(), spot)


def test_hover_says_nothing_in_texts(desk: Desk) -> None:
    assert _hover(desk, desk.system(), "# Two @of the top") == ""


# ---------------------------------------------------------------------- names


def _definition(desk: Desk, name: str, spot: str) -> list[tuple[str, int]]:
    found = desk.editor.at(
        desk.client.text_document_definition_async, types.DefinitionParams, name, spot
    )
    assert isinstance(found, list)
    return [(Path(each.uri).name, each.range.start.line + 1) for each in found]


def _references(desk: Desk, name: str, spot: str, *, declared: bool = True) -> set[tuple[str, int]]:
    found = desk.editor.at(
        desk.client.text_document_references_async,
        types.ReferenceParams,
        name,
        spot,
        context=types.ReferenceContext(declared),
    )
    return {(Path(each.uri).name, each.range.start.line + 1) for each in found or ()}


@pytest.mark.parametrize(
    ("file", "spot", "place"),
    [
        ("system.bid", "go@od(spades)", ("system.bid", 7)),
        ("later.bid", "go@od(S)", ("system.bid", 7)),
        ("system.bid", "include stay@man", ("stayman.bid", 1)),
        ("system.bid", "include lat@er", ("later.bid", 1)),
        ("system.bid", "o@ver = 1NT", ("stayman.bid", 1)),
        ("stayman.bid", "after ov@er", ("stayman.bid", 1)),
        ("stayman.bid", "hcp >= l@ow", ("stayman.bid", 1)),
        ("later.bid", "small.str@ong", ("system.bid", 11)),
        ("system.bid", "top3(@S)", ("system.bid", 7)),
        ("system.bid", "Y 5+, good(@Y)", ("system.bid", 18)),
        ("system.bid", '2@X "raise', ("system.bid", 16)),
        ("stayman.bid", "hearts 4; answers ma@jor", ("stayman.bid", 5)),
    ],
)
def test_definition(desk: Desk, file: str, spot: str, place: tuple[str, int]) -> None:
    desk.system()
    assert _definition(desk, desk.open(file) if file != "system.bid" else desk.opened[0], spot) == [
        place
    ]


def test_references_across_files(desk: Desk) -> None:
    name = desk.system()
    expected = {("system.bid", line) for line in (7, 11, 13, 18)} | {("later.bid", 2)}
    assert _references(desk, name, "let go@od(") == expected
    assert _references(desk, name, "let go@od(", declared=False) == expected - {("system.bid", 7)}
    assert _references(desk, name, "str@ong: 1S") == {("system.bid", 11), ("later.bid", 5)}


def test_letters_are_local_to_their_block(desk: Desk) -> None:
    name = desk.system()
    assert _references(desk, name, 'raise" @X 4+') == {("system.bid", 16), ("system.bid", 17)}
    assert _references(desk, name, "bid(@Y)") == {("system.bid", 18)}


BLOCKS = """\
system blocks "Named things"

# What partner does over a relay.
block answers
  2NT "strong" strong
  2M "weak" weak(M)

opening
  2D; artificial, forcing, asks hand
    either weak(M): "weak" M 6, oM ..3, hcp 5..10
    either strong: "strong" hcp 20..21, balanced
    2H "which?"; artificial
      use answers
  pass

after 2D (P) 2H (P) any (P)
  4M "game" partner_shows(weak, M), M 4+
  3NT partner_shows(strong)
  pass

answer hand in X
  3X "my suit" X 5+
"""


@pytest.mark.parametrize(
    ("spot", "line"),
    [
        ("use an@swers", 4),
        ('strong" str@ong\n', 11),
        ('weak" we@ak(M)\n', 10),
        ("shows(str@ong)", 11),
        ("shows(we@ak, M)", 10),
    ],
)
def test_definition_of_blocks_and_alternatives(desk: Desk, spot: str, line: int) -> None:
    desk.put("blocks.bid", BLOCKS)
    name = desk.open("blocks.bid")
    assert _definition(desk, name, spot) == [("blocks.bid", line)]


def test_names_in_blocks_and_answers_are_found(desk: Desk) -> None:
    desk.put("blocks.bid", BLOCKS)
    name = desk.open("blocks.bid")
    assert _references(desk, name, "block an@swers") == {("blocks.bid", 4), ("blocks.bid", 13)}
    strong = {("blocks.bid", line) for line in (5, 11, 18)}
    assert _references(desk, name, "either str@ong:") == strong
    assert _references(desk, name, "asks ha@nd") == {("blocks.bid", 9), ("blocks.bid", 21)}
    assert _references(desk, name, "answer hand in @X") == {
        ("blocks.bid", 21),
        ("blocks.bid", 22),
    }


@pytest.mark.parametrize(
    ("spot", "text"),
    [
        ("use an@swers", '2NT "strong" strong'),
        ("use an@swers", "What partner does over a relay."),
        ("shows(str@ong)", "let strong = hcp 20..21, balanced"),
        ("us@e answers", "`use`: the rules of a named block stand here"),
        ("eith@er strong", "`either`: one of several meanings of the call above, with a name"),
    ],
)
def test_hover_on_blocks_and_alternatives(desk: Desk, spot: str, text: str) -> None:
    desk.put("blocks.bid", BLOCKS)
    assert text in _hover(desk, desk.open("blocks.bid"), spot)


# --------------------------------------------------------------------- rename


def _rename(desk: Desk, name: str, spot: str, new: str) -> dict[str, str]:
    edit = desk.editor.at(
        desk.client.text_document_rename_async, types.RenameParams, name, spot, new_name=new
    )
    return desk.texts(edit)


def test_rename_a_definition_everywhere(desk: Desk) -> None:
    changed = _rename(desk, desk.system(), "go@od(spades)", "solid")
    assert changed == {
        "system.bid": MAIN.replace("good(", "solid("),
        "later.bid": LATER.replace("good(", "solid("),
    }


def test_rename_a_rule_everywhere(desk: Desk) -> None:
    changed = _rename(desk, desk.system(), "str@ong: 1S", "spade")
    assert changed == {
        "system.bid": MAIN.replace("strong:", "spade:"),
        "later.bid": LATER.replace("small.strong", "small.spade"),
    }


def test_rename_a_parameter_everywhere(desk: Desk) -> None:
    changed = _rename(desk, desk.system(), "o@ver = 1NT", "opened")
    assert changed == {
        "system.bid": MAIN.replace("over =", "opened ="),
        "stayman.bid": STAYMAN.replace("over", "opened"),
    }


def test_rename_a_letter_and_an_argument(desk: Desk) -> None:
    name = desk.system()
    changed = _rename(desk, name, "bid(@Y)", "Z")
    assert changed["system.bid"] == MAIN.replace("bid(Y)", "bid(Z)").replace(
        "Y 5+, good(Y)", "Z 5+, good(Z)"
    )
    changed = _rename(desk, name, "good(@S) =", "suit")
    assert changed["system.bid"] == MAIN.replace("good(S) = top3(S)", "good(suit) = top3(suit)")


@pytest.mark.parametrize(
    ("spot", "new", "reason"),
    [
        ("go@od(spades)", "hcp", "'hcp' is a word of the language"),
        ("go@od(spades)", "over", "'over' is already a name, in "),
        ("go@od(spades)", "two words", "expected a name of letters, digits and _"),
        ("bid(@Y)", "X", "'X' stands for another suit in these rules already"),
        ("bid(@Y)", "T", "expected X, Y, Z or W for a suit"),
        ('@1NT "15', "x", "this rule has no label: its id follows from its auction"),
        ("include stay@man", "x", "a module goes by the name of its file"),
        ("@hcp 15..17", "x", "'hcp' is a word of the language"),
        ("15 @to 17", "x", "there is no name here"),
    ],
)
def test_unsafe_renames_are_refused(desk: Desk, spot: str, new: str, reason: str) -> None:
    name = desk.system()
    with pytest.raises(JsonRpcException) as caught:
        _rename(desk, name, spot, new)
    assert reason in caught.value.message


def test_rename_waits_until_mistakes_are_mended(desk: Desk) -> None:
    name = desk.system()
    desk.editor.write(name, BROKEN)
    with pytest.raises(JsonRpcException) as caught:
        _rename(desk, name, "go@od(spades)", "fine")
    assert "system.bid has mistakes: mend them before renaming" in caught.value.message


# -------------------------------------------------------------------- outline


def test_outline_is_the_tree_of_auctions(desk: Desk) -> None:
    name = desk.system()
    found = desk.editor.ask(
        desk.client.text_document_document_symbol_async, types.DocumentSymbolParams, name
    )
    tree = [(each.name, [child.name for child in each.children or ()]) for each in found or ()]
    assert tree == [
        ("system small", []),
        ("include stayman", []),
        ("include later", []),
        ("good(S)", []),
        ("opening", ["1NT", "strong: 1S", "1H", "pass"]),
        ("1X (P)", ["2X", "bid(Y)", "pass"]),
    ]
    opening: Any = (found or [])[4]
    assert [each.name for each in opening.children[1].children] == ["2S"]
    assert opening.children[1].detail == "five spades"


def test_outline_has_blocks_answers_and_alternatives(desk: Desk) -> None:
    desk.put("blocks.bid", BLOCKS)
    found: Any = desk.editor.ask(
        desk.client.text_document_document_symbol_async,
        types.DocumentSymbolParams,
        desk.open("blocks.bid"),
    )
    assert [each.name for each in found or ()] == [
        "system blocks",
        "block answers",
        "opening",
        "2D (P) 2H (P) any (P)",
        "answer hand",
    ]
    opening = found[2].children[0]
    assert [each.name for each in opening.children] == ["either weak", "either strong", "2H"]


def test_rules_are_found_in_the_workspace(desk: Desk) -> None:
    desk.system()
    params = types.WorkspaceSymbolParams("stayman ask")
    found = desk.editor.wait(desk.client.workspace_symbol_async(params))
    names = {(each.name, Path(each.location.uri).name) for each in found or ()}
    assert ('stayman.ask "four-card major?"', "stayman.bid") in names


def test_folds(desk: Desk) -> None:
    name = desk.system()
    found = desk.editor.ask(
        desk.client.text_document_folding_range_async, types.FoldingRangeParams, name
    )
    assert [(each.start_line, each.end_line) for each in found or ()] == [
        (8, 13),
        (10, 11),
        (15, 18),
    ]


# ----------------------------------------------------------------- completion


def _completion(desk: Desk, name: str, spot: str) -> dict[str, types.CompletionItem]:
    found = desk.editor.at(
        desk.client.text_document_completion_async, types.CompletionParams, name, spot
    )
    assert isinstance(found, list)
    return {each.label: each for each in found}


def _typed(desk: Desk, text: str) -> dict[str, types.CompletionItem]:
    """Return the completions after a text that stands in place of `example` in the system."""
    name = desk.system()
    place = MAIN.index("example")
    desk.editor.write(name, f"{MAIN[:place]}{text}<\n{MAIN[place:]}")
    spot = f"{text.rpartition(chr(10))[2]}@<"
    return _completion(desk, name, spot)


def test_completion_of_calls_is_what_is_legal_there(desk: Desk) -> None:
    name = desk.system()
    found = _completion(desk, name, '  @2S "raise"')
    assert {"pass", "2S", "7NT", "2C", "bid(", "may"} <= set(found)
    assert not {"1S", "1H", "X", "XX"} & set(found)
    calls = _completion(desk, name, '  @bid(Y) "a suit"')
    assert {"2X", "3X"} <= set(calls)
    assert "1X" not in calls
    assert calls["2X"].sort_text is not None


def test_completion_after_their_double(desk: Desk) -> None:
    found = _typed(desk, "after 1H (X)\n  ")
    assert "XX" in found
    assert "X" not in found


def test_completion_in_a_condition(desk: Desk) -> None:
    found = _typed(desk, "after 1M (P)\n  2M ")
    assert {"hcp", "balanced", "stopper(", "partner.hcp.min", "good(", "M", "oM"} <= set(found)
    assert found["hcp"].documentation == "high-card points: A 4, K 3, Q 2, J 1"
    assert found["good("].detail == "good(S) = top3(S) 2+"
    assert "its suit from the calls before" in (found["M"].detail or "")
    assert "forcing" not in found


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("after 1NT (P)\n  2C hcp 8+; ", "artificial", "hcp"),
        ("after 1NT (P)\n  2C hcp 8+; ", "last resort", "hcp"),
        ("after 1NT (P)\n  jud", "judgement", "hcp"),
        ("after 1NT (P)\n  judgement\n    ", "2C", "1C"),
        ("after 1NT (P)\n  group strong\n    ", "2C", "1C"),
        ("order strong > rest\nafter 1NT (P)\n  2C hcp 8+; group ", "strong", "hcp"),
        ("order strong > rest\nafter 1NT (P)\n  group ", "strong", "2C"),
        ("after 1NT (P)\n  me", "measured", "hcp"),
        ("ord", "order", "hcp"),
        ("include stayman for ", "stayman", "after"),
        ("after 1NT (P)\n  2C hcp 8+; asks ma", "major", "hcp"),
        ("after 1NT (P)\n  2C partner_last(", "natural", "hcp"),
        ("after 1NT ", "(P)", "(X)_"),
        ("after 1NT (", "P", "1C"),
        ("after 1NT (P) when ", "vulnerable", "2C"),
        ("aft", "after", "hcp"),
        ("include ", "stayman", "after"),
        ("include stayman(", "over = ", "after"),
        ("override sm", "small.strong", "after"),
        ("override let ", "good(", "after"),
        ("let x(S) = ", "S", "after"),
        ("example KQ4.AQ8.K9873.K2 after 1NT (P) -> ", "2C", "1C"),
        ("example KQ4.AQ8.K9873.K2 vul ", "both", "after"),
    ],
)
def test_completion_by_context(desk: Desk, text: str, wanted: str, unwanted: str) -> None:
    found = _typed(desk, text)
    assert wanted in found
    assert unwanted not in found


def test_completion_replaces_the_word_that_was_begun(desk: Desk) -> None:
    found = _typed(desk, "after 1NT (P)\n  2C partner.hc")
    edit = found["partner.hcp.min"].text_edit
    assert isinstance(edit, types.TextEdit)
    assert edit.range.end.character - edit.range.start.character == len("partner.hc")


def test_no_completion_in_texts(desk: Desk) -> None:
    assert not _typed(desk, 'after 1NT (P)\n  2C "a text ')


# -------------------------------------------------- fixes, formatting, commands


def _actions(desk: Desk, name: str, spot: str) -> dict[str, types.CodeAction]:
    where = desk.editor.position(name, spot)
    params = types.CodeActionParams(
        desk.editor.document(name),
        types.Range(where, where),
        types.CodeActionContext(desk.editor.problems(name)),
    )
    found = desk.editor.wait(desk.client.text_document_code_action_async(params))
    return {each.title: each for each in found or () if isinstance(each, types.CodeAction)}


@pytest.mark.parametrize(
    ("old", "new", "title"),
    [
        ("balanced", "balaced", "Write 'balanced'"),
        ("hcp 15..17", "hcp 17..15", "Write 15..17"),
        ("include later", "include latr", "Write 'later'"),
        ("  1H ", "  1h ", "Write '1H'"),
        ("12..21, good(H)", "12..21 && good(H)", "Write ','"),
    ],
)
def test_suggestions_are_quick_fixes(desk: Desk, old: str, new: str, title: str) -> None:
    name = desk.system()
    wrong = MAIN.replace(old, new, 1)
    desk.put("system.bid", wrong)
    desk.editor.write(name, wrong)
    problem = next(each for each in desk.editor.problems(name) if str(each.code)[1] != "4")
    line = wrong.split("\n")[problem.range.start.line]
    column = problem.range.start.character
    found = _actions(desk, name, f"{line[:column]}@{line[column:]}")
    assert title in found, problem
    action = found[title]
    fixed = desk.texts(action.edit)["system.bid"]
    desk.editor.write(name, fixed)
    assert problem.code not in desk.codes(name)


def test_formatting_keeps_comments(desk: Desk) -> None:
    name = desk.system()
    desk.editor.write(name, MAIN.replace("hcp 15..17, balanced", "hcp 15..17 ,balanced  # ours"))
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    params = types.DocumentFormattingParams(desk.editor.document(name), options)
    edits = desk.editor.wait(desk.client.text_document_formatting_async(params)) or []
    text = _edited(desk.editor._texts[name], edits)
    assert "hcp 15..17, balanced  # ours\n" in text
    desk.editor.write(name, BROKEN)
    assert not desk.editor.wait(desk.client.text_document_formatting_async(params))


def test_lenses_deal_hands_and_run_examples(desk: Desk) -> None:
    name = desk.system()
    found = desk.editor.ask(desk.client.text_document_code_lens_async, types.CodeLensParams, name)
    offered = [
        (each.range.start.line + 1, each.command.title) for each in found or () if each.command
    ]
    assert offered == [
        (9, "deal hands"),
        (16, "deal hands"),
        (21, "run the example"),
        (21, "run"),
    ]
    command = (found or [])[0].command
    assert command is not None
    params = types.ExecuteCommandParams(command.command, command.arguments)
    text = desk.editor.wait(desk.client.workspace_execute_command_async(params))
    lines = [line for line in str(text).split("\n") if line.startswith("example")]
    assert '# opening.1NT "15 to 17" (system.bid:10), at opening' in str(text).split("\n")
    assert [line.rpartition(" ")[2] for line in lines] == ["1NT", "1S", "1H", "pass"]
    shown = Path(desk.editor.shown[-1].removeprefix("file://"))
    assert shown.read_text("utf-8") == text
    desk.editor.write(name, MAIN + "".join(f"{line}\n" for line in lines))
    run = types.ExecuteCommandParams("bidwright.runExamples", [desk.editor.uri(name), None])
    text = str(desk.editor.wait(desk.client.workspace_execute_command_async(run)))
    assert "5 of 5" in text or "5 examples" in text


def test_hands_for_a_rule_come_with_pairs_about_its_thresholds(desk: Desk) -> None:
    name = desk.system()
    line = desk.editor.position(name, '@1NT "15').line + 1
    params = types.ExecuteCommandParams("bidwright.dealHands", [desk.editor.uri(name), line])
    text = str(desk.editor.wait(desk.client.workspace_execute_command_async(params)))
    calls = [each.rpartition(" ")[2] for each in text.split("\n") if each.startswith("example")]
    assert calls[:5] == ["1NT"] * 5
    assert calls[5] == "1NT"
    assert calls[6] != "1NT"
    assert any(each.startswith("# hcp 15..17") for each in text.split("\n"))


def test_what_a_rule_shows_is_written_behind_it(desk: Desk) -> None:
    name = desk.system()
    line = desk.editor.position(name, '@1NT "15').line + 1
    place = types.Position(line - 1, 4)
    offered = desk.editor.wait(
        desk.client.text_document_code_action_async(
            types.CodeActionParams(
                desk.editor.document(name), types.Range(place, place), types.CodeActionContext([])
            )
        )
    )
    assert "Say what it shows" in {each.title for each in offered or []}
    params = types.ExecuteCommandParams("bidwright.sayWhatIsShown", [desk.editor.uri(name), line])
    said = desk.editor.wait(desk.client.workspace_execute_command_async(params))
    assert said == "hcp 15..17, balanced"
    assert desk.editor.edits[-1] == (desk.editor.uri(name), line - 1, f" shows {said}")


def test_a_failing_example_is_told_with_the_rules(desk: Desk) -> None:
    name = desk.system()
    desk.editor.write(name, MAIN.replace("-> 1NT\n", "-> 1S\n"))
    run = types.ExecuteCommandParams("bidwright.runExamples", [desk.editor.uri(name), 21])
    text = str(desk.editor.wait(desk.client.workspace_execute_command_async(run)))
    assert "system.bid:21: expected 1S, got 1NT" in text


def test_semantic_tokens(desk: Desk) -> None:
    name = desk.system()
    found = desk.editor.ask(
        desk.client.text_document_semantic_tokens_full_async, types.SemanticTokensParams, name
    )
    assert found is not None
    legend = desk.editor.answer.capabilities.semantic_tokens_provider
    assert legend is not None
    lines = MAIN.split("\n")
    words, line, column = [], 0, 0
    for index in range(0, len(found.data), 5):
        down, right, width, kind, _ = found.data[index : index + 5]
        line, column = line + down, (0 if down else column) + right
        words.append((lines[line][column : column + width], legend.legend.token_types[kind]))
    assert words[:3] == [
        ("system", "keyword"),
        ("small", "property") if ("small", "property") in words else ('"A small system"', "string"),
        ("include", "keyword"),
    ]
    assert {("good", "function"), ("hcp", "property"), ("forcing", "modifier")} <= set(words)
    assert {("1NT", "enumMember"), ("X", "typeParameter"), ("strong", "label")} <= set(words)


def test_without_pygls_the_verb_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    assert main(["lsp"]) == 2
    assert capsys.readouterr().err == (
        "bidwright: the language server needs the package pygls: "
        "pip install '.[lsp]' in a checkout\n"
    )
