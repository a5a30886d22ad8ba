"""A pass of maintenance from beginning to end: in, a copy of a store; out, what it found, in the document's order.

It runs in a thread of its own: nothing of the host's is written here, only the cluster candidates go into their file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from reverie.exchange.co_retrieval_log import ClusterCandidate, CoRetrievalLog
from reverie.faces.agent_zero import upkeep
from reverie.faces.agent_zero.ledger import Book
from reverie.faces.agent_zero.records import Record, holds, record
from reverie.faces.agent_zero.settings import Settings
from reverie.faces.agent_zero.upkeep import Kept, Outcome, Pair
from reverie.types import FloatArray

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
        self, copy: Copy, settings: Settings, log: CoRetrievalLog, tags_of: Callable[[str, str], frozenset[str]]
    ) -> None:
        self._copy, self._settings, self._log, self._tags_of = copy, settings, log, tags_of
        self.faults: list[str] = []

    def __call__(self) -> Outcome:
        """What the pass found."""
        kept = upkeep.kept(self._copy.ids, self._copy.vectors, self._recorded)
        pairs = self._tried("deduplication", lambda: self._pairs(kept)) or ()
        gone = {pair.goes for pair in pairs}
        left = tuple(one for one in kept.records if one.memory.id not in gone)
        active = tuple(one for one in left if one.is_active)
        related = self._tried("related_memories", lambda: self._related(active))
        clusters = self._tried("co_retrieval", self._clusters)
        dormant = self._tried("dormancy", lambda: self._dormant(left)) or ()
        looked_at = None if related is None else tuple(one.memory.id for one in active)
        return Outcome(pairs, related or {}, looked_at, clusters, dormant)

    def _recorded(self, name: str) -> Record | None:
        document = self._copy.docs.get(name)
        if document is None or not holds(document.metadata):
            return None
        return record(name, document.page_content, document.metadata, self._copy.now)

    def _pairs(self, kept: Kept) -> tuple[Pair, ...]:
        how = self._settings.deduplication
        return upkeep.deduplicated(kept, self._copy.book.flagged, how) if how else ()

    def _related(self, records: tuple[Record, ...]) -> dict[str, tuple[str, ...]] | None:
        how, book = self._settings.links, self._copy.book
        if how is None or book.loops - book.linked_at < self._settings.rebuild_loops:
            return None
        tags = [self._tags_of(one.memory.id, one.memory.text) for one in records]
        return upkeep.linked(records, tags, how)

    def _clusters(self) -> tuple[ClusterCandidate, ...] | None:
        how = self._settings.company
        entries = self._log.entries() if how else []
        if how is None or not entries:
            return None if how is None else ()
        found = upkeep.clusters(entries, how)
        self._log.set_candidates(found)
        return found

    def _dormant(self, records: tuple[Record, ...]) -> tuple[str, ...]:
        how, book = self._settings.dormancy, self._copy.book
        return upkeep.dormant(records, book.entries, book.passes, how) if how else ()

    def _tried(self, name: str, component: Callable[[], T]) -> T | None:
        try:
            return component()
        except Exception as error:  # noqa: BLE001 - a component that fails is skipped, the others go on (A13)
            self.faults.append(f"{name} skipped: {type(error).__name__}")
            return None
