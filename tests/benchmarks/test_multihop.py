"""Personalised PageRank over entities, and how ways to the same memories are compared."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import multihop
from benchmarks.cli import main
from benchmarks.multihop import Asked, Graph, forward_push, graph_of, held_out
from benchmarks.statistics import resample_groups
from reverie.errors import InvalidInput
from reverie.formulas.arrays import Floats
from tests.benchmarks import toy

NAMES = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=4), min_size=1, max_size=20)


def seeded(graph: Graph, *nodes: int) -> Floats:
    """Walks that begin at these nodes."""
    seeds = np.zeros(graph.size)
    seeds[list(nodes)] = 1.0
    return seeds


def exact(graph: Graph, seeds: Floats, alpha: float) -> Floats:
    """The dense power iteration, until nothing changes; a node without edges keeps what it gets."""
    steps = np.zeros((graph.size, graph.size))
    for node in range(graph.size):
        edges = slice(graph.starts[node], graph.starts[node + 1])
        np.add.at(steps[node], graph.ends[edges], graph.weights[edges])
    sums = steps.sum(axis=1, keepdims=True)
    steps = np.where(sums > 0.0, steps / np.where(sums > 0.0, sums, 1.0), np.eye(graph.size))
    begin = seeds / seeds.sum()
    found, before = begin, np.full(graph.size, np.inf)
    while np.abs(found - before).max() > 1e-14:
        found, before = alpha * begin + (1.0 - alpha) * (found @ steps), found
    return found


@pytest.mark.req("D55")
@given(NAMES, st.data())
def test_pushing_is_as_near_to_the_power_iteration_as_promised(named: list[list[str]], data: st.DataObject) -> None:
    """L1 error at most epsilon on random graphs with cycles, relations, loops and memories that name nothing."""
    memory = st.integers(0, len(named) - 1)
    graph = graph_of(named, data.draw(st.lists(st.tuples(memory, memory), max_size=6)))
    seeds = seeded(graph, *data.draw(st.sets(st.integers(0, graph.size - 1), min_size=1, max_size=4)))
    alpha, epsilon = data.draw(st.floats(0.1, 1.0)), data.draw(st.floats(1e-6, 0.5))
    found = forward_push(graph, seeds, alpha, epsilon)
    assert np.abs(found - exact(graph, seeds, alpha)).sum() <= epsilon + 1e-9
    assert (found >= 0.0).all()
    assert found.tobytes() == forward_push(graph, seeds, alpha, epsilon).tobytes()


@pytest.mark.req("D55")
def test_nothing_is_reached_where_no_edge_leads() -> None:
    """No seeds reach nothing; a superseded memory, which names nothing, and what is not linked get nothing."""
    graph = graph_of([["ada"], ["ada", "oslo"], [], ["zürich"]])
    assert not forward_push(graph, np.zeros(graph.size), 0.5, 1e-3).any()
    found = forward_push(graph, seeded(graph, graph.names["ada"]), 0.5, 1e-3)
    assert found[:4].tolist() == [found[0], found[1], 0.0, 0.0]
    assert min(found[0], found[1]) > 0.0
    assert found[graph.names["zürich"]] == 0.0


@pytest.mark.req("D55")
def test_a_node_without_edges_keeps_what_it_gets() -> None:
    """A walk that begins at a memory that names nothing ends there."""
    assert forward_push(graph_of([[], ["ada"]]), np.array([1.0, 0.0, 0.0]), 0.5, 1e-3).tolist() == [1.0, 0.0, 0.0]


@pytest.mark.req("D55")
def test_a_rare_name_leads_further_than_a_common_one() -> None:
    """Of two memories one hop on, the one by the name that few memories have gets more; equals get the same."""
    graph = graph_of([["common", "rare"], ["rare"], ["common"], ["common"], ["common"]])
    found = forward_push(graph, seeded(graph, 0), 0.5, 1e-6)
    assert found[1] > found[2] == found[3] == found[4]


@pytest.mark.req("D55")
def test_a_hub_of_fifty_thousand_ends(request: pytest.FixtureRequest) -> None:
    """A name that every memory has: the error holds, by the mass that is left. A tenth without ``--soak``."""
    size = 50_000 if request.config.getoption("--soak") else 5_000
    graph = graph_of([["hub", f"own {number % 100}"] for number in range(size)])
    found = forward_push(graph, seeded(graph, graph.names["hub"]), 0.5, 0.05)
    assert 0.95 <= found.sum() <= 1.0 + 1e-9


@pytest.mark.req("D55")
@pytest.mark.parametrize(
    ("alpha", "epsilon"), [(0.0, 0.1), (1.1, 0.1), (-1.0, 0.1), (np.nan, 0.1), (0.5, 0.0), (0.5, 1.0), (0.5, np.nan)]
)
def test_numbers_out_of_range_are_refused(alpha: float, epsilon: float) -> None:
    """The message says which number, and the range."""
    graph = graph_of([["ada"]])
    with pytest.raises(InvalidInput, match=r"(alpha|epsilon) is"):
        forward_push(graph, seeded(graph, 0), alpha, epsilon)


def life(gold: int, way: Floats) -> list[Asked]:
    """One question whose evidence lies at the end of thirty memories of falling score."""
    scores = -np.arange(30.0)
    return [Asked(scores, scores, {"way": way}, (), frozenset({gold}), {})]


@pytest.mark.req("D55")
def test_a_conversation_does_not_choose_its_own_weight() -> None:
    """What would help one life alone is not held to help it; what helps the others is taken, even where it harms."""
    helps, harms = np.zeros(30), np.zeros(30)
    helps[12], harms[13:29] = 1.0, 1.0
    values, weights = held_out([life(12, helps), life(12, helps), life(9, harms)], "way")
    assert weights[2] >= 3.0
    assert [found[0, 0] for found in values] == [1.0, 1.0, 1.0]
    alone, chosen = held_out([life(12, helps), life(9, harms), life(9, harms)], "way")
    assert chosen[0] == 0.0
    assert alone[0][0, 0] == 0.0


def test_conversations_are_drawn_whole() -> None:
    """Questions of one group weigh the same in every resample, and each resample sums to 1."""
    weights = resample_groups(np.array([0, 0, 0, 1, 2, 2]), seed=3)
    assert np.allclose(weights.sum(axis=1), 1.0)
    assert (weights[:, 0] == weights[:, 2]).all()
    assert (weights[:, 4] == weights[:, 5]).all()
    assert len(np.unique(weights[:, 3])) > 1


@pytest.mark.req("D55")
def test_the_command_writes_every_way_beside_the_default(tmp_path: Path) -> None:
    """Two toy conversations: rows for all ways, what each has over the default, how far a graph reaches."""
    data, out = toy.write_lines(tmp_path / "a.jsonl", toy.locomo()), tmp_path / "out.json"
    given = ["multihop", "--set", "locomo", "--data", str(data), "--out", str(out), "--embedder", "hash"]
    assert main([*given, "--cache", str(tmp_path / "cache")]) == 0
    content = json.loads(out.read_text())
    assert {row["system"] for row in content["rows"]} == {multihop.DEFAULT, multihop.ALONE, *multihop.ROWS}
    assert {row["system"] for row in content["paired"]} == {multihop.ALONE, *multihop.ROWS}
    assert content["reach"]["memories within one hop"] <= content["reach"]["memories within two hops"]


@pytest.mark.req("D55")
def test_a_set_of_one_conversation_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """None could be held out, and the message says so."""
    data = toy.write_lines(tmp_path / "a.jsonl", toy.locomo()[:1])
    given = ["multihop", "--set", "locomo", "--data", str(data), "--out", str(tmp_path / "o.json")]
    assert main([*given, "--embedder", "hash", "--cache", str(tmp_path / "cache")]) == 1
    assert "fewer than two conversations" in capsys.readouterr().err
