"""Search one corpus by text, by windows of messages and by cosine, among the eligible memories.

In: a corpus, the cue's terms and vectors. Out: a ``SearchResult``: the candidates and their raw scores in each search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from reverie.formulas.bm25 import idf, neighbour_weight, saturation
from reverie.language.orders import MARKS
from reverie.language.text.analyzer import index_terms, stems
from reverie.ports import Corpus, Postings, Vectors
from reverie.recall.query import near_window
from reverie.recall.settings import RecallSettings
from reverie.types import ROLE_CODES, BoolArray, Cue, FloatArray, IntArray, Role, TimeWindow


def spread_to_neighbours(corpus: Corpus, own: FloatArray, settings: RecallSettings) -> None:
    """Add to each message's score in ``own`` (n,), in place, a share of its neighbours' scores, by the length of both.

    Short messages get more and give more: that a page contains a word says little about the messages next to it.
    """
    full = settings.neighbour_full_words
    scored = np.flatnonzero(own > 0)
    gifts = own.take(scored) * neighbour_weight(corpus.words.take(scored), 1.0, full)
    for links in (corpus.previous, corpus.following):
        at, given = scored, gifts
        for weight in (settings.neighbour, settings.second_neighbour):
            at = links.take(at)
            linked = (at >= 0).nonzero()[0]
            at, given = at.take(linked), given.take(linked)
            own[at] += neighbour_weight(corpus.words.take(at), weight, full) * given


def window_counts(corpus: Corpus, postings: Sequence[Postings], radius: int) -> tuple[FloatArray, IntArray]:
    """Count how often each term occurs within ``radius`` messages of a message, in its session.

    Returns the counts (terms, m) for the m messages near which any term occurs, and their ordinals (m,), ascending.
    """
    counts = np.zeros((len(postings), corpus.size), dtype=np.float32)
    touched = np.zeros(corpus.size, np.bool_)
    flat = counts.reshape(-1)
    row = np.repeat(np.arange(len(postings)) * corpus.size, [len(found.ordinals) for found in postings])
    where = np.concatenate([found.ordinals for found in postings])
    often = np.concatenate([found.counts for found in postings])
    flat[row + where] = often
    touched[where] = True
    for links in (corpus.previous, corpus.following):
        at, start, amount = where, row, often
        for _ in range(radius):
            at = links.take(at)
            linked = (at >= 0).nonzero()[0]
            at, start, amount = at.take(linked), start.take(linked), amount.take(linked)
            flat[start + at] += amount
            touched[at] = True
    near = np.flatnonzero(touched)
    return counts.take(near, axis=1), near


def distinct(ordinals: IntArray) -> IntArray:
    """Return ordinals in ascending order, each once; fast if the input is a few ascending runs."""
    ascending = np.sort(ordinals, kind="stable")
    is_first = np.ones(len(ascending), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=is_first[1:])
    return ascending[is_first]


@dataclass(frozen=True, slots=True)
class MeaningScores:
    """Candidates, the messages next to them, and the cosine of each with a cue.

    Attributes:
        ordinals: (m,) the candidates, ascending.
        links: (m,) the message before each, then the one after; −1 for none.
        looked_at: (k,) candidates and neighbours, ascending.
        alike: (k,) their centred cosines.
    """

    ordinals: IntArray
    links: tuple[IntArray, IntArray]
    looked_at: IntArray
    alike: FloatArray

    def only(self, rows: IntArray) -> MeaningScores:
        """Return the scores of some of the candidates, by ascending row, with their neighbours."""
        ordinals, links = self.ordinals[rows], (self.links[0][rows], self.links[1][rows])
        looked_at = _with_neighbours(ordinals, links)
        return MeaningScores(ordinals, links, looked_at, self.alike[np.searchsorted(self.looked_at, looked_at)])


def compare(
    corpus: Corpus,
    vector: FloatArray,
    ordinals: IntArray,
    near: tuple[IntArray, FloatArray],
    known: BoolArray | None = None,
) -> MeaningScores:
    """Compute the cosines of candidates and of the messages next to them with a cue's vector.

    ``near`` are the nearest messages and their cosines, which are not computed again. ``known``: the neighbours that
    count; None: all.
    """
    before, after = corpus.previous[ordinals], corpus.following[ordinals]
    links = (before, after) if known is None else (only(before, known), only(after, known))
    looked_at = _with_neighbours(ordinals, links)
    return MeaningScores(ordinals, links, looked_at, similarities(corpus, vector, looked_at, near))


def only(messages: IntArray, known: BoolArray) -> IntArray:
    """Return the messages with those that are not ``known`` replaced by −1."""
    return np.where(known[np.maximum(messages, 0)], messages, -1)


def _with_neighbours(ordinals: IntArray, links: tuple[IntArray, IntArray]) -> IntArray:
    return distinct(np.concatenate([ordinals, *(link[link >= 0] for link in links)]))


def in_place(corpus: Corpus, compared: MeaningScores, settings: RecallSettings) -> FloatArray:
    """Return the candidates' cosines (m,), each plus a share of its neighbours'; those below 0 count as 0.

    The share depends on the lengths of both messages, as for text scores.
    """
    ordinals, looked_at = compared.ordinals, compared.looked_at
    own = np.maximum(compared.alike, np.float32(0.0))
    shares = own * neighbour_weight(corpus.words[looked_at], 1.0, settings.neighbour_full_words)
    takes = neighbour_weight(corpus.words[ordinals], settings.meaning_neighbour, settings.neighbour_full_words)
    result: FloatArray = own[np.searchsorted(looked_at, ordinals)]
    for link in compared.links:
        places = np.searchsorted(looked_at, np.maximum(link, looked_at[0])) if len(looked_at) else link
        result = result + takes * np.where(link >= 0, shares[places], np.float32(0.0))
    return result


def similarities(
    corpus: Corpus, vector: FloatArray, ordinals: IntArray, near: tuple[IntArray, FloatArray]
) -> FloatArray:
    """Return the centred cosines (m,) of messages in ascending order; those in ``near`` are not computed again."""
    values = np.empty(len(ordinals), np.float32)
    is_near = np.zeros(len(ordinals), np.bool_)
    places = np.searchsorted(ordinals, near[0])
    values[places], is_near[places] = near[1], True
    values[~is_near] = corpus.similarities(vector, ordinals[~is_near])
    return values


# The searches: by text, by window and by cosine.


_NOWHERE = np.empty(0, np.int64)
STANDING_POOL, STANDING_LOOKED = 40, 800
"""How many instructions, and how many preferences, are candidates for every cue: the nearest to it among the latest
``STANDING_LOOKED``."""


@dataclass(frozen=True, slots=True, eq=False)
class CueVectors:
    """A cue's vectors: by the model, and by the second, slower model if there is one."""

    first: FloatArray
    second: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class TermMatch:
    """A term of the cue and its postings: where it occurs in the corpus."""

    term: str
    postings: Postings

    @property
    def frequency(self) -> int:
        """The number of memories in which the term occurs."""
        return len(self.postings.ordinals)


