"""The JSON shapes read back: in, what ``wire.shapes`` made; out, the engine's values, equal to what they were made of.

A scope stands once, at the head of an answer; each memory in it gets it back here.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar, get_type_hints

import msgspec

from reverie.answers import Anchor, Curve, Decision, Fault, Health, Hit, Receipt, Recollection, Signal, Stats, Step
from reverie.consolidate.history import DreamReport, DreamSummary, StepReport
from reverie.consolidate.settings import StepName
from reverie.consolidate.snapshot import Night
from reverie.encode.session import WorkingItem
from reverie.engine.consolidate import Compacted
from reverie.engine.erasure import Erasure
from reverie.engine.ingest import Imported
from reverie.engine.undo import UndoReport
from reverie.events import (
    Action,
    Change,
    Changed,
    Dreamt,
    Erased,
    Event,
    FieldChange,
    Forgotten,
    Formed,
    Payload,
    Recalled,
    Related,
    Remembered,
    Stage,
)
from reverie.recall.explain import Explanation, Shift
from reverie.types import Cue, Episode, Memory, Relation, Scope, Standing

T = TypeVar("T")
Shape = Mapping[str, Any]

_FIELDS = get_type_hints(Memory) | get_type_hints(Standing)


def plain(shape: object, kind: type[T]) -> T:
    """A value whose shape has its fields by their names. Raises msgspec.ValidationError."""
    return msgspec.convert(shape, kind)


def scope(shape: Shape) -> Scope:
    """Whose memory."""
    return plain(shape, Scope)


def memory(shape: Shape, owner: Scope) -> Memory:
    """One memory."""
    return plain({**shape, "text": _text(shape), "scope": _parts(owner)}, Memory)


def memories(shapes: Iterable[Shape], owner: Scope) -> list[Memory]:
    """Several memories."""
    return [memory(one, owner) for one in shapes]


def relation(shape: Shape) -> Relation:
    """An edge between two memories."""
    return plain(shape, Relation)


def relations(shapes: Iterable[Shape]) -> list[Relation]:
    """Several edges."""
    return [relation(one) for one in shapes]


def working_item(shape: Shape) -> WorkingItem:
    """An item of working memory."""
    return plain(shape, WorkingItem)


def receipt(shape: Shape) -> Receipt:
    """What became of a message."""
    decisions = [plain(one, Decision) for one in shape["decisions"]]
    return plain({**shape, "decisions": decisions}, Receipt)


def imported(shape: Shape) -> Imported:
    """What became of many messages."""
    return plain(shape, Imported)


def hit(shape: Shape, owner: Scope) -> Hit:
    """One memory that was recalled."""
    return Hit(
        memory=memory(shape["memory"], owner),
        rank=shape["rank"],
        score=float(shape["score"]),
        signals=_signals(shape["signals"]),
        cosine=shape["cosine"],
        tokens=shape["tokens"],
        withheld=shape["withheld"],
        shown=shape["shown"],
    )


def recollection(shape: Shape) -> Recollection:
    """The answer to a cue."""
    owner = scope(shape["scope"])
    return Recollection(
        cue=plain(shape["cue"], Cue),
        scope=owner,
        at=_time(shape["at"]),
        hits=_hits(shape["hits"], owner),
        withheld=_hits(shape["withheld"], owner),
        trace=_each(shape["trace"], Step),
        tokens=shape["tokens"],
        searched=shape["searched"],
        standing=_hits(shape["standing"], owner),
        intent=shape["intent"],
        confidence=shape["confidence"],
        grounds=_signals(shape["grounds"]),
        traits=_signals(shape["traits"]),
        ended=shape["ended"],
        gated=shape["gated"],
    )


def explanation(shape: Shape) -> Explanation:
    """The answer, and what would have changed its order."""
    return Explanation(recollection(shape), _each(shape["shifts"], Shift))


def stats(shape: Shape) -> Stats:
    """Counts of one scope."""
    return plain(shape, Stats)


def health(shape: Shape) -> Health:
    """How a scope's memory is doing; counts by name stand as an object."""
    counted = {name: list(shape[name].items()) for name in ("kinds", "tiers", "states")}
    return plain({**shape, **counted}, Health)


def curve(shape: Shape) -> Curve:
    """A forgetting curve."""
    return plain({**shape, "memory": memory(shape["memory"], scope(shape["scope"]))}, Curve)


def dream_report(shape: Shape) -> DreamReport:
    """What a dream did, or would do."""
    owner = scope(shape["scope"])
    return DreamReport(
        night=plain(shape, Night),
        period=shape["period"],
        memories=shape["memories"],
        steps=_steps(shape["steps"], owner),
        hot=tuple(shape["hot"]),
        dry_run=shape["dry_run"],
        resumed=shape["resumed"],
    )


def compacted(shape: Shape) -> Compacted:
    """What compacting did."""
    return Compacted(dream_report(shape), shape["freed_bytes"])


