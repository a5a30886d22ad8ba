"""Settings of the read path; a recipe holds one frozen object of these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RerankSettings:
    """How many candidates a reranker reads, how much its order counts, and its deadline (decision 0058).

    Attributes:
        first: candidates it reads, from 2.
        weight: 1: its order counts as log-odds that fall as 1/rank; 0: it changes nothing.
        deadline_ms: milliseconds it may take; after that the order stays unchanged.
    """

    first: int = 20
    weight: float = 1.0
    deadline_ms: int = 300


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """Parameters of the search; the recipe gives the source of each number.

    Attributes:
        k1: saturation of BM25, for a message and for a window.
        b: length normalisation of BM25.
        neighbour: weight of the previous and the next message's own score.
        second_neighbour: the same for the messages two steps away.
        neighbour_full_words: up to this length a message gives and takes the full weight.
        meaning_neighbour: weight of the previous and the next message's own meaning.
        window_radius: messages on each side that form a window.
        length_least: number of words from which a message counts as long enough.
        length_most: number of words up to which it counts as short enough.
        length_halvings: halvings of ``length_least`` at which a length scores 0.
        length_doublings: doublings of ``length_most`` at which a length scores 0.
        pool: candidates taken from each search.
        postings: maximum postings read for the text search; more common terms are left out.
        window_postings: the same for the window search.
        embedded_share: share of memories that must have vectors before meaning counts.
        second_share: the same for the vectors of the slower second model, which embeds in the background.
        second_least: minimum number of these vectors; with fewer, their mean is unreliable and all look alike.
        muted: signals that are ignored; None: none.
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
