"""Plan a pass of maintenance: from a copy of a store with vectors and counters, find what to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

import numpy as np

from reverie.consolidate.settings import ClusterCandidates, Deduplication, Dormancy, Links
from reverie.exchange.co_retrieval_log import ClusterCandidate, CoRetrieval, CoRetrievalLog
from reverie.faces.agent_zero.ledger import Book, LedgerEntry
from reverie.faces.agent_zero.records import DocumentRecord, holds, pairs, record
from reverie.faces.agent_zero.settings import HostSettings
from reverie.formulas.associations import RetrievalEvent, candidates
from reverie.formulas.associations import links as linked_by_tags
from reverie.formulas.gates import Duplicate, Resolution, resolve
from reverie.formulas.similarity_scales import a0_to_cosine, cosine_to_a0
from reverie.formulas.tiers import is_candidate
from reverie.language.names.entities import entities
from reverie.language.text.analyzer import keywords
from reverie.types import FloatArray

_COMMON_SHARE = 0.1
_COMMON_LEAST = 12
"""A tag on more memories than this share and than this number is too common to distinguish any."""


@dataclass(frozen=True, slots=True)
class DuplicatePair:
    """Two memories that say the same: their ids, similarity on the host's scale, and which one is to be deprecated."""

    first: str
    second: str
    similarity: float
    resolution: Resolution

    @property
    def goes(self) -> str:
        """Id of the memory to be deprecated; empty if a person must decide."""
        if self.resolution.is_flag:
            return ""
        return self.second if self.resolution is Resolution.KEEP_FIRST else self.first

    @property
    def stays(self) -> str:
        """Id of the memory that supersedes it; empty if a person must decide."""
        if self.resolution.is_flag:
            return ""
        return self.first if self.resolution is Resolution.KEEP_FIRST else self.second

    @property
    def ids(self) -> tuple[str, str]:
        """Both ids, in order."""
        return (self.first, self.second) if self.first < self.second else (self.second, self.first)


@dataclass(frozen=True, slots=True)
class KeptRecords:
    """The memories of a store that hold, in the order of its index, with their (n, d) unit vectors."""

    records: tuple[DocumentRecord, ...]
    vectors: FloatArray


@dataclass(frozen=True, slots=True)
class PassOutcome:
    """The findings of a pass.

    Attributes:
        pairs: duplicates.
        related: the new links of memories whose links change.
        looked_at: the memories examined for links; None if linking was not due.
        clusters: pairs that are recalled together often; None if that is switched off.
        dormant: memories that were never recalled.
    """

    pairs: tuple[DuplicatePair, ...] = ()
    related: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    looked_at: tuple[str, ...] | None = None
    clusters: tuple[ClusterCandidate, ...] | None = None
    dormant: tuple[str, ...] = ()


def deduplicated(
    kept: KeptRecords, known: frozenset[tuple[str, str]], settings: Deduplication
) -> tuple[DuplicatePair, ...]:
    """Return the nearest pairs of duplicates, as many as a pass may judge, without pairs already reported.

    A pair is reported above the threshold on the host's scale (reading 16), and deprecated only if its cosine is above
    it:
    between the two lie too many that are merely on the same topic.
    """
    rows = kept.records
    gone: set[int] = set()
    judged: list[DuplicatePair] = []
    for one, other, cosine in pairs(kept.vectors, float(a0_to_cosine(settings.above)), settings.nearest):
        if len(judged) >= settings.limit:
            break
        if one in gone or other in gone:
            continue
        first, second = rows[one], rows[other]
        found = resolve(_duplicate(first), _duplicate(second), settings.auto_deprecate_inferred)
        if not found.is_flag and cosine <= settings.above:
            found = Resolution.FLAG_ALIKE
        pair = DuplicatePair(first.memory.id, second.memory.id, float(cosine_to_a0(cosine)), found)
        if pair.ids in known:
            continue
        judged.append(pair)
        if not found.is_flag:
            gone.add(other if found is Resolution.KEEP_FIRST else one)
    return tuple(judged)


def linked(
    records: Sequence[DocumentRecord], tags: Sequence[frozenset[str]], settings: Links
) -> dict[str, tuple[str, ...]]:
    """Return the new links of memories whose links change: in both directions, to existing memories.

    ``tags`` are those read in the texts, of which the most common are ignored; the classification's tags always count.
    """
    held = _both_ways(records)
    borne = [record.tags | own for record, own in zip(records, _telling(tags), strict=True)]
    found = linked_by_tags(borne, [others[: settings.limit] for others in held], *_law(settings))
    named = [tuple(records[other].memory.id for other in others) for others in found]
    return {record.memory.id: names for record, names in zip(records, named, strict=True) if names != record.related}


def _both_ways(records: Sequence[DocumentRecord]) -> list[list[int]]:
    """Return each memory's links by position: its own to existing memories, then theirs to it."""
    places = {record.memory.id: place for place, record in enumerate(records)}
    held = [[places[name] for name in record.related if name in places] for record in records]
    for place, others in enumerate([list(others) for others in held]):
        for other in others:
            if place not in held[other]:
                held[other].append(place)
    return held


