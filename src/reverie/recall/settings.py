"""The numbers of the read path. A recipe is one frozen object of these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """Weights and limits of each stage; the recipe says where each number comes from.

    Attributes:
        k1: saturation of BM25, for a message and for a window.
        b: length normalisation of BM25.
        neighbour: weight of the previous and the next message's own score.
        neighbour_full_words: up to this length a message takes its neighbours' full weight.
        window_radius: messages to each side that make up a window.
        text_weight: weight of the text signal.
        meaning_weight: weight of the meaning signal (cosine).
        window_weight: weight of the window signal.
        speaker_weight: weight of the speaker signal.
        speaker_asked_assistant: what is left of it when the cue asks what the assistant said.
        time_weight: weight of lying in the time the cue speaks of.
        pool: candidates each search brings.
        postings: most postings read for the text search before common terms are left out.
        window_postings: the same for the window search.
        embedded_share: share of memories that must have vectors before meaning counts.
    """

    k1: float
    b: float
    neighbour: float
    neighbour_full_words: float
    window_radius: int
    text_weight: float
    meaning_weight: float
    window_weight: float
    speaker_weight: float
    speaker_asked_assistant: float
    time_weight: float
    pool: int
    postings: int
    window_postings: int
    embedded_share: float
