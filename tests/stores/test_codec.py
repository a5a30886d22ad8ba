from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidInput, StoreCorrupt
from reverie.events import (
    Action,
    Change,
    CountedRecall,
    Erased,
    FieldChange,
    Forgotten,
    Payload,
    Recalled,
    Remembered,
    difference,
)
from reverie.stores import codec
from reverie.stores.codec import (
    dump,
    from_micros,
    load,
    moment,
    one_message,
    plain_change,
    plain_episode,
    plain_memory,
    plain_relation,
    plain_standing,
    read_change,
    read_episode,
    read_memory,
    read_relation,
    read_standing,
    to_micros,
)
from reverie.types import BEGINNING, EPOCH, Kind, Memory, Relation, RelationKind, Role, Standing
from tests.stores.making import ADA, GRACE, ODD_TEXTS, START, at, draft, episode, memory_of
from tests.test_events import LIVED, LIVES

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


@given(st.lists(st.tuples(moments, st.lists(strings).map(tuple)), min_size=1))
def test_many_recalls_come_back_equal(rounds: list[tuple[datetime, tuple[str, ...]]]) -> None:
    """Whatever their times, and in whatever order; each id is written once."""
    parts = tuple(CountedRecall(moment, len(names)) for moment, names in rounds)
    payload = Recalled(tuple(name for _, names in rounds for name in names), (), parts)
    assert round_trip(Action.RECALL, payload) == payload
    assert list(payload.each(START)) == rounds


def test_the_bytes_of_many_recalls_are_these() -> None:
    """Ids once; of each recall the microseconds since the one before and the numbers of its ids."""
    parts = (CountedRecall(START, 2), CountedRecall(START + timedelta(seconds=1), 1))
    assert codec.encode(draft(ADA, Action.RECALL, Recalled(("a", "b", "b"), (), parts))) == (
        b'{"memories":["a","b"],"recalls":[[1772442000000000,0,1],[1000000,1]]}'
    )


def test_recalls_that_do_not_add_up_are_refused() -> None:
    """Neither written nor read."""
    parts = (CountedRecall(START, 2),)
    change = Change("a", (FieldChange("importance", 0.1, 0.2),))
    for payload in (Recalled(("a",), (), parts), Recalled(("a", "b"), (change,), parts)):
        with pytest.raises(InvalidInput, match="many recalls"):
            codec.encode(draft(ADA, Action.RECALL, payload))
    for rows in ("[]", "[[]]", "[[1,1]]", "[[1,-1]]", "[[1e99]]", '[["x"]]', "[[100000000000000000000]]", "7", "[7]"):
        with pytest.raises(StoreCorrupt):
            codec.decode(Action.RECALL, ADA, f'{{"memories":["a"],"recalls":{rows}}}'.encode())


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


SAID = episode(ADA, "e", "tea", at=at(1), message_id="x")


@given(LIVES)
def test_any_standing_comes_back_equal(standing: Standing) -> None:
    """Through JSON and back, every field."""
    assert read_standing(load(dump(plain_standing(standing)))) == standing


def test_the_beginning_takes_no_room() -> None:
    """What stands at its default is left out, and comes back as the one shared value."""
    assert plain_standing(BEGINNING) == {}
    assert read_standing({}) is BEGINNING


@given(LIVED)
def test_a_formed_memory_stands_alone(memory: object) -> None:
    """Without an episode beside it every field is written."""
    formed = replace(memory, scope=ADA, kind=Kind.FACT)  # type: ignore[type-var] # the strategy builds memories
    assert read_memory(ADA, load(dump(plain_memory(formed, None)))) == formed


def test_what_a_memory_shares_with_its_episode_is_written_once() -> None:
    """Words, place, speaker and time are the episode's."""
    own = memory_of(SAID)
    plain = plain_memory(own, SAID)
    assert not {"text", "session", "seq", "speaker", "role", "at"} & plain.keys()
    assert read_memory(ADA, plain_episode(SAID) | plain) == own
    assert read_episode(ADA, plain_episode(SAID)) == SAID


@given(LIVED, LIVED)
def test_any_change_comes_back_equal(before: object, after: object) -> None:
    """Names, moments, tuples, tiers: as they were."""
    change = difference(before, after, "why \ud83d")  # type: ignore[arg-type] # the strategy builds memories
    assert read_change(load(dump(plain_change(change)))) == change


