"""The commands of docs/training.md work, one after the other, at a tiny size."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from bidwright.cli import main
from bidwright.neural import requirements

DOC = Path(__file__).parents[2] / "docs" / "training.md"
COMMAND = re.compile(r"^    bidwright (train \w+ .*)$", re.MULTILINE)
MINI = str(Path(__file__).parents[1] / "systems" / "mini.bid")
TINY = {
    "data": ["--system", MINI, "-n", "12", "--echoes", "1", "--jobs", "1", "--quiet"],
    "sl": ["--set=steps=2", "--set=width=8", "--set=held_out=0.2", "--quiet"],
    "rl": ["--set=iterations=1", "--set=boards=8", "--set=evaluation_deals=8", "--quiet"],
    "positions": ["--system", MINI, "-n", "30", "--jobs", "1", "--quiet"],
    "belief": ["--set=steps=2", "--set=boards=20", "--set=held_out=20", "--quiet"],
    "tricks": ["--set=steps=2", "--set=width=8", "--set=evaluation_deals=8", "--quiet"],
    "compare": ["--last", "8"],
    "experts": ["--system", MINI, "-n", "8", "--search", "p_max=16,r_max=8", "--jobs", "1"],
    "allowed": ["--set=steps=2", "--set=width=8", "--set=held_out=0.2", "--quiet"],
}
FIRST = ["data", "sl", "rl", "belief", "tricks", "compare", "experts", "sl"]
VERBS = [*FIRST, "data", "allowed", "rl", "rl", "positions", "belief"]


@pytest.mark.system
def test_the_whole_way_works(
    deals_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(deals_file, "deals.npz")
    found = [shlex.split(line) for line in COMMAND.findall(DOC.read_text(encoding="utf-8"))]
    assert [words[1] for words in found] == VERBS
    for words in found:
        if words[1] in ("data", "experts"):  # the small system instead, not besides
            del words[words.index("--system") : words.index("--system") + 2]
        assert main([*words, *TINY[words[1]]]) == 0
    assert (tmp_path / "runs" / "tricks" / "tricks.safetensors").exists()
    assert (tmp_path / "runs" / "experts" / "policy.safetensors").exists()
    assert (tmp_path / "runs" / "kept" / "policy.safetensors").exists()


def test_without_torch_one_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(requirements, "find_spec", lambda name: None if name == "torch" else name)
    for verb in ("sl", "rl", "belief", "tricks"):
        assert main(["train", verb, "--out", str(tmp_path)]) == 2
        assert capsys.readouterr().err == (
            "bidwright: networks need torch, which is not installed: "
            "pip install '.[neural]' in a checkout\n"
        )
