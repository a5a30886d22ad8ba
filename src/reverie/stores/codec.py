"""Encode the journal's events as canonical JSON and back, and chain them by hashes.

Exports use the same JSON values. Times are whole microseconds since the epoch. A message, which is most of a journal,
has an encoder of its own that writes the same bytes in a fifth of the time. ``seal`` makes an event of a draft and the
hash of the event before it; ``break_in`` checks that a chain is unbroken.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import accumulate, pairwise
from json.encoder import encode_basestring as quoted
from typing import Any, TypeAlias

from reverie.errors import InvalidInput, StoreCorrupt
from reverie.events import (
    CHANGEABLE,
    Action,
    Change,
    Changed,
    CountedRecall,
    Draft,
    DreamStage,
    Dreamt,
    Erased,
    Event,
    FieldChange,
    Forgotten,
    Formed,
    Payload,
    Recalled,
    Recorded,
    Related,
    Remembered,
    Value,
    is_wordless,
)
from reverie.types import (
    BEGINNING,
    EPOCH,
    Episode,
    Kind,
    Memory,
    Record,
    Relation,
    RelationKind,
    Role,
    Scope,
    Standing,
    State,
    Tier,
)

FOREVER = 2**63 - 1
"""The value for "no end" in a column of times."""

_DAY = 86_400_000_000


def to_micros(at: datetime) -> int:
    """Convert a datetime to microseconds since the epoch, exactly, whatever its year.

    Raises:
        InvalidInput: the datetime has no time zone, so its moment is unknown.
    """
    if at.tzinfo is None:
        raise InvalidInput("A time without a time zone names no moment.", "Give an aware datetime, for example in UTC.")
    since = at - EPOCH
    return since.days * _DAY + since.seconds * 1_000_000 + since.microseconds


def from_micros(micros: int) -> datetime:
    """Convert microseconds since the epoch to an aware datetime in UTC."""
    return EPOCH + timedelta(0, 0, micros)  # positional: the keyword takes half as long again


Json: TypeAlias = dict[str, Any]

_SHARED = ("text", "session", "seq", "speaker", "role")
_LISTS = ("sources", "entities", "keywords")
_STANDING = tuple((field.name, getattr(BEGINNING, field.name)) for field in fields(Standing))
_CHANGEABLE = frozenset(CHANGEABLE)


def moment(at: datetime) -> str:
    """Format a datetime as ISO 8601 in UTC with microseconds; raises InvalidInput without a time zone."""
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
    """Convert an episode to JSON values, without its scope."""
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
    """Rebuild an episode from the JSON values of ``plain_episode``."""
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
    """Convert a memory to JSON values; empty fields, and those equal to its episode's, are left out."""
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
    """The end of validity, last access and access count of a memory as JSON values, each if it is set."""
    times = (("valid_until", memory.valid_until), ("last_access", memory.last_access))
    found: Json = {name: moment(at) for name, at in times if at is not None}
    return found | {"accesses": memory.accesses} if memory.accesses else found


def read_memory(scope: Scope, plain: Json) -> Memory:
    """Rebuild a memory from the JSON values of ``plain_memory``, merged with those of its episode."""
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
    """Convert a memory's Lifecycle state to JSON values; fields at their default are left out."""
    held = ((name, getattr(standing, name), default) for name, default in _STANDING)
    return {name: _plain(value) for name, value, default in held if value != default}


def read_standing(plain: Json) -> Standing:
    """Rebuild a Lifecycle state from the JSON values of ``plain_standing``."""
    return Standing(**{name: _read(name, value) for name, value in plain.items()}) if plain else BEGINNING


def plain_change(change: Change) -> Json:
    """Convert a change to JSON values: each field as [before, after].

    Raises:
        InvalidInput: a field cannot change.
    """
    for field in change.fields:
        if field.name not in CHANGEABLE:
            raise InvalidInput(f"A memory's {field.name} cannot change.", f"Change one of {', '.join(CHANGEABLE)}.")
    found: Json = {"id": change.memory, "fields": {f.name: [_plain(f.before), _plain(f.after)] for f in change.fields}}
    return found | {"why": change.why} if change.why else found


