from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from reverie.consolidate.settings import ClusterCandidates, Deduplication, Dormancy, Links
from reverie.exchange.co_retrieval_log import CoRetrieval
from reverie.faces.agent_zero.ledger import LedgerEntry
from reverie.faces.agent_zero.maintenance import KeptRecords, clusters, deduplicated, dormant, kept, linked, tags
from reverie.faces.agent_zero.records import DocumentRecord, record, written
from reverie.formulas.gates import Resolution
from reverie.recipes.published.exocortex import DREAM
from tests.faces.agent_zero.conftest import NOW

assert DREAM.deduplication is not None
HOW: Deduplication = DREAM.deduplication
LINKS = Links(3, 10)


def memory(name: str, age_days: float = 0.0, related: tuple[str, ...] = (), **axes: str) -> DocumentRecord:
    """A memory of this age, classified so."""
    lineage = {"created_at": written(NOW - timedelta(days=age_days)), "related_memory_ids": list(related)}
    return record(name, name, {"classification": axes, "lineage": lineage}, NOW)


def at(*records: tuple[DocumentRecord, float]) -> KeptRecords:
    """Memories at these angles, in degrees."""
    angles = np.radians([angle for _, angle in records])
    return KeptRecords(
        tuple(one for one, _ in records), np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    )


def became(one: DocumentRecord, other: DocumentRecord, how: Deduplication = HOW) -> tuple[str, Resolution]:
    """Which of two that say the same goes, and why."""
    found = deduplicated(at((one, 0.0), (other, 1.0)), frozenset(), how)
    return found[0].goes, found[0].resolution


@pytest.mark.req("A11", "A16.23")
def test_the_threshold_is_on_the_hosts_scale() -> None:
    """.90 is a cosine of .80: 36.8 degrees apart says the same, 37 does not."""
    assert len(deduplicated(at((memory("a"), 0.0), (memory("b"), 36.8)), frozenset(), HOW)) == 1
    assert deduplicated(at((memory("a"), 0.0), (memory("b"), 37.0)), frozenset(), HOW) == ()


@pytest.mark.req("A11", "A16.23")
def test_what_is_merely_alike_is_named_and_stays() -> None:
    """It is acted on above a cosine of .90, which is 25.8 degrees."""
    assert deduplicated(at((memory("a"), 0.0), (memory("b"), 25.8)), frozenset(), HOW)[0].goes
    (alike,) = deduplicated(at((memory("a"), 0.0), (memory("b"), 25.9)), frozenset(), HOW)
    assert (alike.goes, alike.resolution) == ("", Resolution.FLAG_ALIKE)


@pytest.mark.req("A11", "A16.24", "A16.25", "A16.26", "A16.27")
def test_who_stays() -> None:
    """The newer of two inferred; confirmed before asserted before inferred; doubt and what bears load are flagged."""
    old, new = memory("old", 9.0), memory("new")
    said, other = memory("said", 9.0, source="user_asserted"), memory("other", source="user_asserted")
    sure = memory("sure", 9.0, validity="confirmed")
    bearing = memory("bearing", 9.0, utility="load_bearing")
    assert became(old, new)[0] == "old"
    assert became(new, old)[0] == "old"
    assert became(said, new)[0] == "new"
    assert became(sure, new)[0] == "new"
    assert became(said, other) == ("", Resolution.FLAG_USER)
    assert became(bearing, new) == ("", Resolution.FLAG_LOAD_BEARING)
    careful = Deduplication(0.9, 20, 5, False, HOW.asserted, HOW.load_bearing)
    assert became(old, new, careful) == ("", Resolution.FLAG_INFERRED)


@pytest.mark.req("A11", "A16.28")
def test_a_pass_judges_so_many_pairs() -> None:
    """Nearest first; what lost takes no further part, so nobody is superseded by what is deprecated itself."""
    many = at(*((memory(f"m{n}", float(n)), 0.01 * n) for n in range(60)))
    found = deduplicated(many, frozenset(), HOW)
    gone = [pair.goes for pair in found]
    assert len(found) == HOW.limit
    assert len(set(gone)) == len(gone)
    for number, pair in enumerate(found):
        assert pair.stays not in gone[:number]


