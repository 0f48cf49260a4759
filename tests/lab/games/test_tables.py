"""Results are kept and resumed; tables and plots are of what is kept."""

from pathlib import Path

import numpy as np
import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.lab.games import learning, paper, policies, tables
from bidwright.lab.games.methods import Runner, parse_method
from bidwright.lab.games.plots import plot_samples, plot_table1
from bidwright.lab.games.settings import Settings
from bidwright.lab.games.store import BLOCK, Store
from bidwright.lab.games.tree import Tree, grow
from bidwright.lab.games.zoo import MiniBridge, game_of

QUICK = Settings(epochs=1, minibatches=2, batch=4)


def test_what_is_kept_is_not_run_again(tmp_path: Path) -> None:
    runner = Runner(tmp_path, "hanabi", QUICK)
    assert runner.run("cfr+jps", 0)
    assert not runner.run("cfr", 0)
    assert runner.run("cfr", 1)
    again = Runner(tmp_path, "hanabi", QUICK)
    assert not again.run("cfr+jps", 0)
    kept = again.store.methods
    assert (kept["cfr"].seeds, kept["cfr+jps"].seeds) == (2 * BLOCK, BLOCK)
    assert kept["cfr"].blocks == [0, 1]
    assert kept["cfr+jps"].all.mean() >= again.store.methods["cfr"].all.min()


def damaged(path: Path, tree: Tree, how: bytes | str | None) -> None:
    """Leave a file of policies that is none any more: other bytes, or arrays of something else."""
    if isinstance(how, bytes):
        path.write_bytes(how)
        return
    chosen = {
        None: np.zeros(3),
        "zeros": np.zeros((BLOCK, tree.infosets)),
        "texts": np.full((BLOCK, tree.infosets), "x"),
        "too many": np.full((BLOCK, tree.infosets), 99, np.uint8),
    }
    np.savez(path, chosen=chosen[how])


def test_policies_that_were_lost_are_made_again_alike(tmp_path: Path) -> None:
    tree = grow(game_of("bidding-4"))
    runner = Runner(tmp_path, "bidding-4", QUICK)
    runner.run("random", 0)
    first = runner.store.policies(tree, "random", 0)
    assert first is not None
    values = runner.store.methods["random"].all
    assert np.sort(policies.values(tree, first)) == pytest.approx(values, abs=1e-6)
    for damage in (b"", b"PK\x03\x04", None, "zeros", "texts", "too many"):
        damaged(tmp_path / "bidding-4-random-0.npz", tree, damage)
        assert runner.store.policies(tree, "random", 0) is None
    for path in tmp_path.glob("*.npz"):
        path.unlink()
    Runner(tmp_path, "bidding-4", QUICK).run("random+jps", 0)
    again = runner.store.policies(tree, "random", 0)
    np.testing.assert_array_equal(first, again)
    assert Store(tmp_path, "bidding-4").methods["random"].seeds == BLOCK


def test_an_interrupted_block_of_learners_goes_on_with_the_next_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Runner(tmp_path / "whole", "hanabi", QUICK).run("a2c", 0)
    learn = learning.learn_seed
    seeds: list[int] = []

    def counted(*about: object) -> object:
        seeds.append(1)
        return learn(*about)  # type: ignore[arg-type]

    def interrupted(*about: object) -> object:
        if len(seeds) == 3:
            raise KeyboardInterrupt
        return counted(*about)

    with monkeypatch.context() as patched:
        patched.setattr(learning, "learn_seed", interrupted)
        with pytest.raises(KeyboardInterrupt):
            Runner(tmp_path / "parts", "hanabi", QUICK).run("a2c", 0)
        tree, store = grow(game_of("hanabi")), Store(tmp_path / "parts", "hanabi")
        assert len(store.begun(tree, "a2c", 0)[0]) == 3
        assert store.methods == {}
        seeds.clear()
        patched.setattr(learning, "learn_seed", counted)
        Runner(tmp_path / "parts", "hanabi", QUICK).run("a2c", 0)
    assert len(seeds) == BLOCK - 3
    whole, parts = (Store(tmp_path / name, "hanabi") for name in ("whole", "parts"))
    assert parts.methods["a2c"].values == whole.methods["a2c"].values
    for store in (whole, parts):
        assert not list(store.folder.glob("*-begun.npz"))
    # A damaged file is none: the block begins anew.
    np.savez(tmp_path / "parts" / "hanabi-bad-0-begun.npz", chosen=np.zeros(3), seconds=1.0)
    assert len(parts.begun(tree, "bad", 0)[0]) == 0


def test_two_runs_on_one_game_lose_nothing(tmp_path: Path) -> None:
    runners = [Runner(tmp_path, "hanabi", QUICK) for _ in range(2)]
    runners[0].run("cfr", 0)
    runners[1].run("random", 0)
    runners[0].run("cfr", 1)
    runners[1].run("cfr", 1)
    kept = Store(tmp_path, "hanabi").methods
    assert kept["random"].seeds == BLOCK
    assert kept["cfr"].blocks == [0, 1]
    assert kept["cfr"].seeds == 2 * BLOCK