def read_change(plain: Json) -> Change:
    """Rebuild a change from the JSON values of ``plain_change``. Raises ValueError for a field that cannot change."""
    if not _CHANGEABLE.issuperset(plain["fields"]):
        raise ValueError(f"a change of {', '.join(sorted(set(plain['fields']) - _CHANGEABLE))}")
    rows = (FieldChange(name, _read(name, was), _read(name, now)) for name, (was, now) in plain["fields"].items())
    return Change(plain["id"], tuple(rows), plain.get("why", ""))


def plain_relation(relation: Relation) -> list[object]:
    """Convert a relation to a list: source, target, kind, confidence, time."""
    return [relation.source, relation.target, relation.kind.value, relation.confidence, moment(relation.at)]


def read_relation(plain: list[Any]) -> Relation:
    """Rebuild a relation from the list of ``plain_relation``."""
    source, target, kind, confidence, at = plain
    return Relation(source, target, RelationKind(kind), confidence, datetime.fromisoformat(at))


def one_message(payload: Remembered) -> str | None:
    """Return the canonical JSON of a new message with one memory of the same text; None for any other payload."""
    episode = payload.episode
    if len(payload.memories) != 1 or not _is_new(memory := payload.memories[0]) or not _shares(memory, episode):
        return None
    known = "" if episode.message_id is None else f'"message_id":{quoted(episode.message_id)},'
    return (
        f'{{"episode":{{"at":"{moment(episode.at)}","id":{quoted(episode.id)},{known}"role":"{episode.role.value}",'
        f'"seq":{episode.seq},"session":{quoted(episode.session)},"speaker":{quoted(episode.speaker)},'
        f'"text":{quoted(episode.text)}}},"memories":[{{{_listed("entities", memory.entities)}'
        f'"id":{quoted(memory.id)},{_listed("keywords", memory.keywords)}"kind":"{memory.kind.value}",'
        f'"recorded_at":"{moment(memory.recorded_at)}"{_last("sources", memory.sources)}}}]}}'
    )


def _is_new(memory: Memory) -> bool:
    return memory.standing is BEGINNING and not (memory.accesses or memory.valid_until or memory.last_access)


def _shares(memory: Memory, episode: Episode) -> bool:
    """Whether text, time, session, sequence number, speaker and role of a memory are its episode's."""
    return (
        memory.text == episode.text
        and memory.at == episode.at
        and memory.session == episode.session
        and memory.seq == episode.seq
        and type(episode.seq) is int
        and memory.speaker == episode.speaker
        and memory.role == episode.role
    )


def _listed(name: str, values: Iterable[str]) -> str:
    return f'"{name}":[{",".join(map(quoted, values))}],' if values else ""


def _last(name: str, values: Iterable[str]) -> str:
    return f',"{name}":[{",".join(map(quoted, values))}]' if values else ""


Reader: TypeAlias = Callable[[Scope, Json], Payload]

_PAYLOADS: dict[Action, type[Payload]] = {
    Action.REMEMBER: Remembered,
    Action.RECALL: Recalled,
    Action.FORM: Formed,
    Action.CHANGE: Changed,
    Action.RELATE: Related,
    Action.DREAM: Dreamt,
    Action.FORGET: Forgotten,
    Action.ERASE: Erased,
    Action.RECORD: Recorded,
}
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False)
"""The values are made here and contain no cycle: checking for one takes a third of the time."""


def write(value: object) -> str:
    """Return JSON values as canonical JSON text."""
    return _ENCODER.encode(value)


def dump(value: object) -> bytes:
    """Return JSON values as canonical JSON bytes."""
    return _bytes(write(value))


def _bytes(written: str) -> bytes:
    return written.encode("utf-8", "surrogatepass")


