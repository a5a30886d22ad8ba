"""Skill cards: what the runs of a skill show, as a memory that a dream makes, renews and withdraws.

In: a snapshot with the scope's runs. Out: for each skill and context with a high enough lower bound of its success rate
a card, which says how often it worked, out of how many runs, and by which steps. Its sources are the runs. The steps
are workflows: closed sequences, found by bidirectional extension of prefixes (``closed_sequences``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from heapq import heappop, heappush
from typing import TypeAlias

from reverie.consolidate.runs import (
    ARROW,
    RecordedRun,
    RunOutcome,
    SkillRecord,
    grouped,
    record_of,
)
from reverie.consolidate.settings import SkillCards
from reverie.consolidate.snapshot import Gathering, Outcome, Snapshot
from reverie.consolidate.themes import is_made, is_retired, made_id
from reverie.language.text.analyzer import keywords
from reverie.types import (
    BY_DREAM,
    RECALLED_STATES,
    SKILL_CARD,
    TOOL_SPEAKER,
    Kind,
    Memory,
    Role,
    Standing,
    State,
    Tier,
)

RUNS_MAX = 200
"""The latest runs of a skill and context that a card is made of; by their weight, older ones hardly count."""
LEAST, BOUND, SUPPORT = 3, 0.5, 3
"""Default settings of the step: runs that make a card, the lower bound it needs, and the support of a workflow."""
MINED_RUNS, MINED_STEPS = 100, 40
"""The latest successful runs, and the first steps of each, in which workflows are looked for."""
PREFIXES_MAX = 1_000
"""Prefixes that are extended, at most: a bound on time for runs of many different steps."""
SHOWN = 3
_KEPT = 0.5
"""Least share of its runs that a workflow keeps when it is extended, and of a workflow's steps in a run that is its."""
_IMPORTANCE = 0.8

Steps: TypeAlias = tuple[str, ...]
_Places: TypeAlias = dict[int, tuple[int, ...]]
"""The runs of a prefix by index, each with the places of the prefix's first occurrence in it."""


@dataclass(frozen=True, slots=True)
class Workflow:
    """A sequence of steps that ``support`` runs followed, with other steps in between or without."""

    steps: Steps
    support: int


# Closed sequences: frequent ones of which no longer one is as frequent.


def closed_sequences(runs: Sequence[Sequence[str]], support: int) -> dict[Steps, frozenset[int]]:
    """Return each closed sequence of at least two steps and ``support`` runs, with the indices of its runs.

    A sequence is closed if none that contains it occurs in as many runs. At most ``PREFIXES_MAX`` prefixes are
    extended, those of most runs first, so that the same runs give the same sequences. Source: wang-bide
    """
    alike = _alike(runs)
    distinct, weights = list(alike), [len(indices) for indices in alike.values()]
    found: dict[Steps, frozenset[int]] = {}
    waiting: list[tuple[int, Steps, _Places]] = [(-len(runs), (), dict.fromkeys(range(len(distinct)), ()))]
    for _ in range(PREFIXES_MAX):
        if not waiting:
            break
        rank, prefix, firsts = heappop(waiting)
        if prefix and _is_covered(prefix, firsts, distinct, last=False):
            continue  # whatever begins so is contained in something as frequent
        counts = _following(firsts, distinct, weights, support)
        is_closed = -rank not in counts.values() and not _is_covered(prefix, firsts, distinct, last=True)
        if is_closed and len(prefix) > 1:
            found[prefix] = frozenset(index for at in firsts for index in alike[distinct[at]])
        for step, count in counts.items():
            heappush(waiting, (-count, (*prefix, step), _extended(firsts, step, distinct)))
    return found


def _alike(runs: Sequence[Sequence[str]]) -> dict[Steps, list[int]]:
    """Return the distinct runs, each with the indices of those that are equal to it."""
    found: dict[Steps, list[int]] = {}
    for index, run in enumerate(runs):
        found.setdefault(tuple(run), []).append(index)
    return found


