"""How ``openclaw`` encodes: document C to the letter — a text as it is, or the newer of two nearly the same."""

from __future__ import annotations

from reverie.encode.settings import EncodeSettings, FormSettings, GateSettings, Merging
from reverie.formulas.prediction_error import GateEdges

FORM = FormSettings(
    whole=True, needs_class=False, rewrite=False, foresight_days=7.0, limit_chars=100_000, most=1, entities=8
)
SAME = 0.9117647058823529
"""C7's .85 on OpenClaw's scale, as a cosine: 1 − (1/.85 − 1)/2 (reading 16)."""

GATE = GateSettings(
    edges=GateEdges(create=SAME, update=SAME, reinforce=1.0, important=0.0),
    neighbours=1,
    agree=False,
    contradictions=False,
    merging=Merging.NEWER,
    reinforce=1.0,
    counts=True,
)

ENCODE = EncodeSettings(form=FORM, importance=0.7, utility=0.5, stability_days=1.0, accesses=1, gate=GATE)
"""Importance .7 is OpenClaw's own default for what its tool stores."""
