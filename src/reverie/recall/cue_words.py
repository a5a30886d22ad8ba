"""The words of a cue in a scope: where each occurs, how rare it is, and which are names and other particulars."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from reverie.formulas.bm25 import idf
from reverie.language.analyzer import index_terms, stems
from reverie.ports import Corpus
from reverie.recall.search import TermMatch, match_terms, prune
from reverie.types import BoolArray, Cue, FloatArray, IntArray

POSTINGS = 20_000
"""Postings read at most, those of the rarest words first; what is more common tells little."""


@dataclass(frozen=True, slots=True)
class CueWords:
    """The words a cue is searched for, without the names of the speakers it asks about.

    Attributes:
        matches: the words that occur, rarest first.
        shares: (words,) what each counts, by rarity; with ``absent`` they add up to 1.
        names: (words,) which belong to names in the cue.
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
        """The words of a cue among what is ``known`` (None: all); those too common to be read are left out."""
        asked_about = frozenset(stem for name in cue.speakers for stem in _terms_of(name))
        terms = [term for term in cue.terms if asked_about.isdisjoint(stems(term))] or list(cue.terms)
        found = match_terms(corpus, terms, known)
        occurring = {match.term for match in found}
        lost = idf(0, corpus.size) * sum(term not in occurring for term in terms)
        matches = prune(found, POSTINGS)
        rarity = np.array([idf(match.frequency, corpus.size) for match in matches], np.float32)
        whole = float(rarity.sum()) + lost or 1.0
        names = frozenset(stem for entity in cue.entities for stem in _terms_of(entity))
        dates = frozenset() if cue.window is None else frozenset(_terms_of(cue.window.phrase))
        return cls(
            tuple(matches),
            rarity / np.float32(whole),
            np.array([not names.isdisjoint(stems(match.term)) for match in matches], np.bool_),
            lost / whole,
            sum(_is_particular(term, names | dates) for term in terms),
        )

    def held(self, messages: IntArray) -> BoolArray:
        """(words, *shape) whether each of some messages (−1: none) holds each word."""
        flat = messages.ravel()
        found = np.zeros((len(self.matches), flat.size), np.bool_)
        for row, match in enumerate(self.matches):
            ordinals = match.postings.ordinals
            found[row] = ordinals[np.minimum(np.searchsorted(ordinals, flat), len(ordinals) - 1)] == flat
        return found.reshape(len(self.matches), *messages.shape)

    def coverage(self, corpus: Corpus, among: BoolArray | None) -> FloatArray:
        """(n,) share of the words that each memory of the scope holds; 0 for what may not come."""
        covered = np.zeros(corpus.size, np.float32)
        for match, share in zip(self.matches, self.shares, strict=True):
            covered[match.postings.ordinals] += share
        return covered if among is None else covered * among

    def named(self, held: BoolArray) -> float:
        """Share of the names' words that are ``held`` (words,); 1 where no name occurs."""
        weight = float(self.shares[self.names].sum())
        return float(self.shares[self.names & held].sum()) / weight if weight else 1.0


@lru_cache(maxsize=256)
def _terms_of(name: str) -> tuple[str, ...]:
    return tuple(index_terms(name))


def _is_particular(term: str, given: frozenset[str]) -> bool:
    return not given.isdisjoint(stems(term)) or any(letter.isdigit() for letter in term)
