"""A policy learns the calls of a corpus; interrupted, killed or run twice, by the same curve."""

from pathlib import Path

import numpy as np
import pytest
import torch

from bidwright.bridge.errors import InvalidError
from bidwright.cli import main
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.data.auctions import Auctions
from bidwright.neural.made_for import MadeFor, made_for
from bidwright.neural.train import run
from bidwright.neural.train.imitation import Imitation, ImitationConfig, imitate
from bidwright.neural.train.run import Run
from bidwright.neural.weights import load_weights

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")


class Killed(BaseException):
    """Stands for the signal that nothing can be done about."""


def quiet(step: int, words: str) -> None:
    """Show nothing."""


def config(file: Path, **more: object) -> ImitationConfig:
    tiny = {"steps": 120, "batch": 64, "width": 32, "depth": 2, "evaluate_every": 20, "warmup": 5}
    return ImitationConfig(data=str(file), **(tiny | more))  # type: ignore[arg-type]


def curve(folder: Path, file: Path) -> list[dict[str, float]]:
    return Run(folder, config(file), writes=False).curve()


def test_a_policy_learns_and_the_card_says_what_of(corpus_file: Path, tmp_path: Path) -> None:
    card = imitate(tmp_path / "run", config(corpus_file), "a command", quiet)
    losses = [point["loss"] for point in curve(tmp_path / "run", corpus_file)]
    assert losses[-1] < 0.6 * losses[0]
    assert card["data"] is not None
    assert card["data"]["system"] == "mini.bid"
    assert made_for(card) == MadeFor("mini.bid", open_system(MINI).fingerprint)
    found = load_weights(tmp_path / "run" / "policy.safetensors", "policy")
    assert found.card["config"]["data"] == "mini.npz"
    assert found.card["measured"] == card["measured"]
    assert found.card["command"] == "a command"


def test_the_same_seed_gives_the_same_curve(corpus_file: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        imitate(tmp_path / name, config(corpus_file), "", quiet)
    assert curve(tmp_path / "a", corpus_file) == curve(tmp_path / "b", corpus_file)


@pytest.mark.system
@pytest.mark.parametrize("error", [Killed, KeyboardInterrupt])
def test_a_run_that_was_cut_short_goes_on_to_the_same_curve(
    error: type[BaseException], corpus_file: Path, tmp_path: Path
) -> None:
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"
    imitate(whole, config(corpus_file), "", quiet)

    def stop(step: int, words: str) -> None:
        if step == 60:
            raise error

    always = config(corpus_file, checkpoint_minutes=0.0)
    with pytest.raises(error):
        imitate(pieces, always, "", stop)
    with (pieces / "log.jsonl").open("a") as file:
        file.write('{"step": 60, "lo')  # killed while it wrote
    imitate(pieces, always, "", quiet)
    assert Run(pieces, always, writes=False).curve() == curve(whole, corpus_file)
    first, second = (
        load_weights(each / "policy.safetensors", "policy") for each in (whole, pieces)
    )
    assert first.card["digest"] == second.card["digest"]


@pytest.mark.system
def test_what_is_forgotten_of_card_vectors_is_the_same_after_a_resumption(
    corpus_file: Path, tmp_path: Path
) -> None:
    more = {"steps": 60, "encoding": "cards1", "forgets": 0.5}
    imitate(tmp_path / "whole", config(corpus_file, **more), "", quiet)

    def stop(step: int, words: str) -> None:
        if step == 40:
            raise Killed

    always = config(corpus_file, checkpoint_minutes=0.0, **more)
    with pytest.raises(Killed):
        imitate(tmp_path / "pieces", always, "", stop)
    imitate(tmp_path / "pieces", always, "", quiet)
    first, second = (
        load_weights(tmp_path / each / "policy.safetensors", "policy")
        for each in ("whole", "pieces")
    )
    assert first.card["digest"] == second.card["digest"]


def test_every_position_is_learnt_from_once_an_epoch(corpus: Auctions) -> None:
    task = Imitation(corpus, ImitationConfig(held_out=0.1), torch.device("cpu"))
    count = len(task.learnt)
    steps = -(-count // 50)
    seen = torch.cat([task.batch(step, 50)[0] for step in range(steps)])[:count].numpy()
    expected = task.learnt.observe(np.arange(count))
    assert sorted(map(bytes, seen)) == sorted(map(bytes, expected))


def test_another_configuration_does_not_go_on(corpus_file: Path, tmp_path: Path) -> None:
    imitate(tmp_path, config(corpus_file, steps=2), "", quiet)
    with pytest.raises(InvalidError, match="holds a run of another configuration"):
        imitate(tmp_path, config(corpus_file, steps=3), "", quiet)


def test_a_damaged_checkpoint_is_one_error(corpus_file: Path, tmp_path: Path) -> None:
    imitate(tmp_path, config(corpus_file, steps=2), "", quiet)
    (tmp_path / "checkpoint.pt").write_bytes(b"broken")
    with pytest.raises(InvalidError, match="is damaged"):
        imitate(tmp_path, config(corpus_file, steps=2), "", quiet)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ([1, 2], "is damaged: 'list' object is not a mapping"),
        ({"network": {}}, "is damaged: it has no 'step'"),
        ({"step": "two"}, "is damaged: invalid literal for int"),
        ({"step": 1}, "is damaged: it has no 'network'"),
        ({"step": 1, "network": {}}, r"is damaged: Error\(s\) in loading state_dict"),
        ({"step": 1, "network": 3}, "is damaged: Expected state_dict to be dict-like"),
    ],
)
def test_a_checkpoint_of_something_else_is_one_error(
    content: object, what: str, corpus_file: Path, tmp_path: Path
) -> None:
    imitate(tmp_path, config(corpus_file, steps=2), "", quiet)
    torch.save(content, tmp_path / "checkpoint.pt")
    with pytest.raises(InvalidError, match=what):
        imitate(tmp_path, config(corpus_file, steps=2), "", quiet)


