"""What a recipe says of its dream: which steps it has, in which order, and each step's numbers.

Published numbers stand in ``recipes.*.dream``; nothing here has a default. A step whose settings are None is not had.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf

from reverie.formulas.associations import AffinityEdges
from reverie.formulas.freshness import Extension
from reverie.formulas.tiers import DemotionEdges, FallEdges, HotEdges, PromotionEdges
from reverie.formulas.vault import EventTable, NeglectLaw, SweepEdges, VaultPromotionEdges
from reverie.types import Kind


class StepName(StrEnum):
    """The steps a dream can have."""

    TIER_DECAY = "tier decay"
    EMOTION = "emotional consolidation"
    REPLAY = "synaptic replay"
    TIERS = "promotion and demotion"
    DRIFT = "utility drift"
    REHEARSAL = "rehearsal"
    FORESIGHT = "foresight expiry"
    FORGETTING = "forgetting"
    CLUSTERING = "clustering"
    CONSOLIDATION = "consolidation"
    REDUNDANCY = "redundancy"
    ABSTRACTION = "abstraction"
    SUMMARIES = "category summaries"
    HOT = "hot tier"
    FALLING = "falling asleep"
    DEDUPLICATION = "deduplication"
    LINKS = "related links"
    COMPANY = "cluster candidates"
    DORMANCY = "dormancy candidates"
    EARNING = "earned importance"
    SWEEP = "decay sweep"
    SHARING = "sharing"
    TRIMMING = "trimming"
    RESTING = "resting"


TWELVE = (
    StepName.TIER_DECAY,
    StepName.EMOTION,
    StepName.REPLAY,
    StepName.TIERS,
    StepName.DRIFT,
    StepName.REHEARSAL,
    StepName.FORESIGHT,
    StepName.FORGETTING,
    StepName.CLUSTERING,
    StepName.CONSOLIDATION,
    StepName.REDUNDANCY,
    StepName.ABSTRACTION,
)
"""Document D's steps in its order; category summaries and the hot tier follow, since they look at the outcome."""


class CurveLaw(StrEnum):
    """The forgetting curves on offer."""

    POWER = "power"
    EXPONENTIAL = "exponential"
    FSRS6 = "fsrs6"


@dataclass(frozen=True, slots=True)
class FadingLaw:
    """How fast memories fade: the curve, and by what each tier's stability is divided.

    A memory accessed less than ``rare_share`` of the mean is tested with ``rare_factor`` of its stability.
    """

    curve: CurveLaw
    episodic: float
    semantic: float
    rare_share: float
    rare_factor: float


@dataclass(frozen=True, slots=True)
class TierDecay:
    """Below ``fading_below`` an active memory is marked as fading, from it on a fading one as active again."""

    law: FadingLaw
    fading_below: float


@dataclass(frozen=True, slots=True)
class EmotionalConsolidation:
    """The factor on a flashbulb memory's stability, once in its life."""

    factor: float


@dataclass(frozen=True, slots=True)
class Replay:
    """Pairs recalled together at least ``least_count`` times gain ``share`` of stability."""

    least_count: int
    share: float


@dataclass(frozen=True, slots=True)
class Tiers:
    """When an episodic memory becomes semantic, and when a semantic one is put to sleep."""

    promotion: PromotionEdges
    demotion: DemotionEdges


