"""Living a script: an engine hears it message by message, dreams each night, is asked along the way and at the end.

In: a script, an arm, an embedding model. Out: one ``Call`` for each question at the end, and how large the store was.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from benchmarks.longrun.arms import Arm
from benchmarks.longrun.script import Asked, Said, Script
from benchmarks.systems.reverie import message
from reverie import FixedClock, RandomIds, Reverie, Scope
from reverie.answers import Recollection
from reverie.engine.requests import Question
from reverie.language.text.analyzer import index_terms
from reverie.ports import Embedder
from reverie.types import Kind, Memory

SCOPE = Scope(agent="benchmark", user="reader", project="longrun")
NIGHT = time(4, tzinfo=UTC)
"""When the dream of a day takes place."""

HELD_SHARE = 0.5
"""A memory made of several messages stands for those of whose words it holds at least this share."""


@dataclass(frozen=True, slots=True)
class Call:
    """One recall at the end: what was wanted, what came, and what it cost.

    ``gold`` contents were wanted, ``found`` of them were injected, ``lost`` of them can no longer be recalled at all.
    ``tokens`` were injected, ``junk_tokens`` of them by chatter alone, ``repeat_tokens`` by what had been said by an
    earlier hit. ``stale`` hits told what no longer holds.
    """

    question: str
    category: str
    gold: int
    found: int
    lost: int
    hits: int
    tokens: int
    junk_tokens: int
    repeat_tokens: int
    stale: int
    took_ms: float


@dataclass(frozen=True, slots=True)
class Lived:
    """A life's calls; memories that may be recalled at its end, all that are kept, and the seconds it took."""

    calls: tuple[Call, ...]
    live: int
    kept: int
    seconds: float


@dataclass(slots=True)
class Life:
    """A life as it was lived: its engine, and which message each memory of one holds."""

    script: Script
    arm: Arm
    engine: Reverie
    clock: FixedClock
    said: dict[str, Said] = field(default_factory=dict)
    awake: list[str] = field(default_factory=list)
    sessions: dict[str, None] = field(default_factory=dict)


def live(script: Script, arm: Arm, embedder: Embedder | None, seed: int = 0) -> Lived:
    """Live one script through one arm."""
    started = perf_counter()
    with living(script, arm, embedder, seed) as life:
        calls = tuple(_calls(life))
        awake, kept = _counts(life)
    return Lived(calls, awake, kept, perf_counter() - started)


@contextmanager
def living(script: Script, arm: Arm, embedder: Embedder | None, seed: int = 0, nights_apart: int = 1) -> Iterator[Life]:
    """Live one script through one arm; what happens within is its end, before the questions that are measured."""
    clock = FixedClock(script.said[0].item.at)
    with (
        TemporaryDirectory(prefix="reverie-longrun-") as folder,
        Reverie.open(
            Path(folder) / "life.db",
            embedder=embedder,
            recipe=arm.recipe,
            clock=clock,
            ids=RandomIds(seed),
            background=False,
        ) as engine,
    ):
        life = Life(script, arm, engine, clock)
        for at, what in _timeline(script, nights_apart):
            clock.at = max(clock.at, at)
            _happen(life, what)
        yield life


def _timeline(script: Script, nights_apart: int) -> Iterator[tuple[datetime, Said | Asked | None]]:
    """What is said, what is asked along the way, and the nights (None), in order of time."""
    happening: list[tuple[datetime, Said | Asked | None]] = [(one.item.at, one) for one in script.said]
    happening += [(one.at, one) for one in script.asked if not one.last]
    happening += [(at, None) for at in _nights(script, nights_apart)]
    yield from sorted(happening, key=lambda row: row[0])


def _nights(script: Script, nights_apart: int) -> Iterator[datetime]:
    at = datetime.combine(script.said[0].item.at.date(), NIGHT) + timedelta(days=1)
    end = max(one.at for one in script.asked)
    while at <= end:
        yield at
        at += timedelta(days=nights_apart)


def _happen(life: Life, what: Said | Asked | None) -> None:
    if isinstance(what, Said):
        _hear(life, what)
    elif isinstance(what, Asked):
        _ask(life, what)
    else:
        _sleep(life)


