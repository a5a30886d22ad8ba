"""How ``openclaw`` encodes: document C to the letter — a text as it is, or the newer of two nearly the same."""

from __future__ import annotations

from math import inf

from reverie.encode.settings import EncodeSettings, GateSettings, Merging
from reverie.formulas.prediction_error import GateEdges
from reverie.formulas.similarity_scales import openclaw_to_cosine
from reverie.recipes.openclaw.keys import Keys


def encode_settings(keys: Keys) -> EncodeSettings:
    """C2 and C5: count 1, a stability of one day; .7 is what OpenClaw's own tool gives where nobody says otherwise.

    C7's .85 is a cosine of .912 (reading 16).
    """
    same = float(openclaw_to_cosine(keys.deduplication_threshold))
    gate = GateSettings(
        edges=GateEdges(create=same, update=same, reinforce=inf, important=inf),
        neighbours=1,
        agree=False,
        supersede=None,
        merging=Merging.NEWER,
        reinforce=None,
        counts=True,
    )
    return EncodeSettings(importance=0.7, utility=0.5, stability_days=1.0, accesses=1, gate=gate)


ENCODE = encode_settings(Keys())