def load(raw: bytes) -> Any:
    """Parse canonical JSON bytes."""
    return json.loads(raw.decode("utf-8", "surrogatepass"))


def encode(draft: Draft) -> bytes:
    """Encode a draft's payload as canonical JSON bytes, those that the event's hash covers.

    Raises:
        InvalidInput: the payload's type is not the action's, it holds content of another scope than the draft's, or
            it rewords more than one memory.
    """
    payload = draft.payload
    if not isinstance(payload, _PAYLOADS[draft.action]):
        raise InvalidInput(
            f"A {draft.action} event cannot carry {type(payload).__name__}.",
            f"Give it a payload of type {_PAYLOADS[draft.action].__name__}.",
        )
    return _bytes(_written(payload, draft.scope))


def decode(action: Action, scope: Scope, raw: bytes) -> Payload:
    """Decode a payload that ``encode`` wrote.

    Raises:
        StoreCorrupt: the bytes are no payload of this action.
    """
    try:
        return _PAYLOAD_READERS[action](scope, load(raw))
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
        raise StoreCorrupt(
            f"An event's content cannot be read ({error}).", "Restore the last backup, or replay the journal."
        ) from error


def _written(payload: Payload, scope: Scope) -> str:
    if isinstance(payload, Remembered):
        _require_own(scope, (payload.episode, *payload.memories))
        if (straight := one_message(payload)) is not None:
            return straight
    return write(_plain_payload(payload, scope))


def _plain_payload(payload: Payload, scope: Scope) -> Json:
    match payload:
        case Remembered():
            return _plain_remembered(payload)
        case Recalled():
            return _plain_recalled(payload)
        case Formed() | Changed() | Related() | Dreamt():
            return _plain_lifecycle(payload, scope)
        case Forgotten():
            ends = {name: moment(at) for name, at in (("before", payload.before), ("after", payload.after)) if at}
            return {"memory": payload.memory, **ends}
        case Erased():
            return _plain_erased(payload)
        case Recorded():
            return _plain_recorded(payload, scope)


def _plain_recalled(payload: Recalled) -> Json:
    """Encode recalls; of many in one event: each id once, and each recall's time (since the last) and ids by number."""
    if not payload.recalls:
        changes = {"changes": [plain_change(change) for change in payload.changes]} if payload.changes else {}
        return {"memories": list(payload.memories), **changes}
    if payload.changes or sum(one.memories for one in payload.recalls) != len(payload.memories):
        raise InvalidInput(
            "An event of many recalls holds changes, or other memories than theirs.",
            "Write a recall that changes memories in an event of its own.",
        )
    numbers = {name: number for number, name in enumerate(dict.fromkeys(payload.memories))}
    times = [0, *(to_micros(one.at) for one in payload.recalls)]
    held = [[numbers[name] for name in memories] for _, memories in payload.each(EPOCH)]
    rows = [[at - before, *own] for (before, at), own in zip(pairwise(times), held, strict=True)]
    return {"memories": list(numbers), "recalls": rows}


def _plain_lifecycle(payload: Formed | Changed | Related | Dreamt, scope: Scope) -> Json:
    cycle = {"cycle": payload.cycle} if payload.cycle else {}
    match payload:
        case Formed():
            _require_own(scope, (*payload.added, *payload.removed))
            return cycle | {
                "added": [plain_memory(memory, None) for memory in payload.added],
                "removed": [plain_memory(memory, None) for memory in payload.removed],
            }
        case Changed():
            _require_one_rewording(payload.changes)
            return cycle | {"changes": [plain_change(change) for change in payload.changes]}
        case Related():
            return cycle | {
                "added": [plain_relation(relation) for relation in payload.added],
                "removed": [plain_relation(relation) for relation in payload.removed],
            }
        case Dreamt():
            return cycle | {"period": payload.period, "stage": payload.stage.value}


def _plain_erased(payload: Erased) -> Json:
    told = {"headers": list(payload.headers), "reasons": list(payload.reasons)}
    rest = {name: values for name, values in told.items() if values}
    return {"events": list(payload.events), "memories": list(payload.memories), **rest}


