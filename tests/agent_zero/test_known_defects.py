"""What the known implementation of document A does wrong: six defects that were reproduced, each absent here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.agent_zero.houses import House
from tests.agent_zero.test_criteria_deduplication import INFERRED, deprecated, pair
from tests.agent_zero.test_criteria_links import related
from tests.agent_zero.vectors import axis, scored

QUERY = "plain question"
PLAIN = {"validity": "inferred", "relevance": "active", "utility": "tactical", "source": "agent_inferred"}


@pytest.mark.req("A16.2")
def test_similarities_are_real_ones(house: House) -> None:
    """Defect 1: with every similarity taken for 1, relevance has no say. Here the nearest comes first."""
    house.profile(max_injected=5, similarity_threshold=0.0)
    house.start()
    scores = {"third": 0.7, "first": 0.9, "fourth": 0.65, "second": 0.8, "fifth": 0.6}
    house.vectors({QUERY: axis(0)} | {text: scored(score, n + 3) for n, (text, score) in enumerate(scores.items())})
    ids = dict(zip(scores, house.add_many(list(scores)), strict=True))
    order = ("first", "second", "third", "fourth", "fifth")
    assert house.injected(house.turn(QUERY)) == [ids[name] for name in order]


@pytest.mark.req("A14", "A7")
def test_what_was_injected_is_what_was_tracked_while_the_stock_recall_races(house: House) -> None:
    """Defect 2: twenty turns, the stock recall faster or slower by chance; counts grow for what the prompt holds."""
    house.set(memory_recall_interval=1, memory_recall_similarity_threshold=0.5)
    house.profile(max_injected=3, similarity_threshold=0.5)
    house.start()
    house.ask("slow", {"user: ": 0.03, "which": 0.01})
    things = ("editor", "shell", "language", "database", "framework", "keyboard")
    house.add_many([f"The user prefers this {thing} number {n}" for thing in things for n in range(3)])
    counts: dict[str, int] = {}
    for n in range(20):
        turn = house.turn(f"which {things[n % 6]} does the user prefer this time?")
        now = {key: one["metadata"].get("lineage", {}).get("access_count", 0) for key, one in house.docs().items()}
        tracked = {key for key, count in now.items() if count == counts.get(key, 0) + 1}
        assert set(house.injected(turn)) == tracked
        assert len(tracked) == 3
        assert all(count - counts.get(key, 0) in (0, 1) for key, count in now.items())
        counts = now


@pytest.mark.req("A14", "A7")
def test_a_stock_recall_that_is_not_waited_for_does_not_win_in_the_end(house: House) -> None:
    """The same in the host's delayed mode: whenever its task ends, the prompt holds what was tracked."""
    house.set(memory_recall_delayed=True, memory_recall_similarity_threshold=0.5)
    house.profile(max_injected=2, similarity_threshold=0.5)
    house.start()
    house.ask("slow", {"user: ": 0.05})
    house.add_many([f"The user prefers this editor, number {n}" for n in range(6)])
    first = house.injected(house.turn("which editor does the user prefer?"))
    house.ask("settle")
    assert house.injected(house.turn(content=None, iteration=1)) == first
    counts = {key: one["metadata"].get("lineage", {}).get("access_count", 0) for key, one in house.docs().items()}
    assert {key for key, count in counts.items() if count == 1} == set(first)
    assert len(first) == 2


@pytest.mark.req("A1")
def test_the_query_is_what_was_said_not_its_json(house: House) -> None:
    """Defect 3: keywords like "user" and "message" came from the message's form."""
    house.start()
    house.add("anything at all")
    asked = [text for text in house.turn("Which editor?").embedded if not text.startswith("user: {")]
    assert sorted(asked) == ["Which editor?", "editor"]


@pytest.mark.req("A7", "A15")
def test_a_count_outlives_the_classifier_writing_lineage_anew(house: House) -> None:
    """Defect 4: the classifier writes a fresh lineage at the monologue's end, and with it a count of zero."""
    house.extend(
        "monologue_end",
        "_55_memory_classifier.py",
        "memory = await Memory.get(self.agent)\n"
        "for document in memory.db.get_all_docs().values():\n"
        f"    document.metadata['classification'] = {PLAIN!r}\n"
        "    document.metadata['lineage'] = {'created_at': '2026-01-01T00:00:00+00:00', 'access_count': 0,"
        " 'last_accessed': None, 'superseded_by': None}\n"
        "memory._save_db()",
    )
    house.start()
    one = house.add("The user prefers the helix editor")
    for turns in (1, 2, 3):
        house.turn("The user prefers the helix editor")
        assert house.lineage(one)["access_count"] == turns
        house.end()
    house.restart()
    house.turn("The user prefers the helix editor")
    assert house.lineage(one)["access_count"] == 4
    assert house.lineage(one)["created_at"] == "2026-01-01T00:00:00+00:00"


