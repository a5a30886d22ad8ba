from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from reverie.encode.memory_factory import (
    Addition,
    DataSource,
    form,
    index,
    lay_down,
    merged,
    outdated,
    reinforced,
    superseded,
    taking_back,
)
from reverie.events import changed
from reverie.language.text.analyzer import query_terms, stems
from reverie.recipes.recipe import recipe
from reverie.types import Episode, Kind, Role, Scope, State
from tests.encode.making import AT, memory, origin, seen, thought

V9 = recipe("v9").encode
CLAW = recipe("openclaw").encode
assert V9.gate is not None
assert CLAW.gate is not None
NOW = AT


@pytest.mark.req("D15", "D39")
@pytest.mark.parametrize("name", ["v9", "reverie", "exocortex", "openclaw", "ocean"])
def test_a_new_memory_begins_as_its_recipe_says(name: str) -> None:
    """Utility .5 and a stability of one day everywhere; openclaw counts the storing as an access (C2)."""
    laid = lay_down("m", thought("a kite"), 0.6, origin(), recipe(name).encode)
    assert (laid.standing.utility, laid.standing.stability_days) == (0.5, 1.0)
    assert laid.accesses == (1 if name == "openclaw" else 0)
    assert laid.last_access == (NOW if name == "openclaw" else None)


@pytest.mark.req("C2", "C5")
def test_openclaw_counts_the_storing() -> None:
    """Access count 1 at store."""
    assert lay_down("m", thought("a kite"), 0.6, origin(), CLAW).accesses == 1


@pytest.mark.req("D17", "D22")
@pytest.mark.parametrize(
    ("role", "deliberate", "source", "written", "data"),
    [
        (Role.USER, False, None, "observer", "user_message"),
        (Role.PERSON, True, None, "manual", "user_message"),
        (Role.ASSISTANT, False, None, "observer", "assistant_message"),
        (Role.TOOL, False, None, "observer", "system"),
        (Role.SYSTEM, False, None, "observer", "system"),
        (Role.ASSISTANT, False, DataSource.FEDERATION, "observer", "federation"),
    ],
)
def test_a_memory_says_where_it_came_from(
    role: Role, deliberate: bool, source: DataSource | None, written: str, data: str
) -> None:
    """Write source and data source; the time it was said, and the time it was recorded."""
    said = replace(origin("a kite", role=role, deliberate=deliberate, at=AT - timedelta(days=9)), source=source)
    laid = lay_down("m", thought("a kite"), 0.6, said, V9)
    assert (laid.standing.write_source, laid.standing.data_source) == (written, data)
    assert (laid.at, laid.recorded_at, laid.sources) == (AT - timedelta(days=9), NOW, ("e1",))
    assert laid.standing.confidence == (1.0 if deliberate else 0.5)


@pytest.mark.req("D22")
def test_what_formation_put_in_other_words_says_so() -> None:
    """Split off, resolved or in the third person: not as it was observed."""
    laid = lay_down("m", thought("User flies a kite."), 0.6, origin("I fly a kite, and I sing."), V9)
    assert laid.standing.write_source == "formation"


@pytest.mark.req("D22", "D28")
@pytest.mark.parametrize("verdict", ["reinforced", "merged"])
def test_every_source_is_kept_in_a_merge(verdict: str) -> None:
    """All episodes, and all ways the words came, each once, the first first."""
    assert V9.gate is not None
    found = memory("a boat", data_source="user_message")
    for role in (Role.ASSISTANT, Role.USER, Role.TOOL):
        said = origin("a boat", role=role)
        said = replace(said, episode=replace(said.episode, id=role.value))
        if verdict == "reinforced":
            change = reinforced(found, said, V9.gate, "again")
        else:
            change = merged(found, Addition(thought("a sail"), 0.5, "more"), said, V9.gate)
        found = changed(found, change)
    assert found.sources == ("e0", "assistant", "user", "tool")
    assert found.standing.data_sources == ("user_message", "assistant_message", "system")