def _plain_recorded(payload: Recorded, scope: Scope) -> Json:
    held = [record for record in (payload.before, payload.after) if record is not None]
    if len({(record.sort, record.name) for record in held}) != 1:
        raise InvalidInput("An event of a record holds none, or two of other names.", "Write one event for each.")
    if any(record.scope != scope for record in held):
        raise InvalidInput(
            f"An event of scope {scope} carries a record of another scope.", "Write it in its own scope."
        )
    named: Json = {"name": held[0].name, "sort": held[0].sort}
    sides = (("before", payload.before), ("after", payload.after))
    return named | {side: [record.about, record.body] for side, record in sides if record is not None}


def _require_one_rewording(changes: Sequence[Change]) -> None:
    if len(changes) > 1 and any(change.rewords for change in changes):
        raise InvalidInput("One event rewords more than one memory.", "Reword each in an event of its own.")


def _plain_remembered(payload: Remembered) -> Json:
    return {
        "episode": plain_episode(payload.episode),
        "memories": [plain_memory(memory, payload.episode) for memory in payload.memories],
    }


def _require_own(scope: Scope, contents: tuple[Episode | Memory, ...]) -> None:
    if any(one.scope is not scope and one.scope != scope for one in contents):
        raise InvalidInput(
            f"An event of scope {scope} carries content of another scope.",
            "Write each scope's memories in its own event.",
        )


def _read_remembered(scope: Scope, plain: Json) -> Remembered:
    episode = plain["episode"]
    memories = tuple(read_memory(scope, episode | memory) for memory in plain["memories"])
    return Remembered(read_episode(scope, episode), memories)


def _read_recalled(_: Scope, plain: Json) -> Recalled:
    names, rows = tuple(plain["memories"]), plain.get("recalls")
    if rows is None:
        return Recalled(names, tuple(read_change(change) for change in plain.get("changes", ())))
    if not rows or min(number for _, *numbers in rows for number in (0, *numbers)) < 0:
        raise ValueError("an event of no recall, or one of no memory")
    times = accumulate(since for since, *_ in rows)
    recalls = tuple(CountedRecall(from_micros(at), len(row) - 1) for at, row in zip(times, rows, strict=True))
    return Recalled(tuple(names[number] for _, *numbers in rows for number in numbers), (), recalls)


def _read_formed(scope: Scope, plain: Json) -> Formed:
    added, removed = (tuple(read_memory(scope, memory) for memory in plain[name]) for name in ("added", "removed"))
    return Formed(added, removed, plain.get("cycle", ""))


def _read_changed(_: Scope, plain: Json) -> Changed:
    return Changed(tuple(read_change(change) for change in plain["changes"]), plain.get("cycle", ""))


def _read_related(_: Scope, plain: Json) -> Related:
    added, removed = (tuple(read_relation(relation) for relation in plain[name]) for name in ("added", "removed"))
    return Related(added, removed, plain.get("cycle", ""))


def _read_dreamt(_: Scope, plain: Json) -> Dreamt:
    return Dreamt(plain.get("cycle", ""), plain["period"], DreamStage(plain["stage"]))


def _read_forgotten(_: Scope, plain: Json) -> Forgotten:
    before, after = (None if at is None else datetime.fromisoformat(at) for at in map(plain.get, ("before", "after")))
    return Forgotten(plain["memory"], before, after)


def _read_erased(_: Scope, plain: Json) -> Erased:
    rest = (tuple(plain.get(name, ())) for name in ("headers", "reasons"))
    return Erased(tuple(plain["memories"]), tuple(plain["events"]), *rest)


def _read_recorded(scope: Scope, plain: Json) -> Recorded:
    sides = (plain.get(side) for side in ("before", "after"))
    before, after = (None if one is None else Record(scope, plain["sort"], plain["name"], *one) for one in sides)
    if before is None and after is None:
        raise ValueError("a record neither before nor after")
    return Recorded(before, after)


