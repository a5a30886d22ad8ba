import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from reverie.faces.agent_zero import records
from reverie.faces.agent_zero.records import deprecate, holds, lineage_of, may_come, moment, record
from tests.faces.agent_zero.conftest import NOW


@pytest.mark.req("A15")
def test_without_a_classifier_a_memory_has_its_beginning() -> None:
    """Nothing said of it reads as inferred, active, tactical, by the agent; it is as old as the document says."""
    found = record("m1", "text", {"timestamp": "2026-01-05 10:00:00"}, NOW)
    assert (found.validity, found.utility, found.source) == ("inferred", "tactical", "agent_inferred")
    assert found.memory.recorded_at == datetime(2026, 1, 5, 10).astimezone(UTC)
    assert (found.memory.accesses, found.memory.last_access, found.related) == (0, None, ())


@pytest.mark.req("A15")
def test_what_the_classifier_wrote_is_read() -> None:
    """The four axes and the lineage, where it puts them and as it writes them."""
    metadata = {
        "classification": {"validity": "confirmed", "utility": "load_bearing", "source": "user_asserted"},
        "lineage": {
            "created_at": "2026-01-05T10:00:00",
            "access_count": 4,
            "last_accessed": "2026-02-01T00:00:00+00:00",
            "related_memory_ids": ["a", 3, "b"],
        },
    }
    found = record("m1", "text", metadata, NOW)
    assert set(found.memory.standing.tags) == {"confirmed", "load_bearing", "user_asserted"}
    assert found.memory.recorded_at == datetime(2026, 1, 5, 10, tzinfo=UTC)
    assert found.memory.last_access == datetime(2026, 2, 1, tzinfo=UTC)
    assert (found.memory.accesses, found.related) == (4, ("a", "b"))


@pytest.mark.parametrize("rubbish", [None, 5, "text", [], {"validity": 3}, {"access_count": "many"}])
def test_rubbish_in_the_metadata_is_read_as_nothing(rubbish: Any) -> None:
    """A hand-edited document is a memory like any other."""
    found = record("m1", "text", {"classification": rubbish, "lineage": rubbish, "timestamp": rubbish}, NOW)
    assert (found.validity, found.memory.accesses, found.memory.recorded_at) == ("inferred", 0, NOW)


def test_knowledge_and_what_does_not_hold_are_no_memories() -> None:
    """Pieces of files, deprecated ones and ones of a single loop stay out; solutions have a block of their own."""
    assert holds({})
    assert not holds({"knowledge_source": True})
    assert not holds({"classification": {"validity": "deprecated"}})
    assert not holds({"classification": {"validity": "loop_period"}})
    assert holds({"area": "solutions"})
    assert not may_come({"area": "solutions"})
    assert may_come({"area": "fragments"})


def test_a_time_without_a_zone_is_read_as_its_writer_meant_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The classifier writes UTC with a T, the host local time with a blank."""
    monkeypatch.setenv("TZ", "Etc/GMT-3")
    time.tzset()
    try:
        assert moment("2026-01-05T10:00:00") == datetime(2026, 1, 5, 10, tzinfo=UTC)
        assert moment("2026-01-05 10:00:00") == datetime(2026, 1, 5, 7, tzinfo=UTC)
        assert moment("2026-01-05T10:00:00+02:00") == datetime(2026, 1, 5, 8, tzinfo=UTC)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert moment("yesterday") is None
    assert moment(None) is None


def test_deprecating_changes_the_validity_alone() -> None:
    """The other axes stay; where there were none they are the classifier's beginning."""
    metadata: dict[str, Any] = {"classification": {"utility": "archived", "note": "mine"}}
    deprecate(metadata, "other", NOW)
    said = metadata["classification"]
    assert (said["validity"], said["utility"], said["note"]) == ("deprecated", "archived", "mine")
    assert said["source"] == records.UNCLASSIFIED["source"]
    assert metadata["lineage"]["superseded_by"] == "other"


def test_a_lineage_is_begun_once() -> None:
    """One that is there is written to, whatever else it says; a broken one is begun anew."""
    metadata: dict[str, Any] = {"lineage": {"access_count": 3, "bst_domain": "coding"}}
    assert lineage_of(metadata, NOW) is metadata["lineage"]
    assert metadata["lineage"] == {"access_count": 3, "bst_domain": "coding", "related_memory_ids": []}
    broken: dict[str, Any] = {"lineage": "rubbish", "timestamp": "2026-01-05 10:00:00"}
    assert lineage_of(broken, NOW)["access_count"] == 0
    assert NOW - datetime.fromisoformat(broken["lineage"]["created_at"]) > timedelta(days=50)
