from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from reverie.faces.http.bodies import BLANK, Moment, Name, Packed, PackedWords, ScopePart, Text, Words, moment


def fits(kind: Any, value: object) -> bool:
    """Whether a value is taken."""
    try:
        TypeAdapter(kind).validate_python(value)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-03-01T09:30:00Z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01t09:30:00.25z", datetime(2026, 3, 1, 9, 30, 0, 250_000, tzinfo=UTC)),
        ("2026-03-01T09:30:00+05:30", datetime(2026, 3, 1, 9, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))),
    ],
)
def test_a_moment_names_its_zone(text: str, at: datetime) -> None:
    """RFC 3339, whatever the case and the fraction."""
    assert moment(text) == at


@pytest.mark.parametrize(
    "value",
    [
        "2026-03-01",
        "2026-03-01T09:30:00",
        "2026-13-01T09:30:00Z",
        "20260301T093000Z",
        "1e9",
        "",
        3,
        None,
        "٢026-03-01T09:30:00Z",
    ],
)
def test_what_names_no_zone_is_no_moment(value: object) -> None:
    """Nothing is guessed: neither a zone nor a number of seconds."""
    assert not fits(Moment, value)


def test_any_string_is_text_and_nothing_else() -> None:
    """Lone surrogates, NUL and nothing at all are text; numbers are not."""
    assert all(fits(Text, text) for text in ("", "\ud800", "\0", "é"))
    assert not any(fits(Text, value) for value in (1, None, b"x", ["x"]))


def test_names_words_and_parts_say_something() -> None:
    """Blank ones are refused; each has its length."""
    for kind in (Name, Words, ScopePart):
        assert fits(kind, " a ")
        assert not any(fits(kind, value) for value in ("", " ", "\t\x1f", 3))
    assert fits(Name, "x" * 1000)
    assert not fits(Name, "x" * 1001)
    assert not fits(ScopePart, "x" * 201)
    assert not fits(ScopePart, "a\0b")


def test_what_the_description_calls_blank_is_what_is_refused() -> None:
    """Character by character: the class in the pattern is what ``str.strip`` takes off."""
    blank = re.compile(f"[{BLANK}]")
    assert [code for code in range(0x110000) if bool(blank.match(chr(code))) != (not chr(code).strip())] == []


def test_packed_words_say_something() -> None:
    """A blank text is none, however it is packed."""
    assert TypeAdapter(PackedWords).validate_python("7aC9") == "\ud83d"
    assert fits(PackedWords, None)
    assert not any(fits(PackedWords, value) for value in ("", "IA==", "?", 3))


def test_a_packed_text_is_base64_of_utf8() -> None:
    """Surrogates pass; what is neither base64 nor UTF-8 does not."""
    assert TypeAdapter(Packed).validate_python("7aC9") == "\ud83d"
    assert fits(Packed, None)
    assert not any(fits(Packed, value) for value in ("é", "?", "/w==", 3))
