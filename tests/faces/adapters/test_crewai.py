from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from reverie import Reverie, Scope
from reverie.errors import InvalidInput
from tests.faces.adapters.frameworks import THEIRS, adapter

adapters = adapter("crewai", "crewai", "crewai.memory.storage.backend")

from crewai.llms.base_llm import BaseLLM  # noqa: E402 - only where it is installed
from crewai.memory.storage.backend import StorageBackend  # noqa: E402 - only where it is installed
from crewai.memory.types import MemoryRecord  # noqa: E402 - only where it is installed
from crewai.memory.unified_memory import Memory  # noqa: E402 - only where it is installed

pytestmark = pytest.mark.filterwarnings(THEIRS)

DAY = datetime(2026, 5, 1)


@pytest.fixture
def storage(engine: Reverie, scope: Scope) -> Any:
    """A storage on each kind of engine."""
    return adapters.ReverieStorage(engine, scope)


def record(name: str, content: str, scope: str = "/", day: int = 0, **more: Any) -> Any:
    """A record as CrewAI makes one."""
    at = DAY + timedelta(days=day)  # both times: CrewAI's own default is deprecated, and a warning is an error here
    return MemoryRecord(id=name, content=content, scope=scope, **{"created_at": at, "last_accessed": at, **more})


RECORDS = [
    record("sushi", "Ada loves sushi and green tea.", "/crew/food", 1, categories=["taste"], metadata={"by": "x"}),
    record("izmir", "Ada moved to Izmir in May.", "/crew/places", 2, categories=["place", "move"], importance=0.9),
    record("toner", "The printer is out of toner again.", "/office", 3, source="bob", private=True),
    record("tea", "Green tea is kept in the second drawer.", "/crewed", 4, categories=["taste"]),
]


def search(storage: Any, words: str, **filters: Any) -> list[str]:
    """The ids a search brings."""
    (vector,) = storage.embedder([words])
    found = storage.search(vector, **filters)
    assert all(0.0 <= score <= 1.0 for _, score in found)
    return [one.id for one, _ in found]


def test_it_is_a_storage_backend(storage: Any) -> None:
    """By CrewAI's own protocol."""
    assert isinstance(storage, StorageBackend)


def test_a_record_comes_back_with_every_field(storage: Any) -> None:
    """But its vector, which CrewAI leaves out of what it writes as well."""
    storage.save([one.model_copy(update={"embedding": [1.0, 0.0]}) for one in RECORDS])
    for one in RECORDS:
        assert storage.get_record(one.id) == one
    assert storage.get_record("nobody") is None
    assert [one.id for one in storage.list_records()] == ["tea", "toner", "izmir", "sushi"]
    assert [one.id for one in storage.list_records(limit=2, offset=1)] == ["toner", "izmir"]


def test_an_update_is_visible(storage: Any) -> None:
    """To the next look and the next search; saving a known id is an update."""
    storage.save(RECORDS)
    storage.update(record("sushi", "Ada loves ramen by now."))
    assert storage.get_record("sushi").content == "Ada loves ramen by now."
    assert search(storage, "ramen")[0] == "sushi"
    assert storage.count() == 4


def test_a_search_recalls_by_words(storage: Any) -> None:
    """Best first, within scope, categories, metadata, limit and least score."""
    storage.save(RECORDS)
    assert search(storage, "Who moved to Izmir?")[0] == "izmir"
    assert search(storage, "Who moved to Izmir?", limit=1) == ["izmir"]
    assert set(search(storage, "green tea", categories=["taste"])) == {"sushi", "tea"}
    assert search(storage, "green tea", scope_prefix="/crew")[0] == "sushi"
    assert "tea" not in search(storage, "green tea", scope_prefix="/crew")
    assert search(storage, "green tea", scope_prefix="crew/food/") == ["sushi"]
    assert search(storage, "green tea", metadata_filter={"by": "x"}) == ["sushi"]
    assert search(storage, "green tea", metadata_filter={"by": "y"}) == []
    assert search(storage, "green tea", min_score=1.1) == []


def test_a_vector_of_another_embedder_is_refused(storage: Any) -> None:
    """With what to do; and only the last so many texts are known again."""
    with pytest.raises(InvalidInput, match="embedder"):
        storage.search([0.5, 0.5])
    (vector,) = storage.embedder(["first"])
    storage.embedder([f"text {number}" for number in range(5_000)])
    with pytest.raises(InvalidInput, match="embedder"):
        storage.search(vector)