@pytest.mark.req("D32")
@pytest.mark.parametrize(
    ("arousal", "importance", "flashbulb", "stability"),
    [(0.79, 0.6, False, 1.0), (0.75, 0.6, False, 1.0), (0.8, 0.9, True, 1.5), (1.0, 0.9, True, 1.5)],
)
def test_high_arousal_makes_a_flashbulb(arousal: float, importance: float, flashbulb: bool, stability: float) -> None:
    """From .8 on: pinned, importance at least .9, stability times 1.5."""
    standing = lay_down("m", thought("a kite"), 0.6, origin(sight=seen(arousal)), V9).standing
    assert (standing.pinned, standing.flashbulb) == (flashbulb, flashbulb)
    assert (standing.importance, standing.stability_days, standing.arousal) == (importance, stability, arousal)


@pytest.mark.req("D32")
def test_a_flashbulb_keeps_what_is_more_important_yet() -> None:
    """.9 is the least."""
    assert lay_down("m", thought("a kite"), 0.95, origin(sight=seen(0.9)), V9).standing.importance == 0.95


@pytest.mark.req("D30")
@pytest.mark.parametrize(("importance", "tagged"), [(0.0, True), (0.46, True), (0.49, True), (0.5, False)])
def test_a_weak_memory_is_tagged_for_four_hours(importance: float, tagged: bool) -> None:
    """Weak is below .5."""
    standing = lay_down("m", thought("a kite"), importance, origin(), V9).standing
    assert standing.tagged_until == (NOW + timedelta(hours=4) if tagged else None)


@pytest.mark.req("A10")
def test_tags_are_entities_and_keywords() -> None:
    """The existing classifier writes none (reading 18)."""
    one = thought("Maya's kite", entities=("entity://person/maya",), keywords=("kite",))
    assert lay_down("m", one, 0.6, origin(), V9).standing.tags == ("entity://person/maya", "kite")


@pytest.mark.req("D17", "D4")
def test_superseding_closes_the_old_and_links_both() -> None:
    """Never deleted: it holds until the new was said."""
    old, new = memory("a boat"), replace(memory("a kite", "new"), at=AT + timedelta(days=3))
    closed = changed(old, superseded(old, new, "because"))
    assert (closed.valid_until, closed.standing.state) == (new.at, State.SUPERSEDED)
    assert (closed.standing.superseded_by, taking_back(new, (old,)).standing.supersedes) == ("new", "old")
    assert closed.text == "a boat"


@pytest.mark.req("D17")
def test_what_was_said_before_is_outdated_from_the_start() -> None:
    """It held until what contradicts it was said."""
    late = outdated(replace(memory("a boat", "late"), at=AT - timedelta(days=3)), memory("a kite"))
    assert (late.valid_until, late.standing.state, late.standing.superseded_by) == (AT, State.SUPERSEDED, "old")


@pytest.mark.req("D4")
def test_reinforcing_makes_it_fade_more_slowly() -> None:
    """Stability times 1.2, one more source, one more access."""
    old = memory("a boat", stability_days=2.0)
    again = changed(old, reinforced(old, origin(), V9.gate, "again"))
    assert again.standing.stability_days == pytest.approx(2.4)
    assert (again.sources, again.accesses, again.last_access, again.text) == (("e0", "e1"), 1, NOW, "a boat")


@pytest.mark.req("D28")
@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("Maya has a boat.", "The boat is blue.", "Maya has a boat.\nThe boat is blue."),
        ("Maya has a boat.\nThe boat is blue.", "The boat is blue.", "Maya has a boat.\nThe boat is blue."),
        ("I like teasing.", "I like tea", "I like teasing.\nI like tea"),
        ("Ayşe'nin teknesi var.", "Tekne mavi.", "Ayşe'nin teknesi var.\nTekne mavi."),
        ("Ayşe'nin teknesi var.\nTekne mavi.", "Tekne mavi.", "Ayşe'nin teknesi var.\nTekne mavi."),
        ("Çaylarını severim.", "Çay", "Çaylarını severim.\nÇay"),
    ],
)
def test_without_a_model_an_update_appends(old: str, new: str, text: str) -> None:
    """Each statement once, and none lost because it is a part of another."""
    held = memory(old)
    after = changed(held, merged(held, Addition(thought(new), 0.2, ""), origin(), V9.gate))
    assert (after.id, after.text, after.accesses, after.sources) == ("old", text, 1, ("e0", "e1"))


