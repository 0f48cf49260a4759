"""Real Ray clusters of several nodes on this machine: the same results, whoever dies or dawdles."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bidwright.bench.soundness import main as soundness
from bidwright.bridge.errors import BidwrightError
from bidwright.cli import main
from bidwright.runtime import cluster as on_cluster
from bidwright.runtime.crew import Crew, work
from bidwright.tests.runtime.pieces import slow

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
MINI = str(Path(__file__).parents[1] / "systems" / "mini.bid")


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def settings() -> dict[str, Any]:
    """Return the settings of a small node; with its ports given it starts sooner."""
    ports = ("metrics_agent_port", "runtime_env_agent_port", "dashboard_agent_listen_port")
    return {
        "num_cpus": 1,
        "object_store_memory": 80 * 2**20,
        **{name: free_port() for name in ports},
    }


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Return a cluster of two nodes, with this process connected to it."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    # Ray's processes yield to all others otherwise, and get nothing on a busy machine.
    os.environ.setdefault("RAY_worker_niceness", "0")
    made: Any = Cluster(
        initialize_head=True, head_node_args={**settings(), "include_dashboard": False}
    )
    made.add_node(**settings())
    yield made
    ray.shutdown()
    made.shutdown()


def squares(cluster: Any, folder: Path, on_result: Any = None) -> list[int]:  # noqa: ANN401
    """Return the squares of 60 numbers, in pieces of 5; told how many pieces are done."""
    pieces = [range(at, at + 5) for at in range(0, 60, 5)]
    crew = Crew(cluster=cluster.address, shards=str(folder / "shards"))
    found: list[int] = []
    with closing(work(crew, slow, (str(folder),), pieces, "squares")) as results:
        for done, result in enumerate(results, 1):
            found += result
            if on_result:
                on_result(done)
    return found


WANTED = [number**2 for number in range(60)]


def test_all_nodes_work_and_a_second_run_takes_over(cluster: Any, tmp_path: Path) -> None:  # noqa: ANN401
    assert squares(cluster, tmp_path) == WANTED
    began = sorted(file.name for file in tmp_path.glob("began-*"))
    assert len({name.split("-")[2] for name in began}) == 2
    assert squares(cluster, tmp_path) == WANTED
    assert sorted(file.name for file in tmp_path.glob("began-*")) == began


def named_in(folder: Path, what: str, node: str) -> set[str]:
    """Return the pieces that a node began or has done."""
    return {file.name.split("-")[1] for file in folder.glob(f"{what}-*-{node}")}


def test_a_node_that_joins_does_what_the_dead_and_the_slow_do_not(
    cluster: Any,  # noqa: ANN401
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(on_cluster, "_AT_LEAST", 1.0)
    nodes = {}

    def change(done: int) -> None:
        if done == 3:
            cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)
        if done == 5:
            nodes["joined"] = cluster.add_node(**settings()).node_id
            (tmp_path / cluster.head_node.node_id).touch()  # from now on it ends nothing

    try:
        assert squares(cluster, tmp_path, change) == WANTED
        assert len(named_in(tmp_path, "done", nodes["joined"])) >= 4
        head = cluster.head_node.node_id
        assert named_in(tmp_path, "began", head) - named_in(tmp_path, "done", head)
    finally:
        (tmp_path / "go on").touch()


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["match", f"rules:{MINI}", "random:1", "--boards", "24", "--seed", "3"], "m.jsonl"),
        (["solve", "-n", "24", "--seed", "4"], "d.npz"),
        (["train", "data", "--system", MINI, "-n", "60", "--seed", "5"], "c.npz"),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_commands_write_the_same_on_a_cluster(
    words: list[str],
    name: str,
    cluster: Any,  # noqa: ANN401
    tmp_path: Path,
) -> None:
    for place in ("here", "there"):
        (tmp_path / place).mkdir()
    option = "--out" if words[0] == "match" else "-o"
    words = [*words, "--quiet"]
    assert main([*words, option, str(tmp_path / "here" / name)]) == 0
    more = ["--cluster", cluster.address, "--shards", str(tmp_path / "shards")]
    assert main([*words, option, str(tmp_path / "there" / name), *more]) == 0
    assert any((tmp_path / "shards").rglob("*"))
    files = [(tmp_path / place / name).read_bytes() for place in ("here", "there")]
    if name.endswith(".npz"):
        import numpy as np

        arrays = [np.load(tmp_path / place / name) for place in ("here", "there")]
        for each in arrays[0].files:
            assert arrays[0][each].tobytes() == arrays[1][each].tobytes()
    else:
        assert files[0] == files[1]


@pytest.mark.parametrize(
    "words",
    [["check", "--prove", MINI, "--json"], ["mutate", MINI, "-k", "opening hcp", "--json"]],
    ids=lambda words: words[0],
)
def test_commands_print_the_same_on_a_cluster(
    words: list[str],
    cluster: Any,  # noqa: ANN401
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed = []
    more = ["--cluster", cluster.address, "--shards", str(tmp_path / "shards")]
    for place, added in (("here", ["--jobs", "1"]), ("there", more)):
        monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / place))  # proofs are kept there
        code = main([*words, *added])
        printed.append((code, capsys.readouterr().out))
    assert printed[0] == printed[1]
    assert any((tmp_path / "shards").rglob("*"))


def test_self_play_finds_the_same_on_a_cluster(
    cluster: Any,  # noqa: ANN401
    tmp_path: Path,
) -> None:
    words = ["--system", MINI, "--calls", "300", "--seed", "6", "--sample", "1000"]
    shards = tmp_path / "shards"
    assert soundness([*words, "--out", str(tmp_path / "here")]) == 0
    more = ["--cluster", cluster.address, "--shards", str(shards)]
    assert soundness([*words, "--out", str(tmp_path / "there"), *more]) == 0
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes()
    assert any(shards.rglob("*"))


def test_self_play_on_a_cluster_comes_to_the_same_weights(
    cluster: Any,  # noqa: ANN401
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch = pytest.importorskip("torch")
    from bidwright.neural.networks import Network, NetworkShape
    from bidwright.neural.train.actors import Actors
    from bidwright.neural.weights import load_weights, save_weights
    from bidwright.tests.neural.conftest import write_deals

    deals = tmp_path / "deals.npz"
    write_deals(deals)
    torch.manual_seed(7)
    start = tmp_path / "start.safetensors"
    save_weights(start, Network(NetworkShape(480, 38, 16, 2)), "policy", {})
    values = {"evaluation_deals": 24, "iterations": 6, "boards": 16, "parts": 4, "lag": 1,
              "width": 16, "depth": 2, "evaluate_every": 6, "device": "cpu"}  # fmt: skip
    words = ["train", "rl", "--policy", str(start), "--deals", str(deals), "--quiet"]
    words += [f"--set={name}={value}" for name, value in values.items()]
    assert main([*words, "--out", str(tmp_path / "here")]) == 0
    experience, rounds = Actors.experience, []

    def lose_a_node(self: Actors) -> Any:  # noqa: ANN401
        rounds.append(self.asked[0].round)
        if len(rounds) == 3:
            cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)
        return experience(self)

    monkeypatch.setattr(Actors, "experience", lose_a_node)
    there = ["--out", str(tmp_path / "there"), "--cluster", cluster.address]
    try:
        assert main([*words, *there]) == 0
    finally:
        cluster.add_node(**settings())
    assert rounds == [0, 1, 2, 3, 4, 5]
    digests = {
        load_weights(tmp_path / place / "policy.safetensors", "policy").card["digest"]
        for place in ("here", "there")
    }
    assert len(digests) == 1


def test_another_program_is_refused(
    cluster: Any,  # noqa: ANN401
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(on_cluster, "program", lambda: "bidwright of yesterday")
    with pytest.raises(BidwrightError, match=r"has another program .*bidwright of yesterday"):
        squares(cluster, tmp_path)


def test_no_cluster_is_told(cluster: Any) -> None:  # noqa: ANN401 - so that Ray is there
    code = (
        "from bidwright.runtime.cluster import connected\n"
        "from bidwright.bridge.errors import InvalidError\n"
        "try:\n    connected('127.0.0.1:%d')\n"
        "except InvalidError as error:\n    print(error)\n"
    )
    words = [sys.executable, "-c", code % free_port()]
    done = subprocess.run(words, capture_output=True, text=True)
    assert "no Ray cluster answers at 127.0.0.1:" in done.stdout, done.stderr
