"""A pass of maintenance: in, a copy of a store with its vectors and counters; out, what is to be changed, in order."""

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

# A pass of maintenance: in, the memories of a store with their vectors and counters; out, what is to be changed.


_COMMON_SHARE = 0.1
_COMMON_LEAST = 12
"""A tag that more memories bear than this share of them, and than this number, tells none of them from the others."""


@dataclass(frozen=True, slots=True)
class DuplicatePair:
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
class KeptRecords:
    """The memories of a store that hold, in the order of its index, with their (n, d) unit vectors."""

    records: tuple[DocumentRecord, ...]
    vectors: FloatArray


@dataclass(frozen=True, slots=True)
class PassOutcome:
    """What a pass found.

    Attributes:
        pairs: what says the same.
        related: the new links of those memories whose links change.
        looked_at: the memories that were looked at for links; None: it was not time for that.
        clusters: what keeps being recalled together; None: that is switched off.
        dormant: what was never needed.
    """

    pairs: tuple[DuplicatePair, ...] = ()
    related: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    looked_at: tuple[str, ...] | None = None
    clusters: tuple[ClusterCandidate, ...] | None = None
    dormant: tuple[str, ...] = ()


def deduplicated(
    kept: KeptRecords, known: frozenset[tuple[str, str]], settings: Deduplication
) -> tuple[DuplicatePair, ...]:
    """The nearest pairs, as many as a pass may judge (A11). Whoever was told of a pair already is not told again.

    A pair is named above the threshold on the host's scale (reading 16), and acted on above it as a cosine: between the
    two lie too many that merely speak of the same thing.
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
    """The links of those memories whose links change (A10): both ways, to memories that are there.

    ``tags`` are those we read in the words, of which what nearly every memory bears tells nothing; those of the
    classification count always.
    """
    held = _both_ways(records)
    borne = [record.tags | own for record, own in zip(records, _telling(tags), strict=True)]
    found = linked_by_tags(borne, [others[: settings.limit] for others in held], *_law(settings))
    named = [tuple(records[other].memory.id for other in others) for others in found]
    return {record.memory.id: names for record, names in zip(records, named, strict=True) if names != record.related}


def _both_ways(records: Sequence[DocumentRecord]) -> list[list[int]]:
    """What each is linked with, by place: its own links to memories that are there, then theirs to it."""
    places = {record.memory.id: place for place, record in enumerate(records)}
    held = [[places[name] for name in record.related if name in places] for record in records]
    for place, others in enumerate([list(others) for others in held]):
        for other in others:
            if place not in held[other]:
                held[other].append(place)
    return held


def doubt(first: DocumentRecord, second: DocumentRecord, settings: Deduplication) -> str:
    """Why a person must decide between two that say the same."""
    found = resolve(_duplicate(first), _duplicate(second), settings.auto_deprecate_inferred)
    return (found if found.is_flag else Resolution.FLAG_ALIKE).value.removeprefix("flagged: ")


def clusters(retrievals: Sequence[CoRetrieval], settings: ClusterCandidates) -> tuple[ClusterCandidate, ...]:
    """The pairs that came together more often than the edge (A9)."""
    seen = [RetrievalEvent(one.at.timestamp(), one.memory_ids) for one in retrievals]
    return tuple(
        ClusterCandidate(pair.ids, pair.count, _at(pair.first_s), _at(pair.last_s))
        for pair in candidates(seen, settings.above)
    )


def dormant(
    records: Sequence[DocumentRecord], entries: Mapping[str, LedgerEntry], passes: int, settings: Dormancy
) -> tuple[str, ...]:
    """The memories that were never injected in more passes than the edge (A12). They are named, nothing else."""
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
    """What a memory is about: its entities and keywords, never what its classifier calls it (reading 18)."""
    return frozenset(tag.casefold() for tag in (*entities(text), *keywords(text)))


def kept(ids: Sequence[str], vectors: FloatArray, recorded: Callable[[str], DocumentRecord | None]) -> KeptRecords:
    """The memories that hold among the documents of an index."""
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
    """The tags without those that nearly everything bears."""
    bearers = Counter(tag for own in tags for tag in own)
    most = max(_COMMON_LEAST, int(_COMMON_SHARE * len(tags)))
    common = {tag for tag, count in bearers.items() if count > most}
    return [own - common for own in tags]


def _law(settings: Links) -> tuple[int, int]:
    return settings.least_shared, settings.limit


def _at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


# A pass of maintenance from beginning to end: in, a copy of a store; out, what it found, in the document's order.


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Copy:
    """A store as it was when its pass began: documents by id, ids and unit vectors by place, and our counters."""

    docs: Mapping[str, Any]
    ids: tuple[str, ...]
    vectors: FloatArray
    book: Book
    now: datetime


class Planning:
    """One pass. ``faults`` names the components that had to be left out."""

    def __init__(
        self, copy: Copy, settings: HostSettings, log: CoRetrievalLog, tags_of: Callable[[str, str], frozenset[str]]
    ) -> None:
        self._copy, self._settings, self._log, self._tags_of = copy, settings, log, tags_of
        self.faults: list[str] = []

    def __call__(self) -> PassOutcome:
        """What the pass found."""
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
