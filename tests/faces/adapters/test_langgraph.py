from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie import Reverie, Scope
from reverie.errors import InvalidInput
from tests.faces.adapters.frameworks import THEIRS, adapter

adapters = adapter("langgraph", "langgraph", "langgraph.store.memory")

from langgraph.store.base import (  # noqa: E402 - only where it is installed
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore  # noqa: E402 - only where it is installed

pytestmark = pytest.mark.filterwarnings(THEIRS)

DOCS = ("docs", "ada")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def store(engine: Reverie, scope: Scope) -> Any:
    """A store on each kind of engine."""
    return adapters.ReverieStore(engine, scope)


def keys(items: list[Any]) -> list[str]:
    """Which items they are."""
    return [item.key for item in items]


def test_an_item_is_put_changed_and_deleted(store: Any) -> None:
    """It comes back with its names and times; a change keeps when it came; deleting what is not there is no error."""
    assert store.get(DOCS, "one") is None
    store.put(DOCS, "one", {"text": "tea", "n": 1})
    first = store.get(DOCS, "one")
    assert (first.namespace, first.key, first.value) == (DOCS, "one", {"text": "tea", "n": 1})
    assert first.created_at == first.updated_at
    assert first.created_at.tzinfo is not None
    store.put(DOCS, "one", {"text": "rain"})
    second = store.get(DOCS, "one")
    assert second.value == {"text": "rain"}
    assert second.created_at == first.created_at < second.updated_at
    store.delete(DOCS, "one")
    store.delete(DOCS, "one")
    assert store.get(DOCS, "one") is None
    assert store.search(DOCS) == []


@given(value=st.dictionaries(st.text(max_size=5), JSON, max_size=4))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_value_comes_back_as_it_was_put(scope: Scope, value: dict[str, Any]) -> None:
    """Any JSON, to the byte of its writing."""
    with Reverie.open(":memory:", embedder=None, screen=None) as engine:
        store = adapters.ReverieStore(engine, scope)
        store.put(DOCS, "key", value)
        held = store.get(DOCS, "key").value
        assert json.dumps(held) == json.dumps(value)
        assert list(held) == list(value)


def test_what_is_no_json_is_refused_and_nothing_of_the_batch_is_written(store: Any) -> None:
    """Before anything is put."""
    with pytest.raises(InvalidInput, match="no JSON"):
        store.batch([PutOp(DOCS, "good", {"a": 1}), PutOp(DOCS, "bad", {"a": object()})])
    assert store.search(DOCS) == []


def test_a_batch_answers_in_its_order_and_reads_before_it_writes(store: Any) -> None:
    """Each operation has its place among the results; of two puts of one key the last counts."""
    store.put(DOCS, "old", {"n": 0})
    results = store.batch(
        [
            GetOp(DOCS, "old"),
            PutOp(DOCS, "old", {"n": 1}),
            PutOp(DOCS, "new", {"n": 2}),
            PutOp(DOCS, "new", {"n": 3}),
            GetOp(DOCS, "new"),
            SearchOp(("docs",)),
            ListNamespacesOp(),
            PutOp(DOCS, "gone", None),
        ]
    )
    assert results[0].value == {"n": 0}
    assert results[1:5] == [None] * 4
    assert keys(results[5]) == ["old"]
    assert results[6:] == [[DOCS], None]
    assert {item.key: item.value for item in store.search(DOCS)} == {"old": {"n": 1}, "new": {"n": 3}}


def test_times_to_live_are_refused(store: Any) -> None:
    """The store says that it has none, as LangGraph's flag tells, whichever way an item comes."""
    assert not store.supports_ttl
    with pytest.raises(NotImplementedError):
        store.put(DOCS, "key", {"a": 1}, ttl=5)
    with pytest.raises(NotImplementedError):
        store.batch([PutOp(DOCS, "key", {"a": 1}, ttl=5.0)])
    store.put(DOCS, "key", {"a": 1}, ttl=None)


@pytest.mark.parametrize("namespace", [(), ("a.b",), ("",), ("langgraph", "x"), ("a", 1)])
def test_bad_namespaces_are_refused(store: Any, namespace: Any) -> None:
    """As LangGraph's own stores do."""
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "key", {"a": 1})


