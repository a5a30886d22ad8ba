"""Supersession and implicit updates: rank what replaced a memory above that memory, and mark the outdated one.

In: a recall with its candidates. Out: the same in a new order, each outdated one with the id of its replacement.
Formed memories link to what superseded them (decision 0020); for messages a learned verdict decides (decision 0052).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, islice

import numpy as np

from reverie.conflicts.pairs import NOTHING_ASKED, Numbers, PairCue, PairSubject, is_later
from reverie.conflicts.verdict import Verdict, apart, verdict
from reverie.formulas.arrays import Floats
from reverie.language.claims import asks_whether
from reverie.language.text.analyzer import index_terms, stems
from reverie.language.text.patterns import is_question, sentences
from reverie.recall.co_retrieval import compared
from reverie.recall.deduplication import leading
from reverie.recall.query import asked_vector
from reverie.recall.state import Candidate, RecallContext, RecallState, Request, held_then, holds
from reverie.recall.tool_calls import is_tool_call
from reverie.types import KIND_CODES, PEOPLE, STATE_CODES, Kind, Memory, State

_EPISODE = KIND_CODES[Kind.EPISODE]
_SUPERSEDED = STATE_CODES[State.SUPERSEDED]
_TRAIL_MAX = 16
"""How many links are followed from a memory to what superseded it, and so on."""
_WORD_MIN = 2
"""Fewest letters of a word that counts as shared by two texts."""
_NEARER = 0.05
"""By how much a superseded memory's cosine, on the documents' scale, must exceed that of the valid ones to count."""
_LOOKED = 64
"""How many formed memories of one moment are compared with the cue by cosine."""
_PART = re.compile(r"[,;:]\s+|\s+(?:and|but|ve|ama)\s+")
"""Where a sentence is split into parts, whose words are compared one part at a time."""
_TEXT_MAX = 4000
"""How many characters of an episode are split into statements."""


def touched(episodes: Sequence[Memory], quest: RecallState) -> list[Memory]:
    """Return the episodes that may be superseded: a memory of the same moment is, or all that was formed from it."""
    corpus = quest.world.corpus
    gone = corpus.said_at[corpus.states == _SUPERSEDED]
    outlived = quest.world.outlived([episode.id for episode in episodes])
    said = np.array([episode.at.timestamp() for episode in episodes])
    same = np.isin(np.round(said * 1e3), np.round(gone * 1e3)).tolist()
    return [one for one, is_same in zip(episodes, same, strict=True) if is_same or one.id in outlived]


def trail(episode: Memory, quest: RecallState) -> tuple[Memory, ...] | None:
    """Return what superseded the part of an episode that the cue asks about, the latest last; None if it is valid."""
    request, world = quest.request, quest.world
    made = [memory for memory in world.made_from(episode.id) if _formed_by(memory, request)]
    later = {memory.id: tuple(_after(memory, request, world)) for memory in made if _is_over(memory, request, world)}
    gone = _replaced(episode, made, later, quest)
    followers = {one.id: one for memory in gone for one in later[memory.id]}
    if not gone or any(episode.id in memory.sources for memory in followers.values()):
        return None
    return tuple(followers.values())


def _replaced(episode: Memory, made: Sequence[Memory], later: Collection[str], quest: RecallState) -> Sequence[Memory]:
    """Return the memories formed from an episode that the cue asks about, if all of those are superseded; else none."""
    gone = [memory for memory in made if memory.id in later]
    if gone and len(gone) < len(made):
        gone = _asked(gone, [memory for memory in made if memory.id not in later], quest)
    return () if gone and _is_of_the_rest(episode, made, gone, quest) else gone


def _formed_by(memory: Memory, request: Request) -> bool:
    """Whether a memory had been said by the requested moment."""
    return request.as_of is None or memory.at <= request.as_of


def _is_over(memory: Memory, request: Request, world: RecallContext) -> bool:
    """Whether a memory was superseded at the requested moment."""
    if memory.standing.state is not State.SUPERSEDED or request.as_of is None:
        return memory.standing.state is State.SUPERSEDED
    return not held_then(memory, request.as_of) and any(True for _ in _after(memory, request, world))


def _after(memory: Memory, request: Request, world: RecallContext) -> Iterator[Memory]:
    """Yield what superseded a memory, what superseded that, and so on, if said by the requested moment."""
    found: Memory | None = memory
    for _ in range(_TRAIL_MAX):
        if found is None or not found.standing.superseded_by:
            return
        found = world.memory(found.standing.superseded_by)
        if found is not None and _formed_by(found, request):
            yield found


def _asked(gone: Sequence[Memory], held: Sequence[Memory], quest: RecallState) -> list[Memory]:
    """Return the superseded memories that match the cue better than every valid one, by shared words, then cosine."""
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
    """Whether the cue matches the unformed statements of an episode better than its superseded memories."""
    rest = _unformed(episode, made)
    terms = _terms(quest) if rest else []
    best = max((_shared(statement, terms) for statement in rest), default=0)
    return best > max(_shared(memory.text, terms) for memory in gone)


def _unformed(episode: Memory, made: Sequence[Memory]) -> list[str]:
    """Return the statements of an episode, without the one most similar to each memory formed from it."""
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
    """Return the stems of each of the cue's terms."""
    return [frozenset(stem for stem in stems(term) if len(stem) >= _WORD_MIN) for term in quest.cue.terms]


