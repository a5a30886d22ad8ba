import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reverie.faces.agent_zero import shelves
from reverie.faces.agent_zero.maintenance import DuplicatePair, PassOutcome
from reverie.faces.agent_zero.records import written
from reverie.faces.agent_zero.shelves import StoreShelf, release_all, shelf
from reverie.formulas.gates import Resolution
from tests.faces.agent_zero.conftest import NOW, Memory, Place


def document(**metadata: Any) -> Any:
    """A document with this metadata."""
    return SimpleNamespace(page_content="text", metadata=metadata)


def raising(error: Exception) -> None:
    """A chore that fails fails the test."""
    raise error


def saved(one: StoreShelf, memory: Any, failed: Callable[[Exception], None] = raising) -> None:
    """Let a turn end."""

    async def turn() -> None:
        one.save_later(memory, failed)
        one.release()
        await shelves.settled()

    asyncio.run(turn())


def test_a_store_has_one_shelf_as_long_as_it_lives(place: Place) -> None:
    """A store that the host loads anew begins with a new one, which reads the counters from their file."""
    assert shelf(place.store, place.root) is shelf(place.store, place.root)
    assert shelf(place.store, place.root) is not shelf(Place(place.root).store, place.root)


@pytest.mark.req("A7", "A16.11", "A16.12")
def test_an_injection_counts_one(tmp_path: Path) -> None:
    """In the lineage and in the ledger; the second adds to the first."""
    one, metadata = StoreShelf(tmp_path), dict[str, Any]()
    one.count("a", metadata, NOW)
    assert metadata["lineage"]["access_count"] == 1
    assert metadata["lineage"]["last_accessed"] == written(NOW)
    assert metadata["lineage"]["related_memory_ids"] == []
    one.count("a", metadata, NOW + timedelta(seconds=1))
    assert metadata["lineage"]["access_count"] == 2
    one.writing()()
    assert StoreShelf(tmp_path).book.entries["a"].accesses == 2


def test_what_was_counted_before_us_goes_on(tmp_path: Path) -> None:
    """A lineage with a history keeps it, also where somebody set it higher meanwhile."""
    one, doc = StoreShelf(tmp_path), document(lineage={"access_count": 4, "last_accessed": "2026-01-01T00:00:00"})
    one.notice({"a": doc}, NOW)
    one.count("a", doc.metadata, NOW)
    assert doc.metadata["lineage"]["access_count"] == 5
    doc.metadata["lineage"]["access_count"] = 9
    one.count("a", doc.metadata, NOW + timedelta(hours=1))
    assert doc.metadata["lineage"]["access_count"] == 10


@pytest.mark.parametrize("known", [True, False])
def test_an_injection_that_another_extension_counted_is_counted_once(tmp_path: Path, known: bool) -> None:
    """The relevance filter of the same hook counts a moment before us."""
    one, doc = StoreShelf(tmp_path), document()
    if known:
        one.count("a", doc.metadata, NOW - timedelta(days=1))
    lineage = doc.metadata.setdefault("lineage", {"access_count": 0})
    before = lineage["access_count"]
    lineage |= {"access_count": before + 1, "last_accessed": written(NOW - timedelta(milliseconds=20))}
    one.notice({"a": doc}, NOW)
    one.count("a", doc.metadata, NOW)
    assert lineage["access_count"] == before + 1


@pytest.mark.req("A7")
def test_a_lineage_that_was_written_anew_gets_back_what_it_had(tmp_path: Path) -> None:
    """The classifier begins every lineage at zero when it comes to a memory; counts and links survive that."""
    one, doc = StoreShelf(tmp_path), document()
    one.count("a", doc.metadata, NOW)
    one.carry_out(PassOutcome(related={"a": ("b",)}, looked_at=("a",)), {"a": doc}, NOW)
    doc.metadata["lineage"] = {"access_count": 0, "last_accessed": None, "bst_domain": "coding"}
    one.notice({"a": doc}, NOW)
    assert doc.metadata["lineage"] == {
        "access_count": 1,
        "last_accessed": written(NOW),
        "bst_domain": "coding",
        "related_memory_ids": ["b"],
    }


def test_knowledge_is_not_taken_note_of(tmp_path: Path) -> None:
    """A piece of a file has no life of its own."""
    one = StoreShelf(tmp_path)
    one.notice({"k": document(knowledge_source=True), "m": document()}, NOW)
    assert set(one.book.entries) == {"m"}


def test_the_store_is_saved_once_a_turn_and_only_if_changed(place: Place, tmp_path: Path) -> None:
    """Nothing before the turn has ended, nothing where nothing changed."""
    one, memory = StoreShelf(tmp_path), Memory(place.store)
    saved(one, memory)
    assert memory.saves == 0
    one.count("a", {}, NOW)
    one.count("b", {}, NOW)
    assert memory.saves == 0
    saved(one, memory)
    saved(one, memory)
    assert memory.saves == 1


