"""How ``openclaw`` encodes: document C to the letter — a text as it is, or the newer of two nearly the same."""

from __future__ import annotations

from math import inf

from reverie.encode.settings import EncodeSettings, GateSettings, Merging
from reverie.formulas.prediction_error import GateEdges

SAME = 0.9117647058823529
"""C7's .85 on OpenClaw's scale, as a cosine: 1 − (1/.85 − 1)/2 (reading 16)."""

GATE = GateSettings(
    edges=GateEdges(create=SAME, update=SAME, reinforce=inf, important=inf),
    neighbours=1,
    agree=False,
    contradictions=False,
    merging=Merging.NEWER,
    reinforce=None,
    counts=True,
)

ENCODE = EncodeSettings(importance=0.7, utility=0.5, stability_days=1.0, accesses=1, gate=GATE)
"""C2 and C5: count 1, a stability of one day; .7 is what OpenClaw's own tool gives where nobody says otherwise."""