@dataclass(frozen=True, slots=True)
class Drift:
    """Share of the way to ``neutral`` that utility drifts a day; ``daily``: compounded day by day."""

    rate: float
    neutral: float
    daily: bool


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Retention below which a memory is rehearsed, the factor on its stability, and how many a period."""

    law: FadingLaw
    below: float
    factor: float
    limit: int


@dataclass(frozen=True, slots=True)
class ForesightExpiry:
    """What was bounded in time and is past is superseded; there is nothing to set."""


@dataclass(frozen=True, slots=True)
class Retention:
    """For how many days a category is kept at least, and which are kept for good.

    ``other_days`` holds for all that is not named.
    """

    for_good: tuple[Kind, ...]
    days: tuple[tuple[Kind, float], ...]
    other_days: float

    def of(self, kind: Kind) -> float:
        """The days a category is kept at least; inf: for good."""
        return inf if kind in self.for_good else dict(self.days).get(kind, self.other_days)


@dataclass(frozen=True, slots=True)
class Redundancy:
    """Cosine above which two memories are one, and pairs judged a period.

    ``linking``: the one that stays is linked to the one that sleeps.
    ``used_share``: times the mean of accesses, above which use protects.
    """

    above: float
    limit: int
    linking: bool
    retention: Retention
    used_share: float


@dataclass(frozen=True, slots=True)
class Forgetting:
    """The five rules in order; the fourth is the redundancy step's own function with its settings.

    ``floor``: utility below which a memory sleeps after ``idle_days``. Above ``capacity`` active memories are trimmed
    to ``trimmed``, the least useful first, of equals the least retrievable by ``law``.
    """

    law: FadingLaw
    floor: float
    idle_days: float
    redundancy: Redundancy
    capacity: int
    trimmed: int


@dataclass(frozen=True, slots=True)
class Clustering:
    """What belongs together, and the least and most memories of a cluster.

    ``nearness``: least cosine to the cluster's middle, or None where that is not asked.
    """

    affinity: AffinityEdges
    least: int
    most: int
    nearness: float | None


@dataclass(frozen=True, slots=True)
class Themes:
    """Themes a period, their importance, and whether what went into one is superseded by it."""

    limit: int
    importance: float
    supersede: bool


@dataclass(frozen=True, slots=True)
class Abstraction:
    """Patterns a period, from as many of the largest clusters, and their importance."""

    limit: int
    importance: float


@dataclass(frozen=True, slots=True)
class Summaries:
    """Active memories a category needs for a summary, its importance, and the least seconds between two versions."""

    least: int
    importance: float
    cooldown_s: float


@dataclass(frozen=True, slots=True)
class Hot:
    """The hot tier's filters, its size, and the categories that come by the second door."""

    edges: HotEdges
    limit: int
    standing: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Falling:
    """The two steps of falling asleep."""

    edges: FallEdges


@dataclass(frozen=True, slots=True)
class Deduplication:
    """Similarity on the host's (1 + cos)/2 scale, pairs a cycle, nearest looked at; whose word counts as the user's."""

    above: float
    limit: int
    nearest: int
    auto_deprecate_inferred: bool
    asserted: tuple[str, ...]
    load_bearing: str


@dataclass(frozen=True, slots=True)
class Links:
    """Tags a pair shares at least, and links a memory has at most."""

    least_shared: int
    limit: int


@dataclass(frozen=True, slots=True)
class ClusterCandidates:
    """Pairs recalled together more often than this are candidates for a cluster."""

    above: int


@dataclass(frozen=True, slots=True)
class Dormancy:
    """Passes of maintenance a memory may see without an access; one pass is ``cycle_days`` long."""

    threshold_cycles: float
    cycle_days: float


@dataclass(frozen=True, slots=True)
class Earning:
    """What events add to importance, and what neglect takes."""

    table: EventTable
    neglect: NeglectLaw


@dataclass(frozen=True, slots=True)
class SweepSettings:
    """The daily sweep: maximum ages by category, their extension by importance, the edges, and the later extension."""

    ages: Retention
    extensions: tuple[Extension, ...]
    edges: SweepEdges
    extend_by: float


@dataclass(frozen=True, slots=True)
class Sharing:
    """When an observation is shared, and the tags that say a person did it and that it was done."""

    edges: VaultPromotionEdges
    asked_tag: str
    done_tag: str


@dataclass(frozen=True, slots=True)
class Trimming:
    """How many formed memories may be recalled: above ``capacity`` the least useful rest until ``trimmed`` are left.

    What is young for its category (``retention``), or used more than ``used_share`` times the mean, goes last.
    """

    capacity: int
    trimmed: int
    retention: Retention
    used_share: float


@dataclass(frozen=True, slots=True)
class Resting:
    """Capacity for all recallable memories, formed and verbatim. Above ``capacity`` the least useful verbatim ones
    become dormant until ``trimmed`` are left. If two share ``share`` of the longer one's words, the older is a
    duplicate.
    """

    capacity: int
    trimmed: int
    share: float


@dataclass(frozen=True, slots=True)
class DreamSettings:
    """A recipe's dream. ``period_hours``: within it nothing is done twice; None: every cycle is a period of its own."""

    period_hours: float | None
    order: tuple[StepName, ...]
    tier_decay: TierDecay | None = None
    emotion: EmotionalConsolidation | None = None
    replay: Replay | None = None
    tiers: Tiers | None = None
    drift: Drift | None = None
    rehearsal: Rehearsal | None = None
    foresight: ForesightExpiry | None = None
    forgetting: Forgetting | None = None
    clustering: Clustering | None = None
    consolidation: Themes | None = None
    redundancy: Redundancy | None = None
    abstraction: Abstraction | None = None
    summaries: Summaries | None = None
    hot: Hot | None = None
    falling: Falling | None = None
    deduplication: Deduplication | None = None
    links: Links | None = None
    company: ClusterCandidates | None = None
    dormancy: Dormancy | None = None
    earning: Earning | None = None
    sweep: SweepSettings | None = None
    sharing: Sharing | None = None
    trimming: Trimming | None = None
    resting: Resting | None = None