def test_a_loop_that_closes_saves_too(place: Place, tmp_path: Path) -> None:
    """A turn whose end nobody told us of loses nothing."""
    one, memory = StoreShelf(tmp_path), Memory(place.store)

    async def turn() -> None:
        one.count("a", {}, NOW)
        one.save_later(memory, raising)
        await asyncio.sleep(0)

    asyncio.run(turn())
    assert memory.saves == 1


def test_a_save_that_breaks_off_is_repeated_at_once(place: Place, tmp_path: Path) -> None:
    """The host writes in place, so a broken file must not be left; what fails for good is told and tried next turn."""
    one, memory, failed = StoreShelf(tmp_path), Memory(place.store), list[Exception]()
    tries = [RuntimeError("dictionary changed size"), None]

    def breaking() -> None:
        memory.saves += 1
        if error := tries.pop(0):
            raise error

    memory._save_db = breaking  # type: ignore[method-assign] # a fake that fails
    one.count("a", {}, NOW)
    saved(one, memory, failed.append)
    assert (memory.saves, failed) == (2, [])
    one.count("a", {}, NOW)
    tries[:] = [RuntimeError("full")] * 3
    saved(one, memory, failed.append)
    assert len(failed) == 1
    tries[:] = [None]
    saved(one, memory, failed.append)
    assert len(failed) == 1


def test_a_question_is_embedded_once(place: Place, tmp_path: Path) -> None:
    """All variants in one call; what was asked lately is known."""
    one = StoreShelf(tmp_path)
    asyncio.run(one.vectors(place.store, ["a", "b", "a"]))
    asyncio.run(one.vectors(place.store, ["b", "c"]))
    assert place.model.asked == [["a", "b"], ["c"]]


def test_many_questions_are_not_kept_for_ever(place: Place, tmp_path: Path) -> None:
    """The oldest go."""
    one = StoreShelf(tmp_path)
    for number in range(200):
        asyncio.run(one.vectors(place.store, [f"question {number}"]))
    asyncio.run(one.vectors(place.store, ["question 0", "question 199"]))
    assert place.model.asked[-1] == ["question 0"]


def test_a_pass_writes_what_it_found(tmp_path: Path) -> None:
    """The loser is deprecated and both name each other; a flagged pair is remembered; what is gone is skipped."""
    one = StoreShelf(tmp_path)
    docs = {name: document() for name in "abcd"}
    pairs = (
        DuplicatePair("a", "b", 0.95, Resolution.KEEP_FIRST),
        DuplicatePair("d", "c", 0.94, Resolution.FLAG_USER),
        DuplicatePair("a", "gone", 0.93, Resolution.KEEP_SECOND),
    )
    one.begin_pass(docs)
    one.carry_out(PassOutcome(pairs, {"c": ("d",), "gone": ("a",)}, ("a", "c", "gone")), docs, NOW)
    assert docs["b"].metadata["classification"]["validity"] == "deprecated"
    assert docs["b"].metadata["lineage"]["superseded_by"] == "a"
    assert docs["a"].metadata["lineage"]["supersedes"] == "b"
    assert docs["c"].metadata["lineage"]["related_memory_ids"] == ["d"]
    assert "classification" not in docs["a"].metadata
    assert one.book.flagged == {("c", "d")}
    del docs["d"]
    one.begin_pass(docs)
    assert (one.book.passes, one.book.flagged) == (2, frozenset())


def test_what_a_memory_is_about_is_worked_out_once(tmp_path: Path) -> None:
    """Again only where it says something else."""
    one = StoreShelf(tmp_path)
    assert one.tags_of("a", "Zeynep moved to Izmir") is one.tags_of("a", "Zeynep moved to Izmir")
    assert "izmir" in one.tags_of("a", "Zeynep moved to Izmir")
    assert "izmir" not in one.tags_of("a", "The printer is broken")


def test_complaints_are_told_once(tmp_path: Path) -> None:
    """Again when they are others; a damaged ledger is complained of as well."""
    (tmp_path / "reverie.json").write_text("{", encoding="utf-8")
    one = StoreShelf(tmp_path)
    assert len(one.complaints(("a",), ())) == 2
    assert one.complaints(("a",), ()) == ()
    assert one.complaints(("b",), ()) == ("b",)


def test_every_shelf_is_released(place: Place) -> None:
    """Whoever waits for everything waits for no end of a turn."""
    own = shelf(place.store, place.root)

    async def turn() -> None:
        own.count("a", {}, NOW)
        own.save_later(place.memory, raising)
        release_all()
        await shelves.settled()

    asyncio.run(turn())
    assert place.memory.saves == 1
