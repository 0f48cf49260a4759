"""Where included files are looked for: beside the file, in the project, in the package."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bidwright.kb.loading.load import Files, UnknownSystemError, includable, included_file, load

PASS = "opening\n  pass\n"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def files_of(path: Path) -> list[str]:
    system = load(path)
    assert system.diagnostics == ()
    root = path.parent.as_posix()
    return [name.removeprefix(f"{root}/") for name in system.texts]


@pytest.mark.parametrize("name", ["stayman", "conventions/stayman"])
def test_convention_of_the_package_is_found_by_its_short_name(tmp_path: Path, name: str) -> None:
    main = write(tmp_path, "system.bid", f'system a "A"\ninclude {name}(over = 1NT)\n{PASS}')
    assert files_of(main) == ["system.bid", "systems/conventions/stayman.bid"]


def test_own_folder_comes_before_the_project_and_the_package(tmp_path: Path) -> None:
    main = write(tmp_path, "system.bid", f'system a "A"\ninclude lib/one\n{PASS}')
    write(tmp_path, "lib/one.bid", "include stayman\n")
    package = files_of(main)
    write(tmp_path, "stayman.bid", "let a = hcp 5+\n")
    project = files_of(main)
    write(tmp_path, "lib/stayman.bid", "let a = hcp 5+\n")
    own = files_of(main)
    assert [each[-1] for each in (package, project, own)] == [
        "systems/conventions/stayman.bid",
        "stayman.bid",
        "lib/stayman.bid",
    ]


@pytest.mark.system
def test_files_of_the_package_do_not_look_in_the_project(tmp_path: Path) -> None:
    main = write(tmp_path, "system.bid", 'system a "A"\ninclude sayc\n')
    write(tmp_path, "conventions/michaels.bid", "let a = hcp 5+\n")
    assert "systems/conventions/michaels.bid" in files_of(main)


def test_path_that_goes_up_inside_the_project_names_each_file_once(tmp_path: Path) -> None:
    main = write(tmp_path, "system.bid", f'system a "A"\ninclude one/x\ninclude lib/y\n{PASS}')
    write(tmp_path, "one/x.bid", "include ../lib/y\n")
    write(tmp_path, "lib/y.bid", "let a = hcp 5+\n")
    assert files_of(main) == ["system.bid", "one/x.bid", "lib/y.bid"]


def test_path_out_of_the_project_is_refused(tmp_path: Path) -> None:
    main = write(tmp_path, "mine/system.bid", f'system a "A"\ninclude ../lib/x\n{PASS}')
    write(tmp_path, "lib/x.bid", "let a = hcp 5+\n")
    [found] = load(main).diagnostics
    assert (found.code, found.span.line) == ("E308", 2)
    assert found.expected == f"a file in '{tmp_path.as_posix()}/mine' or below it"
    assert included_file(main, "../lib/x", Files().exists) is None


def test_message_lists_every_place_and_a_name_that_is_close(tmp_path: Path) -> None:
    main = write(tmp_path, "system.bid", f'system a "A"\ninclude lib/one\n{PASS}')
    write(tmp_path, "lib/one.bid", "include my_dnt\n")
    write(tmp_path, "my_dont.bid", "let a = hcp 5+\n")
    [found] = load(main).diagnostics
    root = tmp_path.as_posix()
    assert found.code == "E301"
    assert (found.expected or "").split(" or ") == [
        f"{root}/lib/my_dnt.bid",
        f"{root}/my_dnt.bid",
        "systems/my_dnt.bid",
        "systems/my_dnt/system.bid",
        "systems/conventions/my_dnt.bid",
    ]
    assert found.help == "did you mean 'my_dont'?"


def test_editor_is_offered_the_project_and_the_conventions(tmp_path: Path) -> None:
    main = write(tmp_path, "system.bid", PASS)
    one = write(tmp_path, "lib/one.bid", PASS)
    assert includable(one, main)[:1] == ["system"]
    offered = set(includable(one, main))
    assert {"stayman", "conventions/stayman", "common/overcalls", "sayc"} <= offered


@pytest.mark.parametrize("name", ["a" * 5_000, "/".join("a" * 3_000)])
def test_a_name_that_no_file_can_have_is_a_file_that_is_not_there(
    tmp_path: Path, name: str
) -> None:
    main = write(tmp_path, "system.bid", f'system a "A"\ninclude {name}\n{PASS}')
    assert [each.code for each in load(main).diagnostics] == ["E301"]


# ------------------------------------------------------- links, pipes and devices


@pytest.mark.parametrize("folder", ["", "lib/"])
def test_a_link_out_of_the_project_is_refused_and_not_quoted(tmp_path: Path, folder: str) -> None:
    secret = write(tmp_path, "secret.bid", "root:x:0:0:root\n")
    main = write(tmp_path, "mine/system.bid", f'system a "A"\ninclude {folder}x\n{PASS}')
    link = write(tmp_path, f"mine/{folder}other.bid", PASS).parent / "x.bid"
    link.symlink_to(secret)
    system = load(main)
    [found] = system.diagnostics
    assert (found.code, found.span.line) == ("E308", 2)
    assert found.message.startswith(f"'{link.as_posix()}' is a link that leads outside the project")
    assert "root:" not in "".join(system.texts.values())
    assert included_file(main, f"{folder}x", Files().exists) is None


def test_a_folder_that_is_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "others/x.bid", "let a = hcp 5+\n")
    main = write(tmp_path, "mine/system.bid", f'system a "A"\ninclude lib/x\n{PASS}')
    (main.parent / "lib").symlink_to("../others")
    assert [each.code for each in load(main).diagnostics] == ["E308"]


def test_a_link_within_the_project_is_followed(tmp_path: Path) -> None:
    main = write(tmp_path, "mine/system.bid", f'system a "A"\ninclude x\n{PASS}')
    write(tmp_path, "mine/lib/y.bid", "let a = hcp 5+\n")
    (main.parent / "x.bid").symlink_to("lib/y.bid")
    assert load(main).diagnostics == ()


def test_the_folder_of_a_project_may_be_a_link(tmp_path: Path) -> None:
    write(tmp_path, "mine/system.bid", f'system a "A"\ninclude x\n{PASS}')
    write(tmp_path, "mine/x.bid", "let a = hcp 5+\n")
    (tmp_path / "link").symlink_to("mine")
    assert load(tmp_path / "link" / "system.bid").diagnostics == ()
    assert load(tmp_path / "link").diagnostics == ()


def test_a_first_file_that_leads_out_of_the_folder_named_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "secret.bid", "root:x:0:0:root\n")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "system.bid").symlink_to("../secret.bid")
    with pytest.raises(UnknownSystemError, match="got a link that leads out of its folder"):
        load(tmp_path / "mine")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("pipe", "not a regular file"),
        ("device", "not a regular file"),
        ("folder", "is a directory"),
        ("nothing", "no such file or directory"),
    ],
)
def test_an_include_of_what_is_no_file_says_so(tmp_path: Path, kind: str, reason: str) -> None:
    main = write(tmp_path, "system.bid", f'system a "A"\ninclude x\n{PASS}')
    path = tmp_path / "x.bid"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "device" else "none")
    [found] = load(main).diagnostics
    assert (found.code, found.message) == ("E302", f"cannot read '{path.as_posix()}': {reason}")


@pytest.mark.parametrize("kind", ["pipe", "device", "sparse", "outside"])
def test_what_lies_beside_a_file_with_a_misspelt_word_is_not_read_whole(
    tmp_path: Path, kind: str
) -> None:
    main = write(tmp_path, "mine/system.bid", 'system a "A"\nopening\n  1C strange_name\n  pass\n')
    path = main.parent / "x.bid"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "sparse":
        with path.open("wb") as file:
            file.truncate(8_000_000_000)
    elif kind == "outside":
        path.symlink_to(write(tmp_path, "secret.bid", "export let strange_name = hcp 5+\n"))
    else:
        path.symlink_to("/dev/zero")
    assert [each.code for each in load(main).diagnostics] == ["E201"]
    assert all("'x'" not in (each.help or "") for each in load(main).diagnostics)


def test_a_file_too_large_to_read_is_a_file_too_long(tmp_path: Path) -> None:
    path = write(tmp_path, "system.bid", PASS)
    with path.open("wb") as file:
        file.truncate(8_000_000_000)
    [found] = load(path).diagnostics
    assert (found.code, found.message) == (
        "E124",
        "a file of more characters than can be read",
    )
