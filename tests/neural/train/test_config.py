"""Configurations: named ones, files, single settings, and what is wrong with them."""

from pathlib import Path

import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.neural.train.config import from_mapping, read_config, to_yaml
from bidwright.neural.train.imitation import ImitationConfig
from bidwright.neural.train.ppo import PPOConfig


def test_settings_come_after_the_file(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text("data: sayc.npz\nlearning_rate: 1e-4\nwidth: 512\n")
    found = read_config(ImitationConfig, str(file), ["width=64", "bf16=true"])
    expected = ImitationConfig(data="sayc.npz", learning_rate=1e-4, width=64, bf16=True)
    assert found == expected


def test_yaml_gives_the_configuration_back(tmp_path: Path) -> None:
    config = ImitationConfig(data="x.npz", seed=5)
    file = tmp_path / "run.yaml"
    file.write_text(to_yaml(config))
    assert read_config(ImitationConfig, str(file)) == config


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"widht": 3}, "unknown setting 'widht'; did you mean 'width'?"),
        ({"width": "big"}, "expected int for the setting 'width', got 'big'"),
        ({"width": True}, "expected int for the setting 'width', got True"),
        ({"steps": 0}, "expected 1 or more for the setting 'steps', got 0"),
        ({"evaluate_every": 0}, "expected 1 or more for the setting 'evaluate_every', got 0"),
        ({"seed": -1}, "expected 0 or more for the setting 'seed', got -1"),
        ({"learning_rate": "fast"}, "expected float for the setting 'learning_rate', got 'fast'"),
    ],
)
def test_bad_settings_are_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidError) as error:
        from_mapping(ImitationConfig, values)
    assert str(error.value) == message


@pytest.mark.parametrize("targets", [["$4"], [[0.1]], [None]])
def test_numbers_that_are_none_are_one_error(targets: list[object]) -> None:
    with pytest.raises(InvalidError) as error:
        from_mapping(PPOConfig, {"leash_targets": targets})
    assert str(error.value) == f"expected numbers for the setting 'leash_targets', got {targets!r}"


def test_an_unknown_configuration_is_one_error() -> None:
    with pytest.raises(InvalidError, match=r"expected a YAML file or one of .*, got 'bmcs1999'"):
        read_config(ImitationConfig, "bmcs1999")


def test_broken_yaml_is_one_error(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text("a: [1,\n")
    with pytest.raises(InvalidError, match=r"expected YAML in .*run\.yaml"):
        read_config(ImitationConfig, str(file))


def test_a_file_that_is_no_text_is_one_error(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_bytes(b"\x89PNG\xff\x00: [")
    with pytest.raises(InvalidError, match=r"expected YAML in .*run\.yaml"):
        read_config(ImitationConfig, str(file))


def test_a_file_of_settings_runs_no_code(tmp_path: Path) -> None:
    mark, file = tmp_path / "mark", tmp_path / "run.yaml"
    file.write_text(f"data: !!python/object/apply:pathlib.Path.touch [{mark}]\n")
    with pytest.raises(InvalidError, match="expected YAML in"):
        read_config(ImitationConfig, str(file))
    assert not mark.exists()
