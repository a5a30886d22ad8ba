"""Settings of the write path, one object per stage; None where a recipe has no such stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from reverie.encode.statements import Reader
from reverie.formulas.associations import FlashbulbLaw
from reverie.formulas.gates import GateEdges
from reverie.formulas.tiers import BoostLaw, Channels, PriorityEdges
from reverie.language.classify.categories import BaseConfidences
from reverie.language.classify.worth import FilterLimits
from reverie.language.text.coverage import Linking
from reverie.types import Emotion


class Merging(StrEnum):
    """How an update changes a memory's text: the new text is appended, or replaces it, or a model merges both.

    ``BESIDE``: a language model merges both texts; without its answer the new text becomes a memory of its own.
    """

    APPEND = "append"
    NEWER = "newer"
    BESIDE = "beside"


@dataclass(frozen=True, slots=True)
class ObserveSettings:
    """Which messages facts are formed from.

    Attributes:
        filters: limits of the seven filters.
        classes: base confidence of each class of message.
        min_density: least information density.
        pre_gate: whether trivial messages, such as greetings, are passed over.
        feel: estimates the emotion of a text; None: all are taken as calm.
    """

    filters: FilterLimits
    classes: BaseConfidences
    min_density: int
    pre_gate: bool
    feel: Callable[[str], Emotion] | None = None


@dataclass(frozen=True, slots=True)
class FormSettings:
    """Which facts are formed from a message, and how they are worded.

    Attributes:
        read: splits a message into the statements that its speaker makes.
        needs_class: whether nothing is formed from statements without a class.
        standalone: whether nothing is formed from statements that are not self-contained.
        rewrite: rewords a statement (text, subject, longest length), as in the third person; None: the own words.
        confidence: confidence of a fact without a class.
        foresight_days: days that a plan without a date is valid.
        limit_chars: longest formed text, in characters.
        most: most facts formed from one message.
        entities: most entities of one memory.
    """

    read: Reader
    needs_class: bool
    standalone: bool
    rewrite: Callable[[str, str, int], str] | None
    confidence: float
    foresight_days: float
    limit_chars: int
    most: int
    entities: int


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Limits by which the write gate compares a fact candidate with the memories that exist.

    Attributes:
        edges: the similarities at which the verdict changes.
        neighbours: how many of the nearest memories are compared.
        agree: whether a memory must also contain the candidate's words for the candidate to count as known.
        supersede: least probability of a replacement for the candidate to supersede a memory; None: it never does.
        merging: how an update changes the memory's text.
        reinforce: factor on the stability of a memory that is said again; None: the stability stays.
        counts: whether a merge counts as an access, and keeps the higher importance.
    """

    edges: GateEdges
    neighbours: int
    agree: bool
    supersede: float | None
    merging: Merging
    reinforce: float | None
    counts: bool


@dataclass(frozen=True, slots=True)
class WeighSettings:
    """How the importance of a fact candidate is computed from its channels.

    Attributes:
        weights: weights of the channels.
        boost: the numbers of the encoding boost.
        unknown: value of a channel without data.
        similar: least similarity of memories whose utility counts as the candidate's expected reward.
        priorities: least importance of each priority.
    """

    weights: Channels
    boost: BoostLaw
    unknown: float
    similar: float
    priorities: PriorityEdges


@dataclass(frozen=True, slots=True)
class TagSettings:
    """Synaptic tagging and capture: a strong memory makes recent weak ones of its session more stable.

    ``weak``: importance below which a memory is tagged, for ``hours``. ``strong``: least importance of a memory that
    captures tagged ones, whose stability is then multiplied by ``factor``.
    """

    weak: float
    hours: float
    strong: float
    factor: float


@dataclass(frozen=True, slots=True)
class RelateSettings:
    """Which relations are drawn between memories: ``thresholds`` of similarity, and at most ``most``.

    ``cause`` is the confidence of a named cause; None: causes are not read. At ``most`` relations they are pruned to
    ``keep``.
    """

    thresholds: Linking
    cause: float | None
    most: int
    keep: int


@dataclass(frozen=True, slots=True)
class EncodeSettings:
    """The settings of a recipe's write path: the first values of a new memory, and those of each stage.

    Attributes:
        importance: of a new memory, in [0, 1], if the recipe does not weigh it.
        utility: of a new memory.
        stability_days: of a new memory.
        accesses: of a new memory.
        form: None: one memory is formed from a message, word for word.
    """

    importance: float
    utility: float
    stability_days: float
    accesses: int
    form: FormSettings | None = None
    observe: ObserveSettings | None = None
    gate: GateSettings | None = None
    weigh: WeighSettings | None = None
    flashbulb: FlashbulbLaw | None = None
    tag: TagSettings | None = None
    relate: RelateSettings | None = None
