from typing import Any

import pytest

from reverie.exchange.co_retrieval_log import CoRetrieval, CoRetrievalLog
from reverie.faces.agent_zero import maintenance, records
from reverie.faces.agent_zero.ledger import Book
from reverie.faces.agent_zero.maintenance import Copy, Planning
from reverie.faces.agent_zero.settings import settings
from tests.faces.agent_zero.conftest import NOW, Place

ON = {"deduplication": True, "related_memories": True, "archival_threshold_cycles": 0}


def planning(place: Place, said: dict[str, Any], book: Book | None = None) -> Planning:
    """A pass over what lies in the store."""
    copy = Copy(dict(place.store.docs), *records.vectors(place.store), book or Book(25, 1), NOW)
    return Planning(
        copy, settings(said), CoRetrievalLog(place.root / "log.json"), lambda _, text: maintenance.tags(text)
    )


@pytest.fixture
def furnished(place: Place) -> Place:
    """Two that say the same, two that are about the same, a piece of knowledge, and a log of six retrievals."""
    place.add("a", "Zeynep prefers the Helix editor for Rust.", [1.0])
    place.add("b", "Zeynep prefers the Helix editor for Rust code.", [1.0, 0.01])
    place.add("c", "The Helix editor is what Zeynep uses on Sundays.", [0.0, 1.0])
    place.add("k", "Helix editor handbook for Zeynep.", [1.0], knowledge_source=True)
    log = CoRetrievalLog(place.root / "log.json")
    for _ in range(6):
        log.append(CoRetrieval(NOW, "", ("a", "c"), 1))
    return place


@pytest.mark.req("A14a")
def test_a_pass_does_all_four_in_order(furnished: Place) -> None:
    """What lost in the first is not linked in the second nor named in the fourth; knowledge is never looked at."""
    work = planning(furnished, ON, Book(25, 2))
    found = work()
    assert [pair.goes for pair in found.pairs] == ["b"]  # of equally old ones the first stays
    assert dict(found.related) == {"a": ("c",), "c": ("a",)}
    assert found.looked_at == ("a", "c")
    assert found.clusters is not None
    assert [one.memory_ids for one in found.clusters] == [("a", "c")]
    assert CoRetrievalLog(furnished.root / "log.json").candidates() == list(found.clusters)
    assert found.dormant == ()  # not in the book, so first seen in this pass
    assert work.faults == []


@pytest.mark.req("A13", "A16.22")
def test_what_is_off_or_not_due_is_not_done(furnished: Place) -> None:
    """Links wait for their interval."""
    found = planning(furnished, {"dormancy": False, "co_retrieval": False})()
    assert (found.pairs, dict(found.related), found.looked_at, found.clusters, found.dormant) == (
        (),
        {},
        None,
        None,
        (),
    )
    early = planning(furnished, ON, Book(25, 1, linked_at=1))()
    assert early.looked_at is None


@pytest.mark.req("A13")
def test_a_component_that_fails_is_left_out(furnished: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others go on; the fault names the component and the kind of error."""

    def broken(*_: object) -> Any:
        raise KeyError("secret")

    monkeypatch.setattr(maintenance, "deduplicated", broken)
    (furnished.root / "log.json").write_text("{", encoding="utf-8")
    work = planning(furnished, ON)
    found = work()
    assert work.faults == ["deduplication skipped: KeyError", "co_retrieval skipped: InvalidExport"]
    assert found.looked_at == ("a", "b", "c")


def test_without_a_log_there_are_no_clusters_and_no_file(place: Place) -> None:
    """Maintenance makes no file that nothing was logged to."""
    assert planning(place, ON)().clusters == ()
    assert not (place.root / "log.json").exists()
