"""Summarise the state of a scope from its memories, in plain Python; every other store must give the same counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta

from reverie.answers import JUNK_DAYS, JUNK_MOST, Growth, Health
from reverie.events import OBSERVED
from reverie.types import RECALLED_STATES, Kind, Memory, Scope, State


def health(scope: Scope, records: Sequence[tuple[Memory, str]], now: datetime, events: int) -> Health:
    """Count a scope's memories by kind, tier and state; ``records`` pairs each with its event's reason."""
    memories = [memory for memory, _ in records]
    formed = [memory for memory in memories if memory.kind is not Kind.EPISODE]
    states = Counter(memory.standing.state.value for memory in memories)
    made = _made(formed)
    observed = sum(_is_observed(memory, why) for memory, why in records)
    return Health(
        scope=scope,
        at=now,
        memories=len(memories),
        current=sum(is_current(memory, now) for memory in memories),
        kinds=ordered(Counter(memory.kind.value for memory in memories)),
        tiers=ordered(Counter(memory.standing.tier.value for memory in formed)),
        states=ordered(states),
        junk=sum(is_junk(memory, now) for memory in formed),
        superseded=states[State.SUPERSEDED.value],
        outdated=sum(found == {State.SUPERSEDED} for found in made.values()),
        forgotten=sum(_is_forgotten(memory, now) for memory in memories),
        quarantined=states[State.QUARANTINED.value],
        growth=tuple(_growth(memories)),
        observed=observed,
        gated=max(0, observed - len(made)),
        events=events,
        disk_bytes=0,
    )


def ordered(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    """Sort counts above 0 by frequency, the highest first, ties by name."""
    return tuple(sorted(((name, n) for name, n in counts.items() if n), key=lambda row: (-row[1], row[0])))


def is_over(memory: Memory, now: datetime) -> bool:
    """Whether a memory is no longer valid."""
    return not memory.holds_at(now)


def is_current(memory: Memory, now: datetime) -> bool:
    """Whether a memory is valid and in a state that is recalled."""
    return memory.standing.state in RECALLED_STATES and not is_over(memory, now)


def is_junk(memory: Memory, now: datetime) -> bool:
    """Whether a current memory, ``JUNK_DAYS`` old, was never accessed and is not important, pinned or immutable."""
    life = memory.standing
    spared = life.pinned or life.immutable or memory.accesses > 0 or life.importance > JUNK_MOST
    return is_current(memory, now) and not spared and memory.recorded_at <= now - timedelta(days=JUNK_DAYS)


def _made(formed: Iterable[Memory]) -> dict[str, set[State]]:
    """Map each message's id to the states of the memories formed from it."""
    made: dict[str, set[State]] = {}
    for memory in formed:
        for source in memory.sources:
            made.setdefault(source, set()).add(memory.standing.state)
    return made


def _is_observed(memory: Memory, why: str) -> bool:
    return memory.kind is Kind.EPISODE and why == OBSERVED


def _is_forgotten(memory: Memory, now: datetime) -> bool:
    return is_over(memory, now) and memory.standing.state is not State.SUPERSEDED


def _growth(memories: Iterable[Memory]) -> list[Growth]:
    days: Counter[tuple[date, bool]] = Counter(
        (memory.recorded_at.astimezone(UTC).date(), memory.kind is Kind.EPISODE) for memory in memories
    )
    return [Growth(day, days[day, True], days[day, False]) for day in sorted({day for day, _ in days})]
