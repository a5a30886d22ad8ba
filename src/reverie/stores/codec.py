"""The journal's bytes: payloads in, canonical JSON out, and back to equal values.

Canonical: keys sorted, no spaces, characters as themselves, UTF-8 that lets lone surrogates pass (two halves of a pair
stay two characters). What a memory shares with its episode (words, place, speaker, time) is written once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
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
_SHARED = ("text", "at", "session", "seq", "speaker", "role")
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


def episode_fields(episode: Episode) -> Json:
    """Every field of an episode but its scope, as plain values."""
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


def memory_fields(memory: Memory) -> Json:
    """Every field of a memory but its scope, as plain values; what is empty is left out."""
    fields: Json = {
        "id": memory.id,
        "kind": memory.kind.value,
        "text": memory.text,
        "at": moment(memory.at),
        "recorded_at": moment(memory.recorded_at),
        "session": memory.session,
        "seq": memory.seq,
        "speaker": memory.speaker,
        "role": memory.role.value,
    }
    for name in _LISTS:
        values: Sequence[str] = getattr(memory, name)
        if values:
            fields[name] = list(values)
    if memory.valid_until is not None:
        fields["valid_until"] = moment(memory.valid_until)
    if memory.accesses:
        fields["accesses"] = memory.accesses
    if memory.last_access is not None:
        fields["last_access"] = moment(memory.last_access)
    return fields


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
    episode = episode_fields(payload.episode)
    memories = []
    for memory in payload.memories:
        fields = memory_fields(memory)
        memories.append({n: v for n, v in fields.items() if n not in _SHARED or v != episode[n]})
    return {"episode": episode, "memories": memories}


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
