"""Recipe ``openclaw``: document C to the letter, with the keys that a host sets.

Its similarity is 1/(1 + squared distance). In: keys. Out: settings for recall, encoding and dream.
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

BM25 = Bm25(k1=1.2, b=0.75, postings=20_000)
"""For installations without a model; the document has no text search."""
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
"""The effect of a recall alone: the document has no storage strength, so nothing is on the tip of the tongue."""


def read_path(keys: Keys) -> ReadPath:
    """Build the read path with these keys.

    The document stores each text once, and no questions; here every episode exists beside the memories formed of it. So
    twice as many are searched, only one of the two is returned, and mere questions are not (decision 0030).
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


# Encoding of ``openclaw``: a text as it is, or the newer of two nearly equal ones.


def encode_settings(keys: Keys) -> EncodeSettings:
    """Build the encoding settings: access count 1, stability 1 day, importance .7 as OpenClaw's own default.

    The document's threshold .85 is a cosine of .912 (reading 16).
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


# Dream of ``openclaw``: document C's decay, dormancy in two steps (C5).


def dream_settings(keys: Keys) -> DreamSettings:
    """Build the dream settings with these keys; without ``decay`` no step is run."""
    edges = FallEdges(fading=keys.fading_threshold, dormant=keys.dormant_threshold)
    return DreamSettings(
        period_hours=None,  # reading 25: each run is one step
        order=(StepName.FALLING,) if keys.decay else (),
        falling=Falling(edges),
    )


DREAM = dream_settings(Keys())


def keyed(keys: Keys) -> Recipe:
    """Return the recipe ``openclaw`` with these keys."""
    return OwnRecipe("openclaw", read_path(keys), encode_settings(keys), dream_settings(keys), WORKING)
