"""How a dataclass of the engine is laid out in JSON: the keys of its shape, in order.

A shape has a dataclass's fields under their own names, in their order. ``DIFFERENCES`` lists the only exceptions:
``shapes`` writes by it, ``values`` reads by it, the HTTP interface describes its answers by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeAlias, get_type_hints

Counts: TypeAlias = dict[str, int]
"""Shows pairs of a name and a number as a JSON object."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Shows a pair of a step's report as an object: a reason and how often it occurred."""

    why: str
    count: int


@dataclass(frozen=True, slots=True)
class Head:
    """Shows a pair of an erasure's report as an object: number and hash of the journal's last event then."""

    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class Difference:
    """How a shape differs from its dataclass. One text may hold several names, separated by spaces.

    Attributes:
        first: the keys that come first; a name that is not a field is a property.
        without: fields that are not shown.
        merged: the field whose own keys appear among these instead of in an object of its own.
        exact: ``text_base64`` is added for a text that JSON cannot carry.
        forms: field → the type that its tuple is shown as.
    """

    first: str = ""
    without: str = ""
    merged: str = ""
    exact: bool = False
    forms: Mapping[str, Any] = field(default_factory=dict)


NONE = Difference()
DIFFERENCES: dict[str, Difference] = {
    "answers.Job": Difference(without="scope arguments caller"),
    "answers.Health": Difference(
        "scope at memories current kinds tiers states junk stale superseded outdated forgotten quarantined growth"
        " observed gated gated_share",
        forms={"kinds": Counts, "tiers": Counts, "states": Counts},
    ),
    "answers.Hit": Difference("rank score cosine tokens withheld shown origin signals"),
    "answers.Receipt": Difference("scope"),
    "answers.Recollection": Difference(
        "scope at cue hits withheld standing intent confidence grounds traits ended gated tokens searched"
    ),
    "consolidate.history.Compacted": Difference(merged="report"),
    "consolidate.history.DreamReport": Difference(
        "cycle period at period_start since memories changed dry_run resumed hot steps", merged="night"
    ),
    "consolidate.history.DreamSummary": Difference("cycle period at ended stage undone changed"),
    "consolidate.history.StepReport": Difference(
        "name changed formed related left failed", without="took_ms texts", forms={"reasons": tuple[Reason, ...]}
    ),
    "encode.notes.Note": Difference(exact=True),
    "engine.erasure.Erasure": Difference(without="scope", forms={"before": Head, "after": Head}),
    "engine.imports.Brought": Difference(without="first"),
    "engine.ingest.Imported": Difference("new known held masked"),
    "engine.transfer.Moved": Difference(forms={"actions": Counts}),
    "engine.undo.UndoReport": Difference("event", without="reworded"),
    "events.Change": Difference("memory why fields"),
    "events.Event": Difference("seq at", without="scope salt"),
    "recall.explain.Explanation": Difference(merged="recollection"),
    "types.Memory": Difference(
        "id kind text speaker role session seq at recorded_at valid_until sources", without="scope", exact=True
    ),
    "types.Message": Difference(exact=True),
    "types.Record": Difference(without="scope"),
    "types.Relation": Difference("source kind"),
}
"""Difference of each shape, by module and class; by name, so that no class has to be imported."""


@dataclass(frozen=True, slots=True)
class Part:
    """One key of a shape: its name, the (possibly dotted) attribute it shows, and the type it is shown as, if any."""

    name: str
    path: str
    form: Any = None


def difference(kind: type) -> Difference:
    """Return how the shape of a class differs from the class; ``NONE`` if it does not."""
    return DIFFERENCES.get(f"{kind.__module__}.{kind.__name__}".removeprefix("reverie."), NONE)


@cache
def parts(kind: type) -> tuple[Part, ...]:
    """Return the keys of a class's shape, in order."""
    own = difference(kind)
    found: dict[str, Part] = {}
    for name in names(kind):
        if name == own.merged:
            inner = parts(hints(kind)[name])
            found |= {part.name: replace(part, path=f"{name}.{part.path}") for part in inner}
        elif name not in own.without.split():
            found[name] = Part(name, name, own.forms.get(name))
    first = {name: found.get(name, Part(name, name)) for name in own.first.split()}
    return tuple((first | {name: part for name, part in found.items() if name not in first}).values())


def names(kind: type) -> tuple[str, ...]:
    """Return the field names of a dataclass or of a named tuple."""
    own: tuple[str, ...] = getattr(kind, "_fields", ())
    return own or tuple(one.name for one in fields(kind))


def is_shaped(kind: object) -> bool:
    """Whether a type is shown as an object: a dataclass or a named tuple."""
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))


@cache
def hints(kind: type) -> dict[str, Any]:
    """Return the type of each field and property."""
    own = {name: one for base in reversed(kind.__mro__) for name, one in vars(base).items()}
    properties = {name: get_type_hints(one.fget)["return"] for name, one in own.items() if isinstance(one, property)}
    return get_type_hints(kind) | properties


def hint(kind: Any, part: Part) -> Any:
    """Return the type of the value that a key shows."""
    for name in part.path.split("."):
        kind = hints(kind)[name]
    return kind if part.form is None else part.form