@pytest.mark.parametrize("line", [b"xx\n", b"{}\n", b"3\n", b"\xff\xfe\n"])
def test_a_damaged_curve_is_one_error(line: bytes, corpus_file: Path, tmp_path: Path) -> None:
    imitate(tmp_path, config(corpus_file, steps=2), "", quiet)
    (tmp_path / "log.jsonl").write_bytes(line)
    with pytest.raises(InvalidError, match="expected the curve of a run in"):
        imitate(tmp_path, config(corpus_file, steps=2), "", quiet)


def test_a_configuration_that_is_a_folder_or_no_text_is_one_error(
    corpus_file: Path, tmp_path: Path
) -> None:
    file = tmp_path / "config.yaml"
    file.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InvalidError, match="holds a run of another configuration"):
        imitate(tmp_path, config(corpus_file, steps=2), "", quiet)
    file.unlink()
    file.mkdir()
    with pytest.raises(InvalidError, match=r"cannot read .*config\.yaml: is a directory"):
        imitate(tmp_path, config(corpus_file, steps=2), "", quiet)


def test_learning_that_went_astray_writes_no_weights(corpus_file: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="the network has no numbers any more"):
        imitate(tmp_path, config(corpus_file, steps=3, learning_rate=1e38), "", quiet)
    assert not list(tmp_path.glob("*.safetensors"))


def test_a_device_that_computes_nothing_is_refused(corpus_file: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="expected a device of this machine, got 'meta'"):
        imitate(tmp_path, config(corpus_file, device="meta"), "", quiet)


@pytest.mark.parametrize("able", [True, False])
def test_bfloat16_is_used_where_there_is_hardware_for_it(
    able: bool, corpus_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The precision of computing stands on the card; the run is the same on either machine."""
    monkeypatch.setattr(run, "computes_bf16", lambda _: able)
    card = imitate(tmp_path, config(corpus_file, bf16=True), "", quiet)
    assert card["measured"]["held_out_loss"] < 3.0
    assert card["config"]["bf16"] is able
    monkeypatch.setattr(run, "computes_bf16", lambda _: not able)
    assert imitate(tmp_path, config(corpus_file, bf16=True), "", quiet)


def test_the_verb_trains_and_says_how_well(
    corpus_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "sl", "--data", str(corpus_file), "--out", str(tmp_path / "run"), "--quiet"]
    assert main([*words, "--set", "steps=3", "--set", "width=8"]) == 0
    assert "calls held out are predicted" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--set", "widht=3"], ["--set", "data=missing.npz"]])
def test_bad_usage_is_one_sentence(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "sl", *words, "--out", str(tmp_path / "run")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("bidwright: ")
    assert error.count("\n") == 1
