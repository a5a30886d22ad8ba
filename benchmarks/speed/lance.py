"""LanceDB under the clock, as a memory system would use it, and as kindly as can be.

Hybrid search (vectors and its own full-text index, fused by its default reranker), ten counters added to in a narrow
table of their own. Indexes are built and the tables optimised before anything is timed, and the counters again off the
clock between blocks of recalls; above 10,000 messages the vectors are indexed too, as its documentation advises. (The
counters have no index: with one they were slower.)
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.speed.contender import TOP_K
from benchmarks.speed.measurements import Stopwatch
from benchmarks.speed.vectors import DIMS, FakeEmbedder
from reverie.errors import InvalidInput
from reverie.types import Message

BATCH = 1000
VECTOR_INDEX_ABOVE = 10_000


def available() -> bool:
    """Whether LanceDB is installed."""
    from importlib.util import find_spec

    return find_spec("lancedb") is not None


class LanceContender:
    """A table of messages and a narrow table of counters."""

    def __init__(self, folder: Path, embedder: FakeEmbedder) -> None:
        try:
            import lancedb
        except ImportError:
            raise InvalidInput("LanceDB is not installed.", "pip install 'path/to/reverie[bench]'") from None
        folder.mkdir(parents=True, exist_ok=True)
        # Any: an optional package without usable type information; this class is its adapter.
        self._database: Any = lancedb.connect(str(folder))
        self._embedder = embedder
        self._messages: Any = None
        self._counters: Any = None
        self._next = 0

    def build(self, messages: Iterator[Message]) -> list[float]:
        """Add in batches, then index and optimise; the time of that is shared out over all messages."""
        making = Stopwatch()
        source = making.over(messages)
        batches: list[float] = []
        while batch := list(islice(source, BATCH)):
            rows, counters = self._rows(batch), self._zeros(len(batch))
            started = perf_counter()
            self._add(rows, counters)
            batches.append((perf_counter() - started) * 1000.0 / len(batch))
            self._next += len(batch)
        started = perf_counter()
        self._index()
        share = (perf_counter() - started) * 1000.0 / max(self._next, 1)
        return [spent + share for spent in batches]

    def open(self) -> None:
        """Open both tables."""
        self._messages = self._database.open_table("messages")
        self._counters = self._database.open_table("counters")
        self._next = self._messages.count_rows()

    def recall(self, query: str) -> int:
        """Hybrid search for ten, then add one to the counter of each."""
        vector = self._embedder.embed_query(query)
        found = (
            self._messages.search(query_type="hybrid")
            .vector(vector)
            .text(query)
            .limit(TOP_K)
            .select(["id", "text", "said_at", "session", "speaker"])
            .to_list()
        )
        ids = ", ".join(str(row["id"]) for row in found)
        now = int(datetime.now(UTC).timestamp())
        self._counters.update(where=f"id IN ({ids})", values_sql={"count": "count + 1", "last": str(now)})
        return len(found)

    def settle(self) -> None:
        """Merge the fragments that counting has left; without it, every count would be slower than the last."""
        self._counters.optimize()

    def remember(self, message: Message) -> None:
        """One message; LanceDB does not wait for the disk."""
        rows, counters = self._rows([message]), self._zeros(1)
        self._messages.add(rows)
        self._counters.add(counters)
        self._next += 1

    def close(self) -> None:
        """Nothing to release: LanceDB holds no lock."""

    def _rows(self, batch: list[Message]) -> Any:
        import pyarrow as pa

        texts = [message.text for message in batch]
        vectors = pa.array(self._embedder.embed_passages(texts).ravel())
        return pa.table(
            {
                "id": pa.array(range(self._next, self._next + len(batch)), pa.int64()),
                "text": texts,
                "session": [message.session for message in batch],
                "speaker": [message.speaker for message in batch],
                "said_at": [message.at for message in batch],
                "vector": pa.FixedSizeListArray.from_arrays(vectors, DIMS),
            }
        )

    def _zeros(self, count: int) -> Any:
        import pyarrow as pa

        ids = pa.array(range(self._next, self._next + count), pa.int64())
        zeros = pa.array([0] * count, pa.int64())
        return pa.table({"id": ids, "count": zeros, "last": zeros})

    def _add(self, rows: Any, counters: Any) -> None:
        if self._messages is None:
            self._messages = self._database.create_table("messages", rows)
            self._counters = self._database.create_table("counters", counters)
        else:
            self._messages.add(rows)
            self._counters.add(counters)

    def _index(self) -> None:
        from lancedb.index import FTS, HnswSq

        self._messages.create_index("text", config=FTS())
        if self._next > VECTOR_INDEX_ABOVE:
            self._messages.create_index("vector", config=HnswSq(distance_type="cosine"))
        self._messages.optimize()
        self._counters.optimize()
