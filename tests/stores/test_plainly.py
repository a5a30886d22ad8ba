"""A message written straight: the same bytes as by way of plain values, whatever it says."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from reverie.events import Remembered
from reverie.stores import codec
from reverie.stores.codec import one_message, plain_episode, plain_memory
from reverie.types import BEGINNING, Kind, Role
from tests.stores.making import ADA, ODD_TEXTS, at, episode, memory_of

strings = st.text(st.characters(), max_size=20) | st.sampled_from(ODD_TEXTS[:-1])
names = st.lists(strings, max_size=3).map(tuple)
moments = st.datetimes(timezones=st.just(UTC))


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
