"""Configurations: named ones, files, single settings, and what is wrong with them."""

from pathlib import Path
from typing import get_type_hints

import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.neural.train.a2c import A2CConfig
from bidwright.neural.train.allowed_training import AllowedConfig
from bidwright.neural.train.belief_training import BeliefConfig
from bidwright.neural.train.config import from_mapping, read_config, to_yaml
from bidwright.neural.train.imitation import ImitationConfig
from bidwright.neural.train.ppo import PPOConfig
from bidwright.neural.train.trick_training import TricksConfig


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
        ({"seed": 2**63}, f"expected {2**63 - 1:,} or less for the setting 'seed', got {2**63}"),
        ({"width": 10**9}, "expected 65,536 or less for the setting 'width', got 1000000000"),
        (
            {"steps": 10**30},
            f"expected 2,147,483,647 or less for the setting 'steps', got {10**30}",
        ),
        (
            {"learning_rate": "fast"},
            "expected a finite number for the setting 'learning_rate', got 'fast'",
        ),
        (
            {"learning_rate": float("inf")},
            "expected a finite number for the setting 'learning_rate', got inf",
        ),
        (
            {"learning_rate": 10**400},
            "expected a finite number for the setting 'learning_rate', got "
            "100000000000000000000000000000000000000000000000...0000000000000000000000000000000000000"
            "000000000000",
        ),
        (
            {"held_out": -5},
            "expected a share between 0 and 1 for the setting 'held_out', got -5",
        ),
        (
            {"teachers": [["sayc"]]},
            "expected texts for the setting 'teachers', got [['sayc']]",
        ),
    ],
)
def test_bad_settings_are_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidError) as error:
        from_mapping(ImitationConfig, values)
    assert str(error.value) == message


def test_a_setting_whose_name_is_a_number_is_unknown() -> None:
    with pytest.raises(InvalidError, match=r"unknown setting 1 \(seed, device, "):
        read_config(ImitationConfig, None, ["1=2"])


def test_lists_that_hold_each_other_are_not_written_out(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    lines = ["seed:", "- &x0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"- &x{k} [{', '.join([f'*x{k - 1}'] * 9)}]" for k in range(1, 12)]
    file.write_text("\n".join(lines))  # a list of 9 to the 12th ones
    with pytest.raises(InvalidError) as error:
        read_config(ImitationConfig, str(file))
    assert str(error.value).startswith("expected int for the setting 'seed', got [[1, 1, 1, 1, ...")
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("evaluation_deals", -5, "1 or more for the setting 'evaluation_deals', got -5"),
        ("tables", 1, "2 or more for the setting 'tables', got 1"),
        ("parts", 0, "1 or more for the setting 'parts', got 0"),
        ("lag", -1, "0 or more for the setting 'lag', got -1"),
        ("against", 7, "1 or less for the setting 'against', got 7"),
        ("trace", -0.5, "0 or more for the setting 'trace', got -0.5"),
        ("clip", 0.0, "more than 0 for the setting 'clip', got 0"),
        ("clip", -1, "0 or more for the setting 'clip', got -1"),
        ("policy_rate", -3e-4, "0 or more for the setting 'policy_rate', got -0.0003"),
        ("reward_scale", 0, "more than 0 for the setting 'reward_scale', got 0"),
        ("leash_targets", [0.1, -0.1], "0 or more for the setting 'leash_targets', got -0.1"),
        ("checkpoint_minutes", -1, "0 or more for the setting 'checkpoint_minutes', got -1"),
    ],
)
def test_numbers_that_make_no_sense_are_named(name: str, value: object, message: str) -> None:
    with pytest.raises(InvalidError) as error:
        from_mapping(PPOConfig, {name: value})
    assert str(error.value) == f"expected {message}"


def test_auctions_to_look_at_are_needed() -> None:
    with pytest.raises(InvalidError, match="expected 1 or more for the setting 'held_out', got 0"):
        from_mapping(BeliefConfig, {"held_out": 0})


def test_every_number_of_a_run_has_bounds() -> None:
    kinds = (PPOConfig, A2CConfig, ImitationConfig, AllowedConfig, BeliefConfig, TricksConfig)
    for kind in kinds:
        for name, type_ in get_type_hints(kind).items():
            if type_ in (int, float, tuple[float, ...]):
                with pytest.raises(InvalidError):
                    from_mapping(kind, {name: [-1.0] if type_ == tuple[float, ...] else -1})


@pytest.mark.parametrize("targets", [["$4"], [[0.1]], [None]])
def test_numbers_that_are_none_are_one_error(targets: list[object]) -> None:
    with pytest.raises(InvalidError) as error:
        from_mapping(PPOConfig, {"leash_targets": targets})
    assert str(error.value) == f"expected numbers for the setting 'leash_targets', got {targets!r}"


def test_an_unknown_configuration_is_one_error() -> None:
    with pytest.raises(InvalidError, match=r"expected a YAML file or one of .*, got 'bmcs1999'"):
        read_config(ImitationConfig, "bmcs1999")


@pytest.mark.parametrize(
    "text",
    [
        "a: [1,\n",
        "seed: 2020-13-45",
        "seed: " + "9" * 5000,
        "seed: " + "1:" * 5000 + "59",
        "[" * 5000,
    ],
)
def test_broken_yaml_is_one_error(text: str, tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text(text)
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


def test_a_file_of_a_megabyte_is_no_configuration(tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    file.write_text("\n" * 100_000)
    with pytest.raises(InvalidError, match="larger than 65,536 bytes"):
        read_config(PPOConfig, str(file))
