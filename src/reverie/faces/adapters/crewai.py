"""Storage for CrewAI's memory on Reverie.

From an engine and a scope, make a ``StorageBackend`` with its ``embedder``, for
``Memory(storage=storage, embedder=storage.embedder)``. CrewAI queries its storage with a vector, but Reverie recalls by
text; so the embedder remembers the texts of its latest vectors, and the storage recalls by these.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from threading import Lock
from typing import Any

from reverie.engine.core import Reverie
from reverie.errors import InvalidInput
from reverie.extras import lacking
from reverie.faces.adapters.shelf import ShelfEntry, Shelves
from reverie.models.hashing import HashEmbedder
from reverie.types import Scope

try:
    from crewai.memory.types import MemoryRecord, ScopeInfo
except ImportError as error:
    raise lacking("crewai", "The adapter for CrewAI") from error

_RECENT = 4096
"""Most recent texts that an embedder can find again by their vector."""
_ALL = 10_000


class WordEmbedder:
    """A callable embedder for CrewAI that also returns the text a vector was made from."""

    def __init__(self) -> None:
        self._model = HashEmbedder()
        self._texts: OrderedDict[tuple[float, ...], str] = OrderedDict()
        self._lock = Lock()

    def __call__(self, input: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text."""
        rows: list[list[float]] = self._model.embed_passages(list(input)).tolist()
        with self._lock:
            for text, row in zip(input, rows, strict=True):
                self._texts[tuple(row)] = text
                self._texts.move_to_end(tuple(row))
            while len(self._texts) > _RECENT:
                self._texts.popitem(last=False)
        return rows

    def text(self, vector: Sequence[float]) -> str:
        """Return the text a vector was made from. Raises InvalidInput for a vector of another embedder."""
        with self._lock:
            found = self._texts.get(tuple(vector))
        if found is None:
            raise InvalidInput(
                "CrewAI asks with a vector that this storage's embedder did not make.",
                "Give it both: Memory(storage=storage, embedder=storage.embedder).",
            )
        return found