def match_terms(corpus: Corpus, terms: Sequence[str], known: BoolArray | None = None) -> list[TermMatch]:
    """Look up the terms that occur in the ``known`` memories (None: all), rarest first, ties by order in the cue."""
    everywhere = ((term, union([corpus.postings(stem) for stem in stems(term)])) for term in terms)
    matches = [TermMatch(term, _known(postings, known)) for term, postings in everywhere]
    return sorted((match for match in matches if match.frequency), key=lambda match: match.frequency)


def rarities(corpus: Corpus, terms: Sequence[str]) -> dict[str, float]:
    """Return the inverse document frequency of each term of a cue; a term that occurs nowhere has the highest."""
    often = {match.term: match.frequency for match in match_terms(corpus, terms)}
    return {term: float(idf(often.get(term, 0), corpus.size)) for term in terms}


@dataclass(frozen=True, slots=True)
class Union:
    """The joint postings of several stems (``ports.Postings``): where any occurs, and how often all together."""

    ordinals: IntArray
    counts: FloatArray


def union(parts: Sequence[Postings]) -> Postings:
    """Join several postings into one, so that a term gains no importance by being rare in the wrong language."""
    held = [part for part in parts if len(part.ordinals)] or parts[:1]
    if len(held) == 1:
        return held[0]
    ordinals, places = np.unique(np.concatenate([part.ordinals for part in held]), return_inverse=True)
    counts = np.bincount(places, weights=np.concatenate([part.counts for part in held]))
    return Union(ordinals, counts.astype(np.float32))


