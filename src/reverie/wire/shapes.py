"""The JSON shapes: in, the engine's values; out, what every face hands to a program (``docs/cli.md``)."""

from __future__ import annotations

import base64
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.answers import Anchor, Curve, Fault, Health, Hit, Receipt, Recollection, Signal, Stats
    from reverie.consolidate.history import DreamReport, DreamSummary, StepReport
    from reverie.encode.session import WorkingItem
    from reverie.engine.erasure import Erasure
    from reverie.engine.imports import Brought
    from reverie.engine.transfer import Moved
    from reverie.engine.undo import UndoReport
    from reverie.events import Change, Event, Payload, Value
    from reverie.exchange import Skipped
    from reverie.recall.explain import Explanation, Shift
    from reverie.types import Memory, Relation, Scope, Standing, TimeWindow


# The JSON shapes: in, the engine's values; out, what every face hands to a program. ``docs/cli.md`` documents each.


def time(at: datetime | None) -> str | None:
    """A moment."""
    return at.isoformat() if at else None


def scope(value: Scope) -> dict[str, object]:
    """Whose memory."""
    return {"agent": value.agent, "user": value.user, "project": value.project}


def memory(value: Memory) -> dict[str, object]:
    """One memory."""
    shape: dict[str, object] = {
        "id": value.id,
        "kind": str(value.kind),
        "text": value.text,
        "speaker": value.speaker,
        "role": str(value.role),
        "session": value.session,
        "seq": value.seq,
        "at": time(value.at),
        "recorded_at": time(value.recorded_at),
        "valid_until": time(value.valid_until),
        "sources": list(value.sources),
        "entities": list(value.entities),
        "keywords": list(value.keywords),
        "accesses": value.accesses,
        "last_access": time(value.last_access),
        "standing": standing(value.standing),
    }
    if any("\ud800" <= character <= "\udfff" for character in value.text):
        shape["text_base64"] = base64.b64encode(value.text.encode("utf-8", "surrogatepass")).decode("ascii")
    return shape


def standing(value: Standing) -> dict[str, object]:
    """How a memory stands: every field under its own name."""
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def relation(value: Relation) -> dict[str, object]:
    """An edge between two memories."""
    return {
        "source": value.source,
        "kind": str(value.kind),
        "target": value.target,
        "confidence": value.confidence,
        "at": time(value.at),
    }


def working_item(value: WorkingItem) -> dict[str, object]:
    """An item of working memory."""
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def receipt(value: Receipt) -> dict[str, object]:
    """What became of a message."""
    return {
        "scope": scope(value.scope),
        "id": value.id,
        "session": value.session,
        "seq": value.seq,
        "new": value.new,
        "embedded": value.embedded,
        "conflict": value.conflict,
        "formed": list(value.formed),
        "decisions": [{"stage": d.stage, "verdict": str(d.verdict), "why": d.why} for d in value.decisions],
    }


def hit(value: Hit) -> dict[str, object]:
    """One memory that was recalled, with everything that touched its score."""
    return {
        "rank": value.rank,
        "score": value.score,
        "cosine": value.cosine,
        "tokens": value.tokens,
        "withheld": value.withheld,
        "shown": value.shown,
        "signals": [signal(one) for one in value.signals],
        "memory": memory(value.memory),
    }


def signal(value: Signal) -> dict[str, object]:
    """One reason for a score."""
    return {
        "name": value.name,
        "value": value.value,
        "weight": value.weight,
        "share": value.share,
        "about": value.about,
    }


def recollection(value: Recollection) -> dict[str, object]:
    """The answer to a cue."""
    return {
        "scope": scope(value.scope),
        "at": time(value.at),
        "cue": {
            "text": value.cue.text,
            "terms": list(value.cue.terms),
            "language": value.cue.language,
            "entities": list(value.cue.entities),
            "speakers": list(value.cue.speakers),
            "first_person": value.cue.first_person,
            "asks_assistant": value.cue.asks_assistant,
            "window": _window(value.cue.window),
        },
        "hits": [hit(found) for found in value.hits],
        "withheld": [hit(found) for found in value.withheld],
        "standing": [hit(found) for found in value.standing],
        "intent": value.intent,
        "confidence": value.confidence,
        "grounds": [signal(one) for one in value.grounds],
        "traits": [signal(one) for one in value.traits],
        "ended": value.ended,
        "gated": value.gated,
        "tokens": value.tokens,
        "searched": value.searched,
        "trace": [{"stage": one.stage, "note": one.note, "took_ms": one.took_ms} for one in value.trace],
    }