def dream_summary(shape: Shape, owner: Scope) -> DreamSummary:
    """A past dream."""
    return DreamSummary(
        cycle=shape["cycle"],
        period=shape["period"],
        at=_time(shape["at"]),
        ended=None if shape["ended"] is None else _time(shape["ended"]),
        stage=Stage(shape["stage"]),
        steps=_steps(shape["steps"], owner),
    )


def undone(shape: Shape) -> UndoReport:
    """What was taken back."""
    return plain(shape, UndoReport)


def fault(shape: Shape) -> Fault:
    """Something to mend."""
    return plain(shape, Fault)


def anchor(shape: Shape) -> Anchor:
    """The end of a journal at a moment."""
    return plain(shape, Anchor)


def erasure(shape: Shape, owner: Scope) -> Erasure:
    """What was erased."""
    before, after = ((head["seq"], head["hash"]) for head in (shape["before"], shape["after"]))
    return Erasure(owner, tuple(shape["memories"]), before, after)


def event(shape: Shape, owner: Scope) -> Event:
    """One change of the store; without its salt, which never leaves the store."""
    action = Action(shape["action"])
    payload = shape["payload"]
    return Event(
        seq=shape["seq"],
        scope=owner,
        at=_time(shape["at"]),
        actor=shape["actor"],
        action=action,
        why=shape["why"],
        payload=None if payload is None else _payload(action, payload, owner),
        salt=None,
        digest=shape["digest"],
        previous=shape["previous"],
        hash=shape["hash"],
    )


def change(shape: Shape) -> Change:
    """What was changed in one memory."""
    fields = [FieldChange(one["name"], *(_field(one["name"], one[side]) for side in _SIDES)) for one in shape["fields"]]
    return Change(shape["memory"], tuple(fields), shape["why"])


_SIDES = ("before", "after")


def _field(name: str, value: object) -> Any:
    """A field's value; tiers, states and kinds stand as their names in a change."""
    if value is None or name in ("kind", "tier", "state"):
        return value
    return msgspec.convert(value, _FIELDS[name])


def _payload(action: Action, shape: Shape, owner: Scope) -> Payload:
    read = _WITH_MEMORIES.get(action)
    return plain(shape, _PLAIN[action]) if read is None else read(shape, owner)


def _remembered(shape: Shape, owner: Scope) -> Remembered:
    kept = tuple(memories(shape["memories"], owner))
    own = {**shape["episode"], "scope": _parts(owner)}
    own["text"] = kept[0].text if kept else own["text"]  # word for word, where JSON could not carry it
    return Remembered(plain(own, Episode), kept)


def _recalled(shape: Shape, _: Scope) -> Recalled:
    return Recalled(tuple(shape["memories"]), tuple(change(one) for one in shape["changes"]))


def _formed(shape: Shape, owner: Scope) -> Formed:
    added, removed = (tuple(memories(shape[name], owner)) for name in ("added", "removed"))
    return Formed(added, removed, shape["cycle"])


def _changed(shape: Shape, _: Scope) -> Changed:
    return Changed(tuple(change(one) for one in shape["changes"]), shape["cycle"])


_WITH_MEMORIES: dict[Action, Callable[[Shape, Scope], Payload]] = {
    Action.REMEMBER: _remembered,
    Action.RECALL: _recalled,
    Action.FORM: _formed,
    Action.CHANGE: _changed,
}
_PLAIN: dict[Action, type[Payload]] = {
    Action.RELATE: Related,
    Action.DREAM: Dreamt,
    Action.FORGET: Forgotten,
    Action.ERASE: Erased,
}


def _steps(shapes: Iterable[Shape], owner: Scope) -> tuple[StepReport, ...]:
    return tuple(
        StepReport(
            name=StepName(one["name"]),
            changed=one["changed"],
            formed=one["formed"],
            related=one["related"],
            reasons=tuple((reason["why"], reason["count"]) for reason in one["reasons"]),
            samples=tuple(change(sample) for sample in one["samples"]),
            made=tuple(memories(one["made"], owner)),
            notes=tuple(one["notes"]),
            left=one["left"],
            failed=one.get("failed", ""),
        )
        for one in shapes
    )


def _hits(shapes: Iterable[Shape], owner: Scope) -> tuple[Hit, ...]:
    return tuple(hit(one, owner) for one in shapes)


def _signals(shapes: Iterable[Shape]) -> tuple[Signal, ...]:
    """Tuples with names, which are read by their places."""
    return tuple(plain([shape[name] for name in Signal._fields if name in shape], Signal) for shape in shapes)


def _each(shapes: Iterable[Shape], kind: type[T]) -> tuple[T, ...]:
    return tuple(plain(one, kind) for one in shapes)


def _text(shape: Shape) -> str:
    """The text itself, from its exact form where JSON could not carry it."""
    exact = shape.get("text_base64")
    return base64.b64decode(exact).decode("utf-8", "surrogatepass") if exact else str(shape["text"])


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _parts(owner: Scope) -> dict[str, str]:
    return {"agent": owner.agent, "user": owner.user, "project": owner.project}
