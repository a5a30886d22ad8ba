"""The journal's bytes: payloads in, canonical JSON out, and back to equal values.

Canonical: keys sorted, no spaces, characters as themselves, UTF-8 that lets lone surrogates pass (two halves of a pair
stay two characters).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeAlias

from reverie.errors import InvalidInput, StoreCorrupt
from reverie.events import (
    Action,
    Changed,
    Draft,
    Dreamt,
    Erased,
    Forgotten,
    Formed,
    Payload,
    Recalled,
    Related,
    Remembered,
    Stage,
)
from reverie.stores.plain import (
    Json,
    moment,
    plain_change,
    plain_episode,
    plain_memory,
    plain_relation,
    read_change,
    read_episode,
    read_memory,
    read_relation,
)
from reverie.stores.plainly import one_message
from reverie.types import Episode, Memory, Scope

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
}
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False)
"""Plain values are made here and hold no circle: looking for one takes a third of the time."""


def write(value: object) -> str:
    """Canonical JSON of plain values."""
    return _ENCODER.encode(value)


def dump(value: object) -> bytes:
    """Canonical JSON bytes of plain values."""
    return _bytes(write(value))


def _bytes(written: str) -> bytes:
    return written.encode("utf-8", "surrogatepass")


def load(raw: bytes) -> Any:
    """The plain values of canonical JSON bytes."""
    return json.loads(raw.decode("utf-8", "surrogatepass"))


def encode(draft: Draft) -> bytes:
    """The payload of a draft as canonical bytes.

    Raises:
        InvalidInput: the payload is not the action's, speaks of another scope than the draft, or rewords more than
            one memory.
    """
    payload = draft.payload
    if not isinstance(payload, _PAYLOADS[draft.action]):
        raise InvalidInput(
            f"A {draft.action} event cannot carry {type(payload).__name__}.",
            f"Give it a payload of type {_PAYLOADS[draft.action].__name__}.",
        )
    return _bytes(_written(payload, draft.scope))


def decode(action: Action, scope: Scope, raw: bytes) -> Payload:
    """The payload that ``encode`` wrote.

    Raises:
        StoreCorrupt: the bytes are not a payload of this action.
    """
    try:
        return _READERS[action](scope, load(raw))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreCorrupt(
            f"An event's content cannot be read ({error}).", "Restore the last backup, or replay the journal."
        ) from error


def _written(payload: Payload, scope: Scope) -> str:
    if isinstance(payload, Remembered):
        _require_own(scope, (payload.episode, *payload.memories))
        if (straight := one_message(payload)) is not None:
            return straight
    return write(_plain(payload, scope))


def _plain(payload: Payload, scope: Scope) -> Json:
    match payload:
        case Remembered():
            return _plain_remembered(payload)
        case Recalled():
            changes = {"changes": [plain_change(change) for change in payload.changes]} if payload.changes else {}
            return {"memories": list(payload.memories), **changes}
        case Formed() | Changed() | Related() | Dreamt():
            return _plain_lifecycle(payload, scope)
        case Forgotten():
            ends = {name: moment(at) for name, at in (("before", payload.before), ("after", payload.after)) if at}
            return {"memory": payload.memory, **ends}
        case Erased():
            told = {"headers": list(payload.headers), "reasons": list(payload.reasons)}
            rest = {name: values for name, values in told.items() if values}
            return {"events": list(payload.events), "memories": list(payload.memories), **rest}


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
            if len(payload.changes) > 1 and any(change.rewords for change in payload.changes):
                raise InvalidInput("One event rewords more than one memory.", "Reword each in an event of its own.")
            return cycle | {"changes": [plain_change(change) for change in payload.changes]}
        case Related():
            return cycle | {
                "added": [plain_relation(relation) for relation in payload.added],
                "removed": [plain_relation(relation) for relation in payload.removed],
            }
        case Dreamt():
            return cycle | {"period": payload.period, "stage": payload.stage.value}


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
    return Recalled(tuple(plain["memories"]), tuple(read_change(change) for change in plain.get("changes", ())))


def _read_formed(scope: Scope, plain: Json) -> Formed:
    added, removed = (tuple(read_memory(scope, memory) for memory in plain[name]) for name in ("added", "removed"))
    return Formed(added, removed, plain.get("cycle", ""))


def _read_changed(_: Scope, plain: Json) -> Changed:
    return Changed(tuple(read_change(change) for change in plain["changes"]), plain.get("cycle", ""))


def _read_related(_: Scope, plain: Json) -> Related:
    added, removed = (tuple(read_relation(relation) for relation in plain[name]) for name in ("added", "removed"))
    return Related(added, removed, plain.get("cycle", ""))


def _read_dreamt(_: Scope, plain: Json) -> Dreamt:
    return Dreamt(plain.get("cycle", ""), plain["period"], Stage(plain["stage"]))


def _read_forgotten(_: Scope, plain: Json) -> Forgotten:
    before, after = (None if at is None else datetime.fromisoformat(at) for at in map(plain.get, ("before", "after")))
    return Forgotten(plain["memory"], before, after)


def _read_erased(_: Scope, plain: Json) -> Erased:
    rest = (tuple(plain.get(name, ())) for name in ("headers", "reasons"))
    return Erased(tuple(plain["memories"]), tuple(plain["events"]), *rest)


_READERS: dict[Action, Reader] = {
    Action.REMEMBER: _read_remembered,
    Action.RECALL: _read_recalled,
    Action.FORM: _read_formed,
    Action.CHANGE: _read_changed,
    Action.RELATE: _read_related,
    Action.DREAM: _read_dreamt,
    Action.FORGET: _read_forgotten,
    Action.ERASE: _read_erased,
}