@pytest.mark.req("D28")
def test_a_models_wording_stands_instead() -> None:
    """Old and new in one."""
    held = memory("Maya has a boat.")
    adding = Addition(thought("The boat is blue."), 0.2, "", "Maya has a blue boat.")
    assert changed(held, merged(held, adding, origin(), V9.gate)).text == "Maya has a blue boat."


@pytest.mark.req("C7")
@pytest.mark.parametrize(("old", "new", "importance"), [(0.7, 0.9, 0.9), (0.9, 0.7, 0.9)])
def test_openclaw_takes_the_newer_text(old: float, new: float, importance: float) -> None:
    """Same id, count + 1, last access now, the higher importance."""
    held = replace(memory("a boat", importance=old), accesses=3, last_access=AT - timedelta(days=9))
    after = changed(held, merged(held, Addition(thought("a kite"), new, ""), origin(), CLAW.gate))
    assert (after.id, after.text, after.accesses, after.last_access) == ("old", "a kite", 4, NOW)
    assert after.standing.importance == importance


def test_a_merge_gathers_names_and_words() -> None:
    """Each once, the older first."""
    held = replace(memory("a boat", tags=("boat",)), entities=("entity://person/maya",), keywords=("boat",))
    adding = thought("a kite", entities=("entity://person/maya", "entity://place/oslo"), keywords=("kite",))
    after = changed(held, merged(held, Addition(adding, 0.2, ""), origin(), V9.gate))
    assert (after.entities, after.keywords) == (("entity://person/maya", "entity://place/oslo"), ("boat", "kite"))
    assert after.standing.tags == ("boat", "entity://person/maya", "entity://place/oslo", "kite")


@pytest.mark.req("D17")
@pytest.mark.parametrize(
    ("old", "new", "until"), [(None, 3, None), (3, None, None), (3, 5, 5), (5, 3, 5), (None, None, None)]
)
def test_a_merge_holds_as_long_as_the_longer(old: int | None, new: int | None, until: int | None) -> None:
    """No fact goes with a plan that is over."""
    days = [None if n is None else AT + timedelta(days=n) for n in (old, new, until)]
    held = replace(memory("a boat", time_bounded=old is not None), valid_until=days[0])
    adding = thought("a kite", Kind.PLAN, valid_until=days[1], time_bounded=new is not None)
    after = changed(held, merged(held, Addition(adding, 0.2, ""), origin(), V9.gate))
    assert (after.valid_until, after.standing.time_bounded) == (days[2], days[2] is not None)


def terms(text: str, speaker: str = "Caroline") -> set[str]:
    """What is indexed for a message of 7 May 2023."""
    at = datetime(2023, 5, 7, tzinfo=UTC)
    episode = Episode("e1", Scope("a", "u", "p"), "s1", 0, speaker, Role.PERSON, text, at)
    return set(index(form(episode, at)).terms)


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("We painted a sunrise.", "sunrise"),
        ("We painted a sunrise.", "Caroline"),
        ("We painted a sunrise.", "7 May 2023"),
        ("Dün akşam çok güzel bir film izledik.", "7 Mayıs 2023"),
    ],
)
def test_words_speaker_and_date_are_findable(text: str, cue: str) -> None:
    """Every word of the cue has a stem in the index of the message."""
    asked = [stems(term) for term in query_terms(cue)]
    assert all(not terms(text).isdisjoint(forms) for forms in asked)


def test_words_are_counted_from_the_text_alone() -> None:
    """Speaker and date do not make a message longer."""
    at = datetime(2023, 5, 7, tzinfo=UTC)
    episode = Episode("e1", Scope("a", "u", "p"), "s1", 0, "Caroline", Role.PERSON, "one two three", at)
    assert index(form(episode, at)).words == 3