FILTERED = {
    "red": {"color": "red", "score": 1, "meta": {"lang": "en", "tags": ["a", "b"]}},
    "blue": {"color": "blue", "score": 4.5, "meta": {"lang": "tr"}},
    "green": {"color": "green", "score": 10},
}


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"color": "red"},
        {"color": {"$eq": "red"}},
        {"color": {"$ne": "red"}},
        {"score": {"$gt": 1}},
        {"score": {"$gte": 1}},
        {"score": {"$lt": 4.5}},
        {"score": {"$lte": 4.5}},
        {"score": {"$gt": 1, "$lt": 10}},
        {"score": {"$gte": 1}, "color": "blue"},
        {"meta": {"lang": "tr"}},
        {"meta": {"tags": ["a", "b"]}},
        {"meta": {"tags": ["a"]}},
        {"color": None},
        {"other": None},
        {"score": True},
    ],
)
def test_filters_choose_what_langgraphs_own_store_chooses(store: Any, wanted: dict[str, Any]) -> None:
    """The same items for the same filter."""
    theirs = InMemoryStore()
    for each in (store, theirs):
        for key, value in FILTERED.items():
            each.put(DOCS, key, value)
    assert keys(store.search(DOCS, filter=wanted)) == keys(theirs.search(DOCS, filter=wanted))


def test_a_filter_passes_over_what_cannot_be_compared(store: Any) -> None:
    """A missing or wordy field is not above a number; words compare with words; an unknown operator is an error."""
    store.put(DOCS, "a", {"n": "many", "day": "2026-01-02"})
    store.put(DOCS, "b", {"n": 3, "day": "2026-02-01"})
    store.put(DOCS, "c", {})
    assert keys(store.search(DOCS, filter={"n": {"$gt": 1}})) == ["b"]
    assert keys(store.search(DOCS, filter={"day": {"$lt": "2026-02"}})) == ["a"]
    with pytest.raises(ValueError, match="operator"):
        store.search(DOCS, filter={"n": {"$near": 1}})


def test_limit_and_offset_walk_through_everything_once(store: Any) -> None:
    """Page by page, with and without a query; beyond the end there is nothing."""
    for number in range(25):
        store.put(DOCS, f"k{number}", {"text": f"Note {number} about tea"})
    for query in (None, "tea"):
        pages = [store.search(DOCS, query=query, limit=10, offset=start) for start in (0, 10, 20, 30)]
        assert [len(page) for page in pages] == [10, 10, 5, 0]
        assert {key for page in pages for key in keys(page)} == {f"k{number}" for number in range(25)}
    assert len(store.search(DOCS)) == 10


def test_a_prefix_takes_in_what_lies_below_it_and_nothing_beside(store: Any) -> None:
    """By whole labels; the empty prefix is everything."""
    for namespace in (("a",), ("a", "b"), ("a", "b", "c"), ("ab",), ("b",)):
        store.put(namespace, "key", {"at": list(namespace)})
    found = {prefix: [item.namespace for item in store.search(prefix)] for prefix in [(), ("a",), ("a", "b"), ("c",)]}
    assert found[()] == [("a",), ("a", "b"), ("a", "b", "c"), ("ab",), ("b",)]
    assert found["a",] == [("a",), ("a", "b"), ("a", "b", "c")]
    assert found["a", "b"] == [("a", "b"), ("a", "b", "c")]
    assert found["c",] == []


def test_a_query_ranks_and_never_looks_beside(store: Any) -> None:
    """The best first with a score; what was not recalled follows without; another user's items stay out."""
    store.put(("users", "ada"), "food", {"text": "Ada loves sushi and green tea."})
    store.put(("users", "ada"), "city", {"text": "Ada moved to Izmir in May."})
    store.put(("users", "eve"), "food", {"text": "Eve loves sushi more than anyone."})
    found = store.search(("users", "ada"), query="Which food does she love, sushi?")
    assert keys(found)[0] == "food"
    assert found[0].score is not None
    assert {item.namespace for item in found} == {("users", "ada")}
    both = store.search(("users",), query="Who moved to Izmir?", limit=1)
    assert [(item.namespace, item.key) for item in both] == [(("users", "ada"), "city")]


def test_a_query_goes_with_a_filter(store: Any) -> None:
    """Only what fits, in the order of the recall."""
    for number in range(6):
        store.put(DOCS, f"k{number}", {"text": f"Tea number {number}", "even": number % 2 == 0})
    found = store.search(DOCS, query="tea", filter={"even": True}, limit=2)
    assert len(found) == 2
    assert all(item.value["even"] for item in found)


def test_an_unindexed_item_is_there_and_not_recalled(store: Any) -> None:
    """It has no score, though it says the very words; a list of fields counts as indexed."""
    store.put(DOCS, "hidden", {"text": "the spare key hangs behind the boiler"}, index=False)
    store.put(DOCS, "shown", {"text": "the spare key was a gift"}, index=["text"])
    found = store.search(DOCS, query="where is the spare key behind the boiler")
    assert keys(found) == ["shown", "hidden"]
    assert found[0].score is not None
    assert found[1].score is None
    assert store.get(DOCS, "hidden").value["text"].startswith("the spare key")


