"""The numbers of the write path, one object a stage; None where a recipe has no such stage."""

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
    """What an update does to the words that are there.

    ``BESIDE``: a model that is asked words both in one; without its word they stay, and the new memory stands beside.
    """

    APPEND = "append"
    NEWER = "newer"
    BESIDE = "beside"


@dataclass(frozen=True, slots=True)
class ObserveSettings:
    """Settings that decide which messages are formed into memories.

    Attributes:
        filters: limits of the seven filters.
        classes: base confidence of each category of statement.
        min_density: least information density of a message.
        pre_gate: whether greetings and other small talk are skipped.
        feel: function that rates a text's emotion; None: emotion is not rated.
    """

    filters: FilterLimits
    classes: BaseConfidences
    min_density: int
    pre_gate: bool
    feel: Callable[[str], Emotion] | None = None


@dataclass(frozen=True, slots=True)
class FormSettings:
    """Which facts are formed of a message.

    Attributes:
        read: how the statements of a message are read.
        needs_class: statements of no class are not formed.
        standalone: nor are those that cannot be understood by themselves.
        rewrite: how a statement is told of who said it, in so many characters; None: in the speaker's own words.
        confidence: how sure one is of what no class vouches for.
        foresight_days: how long a plan without a date holds.
        limit_chars: longest formed text.
        most: facts formed of one message.
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
    """Settings of the gate, which compares a fact candidate with known memories.

    Attributes:
        edges: where on the scale of similarity the verdicts change.
        neighbours: how many of the nearest memories are looked at.
        agree: what counts as known must be said in the same words as well.
        supersede: how likely a thought must replace a memory to supersede it; None: they stand beside each other.
        merging: what an update does to the words.
        reinforce: factor on the stability of what is said again; None where nothing is ever said again.
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
    """Importance: how its channels are weighed, boosted and named.

    Attributes:
        weights: of the channels.
        boost: the law of the encoding boost.
        unknown: what stands for a channel nothing is known about.
        similar: similarity from which another memory's usefulness speaks for this one.
        priorities: from which importance on a memory has which priority.
    """

    weights: Channels
    boost: BoostLaw
    unknown: float
    similar: float
    priorities: PriorityEdges


@dataclass(frozen=True, slots=True)
class TagSettings:
    """Settings of synaptic tagging: which memories are weak, how long they stay tagged, what captures them, and the
    gain.
    """

    weak: float
    hours: float
    strong: float
    factor: float


@dataclass(frozen=True, slots=True)
class RelateSettings:
    """Which edges are drawn, how sure a named cause is, and when their number is cut: from ``most`` to ``keep``.

    ``cause`` None: the recipe reads no causes.
    """

    thresholds: Linking
    cause: float | None
    most: int
    keep: int


@dataclass(frozen=True, slots=True)
class EncodeSettings:
    """The write path of a recipe.

    Attributes:
        importance: of a new memory, where nothing is weighed.
        utility: of a new memory.
        stability_days: of a new memory.
        accesses: of a new memory.
        form: None where one memory is formed of a message, as it was said.
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