@pytest.mark.parametrize(
    ("conditions", "gone"),
    [
        ({"record_ids": ["sushi", "nobody", "sushi"]}, {"sushi"}),
        ({"scope_prefix": "/crew"}, {"sushi", "izmir"}),
        ({"scope_prefix": "/crew", "categories": ["move"]}, {"izmir"}),
        ({"categories": ["taste"]}, {"sushi", "tea"}),
        ({"older_than": (DAY + timedelta(days=3)).replace(tzinfo=UTC)}, {"sushi", "izmir"}),
        ({"metadata_filter": {"by": "x"}}, {"sushi"}),
        ({"record_ids": ["sushi"], "scope_prefix": "/office"}, set()),
        ({}, {"sushi", "izmir", "toner", "tea"}),
    ],
)
def test_records_are_deleted_by_every_condition(storage: Any, conditions: dict[str, Any], gone: set[str]) -> None:
    """And counted; what is deleted is not found again."""
    storage.save(RECORDS)
    assert storage.delete(**conditions) == len(gone)
    assert {one.id for one in storage.list_records()} == {one.id for one in RECORDS} - gone
    assert not gone & set(search(storage, "Ada green tea Izmir toner"))


def test_scopes_and_categories_are_told(storage: Any) -> None:
    """Counts, times and what lies right below."""
    assert storage.get_scope_info("/").record_count == 0
    storage.save(RECORDS)
    info = storage.get_scope_info("/crew/")
    assert (info.path, info.record_count, info.categories) == ("/crew", 2, ["move", "place", "taste"])
    assert (info.oldest_record, info.newest_record) == (DAY + timedelta(days=1), DAY + timedelta(days=2))
    assert info.child_scopes == ["/crew/food", "/crew/places"]
    assert storage.list_scopes() == ["/crew", "/crewed", "/office"]
    assert storage.list_scopes("/crew") == ["/crew/food", "/crew/places"]
    assert storage.list_categories() == {"taste": 2, "place": 1, "move": 1}
    assert storage.list_categories("/crew/food") == {"taste": 1}
    assert (storage.count(), storage.count("/crew"), storage.count("/nowhere")) == (4, 2, 0)
    storage.reset("/crew")
    assert storage.count() == 2
    storage.reset()
    assert storage.count() == 0


def test_the_async_methods_do_the_same(storage: Any) -> None:
    """Through a thread."""

    async def live() -> None:
        await storage.asave(RECORDS)
        (vector,) = storage.embedder(["toner"])
        assert [one.id for one, _ in await storage.asearch(vector, limit=1)] == ["toner"]
        assert [one.id for one, _ in await storage.asearch(vector, "/office", None, None, 1, 0.0)] == ["toner"]
        assert await storage.adelete(record_ids=["toner"]) == 1

    asyncio.run(live())
    assert storage.count() == 3


def test_scopes_of_the_caller_are_apart(storage: Any, engine: Reverie) -> None:
    """Another person's storage holds nothing of this one's."""
    storage.save(RECORDS)
    other = adapters.ReverieStorage(engine, Scope("helper", "eve", "home"))
    assert other.count() == 0
    assert search(other, "green tea") == []


class Silent(BaseLLM):
    """A model nobody may ask."""

    def call(self, *args: Any, **more: Any) -> Any:
        raise AssertionError("the model was asked")


def test_a_real_memory_remembers_and_recalls(storage: Any) -> None:
    """CrewAI's own memory class over it, without a model: every field is given, and the recall is shallow."""
    memory = Memory(storage=storage, embedder=storage.embedder, llm=Silent(model="silent"))
    for one in RECORDS[:3]:
        memory.remember(one.content, scope=one.scope, categories=["fact"], importance=0.5, metadata={"n": 1})
    found = memory.recall("Who moved to Izmir?", depth="shallow", limit=2)
    assert found[0].record.content == "Ada moved to Izmir in May."
    assert [match.record.content for match in memory.recall("toner", scope="/office", depth="shallow")] == [
        "The printer is out of toner again."
    ]
    assert memory.forget(scope="/office") == 1
    assert storage.count() == 2
