"""How ``reverie`` recalls: chosen by measurement (decision 0007)."""

from __future__ import annotations

from reverie.recall.settings import RecallSettings

RECALL = RecallSettings(
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
)
