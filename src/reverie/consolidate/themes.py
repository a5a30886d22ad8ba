"""Form new memories in a dream: themes and patterns of the largest clusters, and summaries of categories.

Each refers to the episodes it is based on and has an id derived from all of them. Its text is written by a language
model if there is one and it answers, else extracted: the most central of the memories' own sentences.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TypeVar

import numpy as np

from reverie.consolidate.settings import Abstraction, Summaries, Themes
from reverie.consolidate.snapshot import Gathering, Outcome, Snapshot
from reverie.language.text.analyzer import index_terms, keywords
from reverie.language.text.coverage import holds
from reverie.language.text.patterns import sentences
from reverie.ports import Mind
from reverie.types import BY_DREAM, Kind, Memory, Relation, RelationKind, Role, Standing, State, Tier, base32

# Extraction: themes, patterns and summaries without a language model.


THEME_SENTENCES = 3
SUMMARY_SENTENCES = 5
TEXTS_MAX = 200
SENTENCES_MAX = 4
"""Limits of texts, and of sentences per text: more no longer change the centre."""
WHOLE_MAX = 200
"""Longest excerpt of a multi-line memory, in characters: as many of the last lines as fit."""

ALIKE = 0.6
"""Share of common stems from which a sentence counts as repetition and is chosen last."""
NOTHING_NEW = 1.0


class Extractive:
    """Writer that extracts the memories' own sentences (see ``snapshot.Voice``)."""

    def theme(self, texts: Sequence[str]) -> str:
        """Return the three most central sentences."""
        return " ".join(central(texts, THEME_SENTENCES))

    def pattern(self, texts: Sequence[str]) -> str:
        """Return the most central sentence."""
        return " ".join(central(texts, 1))

    def summary(self, category: str, texts: Sequence[str]) -> str:
        """Return the five most central sentences."""
        del category
        return " ".join(central(texts, SUMMARY_SENTENCES))


def central(texts: Sequence[str], limit: int) -> list[str]:
    """Return the ``limit`` most central sentences without repetition, in their order in the texts.

    Sentences that say much new are chosen first, those that say little only if there is room.
    """
    found = [piece for text in texts[:TEXTS_MAX] for piece in _pieces(text)]
    stems = [Counter(index_terms(sentence)) for sentence in found]
    scores = _centrality(stems)
    ranked = sorted(range(len(found)), key=lambda place: (-scores[place], place))
    chosen: list[int] = []
    for share in (ALIKE, NOTHING_NEW):
        for place in ranked:
            if len(chosen) < limit and not any(_alike(stems[place], stems[other], share) for other in chosen):
                chosen.append(place)
    return [found[place] for place in sorted(chosen)]


def _pieces(text: str) -> Sequence[str]:
    """Split a single line into sentences; return several lines, which were added to one another, as one piece.

    A later line may correct an earlier one, so no line is quoted alone.
    """
    lines = _last([line for line in text.split("\n") if line.strip()])
    return ["\n".join(lines).strip()] if len(lines) > 1 else sentences("".join(lines))[:SENTENCES_MAX]


def _last(lines: Sequence[str]) -> Sequence[str]:
    """Return the last lines that fit into one piece, and always the very last."""
    first, room = len(lines) - 1, WHOLE_MAX - len(lines[-1]) if lines else 0
    while first > 0 and len(lines[first - 1]) < room:
        first -= 1
        room -= len(lines[first]) + 1
    return lines[max(0, first) :]


def _centrality(stems: Sequence[Counter[str]]) -> list[float]:
    """Compute the cosine of each sentence to the sum of all; rare stems weigh more, stems of one sentence nothing."""
    held = Counter(stem for own in stems for stem in own)
    weights = {stem: math.log(1.0 + len(stems) / count) if count > 1 else 0.0 for stem, count in held.items()}
    total: Counter[str] = Counter()
    vectors = []
    for own in stems:
        length = math.sqrt(math.fsum(count * count for count in own.values())) or 1.0
        vector = {stem: weights[stem] * count / length for stem, count in own.items()}
        vectors.append(vector)
        for stem, weight in vector.items():
            total[stem] += weight  # type: ignore[assignment]  # a Counter sums floats as well
    return [math.fsum(weight * total[stem] for stem, weight in vector.items()) for vector in vectors]