def test_a_field_that_cannot_change_is_refused() -> None:
    """With the names of those that can."""
    with pytest.raises(InvalidInput, match="speaker cannot change"):
        plain_change(Change("m", (FieldChange("speaker", "Ann", "Bo"),)))


@pytest.mark.parametrize("kind", RelationKind)
def test_a_relation_comes_back_equal(kind: RelationKind) -> None:
    """Of every kind."""
    relation = Relation("a", "b", kind, 0.25, at(3))
    assert read_relation(load(dump(plain_relation(relation)))) == relation


@given(st.sampled_from([field.name for field in fields(Standing)]))
def test_every_field_of_a_standing_is_written_when_it_changes(name: str) -> None:
    """None is forgotten."""
    other = {str: "x", bool: True, float: 0.125, tuple: ("x",), type(None): at(1)}[
        type(getattr(BEGINNING, name)) if type(getattr(BEGINNING, name)) in (str, bool, float, tuple) else type(None)
    ]
    if name in ("tier", "state"):
        other = {"tier": "semantic", "state": "dormant"}[name]
    assert name in plain_standing(replace(BEGINNING, **{name: other}))  # type: ignore[arg-type] # the field's own type


def test_a_moment_keeps_its_microseconds() -> None:
    """In UTC, always six digits."""
    assert moment(at(0)) == "2026-03-02T09:00:00.000000+00:00"


names = st.lists(strings, max_size=3).map(tuple)


def by_way_of_plain_values(payload: Remembered) -> str:
    """What ``codec`` writes of any payload."""
    memories = [plain_memory(memory, payload.episode) for memory in payload.memories]
    return codec.write({"episode": plain_episode(payload.episode), "memories": memories})


@given(st.tuples(strings, strings, strings), st.none() | strings, st.tuples(names, names, names), moments, moments)
def test_a_new_message_has_the_bytes_it_always_had(
    texts: tuple[str, str, str],
    message_id: str | None,
    lists: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]],
    said: datetime,
    recorded: datetime,
) -> None:
    """Odd texts, with and without an id and lists: not one byte differs, so no journal's chain breaks."""
    text, session, speaker = texts
    told = episode(ADA, "m", text, session=session, speaker=speaker, role=Role.TOOL, at=said, message_id=message_id)
    sources, entities, keywords = lists
    memory = replace(
        memory_of(told), sources=sources, entities=entities, keywords=keywords, recorded_at=recorded, kind=Kind.FACT
    )
    payload = Remembered(told, (memory,))
    assert one_message(payload) == by_way_of_plain_values(payload)


def test_what_is_not_one_new_message_is_left_to_plain_values() -> None:
    """Two memories, none, other words, another moment, a life behind it."""
    told = episode(ADA, "m", "tea")
    own = memory_of(told)
    assert one_message(Remembered(told, (own,))) is not None
    for memories in (
        (),
        (own, own),
        (replace(own, text="coffee"),),
        (replace(own, at=at(5)),),
        (replace(own, seq=7),),
        (replace(own, accesses=1),),
        (replace(own, valid_until=at(3)),),
        (replace(own, standing=replace(BEGINNING, pinned=True)),),
    ):
        assert one_message(Remembered(told, memories)) is None


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_moments_come_back_and_keep_their_order(one: datetime, other: datetime) -> None:
    """From year 1 to 9999, to the microsecond."""
    assert from_micros(to_micros(one)) == one
    assert (to_micros(one) < to_micros(other)) == (one < other)


def test_worked_moments() -> None:
    """A second after the epoch, a microsecond before it, the epoch in another zone."""
    assert to_micros(EPOCH + timedelta(seconds=1)) == 1_000_000
    assert to_micros(EPOCH - timedelta(microseconds=1)) == -1
    assert to_micros(datetime(1970, 1, 1, 3, tzinfo=timezone(timedelta(hours=3)))) == 0


def test_a_time_without_a_zone_is_refused() -> None:
    """Nobody can say which moment it is."""
    with pytest.raises(InvalidInput):
        to_micros(datetime(2026, 3, 2))
