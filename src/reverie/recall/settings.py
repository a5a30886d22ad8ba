"""Settings of the search, the reranker and the packing; each recipe chooses their values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """Limits of a reranker: how many candidates it reads, how much it counts, how long it may take (decision 0058).

    Attributes:
        first: candidates it reads, from 2.
        weight: factor on the log-odds, falling as 1/rank, that its order adds to the scores; 0: it changes nothing.
        deadline_ms: milliseconds it may take; after that the order stays as it was.
    """

    first: int = 20
    weight: float = 1.0
    deadline_ms: int = 300


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """Weights and limits of the search; the recipe documents the source of each number.

    Attributes:
        k1: saturation of BM25, for a message and for a window.
        b: length normalisation of BM25.
        neighbour: weight of the previous and the next message's own score.
        second_neighbour: the same for those one further off.
        neighbour_full_words: messages up to this length in words give and get the full share between neighbours.
        meaning_neighbour: weight of the previous and the next message's own cosine.
        window_radius: messages to each side that make up a window.
        length_least: words from which a message is long enough for the full length signal.
        length_most: words up to which it is short enough for it.
        length_halvings: halvings below the least length until the signal is 0.
        length_doublings: doublings above the greatest length until the signal is 0.
        pool: candidates from each search.
        postings: most postings read for the text search before common terms are left out.
        window_postings: the same for the window search.
        embedded_share: share of memories that must have vectors before cosines are compared.
        second_share: the same for the vectors of the slower model, which embeds in the background.
        second_least: fewest vectors of the slower model with which it is used, because their mean must be reliable.
        muted: names of signals that do not count; None: all count.
    """

    k1: float
    b: float
    neighbour: float
    second_neighbour: float
    neighbour_full_words: float
    meaning_neighbour: float
    window_radius: int
    length_least: float
    length_most: float
    length_halvings: float
    length_doublings: float
    pool: int
    postings: int
    window_postings: int
    embedded_share: float
    second_share: float
    second_least: int
    muted: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class CondenseSettings:
    """Digests of hits that do not fit the budget (decision 0075).

    Attributes:
        least_tokens: least tokens left in which a digest is worth its place.
    """

    least_tokens: int = 16