def _following(firsts: _Places, runs: Sequence[Steps], weights: Sequence[int], support: int) -> dict[str, int]:
    """Return the steps that occur after the prefix in at least ``support`` runs, each with the number of its runs."""
    counts: Counter[str] = Counter()
    for at, places in firsts.items():
        counts.update(dict.fromkeys(runs[at][places[-1] + 1 if places else 0 :], weights[at]))
    return {step: count for step, count in counts.items() if count >= support}


def _extended(firsts: _Places, step: str, runs: Sequence[Steps]) -> _Places:
    """Return the first places of the prefix with one more step, in the runs that have it."""
    found = {}
    for index, places in firsts.items():
        start = places[-1] + 1 if places else 0
        if step in runs[index][start:]:
            found[index] = (*places, runs[index].index(step, start))
    return found


def _is_covered(prefix: Steps, firsts: _Places, runs: Sequence[Steps], *, last: bool) -> bool:
    """Whether some step can be put in before one of the prefix's, in all of its runs.

    ``last``: anywhere before that step's last place, so that the prefix is not closed; otherwise before its last place
    within the first occurrence of the prefix, so that no extension of the prefix is closed either.
    """
    shared: list[set[str] | None] = [None] * len(prefix)
    for index, places in firsts.items():
        run = runs[index]
        end = len(run) if last else places[-1] + 1
        for at in range(len(prefix) - 1, -1, -1):
            end = _last_place(run, prefix[at], end)
            between = set(run[places[at - 1] + 1 if at else 0 : end])
            known = shared[at]
            shared[at] = between if known is None else known & between
        if not any(shared):
            return False
    return any(shared)


def _last_place(run: Sequence[str], step: str, end: int) -> int:
    """Return the last place of a step before ``end``."""
    return next(at for at in range(end - 1, -1, -1) if run[at] == step)


# Workflows: the few closed sequences that account for the runs.


def workflows(runs: Sequence[Sequence[str]], support: int = SUPPORT) -> list[Workflow]:
    """Return the workflows that runs follow, the best supported first; each run counts for one workflow at most.

    The sequence that accounts for most steps comes first, extended as long as half of its runs go with it; then the
    same is done for the runs that hold less than half of it.
    """
    cut = [tuple(run[:MINED_STEPS]) for run in runs]
    closed = closed_sequences(cut, support)
    left, found = frozenset(range(len(cut))), list[Workflow]()
    while best := _best(closed, left, support):
        steps = _longest(best, closed, left, support)
        found.append(Workflow(steps, len(closed[steps])))
        left = left - closed[best] - {index for index in left if _share(steps, cut[index]) >= _KEPT}
    return sorted(found, key=lambda one: (-one.support, one.steps))


def _best(closed: Mapping[Steps, frozenset[int]], left: Set[int], support: int) -> Steps:
    """Return the sequence that accounts for most steps of the runs that are left; () if none is frequent there."""
    rated = ((len(own & left), steps) for steps, own in closed.items())
    frequent = [(count * (len(steps) - 1), len(steps), steps) for count, steps in rated if count >= support]
    return min(frequent, key=lambda one: (-one[0], -one[1], one[2]))[2] if frequent else ()


def _longest(steps: Steps, closed: Mapping[Steps, frozenset[int]], left: Set[int], support: int) -> Steps:
    """Extend a sequence to the longest closed one that keeps half of its runs, again and again."""
    while True:
        least = max(support, _KEPT * len(closed[steps] & left))
        longer = [
            (-len(more), -len(own & left), more)
            for more, own in closed.items()
            if len(more) > len(steps) and len(own & left) >= least and _share(steps, more) == 1.0
        ]
        if not longer:
            return steps
        steps = min(longer)[2]


def _share(steps: Steps, run: Sequence[str]) -> float:
    """Return the share of the steps that a run has in this order: their longest common subsequence."""
    row = [0] * (len(run) + 1)
    for step in steps:
        diagonal = 0
        for at, done in enumerate(run, 1):
            diagonal, row[at] = row[at], diagonal + 1 if step == done else max(row[at], row[at - 1])
    return row[-1] / len(steps)