_PAYLOAD_READERS: dict[Action, Reader] = {
    Action.REMEMBER: _read_remembered,
    Action.RECALL: _read_recalled,
    Action.FORM: _read_formed,
    Action.CHANGE: _read_changed,
    Action.RELATE: _read_related,
    Action.DREAM: _read_dreamt,
    Action.FORGET: _read_forgotten,
    Action.ERASE: _read_erased,
    Action.RECORD: _read_recorded,
}


NO_HASH = "0" * 64
"""The hash that the first event names as its predecessor's."""

ERASED_REASON = "[erased]"
"""Replaces the erased reason of an old event, whose header hash covers the reason itself instead of its digest."""
_DIGEST_CHARS = 32

_MEND = "Restore the last backup; `reverie store verify` names every event that does not fit."


def seal(draft: Draft, raw: bytes, seq: int, previous: str) -> Event:
    """Make the journal's event number ``seq`` of a draft and its encoded payload ``raw``, after hash ``previous``."""
    digest = sha256(draft.salt + raw).hexdigest()
    return Event(
        seq=seq,
        scope=draft.scope,
        at=draft.at,
        actor=draft.actor,
        action=draft.action,
        why=draft.why,
        payload=draft.payload,
        salt=draft.salt,
        digest=digest,
        previous=previous,
        hash=_hash(draft, seq, previous, digest, _sealed(draft.why, draft.salt)),
    )


def break_in(event: Event, raw: bytes | None, seq: int, previous: str) -> str:
    """Describe what is wrong with an event that should be number ``seq`` after ``previous``; "" if nothing is.

    The content is checked by ``raw``, its bytes, not by ``event.payload``.
    """
    if event.seq != seq:
        return f"event {seq} is missing (event {event.seq} stands in its place)"
    if event.previous != previous:
        return f"event {seq} does not follow the event before it"
    if (raw is None) != (event.salt is None):
        return f"event {seq} is only half erased"
    if event.why != ERASED_REASON and _how_hashed(event) is None:
        return f"the header of event {seq} was changed"
    if raw is not None and event.salt is not None and sha256(event.salt + raw).hexdigest() != event.digest:
        return f"the content of event {seq} was changed"
    return ""


def require(event: Event, raw: bytes | None, seq: int, previous: str) -> None:
    """Raise StoreCorrupt unless the event is number ``seq`` after ``previous``, unchanged."""
    wrong = break_in(event, raw, seq, previous)
    if wrong:
        raise StoreCorrupt(f"The journal does not continue: {wrong}.", _MEND)


def payload_bytes(event: Event) -> bytes | None:
    """Encode an event's payload as the bytes that its hash covers; None once it was erased.

    Raises:
        StoreCorrupt: the event has a payload without a salt, or a salt without a payload.
    """
    if event.payload is None and event.salt is None:
        return None
    if event.payload is None or event.salt is None:
        raise StoreCorrupt(f"The journal does not continue: event {event.seq} is only half erased.", _MEND)
    return encode(Draft(event.scope, event.at, event.actor, event.action, event.why, event.payload, event.salt))


def without_reason(event: Event) -> Event:
    """Return the event with its reason erased; a reason that the engine itself gave is kept: it quotes no content."""
    if is_wordless(event.why) or event.why == ERASED_REASON:
        return event
    hashed = _how_hashed(event)
    if hashed is None or hashed == event.why:
        return event if _is_digest(event.why) else replace(event, why=ERASED_REASON)
    return replace(event, why=hashed)


def vouched(event: Event) -> str:
    """Return the digest of an event's header without its reason, by which an erasure vouches for that header."""
    return _hash(event, event.seq, event.previous + event.hash, event.digest, ERASED_REASON)