def _known(postings: Postings, known: BoolArray | None) -> Postings:
    if known is None:
        return postings
    kept = known[postings.ordinals]
    return postings if kept.all() else Union(postings.ordinals[kept], postings.counts[kept])


def prune(matches: Sequence[TermMatch], postings: int) -> list[TermMatch]:
    """Keep the rarest terms while the sum of their postings stays within the limit; the rarest is always kept."""
    kept: list[TermMatch] = []
    total = 0
    for match in matches:
        total += match.frequency
        if kept and total > postings:
            break
        kept.append(match)
    return kept


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of one search: ``values`` (n,) by ordinal, and ``where`` they are above 0, ascending."""

    values: FloatArray
    where: IntArray

    def only(self, among: BoolArray | None) -> Scores:
        """Return the same scores restricted to the messages in the mask ``among``; None: all."""
        return self if among is None else Scores(self.values, self.where[among[self.where]])

    @property
    def highest(self) -> float:
        """The best score; 0 without any."""
        return float(self.values[self.where].max(initial=0.0))

    def best(self, top_k: int) -> IntArray:
        """Return the ordinals of the ``top_k`` highest scores, ascending; of equal scores the earlier message wins."""
        where = self.where
        if len(where) <= top_k:
            return where
        values = self.values[where]
        floor = np.partition(values, len(values) - top_k)[len(values) - top_k]
        above = where[values > floor]
        level = where[values == floor][: top_k - len(above)]
        return np.sort(np.concatenate([above, level]))


def best(scores: FloatArray, top_k: int) -> IntArray:
    """Return the ordinals of the ``top_k`` highest scores above 0, ascending; of equals the earlier message wins."""
    return Scores(scores, np.flatnonzero(scores > 0)).best(top_k)


def text_scores(
    corpus: Corpus, matches: Sequence[TermMatch], mean_length: float, settings: RecallSettings
) -> tuple[Scores, FloatArray]:
    """Compute each message's BM25 score with a share of its neighbours' scores, and (n,) without that share."""
    own = np.zeros(corpus.size, dtype=np.float32)
    if not matches:
        return Scores(own, _NOWHERE), own
    for match in matches:
        at = match.postings.ordinals
        fit = saturation(match.postings.counts, corpus.lengths.take(at), mean_length, settings.k1, settings.b)
        own[at] += np.float32(idf(match.frequency, corpus.size)) * fit
    alone = own.copy()
    spread_to_neighbours(corpus, own, settings)
    return Scores(own, np.flatnonzero(own > 0)), alone


def window_scores(corpus: Corpus, matches: Sequence[TermMatch], mean_length: float, settings: RecallSettings) -> Scores:
    """Compute the BM25 score of the window around each message: counts and lengths are summed over it.

    The mean window is taken as (2·radius + 1) mean messages; at the edges of sessions real ones are shorter.
    """
    total = np.zeros(corpus.size, dtype=np.float32)
    if not matches:
        return Scores(total, _NOWHERE)
    near, where = window_counts(corpus, [match.postings for match in matches], settings.window_radius)
    lengths = corpus.window_lengths(settings.window_radius)[where]
    mean = mean_length * (2 * settings.window_radius + 1)
    weights = [idf(int(containing), corpus.size) for containing in np.count_nonzero(near, axis=1)]
    fit = saturation(near, lengths, mean, settings.k1, settings.b)
    total[where] = np.einsum("t,tm->m", np.array(weights, dtype=np.float32), fit)
    return Scores(total, where)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The candidates that the searches found (ascending ordinals) and their raw scores in each search.

    ``text_best`` and ``window_best`` are the highest scores in the whole scope, ``meaning_best`` the highest of the
    candidates: each search's scores are scaled by its own. ``own`` is the text score without the neighbours' share.
    ``meaning`` is the centred cosine with a share of the neighbours', ``compared`` the cosines it comes from; None
    where no vectors were compared. ``second`` is the centred cosine by the second, slower model, if there is one.
    ``dropped`` names the terms left out because they occur too often.
    """

    ordinals: IntArray
    text: FloatArray
    own: FloatArray
    window: FloatArray
    meaning: FloatArray | None
    compared: MeaningScores | None
    text_best: float
    window_best: float
    meaning_best: float
    dropped: tuple[str, ...]
    second: FloatArray | None = None