@pytest.mark.req("A10")
def test_being_classified_alike_links_nothing(house: House) -> None:
    """Defect 5: seven memories on seven things, all classified alike, made fourteen pairs."""
    house.configure(maintenance_interval_loops=1, related_memories={"rebuild_interval_cycles": 1})
    house.start()
    texts = [
        "Rye bread is baked on Tuesdays",
        "The staging server restarts at midnight",
        "Grandmother's birthday is in March",
        "Invoices are kept for ten years",
        "The bicycle has a flat tyre",
        "Helix is a modal editor",
        "Rain makes the cellar damp",
    ]
    house.vectors({text: axis(n + 3) for n, text in enumerate(texts)})
    ids = house.add_many(texts)
    for one in ids:
        house.amend(one, classification=PLAIN, lineage={"bst_domain": "coding", "access_count": 0})
    house.end()
    assert [related(house, one) for one in ids] == [[]] * 7


@pytest.mark.req("A11")
@pytest.mark.parametrize(("threshold", "is_named"), [(0.90, True), (0.925, False)])
def test_what_is_merely_alike_is_not_deprecated(house: House, threshold: float, is_named: bool) -> None:
    """Defect 6: a pair of cosine .849 was merged by a threshold of .90 that was thought to be a cosine.

    On Agent Zero's scale (reading 16) that pair has .9245: it is named, once, for a person; both stay as they are.
    """
    house.configure(maintenance_interval_loops=1, deduplication={"similarity_threshold": threshold})
    house.start()
    older, _ = pair(house, INFERRED, INFERRED, cosine=0.849)
    assert any("1 flagged" in line for line in house.end().ours + house.ask("log")) == is_named
    assert deprecated(house) == set()
    assert house.lineage(older)["superseded_by"] is None


# --- and what else a user of it would notice


@pytest.mark.req("A4")
def test_what_bears_load_does_not_come_before_what_was_asked_for(house: House) -> None:
    """7: it was put first whatever the question."""
    house.profile(max_injected=2, similarity_threshold=0.0)
    house.start()
    house.vectors({QUERY: axis(0), "on topic": scored(0.9, 5), "always off topic": scored(0.6, 6)})
    wanted = house.add("on topic", classification=PLAIN)
    heavy = house.add("always off topic", classification=PLAIN | {"utility": "load_bearing"})
    assert house.injected(house.turn(QUERY)) == [wanted, heavy]


@pytest.mark.req("A6")
def test_what_has_nothing_to_do_with_the_question_stays_out(house: House) -> None:
    """8: a threshold of a cosine of -.4 let everything in. Without a profile the host's own threshold stands."""
    house.start()
    house.vectors({QUERY: axis(0), "on topic": scored(0.9, 5), "off topic": scored(0.5, 6)})
    wanted = house.add("on topic")
    house.add("off topic")
    assert house.injected(house.turn(QUERY)) == [wanted]


@pytest.mark.req("A7", "A8")
def test_a_turn_of_several_iterations_counts_once(house: House) -> None:
    """9: one message, six steps with tools in between, one access and one entry; the block stays in the prompt."""
    house.start()
    one = house.add("The user prefers the helix editor")
    house.turn("The user prefers the helix editor")
    for iteration in range(1, 6):
        turn = house.turn(content=None, iteration=iteration)
        assert turn.error == ""
        assert house.injected(turn) == [one]
        assert turn.extras["memories"].count("helix") == 1
    house.ask("settle")
    assert house.lineage(one)["access_count"] == 1
    assert len(house.sidecar()["entries"]) == 1


@pytest.mark.req("A1")
def test_many_nearer_solutions_hide_no_memory(house: House) -> None:
    """11: the store's filter looks at the twenty nearest alone."""
    house.profile(max_injected=1, similarity_threshold=0.0)
    house.start()
    house.vectors({QUERY: axis(0), "the memory": scored(0.8, 200)} | {f"s{n}": scored(0.95, n + 3) for n in range(60)})
    one = house.add("the memory")
    house.ask("add", [{"text": f"s{n}", "metadata": {"area": "solutions"}} for n in range(60)])
    assert house.injected(house.turn(QUERY)) == [one]


@pytest.mark.req("A11")
def test_what_superseded_another_was_not_superseded_itself_before(house: House) -> None:
    """12: of three that say the same, the newest stays, and both others name something that still holds."""
    house.configure(maintenance_interval_loops=1)
    house.start()
    texts = ["said first", "said second", "said third"]
    house.vectors({text: scored(0.98, n + 3) for n, text in enumerate(texts)})
    ids = house.add_many(texts)
    for days, one in zip((9, 6, 3), ids, strict=True):
        made = (datetime.now(UTC) - timedelta(days=days)).isoformat()
        house.amend(one, classification=INFERRED, lineage={"created_at": made, "access_count": 0})
    house.end()
    house.end()
    assert deprecated(house) == set(ids[:2])
    for one in ids[:2]:
        successor = house.lineage(one)["superseded_by"]
        while successor in deprecated(house):  # superseded in turn, later: the chain ends at what holds
            successor = house.lineage(successor)["superseded_by"]
        assert successor == ids[2]


