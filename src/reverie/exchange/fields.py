"""Reading single fields of a record of parsed JSON: in, a mapping and names; out, the typed value or ``FieldError``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

MILLISECONDS_FROM = 1e11
"""A number of seconds this large lies in the year 5138: it was milliseconds."""

SECONDS_FROM = 1e8
"""Digits in quotes are seconds from here on (1973); fewer are a date written together, such as 20260302."""

NAME_MAX = 1000
"""The engine takes speaker, session and message id up to this length."""


class FieldError(Exception):
    """A field is there but cannot be used; the text says which and why."""


def first(record: Mapping[str, object], *names: str) -> tuple[str, object]:
    """The first of these fields that is there and not null, with its name; ("", None) if none is."""
    return next(((name, record[name]) for name in names if record.get(name) is not None), ("", None))


def name_in(record: Mapping[str, object], *names: str) -> str | None:
    """A name (speaker, session, id): text or a whole number. None where it is missing or blank."""
    name, value = first(record, *names)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if value is None:
        return None
    if not isinstance(value, str):
        raise FieldError(f"{name} is {kind_of(value)}, not text")
    if len(value) > NAME_MAX:
        raise FieldError(f"{name} is longer than {NAME_MAX} characters")
    return value if value.strip() else None


def time_in(record: Mapping[str, object], *names: str) -> datetime | None:
    """A time in UTC: ISO 8601 text (without a zone: UTC) or seconds or milliseconds since 1970. None where missing."""
    name, value = first(record, *names)
    if value is None or value == "":
        return None
    try:
        return _time(value)
    except (ValueError, OverflowError, OSError):
        raise FieldError(f"{name} is no time that can be read") from None


def time_or_none(record: Mapping[str, object], *names: str) -> datetime | None:
    """The time of a record, where it only helps to place others: an unreadable one is no fault of theirs."""
    try:
        return time_in(record, *names)
    except FieldError:
        return None


def _time(value: object) -> datetime:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError
    if isinstance(value, str):
        number = _number(value)
        if not abs(number) >= SECONDS_FROM:
            at = datetime.fromisoformat(value.strip())
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
        value = number
    return datetime.fromtimestamp(value / 1000 if abs(value) >= MILLISECONDS_FROM else value, UTC)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def kind_of(value: object) -> str:
    """What JSON calls a value, for a message to the reader."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