# The step.


def skill_cards(snapshot: Snapshot, settings: SkillCards, now: datetime) -> Outcome:
    """Make a card for each skill and context whose lower bound is high enough, renew it, and withdraw others.

    A card that a person corrected, forgot, pinned or protected stays as it is.
    """
    known = {_key(memory): memory for memory in snapshot.memories if is_made(memory, SKILL_CARD) and _lives(memory)}
    gathering = Gathering()
    offered = dict(_offered(snapshot.runs, settings))
    for key, (record, text) in offered.items():
        card = known.get(key)
        if card is None:
            gathering.formed.append(_made(snapshot, record, text))
        elif _is_free(card, now):
            gathering.alter(
                card,
                "its runs changed",
                text=text,
                sources=record.sources,
                at=record.last or card.at,
                keywords=keywords(text),
                state=State.ACTIVE,
            )
    for key, card in known.items():
        if key not in offered and _is_free(card, now) and card.standing.state in RECALLED_STATES:
            gathering.alter(card, "below its bound", state=State.DORMANT)
    return gathering.outcome()


def _offered(
    runs: Iterable[RecordedRun], settings: SkillCards
) -> Iterator[tuple[tuple[str, str], tuple[SkillRecord, str]]]:
    for key, own in sorted(grouped(runs).items()):
        latest = own[-RUNS_MAX:]
        record = record_of(latest)
        if record.runs >= settings.least and record.lower >= settings.bound:
            yield key, (record, card_text(record, workflows(succeeded(latest), settings.support)))


def succeeded(runs: Iterable[RecordedRun]) -> list[Steps]:
    """Return the steps of the latest successful runs that have any."""
    return [run.steps for run in runs if run.outcome is RunOutcome.SUCCEEDED and run.steps][-MINED_RUNS:]


def card_text(record: SkillRecord, found: Sequence[Workflow]) -> str:
    """Say how a skill performed, with n and the lower bound, and by which steps."""
    where = f" in {record.context}" if record.context else ""
    version = f" (version {record.version})" if record.version else ""
    told = f"Skill {record.skill}{version}{where} worked in {record.succeeded} of {record.runs} runs"
    lines = [f"{told}: at least {100 * record.lower:.0f} % with 95 % probability."]
    for one in found[:SHOWN]:
        lines.append(f"Steps of {one.support} successful runs: {ARROW.join(one.steps)}")
    return "\n".join(lines)


def _key(card: Memory) -> tuple[str, str]:
    return card.standing.tags[1], card.standing.tags[2]


def _lives(card: Memory) -> bool:
    """Whether a card is still this skill's: one that a run's end closed may be made again."""
    return not is_retired(card)


def _is_free(card: Memory, now: datetime) -> bool:
    """Whether the step may change a card: nobody has protected, forgotten or corrected it."""
    life = card.standing
    untouched = not (life.pinned or life.immutable or life.superseded_by)
    return untouched and card.holds_at(now) and life.state is not State.QUARANTINED


def _made(snapshot: Snapshot, record: SkillRecord, text: str) -> Memory:
    """Create a card, under an id that follows from the dream and the runs."""
    now = snapshot.night.at
    return Memory(
        id=made_id(now, snapshot.night.cycle, SKILL_CARD, record.skill, record.context, *record.sources),
        scope=snapshot.scope,
        kind=Kind.SKILL,
        text=text,
        at=record.last or now,
        recorded_at=now,
        session=SKILL_CARD,
        seq=0,
        speaker=TOOL_SPEAKER,
        role=Role.TOOL,
        sources=record.sources,
        keywords=keywords(text),
        standing=Standing(
            tier=Tier.SEMANTIC,
            importance=_IMPORTANCE,
            tags=(SKILL_CARD, record.skill, record.context),
            write_source=BY_DREAM,
            data_source="system",
        ),
    )
