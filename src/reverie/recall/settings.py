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
        second_neighbour: the same for those one further off.
        neighbour_full_words: up to this length a message gives and takes the full weight.
        meaning_neighbour: weight of the previous and the next message's own meaning.
        towards_answers: whether meaning is looked for where the model expects a cue's answers, not near the cue itself.
        feedback_best: candidates that the cue's meaning is drawn towards, before the first fifty are weighed again.
        feedback_weight: how far, against the cue's own.
        bends: whether the first fifty are scored anew by the curves that the model brings, where it brings any.
        window_radius: messages to each side that make up a window.
        text_weight: weight of the text signal.
        meaning_weight: weight of the meaning signal (cosine).
        window_weight: weight of the window signal.
        speaker_weight: weight of the speaker signal.
        speaker_asked_assistant: what is left of it when the cue asks what the assistant said.
        time_weight: weight of lying in the time the cue speaks of, or of telling a time where the cue asks for one.
        telling_weight: weight of telling of oneself, as against asking or addressing the other.
        length_weight: weight of being long enough to say something and short enough to say nothing else.
        length_least: words from which on a message is long enough.
        length_most: words up to which it is short enough.
        length_halvings: so often halved, the least says nothing.
        length_doublings: so often doubled, the most says everything.
        pool: candidates each search brings.
        postings: most postings read for the text search before common terms are left out.
        window_postings: the same for the window search.
        embedded_share: share of memories that must have vectors before meaning counts.
    """

    k1: float
    b: float
    neighbour: float
    second_neighbour: float
    neighbour_full_words: float
    meaning_neighbour: float
    towards_answers: bool
    feedback_best: int
    feedback_weight: float
    bends: bool
    window_radius: int
    text_weight: float
    meaning_weight: float
    window_weight: float
    speaker_weight: float
    speaker_asked_assistant: float
    time_weight: float
    telling_weight: float
    length_weight: float
    length_least: float
    length_most: float
    length_halvings: float
    length_doublings: float
    pool: int
    postings: int
    window_postings: int
    embedded_share: float
