"""How a value is laid out in JSON: in, a dataclass of the engine; out, the keys of its shape, in their order.

A shape has a dataclass's fields under their own names, in their order. Where one differs, ``DIFFERENCES`` says how, and
nothing else does: ``shapes`` writes by it, ``values`` reads by it, the HTTP interface describes its answers by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeAlias, get_type_hints

Counts: TypeAlias = dict[str, int]
"""The form of pairs of a name and a number: an object."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why, and how often: a pair of a step's report with names."""

    why: str
    count: int


@dataclass(frozen=True, slots=True)
class Head:
    """The journal's last event at a moment: a pair of an erasure's report with names."""

    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What of a shape is not as in its dataclass; several names stand in one text.

    Attributes:
        first: the keys that come first; one that is no field is a property.
        without: fields that are not shown.
        merged: the field whose own keys stand among these instead of within an object of its own.
        exact: ``text_base64`` stands beside a text that JSON cannot carry.
        forms: field → the type that its tuple is shown as.
    """

    first: str = ""
    without: str = ""
    merged: str = ""
    exact: bool = False
    forms: Mapping[str, Any] = field(default_factory=dict)


NONE = Difference()
DIFFERENCES: dict[str, Difference] = {
    "answers.Health": Difference(
        "scope at memories current kinds tiers states junk stale superseded outdated forgotten quarantined growth"
        " observed gated gated_share",
        forms={"kinds": Counts, "tiers": Counts, "states": Counts},
    ),
    "answers.Hit": Difference("rank score cosine tokens withheld shown signals"),
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
    "types.Relation": Difference("source kind"),
}
"""Module and class → how its shape differs; by name, so that whoever writes one loads none of the rest."""


@dataclass(frozen=True, slots=True)
class Part:
    """One key of a shape: its name, the attribute it shows, dotted where it lies deeper, and the form if it has one."""

    name: str
    path: str
    form: Any = None


def difference(kind: type) -> Difference:
    """How the shape of a kind differs from it."""
    return DIFFERENCES.get(f"{kind.__module__}.{kind.__name__}".removeprefix("reverie."), NONE)


@cache
def parts(kind: type) -> tuple[Part, ...]:
    """The keys of a kind's shape, in their order."""
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
    """The fields of a dataclass or of a tuple with names."""
    own: tuple[str, ...] = getattr(kind, "_fields", ())
    return own or tuple(one.name for one in fields(kind))


def is_shaped(kind: object) -> bool:
    """Whether a kind is shown as an object: a dataclass or a tuple with names."""
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))


@cache
def hints(kind: type) -> dict[str, Any]:
    """The type of each field and property."""
    own = {name: one for base in reversed(kind.__mro__) for name, one in vars(base).items()}
    properties = {name: get_type_hints(one.fget)["return"] for name, one in own.items() if isinstance(one, property)}
    return get_type_hints(kind) | properties


def hint(kind: Any, part: Part) -> Any:
    """The type of what a key shows."""
    for name in part.path.split("."):
        kind = hints(kind)[name]
    return kind if part.form is None else part.form
