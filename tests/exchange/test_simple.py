from datetime import UTC, datetime, timedelta, timezone

import pytest

from reverie.exchange.fields import FieldError, MessageIds
from reverie.exchange.own import simple_message
from reverie.types import Role

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def test_every_field_is_taken_over() -> None:
    """The whole of the documented line arrives."""
    got = simple_message(
        {"text": "a", "speaker": "Ada", "role": "user", "session": "s", "at": "2026-03-02T09:00:00Z", "id": "m1"},
        MessageIds(),
    )
    assert (got.text, got.speaker, got.role, got.session, got.at, got.message_id) == (
        "a",
        "Ada",
        Role.USER,
        "s",
        NINE,
        "m1",
    )


@pytest.mark.parametrize(
    ("fields", "speaker", "role"),
    [
        ({}, "user", None),
        ({"speaker": "Ada"}, "Ada", None),
        ({"speaker": "Assistant"}, "Assistant", Role.ASSISTANT),
        ({"role": "human"}, "user", Role.USER),
        ({"role": "developer"}, "system", Role.SYSTEM),
        ({"role": "Ada"}, "Ada", None),
        ({"role": "assistant", "name": "Wren"}, "Wren", Role.ASSISTANT),
        ({"speaker": "Ada", "role": "narrator"}, "Ada", None),
    ],
)
def test_who_speaks_is_read_from_either_field(fields: dict[str, object], speaker: str, role: Role | None) -> None:
    """Known roles are roles; anything else is somebody's name."""
    got = simple_message({"text": "a", **fields}, MessageIds())
    assert (got.speaker, got.role) == (speaker, role)


@pytest.mark.parametrize(
    "at",
    [
        "2026-03-02T09:00:00Z",
        "2026-03-02T09:00:00",
        "2026-03-02T12:00:00+03:00",
        1772442000,
        1772442000000,
        "1772442000",
    ],
)
def test_times_in_all_their_writings_are_the_same_time(at: object) -> None:
    """ISO with and without zone, seconds, milliseconds, as number or text."""
    assert simple_message({"text": "a", "time": at}, MessageIds()).at == NINE


def test_a_time_is_kept_to_the_microsecond_and_in_utc() -> None:
    """A zone changes the writing, not the moment."""
    at = datetime(2026, 3, 2, 1, 2, 3, 456789, tzinfo=timezone(timedelta(hours=-7)))
    got = simple_message({"text": "a", "at": at.isoformat()}, MessageIds()).at
    assert got == at
    assert got is not None
    assert got.tzinfo is UTC


@pytest.mark.parametrize("at", ["yesterday", "nan", "inf", True, [], 1e300, "0001-01-01T00:00:00+14:00"])
def test_a_time_that_cannot_be_read_is_a_fault_of_the_line(at: object) -> None:
    """A message is not filed under a made-up time."""
    with pytest.raises(FieldError, match="at"):
        simple_message({"text": "a", "at": at}, MessageIds())


@pytest.mark.parametrize("record", [{}, {"text": None}, {"text": 3}, {"content": {"text": "a"}}, {"content": [1]}])
def test_a_line_without_words_of_its_own_is_a_fault(record: dict[str, object]) -> None:
    """An empty text is a text; a missing one is not."""
    with pytest.raises(FieldError):
        simple_message(record, MessageIds())
    assert simple_message({"text": ""}, MessageIds()).text == ""


def test_blocks_of_content_become_paragraphs() -> None:
    """The chat APIs write content as a list; what is no text in it has no words."""
    blocks = [{"type": "text", "text": "one"}, {"type": "image_url"}, {"type": "text", "text": "two"}]
    assert simple_message({"role": "user", "content": blocks}, MessageIds()).text == "one\n\ntwo"