def _standing(corpus: Corpus, mark: str, among: BoolArray | None, vectors: CueVectors | None) -> IntArray:
    """Return the user's instructions or preferences; if too many, the nearest to the cue, else the latest."""
    everywhere = corpus.postings(mark).ordinals
    marked: IntArray = everywhere[corpus.roles[everywhere] == ROLE_CODES[Role.USER]]
    if among is not None:
        marked = marked[among[marked]]
    if len(marked) <= STANDING_POOL:
        return marked
    latest: IntArray = marked[-STANDING_LOOKED:]
    if vectors is None:
        return latest[-STANDING_POOL:]
    nearest: IntArray = latest[np.argsort(-corpus.similarities(vectors.first, latest), kind="stable")]
    return nearest[:STANDING_POOL]


def search(
    corpus: Corpus,
    cue: Cue,
    vectors: CueVectors | None,
    among: BoolArray | None,
    settings: RecallSettings,
    known: BoolArray | None = None,
) -> SearchResult:
    """Search by text, by window and by cosine, and join the best results of each into one list of candidates.

    Only memories ``among`` the eligible ones are found, and only ``known`` ones count as their neighbours; None: all.
    What was said in or near the cue's time is added, at most ``pool`` of it, the latest, so that "what happened last
    week?" finds something; so are the user's standing instructions and preferences.
    """
    matches = match_terms(corpus, cue.terms, known)
    kept = prune(matches, settings.postings)
    mean_length = max(corpus.mean_length, 1.0)
    found, own = text_scores(corpus, kept, mean_length, settings)
    text = found.only(among)
    window = window_scores(corpus, prune(matches, settings.window_postings), mean_length, settings).only(among)
    pools = [text.best(settings.pool), window.best(settings.pool)]
    near = None if vectors is None else corpus.nearest(vectors.first, settings.pool, among)
    if near is not None:
        pools.append(near[0])
    beside = _beside(corpus, vectors)
    if beside is not None:
        pools.append(beside[0].nearest(beside[1], settings.pool, among)[0])
    if cue.window is not None:
        pools.append(_around(corpus, cue.window, among)[-settings.pool :])
    pools += [_standing(corpus, mark, among, vectors) for mark in MARKS.values()]
    ordinals = distinct(np.concatenate(pools))
    compared = None if vectors is None or near is None else compare(corpus, vectors.first, ordinals, near, known)
    meaning = None if compared is None else in_place(corpus, compared, settings)
    return SearchResult(
        ordinals=ordinals,
        text=text.values[ordinals],
        own=own[ordinals],
        window=window.values[ordinals],
        meaning=meaning,
        compared=compared,
        text_best=text.highest,
        window_best=window.highest,
        meaning_best=0.0 if meaning is None else float(meaning.max(initial=0.0)),
        dropped=tuple(match.term for match in matches[len(kept) :]),
        second=None if beside is None else beside[0].similarities(beside[1], ordinals),
    )


