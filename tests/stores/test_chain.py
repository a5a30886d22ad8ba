"""The chain: what it is made of, and that nothing can be changed, dropped or moved unseen."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from reverie.errors import StoreCorrupt
from reverie.events import Action, Event, Recalled
from reverie.stores import codec
from tests.stores.making import ADA, GRACE, at, draft


def three() -> list[tuple[Event, bytes]]:
    """Three events that follow one another, with their payload's bytes."""
    sealed: list[tuple[Event, bytes]] = []
    previous = codec.NO_HASH
    for seq in (1, 2, 3):
        made = draft(ADA, Action.RECALL, Recalled((f"m{seq}",)), number=seq, why="because")
        raw = codec.encode(made)
        event = codec.seal(made, raw, seq, previous)
        sealed.append((event, raw))
        previous = event.hash
    return sealed


def first_break(events: list[tuple[Event, bytes | None]]) -> str:
    """The first thing wrong with a journal."""
    expected, previous = 1, codec.NO_HASH
    for event, raw in events:
        if wrong := codec.break_in(event, raw, expected, previous):
            return wrong
        expected, previous = event.seq + 1, event.hash
    return ""


def test_the_hashes_are_what_the_format_says() -> None:
    """Digest = SHA-256(salt, payload); the hash SHA-256(previous, header as canonical JSON, digest), all in hex.

    The header holds the salted digest of a reason in somebody's own words.
    """
    (event, raw), *_ = three()
    assert event.salt is not None
    reason = f"[erased {sha256(b'why' + event.salt + b'because').hexdigest()[:32]}]"
    digest = sha256(event.salt + b'{"memories":["m1"]}').hexdigest()
    header = '[1,"tester","ada","house","2026-03-02T09:00:00.000000+00:00","tester","recall","' + reason + '"]'
    assert raw == b'{"memories":["m1"]}'
    assert event.digest == digest
    assert event.hash == sha256(("0" * 64 + header + digest).encode()).hexdigest()


def test_a_whole_chain_holds() -> None:
    """Three events as they were sealed have no break."""
    assert first_break([*three()]) == ""


def test_an_erased_event_does_not_break_the_chain() -> None:
    """Content and salt may go together; header and digest still prove the order."""
    events: list[tuple[Event, bytes | None]] = [*three()]
    events[1] = (replace(codec.without_reason(events[1][0]), payload=None, salt=None), None)
    assert "because" not in str(events[1])
    assert first_break(events) == ""


def test_any_flipped_byte_of_the_content_is_seen() -> None:
    """Each byte of the payload counts."""
    events = three()
    event, raw = events[1]
    for place in range(len(raw)):
        flipped = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        assert first_break([events[0], (event, flipped), events[2]]) == "the content of event 2 was changed"


@pytest.mark.parametrize(
    "change",
    [
        {"scope": GRACE},
        {"at": at(1)},
        {"actor": "somebody"},
        {"action": Action.FORGET},
        {"why": ""},
        {"digest": "0" * 64},
        {"hash": "0" * 64},
    ],
)
def test_any_changed_field_of_the_header_is_seen(change: dict[str, object]) -> None:
    """Each field of the header is under the hash."""
    events: list[tuple[Event, bytes | None]] = [*three()]
    events[1] = (replace(events[1][0], **change), events[1][1])  # type: ignore[arg-type]  # one field of an event
    assert first_break(events) == "the header of event 2 was changed"


def test_a_dropped_moved_or_repeated_event_is_seen() -> None:
    """The order of the journal is under the hash as well."""
    one, two, three_ = three()
    assert first_break([one, three_]) == "event 2 is missing (event 3 stands in its place)"
    assert first_break([two, one]) == "event 1 is missing (event 2 stands in its place)"
    assert first_break([one, one, two]) != ""
    assert first_break([one, (replace(three_[0], seq=2), three_[1])]) == "event 2 does not follow the event before it"


def test_half_an_erasure_is_seen() -> None:
    """Salt without content, or content without salt, is no erasure."""
    event, raw = three()[0]
    assert "half erased" in first_break([(event, None)])
    assert "half erased" in first_break([(replace(event, salt=None), raw)])
    for half in (replace(event, salt=None), replace(event, payload=None)):
        with pytest.raises(StoreCorrupt):
            codec.payload_bytes(half)


def test_require_names_the_break_and_the_mend() -> None:
    """What does not continue raises an error that says where and what to do."""
    (event, raw), *_ = three()
    with pytest.raises(StoreCorrupt, match=r"event 2 is missing.*backup"):
        codec.require(event, raw, 2, codec.NO_HASH)
