"""The graph of positions."""

from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.rules.graph import GraphPosition, position_graph
from bidwright.kb.rules.patterns import possible_calls


def _position(text: str, *calls: str) -> GraphPosition:
    """Return the position of a block with rules for some calls."""
    lines = "\n".join(f"  {call} hcp 5+" for call in calls)
    file, problems = parse(f"{text}\n{lines}\n", "test.bid")
    assert file is not None
    assert not problems
    (block,) = file.statements
    assert isinstance(block, ast.Block)
    made = {call: possible_calls(rule.call) for call, rule in zip(calls, block.rules, strict=True)}
    return GraphPosition(block.pattern, made)


def _edges(*positions: GraphPosition) -> dict[tuple[int, int], tuple[tuple[str, ...], int]]:
    graph = position_graph(positions)
    assert len(graph) == len(positions)
    return {
        (one, two): (edge.calls, edge.alike)
        for two, edges in enumerate(graph)
        for one, edge in edges.items()
    }


def test_a_call_leads_from_a_position_to_the_next() -> None:
    found = _edges(
        _position("opening", "1NT", "1S"),
        _position("after 1NT (P)", "2C", "2D"),
        _position("after 1NT (P) 2C (P)", "2H"),
    )
    assert found == {(0, 1): (("1NT",), 0), (1, 2): (("2C",), 2)}


def test_variables_lead_where_some_suit_fits() -> None:
    found = _edges(
        _position("opening", "1M", "1m"),
        _position("after 1S (P)", "2M"),
        _position("after 1M (P)", "3M"),
        _position("after 1S (P) 2S (P)", "4S"),
    )
    assert found == {
        (0, 1): (("1M",), 0),
        (0, 2): (("1M",), 0),
        (1, 3): (("2M",), 2),
    }


def test_positions_are_of_one_side() -> None:
    """The opponents' call between two calls of a side has to fit, too."""
    found = _edges(
        _position("after 1C (P)", "1H"),
        _position("after 1C (X)", "1H"),
        _position("after 1C (X) 1H (P)", "2H"),
        _position("after (1C)", "1H"),
        _position("after (1C) 1H (P)", "2H"),
    )
    assert found == {(1, 2): (("1H",), 2), (3, 4): (("1H",), 1)}


def test_an_open_pattern_follows_nothing_and_leads_nowhere() -> None:
    assert not _edges(_position("opening", "1C"), _position("after ... 1C (P)", "1D"))
    assert not _edges(_position("anywhere", "1C"), _position("after 1C (P)", "1D"))
