"""The JSON shapes of looking back: events, past dreams, health, forgetting curves, what was moved and taken back."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from reverie.wire import shapes

if TYPE_CHECKING:
    from reverie.answers import Curve, Health
    from reverie.consolidate.history import DreamSummary
    from reverie.engine.erasure import Erasure
    from reverie.engine.imports import Brought
    from reverie.engine.transfer import Moved
    from reverie.engine.undo import UndoReport
    from reverie.events import Event, Payload
    from reverie.exchange import Skipped


def undone(value: UndoReport) -> dict[str, object]:
    """What was taken back: of a dream, or one event."""
    return {
        "event": value.event,
        "cycle": value.cycle,
        "period": value.period,
        "changed": value.changed,
        "unmade": value.unmade,
        "unrelated": value.unrelated,
        "left": list(value.left),
    }


def erasure(value: Erasure) -> dict[str, object]:
    """What was erased, and the journal's head before and after."""
    heads = {name: {"seq": seq, "hash": own} for name, (seq, own) in (("before", value.before), ("after", value.after))}
    return {"memories": list(value.memories), **heads}


def event(value: Event) -> dict[str, object]:
    """One change of the store, whole."""
    return {
        "seq": value.seq,
        "at": shapes.time(value.at),
        "actor": value.actor,
        "action": str(value.action),
        "why": value.why,
        "payload": None if value.payload is None else _payload(value.payload),
        "digest": value.digest,
        "previous": value.previous,
        "hash": value.hash,
    }


def live_event(value: Event) -> dict[str, object]:
    """One change of the store, in short: what was done to which memories."""
    return {
        "scope": shapes.scope(value.scope),
        "seq": value.seq,
        "at": shapes.time(value.at),
        "actor": value.actor,
        "action": str(value.action),
        "why": value.why,
        "memories": list(touched(value.payload)),
    }


def touched(payload: Payload | None) -> tuple[str, ...]:
    """The memories an event speaks of, each once; those an erasure took, too."""
    from reverie.events import Erased
    from reverie.stores import drafts

    return payload.memories if isinstance(payload, Erased) else drafts.touched(payload)


def _payload(value: Payload) -> dict[str, object]:
    """What an event says, by its fields."""
    return {field.name: _part(getattr(value, field.name)) for field in fields(value)}


def _part(value: object) -> object:
    from reverie.events import Change  # a command's help needs no numpy
    from reverie.types import Memory, Relation

    match value:
        case Memory():
            return shapes.memory(value)
        case Change():
            return shapes.change(value)
        case Relation():
            return shapes.relation(value)
        case datetime():
            return shapes.time(value)
        case tuple():
            return [_part(one) for one in value]
        case _ if is_dataclass(value):
            return {field.name: _part(getattr(value, field.name)) for field in fields(value)}
        case _:
            return value


def dream_summary(value: DreamSummary) -> dict[str, object]:
    """A past dream."""
    return {
        "cycle": value.cycle,
        "period": value.period,
        "at": shapes.time(value.at),
        "ended": shapes.time(value.ended),
        "stage": value.stage.value,
        "undone": value.undone,
        "changed": value.changed,
        "steps": [shapes.step(one) for one in value.steps],
    }


def health(value: Health) -> dict[str, object]:
    """How a scope's memory is doing."""
    return {
        "scope": shapes.scope(value.scope),
        "at": shapes.time(value.at),
        "memories": value.memories,
        "current": value.current,
        "kinds": dict(value.kinds),
        "tiers": dict(value.tiers),
        "states": dict(value.states),
        "junk": value.junk,
        "stale": value.stale,
        "superseded": value.superseded,
        "outdated": value.outdated,
        "forgotten": value.forgotten,
        "quarantined": value.quarantined,
        "growth": [
            {"day": one.day.isoformat(), "episodes": one.episodes, "formed": one.formed} for one in value.growth
        ],
        "observed": value.observed,
        "gated": value.gated,
        "gated_share": value.gated_share,
        "events": value.events,
        "disk_bytes": value.disk_bytes,
    }


def curve(value: Curve) -> dict[str, object]:
    """How well a memory can be retrieved, day by day."""
    return {
        "memory": shapes.memory(value.memory),
        "law": value.law,
        "at": shapes.time(value.at),
        "now": value.now,
        "points": [
            {"at": shapes.time(one.at), "days": one.days, "retrievability": one.retrievability} for one in value.points
        ],
        "accesses": [shapes.time(at) for at in value.accesses],
    }


def moved(value: Moved) -> dict[str, object]:
    """What importing a lossless export did."""
    return {
        "scopes": [shapes.scope(one) for one in value.scopes],
        "events": value.events,
        "new": value.new,
        "known": value.known,
        "tombstones": value.tombstones,
        "merged": value.merged,
        "erased": value.erased,
        "identical": value.identical,
        "actions": dict(value.actions),
        "held": value.held,
        "masked": value.masked,
    }


def brought(value: Brought) -> dict[str, object]:
    """What bringing in a conversation, or another memory's keep, did."""
    return {
        "new": value.new,
        "known": value.known,
        "conflicts": list(value.conflicts),
        "linked": value.linked,
        "ended": value.ended,
        "held": value.held,
        "masked": value.masked,
    }


def skipped(value: Skipped) -> dict[str, object]:
    """An item that gave no message, and why."""
    return {"where": value.where, "reason": value.reason, "broken": value.broken, "detail": value.detail}
