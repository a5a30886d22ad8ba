"""The keys of an OpenClaw memory plugin that document C names, each optional with the documented default (C10)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Keys:
    """What may be set of the recipe `openclaw`; similarities are on OpenClaw's scale, 1/(1 + squared distance).

    Attributes:
        similarity_weight: share of similarity in the score.
        activation_weight: share of activation in the score.
        importance_weight: share of importance in the score.
        confidence_threshold: if the best score is lower, nothing is returned.
        min_score: lowest score of a result, if the agent asks.
        limit: most memories returned if the agent asks.
        automatic_limit: the same where the host asks on its own.
        decay: whether memories fade and fall asleep at all.
        decay_on_startup: whether they do when the store is opened.
        fading_threshold: retrievability below which a memory fades.
        dormant_threshold: retrievability below which a fading memory sleeps.
        deduplication_threshold: similarity from which the newer of two memories takes the other's place; above 1: none.
    """

    similarity_weight: float = 0.5
    activation_weight: float = 0.35
    importance_weight: float = 0.15
    confidence_threshold: float = 0.35
    min_score: float = 0.5
    limit: int = 5
    automatic_limit: int = 3
    decay: bool = True
    decay_on_startup: bool = True
    fading_threshold: float = 0.3
    dormant_threshold: float = 0.1
    deduplication_threshold: float = 0.85