def _shared(text: str, terms: Sequence[Collection[str]]) -> int:
    """Count the cue's terms that occur in a text."""
    held = set(index_terms(text))
    return sum(not held.isdisjoint(forms) for forms in terms)


def _cosines(memories: Sequence[Memory], quest: RecallState) -> Mapping[str, float]:
    """Return the cosines of formed memories with the cue, on the documents' scale, for those with vectors."""
    corpus, world = quest.world.corpus, quest.world
    vector = asked_vector(quest.queries[0], world.embed, quest.cue.speakers) if corpus.embedded else None
    if vector is None or not vector.any():
        return {}
    said = np.round(np.array([memory.at.timestamp() for memory in memories]) * 1e3)
    among = (corpus.kinds != _EPISODE) & np.isin(np.round(corpus.said_at * 1e3), said)
    ordinals, _ = corpus.nearest(vector, _LOOKED, among)
    found = corpus.fetch(ordinals.tolist())
    return {m.id: world.scale(c) for m, c in zip(found, corpus.cosines(vector, ordinals).tolist(), strict=True)}


# Supersession, which is certain.


SUPERSEDED = "superseded"
"""Name of the signal of a superseded hit; it adds nothing to the score, and holds the id of the latest replacement."""


@dataclass(frozen=True, slots=True)
class Supersession:
    """A stage that ranks what superseded an episode's content right before that episode, and marks the episode.

    The first ``times`` × limit candidates are checked. What supersedes is lifted to the episode's place, or added.
    Moving the episode down instead would lose it wherever a supersession is wrong.
    """

    times: int
    name: str = "outdated"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the candidates, each superseded one marked, and right behind what superseded it."""
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
    """Iterates over the head in order, with the candidates that superseded an outdated one right before it."""

    def __init__(self, head: Sequence[Candidate], trails: Mapping[str, Sequence[Memory]], request: Request) -> None:
        self._head = head
        self._trails = trails
        self._request = request
        self._passed: set[str] = set()

    def __iter__(self) -> Iterator[Candidate]:
        for candidate in self._head:
            yield from self._passing(candidate, candidate.score)

    def _passing(self, candidate: Candidate, score: float, before: Candidate | None = None) -> Iterator[Candidate]:
        """Yield a candidate once, after what superseded it; ``before``: the outdated one that it is lifted above."""
        if candidate.memory.id in self._passed:
            return
        self._passed.add(candidate.memory.id)
        later = self._trails.get(candidate.memory.id)
        tellers = [] if later is None else self._tellers(later)
        for teller in tellers:
            yield from self._passing(teller, score, candidate)
        if before is not None and not before.withheld:  # an outdated memory is never injected alone
            candidate = replace(candidate, withheld="")
        elif before is not None and candidate.ordinal < 0:  # nothing is added for an outdated one that is withheld
            candidate = replace(candidate, withheld=before.withheld)
        lifted = candidate.touched("supersedes", 1.0, max(0.0, score - candidate.score))
        yield lifted if later is None else lifted.marked(SUPERSEDED, tellers[0].memory.id if tellers else "")

    def _tellers(self, later: Sequence[Memory]) -> list[Candidate]:
        """Return the candidates that state the later content, latest first; if none do, the eligible memories of it."""
        tells = {name: place for place, memory in enumerate(later) for name in (memory.id, *memory.sources)}
        found = [candidate for candidate in self._head if candidate.memory.id in tells]
        found.sort(key=lambda candidate: -tells[candidate.memory.id])
        return found or [Candidate(-1, memory, 0.0) for memory in later if holds(memory, self._request)]


# Implicit updates, which are probable.


OUTDATED = "outdated"
"""Name of the signal of a hit that is probably outdated; it holds the id of the later one that probably replaced it."""
LIFTED = "newer"
"""Name of the signal of a hit that was lifted above an older one; its share is by how much."""


@dataclass(frozen=True, slots=True)
class ImplicitUpdates:
    """A stage that ranks a later message before an earlier one that it probably replaced, and marks the earlier one.

    Attributes:
        order: least probability of a replacement, in [0, 1], for the later one to be ranked before the earlier one.
        mark: least probability for the earlier one to be marked as possibly outdated.
    """

    order: float
    mark: float
    name: str = "updates"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the candidates, each that was probably replaced behind its replacement."""
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
    """The probabilities (k, k) that the second (column) replaced the first (row), with the verdict and its inputs."""

    chances: Floats
    by: Verdict
    numbers: Numbers

    def why(self, head: Sequence[Candidate], earlier: int, later: int) -> str:
        """Describe for the trace which memory is probably outdated, its replacement, the probability and reasons."""
        older, newer = head[earlier].memory.id, head[later].memory.id
        sure = self.chances[earlier, later]
        return f"{older} by {newer} with probability {sure:.2f}: {self.by.told(self.numbers, earlier, later)}"