class ReverieStorage:
    """CrewAI's records, stored in an engine's scope.

    A record's content is on one shelf, from which it is recalled, its fields on another. CrewAI's own scopes
    ("/crew/research") are only fields for sorting, not separate memories. ``erase``: deleting is for good.
    """

    def __init__(self, engine: Reverie, scope: Scope, *, erase: bool = False) -> None:
        shelves = Shelves(engine, scope, "crewai", erase=erase)
        self._contents = shelves.at()
        self._fields = shelves.at(("fields",))
        self.embedder = WordEmbedder()

    def save(self, records: list[MemoryRecord]) -> None:
        """Store records; one with a known id replaces the earlier one."""
        for record in records:
            fields = record.model_dump(mode="json", exclude={"content", "embedding"})
            self._fields.put(record.id, json.dumps(fields, ensure_ascii=False))
            self._contents.put(record.id, record.content, exact=False)

    def search(
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        """Return what Reverie recalls for the text behind the vector, with a similarity from 0 to 1.

        The similarity is the cosine of Reverie's model, as CrewAI's thresholds expect; without a model it is the score
        divided by the best one. Filters choose among the recalled records.
        """
        wanted = _Wanted(scope_prefix, categories, metadata_filter)
        found = self._contents.find(self.embedder.text(query_embedding), limit if wanted.everything else _ALL)
        best = max((each.score for each in found), default=0.0) or 1.0
        scored = [(each.entry, each.score / best if each.cosine is None else each.cosine) for each in found]
        held = [(self._record(entry), min(1.0, max(0.0, score))) for entry, score in scored]
        fitting = [pair for pair in held if wanted.fits(pair[0]) and pair[1] >= min_score]
        return fitting[: max(0, limit)]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Delete the records that meet every condition, and return their number."""
        wanted = _Wanted(scope_prefix, categories, metadata_filter, older_than)
        gone = [record for record in self._named(record_ids) if wanted.fits(record)]
        for record in gone:
            self._contents.drop(record.id)
            self._fields.drop(record.id)
        return len(gone)

    def update(self, record: MemoryRecord) -> None:
        """Replace the record with the same id."""
        self.save([record])

    def get_record(self, record_id: str) -> MemoryRecord | None:
        """Return one record; None if there is none."""
        entry = self._contents.get(record_id)
        return None if entry is None else self._record(entry)

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        """Return the records at or below a scope, newest first."""
        found = sorted(self._within(scope_prefix), key=lambda record: _instant(record.created_at), reverse=True)
        return found[offset : offset + limit]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        """Return counts, categories and times of the records at or below a scope."""
        path = _path(scope)
        records = list(self._within(path))
        times = sorted((record.created_at for record in records), key=_instant)
        return ScopeInfo(
            path=path,
            record_count=len(records),
            categories=sorted({category for record in records for category in record.categories}),
            oldest_record=times[0] if times else None,
            newest_record=times[-1] if times else None,
            child_scopes=_children(path, records),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        """Return the scopes directly below one."""
        return _children(_path(parent), self._within(parent))

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """Return every category with its number of records."""
        return dict(Counter(category for record in self._within(scope_prefix) for category in record.categories))

    def count(self, scope_prefix: str | None = None) -> int:
        """Return the number of records at or below a scope."""
        return sum(1 for _ in self._within(scope_prefix))

    def reset(self, scope_prefix: str | None = None) -> None:
        """Delete everything at or below a scope."""
        self.delete(scope_prefix=scope_prefix)

    async def asave(self, records: list[MemoryRecord]) -> None:
        """Run ``save`` in a thread."""
        await asyncio.to_thread(self.save, records)

    async def asearch(
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:
        """Run ``search`` in a thread."""
        asked = (query_embedding, scope_prefix, categories, metadata_filter, limit, min_score)
        return await asyncio.to_thread(self.search, *asked)

    async def adelete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Run ``delete`` in a thread."""
        conditions = (scope_prefix, categories, record_ids, older_than, metadata_filter)
        return await asyncio.to_thread(self.delete, *conditions)

    def _record(self, entry: ShelfEntry) -> MemoryRecord:
        fields = self._fields.get(entry.key)
        held = {"id": entry.key} if fields is None else json.loads(fields.text)
        return MemoryRecord(**{**held, "content": entry.text})

    def _named(self, record_ids: Iterable[str] | None) -> Iterator[MemoryRecord]:
        """Yield the existing records with these ids; None: all records."""
        if record_ids is None:
            fields = {entry.key: json.loads(entry.text) for entry in self._fields.entries()}
            for entry in self._contents.entries():
                yield MemoryRecord(**{**fields.get(entry.key, {"id": entry.key}), "content": entry.text})
            return
        for name in dict.fromkeys(record_ids):
            record = self.get_record(name)
            if record is not None:
                yield record

    def _within(self, scope: str | None) -> Iterator[MemoryRecord]:
        wanted = _Wanted(scope)
        return (record for record in self._named(None) if wanted.fits(record))


class _Wanted:
    """CrewAI's conditions on a record; None is no condition."""

    def __init__(
        self,
        scope: str | None,
        categories: Sequence[str] | None = None,
        metadata: dict[str, Any] | None = None,
        older_than: datetime | None = None,
    ) -> None:
        self._path = _path(scope or "/")
        self._categories = set(categories or ())
        self._metadata = metadata or {}
        self._older_than = older_than

    @property
    def everything(self) -> bool:
        """Whether there is no condition."""
        return self._path == "/" and not self._categories and not self._metadata and self._older_than is None

    def fits(self, record: MemoryRecord) -> bool:
        """Whether a record meets every condition."""
        if self._path != "/" and not f"{_path(record.scope)}/".startswith(f"{self._path}/"):
            return False
        if self._categories and not self._categories & set(record.categories):
            return False
        if self._older_than is not None and _instant(record.created_at) >= _instant(self._older_than):
            return False
        return all(record.metadata.get(name) == value for name, value in self._metadata.items())


def _path(scope: str) -> str:
    """Return a scope with one slash before each name: "crew/a/" is "/crew/a"."""
    return "/" + "/".join(name for name in scope.split("/") if name)


def _children(path: str, records: Iterable[MemoryRecord]) -> list[str]:
    start = path if path == "/" else f"{path}/"
    paths = [_path(record.scope) for record in records]
    below = {found[len(start) :].split("/")[0] for found in paths if found.startswith(start) and found != start}
    return sorted(start + name for name in below)


def _instant(at: datetime) -> datetime:
    """Convert a time to UTC; CrewAI's times have no zone and mean UTC."""
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
