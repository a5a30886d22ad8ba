"""The recipe ``openclaw``: document C to the letter, as a host's keys set it.

Its similarity is 1/(1 + squared distance). In: keys. Out: settings for recall, encoding and decay.
"""

from __future__ import annotations

from math import inf

from reverie.consolidate.settings import DreamSettings, Falling, StepName
from reverie.encode.settings import EncodeSettings, GateSettings, Merging
from reverie.formulas.gates import GateEdges
from reverie.formulas.scores import CompositeWeights
from reverie.formulas.similarity_scales import openclaw_to_cosine
from reverie.formulas.tiers import FallEdges
from reverie.recall.deduplication import Deduplication
from reverie.recall.pipeline import ReadPath
from reverie.recall.strengthen import StrengthenSettings
from reverie.recipes.published.candidates import Bm25, Nearest
from reverie.recipes.published.openclaw_keys import Keys
from reverie.recipes.published.scores import Composite, Scale, Since
from reverie.recipes.published.selection import QuestionFilter, ScoreGate
from reverie.recipes.recipe import OwnRecipe, Recipe
from reverie.recipes.working_memory import WORKING

# How ``openclaw`` recalls: document C to the letter. Its similarity is 1/(1 + squared distance).


BM25 = Bm25(k1=1.2, b=0.75, postings=20_000)
"""Where there is no model; the document knows no text search."""
STRENGTHEN = StrengthenSettings(
    recall_factor=1.2,  # C5
    hebbian=0.0,
    spreading=0.0,
    neighbours=0,
    easy=0.0,
    hard=0.0,
    tip_storage=11.0,
    tip_retrieval=0.0,
)
"""C5's recall alone: the document knows no storage strength, so nothing is ever on the tip of the tongue."""


def read_path(keys: Keys) -> ReadPath:
    """The stages with these keys (C1, C3, C4).

    The document keeps a text once, and keeps no questions; here every message stands beside what was formed of it. So
    twice as many are looked at, of the two one is handed over, and what only asks is not (decision 0030).
    """
    weights = CompositeWeights(
        similarity=keys.similarity_weight, activation=keys.activation_weight, importance=keys.importance_weight
    )
    return ReadPath(
        stages=(
            Nearest(BM25, times=2),
            Composite(weights, since=Since.CREATION, scale=Scale.OPENCLAW),
            QuestionFilter(),
            Deduplication(),
            ScoreGate(least=keys.min_score, threshold=keys.confidence_threshold),
        ),
        limit=keys.limit,
        automatic_limit=keys.automatic_limit,
        same=0.6,
        strengthen=STRENGTHEN,
        decay_at_open=keys.decay and keys.decay_on_startup,
    )


RECALL = read_path(Keys())


# How ``openclaw`` encodes: document C to the letter — a text as it is, or the newer of two nearly the same.


def encode_settings(keys: Keys) -> EncodeSettings:
    """Settings of C2 and C5: count 1, stability one day, importance .7 by default, as in OpenClaw's own tool.

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


# How ``openclaw`` dreams: document C's decay alone, two steps into sleep (C5).


def dream_settings(keys: Keys) -> DreamSettings:
    """The decay with these keys; switched off, nothing falls."""
    edges = FallEdges(fading=keys.fading_threshold, dormant=keys.dormant_threshold)
    return DreamSettings(
        period_hours=None,  # reading 25: two runs, two steps
        order=(StepName.FALLING,) if keys.decay else (),
        falling=Falling(edges),
    )


DREAM = dream_settings(Keys())


# The recipe ``openclaw`` with its keys set: keys in, a recipe out.


def keyed(keys: Keys) -> Recipe:
    """``openclaw`` as these keys have it."""
    return OwnRecipe("openclaw", read_path(keys), encode_settings(keys), dream_settings(keys), WORKING)
