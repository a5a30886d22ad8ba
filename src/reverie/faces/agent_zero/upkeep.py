"""A pass of maintenance: in, the memories of a store with their vectors and counters; out, what is to be changed.

Deduplication, links, cluster candidates, dormancy, in the document's order (A9 to A12, A14a). Nothing is written here,
and nothing is ever deleted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from reverie.consolidate.settings import Company, Deduplication, Dormancy, Links
from reverie.exchange.co_retrieval_log import ClusterCandidate, CoRetrieval
from reverie.faces.agent_zero.faiss_index import pairs
from reverie.faces.agent_zero.ledger import Entry
from reverie.faces.agent_zero.records import Record
from reverie.formulas.co_retrieval import Retrieval, candidates
from reverie.formulas.dedup_resolution import Duplicate, Resolution, resolve
from reverie.formulas.dormancy import is_candidate
from reverie.formulas.link_by_tags import links as linked_by_tags
from reverie.formulas.similarity_scales import a0_to_cosine, cosine_to_a0
from reverie.language.names.entities import entities
from reverie.language.text.analyzer import keywords
from reverie.types import FloatArray

_COMMON_SHARE = 0.1
_COMMON_LEAST = 12
"""A tag that more memories bear than this share of them, and than this number, tells none of them from the others."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories that say the same: what becomes of them, how alike on the host's scale, and who goes for whom."""

    first: str
    second: str
    similarity: float
    resolution: Resolution

    @property
    def goes(self) -> str:
        """The one that is deprecated; empty where a person must decide."""
        if self.resolution.is_flag:
            return ""
        return self.second if self.resolution is Resolution.KEEP_FIRST else self.first

    @property
    def stays(self) -> str:
        """The one that supersedes it; empty where a person must decide."""
        if self.resolution.is_flag:
            return ""
        return self.first if self.resolution is Resolution.KEEP_FIRST else self.second

    @property
    def ids(self) -> tuple[str, str]:
        """Both, in order."""
        return (self.first, self.second) if self.first < self.second else (self.second, self.first)


@dataclass(frozen=True, slots=True)
class Kept:
    """The memories of a store that hold, in the order of its index, with their (n, d) unit vectors."""

    records: tuple[Record, ...]
    vectors: FloatArray


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a pass found.

    Attributes:
        pairs: what says the same.
        related: the new links of those memories whose links change.
        looked_at: the memories that were looked at for links; None: it was not time for that.
        clusters: what keeps being recalled together; None: that is switched off.
        dormant: what was never needed.
    """

    pairs: tuple[Pair, ...] = ()
    related: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    looked_at: tuple[str, ...] | None = None
    clusters: tuple[ClusterCandidate, ...] | None = None
    dormant: tuple[str, ...] = ()


def deduplicated(kept: Kept, known: frozenset[tuple[str, str]], settings: Deduplication) -> tuple[Pair, ...]:
    """The nearest pairs, as many as a pass may judge (A11). Whoever was told of a pair already is not told again.

    A pair is named above the threshold on the host's scale (reading 16), and acted on above it as a cosine: between the
    two lie too many that merely speak of the same thing.
    """
    rows = kept.records
    gone: set[int] = set()
    judged: list[Pair] = []
    for one, other, cosine in pairs(kept.vectors, float(a0_to_cosine(settings.above)), settings.nearest):
        if len(judged) >= settings.limit:
            break
        if one in gone or other in gone:
            continue
        first, second = rows[one], rows[other]
        found = resolve(_duplicate(first), _duplicate(second), settings.auto_deprecate_inferred)
        if not found.is_flag and cosine <= settings.above:
            found = Resolution.FLAG_ALIKE
        pair = Pair(first.memory.id, second.memory.id, float(cosine_to_a0(cosine)), found)
        if pair.ids in known:
            continue
        judged.append(pair)
        if not found.is_flag:
            gone.add(other if found is Resolution.KEEP_FIRST else one)
    return tuple(judged)


def linked(records: Sequence[Record], tags: Sequence[frozenset[str]], settings: Links) -> dict[str, tuple[str, ...]]:
    """The links of those memories whose links change (A10): both ways, to memories that are there.

    ``tags`` are those we read in the words, of which what nearly every memory bears tells nothing; those of the
    classification count always.
    """
    places = {record.memory.id: place for place, record in enumerate(records)}
    held = [[places[name] for name in record.related if name in places] for record in records]
    for place, others in enumerate([list(others) for others in held]):
        for other in others:
            if place not in held[other]:
                held[other].append(place)
    borne = [record.tags | own for record, own in zip(records, _telling(tags), strict=True)]
    found = linked_by_tags(borne, [others[: settings.limit] for others in held], *_law(settings))
    named = [tuple(records[other].memory.id for other in others) for others in found]
    return {record.memory.id: names for record, names in zip(records, named, strict=True) if names != record.related}


def doubt(first: Record, second: Record, settings: Deduplication) -> str:
    """Why a person must decide between two that say the same."""
    found = resolve(_duplicate(first), _duplicate(second), settings.auto_deprecate_inferred)
    return (found if found.is_flag else Resolution.FLAG_ALIKE).value.removeprefix("flagged: ")


def clusters(retrievals: Sequence[CoRetrieval], settings: Company) -> tuple[ClusterCandidate, ...]:
    """The pairs that came together more often than the edge (A9)."""
    seen = [Retrieval(one.at.timestamp(), one.memory_ids) for one in retrievals]
    return tuple(
        ClusterCandidate(pair.ids, pair.count, _at(pair.first_s), _at(pair.last_s))
        for pair in candidates(seen, settings.above)
    )


def dormant(
    records: Sequence[Record], entries: Mapping[str, Entry], passes: int, settings: Dormancy
) -> tuple[str, ...]:
    """The memories that were never injected in more passes than the edge (A12). They are named, nothing else."""
    known = [(record, entries.get(record.memory.id, Entry(since=passes))) for record in records]
    return tuple(
        record.memory.id
        for record, entry in known
        if is_candidate(
            max(entry.accesses, record.memory.accesses),
            (passes - entry.since) / settings.cycle_days,
            settings.threshold_cycles,
        )
    )


def tags(text: str) -> frozenset[str]:
    """What a memory is about: its entities and keywords, never what its classifier calls it (reading 18)."""
    return frozenset(tag.casefold() for tag in (*entities(text), *keywords(text)))


def kept(ids: Sequence[str], vectors: FloatArray, recorded: Callable[[str], Record | None]) -> Kept:
    """The memories that hold among the documents of an index."""
    found = [(place, record) for place, name in enumerate(ids) if (record := recorded(name)) is not None]
    return Kept(tuple(record for _, record in found), vectors[np.array([place for place, _ in found], np.int64)])


def _duplicate(record: Record) -> Duplicate:
    return Duplicate(
        created_s=record.memory.recorded_at.timestamp(),
        load_bearing=record.utility == "load_bearing",
        confirmed=record.validity == "confirmed",
        user_asserted=record.source == "user_asserted",
    )


def _telling(tags: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """The tags without those that nearly everything bears."""
    bearers = Counter(tag for own in tags for tag in own)
    most = max(_COMMON_LEAST, int(_COMMON_SHARE * len(tags)))
    common = {tag for tag, count in bearers.items() if count > most}
    return [own - common for own in tags]


def _law(settings: Links) -> tuple[int, int]:
    return settings.least_shared, settings.limit


def _at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
