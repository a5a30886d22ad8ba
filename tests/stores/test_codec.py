"""The journal's bytes: canonical, complete, and the same string after the round trip."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidInput, StoreCorrupt
from reverie.events import Action, Erased, Forgotten, Payload, Recalled, Remembered
from reverie.stores import codec
from reverie.types import Kind, Memory, Role
from tests.stores.making import ADA, GRACE, ODD_TEXTS, START, at, draft, episode, memory_of

strings = st.text(st.characters(), max_size=20) | st.sampled_from(ODD_TEXTS[:-1])
moments = st.datetimes(timezones=st.just(UTC))


def round_trip(action: Action, payload: Payload) -> Payload:
    """The payload after encoding and decoding."""
    return codec.decode(action, ADA, codec.encode(draft(ADA, action, payload)))


@given(st.tuples(strings, strings, strings, strings), moments, st.sampled_from(Role), st.none() | moments)
def test_any_memory_comes_back_equal(
    texts: tuple[str, str, str, str], when: datetime, role: Role, end: datetime | None
) -> None:
    """Whatever strings, moments and roles an episode and its memories hold, they come back equal."""
    text, other, session, speaker = texts
    said = episode(ADA, "m", text, session=session, speaker=speaker, role=role, at=when, message_id=other)
    own = replace(memory_of(said, text=text), entities=(other, ""), keywords=(speaker,), recorded_at=when)
    formed = Memory("f", ADA, Kind.FACT, other, START, when, speaker, 7, session, Role.TOOL, valid_until=end)
    counted = replace(formed, id="c", accesses=3, last_access=when)
    payload = Remembered(said, (own, formed, counted))
    assert round_trip(Action.REMEMBER, payload) == payload


@given(st.lists(strings).map(tuple), st.lists(st.integers(0, 2**62)).map(tuple), st.none() | moments)
def test_the_other_payloads_come_back_equal(
    names: tuple[str, ...], seqs: tuple[int, ...], end: datetime | None
) -> None:
    """Recalled, forgotten and erased alike."""
    assert round_trip(Action.RECALL, Recalled(names)) == Recalled(names)
    assert round_trip(Action.ERASE, Erased(names, seqs)) == Erased(names, seqs)
    for name in names:
        assert round_trip(Action.FORGET, Forgotten(name, end, None)) == Forgotten(name, end, None)
        assert round_trip(Action.FORGET, Forgotten(name, None, end)) == Forgotten(name, None, end)


def test_the_bytes_are_canonical() -> None:
    """Keys sorted, no spaces, characters as themselves, what the episode says said once."""
    said = episode(ADA, "m1", "Çay\ud83d\ude00", message_id="x")
    payload = Remembered(said, (replace(memory_of(said), entities=("Ann",)),))
    assert codec.encode(draft(ADA, Action.REMEMBER, payload)) == (
        b'{"episode":{"at":"2026-03-02T09:00:00.000000+00:00","id":"m1","message_id":"x","role":"user","seq":0,'
        b'"session":"s","speaker":"Ann","text":"\xc3\x87ay\xed\xa0\xbd\xed\xb8\x80"},"memories":[{"entities":["Ann"],'
        b'"id":"m1","kind":"episode","recorded_at":"2026-03-02T09:00:01.000000+00:00","sources":["m1"]}]}'
    )


def test_two_halves_of_a_pair_stay_two_characters() -> None:
    """A high and a low surrogate side by side are not joined into the character they would make."""
    payload = Recalled(("\ud83d\ude00", "😀"))
    assert round_trip(Action.RECALL, payload) == payload
    assert codec.encode(draft(ADA, Action.RECALL, payload)) != codec.encode(
        draft(ADA, Action.RECALL, Recalled(("😀", "😀")))
    )


def test_the_same_moment_in_another_zone_is_the_same_bytes() -> None:
    """Moments are written in UTC."""
    there = START.astimezone(timezone(timedelta(hours=3)))
    assert codec.encode(draft(ADA, Action.FORGET, Forgotten("m", None, there))) == codec.encode(
        draft(ADA, Action.FORGET, Forgotten("m", None, START))
    )


def test_what_cannot_be_written_is_refused() -> None:
    """Another action's payload, another scope's content, a time without a zone."""
    said = episode(ADA, "m", "tea")
    with pytest.raises(InvalidInput, match="recall event cannot carry Erased"):
        codec.encode(draft(ADA, Action.RECALL, Erased((), ())))
    with pytest.raises(InvalidInput, match="another scope"):
        codec.encode(draft(GRACE, Action.REMEMBER, Remembered(said, ())))
    with pytest.raises(InvalidInput, match="time zone"):
        codec.encode(draft(ADA, Action.FORGET, Forgotten("m", None, at(0).replace(tzinfo=None))))


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"{}", b"\xff", b'{"memories":3}', b'{"episode":{},"memories":[]}'])
def test_bytes_that_are_no_payload_are_damage(raw: bytes) -> None:
    """Whatever stands there instead of a payload is reported as damage, not as a Python error."""
    with pytest.raises(StoreCorrupt):
        codec.decode(Action.REMEMBER, ADA, raw)


def test_a_change_of_what_a_memory_does_not_have_is_damage() -> None:
    """One bit makes "entities" "Entities"; a change is applied by name."""
    with pytest.raises(StoreCorrupt, match="Entities"):
        codec.decode(Action.CHANGE, ADA, b'{"changes":[{"id":"m","fields":{"Entities":[null,null]}}]}')