def test_other_settings_are_refused(tmp_path: Path) -> None:
    Runner(tmp_path, "hanabi", QUICK).run("a2c", 0)
    other = Runner(tmp_path, "hanabi", Settings(epochs=2))
    with pytest.raises(InvalidError, match="name another folder, or delete the file"):
        other.run("a2c", 1)


def test_names_of_methods_are_taken_apart() -> None:
    method = parse_method("bad+jps:5")
    assert (method.base, method.is_searched, method.samples) == ("bad", True, 5)
    assert parse_method("cfr+jps-text").reading == "text"
    assert not parse_method("a2c").is_searched
    method = parse_method("cfr@10000+jps-text")
    assert (method.base, method.kind, method.setting) == ("cfr@10000", "cfr", 10_000)
    assert parse_method("a2c@0.02+jps").setting == 0.02
    assert parse_method("bad").setting is None
    for name in ("cfr+bad", "cfr@0", "cfr@0.5", "random@3", "a2c@", "bad@7"):
        with pytest.raises(InvalidError, match="expected a method such as"):
            parse_method(name)


def test_a_beginning_with_a_setting_of_its_own_stands_beside_the_usual_one(tmp_path: Path) -> None:
    runner = Runner(tmp_path, "hanabi", QUICK)
    for name in ("a2c", "a2c@0.02", "cfr@20+jps", "cfr+jps:1"):
        runner.run(name, 0)
    kept = Runner(tmp_path, "hanabi", QUICK).store.methods
    assert [kept[name].settings["entropy"] for name in ("a2c", "a2c@0.02")] == [0.001, 0.02]
    assert kept["cfr@20"].settings["rounds"] == 20
    assert kept["cfr@20+jps"].all.mean() >= kept["cfr@20"].all.mean()
    # The gain of every change was held against a full evaluation; with samples it is an estimate.
    assert kept["cfr@20+jps"].gap is not None
    assert kept["cfr@20+jps"].gap < 1e-12
    assert kept["cfr+jps:1"].gap is None


def test_rows_have_the_optimum_and_the_paper(tmp_path: Path) -> None:
    runner = Runner(tmp_path, "hanabi", QUICK)
    for name in ("cfr", "cfr+jps", "cfr+jps:1", "bad"):
        runner.run(name, 0)
    rows = tables.table1(tmp_path, ["hanabi", "bidding-16"], tables.METHODS)
    assert [row.method for row in rows] == ["cfr", "cfr+jps", "bad", "best"]
    assert [row.paper for row in rows] == [9.11, 9.50, 9.47, 10]
    assert rows[2].note == "entropy 0.02, 1 x 2"
    assert [row.gap is None for row in rows] == [True, False, True, True]
    assert (rows[-1].mean, rows[-1].seeds) == (10, 0)
    kept = runner.store.methods["cfr"].all
    assert rows[0].mean == pytest.approx(kept.mean())
    assert rows[0].error == pytest.approx(kept.std(ddof=1) / BLOCK**0.5)
    # A learner's other settings stand beside the same figure of the paper; CFR's do not.
    for name in ("a2c@0.02", "cfr@20"):
        runner.run(name, 0)
    others = tables.table1(tmp_path, ["hanabi"], ["a2c@0.02", "cfr@20"])
    assert [row.paper for row in others] == [8.20, None, 10]
    (sampled,) = tables.table2(tmp_path)
    assert sampled.seeds == (BLOCK, BLOCK, 0, 0, 0, 0, 0, 0, 0)
    assert sampled.means[2] is None
    plot_table1(rows, tmp_path / "table1.svg")
    plot_samples([sampled], "hanabi", tmp_path / "samples.png")
    assert "bad" in (tmp_path / "table1.svg").read_text(encoding="utf-8")
    with pytest.raises(InvalidError, match="expected results with samples in mini-3"):
        plot_samples([sampled], "mini-3", tmp_path / "samples.png")


def test_figures_of_the_paper_are_whole() -> None:
    for game, states, infosets in zip(paper.GAMES, paper.STATES, paper.INFOSETS, strict=True):
        assert paper.mean(game, "best") is not None
        assert infosets < states
        if states < 3000:
            tree = grow(game_of(game))
            assert (tree.nodes, tree.counted_infosets) == (states, infosets)


def test_auctions_of_the_optimum_are_worth_what_the_papers_are() -> None:
    ours = tables.table4(4)
    game = MiniBridge(4)
    assert ours.value == pytest.approx(1.84)
    assert tables.value_of_auctions(game, ours.calls) == pytest.approx(1.84)
    assert tables.value_of_auctions(game, paper.TABLE4) == pytest.approx(1.84)


def test_the_papers_auctions_are_those_of_a_policy() -> None:
    made: dict[tuple[int, int, tuple[str, ...]], str] = {}
    for first, row in enumerate(paper.TABLE4):
        for second, text in enumerate(row):
            calls = tuple(text.split())
            for k, call in enumerate(calls):
                view = (k % 2, (first, second)[k % 2], calls[:k])
                assert made.setdefault(view, call) == call
