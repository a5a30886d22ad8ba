"""Supersession: a replaced or retracted memory never ranks above its replacement.

In: a recall with its candidates. Out: the same in a new order, each outdated one marked with what took its place.
What was formed says so by links (decision 0020), messages by a learned verdict (decision 0052).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, islice

import numpy as np

from reverie.conflicts.pairs import Numbers, PairCue, is_later
from reverie.conflicts.verdict import Verdict, verdict
from reverie.formulas.arrays import Floats
from reverie.language.text.analyzer import index_terms, stems
from reverie.language.text.patterns import is_question, sentences
from reverie.recall.co_retrieval import compared
from reverie.recall.deduplication import leading
from reverie.recall.query import asked_vector
from reverie.recall.state import Candidate, RecallContext, RecallState, Request, held_then, holds
from reverie.recall.tool_calls import is_tool_call
from reverie.types import KIND_CODES, PEOPLE, STATE_CODES, Kind, Memory, State

# Replaced: what took the place of what was formed from an episode, as far as a request asks for that.


_EPISODE = KIND_CODES[Kind.EPISODE]
_SUPERSEDED = STATE_CODES[State.SUPERSEDED]
_TRAIL_MAX = 16
"""So many times one thing may have been superseded before the trail is given up."""
_WORD_MIN = 2
"""A letter by itself is no word that two texts share."""
_NEARER = 0.05
"""By so much, on the documents' scale, what was superseded must be nearer to the cue than what holds."""
_LOOKED = 64
"""So many formed memories of one moment are compared with the cue by cosine."""
_PART = re.compile(r"[,;:]\s+|\s+(?:and|but|ve|ama)\s+")
"""What parts a sentence: only the words of its parts are compared."""
_TEXT_MAX = 4000
"""Characters of an episode in which statements are looked for."""


def touched(episodes: Sequence[Memory], quest: RecallState) -> list[Memory]:
    """Those of these episodes of which something may be superseded: something said at that moment is."""
    corpus = quest.world.corpus
    gone = corpus.said_at[corpus.states == _SUPERSEDED]
    outlived = quest.world.outlived([episode.id for episode in episodes])
    said = np.array([episode.at.timestamp() for episode in episodes])
    same = np.isin(np.round(said * 1e3), np.round(gone * 1e3)).tolist()
    return [one for one, is_same in zip(episodes, same, strict=True) if is_same or one.id in outlived]


def trail(episode: Memory, quest: RecallState) -> tuple[Memory, ...] | None:
    """Return the memories that superseded the relevant part of an episode, latest last; None if that still holds."""
    request, world = quest.request, quest.world
    made = [memory for memory in world.made_from(episode.id) if _formed_by(memory, request)]
    later = {memory.id: tuple(_after(memory, request, world)) for memory in made if _is_over(memory, request, world)}
    gone = _replaced(episode, made, later, quest)
    followers = {one.id: one for memory in gone for one in later[memory.id]}
    if not gone or any(episode.id in memory.sources for memory in followers.values()):
        return None
    return tuple(followers.values())


def _replaced(episode: Memory, made: Sequence[Memory], later: Collection[str], quest: RecallState) -> Sequence[Memory]:
    """Return the relevant memories formed from an episode, if all of them were superseded."""
    gone = [memory for memory in made if memory.id in later]
    if gone and len(gone) < len(made):
        gone = _asked(gone, [memory for memory in made if memory.id not in later], quest)
    return () if gone and _is_of_the_rest(episode, made, gone, quest) else gone


def _formed_by(memory: Memory, request: Request) -> bool:
    """Whether something was known at the moment asked for."""
    return request.as_of is None or memory.at <= request.as_of


def _is_over(memory: Memory, request: Request, world: RecallContext) -> bool:
    """Whether something was superseded, at the moment asked for."""
    if memory.standing.state is not State.SUPERSEDED or request.as_of is None:
        return memory.standing.state is State.SUPERSEDED
    return not held_then(memory, request.as_of) and any(True for _ in _after(memory, request, world))


def _after(memory: Memory, request: Request, world: RecallContext) -> Iterator[Memory]:
    """Return what superseded a memory, what superseded that, and so on, as known at the time."""
    found: Memory | None = memory
    for _ in range(_TRAIL_MAX):
        if found is None or not found.standing.superseded_by:
            return
        found = world.memory(found.standing.superseded_by)
        if found is not None and _formed_by(found, request):
            yield found


def _asked(gone: Sequence[Memory], held: Sequence[Memory], quest: RecallState) -> list[Memory]:
    """Return the superseded memories that match the query better than every current one."""
    terms = _terms(quest)
    shared = {memory.id: _shared(memory.text, terms) for memory in (*gone, *held)}
    best_held, best_gone = (max(shared[memory.id] for memory in part) for part in (held, gone))
    if best_gone != best_held:
        return [memory for memory in gone if shared[memory.id] > best_held]
    near = _cosines((*gone, *held), quest)
    if not near.keys() >= {memory.id for memory in held}:
        return []
    nearest = max(near[memory.id] for memory in held) + _NEARER
    return [memory for memory in gone if near.get(memory.id, -1.0) > nearest]


