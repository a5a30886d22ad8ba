"""The journal's bytes: payloads in, canonical JSON out, and back to equal values.

Canonical: keys sorted, no spaces, characters as themselves, UTF-8 that lets lone surrogates pass (two halves of a pair
stay two characters). What a memory shares with its episode (words, place, speaker, time) is written once.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, TypeAlias

from reverie.errors import InvalidInput, StoreCorrupt
from reverie.stores.moments import to_micros
from reverie.types import (
    Action,
    Draft,
    Episode,
    Erased,
    Forgotten,
    Kind,
    Memory,
    Payload,
    Recalled,
    Remembered,
    Role,
    Scope,
)

Json: TypeAlias = dict[str, Any]

_PAYLOADS: dict[Action, type[Payload]] = {
    Action.REMEMBER: Remembered,
    Action.RECALL: Recalled,
    Action.FORGET: Forgotten,
    Action.ERASE: Erased,
}
_SHARED = ("text", "session", "seq", "speaker", "role")
_LISTS = ("sources", "entities", "keywords")
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def write(value: object) -> str:
    """Canonical JSON of plain values."""
    return _ENCODER.encode(value)


def dump(value: object) -> bytes:
    """Canonical JSON bytes of plain values."""
    return write(value).encode("utf-8", "surrogatepass")


def load(raw: bytes) -> Any:
    """The plain values of canonical JSON bytes."""
    return json.loads(raw.decode("utf-8", "surrogatepass"))


def encode(draft: Draft) -> bytes:
    """The payload of a draft as canonical bytes.

    Raises:
        InvalidInput: the payload is not the action's, or speaks of another scope than the draft.
    """
    payload = draft.payload
    if not isinstance(payload, _PAYLOADS[draft.action]):
        raise InvalidInput(
            f"A {draft.action} event cannot carry {type(payload).__name__}.",
            f"Give it a payload of type {_PAYLOADS[draft.action].__name__}.",
        )
    return dump(_plain(payload, draft.scope))


def decode(action: Action, scope: Scope, raw: bytes) -> Payload:
    """The payload that ``encode`` wrote.

    Raises:
        StoreCorrupt: the bytes are not a payload of this action.
    """
    try:
        return _read(action, scope, load(raw))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreCorrupt(
            f"An event's content cannot be read ({error}).", "Restore the last backup, or replay the journal."
        ) from error


def moment(at: datetime) -> str:
    """A moment as ISO 8601 in UTC with microseconds."""
    if at.tzinfo is not UTC:
        to_micros(at)  # refuses a time without a zone
        at = at.astimezone(UTC)
    return at.isoformat(timespec="microseconds")


def _plain(payload: Payload, scope: Scope) -> Json:
    if isinstance(payload, Remembered):
        return _plain_remembered(payload, scope)
    if isinstance(payload, Recalled):
        return {"memories": list(payload.memories)}
    if isinstance(payload, Forgotten):
        ends = {name: moment(at) for name, at in (("before", payload.before), ("after", payload.after)) if at}
        return {"memory": payload.memory, **ends}
    return {"events": list(payload.events), "memories": list(payload.memories)}


def _plain_remembered(payload: Remembered, scope: Scope) -> Json:
    if payload.episode.scope != scope or any(memory.scope != scope for memory in payload.memories):
        raise InvalidInput(
            f"An event of scope {scope} carries content of another scope.",
            "Write each scope's memories in its own event.",
        )
    return {
        "episode": _plain_episode(payload.episode),
        "memories": [_plain_memory(memory, payload.episode) for memory in payload.memories],
    }


def _plain_episode(episode: Episode) -> Json:
    fields: Json = {
        "id": episode.id,
        "session": episode.session,
        "seq": episode.seq,
        "speaker": episode.speaker,
        "role": episode.role.value,
        "text": episode.text,
        "at": moment(episode.at),
    }
    if episode.message_id is not None:
        fields["message_id"] = episode.message_id
    return fields


def _plain_memory(memory: Memory, episode: Episode) -> Json:
    """What is the memory's own: neither its episode's nor empty."""
    shared = {name: value for name in _SHARED if (value := getattr(memory, name)) != getattr(episode, name)}
    lists = {name: values for name in _LISTS if (values := getattr(memory, name))}
    times = {
        "at": memory.at if memory.at != episode.at else None,
        "valid_until": memory.valid_until,
        "last_access": memory.last_access,
    }
    counted = {"accesses": memory.accesses} if memory.accesses else {}
    return {
        "id": memory.id,
        "kind": memory.kind.value,
        "recorded_at": moment(memory.recorded_at),
        **shared,
        **lists,
        **{name: moment(at) for name, at in times.items() if at is not None},
        **counted,
    }


def _read(action: Action, scope: Scope, plain: Json) -> Payload:
    if action is Action.REMEMBER:
        episode = plain["episode"]
        return Remembered(
            _read_episode(scope, episode), tuple(_read_memory(scope, episode | m) for m in plain["memories"])
        )
    if action is Action.RECALL:
        return Recalled(tuple(plain["memories"]))
    if action is Action.FORGET:
        return Forgotten(plain["memory"], _when(plain.get("before")), _when(plain.get("after")))
    return Erased(tuple(plain["memories"]), tuple(plain["events"]))


def _when(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _read_episode(scope: Scope, plain: Json) -> Episode:
    return Episode(
        id=plain["id"],
        scope=scope,
        session=plain["session"],
        seq=plain["seq"],
        speaker=plain["speaker"],
        role=Role(plain["role"]),
        text=plain["text"],
        at=datetime.fromisoformat(plain["at"]),
        message_id=plain.get("message_id"),
    )


def _read_memory(scope: Scope, plain: Json) -> Memory:
    return Memory(
        id=plain["id"],
        scope=scope,
        kind=Kind(plain["kind"]),
        text=plain["text"],
        at=datetime.fromisoformat(plain["at"]),
        recorded_at=datetime.fromisoformat(plain["recorded_at"]),
        session=plain["session"],
        seq=plain["seq"],
        speaker=plain["speaker"],
        role=Role(plain["role"]),
        sources=tuple(plain.get("sources", ())),
        entities=tuple(plain.get("entities", ())),
        keywords=tuple(plain.get("keywords", ())),
        valid_until=_when(plain.get("valid_until")),
        accesses=plain.get("accesses", 0),
        last_access=_when(plain.get("last_access")),
    )
