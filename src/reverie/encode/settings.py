"""Settings of the write path, one object for each stage; None if a recipe has no such stage."""

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
    """How an update combines the old and the new text.

    ``BESIDE``: a language model merges both; without its answer the old text stays and the new one is a separate
    memory.
    """

    APPEND = "append"
    NEWER = "newer"
    BESIDE = "beside"


@dataclass(frozen=True, slots=True)
class ObserveSettings:
    """Which messages are worth forming memories from.

    Attributes:
        filters: limits of the seven filters.
        classes: base confidence of each class.
        min_density: minimum information density.
        pre_gate: whether trivial messages such as greetings are rejected.
        feel: function that estimates a text's emotion; None: no emotion.
    """

    filters: FilterLimits
    classes: BaseConfidences
    min_density: int
    pre_gate: bool
    feel: Callable[[str], Emotion] | None = None


@dataclass(frozen=True, slots=True)
class FormSettings:
    """Which facts are formed from a message.

    Attributes:
        read: how the statements of a message are read.
        needs_class: reject statements without a class.
        standalone: reject statements that are not self-contained.
        rewrite: rewrites a statement with its speaker as subject, within a length; None: keep the speaker's words.
        confidence: confidence of a statement without a class.
        foresight_days: how long a plan without a date holds.
        limit_chars: maximum length of a formed text.
        most: maximum number of facts formed from one message.
        entities: maximum number of entities of one memory.
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
    """How the write gate decides about a fact candidate.

    Attributes:
        edges: the similarities at which the verdict changes.
        neighbours: number of nearest memories examined.
        agree: a candidate counts as known only if it also has the same words.
        supersede: minimum probability of replacement to supersede a memory; None: both are kept.
        merging: how an update combines the texts.
        reinforce: factor on the stability of a repeated memory; None if nothing ever counts as repeated.
        counts: whether a merge counts as an access, and takes the higher importance.
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
    """How importance is computed from its channels, boosted, and mapped to a priority.

    Attributes:
        weights: of the channels.
        boost: formula of the encoding boost.
        unknown: value of a channel about which nothing is known.
        similar: similarity from which another memory's utility counts for this one.
        priorities: the importance at which each priority begins.
    """

    weights: Channels
    boost: BoostLaw
    unknown: float
    similar: float
    priorities: PriorityEdges


@dataclass(frozen=True, slots=True)
class TagSettings:
    """Synaptic tagging: which memories are weak, how long their tag lasts, what captures them, and what they gain."""

    weak: float
    hours: float
    strong: float
    factor: float


@dataclass(frozen=True, slots=True)
class RelateSettings:
    """Which edges are created, the confidence of a stated cause, and when edges are pruned: from ``most`` to ``keep``.

    ``cause`` None: the recipe extracts no causes.
    """

    thresholds: Linking
    cause: float | None
    most: int
    keep: int


@dataclass(frozen=True, slots=True)
class EncodeSettings:
    """The write path of a recipe.

    Attributes:
        importance: of a new memory, if it is not computed.
        utility: of a new memory.
        stability_days: of a new memory.
        accesses: of a new memory.
        form: None: one memory is formed from a message, as it was said.
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
