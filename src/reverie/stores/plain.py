"""Values as plain JSON values, and back: episodes, memories, standings, changes, relations.

What a memory shares with its episode and what stands at its default is left out, so that a journal stays small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, TypeAlias

from reverie.errors import InvalidInput
from reverie.events import CHANGEABLE, Change, FieldChange, Value
from reverie.stores.moments import to_micros
from reverie.types import BEGINNING, Episode, Kind, Memory, Relation, RelationKind, Role, Scope, Standing, State, Tier

Json: TypeAlias = dict[str, Any]

_SHARED = ("text", "session", "seq", "speaker", "role")
_LISTS = ("sources", "entities", "keywords")
_STANDING = tuple((field.name, getattr(BEGINNING, field.name)) for field in fields(Standing))
_CHANGEABLE = frozenset(CHANGEABLE)


def moment(at: datetime) -> str:
    """A moment as ISO 8601 in UTC with microseconds."""
    if at.tzinfo is not UTC:
        to_micros(at)  # refuses a time without a zone
        at = at.astimezone(UTC)
    return at.isoformat(timespec="microseconds")


def _when(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


_READERS: dict[str, Callable[[Any], Any]] = {
    "tier": Tier,
    "state": State,
    "kind": Kind,
    **dict.fromkeys(("sources", "entities", "keywords", "tags"), tuple),
    **dict.fromkeys(
        (
            "at",
            "valid_until",
            "last_access",
            "tagged_until",
            "drifted_at",
            "rehearsed_at",
            "replayed_at",
            "consolidated_at",
        ),
        _when,
    ),
}


def _plain(value: Value) -> object:
    if isinstance(value, datetime):
        return moment(value)
    return list(value) if isinstance(value, tuple) else value


def _read(name: str, plain: Any) -> Any:
    reader = _READERS.get(name)
    return plain if reader is None or plain is None else reader(plain)


def plain_episode(episode: Episode) -> Json:
    """An episode without its scope."""
    found: Json = {
        "id": episode.id,
        "session": episode.session,
        "seq": episode.seq,
        "speaker": episode.speaker,
        "role": episode.role.value,
        "text": episode.text,
        "at": moment(episode.at),
    }
    if episode.message_id is not None:
        found["message_id"] = episode.message_id
    return found


def read_episode(scope: Scope, plain: Json) -> Episode:
    """The episode of ``plain_episode``."""
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


def plain_memory(memory: Memory, episode: Episode | None) -> Json:
    """What is the memory's own: neither its episode's nor empty."""
    found: Json = {"id": memory.id, "kind": memory.kind.value, "recorded_at": moment(memory.recorded_at)}
    for name in _SHARED:
        if (value := getattr(memory, name)) != getattr(episode, name, None):
            found[name] = value
    for name in _LISTS:
        if values := getattr(memory, name):
            found[name] = values
    if episode is None or memory.at != episode.at:
        found["at"] = moment(memory.at)
    if memory.valid_until or memory.last_access or memory.accesses:
        found |= _since(memory)
    if memory.standing is not BEGINNING and (standing := plain_standing(memory.standing)):
        found["standing"] = standing
    return found


def _since(memory: Memory) -> Json:
    """When a memory ended and was last accessed, as far as it did and was, and how often."""
    times = (("valid_until", memory.valid_until), ("last_access", memory.last_access))
    found: Json = {name: moment(at) for name, at in times if at is not None}
    return found | {"accesses": memory.accesses} if memory.accesses else found


def read_memory(scope: Scope, plain: Json) -> Memory:
    """The memory of ``plain_memory``, with what it shares with its episode filled in."""
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
        standing=read_standing(plain.get("standing", {})),
    )


def plain_standing(standing: Standing) -> Json:
    """What is not at its default."""
    held = ((name, getattr(standing, name), default) for name, default in _STANDING)
    return {name: _plain(value) for name, value, default in held if value != default}


def read_standing(plain: Json) -> Standing:
    """The standing of ``plain_standing``."""
    return Standing(**{name: _read(name, value) for name, value in plain.items()}) if plain else BEGINNING


def plain_change(change: Change) -> Json:
    """Each field as [before, after].

    Raises:
        InvalidInput: it changes a field that cannot change.
    """
    for field in change.fields:
        if field.name not in CHANGEABLE:
            raise InvalidInput(f"A memory's {field.name} cannot change.", f"Change one of {', '.join(CHANGEABLE)}.")
    found: Json = {"id": change.memory, "fields": {f.name: [_plain(f.before), _plain(f.after)] for f in change.fields}}
    return found | {"why": change.why} if change.why else found


def read_change(plain: Json) -> Change:
    """The change of ``plain_change``, its fields by name. Raises ValueError for one there is not."""
    if not _CHANGEABLE.issuperset(plain["fields"]):
        raise ValueError(f"a change of {', '.join(sorted(set(plain['fields']) - _CHANGEABLE))}")
    rows = (FieldChange(name, _read(name, was), _read(name, now)) for name, (was, now) in plain["fields"].items())
    return Change(plain["id"], tuple(rows), plain.get("why", ""))


def plain_relation(relation: Relation) -> list[object]:
    """Source, target, kind, confidence, moment."""
    return [relation.source, relation.target, relation.kind.value, relation.confidence, moment(relation.at)]


def read_relation(plain: list[Any]) -> Relation:
    """The relation of ``plain_relation``."""
    source, target, kind, confidence, at = plain
    return Relation(source, target, RelationKind(kind), confidence, datetime.fromisoformat(at))