def _hear(life: Life, said: Said) -> None:
    engine, arm = life.engine, life.arm
    told = message(said.item)
    receipt = engine.observe(told, SCOPE) if arm.observes else engine.remember(told, SCOPE)
    life.said[receipt.id] = said
    life.sessions[said.item.session] = None
    if arm.newest:
        life.awake.append(receipt.id)


def _ask(life: Life, asked: Asked) -> None:
    """Ask as a host does for every message, and tell which of what came was of use."""
    _leave_newest(life)
    life.engine.admin.embed()
    answer = life.engine.recall(Question(asked.text, automatic=True), SCOPE)
    if not life.arm.feedback:
        return
    wanted = {life.script.current(content, life.clock.at) for content in asked.gold}
    for hit in answer.hits:
        used = not wanted.isdisjoint(contents(life, hit.memory, hit.shown))
        life.engine.feedback(hit.memory.id, SCOPE, "used" if used else "useless")


def _sleep(life: Life) -> None:
    for session in life.sessions:
        life.engine.admin.end_session(SCOPE, session)
    life.sessions.clear()
    if life.arm.dreams:
        life.engine.dream(SCOPE)


def _leave_newest(life: Life) -> None:
    """Newest-N keeps the last messages and forgets all others."""
    if life.arm.newest is not None:
        gone, life.awake = life.awake[: -life.arm.newest], life.awake[-life.arm.newest :]
        for memory_id in gone:
            life.engine.forget(memory_id, SCOPE, why="not among the newest")


# At the end


def _calls(life: Life) -> Iterator[Call]:
    """Each question at the end; looking is not using, so that none changes the next one's answer."""
    last = [asked for asked in life.script.asked if asked.last]
    life.clock.at = last[0].at
    _leave_newest(life)
    life.engine.admin.embed()
    held = _held(life)
    for asked in last:
        started = perf_counter()
        answer = life.engine.explain(Question(asked.text, automatic=True), SCOPE).recollection
        yield _call(life, asked, answer, held, (perf_counter() - started) * 1000.0)


def _call(life: Life, asked: Asked, answer: Recollection, held: set[str], took_ms: float) -> Call:
    now = life.clock.at
    wanted = {life.script.current(content, now) for content in asked.gold}
    told: set[str] = set()
    junk = repeats = stale = 0
    hits = (*answer.standing, *answer.hits)
    for hit in hits:
        held_here = contents(life, hit.memory, hit.shown)
        fresh = {content for content in held_here if not life.script.is_stale(content, now)}
        stale += bool(held_here) and not fresh
        junk += 0 if held_here else hit.tokens
        repeats += hit.tokens if held_here and held_here <= told else 0
        told |= held_here
    return Call(
        question=f"{life.script.name}/{asked.id}",
        category=asked.category,
        gold=len(wanted),
        found=len(wanted & told),
        lost=len(wanted - held),
        hits=len(hits),
        tokens=answer.tokens,
        junk_tokens=junk,
        repeat_tokens=repeats,
        stale=stale,
        took_ms=took_ms,
    )


def contents(life: Life, memory: Memory, shown: str = "") -> set[str]:
    """What a memory tells: its messages' contents; of several messages those that it really holds."""
    sources = [life.said[one] for one in memory.sources or (memory.id,) if one in life.said]
    if memory.kind is Kind.EPISODE or len(sources) == 1:
        return {said.content for said in sources if said.content}
    words = set(index_terms(shown or memory.text))
    return {said.content for said in sources if said.content and _share(said, words) >= HELD_SHARE}


def _share(said: Said, words: set[str]) -> float:
    own = set(index_terms(said.item.text))
    return len(own & words) / len(own) if own else 0.0


def _live(life: Life) -> list[Memory]:
    corpus = life.engine._context.store.corpus(SCOPE, None)
    among = corpus.recallable(life.clock.at)
    ordinals = np.arange(corpus.size) if among is None else np.flatnonzero(among)
    return corpus.fetch(ordinals.tolist())


def _held(life: Life) -> set[str]:
    """The contents that something which may be recalled still tells."""
    return {content for memory in _live(life) for content in contents(life, memory)}


def _counts(life: Life) -> tuple[int, int]:
    return len(_live(life)), life.engine.admin.stats(SCOPE).memories
