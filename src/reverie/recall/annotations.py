"""Annotations: remarks on a recalled memory: superseded, outdated, contradicted, standing instruction, quotation.

In: hits, or memories that are injected for every cue. Out: their texts with their annotations, and these in words. The
words come from a fixed list (the screen's list ``marks``); a memory's own text never gets into them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reverie.answers import Hit, Signal
from reverie.language.classify.categories import category
from reverie.language.orders import MARKS, standing
from reverie.recall import contradictions, granted, supersession
from reverie.recall import standing_instructions as orders
from reverie.recall.signals import STANDS
from reverie.screen import lists
from reverie.types import Kind, Memory, Role, State

SUPERSEDED, OUTDATED, CONTRADICTS, STANDING = (
    supersession.SUPERSEDED,
    supersession.OUTDATED,
    contradictions.MARK,
    orders.MARK,
)
PREFERENCE, QUOTED, SHARED = "preference", "quoted", "shared"


@dataclass(frozen=True, slots=True)
class Mark:
    """One remark on a memory; ``other`` is the id of the memory that replaced or contradicts it, if one is known.

    Of a shared memory, ``other`` is the scope that granted it, in words.
    """

    name: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A memory as a reader gets it: the text that is shown, and the remarks on it."""

    memory: Memory
    text: str
    marks: tuple[Mark, ...] = ()


def notes(hits: Iterable[Hit]) -> list[Annotation]:
    """Annotate hits: each with its shown text and its remarks."""
    return [Annotation(hit.memory, hit.shown or hit.memory.text, marks(hit.memory, hit.signals)) for hit in hits]


def note(memory: Memory) -> Annotation:
    """Annotate a memory that no cue found, with its whole text."""
    return Annotation(memory, memory.text, marks(memory))


def marks(memory: Memory, signals: Sequence[Signal] = ()) -> tuple[Mark, ...]:
    """Return the remarks on a memory; a superseded or outdated one is not called a standing instruction as well."""
    about = {signal.name: signal.about for signal in signals}
    found = _against(memory, about)
    if any(mark.name in (SUPERSEDED, OUTDATED) for mark in found):
        return tuple(found)
    if memory.role is not Role.USER:
        return (*found, Mark(QUOTED)) if orders_others(memory) else tuple(found)
    stands = any(signal.name in STANDS and signal.value > 0.0 for signal in signals)
    if stands or STANDING in about or memory.kind is Kind.INSTRUCTION:
        found.append(Mark(_stands(memory)))
    return tuple(found)


def _against(memory: Memory, about: Mapping[str, str]) -> list[Mark]:
    """Return the remarks that a memory is shared, superseded, outdated or contradicted; ``about``: signal → other."""
    found = [Mark(SHARED, about[granted.MARK])] if granted.MARK in about else []
    if SUPERSEDED in about or memory.standing.state is State.SUPERSEDED:
        known = about.get(SUPERSEDED) or memory.standing.superseded_by or about.get(OUTDATED, "")
        found.append(Mark(SUPERSEDED, known))
    elif OUTDATED in about:
        found.append(Mark(OUTDATED, about[OUTDATED]))
    if CONTRADICTS in about:
        found.append(Mark(CONTRADICTS, about[CONTRADICTS]))
    return found


def orders_others(memory: Memory) -> bool:
    """Whether a memory reads like a standing instruction; if the user did not say it, it is marked as a quotation."""
    return memory.kind is Kind.INSTRUCTION or standing(memory.text) is Kind.INSTRUCTION


def told(marked: Iterable[Mark], names: Mapping[str, str]) -> str:
    """Write remarks in one line; ``names`` maps ids to the names that the reader knows, other memories stay unnamed."""
    words = lists.table("marks")
    named = [(mark.name, names.get(mark.other, "")) for mark in marked]
    return ", ".join(words[name if other else f"{name} alone"].replace("{other}", other) for name, other in named)


def ids(found: Annotation) -> list[str]:
    """Write each remark on a memory in words, with other memories named by their ids.

    A scope is not named: a model reads these words, and whoever made a scope chose its name.
    """
    return [told([mark], {} if mark.name == SHARED else {mark.other: mark.other}) for mark in found.marks]


def numbers(page: Mapping[int, Memory], beside: Iterable[Memory] = ()) -> dict[str, str]:
    """Map memory ids to their numbers on a page, in words.

    A memory outside the page (``beside``) gets the number of the page's memory that comes from the same message.
    """
    form = lists.table("marks")["number"]
    named = {memory.id: form.replace("{number}", str(number)) for number, memory in page.items()}
    made = {source: named[memory.id] for memory in [*page.values()][::-1] for source in memory.sources}
    for memory in beside:
        same = next((made[source] for source in (memory.id, *memory.sources) if source in made), "")
        if same:
            named.setdefault(memory.id, same)
    return named


def others(names: Mapping[str, str], memory: Memory) -> dict[str, str]:
    """Return the names without a memory's own, so that no remark names the memory it is made on."""
    own = names.get(memory.id)
    return {other: name for other, name in names.items() if name != own}


def labels(page: Sequence[Annotation], beside: Iterable[Memory] = ()) -> list[str]:
    """Write the remarks on each memory of a page in a line, empty for none, with its number if another names it."""
    names = numbers({number: one.memory for number, one in enumerate(page, 1)}, beside)
    seen = [others(names, one.memory) for one in page]
    meant = {
        known[mark.other] for one, known in zip(page, seen, strict=True) for mark in one.marks if mark.other in known
    }
    lines = []
    for one, known in zip(page, seen, strict=True):
        own = names[one.memory.id]
        lines.append(", ".join(part for part in (own if own in meant else "", told(one.marks, known)) if part))
    return lines


def _stands(memory: Memory) -> str:
    """Return the name of the remark on a standing instruction: an order or a preference."""
    kind = memory.kind if memory.kind in MARKS else standing(memory.text) or category(memory.text)
    return PREFERENCE if kind is Kind.PREFERENCE else STANDING
