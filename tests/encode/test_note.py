from datetime import UTC, datetime, timedelta

from reverie.encode.notes import NOTED, Note, noted, tagged, with_tags
from reverie.recipes.published.ocean import ENCODE
from reverie.types import Kind, Role, Scope

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
SCOPE = Scope("hawk", "ada", "home")


def test_a_note_is_a_memory_as_it_was_written() -> None:
    """Words, tags, importance and day are its author's; it is no word of the user's, so no order of it stands."""
    day = NOW - timedelta(days=3)
    made = noted(Note("CPL rose in Izmir.", None, day, 0.7, ("cpl",), True, "owl"), "m1", SCOPE, NOW, ENCODE)
    assert (made.text, made.at, made.recorded_at, made.speaker) == ("CPL rose in Izmir.", day, NOW, "owl")
    assert (made.role, made.session, made.sources) == (Role.PERSON, NOTED, ())
    assert (made.standing.importance, made.standing.verified) == (0.7, True)
    assert "cpl" in made.standing.tags
    assert made.standing.write_source == NOTED


def test_what_a_note_leaves_open_is_filled_in() -> None:
    """The kind comes from the words, the writer is the agent, and nothing was learned after now."""
    made = noted(Note("We decided to pause RevPie.", at=NOW + timedelta(days=1)), "m1", SCOPE, NOW, ENCODE)
    assert (made.kind, made.speaker, made.at) == (Kind.DECISION, "hawk", NOW)
    assert noted(Note("x"), "m2", SCOPE, NOW, ENCODE).kind is Kind.FACT


def test_new_tags_leave_the_entities() -> None:
    """Tags give way to tags, each stands once."""
    assert with_tags(("entity://org/acme", "old"), ("new", "new")) == ("entity://org/acme", "new")
    made = noted(Note("x", tags=("old",)), "m1", SCOPE, NOW, ENCODE)
    assert tagged(made, ("new",)).standing.tags == ("new",)
    assert tagged(made, ()) is made