def _is_of_the_rest(episode: Memory, made: Sequence[Memory], gone: Sequence[Memory], quest: RecallState) -> bool:
    """Whether the cue asks for what an episode says beside all that was formed of it."""
    rest = _unformed(episode, made)
    terms = _terms(quest) if rest else []
    best = max((_shared(statement, terms) for statement in rest), default=0)
    return best > max(_shared(memory.text, terms) for memory in gone)


def _unformed(episode: Memory, made: Sequence[Memory]) -> list[str]:
    """The statements of an episode without, for each memory made of it, the one most like that."""
    said = (sentence for sentence in sentences(episode.text[:_TEXT_MAX]) if not is_question(sentence))
    rest = [part for sentence in said for part in _PART.split(sentence)]
    for memory in made:
        if not rest:
            return []
        words = set(index_terms(memory.text))
        rest.remove(max(rest, key=lambda statement: _likeness(set(index_terms(statement)), words)))
    return rest


def _likeness(one: Set[str], other: Set[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _terms(quest: RecallState) -> list[frozenset[str]]:
    """The forms of each of the cue's words."""
    return [frozenset(stem for stem in stems(term) if len(stem) >= _WORD_MIN) for term in quest.cue.terms]


def _shared(text: str, terms: Sequence[Collection[str]]) -> int:
    """Count the query's words in a text."""
    held = set(index_terms(text))
    return sum(not held.isdisjoint(forms) for forms in terms)


def _cosines(memories: Sequence[Memory], quest: RecallState) -> Mapping[str, float]:
    """The cosines of the cue and these formed memories, on the documents' scale, as far as they have vectors."""
    corpus, world = quest.world.corpus, quest.world
    vector = asked_vector(quest.queries[0], world.embed, quest.cue.speakers) if corpus.embedded else None
    if vector is None or not vector.any():
        return {}
    said = np.round(np.array([memory.at.timestamp() for memory in memories]) * 1e3)
    among = (corpus.kinds != _EPISODE) & np.isin(np.round(corpus.said_at * 1e3), said)
    ordinals, _ = corpus.nearest(vector, _LOOKED, among)
    found = corpus.fetch(ordinals.tolist())
    return {m.id: world.scale(c) for m, c in zip(found, corpus.cosines(vector, ordinals).tolist(), strict=True)}


# Supersession: an episode of which what is asked for has been superseded does not stand above what superseded it.


SUPERSEDED = "superseded"
"""The signal of an outdated hit; it adds nothing to the score, and names the latest of what took its place."""


@dataclass(frozen=True, slots=True)
class Supersession:
    """Looks at the first ``times`` as many candidates as are wanted; does nothing where nothing was ever superseded.

    What supersedes comes up to the outdated episode's place, in front of it, and is brought where it was not found.
    Sending the episode down instead would lose it wherever a contradiction was seen wrongly.
    """

    times: int
    name: str = "outdated"

    def __call__(self, quest: RecallState) -> RecallState:
        """The candidates, what holds before what it superseded."""
        if quest.request.past:
            return quest.noted("the past is asked for")
        if not (quest.world.corpus.states == _SUPERSEDED).any():
            return quest.noted("nothing is superseded")
        found = iter(quest.candidates)
        head = list(islice(found, quest.limit * self.times))
        episodes = touched([c.memory for c in head if c.memory.kind is Kind.EPISODE], quest)
        trails = {episode.id: later for episode in episodes if (later := trail(episode, quest)) is not None}
        ordered = list(_Order(head, trails, quest.request))
        raised = {candidate.memory.id for candidate in ordered}
        rest = (candidate for candidate in found if candidate.memory.id not in raised)
        return replace(quest, candidates=chain(ordered, rest)).noted(f"{len(trails)} outdated")


class _Order:
    """Walks the head in order, before each outdated candidate those that say what came after it."""

    def __init__(self, head: Sequence[Candidate], trails: Mapping[str, Sequence[Memory]], request: Request) -> None:
        self._head = head
        self._trails = trails
        self._request = request
        self._passed: set[str] = set()

    def __iter__(self) -> Iterator[Candidate]:
        for candidate in self._head:
            yield from self._passing(candidate, candidate.score)

    def _passing(self, candidate: Candidate, score: float, before: Candidate | None = None) -> Iterator[Candidate]:
        """A candidate, lifted to ``score`` where it comes up before an outdated one, and shown where that one is."""
        if candidate.memory.id in self._passed:
            return
        self._passed.add(candidate.memory.id)
        later = self._trails.get(candidate.memory.id)
        tellers = [] if later is None else self._tellers(later)
        for teller in tellers:
            yield from self._passing(teller, score, candidate)
        if before is not None and not before.withheld:  # what no longer holds is never handed over alone
            candidate = replace(candidate, withheld="")
        elif before is not None and candidate.ordinal < 0:  # nor is anything brought for what is withheld
            candidate = replace(candidate, withheld=before.withheld)
        lifted = candidate.touched("supersedes", 1.0, max(0.0, score - candidate.score))
        yield lifted if later is None else lifted.marked(SUPERSEDED, tellers[0].memory.id if tellers else "")

    def _tellers(self, later: Sequence[Memory]) -> list[Candidate]:
        """The candidates that say what came after, the latest first; where there are none, what holds now itself."""
        tells = {name: place for place, memory in enumerate(later) for name in (memory.id, *memory.sources)}
        found = [candidate for candidate in self._head if candidate.memory.id in tells]
        found.sort(key=lambda candidate: -tells[candidate.memory.id])
        return found or [Candidate(-1, memory, 0.0) for memory in later if holds(memory, self._request)]


# ImplicitUpdates: what a later message replaced or took back stands behind it, and is marked as possibly outdated.


OUTDATED = "outdated"
"""The signal of a hit that was probably true once: a later one, which it names, most likely took its place."""
LIFTED = "newer"
"""The signal of a hit that was lifted above an older one, and by how much."""


@dataclass(frozen=True, slots=True)
class ImplicitUpdates:
    """Compares the first candidates, two by two (``Page.looked``).

    Attributes:
        order: how likely a later one must have replaced an earlier one to stand before it.
        mark: how likely, for the earlier one to be marked.
    """

    order: float
    mark: float
    name: str = "updates"

    def __call__(self, quest: RecallState) -> RecallState:
        """The candidates, each that was probably replaced behind what replaced it."""
        if quest.request.past:
            return quest.noted("the past is asked for")
        head, found = leading(quest.candidates, quest.page.looked, quest.page.same)
        if len(head) < 2:
            return replace(quest, candidates=chain(head, found)).noted("nothing to compare")
        judged = _judged(head, quest)
        chances = judged.chances
        over = {place: int(chances[place].argmax()) for place in range(len(head)) if chances[place].max() >= self.order}
        marked = {place for place, later in over.items() if chances[place, later] >= self.mark}
        merged = _ordered(head, over, {place: float(chances[place, over[place]]) for place in marked})
        told = f"{len(over)} behind what was said later, {len(marked)} possibly outdated"
        reasons = [judged.why(head, place, over[place]) for place in sorted(marked) if place < quest.limit]
        return replace(quest, candidates=chain(merged, found)).noted("; ".join([told, *reasons]))


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """(k, k) probabilities that the second replaced the first, and their evidence."""

    chances: Floats
    by: Verdict
    numbers: Numbers

    def why(self, head: Sequence[Candidate], earlier: int, later: int) -> str:
        """Which of two is probably outdated, by which, how surely, and what weighed most."""
        older, newer = head[earlier].memory.id, head[later].memory.id
        sure = self.chances[earlier, later]
        return f"{older} by {newer} with probability {sure:.2f}: {self.by.told(self.numbers, earlier, later)}"


def _judged(head: Sequence[Candidate], quest: RecallState) -> _Judged:
    """Of every two how likely one replaced the other; 0 where it was not said later, or does not come."""
    known = compared(head, quest)
    scores = np.array([one.score for one in head])
    asked = PairCue(scores - scores.max(), _signal(head, "coverage"), _signal(head, "own meaning"))
    by, numbers = verdict(known.seen, asked=True), known.numbers.asked(asked)
    may = np.array([_may_replace(one, quest) for one in head])
    is_open = np.array([all(signal.name != SUPERSEDED for signal in one.signals) for one in head])
    chances = by.chances(numbers) * is_later(known.statements) * may[np.newaxis, :] * is_open[:, np.newaxis]
    calls = np.array([is_tool_call(one.memory) for one in head])
    people = np.array([one.memory.role in PEOPLE for one in head])
    chances[np.ix_(people, calls)] = 0.0  # what a tool gave back takes the place of nothing that a person said
    return _Judged(chances, by, numbers)


def _signal(head: Sequence[Candidate], name: str) -> Floats:
    return np.array([next((s.value for s in one.signals if s.name == name), 0.0) for one in head])


def _may_replace(one: Candidate, quest: RecallState) -> bool:
    """Whether a candidate is heard, and held at the moment asked for."""
    as_of = quest.request.as_of
    return not one.withheld and (as_of is None or held_then(one.memory, as_of))


def _ordered(head: Sequence[Candidate], over: Mapping[int, int], marked: Mapping[int, float]) -> list[Candidate]:
    """In order, before each that was replaced what replaced it, lifted to its score; the marked say how likely."""
    order: list[Candidate] = []
    passed: set[int] = set()

    def take(place: int, score: float) -> None:
        if place in passed:
            return
        passed.add(place)
        if place in over:
            take(over[place], score)
        one = head[place].touched(LIFTED, 1.0, max(0.0, score - head[place].score))
        if place in marked:
            one = one.marked(OUTDATED, head[over[place]].memory.id, marked[place])
        order.append(one)

    for place, one in enumerate(head):
        take(place, one.score)
    return order