class Vouching:
    """Checks a journal's events in order: each header that lost its reason must be vouched for by a later erasure."""

    def __init__(self) -> None:
        self._open: dict[str, int] = {}

    def look(self, event: Event, raw: bytes | None) -> None:
        """Check the next event; ``raw`` is its encoded payload, None if that was erased."""
        if event.why == ERASED_REASON and _how_hashed(event) is None:
            self._open[vouched(event)] = event.seq
        if event.action is not Action.ERASE or raw is None:
            return
        payload = decode(event.action, event.scope, raw)
        for header in payload.headers if isinstance(payload, Erased) else ():
            self._open.pop(header, None)

    def break_in(self) -> str:
        """Describe what is wrong after the last event; "" if nothing is."""
        return f"the header of event {min(self._open.values())} was changed" if self._open else ""


class Chains:
    """Checks the events of a store, of all scopes, each scope's in order: every one must continue its scope's chain."""

    def __init__(self) -> None:
        self._heads: dict[Scope, tuple[int, str]] = {}
        self._vouching: dict[Scope, Vouching] = {}

    def break_in(self, event: Event, raw: bytes | None) -> str:
        """Describe what is wrong with the next event, whose encoded payload is ``raw``; "" if nothing is."""
        seq, previous = self._heads.get(event.scope, (0, NO_HASH))
        if wrong := break_in(event, raw, seq + 1, previous):
            return f"{wrong}, in the scope {event.scope}"
        self._heads[event.scope] = event.seq, event.hash
        self._vouching.setdefault(event.scope, Vouching()).look(event, raw)
        return ""

    def unvouched(self) -> str:
        """Describe what is wrong after the last event; "" if nothing is."""
        found = ((scope, one.break_in()) for scope, one in self._vouching.items())
        return next((f"{wrong}, in the scope {scope}" for scope, wrong in found if wrong), "")


def resealed(event: Event, raw: bytes | None, seq: int, previous: str) -> Event:
    """Return an event as number ``seq`` after ``previous``, with the hash of that place; ``raw``: its payload's bytes.

    A reason that was erased stays erased; one that is there is hashed as in a new event.
    """
    digest = event.digest if raw is None or event.salt is None else sha256(event.salt + raw).hexdigest()
    is_erased = event.salt is None or event.why == ERASED_REASON or _is_digest(event.why)
    why = event.why if is_erased or event.salt is None else _sealed(event.why, event.salt)
    own = _hash(event, seq, previous, digest, why)
    return replace(event, seq=seq, previous=previous, digest=digest, hash=own)


def headers_of(events: Iterable[Event]) -> tuple[str, ...]:
    """Return the digests that an erasure must record for events about to lose their reasons."""
    going = (event for event in events if event.why != ERASED_REASON)
    return tuple(vouched(event) for event in going if without_reason(event).why == ERASED_REASON)


def _is_digest(why: str) -> bool:
    return why.startswith("[erased ") and len(why) == len("[erased ]") + _DIGEST_CHARS


def _sealed(why: str, salt: bytes) -> str:
    """The reason, or a digest of it, that the header's hash covers."""
    if is_wordless(why):
        return why
    digest = sha256(b"why" + salt + why.encode("utf-8", "surrogatepass")).hexdigest()
    return f"[erased {digest[:_DIGEST_CHARS]}]"


def _how_hashed(event: Event) -> str | None:
    """The form of the reason that the event's hash covers: its digest, in an old event itself; None if neither."""
    ways = (*((_sealed(event.why, event.salt),) if event.salt is not None else ()), event.why)
    fits = (way for way in ways if event.hash == _hash(event, event.seq, event.previous, event.digest, way))
    return next(fits, None)


def _hash(header: Draft | Event, seq: int, previous: str, digest: str, why: str) -> str:
    scope = header.scope
    written = (  # canonical JSON: as codec.write would write the list of these
        f"[{seq},{quoted(scope.agent)},{quoted(scope.user)},{quoted(scope.project)},"
        f'"{moment(header.at)}",{quoted(header.actor)},"{header.action.value}",{quoted(why)}]'
    )
    return sha256(f"{previous}{written}{digest}".encode("utf-8", "surrogatepass")).hexdigest()
