"""Settings of a recipe's dream: its steps, their order, and the numbers of each step.

Nothing here has a default; published numbers are in ``recipes.*.dream``. A step whose settings are None is left out.
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
    """Steps that a dream can have."""

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
    SKILLS = "skill cards"
    COMPRESSION = "compression"
    RETENTION = "retention"


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
"""Document D's steps in its order; category summaries and the hot tier follow, since they need the result."""


class CurveLaw(StrEnum):
    """Forgetting curves to choose from."""

    POWER = "power"
    EXPONENTIAL = "exponential"
    FSRS6 = "fsrs6"


@dataclass(frozen=True, slots=True)
class FadingLaw:
    """How fast memories fade: the curve, and the divisor of stability in each tier.

    A memory with fewer accesses than ``rare_share`` of the mean is tested with ``rare_factor`` of its stability.
    """

    curve: CurveLaw
    episodic: float
    semantic: float
    rare_share: float
    rare_factor: float


@dataclass(frozen=True, slots=True)
class TierDecay:
    """Tier decay: active memories below ``fading_below`` become fading, fading ones above it active again."""

    law: FadingLaw
    fading_below: float


@dataclass(frozen=True, slots=True)
class EmotionalConsolidation:
    """Emotional consolidation: the factor on a flashbulb memory's stability, applied once."""

    factor: float


@dataclass(frozen=True, slots=True)
class Replay:
    """Replay: memories recalled together at least ``least_count`` times gain ``share`` of their stability."""

    least_count: int
    share: float


@dataclass(frozen=True, slots=True)
class Tiers:
    """Promotion of episodic memories to semantic, and demotion of semantic ones to dormant."""

    promotion: PromotionEdges
    demotion: DemotionEdges


@dataclass(frozen=True, slots=True)
class Drift:
    """Utility drift: daily share of the way to ``neutral``; ``daily``: compounded day by day."""

    rate: float
    neutral: float
    daily: bool


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Rehearsal: retention below which it applies, factor on stability, and limit per period."""

    law: FadingLaw
    below: float
    factor: float
    limit: int


@dataclass(frozen=True, slots=True)
class ForesightExpiry:
    """Foresight expiry, without numbers: memories with an end in the past are superseded."""


@dataclass(frozen=True, slots=True)
class Retention:
    """Minimum days a category is kept, and the categories that are always kept.

    ``other_days`` applies to all categories not named.
    """

    for_good: tuple[Kind, ...]
    days: tuple[tuple[Kind, float], ...]
    other_days: float

    def of(self, kind: Kind) -> float:
        """Return the minimum days a category is kept; inf for those always kept."""
        return inf if kind in self.for_good else dict(self.days).get(kind, self.other_days)


@dataclass(frozen=True, slots=True)
class Redundancy:
    """Redundancy: cosine above which two memories count as one, and limit of pairs per period.

    ``linking``: link the kept memory to the dormant one.
    ``used_share``: multiple of the mean accesses above which use protects.
    """

    above: float
    limit: int
    linking: bool
    retention: Retention
    used_share: float


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Forgetting: five rules in order; the fourth is the redundancy step with its settings.

    ``floor``: utility below which a memory unused for ``idle_days`` becomes dormant. More than ``capacity`` active
    memories are trimmed to ``trimmed``, the least useful first, of equals the least retrievable by ``law``.
    """

    law: FadingLaw
    floor: float
    idle_days: float
    redundancy: Redundancy
    capacity: int
    trimmed: int


@dataclass(frozen=True, slots=True)
class Clustering:
    """Clustering: conditions of belonging together, and the least and most memories of a cluster.

    ``nearness``: least cosine to the cluster's centre; None for no condition.
    """

    affinity: AffinityEdges
    least: int
    most: int
    nearness: float | None


@dataclass(frozen=True, slots=True)
class Themes:
    """Themes: limit per period, importance, and whether a theme supersedes its members."""

    limit: int
    importance: float
    supersede: bool


@dataclass(frozen=True, slots=True)
class Abstraction:
    """Abstraction: limit of patterns per period, which is also the number of largest clusters used, and importance."""

    limit: int
    importance: float


@dataclass(frozen=True, slots=True)
class Summaries:
    """Category summaries: least active memories, importance, and least seconds between two versions."""

    least: int
    importance: float
    cooldown_s: float


@dataclass(frozen=True, slots=True)
class Hot:
    """Hot tier: conditions, size, and the kinds of standing instructions that qualify by themselves."""

    edges: HotEdges
    limit: int
    standing: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Falling:
    """Thresholds of the two steps into dormancy."""

    edges: FallEdges


@dataclass(frozen=True, slots=True)
class Deduplication:
    """Deduplication: similarity on the host's (1 + cos)/2 scale, limits, and sources that count as the user's."""

    above: float
    limit: int
    nearest: int
    auto_deprecate_inferred: bool
    asserted: tuple[str, ...]
    load_bearing: str


@dataclass(frozen=True, slots=True)
class Links:
    """Links: least number of shared tags, and most links per memory."""

    least_shared: int
    limit: int


@dataclass(frozen=True, slots=True)
class ClusterCandidates:
    """Cluster candidates: pairs recalled together more often than ``above``."""

    above: int


@dataclass(frozen=True, slots=True)
class Dormancy:
    """Dormancy candidates: maintenance passes without an access, each ``cycle_days`` long."""

    threshold_cycles: float
    cycle_days: float


@dataclass(frozen=True, slots=True)
class Earning:
    """Earned importance: gain by events, and loss by neglect."""

    table: EventTable
    neglect: NeglectLaw


@dataclass(frozen=True, slots=True)
class SweepSettings:
    """The daily sweep: maximum ages by category, their extension by importance, thresholds, and later extension."""

    ages: Retention
    extensions: tuple[Extension, ...]
    edges: SweepEdges
    extend_by: float


@dataclass(frozen=True, slots=True)
class Sharing:
    """Sharing: conditions, the tag of a person's request, and the tag of what is shared."""

    edges: VaultPromotionEdges
    asked_tag: str
    done_tag: str


@dataclass(frozen=True, slots=True)
class Trimming:
    """Trimming: above ``capacity`` formed memories, the least useful become dormant until ``trimmed`` are left.

    Memories young for their category (``retention``) or used more than ``used_share`` times the mean go last.
    """

    capacity: int
    trimmed: int
    retention: Retention
    used_share: float


@dataclass(frozen=True, slots=True)
class Resting:
    """Resting: above ``capacity`` memories, formed and verbatim, episodes become dormant until ``trimmed`` are left.

    ``share``: common share of the longer one's words from which the older of two episodes counts as a repeat.
    """

    capacity: int
    trimmed: int
    share: float


@dataclass(frozen=True, slots=True)
class SkillCards:
    """Skill cards: made of at least ``least`` runs that ended, while the lower bound of the success rate is ``bound``.

    ``support``: runs that follow a workflow, at least.
    """

    least: int
    bound: float
    support: int


@dataclass(frozen=True, slots=True)
class Compression:
    """Compression: limit of digests per period, their importance, and the greatest share of tokens that one may take.

    ``share``: a digest longer than this share of its members' tokens is not worth making.
    """

    limit: int
    importance: float
    share: float


@dataclass(frozen=True, slots=True)
class DreamSettings:
    """Settings of a dream. ``period_hours``: no step repeats within a period; None: each dream is its own period."""

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
    skills: SkillCards | None = None
    compression: Compression | None = None
