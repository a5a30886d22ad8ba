"""Configuration keys of OpenClaw memory plugins that document C names, with its default values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Keys:
    """Settings of the recipe `openclaw`; similarities are on OpenClaw's scale, 1/(1 + squared distance).

    Attributes:
        similarity_weight: share of similarity in the score.
        activation_weight: share of activation in the score.
        importance_weight: share of importance in the score.
        confidence_threshold: if the best score is below this, nothing is returned.
        min_score: least score of a returned memory when the agent asks.
        limit: most memories returned when the agent asks.
        automatic_limit: the same when the host asks automatically.
        decay: whether memories fade and become dormant at all.
        decay_on_startup: whether they do so when a scope is first used after the store was opened.
        fading_threshold: retrievability below which a memory fades.
        dormant_threshold: retrievability below which a fading memory becomes dormant.
        deduplication_threshold: similarity from which the newer of two memories replaces the other; above 1: never.
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