def explanation(value: Explanation) -> dict[str, object]:
    """The answer, and what would have changed its order."""
    return {**recollection(value.recollection), "shifts": [_shift(shift) for shift in value.shifts]}


def stats(value: Stats) -> dict[str, object]:
    """Counts of one scope."""
    return {
        "scope": scope(value.scope),
        "memories": value.memories,
        "current": value.current,
        "sessions": value.sessions,
        "speakers": value.speakers,
        "accesses": value.accesses,
        "embedded": value.embedded,
        "first_at": time(value.first_at),
        "last_at": time(value.last_at),
        "events": value.events,
        "disk_bytes": value.disk_bytes,
        "gated": value.gated,
    }


def dream_report(value: DreamReport) -> dict[str, object]:
    """What a dream did, or would do, step by step."""
    return {
        "cycle": value.night.cycle,
        "period": value.period,
        "at": time(value.night.at),
        "period_start": time(value.night.period_start),
        "since": time(value.night.since),
        "memories": value.memories,
        "changed": value.changed,
        "dry_run": value.dry_run,
        "resumed": value.resumed,
        "hot": list(value.hot),
        "steps": [step(one) for one in value.steps],
    }


def step(value: StepReport) -> dict[str, object]:
    """What one step of a dream did."""
    return {
        "name": str(value.name),
        "changed": value.changed,
        "formed": value.formed,
        "related": value.related,
        "left": value.left,
        "failed": value.failed,
        "reasons": [{"why": why, "count": count} for why, count in value.reasons],
        "samples": [change(one) for one in value.samples],
        "made": [memory(made) for made in value.made],
        "notes": list(value.notes),
    }


def change(value: Change) -> dict[str, object]:
    """What was changed in one memory."""
    after = [{"name": f.name, "before": _plain(f.before), "after": _plain(f.after)} for f in value.fields]
    return {"memory": value.memory, "why": value.why, "fields": after}


def fault(value: Fault) -> dict[str, object]:
    """Something to mend."""
    return {"name": value.name, "what": value.what, "mend": value.mend}


def anchor(value: Anchor) -> dict[str, object]:
    """The end of a journal at a moment."""
    marks = [list(mark) for mark in value.marks]
    return {"store": value.store, "seq": value.seq, "hash": value.hash, "at": time(value.at), "marks": marks}


def _plain(value: Value) -> object:
    """A field's value as JSON has it."""
    if isinstance(value, datetime):
        return time(value)
    if isinstance(value, tuple):
        return list(value)
    return str(value) if isinstance(value, str) else value


def _shift(value: Shift) -> dict[str, object]:
    return {"signal": value.signal, "memory": value.memory, "rank": value.rank, "instead": value.instead}


def _window(value: TimeWindow | None) -> dict[str, object] | None:
    return {"start": time(value.start), "end": time(value.end), "phrase": value.phrase} if value else None


# The JSON shapes of looking back: events, past dreams, health, forgetting curves, what was moved and taken back.


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
        "at": time(value.at),
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
        "scope": scope(value.scope),
        "seq": value.seq,
        "at": time(value.at),
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
            return memory(value)
        case Change():
            return change(value)
        case Relation():
            return relation(value)
        case datetime():
            return time(value)
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
        "at": time(value.at),
        "ended": time(value.ended),
        "stage": value.stage.value,
        "undone": value.undone,
        "changed": value.changed,
        "steps": [step(one) for one in value.steps],
    }


def health(value: Health) -> dict[str, object]:
    """How a scope's memory is doing."""
    return {
        "scope": scope(value.scope),
        "at": time(value.at),
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
        "memory": memory(value.memory),
        "law": value.law,
        "at": time(value.at),
        "now": value.now,
        "points": [
            {"at": time(one.at), "days": one.days, "retrievability": one.retrievability} for one in value.points
        ],
        "accesses": [time(at) for at in value.accesses],
    }


def moved(value: Moved) -> dict[str, object]:
    """What importing a lossless export did."""
    return {
        "scopes": [scope(one) for one in value.scopes],
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