def _alike(one: Counter[str], other: Counter[str], share: float) -> bool:
    """Whether the shorter has more than this share of its stems in common with the other, or all of them."""
    least = min(len(one), len(other))
    common = len(one.keys() & other.keys())
    return one.keys() == other.keys() if least == 0 else common == least or common / least > share


# Writing by a language model, with extraction as the fallback.


TOLD_MAX = 40
"""Largest number of texts given to a model."""


class Spoken:
    """Writer that asks a language model, and extracts if it returns None (see ``snapshot.Voice``)."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._own = Extractive()

    def theme(self, texts: Sequence[str]) -> str:
        """Summarise texts as a theme."""
        return self._mind.theme(texts[:TOLD_MAX]) or self._own.theme(texts)

    def pattern(self, texts: Sequence[str]) -> str:
        """State the habit common to the texts."""
        return self._mind.pattern(texts[:TOLD_MAX]) or self._own.pattern(texts)

    def summary(self, category: str, texts: Sequence[str]) -> str:
        """Summarise a category's texts in a few sentences."""
        return self._mind.summary(category, texts[:TOLD_MAX]) or self._own.summary(category, texts)


# Creating a memory in a dream.


T = TypeVar("T")

ENTITIES_MAX = 16
THEME = "theme"
PATTERN = "pattern"
CATEGORY = "category"


@dataclass(frozen=True, slots=True)
class NewMemory:
    """Content of a new memory: kind, text, importance, ``what`` it is (theme, …), and the ``label`` of its cluster."""

    kind: Kind
    text: str
    importance: float
    what: str
    label: str


def make(snapshot: Snapshot, thought: NewMemory, members: Sequence[Memory]) -> Memory:
    """Create a semantic memory based on its members' episodes, with the time of the latest member.

    Its id is derived from the members, because notes have no episode and an episode can be in two clusters. A text
    quoted from one member has that member's speaker; otherwise the speaker is the members' common one, or "".
    """
    latest = max(members, key=_moment)
    own = next((one for one in members if thought.text and thought.text in one.text), None)
    tellers = [own] if own else members
    sources = sources_of(members)
    now = snapshot.night.at
    return Memory(
        id=made_id(now, snapshot.night.cycle, thought.what, thought.label, *(one.id for one in members)),
        scope=snapshot.scope,
        kind=thought.kind,
        text=thought.text,
        at=latest.at,
        recorded_at=now,
        session=latest.session,
        seq=latest.seq,
        speaker=_only([one.speaker for one in tellers], ""),
        role=_only([one.role for one in tellers], Role.PERSON),
        sources=sources,
        entities=common_entities(members),
        keywords=keywords(thought.text),
        standing=Standing(
            tier=Tier.SEMANTIC,
            importance=thought.importance,
            tags=(thought.what, thought.label),
            write_source=BY_DREAM,
            data_source="system",
        ),
    )


def _only(values: Sequence[T], otherwise: T) -> T:
    """Return the common value if all are equal, else ``otherwise``."""
    return values[0] if len(set(values)) == 1 else otherwise


def _moment(memory: Memory) -> tuple[datetime, str]:
    return memory.at, memory.id


def sources_of(members: Sequence[Memory]) -> tuple[str, ...]:
    """Return the episodes of members without repetition, in order; for a member without episodes its own id."""
    return tuple(dict.fromkeys(source for memory in members for source in memory.sources or (memory.id,)))


def common_entities(members: Sequence[Memory]) -> tuple[str, ...]:
    """Return the entities of members, the most frequent first."""
    counted = Counter(entity for memory in members for entity in dict.fromkeys(memory.entities))
    return tuple(name for name, _ in sorted(counted.items(), key=_frequent)[:ENTITIES_MAX])