@pytest.mark.req("A11")
def test_whoever_was_told_of_a_pair_is_not_told_again() -> None:
    """Twenty flagged pairs must not stand in the way of all others for ever."""
    said = at((memory("a", source="user_asserted"), 0.0), (memory("b", source="user_asserted"), 1.0))
    first = deduplicated(said, frozenset(), HOW)
    assert first[0].ids == ("a", "b")
    assert deduplicated(said, frozenset({("a", "b")}), HOW) == ()


@pytest.mark.req("A10", "A16.19")
def test_three_shared_tags_link_both_ways() -> None:
    """Two do not; links to what is gone are dropped, one that held one way holds both."""
    records = [memory("a", related=("gone",)), memory("b", related=("c",)), memory("c"), memory("d")]
    own = [frozenset("xyz"), frozenset("xyzw"), frozenset("xy"), frozenset()]
    assert linked(records, own, LINKS) == {"a": ("b",), "b": ("c", "a"), "c": ("b",)}
    assert linked(records[3:], own[3:], LINKS) == {}


@pytest.mark.req("A10")
def test_a_memory_has_so_many_links() -> None:
    """At most the limit, also where more was linked before."""
    records = [memory(f"m{n}") for n in range(9)]
    found = linked(records, [frozenset("abc")] * 9, Links(3, 4))
    assert all(len(names) <= 4 for names in found.values())
    crowded = [memory("m0", related=tuple(f"m{n}" for n in range(1, 9))), *records[1:]]
    assert len(linked(crowded, [frozenset()] * 9, Links(3, 4))["m0"]) == 4


@pytest.mark.req("A10")
def test_what_everything_is_about_links_nothing() -> None:
    """Of two hundred memories that all name the same project three tags link nobody; three rare ones do."""
    records = [memory(f"m{n}") for n in range(200)]
    own = [frozenset({"project", "user", "agent"})] * 198 + [frozenset({"project", "user", "helix", "vim", "nano"})] * 2
    assert linked(records, own, LINKS) == {"m198": ("m199",), "m199": ("m198",)}


@pytest.mark.req("A10")
def test_tags_are_what_a_text_is_about() -> None:
    """Entities and keywords, whatever their capitals; never what the classifier calls the memory."""
    found = tags("Zeynep prefers the Helix editor, and Helix only.")
    assert {"zeynep", "helix", "editor"} <= found
    assert not {"inferred", "active", "tactical", "main"} & found


@pytest.mark.req("A9", "A16.18")
def test_a_cluster_is_a_pair_that_came_more_often_than_the_edge() -> None:
    """Six times, not five; with the first and last time."""
    hours = [NOW + timedelta(hours=number) for number in range(6)]
    seen = [CoRetrieval(hour, "", ("b", "a", *("c" if number else "")), 1) for number, hour in enumerate(hours)]
    found = clusters(seen, ClusterCandidates(5))
    assert [(one.memory_ids, one.count, one.first_seen, one.last_seen) for one in found] == [
        (("a", "b"), 6, hours[0], hours[5])
    ]


@pytest.mark.req("A12")
def test_what_was_never_needed_is_named() -> None:
    """Seen in more passes than the edge without an access, whoever counted it."""
    used = record("used", "x", {"lineage": {"access_count": 2}}, NOW)
    records = [memory("old"), memory("young"), memory("counted"), used]
    entries = {
        "old": LedgerEntry(since=1),
        "young": LedgerEntry(since=2),
        "counted": LedgerEntry(1, since=1),
        "used": LedgerEntry(since=1),
    }
    assert dormant(records, entries, 52, Dormancy(50, 1.0)) == ("old",)
    assert dormant(records, {}, 52, Dormancy(50, 1.0)) == ()


def test_only_what_holds_is_kept() -> None:
    """In the order of the index, each with its own row."""
    records = {"a": memory("a"), "c": memory("c")}
    found = kept(("a", "b", "c"), np.eye(3, dtype=np.float32), records.get)
    assert [one.memory.id for one in found.records] == ["a", "c"]
    assert found.vectors.tolist() == [[1, 0, 0], [0, 0, 1]]
    nobody: dict[str, Any] = {}
    assert kept((), np.empty((0, 1), np.float32), nobody.get).records == ()
