"""Replaced: what took the place of what was formed from an episode, as far as a request asks for that.

In: an episode, a quest. Out: what superseded it, the latest last; None where what is asked for still holds. Where only
a part was superseded, that counts if it answers the cue better than all that holds: by shared words, else by cosine.
What the episode says and nothing was formed of holds, too: it counts where it shares more words with the cue.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set

import numpy as np

from reverie.language.analyzer import index_terms, stems
from reverie.language.sentences import is_question, sentences
from reverie.recall.embed import asked_vector
from reverie.recall.held import held_then
from reverie.recall.quest import Quest, Request, World
from reverie.types import KIND_CODES, STATE_CODES, Kind, Memory, State

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


def touched(episodes: Sequence[Memory], quest: Quest) -> list[Memory]:
    """Those of these episodes of which something may be superseded: something said at that moment is."""
    corpus = quest.world.corpus
    gone = corpus.said_at[corpus.states == _SUPERSEDED]
    outlived = quest.world.outlived([episode.id for episode in episodes])
    said = np.array([episode.at.timestamp() for episode in episodes])
    same = np.isin(np.round(said * 1e3), np.round(gone * 1e3)).tolist()
    return [one for one, is_same in zip(episodes, same, strict=True) if is_same or one.id in outlived]


def trail(episode: Memory, quest: Quest) -> tuple[Memory, ...] | None:
    """What took the place of what is asked for of an episode, the latest last; None: that still holds."""
    request, world = quest.request, quest.world
    made = [memory for memory in world.made_from(episode.id) if _formed_by(memory, request)]
    later = {memory.id: tuple(_after(memory, request, world)) for memory in made if _is_over(memory, request, world)}
    gone = [memory for memory in made if memory.id in later]
    if gone and len(gone) < len(made):
        gone = _asked(gone, [memory for memory in made if memory.id not in later], quest)
    if gone and _is_of_the_rest(episode, made, gone, quest):
        return None
    followers = {one.id: one for memory in gone for one in later[memory.id]}
    if not gone or any(episode.id in memory.sources for memory in followers.values()):
        return None
    return tuple(followers.values())


def _formed_by(memory: Memory, request: Request) -> bool:
    """Whether something was known at the moment asked for."""
    return request.as_of is None or memory.at <= request.as_of


def _is_over(memory: Memory, request: Request, world: World) -> bool:
    """Whether something was superseded, at the moment asked for."""
    if memory.standing.state is not State.SUPERSEDED or request.as_of is None:
        return memory.standing.state is State.SUPERSEDED
    return not held_then(memory, request.as_of) and any(True for _ in _after(memory, request, world))


def _after(memory: Memory, request: Request, world: World) -> Iterator[Memory]:
    """What superseded it, what superseded that, and so on, as far as it had been said."""
    found: Memory | None = memory
    for _ in range(_TRAIL_MAX):
        if found is None or not found.standing.superseded_by:
            return
        found = world.memory(found.standing.superseded_by)
        if found is not None and _formed_by(found, request):
            yield found


def _asked(gone: Sequence[Memory], held: Sequence[Memory], quest: Quest) -> list[Memory]:
    """Of what was superseded that which answers the cue better than all that holds."""
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


def _is_of_the_rest(episode: Memory, made: Sequence[Memory], gone: Sequence[Memory], quest: Quest) -> bool:
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


def _terms(quest: Quest) -> list[frozenset[str]]:
    """The forms of each of the cue's words."""
    return [frozenset(stem for stem in stems(term) if len(stem) >= _WORD_MIN) for term in quest.cue.terms]


def _shared(text: str, terms: Sequence[Collection[str]]) -> int:
    """How many of the cue's words stand in a text."""
    held = set(index_terms(text))
    return sum(not held.isdisjoint(forms) for forms in terms)


def _cosines(memories: Sequence[Memory], quest: Quest) -> Mapping[str, float]:
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
