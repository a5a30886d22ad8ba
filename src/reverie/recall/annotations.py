"""Annotations of a recalled memory: superseded, outdated, contradicted, a standing instruction and whose.

In: hits, or memories that come whatever the cue. Out: notes for a reader, each with its marks, and these in words. The
words are fixed (the screen's list ``marks``); nothing of a memory's own text gets into them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reverie.answers import Hit, Signal
from reverie.language.classify.categories import category
from reverie.language.orders import MARKS, standing
from reverie.recall import contradictions, supersession
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
PREFERENCE, QUOTED = "preference", "quoted"


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that is said of a memory; ``other`` is the id of the memory it is said against, where one is known."""

    name: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A memory on its way to a reader, with the words of it that are shown."""

    memory: Memory
    text: str
    marks: tuple[Mark, ...] = ()


def notes(hits: Iterable[Hit]) -> list[Annotation]:
    """Hits as a reader gets them."""
    return [Annotation(hit.memory, hit.shown or hit.memory.text, marks(hit.memory, hit.signals)) for hit in hits]


def note(memory: Memory) -> Annotation:
    """Format one memory outside a recall, in full."""
    return Annotation(memory, memory.text, marks(memory))


def marks(memory: Memory, signals: Sequence[Signal] = ()) -> tuple[Mark, ...]:
    """Return a memory's annotations; a superseded one is not also called outdated, and is no instruction to follow."""
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
    """What speaks against a memory; ``about``: what its signals name, by the signal."""
    found: list[Mark] = []
    if SUPERSEDED in about or memory.standing.state is State.SUPERSEDED:
        known = about.get(SUPERSEDED) or memory.standing.superseded_by or about.get(OUTDATED, "")
        found.append(Mark(SUPERSEDED, known))
    elif OUTDATED in about:
        found.append(Mark(OUTDATED, about[OUTDATED]))
    if CONTRADICTS in about:
        found.append(Mark(CONTRADICTS, about[CONTRADICTS]))
    return found


def orders_others(memory: Memory) -> bool:
    """Whether a memory not said by the user reads like a standing instruction; it is then injected as a quotation."""
    return memory.kind is Kind.INSTRUCTION or standing(memory.text) is Kind.INSTRUCTION


def told(marked: Iterable[Mark], names: Mapping[str, str]) -> str:
    """Marks in one line; ``names`` is what the reader knows other memories by, and who has none goes unnamed."""
    words = lists.table("marks")
    named = [(mark.name, names.get(mark.other, "")) for mark in marked]
    return ", ".join(words[name if other else f"{name} alone"].replace("{other}", other) for name, other in named)


def ids(found: Annotation) -> list[str]:
    """A note's marks in words, one by one; others are named by their ids."""
    return [told([mark], {mark.other: mark.other}) for mark in found.marks]


def numbers(page: Mapping[int, Memory], beside: Iterable[Memory] = ()) -> dict[str, str]:
    """Id → number on a page, in words.

    What is not on the page (``beside``) goes by the number of what was made of the same message: it says the same.
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
    """The names without a memory's own: nothing is said against itself."""
    own = names.get(memory.id)
    return {other: name for other, name in names.items() if name != own}


def labels(page: Sequence[Annotation], beside: Iterable[Memory] = ()) -> list[str]:
    """Return one annotation line for each memory of a block; those referred to also get their number."""
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
    """Return whether a standing memory is an instruction or a preference."""
    kind = memory.kind if memory.kind in MARKS else standing(memory.text) or category(memory.text)
    return PREFERENCE if kind is Kind.PREFERENCE else STANDING