def _judged(head: Sequence[Candidate], quest: RecallState) -> _Judged:
    """Compute for every pair how likely one replaced the other; 0 unless it was said later and may replace anything."""
    known = compared(head, quest)
    scores = np.array([one.score for one in head])
    asked = PairCue(scores - scores.max(), _signal(head, "coverage"), _signal(head, "own meaning"))
    by, numbers = verdict(known.seen, asked=True), known.numbers.asked(asked)
    may = np.array([_may_replace(one, quest) for one in head])
    is_open = np.array([all(signal.name != SUPERSEDED for signal in one.signals) for one in head])
    chances = by.chances(numbers) * is_later(known.statements) * may[np.newaxis, :] * is_open[:, np.newaxis]
    calls = np.array([is_tool_call(one.memory) for one in head])
    people = np.array([one.memory.role in PEOPLE for one in head])
    chances[np.ix_(people, calls)] = 0.0  # a tool's result never replaces what a person said
    return _Judged(apart(chances, known.statements, subject(quest)), by, numbers)


def subject(quest: RecallState) -> PairSubject:
    """Return what the cue asks about. If it asks whether something is so, it may name what no longer is: nothing."""
    cue = quest.cue
    if asks_whether(cue.text):
        return NOTHING_ASKED
    terms = frozenset(stem for term in cue.terms for stem in stems(term))
    names = frozenset(index_terms(" ".join(cue.entities), cue.language))
    return PairSubject(terms, terms & names, frozenset(index_terms("".join(cue.text.split()[-1:]), cue.language)))


def _signal(head: Sequence[Candidate], name: str) -> Floats:
    return np.array([next((s.value for s in one.signals if s.name == name), 0.0) for one in head])


def _may_replace(one: Candidate, quest: RecallState) -> bool:
    """Whether a candidate may replace others: it is not withheld, and was valid at the requested moment."""
    as_of = quest.request.as_of
    return not one.withheld and (as_of is None or held_then(one.memory, as_of))


def _ordered(head: Sequence[Candidate], over: Mapping[int, int], marked: Mapping[int, float]) -> list[Candidate]:
    """Order the candidates, each replacement before what it replaced, with its score; add the marks' probabilities."""
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
