import json
from typing import Any

import pytest

from reverie.exchange.co_retrieval_log import CoRetrievalLog
from reverie.faces.agent_zero import enhance, maintain
from reverie.faces.agent_zero.maintenance import DuplicatePair, PassOutcome
from reverie.faces.agent_zero.settings import settings
from reverie.faces.agent_zero.turns import summary
from reverie.formulas.gates import Resolution
from tests.faces.agent_zero.conftest import NOW, LoopData, Place

ON: dict[str, Any] = {"deduplication": True, "related_memories": True}


@pytest.fixture
def furnished(place: Place) -> Place:
    """Two that say the same, of which one is newer."""
    place.add("old", "The build needs Python 3.12", [1.0], timestamp="2026-01-01 10:00:00")
    place.add("new", "The build needs Python 3.12 now", [1.0, 0.1], timestamp="2026-02-01 10:00:00")
    return place


def loops(place: Place, count: int) -> None:
    """So many monologues end."""
    place.run(*(maintain(place.agent, LoopData("x"), NOW) for _ in range(count)))


@pytest.mark.req("A14a")
def test_a_pass_comes_every_so_many_loops(furnished: Place) -> None:
    """The twenty-fourth loop changes nothing, the twenty-fifth does; the log has one line, the store is saved once."""
    furnished.configure(**ON)
    loops(furnished, 24)
    assert "classification" not in furnished.store.docs["old"].metadata
    assert (furnished.agent.lines, furnished.memory.saves) == ([], 0)
    loops(furnished, 1)
    old, new = (furnished.store.docs[name].metadata for name in ("old", "new"))
    assert old["classification"]["validity"] == "deprecated"
    assert (old["lineage"]["superseded_by"], new["lineage"]["supersedes"]) == ("new", "old")
    assert furnished.agent.lines == [
        (
            "util",
            "[MEM-MAINT] pass 1: 1 deprecated (old by new at 1.00), 0 flagged, 0 linked, 0 cluster candidates, "
            "0 never accessed",
        )
    ]
    assert furnished.memory.saves == 1


@pytest.mark.req("A14a")
def test_loops_are_counted_across_restarts(furnished: Place) -> None:
    """A process that ends every three loops gets its pass all the same."""
    furnished.configure(**ON, maintenance_interval_loops=5)
    loops(furnished, 3)
    again = Place(furnished.root)
    furnished.memory.db = again.store = _copied(furnished.store)
    loops(furnished, 2)
    assert furnished.agent.lines[0][1].startswith("[MEM-MAINT] pass 1: 1 deprecated")
    said = json.loads((furnished.root / "usr" / "memory" / "default" / "reverie.json").read_text("utf-8"))
    assert (said["loops"], said["passes"]) == (5, 1)


def test_what_is_deprecated_does_not_come_again(furnished: Place) -> None:
    """It is in nobody's prompt, and no later pass looks at it."""
    furnished.configure(**ON, maintenance_interval_loops=1)
    loops(furnished, 2)
    assert "0 deprecated" in furnished.agent.lines[1][1]
    data = furnished.ask("the build?", [1.0])
    furnished.run(enhance(furnished.agent, data, NOW))
    assert "Python 3.12 now" in data.extras_persistent["memories"]
    assert data.extras_persistent["memories"].count("- ") == 1


@pytest.mark.req("A9")
def test_clusters_are_written_beside_the_entries(furnished: Place) -> None:
    """Six turns with the same two: a candidate, and nothing else happens."""
    furnished.configure(maintenance_interval_loops=1)
    for number in range(6):
        furnished.run(enhance(furnished.agent, furnished.ask(f"build {number}?", [1.0]), NOW))
    loops(furnished, 1)
    log = CoRetrievalLog(furnished.root / "usr" / "memory" / "co_retrieval_log.json")
    assert [(one.memory_ids, one.count) for one in log.candidates()] == [(("new", "old"), 6)]
    assert len(log.entries()) == 6


@pytest.mark.req("A13")
def test_a_slip_in_the_configuration_is_one_line(furnished: Place) -> None:
    """Told when it is first seen, not at every loop."""
    furnished.configure(maintenance_interval_loops="often")
    loops(furnished, 3)
    assert furnished.agent.lines == [
        ("warning", "[MEM-MAINT] settings; maintenance_interval_loops cannot be used"),
    ]


def test_a_line_names_what_a_person_must_see() -> None:
    """Flagged pairs always, deprecated ones where the configuration says so, of many the first."""
    pairs = (
        DuplicatePair("a", "b", 0.934, Resolution.KEEP_FIRST),
        DuplicatePair("c", "d", 0.91, Resolution.FLAG_USER),
    )
    outcome = PassOutcome(pairs, {"x": ("y",)}, ("x", "y"), (), tuple(f"m{n}" for n in range(30)))
    told = summary(outcome, 3, settings(ON))
    assert "1 deprecated (b by a at 0.93)" in told
    assert "1 flagged (c and d: flagged: the user asserted both)" in told
    assert "30 never accessed (m0, " in told
    assert "and 10 more)" in told
    quiet = summary(outcome, 3, settings({"deduplication": {"log_all_candidates": False}}))
    assert "b by a" not in quiet
    assert "c and d" in quiet
    nothing = settings({"dormancy": False})
    assert summary(PassOutcome(), 1, nothing) == "pass 1: every component is switched off"


def _copied(store: Any) -> Any:
    """The store as a new process would load it."""
    again = Place.__new__(Place)
    again.store = type(store)(store.embedding_function)
    again.store.__dict__.update(store.__dict__)
    return again.store