@pytest.mark.req("A3")
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "Pacific/Honolulu"])
@pytest.mark.parametrize(("nudge", "expected"), [(0.004, True), (-0.004, False)])
def test_a_time_without_a_zone_is_the_machines_own(house: House, zone: str, nudge: float, expected: bool) -> None:
    """13: the stock's timestamp is local; taken for UTC, what was made nine hours ago is now, or not yet made."""
    house.configure(temporal_decay={"half_life_hours": 9})
    house.profile(max_injected=2, similarity_threshold=0.0)
    house.start()
    house.ask("zone", zone)
    ahead = 0.15 * 0.5 / 0.85 + nudge
    house.vectors({QUERY: axis(0), "older": scored(0.75 + ahead, 5), "newer": scored(0.75, 6)})
    older, newer = house.add("older"), house.add("newer")
    stamp = datetime.strptime(house.docs()[newer]["metadata"]["timestamp"], "%Y-%m-%d %H:%M:%S")  # noqa: DTZ007  # the host stamps local time
    house.amend(older, timestamp=(stamp - timedelta(hours=9)).strftime("%Y-%m-%d %H:%M:%S"))
    assert (house.injected(house.turn(QUERY)) == [older, newer]) is expected


@pytest.mark.req("A14")
def test_it_speaks_through_the_hosts_log(house: House) -> None:
    """14: nothing is printed but once that we are there; what happened stands in the log under the prefixes."""
    house.configure(maintenance_interval_loops=1)
    house.start()
    house.add("The user prefers the helix editor")
    turn = house.turn("The user prefers the helix editor")
    end = house.end()
    assert turn.printed.count("[MEM-ENHANCE] loaded") + end.printed.count("[MEM-ENHANCE] loaded") <= 1
    assert end.printed.count("MEM-") <= 1
    assert "MEM-" not in house.turn("again").printed + house.end().printed
    assert len(turn.ours) == 1
    assert "[MEM-ENHANCE]" in turn.ours[0]
    assert any("[MEM-MAINT]" in line for line in house.ask("log"))


@pytest.mark.req("A14", "A15")
def test_knowledge_documents_are_not_memories(house: House) -> None:
    """15: they are neither classified nor counted, linked or deprecated, however alike they are."""
    house.configure(maintenance_interval_loops=1, related_memories={"rebuild_interval_cycles": 1})
    house.start()
    texts = ["Ada Lovelace moved the payment gateway to Frankfurt", "The payment gateway moved to Frankfurt by Ada"]
    house.vectors({text: scored(0.99, n + 3) for n, text in enumerate(texts)} | {QUERY: axis(0)})
    ids = house.add_many(texts)
    for one in ids:
        house.amend(one, knowledge_source=True, source_file="guide.md")
    before = house.docs()
    house.turn(QUERY)
    house.end()
    assert house.docs() == before


@pytest.mark.req("A14")
def test_the_store_is_saved_once_a_turn_at_most_and_not_before_the_answer(house: House) -> None:
    """16: saving writes the whole index. Nothing is saved while the prompt is made, or while the monologue ends."""
    house.configure(maintenance_interval_loops=1)
    house.start()
    pair(house, INFERRED, INFERRED)
    house.add("The user prefers the helix editor")
    turn = house.turn("The user prefers the helix editor")
    end = house.end()
    assert turn.saves == 0
    assert end.saves <= 1


@pytest.mark.req("A6")
def test_a_profile_is_read_for_its_own_model_alone(house: House) -> None:
    """17: the first file in the folder is not the profile of whatever model is used."""
    house.profile("aaa-somebody-elses-model.json", max_injected=1, similarity_threshold=0.99)
    house.start()
    texts = [f"The user prefers the helix editor, part {n}" for n in range(4)]
    ids = house.add_many(texts)
    assert set(house.injected(house.turn("The user prefers the helix editor, part 0"))) == set(ids)


@pytest.mark.req("A11")
def test_what_is_deprecated_is_not_injected(house: House) -> None:
    """What deduplication sets aside is no longer told to the model."""
    house.start()
    house.add("The user prefers the vi editor", classification=PLAIN | {"validity": "deprecated"})
    one = house.add("The user prefers the helix editor")
    assert house.injected(house.turn("The user prefers the helix editor")) == [one]
