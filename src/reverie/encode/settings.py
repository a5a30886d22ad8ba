"""The numbers of the write path, one object a stage; None where a recipe has no such stage."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from reverie.formulas.encoding_boost import BoostLaw
from reverie.formulas.flashbulb import FlashbulbLaw
from reverie.formulas.importance import Channels
from reverie.formulas.prediction_error import GateEdges
from reverie.language.linking import Linking
from reverie.language.observation_class import BaseConfidences
from reverie.language.observer_filters import FilterLimits


class Merging(StrEnum):
    """What an update does to the words that are there."""

    APPEND = "append"
    NEWER = "newer"


@dataclass(frozen=True, slots=True)
class ObserveSettings:
    """Which messages are worth forming anything from.

    Attributes:
        filters: limits of the seven filters.
        classes: base confidence of each class.
        min_density: least information density.
        pre_gate: whether greetings and the like are passed over.
    """

    filters: FilterLimits
    classes: BaseConfidences
    min_density: int
    pre_gate: bool


@dataclass(frozen=True, slots=True)
class FormSettings:
    """What is formed of a message.

    Attributes:
        whole: one memory, the message as it was said; else atomic facts.
        needs_class: facts of no class are not formed.
        rewrite: first person becomes third.
        foresight_days: how long a plan without a date holds.
        limit_chars: longest formed text.
        most: facts formed of one message.
        entities: most entities of one memory.
    """

    whole: bool
    needs_class: bool
    rewrite: bool
    foresight_days: float
    limit_chars: int
    most: int
    entities: int


@dataclass(frozen=True, slots=True)
class GateSettings:
    """What becomes of a thought beside what is known.

    Attributes:
        edges: where on the scale of similarity the verdicts change.
        neighbours: how many of the nearest memories are looked at.
        agree: merging needs agreement in entities, numbers, negation and time as well.
        contradictions: whether what a thought takes back is superseded.
        merging: what an update does to the words.
        reinforce: factor on the stability of what is said again.
        counts: whether a merge counts as an access, and takes the higher importance.
    """

    edges: GateEdges
    neighbours: int
    agree: bool
    contradictions: bool
    merging: Merging
    reinforce: float
    counts: bool


@dataclass(frozen=True, slots=True)
class WeighSettings:
    """Importance: the weights of the channels, the law of the encoding boost, and what stands for the unknown."""

    weights: Channels
    boost: BoostLaw
    unknown: float
    similar: float


@dataclass(frozen=True, slots=True)
class TagSettings:
    """Synaptic tagging: what is weak, for how long it is tagged, what captures it, and what it gains."""

    weak: float
    hours: float
    strong: float
    factor: float


@dataclass(frozen=True, slots=True)
class RelateSettings:
    """Which edges are drawn, how sure a named cause is, and when their number is cut: from ``most`` to ``keep``."""

    thresholds: Linking
    cause: float
    most: int
    keep: int


@dataclass(frozen=True, slots=True)
class EncodeSettings:
    """The write path of a recipe."""

    form: FormSettings
    importance: float
    utility: float
    stability_days: float
    accesses: int
    observe: ObserveSettings | None = None
    gate: GateSettings | None = None
    weigh: WeighSettings | None = None
    flashbulb: FlashbulbLaw | None = None
    tag: TagSettings | None = None
    relate: RelateSettings | None = None