def _frequent(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def is_made(memory: Memory, what: str) -> bool:
    """Whether a dream made this memory as a theme, pattern or category summary."""
    return memory.is_dreamt and what in memory.standing.tags[:1]


def is_retired(memory: Memory) -> bool:
    """Whether a memory was closed because a source was undone: it may be made again, unlike one rejected itself."""
    life = memory.standing
    return life.state is State.SUPERSEDED and not life.superseded_by and life.confidence > 0.0


def is_outdated(snapshot: Snapshot, memory: Memory) -> bool:
    """Whether a later statement superseded the memory; a person's correction, which has its kind, does not count."""
    by = snapshot.row(memory.standing.superseded_by)
    return (
        memory.standing.state is State.SUPERSEDED and by is not None and snapshot.memories[by].kind is not memory.kind
    )


def made_since(snapshot: Snapshot, what: str) -> int:
    """Count the memories of this sort that were made in this period."""
    start = snapshot.night.period_start
    return sum(memory.recorded_at >= start and is_made(memory, what) for memory in snapshot.memories)


def made_id(at: datetime, *parts: str) -> str:
    """Create an id of the usual form (26 characters, sorted by time) from a hash, the same for a repeated dream."""
    digest = sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()[:10]
    return base32((max(int(at.timestamp() * 1000), 0) << 80) | int.from_bytes(digest, "big"))


# Step 10, consolidation: a theme for each of the largest clusters.


def consolidation(snapshot: Snapshot, settings: Themes, now: datetime) -> Outcome:
    """Form themes up to the limit per period; link their members to them, or supersede them if so set."""
    gathering = Gathering()
    room = max(0, settings.limit - made_since(snapshot, THEME))
    for cluster in snapshot.clusters[:room]:
        members = [snapshot.memories[row] for row in cluster.rows]
        text = snapshot.voice.theme([memory.text for memory in members])
        thought = NewMemory(Kind.SUMMARY, text, settings.importance, THEME, cluster.label)
        theme = make(snapshot, thought, members)
        gathering.formed.append(theme)
        for memory in members:
            _absorb(memory, theme, settings, now, gathering)
    if len(snapshot.clusters) > room:
        gathering.notes.append(f"{len(snapshot.clusters) - room} clusters wait for another night")
    return gathering.outcome()


def _absorb(memory: Memory, theme: Memory, settings: Themes, now: datetime, gathering: Gathering) -> None:
    why = "part of a theme"  # the theme's label is made of the members' words
    if settings.supersede and _is_held(theme, memory):
        gathering.alter(memory, why, state=State.SUPERSEDED, superseded_by=theme.id, consolidated_at=now)
        gathering.related.append(Relation(theme.id, memory.id, RelationKind.SUPERSEDES, 1.0, now))
    else:
        gathering.alter(memory, why, consolidated_at=now)
        gathering.related.append(Relation(memory.id, theme.id, RelationKind.ELABORATES, 1.0, now))


def _is_held(theme: Memory, memory: Memory) -> bool:
    return holds(theme.text, memory.text, same_day=theme.at.date() == memory.at.date())


# Step 12, abstraction: the habit common to each of the largest clusters, as a pattern.


def abstraction(snapshot: Snapshot, settings: Abstraction, now: datetime) -> Outcome:
    """Form a pattern for each of the largest clusters without one, up to the limit per period."""
    gathering = Gathering()
    room = max(0, settings.limit - made_since(snapshot, PATTERN))
    known = {(one.standing.tags[1], one.speaker) for one in snapshot.memories if _is_known(snapshot, one)}
    for cluster in snapshot.clusters[: settings.limit]:
        members = [snapshot.memories[row] for row in cluster.rows]
        about = (cluster.label, members[0].speaker)
        if room == 0 or about in known:
            continue
        room -= 1
        known.add(about)
        text = snapshot.voice.pattern([memory.text for memory in members])
        thought = NewMemory(Kind.PATTERN, text, settings.importance, PATTERN, cluster.label)
        pattern = make(snapshot, thought, members)
        gathering.formed.append(pattern)
        gathering.related += [_edge(memory, pattern, now) for memory in members]
    return gathering.outcome()


def _is_known(snapshot: Snapshot, memory: Memory) -> bool:
    return is_made(memory, PATTERN) and not is_retired(memory) and not is_outdated(snapshot, memory)


def _edge(memory: Memory, pattern: Memory, now: datetime) -> Relation:
    return Relation(memory.id, pattern.id, RelationKind.ELABORATES, 1.0, now)


# Category summaries: one memory per speaker and category, updated when the category changes.


def summaries(snapshot: Snapshot, settings: Summaries, now: datetime) -> Outcome:
    """Form or update the summary of each speaker's category that has enough active memories.

    An existing summary is updated however few memories are left.
    """
    del now
    made = ((row, m) for row, m in enumerate(snapshot.memories) if is_made(m, CATEGORY))
    alive = ((row, m) for row, m in made if not (is_retired(m) or is_outdated(snapshot, m)))
    existing = {(m.standing.tags[1], m.speaker): row for row, m in alive}
    gathering = Gathering()
    for (kind, speaker), rows in sorted(_by_category(snapshot).items()):
        members = [snapshot.memories[row] for row in _told(snapshot, rows)]
        if (kind.value, speaker) in existing:
            _refresh(snapshot, existing[kind.value, speaker], members, settings, gathering)
        elif len(rows) >= settings.least:
            text = snapshot.voice.summary(kind.value, [memory.text for memory in members])
            thought = NewMemory(Kind.SUMMARY, text, settings.importance, CATEGORY, kind.value)
            gathering.formed.append(make(snapshot, thought, members))
    return gathering.outcome()


def _by_category(snapshot: Snapshot) -> dict[tuple[Kind, str], list[int]]:
    """Group rows by category and speaker: active memories, and those replaced by an active theme."""
    found: dict[tuple[Kind, str], list[int]] = defaultdict(list)
    active = snapshot.active
    for row in np.flatnonzero(snapshot.columns.holds & ~snapshot.columns.dreamt).tolist():
        memory = snapshot.memories[row]
        if not (active[row] or _is_in_theme(snapshot, memory)):
            continue
        found[memory.kind, memory.speaker].append(row)
    return found


def _is_in_theme(snapshot: Snapshot, memory: Memory) -> bool:
    """Whether an active memory of a dream replaces this one; it says the same, so the category has lost nothing."""
    heir = snapshot.row(memory.standing.superseded_by) if memory.standing.state is State.SUPERSEDED else None
    return heir is not None and snapshot.memories[heir].is_dreamt and bool(snapshot.active[heir])


def _told(snapshot: Snapshot, rows: list[int]) -> list[int]:
    """Return the most important, useful and latest rows of a category, in order of writing."""
    columns = snapshot.columns
    ranked = sorted(rows, key=lambda row: (-columns.importance[row], -columns.utility[row], -row))
    return sorted(ranked[:TOLD_MAX])


def _refresh(
    snapshot: Snapshot, row: int, members: Sequence[Memory], settings: Summaries, gathering: Gathering
) -> None:
    summary = snapshot.memories[row]
    life, now = summary.standing, snapshot.night.at
    idle_s = (now - (life.consolidated_at or summary.recorded_at)).total_seconds()
    is_spared = life.pinned or life.immutable or not snapshot.active[row]
    sources = sources_of(members)
    if is_spared or sources == summary.sources or idle_s < settings.cooldown_s:
        return
    text = snapshot.voice.summary(life.tags[1], [memory.text for memory in members])
    gathering.alter(
        summary,
        "its category changed",
        text=text,
        sources=sources,
        entities=common_entities(members),
        keywords=keywords(text),
        consolidated_at=now,
    )