def doubt(first: DocumentRecord, second: DocumentRecord, settings: Deduplication) -> str:
    """Return why a person must decide between two memories that say the same."""
    found = resolve(_duplicate(first), _duplicate(second), settings.auto_deprecate_inferred)
    return (found if found.is_flag else Resolution.FLAG_ALIKE).value.removeprefix("flagged: ")


def clusters(retrievals: Sequence[CoRetrieval], settings: ClusterCandidates) -> tuple[ClusterCandidate, ...]:
    """Return the pairs retrieved together more often than the threshold."""
    seen = [RetrievalEvent(one.at.timestamp(), one.memory_ids) for one in retrievals]
    return tuple(
        ClusterCandidate(pair.ids, pair.count, _at(pair.first_s), _at(pair.last_s))
        for pair in candidates(seen, settings.above)
    )


def dormant(
    records: Sequence[DocumentRecord], entries: Mapping[str, LedgerEntry], passes: int, settings: Dormancy
) -> tuple[str, ...]:
    """Return the memories never injected in more passes than the threshold. They are only reported."""
    known = [(record, entries.get(record.memory.id, LedgerEntry(since=passes))) for record in records]
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
    """Return a text's topics: its entities and keywords, never the classifier's labels (reading 18)."""
    return frozenset(tag.casefold() for tag in (*entities(text), *keywords(text)))


def kept(ids: Sequence[str], vectors: FloatArray, recorded: Callable[[str], DocumentRecord | None]) -> KeptRecords:
    """Return the memories that hold among the documents of an index."""
    found = [(place, record) for place, name in enumerate(ids) if (record := recorded(name)) is not None]
    return KeptRecords(tuple(record for _, record in found), vectors[np.array([place for place, _ in found], np.int64)])


def _duplicate(record: DocumentRecord) -> Duplicate:
    return Duplicate(
        created_s=record.memory.recorded_at.timestamp(),
        load_bearing=record.utility == "load_bearing",
        confirmed=record.validity == "confirmed",
        user_asserted=record.source == "user_asserted",
    )


def _telling(tags: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Return the tags of each memory without the most common ones."""
    bearers = Counter(tag for own in tags for tag in own)
    most = max(_COMMON_LEAST, int(_COMMON_SHARE * len(tags)))
    common = {tag for tag, count in bearers.items() if count > most}
    return [own - common for own in tags]


def _law(settings: Links) -> tuple[int, int]:
    return settings.least_shared, settings.limit


def _at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Copy:
    """A store when its pass began: documents by id, ids and unit vectors by position, and the counters."""

    docs: Mapping[str, Any]
    ids: tuple[str, ...]
    vectors: FloatArray
    book: Book
    now: datetime


class Planning:
    """Plans one pass of maintenance. ``faults`` names the components that failed and were skipped."""

    def __init__(
        self, copy: Copy, settings: HostSettings, log: CoRetrievalLog, tags_of: Callable[[str, str], frozenset[str]]
    ) -> None:
        self._copy, self._settings, self._log, self._tags_of = copy, settings, log, tags_of
        self.faults: list[str] = []

    def __call__(self) -> PassOutcome:
        """Plan the pass and return its findings."""
        copies = kept(self._copy.ids, self._copy.vectors, self._recorded)
        pairs = self._tried("deduplication", lambda: self._pairs(copies)) or ()
        gone = {pair.goes for pair in pairs}
        left = tuple(one for one in copies.records if one.memory.id not in gone)
        active = tuple(one for one in left if one.is_active)
        related = self._tried("related_memories", lambda: self._related(active))
        clusters = self._tried("co_retrieval", self._clusters)
        dormant = self._tried("dormancy", lambda: self._dormant(left)) or ()
        looked_at = None if related is None else tuple(one.memory.id for one in active)
        return PassOutcome(pairs, related or {}, looked_at, clusters, dormant)

    def _recorded(self, name: str) -> DocumentRecord | None:
        document = self._copy.docs.get(name)
        if document is None or not holds(document.metadata):
            return None
        return record(name, document.page_content, document.metadata, self._copy.now)

    def _pairs(self, kept: KeptRecords) -> tuple[DuplicatePair, ...]:
        how = self._settings.deduplication
        return deduplicated(kept, self._copy.book.flagged, how) if how else ()

    def _related(self, records: tuple[DocumentRecord, ...]) -> dict[str, tuple[str, ...]] | None:
        how, book = self._settings.links, self._copy.book
        if how is None or book.loops - book.linked_at < self._settings.rebuild_loops:
            return None
        tags = [self._tags_of(one.memory.id, one.memory.text) for one in records]
        return linked(records, tags, how)

    def _clusters(self) -> tuple[ClusterCandidate, ...] | None:
        how = self._settings.company
        entries = self._log.entries() if how else []
        if how is None or not entries:
            return None if how is None else ()
        found = clusters(entries, how)
        self._log.set_candidates(found)
        return found

    def _dormant(self, records: tuple[DocumentRecord, ...]) -> tuple[str, ...]:
        how, book = self._settings.dormancy, self._copy.book
        return dormant(records, book.entries, book.passes, how) if how else ()

    def _tried(self, name: str, component: Callable[[], T]) -> T | None:
        try:
            return component()
        except Exception as error:  # noqa: BLE001 - a component that fails is skipped, the others go on (A13)
            self.faults.append(f"{name} skipped: {type(error).__name__}")
            return None
