"""Recipes: frozen settings over the same stages. What each number is and who chose it."""

from __future__ import annotations

from dataclasses import dataclass

from reverie.recall.settings import RecallSettings


@dataclass(frozen=True, slots=True)
class Recipe:
    """A named set of settings, one object a room."""

    name: str
    recall: RecallSettings


REVERIE = Recipe(
    name="reverie",
    recall=RecallSettings(
        k1=1.5,
        b=0.75,
        neighbour=0.4,
        neighbour_full_words=60.0,
        window_radius=3,
        text_weight=1.0,
        meaning_weight=0.85,
        window_weight=0.5,
        speaker_weight=0.7,
        speaker_asked_assistant=0.5,
        time_weight=0.3,
        pool=100,
        postings=20_000,
        window_postings=2_000,
        embedded_share=0.95,
    ),
)