def _beside(corpus: Corpus, vectors: CueVectors | None) -> tuple[Vectors, FloatArray] | None:
    """Return the second model's vectors of the corpus and of the cue; None where either is missing."""
    if vectors is None or vectors.second is None or (beside := corpus.second) is None:
        return None
    return beside, vectors.second


def _around(corpus: Corpus, window: TimeWindow, among: BoolArray | None) -> IntArray:
    """Return the memories said in or near a time window, by ascending ordinal."""
    near_it = near_window(corpus.said_at, window) > 0.0
    return np.flatnonzero(near_it if among is None else near_it & among)


POSTINGS = 20_000
"""Most postings that are read for a cue's words, those of the rarest words first; common words say little."""


@dataclass(frozen=True, slots=True)
class CueWords:
    """The words of a cue as they occur in a scope, without the names of the speakers that the cue asks about.

    Attributes:
        matches: the words that occur, rarest first.
        shares: (words,) weight of each by rarity; with ``absent`` they add up to 1.
        names: (words,) whether each belongs to a name in the cue.
        absent: the share of the words that occur nowhere in the scope.
        particulars: how many words are names, numbers or dates, occurring or not.
    """

    matches: tuple[TermMatch, ...]
    shares: FloatArray
    names: BoolArray
    absent: float
    particulars: int

    @classmethod
    def of(cls, corpus: Corpus, cue: Cue, known: BoolArray | None = None) -> CueWords:
        """Look up the words of a cue in the ``known`` memories (None: all); too common words are left out."""
        asked_about = _stems_of(cue.speakers)
        terms = [term for term in cue.terms if asked_about.isdisjoint(stems(term))] or list(cue.terms)
        found = match_terms(corpus, terms, known)
        occurring = {match.term for match in found}
        lost = idf(0, corpus.size) * sum(term not in occurring for term in terms)
        matches = prune(found, POSTINGS)
        rarity = np.array([idf(match.frequency, corpus.size) for match in matches], np.float32)
        whole = float(rarity.sum()) + lost or 1.0
        names = _stems_of(cue.entities)
        dates = _stems_of(() if cue.window is None else (cue.window.phrase,))
        return cls(
            tuple(matches),
            rarity / np.float32(whole),
            np.array([not names.isdisjoint(stems(match.term)) for match in matches], np.bool_),
            lost / whole,
            sum(_is_particular(term, names | dates) for term in terms),
        )

    def held(self, messages: IntArray) -> BoolArray:
        """Return a mask (words, *shape) of which messages (−1: none) contain which words."""
        flat = messages.ravel()
        found = np.zeros((len(self.matches), flat.size), np.bool_)
        for row, match in enumerate(self.matches):
            ordinals = match.postings.ordinals
            found[row] = ordinals[np.minimum(np.searchsorted(ordinals, flat), len(ordinals) - 1)] == flat
        return found.reshape(len(self.matches), *messages.shape)

    def coverage(self, corpus: Corpus, among: BoolArray | None) -> FloatArray:
        """Return the weighted share (n,) of the words that each memory contains; 0 for memories not ``among`` these."""
        covered = np.zeros(corpus.size, np.float32)
        for match, share in zip(self.matches, self.shares, strict=True):
            covered[match.postings.ordinals] += share
        return covered if among is None else covered * among

    def named(self, held: BoolArray) -> float:
        """Return the weighted share of the names' words that are in the mask ``held`` (words,); 1 without names."""
        weight = float(self.shares[self.names].sum())
        return float(self.shares[self.names & held].sum()) / weight if weight else 1.0


@lru_cache(maxsize=256)
def _terms_of(name: str) -> tuple[str, ...]:
    return tuple(index_terms(name))


def _stems_of(names: Iterable[str]) -> frozenset[str]:
    return frozenset(stem for name in names for stem in _terms_of(name))


def _is_particular(term: str, given: frozenset[str]) -> bool:
    return not given.isdisjoint(stems(term)) or any(letter.isdigit() for letter in term)
