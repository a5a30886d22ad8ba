"""A note of another memory as a message."""

from __future__ import annotations

import pytest

from reverie.exchange.foreign.note import SESSION_MAX, Program, joined, kind_of_link
from reverie.types import RelationKind, Role

HERE = Program("elsewhere")


def test_a_note_says_where_it_comes_from() -> None:
    """Program as speaker, place as session; what a person said keeps its speaker."""
    note = HERE.note("Tea at five.", "n1", place="kitchen")
    assert (note.speaker, note.role, note.session) == ("elsewhere", Role.PERSON, "elsewhere/kitchen")
    said = HERE.note("Tea at five.", "n1", role="human")
    assert (said.speaker, said.role, said.session) == ("user", Role.USER, "elsewhere")


def test_the_id_is_stable_and_changes_with_the_words() -> None:
    """So that a second import is known, and an edited note is new."""
    first, again, edited = (HERE.note(text, "n1").message_id for text in ("tea", "tea", "coffee"))
    assert first == again != edited


def test_long_and_odd_names_stay_apart_and_short() -> None:
    """Two places that begin alike are still two; no name is longer than a name may be, none holds a NUL."""
    one, two = (HERE.note("x", "k" * 5000 + end, place="p" * 5000 + end) for end in "ab")
    assert one.session != two.session
    assert one.message_id != two.message_id
    assert len(one.session) <= SESSION_MAX
    assert len(one.message_id or "") < 1000
    assert "\0" not in HERE.note("x", "a\0b", place="c\0d").session


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Caused-By", RelationKind.RELATED_TO),
        ("supersedes", RelationKind.SUPERSEDES),
        ("same entity", RelationKind.SAME_ENTITY),
        ("works_at", RelationKind.RELATED_TO),
        ("", RelationKind.RELATED_TO),
    ],
)
def test_an_edge_gets_our_name_where_there_is_one(name: str, kind: RelationKind) -> None:
    """All others are related."""
    assert kind_of_link(name) is kind


def test_only_what_says_something_is_joined() -> None:
    """Empty parts and what is no text leave no line."""
    assert joined(["a ", "", None, 3, "  ", "b"]) == "a\nb"
