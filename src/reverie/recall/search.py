"""Search: three lists from one corpus — by text, by window, by meaning — over what holds now.

In: a corpus, the cue's terms and vector. Out: ``Found``, dense score columns and the candidates worth scoring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reverie.formulas.bm25 import idf, saturation
from reverie.language.analyzer import stems
from reverie.language.standing import MARKS
from reverie.ports import Corpus, Postings
from reverie.recall.meaning import Compared, compare, in_place
from reverie.recall.reinstate import distinct, spread_to_neighbours, window_counts
from reverie.recall.settings import RecallSettings
from reverie.recall.timing import near_window
from reverie.types import ROLE_CODES, BoolArray, Cue, FloatArray, IntArray, Role

_NOWHERE = np.empty(0, np.int64)
STANDING_POOL, STANDING_LOOKED = 40, 800
"""So many orders and so many tastes take part in every search though they share no word with the cue, the nearest of so
many of the latest."""


@dataclass(frozen=True, slots=True, eq=False)
class CueVectors:
    """A cue's vector by the model, and by the one that stands beside it, if one does."""

    first: FloatArray
    second: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class TermMatch:
    """A term of the cue and where it occurs."""

    term: str
    postings: Postings

    @property
    def frequency(self) -> int:
        """In how many memories it occurs."""
        return len(self.postings.ordinals)


def match_terms(corpus: Corpus, terms: Sequence[str], known: BoolArray | None = None) -> list[TermMatch]:
    """The terms that occur among what is ``known`` (None: all), rarest first, ties by their order in the cue."""
    everywhere = ((term, union([corpus.postings(stem) for stem in stems(term)])) for term in terms)
    matches = [TermMatch(term, _known(postings, known)) for term, postings in everywhere]
    return sorted((match for match in matches if match.frequency), key=lambda match: match.frequency)


def rarities(corpus: Corpus, terms: Sequence[str]) -> dict[str, float]:
    """How much each term of a cue says, by how rare it is; one that occurs nowhere says the most."""
    often = {match.term: match.frequency for match in match_terms(corpus, terms)}
    return {term: float(idf(often.get(term, 0), corpus.size)) for term in terms}


@dataclass(frozen=True, slots=True)
class Union:
    """Where any of several stems occurs (``ports.Postings``), and how often all of them together."""

    ordinals: IntArray
    counts: FloatArray


def union(parts: Sequence[Postings]) -> Postings:
    """Several postings as one: a term that is rare in the wrong language is not made important by it."""
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
    """Keep the rarest terms while their postings together stay within the bound; the rarest always stays."""
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
    """What one list says: ``values`` (n,) by ordinal, and ``where`` they are above 0, ascending."""

    values: FloatArray
    where: IntArray

    def only(self, among: BoolArray | None) -> Scores:
        """The same among these messages alone."""
        return self if among is None else Scores(self.values, self.where[among[self.where]])

    @property
    def highest(self) -> float:
        """The best score; 0 where there is none."""
        return float(self.values[self.where].max(initial=0.0))

    def best(self, top_k: int) -> IntArray:
        """Ordinals of the ``top_k`` highest scores, ties to the earlier, in ascending order of ordinal."""
        where = self.where
        if len(where) <= top_k:
            return where
        values = self.values[where]
        floor = np.partition(values, len(values) - top_k)[len(values) - top_k]
        above = where[values > floor]
        level = where[values == floor][: top_k - len(above)]
        return np.sort(np.concatenate([above, level]))


def best(scores: FloatArray, top_k: int) -> IntArray:
    """Ordinals of the ``top_k`` highest scores above 0, ties to the earlier, in ascending order of ordinal."""
    return Scores(scores, np.flatnonzero(scores > 0)).best(top_k)


def text_scores(
    corpus: Corpus, matches: Sequence[TermMatch], mean_length: float, settings: RecallSettings
) -> tuple[Scores, FloatArray]:
    """BM25 of each message, with its neighbours' added by length, and (n,) without them."""
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
    """BM25 of the window around each message: counts and lengths summed over it.

    The mean window is taken as (2·radius + 1) mean messages; sessions' edges make real ones a little shorter.
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
class Found:
    """What the searches brought: candidates (ascending ordinals) and their raw scores in each list.

    ``text_best`` and ``window_best`` are the highest in the whole scope, ``meaning_best`` the highest of the
    candidates: what each list is scaled by. ``own`` is the text score without what neighbours lend.
    ``meaning`` is the centred cosine with a share of the neighbours', ``compared`` what it comes from; None where no
    vectors were compared.
    ``second`` is the centred cosine by the model that stands beside the quick one, where there is one.
    ``dropped`` names the terms left out because they occur too often.
    """

    ordinals: IntArray
    text: FloatArray
    own: FloatArray
    window: FloatArray
    meaning: FloatArray | None
    compared: Compared | None
    text_best: float
    window_best: float
    meaning_best: float
    dropped: tuple[str, ...]
    second: FloatArray | None = None


def _standing(corpus: Corpus, mark: str, among: BoolArray | None, vectors: CueVectors | None) -> IntArray:
    """What the person said that stands: of a great many the nearest to the cue, or the latest."""
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
) -> Found:
    """Run the searches and join their best ``among`` what holds; what is ``known`` lends to it. None: everything.

    What was said in the time the cue speaks of, or near it, comes along, latest first, so that "what happened last
    week?" has something to choose from; so does what stands.
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
    second = None if vectors is None else vectors.second
    beside = None if second is None else corpus.second
    if second is not None and beside is not None:
        pools.append(beside.nearest(second, settings.pool, among)[0])
    if cue.window is not None:
        near_it = near_window(corpus.said_at, cue.window) > 0.0
        within = near_it if among is None else near_it & among
        pools.append(np.flatnonzero(within)[-settings.pool :])
    pools += [_standing(corpus, mark, among, vectors) for mark in MARKS.values()]
    ordinals = distinct(np.concatenate(pools))
    compared = None if vectors is None or near is None else compare(corpus, vectors.first, ordinals, near, known)
    meaning = None if compared is None else in_place(corpus, compared, settings)
    return Found(
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
        second=None if second is None or beside is None else beside.similarities(second, ordinals),
    )
