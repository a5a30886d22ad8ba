"""What is trained on: haystacks with cues whose evidence is labelled by message, from our own lives and other sets.

In: parts of the lives, and the files of other sets. Out: ``Lesson``s, a haystack each. Nothing later sees a set's name
but the one that counts how many lessons it has.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from benchmarks.lives import form
from benchmarks.lives.amid import amid
from benchmarks.sets import SETS, labelled, labelled_in, sets_in
from benchmarks.values import Haystack, Item, Question

QUESTIONS_MAX = 150
"""Cues of one haystack that are taken, evenly spread: one with thousands must not decide alone."""
HAYSTACKS_MAX = 5
MESSAGES_MAX = 7_000
"""Haystacks of one set that are taken, the first, and messages in all: more would be the same again, and take hours."""
LIVES, SMALL, LARGE = "lives", "small stores", "large stores"
SMALL_EVERY, SMALL_MAX = 4, 6
"""Of a life's cues every so many-th is asked of a store of so many messages at most."""
LARGE_EVERY, LARGE_SIZES = 2, (1_000, 3_000, 10_000)
"""Every so many-th haystack is asked among so many messages of other sets, the sizes in turn."""
AMID_EVERY, AMID = 2, 3_000
"""To learn ranking from, every so many-th life is laid amid so many messages of others."""
BEFORE = timedelta(days=365)
"""How long before a haystack those messages begin."""


@dataclass(frozen=True, slots=True)
class Cue:
    """What is asked of a haystack: its text, when, after how many messages, and what is needed, if anything."""

    text: str
    at: datetime
    heard: int
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A haystack with its cues; ``set`` is whose it is, ``group`` what must not be on both sides of a test."""

    set: str
    group: str
    items: tuple[Item, ...]
    cues: tuple[Cue, ...]

    def digest(self) -> str:
        """A short SHA-256 of all that is said and asked."""
        told = hashlib.sha256()
        for item in self.items:
            told.update(f"{item.id}\n{item.at.isoformat()}\n{item.text}\n".encode("utf-8", "surrogatepass"))
        for cue in self.cues:
            told.update(f"{cue.text}\n{sorted(cue.gold)}\n".encode("utf-8", "surrogatepass"))
        return told.hexdigest()[:12]


def lessons(part: str, folder: Path | None) -> Iterator[Lesson]:
    """The lives of a part, and what a folder holds of other sets (None: nothing); unanswerable cues have no gold."""
    for life in form.lives(part):
        yield _of_life(life, LIVES)
    if folder is not None:
        for name, haystack in _haystacks(folder):
            yield _lesson(name, haystack)


def _around(lesson: Lesson, cue: Cue) -> tuple[Item, ...]:
    """What a cue needs, or else the last it has heard, with what was said right before and after."""
    needed = [place for place, item in enumerate(lesson.items) if item.id in cue.gold]
    around = {near for place in needed or [cue.heard - 1] for near in (place - 1, place, place + 1)}
    return tuple(lesson.items[place] for place in sorted(around) if 0 <= place < cue.heard)[:SMALL_MAX]


def small(told: Sequence[Lesson]) -> Iterator[Lesson]:
    """Stores of a few messages, as everybody's is at first: what a cue needs and what was said right after it.

    Every so many-th cue of our own lives; a cue that nothing answers gets the last messages it has heard.
    """
    for lesson in told:
        if lesson.set == LIVES:
            for cue in lesson.cues[::SMALL_EVERY]:
                kept = _around(lesson, cue)
                if cue.gold <= {item.id for item in kept}:
                    yield Lesson(SMALL, lesson.group, kept, (replace(cue, heard=len(kept)),))


def large(told: Sequence[Lesson]) -> Iterator[Lesson]:
    """Stores as they are after years: a haystack, some of whose cues nothing answers, among what others said.

    That is taken evenly from the other sets, but not from lives, which might answer another life's cue.
    """
    both = [one for one in told if len({bool(cue.gold) for cue in one.cues}) > 1]
    for number, lesson in enumerate(both[::LARGE_EVERY]):
        pool = [item for one in told if one.set not in (LIVES, lesson.set) for item in one.items]
        size = min(LARGE_SIZES[number % len(LARGE_SIZES)], len(pool))
        begin = lesson.items[0].at - BEFORE
        step = (lesson.items[-1].at - begin) / max(1, size)
        beside = [
            replace(pool[place * len(pool) // size], id=f"beside-{place}", at=begin + place * step)
            for place in range(size)
        ]
        items = sorted([*lesson.items, *beside], key=lambda item: item.at)
        places = {item.id: place for place, item in enumerate(items, start=1)}
        cues = (replace(cue, heard=places[lesson.items[cue.heard - 1].id]) for cue in lesson.cues if cue.heard)
        yield Lesson(LARGE, lesson.group, tuple(items), tuple(cues))


def among_lives(part: str) -> Iterator[Lesson]:
    """Every so many-th life of a part amid thousands of messages, as other people say what was said in the others."""
    lived = list(form.lives(part))
    for number in range(0, len(lived), AMID_EVERY):
        yield _of_life(amid(lived[number], lived, AMID, number), LARGE)


def _of_life(life: form.Life, name: str) -> Lesson:
    cues = (Cue(cue.text, cue.at, cue.heard, frozenset().union(*cue.needs)) for cue in life.cues)
    return Lesson(name, life.hand, life.items, tuple(cues))


def _haystacks(folder: Path) -> Iterator[tuple[str, Haystack]]:
    for name, paths in sets_in(folder).items():
        for haystack in _first(SETS[name].load(paths, Counter())):
            yield name, haystack
    beside = folder / "labelled"
    for path in labelled_in(beside) if beside.is_dir() else ():
        for name, paths in labelled.by_set([path]).items():
            for haystack in _first(labelled.load(paths, Counter())):
                yield name, haystack


def _first(haystacks: Iterator[Haystack]) -> Iterator[Haystack]:
    messages = 0
    for place, haystack in enumerate(haystacks):
        messages += len(haystack.items)
        if place >= HAYSTACKS_MAX or (place and messages > MESSAGES_MAX):
            return
        yield haystack


def _lesson(name: str, haystack: Haystack) -> Lesson:
    asked = [question for question in haystack.questions if question.gold or not question.answerable]
    step = -(-len(asked) // QUESTIONS_MAX)
    return Lesson(name, haystack.name, haystack.items, tuple(_cues(asked[:: max(step, 1)], len(haystack.items))))


def _cues(questions: Sequence[Question], everything: int) -> Iterator[Cue]:
    for question in questions:
        heard = everything if question.heard is None else question.heard
        gold = frozenset(question.gold) if question.answerable else frozenset[str]()
        yield Cue(question.text, question.asked_at, heard, gold)
