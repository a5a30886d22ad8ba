"""The laws of a life: what must hold of a store whatever was formed, dreamt and taken back.

In: a life that was lived. Out: findings, each with how much was looked at and what breaks the law, in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.life.simulation import SCOPE, Life, Said, Slept
from reverie import Reverie
from reverie.screen.pipeline import screen
from reverie.screen.values import ScreenSettings

DEFAULT = "reverie"
DEPTH = 200
"""Places in which an episode must be found by its own words."""

VERBATIM = "every episode is kept word for word"
RECALLABLE = "every episode is recalled by its own words"
UNTOUCHED = "no pinned or immutable memory is touched by a dream"
EXPLAINED = "every mutation is explained by an event"
IDEMPOTENT = "a second dream of the same day changes nothing"
UNDONE = "undo restores the bytes"
LAWS = (VERBATIM, RECALLABLE, UNTOUCHED, EXPLAINED, IDEMPOTENT, UNDONE)


@dataclass(frozen=True, slots=True)
class Finding:
    """A law, how many things were held against it, and what breaks it; nothing does where ``broken`` is empty."""

    law: str
    checked: int
    broken: tuple[str, ...] = ()


def judged(life: Life, folder: Path) -> Iterator[Finding]:
    """Every law in turn. The last ones take the dreams back; ``folder`` is for replayed stores."""
    yield _verbatim(life)
    yield _recallable(life)
    yield _untouched(life)
    yield _idempotent(life)
    dreamt = _unexplained(life, folder / "dreamt.db")
    yield _undone(life)
    broken = (*dreamt, *_unexplained(life, folder / "undone.db"))
    yield Finding(EXPLAINED, len(life.engine.admin.events(SCOPE)), broken)


def _verbatim(life: Life) -> Finding:
    """The words that were said are the words that are kept, but for what the screen masked."""
    broken = []
    for said in life.said:
        kept = life.engine.memory(said.receipt.id, SCOPE).text
        if kept != said.item.text and not is_masked(said.item.text, kept):
            broken.append(f"{said.item.id} is kept as {kept[:80]!r}")
    return Finding(VERBATIM, len(life.said), tuple(broken))


def is_masked(said: str, kept: str) -> bool:
    """Whether ``kept`` is what was said with stretches of it masked: all else is there, in order, nothing added."""
    found = screen(said, ScreenSettings())
    if not found.masked or found.text != kept:
        return False
    pieces, end = [], 0
    for masked in found.masked:
        pieces.append(re.escape(kept[end : masked.start]))
        end = masked.start + masked.length
    pieces.append(re.escape(kept[end:]))
    return re.fullmatch(".+?".join(pieces), said, re.DOTALL) is not None


def _recallable(life: Life) -> Finding:
    """Asked in its own words, each episode is among the hits or the withheld; what the screen holds back is listed.

    A recipe's read path may leave out on purpose what was not asked for (by its router, its bands); what it does not
    find is asked of the default's, over the same store.
    """
    held = {memory.id for memory in life.engine.admin.quarantined(SCOPE)}
    due = [said for said in life.said if said.receipt.id not in held]
    missed = [said for said in due if not is_recalled(life.engine, said)]
    if missed and life.engine.admin.recipe != DEFAULT:
        model, clock = life.engine._context.embedder, life.clock
        with Reverie.open(life.path, embedder=model, recipe=DEFAULT, clock=clock, background=False) as reader:
            lost = [said for said in missed if not is_recalled(reader, said)]
        life.elsewhere += len(missed) - len(lost)
        missed = lost
    broken = tuple(f"{said.item.id} is not recalled by {said.item.text[:60]!r}" for said in missed)
    return Finding(RECALLABLE, len(due), broken)


def is_recalled(engine: Reverie, said: Said) -> bool:
    """Whether its own words find it; small talk, which some recipes do not search, is asked with the speaker's name."""
    words = engine.memory(said.receipt.id, SCOPE).text
    found = engine.explain(words, SCOPE, top_k=DEPTH, budget_tokens=None).recollection
    if found.ended:
        cue = f"{said.item.speaker}: {words}"
        found = engine.explain(cue, SCOPE, top_k=DEPTH, budget_tokens=None).recollection
    return any(hit.memory.id == said.receipt.id for hit in (*found.hits, *found.withheld))


def _untouched(life: Life) -> Finding:
    """Protected memories stand after the dreams as they stood before them, to the last field."""
    broken = []
    for memory_id, before in life.wards.items():
        after = life.engine.memory(memory_id, SCOPE)
        if after != before:
            life_after, life_before = after.standing, before.standing
            kind = "pinned" if life_before.pinned else "immutable"
            broken.append(f"{memory_id} ({kind}): {life_before} → {life_after}")
    return Finding(UNTOUCHED, len(life.wards), tuple(broken))


def _idempotent(life: Life) -> Finding:
    """The second dream of a day; a recipe whose every cycle is a period of its own is exempt (reading 25)."""
    repeats = [] if is_exempt(life) else [night for night in life.nights if not night.first]
    broken = [
        f"{night.report.period}: {night.report.changed} things done, the state {_same(night)}"
        for night in repeats
        if night.report.changed or night.after != night.before
    ]
    return Finding(IDEMPOTENT, len(repeats), tuple(broken))


def _same(night: Slept) -> str:
    return "the same" if night.after == night.before else "another"


def is_exempt(life: Life) -> bool:
    """Whether the recipe's dream has no period within which it does nothing twice."""
    return life.engine._context.recipe.dream.period_hours is None


def _undone(life: Life) -> Finding:
    """Each dream, newest first, is taken back, and the state is the one before it."""
    taken = [night for night in reversed(life.nights) if is_exempt(life) or night.first]
    return Finding(UNDONE, len(taken), tuple(_not_restored(life, taken)))


def _not_restored(life: Life, nights: Iterable[Slept]) -> Iterator[str]:
    for night in nights:
        report = life.engine.undo(SCOPE, cycle=night.report.night.cycle)
        if report.left:
            yield f"{night.report.period}: left {len(report.left)}: {report.left[0]}"
        if life.state != night.before:
            yield f"{night.report.period}: the state is another than before the dream"


def _unexplained(life: Life, path: Path) -> Iterator[str]:
    """What a journal told again does not give back, and what ``verify`` finds."""
    if life.engine.admin.replay(path) != life.engine.admin.digest():
        yield f"{path.stem}: the replayed store has another digest"
    yield from (f"{path.stem}: {fault.name}: {fault.what}" for fault in life.engine.admin.verify())