def test_an_update_is_visible_to_the_next_search(store: Any) -> None:
    """The old words bring nothing, the new ones the new value."""
    store.put(DOCS, "pet", {"text": "The cat is called Pamuk."})
    store.put(DOCS, "pet", {"text": "The dog is called Karabaş."})
    (found,) = store.search(DOCS, query="Karabaş")
    assert found.value == {"text": "The dog is called Karabaş."}


NAMESPACES = [("a", "b", "c"), ("a", "b", "d"), ("a", "x", "c"), ("z", "b"), ("z", "b", "c", "e")]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"prefix": ("a",)},
        {"prefix": ("a", "b")},
        {"prefix": ("a", "*", "c")},
        {"suffix": ("c",)},
        {"suffix": ("b", "*")},
        {"prefix": ("a",), "suffix": ("c",)},
        {"prefix": ("nobody",)},
        {"max_depth": 1},
        {"max_depth": 2},
        {"prefix": ("a",), "max_depth": 2},
        {"limit": 2},
        {"limit": 2, "offset": 2},
        {"max_depth": 2, "limit": 1, "offset": 1},
    ],
)
def test_namespaces_are_listed_as_langgraphs_own_store_lists_them(store: Any, asked: dict[str, Any]) -> None:
    """By prefix, suffix, wildcard, depth, limit and offset."""
    theirs = InMemoryStore()
    for each in (store, theirs):
        for namespace in NAMESPACES:
            each.put(namespace, "key", {"a": 1})
    assert store.list_namespaces(**asked) == theirs.list_namespaces(**asked)


def test_a_namespace_without_items_is_not_listed(store: Any) -> None:
    """Once its last item is deleted it is gone, and can come again."""
    store.put(("a",), "key", {"n": 1})
    store.put(("b",), "key", {"n": 1})
    store.delete(("a",), "key")
    assert store.list_namespaces() == [("b",)]
    condition = MatchCondition("prefix", ("a",))
    assert store.batch([ListNamespacesOp((condition,))]) == [[]]
    store.put(("a",), "key", {"n": 2})
    assert store.list_namespaces() == [("a",), ("b",)]


def test_many_at_once_lose_nothing(store: Any) -> None:
    """Batches that run side by side: every item is there, every key holds one value, each answer is its own."""

    async def live() -> None:
        ours = (store.aput(DOCS, f"k{number}", {"n": number}) for number in range(30))
        same = (store.aput(DOCS, "same", {"n": number}) for number in range(10))
        await asyncio.gather(*ours, *same)
        found = await asyncio.gather(*(store.aget(DOCS, f"k{number}") for number in range(30)))
        assert [item.value["n"] for item in found] == list(range(30))
        assert len(await store.asearch(DOCS, limit=100)) == 31
        await store.adelete(DOCS, "same")
        assert await store.aget(DOCS, "same") is None
        assert await store.alist_namespaces() == [DOCS]

    asyncio.run(live())


def test_it_outlives_the_process_and_two_can_share_it(tmp_path: Any, scope: Scope) -> None:
    """Another engine on the same file sees what was put, and the other way round."""
    with Reverie.open(tmp_path / "m.db", embedder=None) as one, Reverie.open(tmp_path / "m.db", embedder=None) as two:
        here, there = adapters.ReverieStore(one, scope), adapters.ReverieStore(two, scope)
        here.put(DOCS, "key", {"n": 1})
        there.put(DOCS, "key", {"n": 2})
        assert here.get(DOCS, "key").value == {"n": 2}
        here.delete(DOCS, "key")
        assert there.get(DOCS, "key") is None
        assert there.list_namespaces() == []


def test_a_graph_finds_the_store(engine: Reverie, scope: Scope) -> None:
    """A real graph's node puts and searches through the runtime it is handed."""
    graphs = pytest.importorskip("langgraph.graph")
    runtime = pytest.importorskip("langgraph.runtime")

    def node(state: dict[str, Any], runtime: Any) -> dict[str, Any]:
        runtime.store.put(DOCS, "said", {"text": state["text"]})
        return {"text": runtime.store.search(DOCS, query="tea")[0].value["text"]}

    node.__annotations__["runtime"] = runtime.Runtime
    builder = graphs.StateGraph(dict)
    builder.add_node("node", node)
    builder.add_edge(graphs.START, "node")
    graph = builder.compile(store=adapters.ReverieStore(engine, scope))
    assert graph.invoke({"text": "I drink tea."}) == {"text": "I drink tea."}
