"""Document A's criteria 23–28: what says the same twice is said once; the loser stays and names its successor."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import sqrt

import pytest

from tests.agent_zero.houses import House

INFERRED = {"validity": "inferred", "relevance": "active", "utility": "tactical", "source": "agent_inferred"}
ASSERTED = INFERRED | {"source": "user_asserted"}
CONFIRMED = INFERRED | {"validity": "confirmed"}
HEAVY = INFERRED | {"utility": "load_bearing"}


def pair(house: House, older: dict[str, str], newer: dict[str, str], cosine: float = 0.95, at: int = 0) -> list[str]:
    """Two memories so near to one another, the older first."""
    texts = [f"older {at}", f"newer {at}"]
    first, second = 2 * at, 2 * at + 1
    one, other = [0.0] * (second + 1), [0.0] * (second + 1)
    one[first] = 1.0
    other[first], other[second] = cosine, sqrt(1 - cosine * cosine)
    house.vectors(dict(zip(texts, (one, other), strict=True)))
    ids = house.add_many(texts)
    for one_id, classification, days in zip(ids, (older, newer), (9, 2), strict=True):
        made = (datetime.now(UTC) - timedelta(days=days)).isoformat()
        lineage = {"created_at": made, "superseded_by": None, "access_count": 0, "last_accessed": None}
        house.amend(one_id, classification=classification, lineage=lineage)
    return ids


@pytest.fixture
def kept(house: House) -> House:
    """A house that maintains at the end of every loop."""
    house.configure(maintenance_interval_loops=1)
    return house


def deprecated(house: House) -> set[str]:
    return {key for key in house.docs() if house.validity(key) == "deprecated"}


@pytest.mark.req("A16.23", "A11")
@pytest.mark.parametrize(
    ("cosine", "goes", "is_flagged"),
    [(0.95, True, False), (0.91, True, False), (0.89, False, True), (0.82, False, True), (0.78, False, False)],
)
def test_pairs_above_the_threshold_are_found(kept: House, cosine: float, goes: bool, is_flagged: bool) -> None:
    """.90 on Agent Zero's scale is a cosine of .80 (reading 16): named from there; acted on above a cosine of .90."""
    kept.start()
    older, _ = pair(kept, INFERRED, INFERRED, cosine)
    assert any("1 flagged" in line for line in kept.end().ours + kept.ask("log")) == is_flagged
    assert deprecated(kept) == ({older} if goes else set())


@pytest.mark.req("A16.24", "A11")
def test_of_two_inferred_the_older_goes(kept: House) -> None:
    """It is deprecated, not deleted, and names the newer."""
    kept.start()
    older, newer = pair(kept, INFERRED, INFERRED)
    kept.end()
    assert deprecated(kept) == {older}
    assert kept.lineage(older)["superseded_by"] == newer
    assert kept.docs()[older]["text"] == "older 0"


@pytest.mark.req("A16.24", "A14a")
def test_unless_its_owner_wants_to_be_asked(kept: House) -> None:
    """With auto_deprecate_agent_inferred off, such a pair is flagged and stays."""
    kept.configure(deduplication={"auto_deprecate_agent_inferred": False})
    kept.start()
    pair(kept, INFERRED, INFERRED)
    assert any("1 flagged" in line for line in kept.end().ours + kept.ask("log"))
    assert deprecated(kept) == set()


@pytest.mark.req("A16.25", "A11")
@pytest.mark.parametrize("asserted_first", [True, False])
def test_what_the_user_asserted_stays(kept: House, asserted_first: bool) -> None:
    """However old it is."""
    kept.start()
    ids = pair(kept, *((ASSERTED, INFERRED) if asserted_first else (INFERRED, ASSERTED)))
    kept.end()
    loser, winner = ids[asserted_first], ids[not asserted_first]
    assert deprecated(kept) == {loser}
    assert kept.lineage(loser)["superseded_by"] == winner


@pytest.mark.req("A11")
@pytest.mark.parametrize("other", [INFERRED, ASSERTED])
def test_what_is_confirmed_beats_the_rest(kept: House, other: dict[str, str]) -> None:
    """Also what the user asserted, and also where it is the older."""
    kept.start()
    confirmed, loser = pair(kept, CONFIRMED, other)
    kept.end()
    assert deprecated(kept) == {loser}
    assert kept.lineage(loser)["superseded_by"] == confirmed


@pytest.mark.req("A16.26", "A11")
def test_two_assertions_of_the_user_are_flagged_and_stay(kept: House) -> None:
    """Nobody but the user can say which one holds."""
    kept.start()
    ids = pair(kept, ASSERTED, ASSERTED)
    before = [kept.docs()[one]["metadata"]["classification"] for one in ids]
    kept.end()
    assert [kept.docs()[one]["metadata"]["classification"] for one in ids] == before
    assert any("1 flagged" in line for line in kept.ask("log"))


@pytest.mark.req("A16.27", "A11")
@pytest.mark.parametrize("other", [INFERRED, ASSERTED, CONFIRMED, HEAVY])
@pytest.mark.parametrize("heavy_first", [True, False])
def test_what_bears_load_is_never_deprecated(kept: House, other: dict[str, str], heavy_first: bool) -> None:
    """Against nothing, be it older or newer; such a pair is flagged."""
    kept.start()
    ids = pair(kept, *((HEAVY, other) if heavy_first else (other, HEAVY)))
    kept.end()
    assert ids[not heavy_first] not in deprecated(kept)


@pytest.mark.req("A16.28", "A11")
@pytest.mark.parametrize(("limit", "first", "second"), [(20, 20, 23), (3, 3, 6)])
def test_so_many_pairs_a_cycle_and_no_more(kept: House, limit: int, first: int, second: int) -> None:
    """Twenty-three pairs: twenty in the first cycle, the others in the next."""
    kept.configure(deduplication={"max_pairs_per_cycle": limit})
    kept.start()
    for at in range(23):
        pair(kept, INFERRED, INFERRED, at=at)
    kept.end()
    assert len(deprecated(kept)) == first
    kept.end()
    assert len(deprecated(kept)) == second


@pytest.mark.req("A11", "A13")
def test_switched_off_it_finds_nothing(kept: House) -> None:
    """The rest of the cycle still runs."""
    kept.configure(deduplication={"enabled": False})
    kept.start()
    pair(kept, INFERRED, INFERRED)
    kept.end()
    assert deprecated(kept) == set()


@pytest.mark.req("A12")
def test_what_was_never_used_is_named_but_not_reclassified(kept: House) -> None:
    """After more than the set number of cycles; until then it is not."""
    kept.configure(archival_threshold_cycles=2)
    kept.start()
    one = kept.add("never asked for", classification=INFERRED, lineage={"access_count": 0})
    kept.end()
    kept.end()
    assert not any("1 never accessed" in line for line in kept.ask("log"))
    kept.end()
    kept.end()
    assert any("1 never accessed" in line for line in kept.ask("log"))
    assert kept.docs()[one]["metadata"]["classification"] == INFERRED
