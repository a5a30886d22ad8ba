"""The co-retrieval log: a JSON file beside a host's memory of which memories were injected together.

It holds one entry for each retrieval, at most ``MAX_ENTRIES`` (the oldest are dropped), and the pairs that maintenance
found. It is written to a temporary file and moved into place under a lock, so that concurrent writers lose nothing and
a reader never sees half of it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

from reverie.durable import replace
from reverie.errors import InvalidExport
from reverie.locking import locked

Json: TypeAlias = dict[str, Any]

MAX_ENTRIES = 500


@dataclass(frozen=True, slots=True)
class CoRetrieval:
    """One retrieval: when, in which domain (empty: unknown), which memories, and in which cycle of the loop."""

    at: datetime
    domain: str
    memory_ids: tuple[str, ...]
    cycle: int


@dataclass(frozen=True, slots=True)
class ClusterCandidate:
    """Two memories that were retrieved together: how often, first and last when. It is only a proposal."""

    memory_ids: tuple[str, str]
    count: int
    first_seen: datetime
    last_seen: datetime


class CoRetrievalLog:
    """The log at ``path``; the first entry creates the file."""

    def __init__(self, path: Path, max_entries: int = MAX_ENTRIES) -> None:
        self._path = path
        self._max = max_entries

    def append(self, entry: CoRetrieval) -> None:
        """Add an entry; drop the oldest beyond the limit.

        Raises:
            InvalidExport: the file is not a co-retrieval log. It is left unchanged.
        """
        plain = {
            "timestamp": _written(entry.at),
            "query_domain": entry.domain,
            "memory_ids": list(entry.memory_ids),
            "cycle": entry.cycle,
        }
        with self._locked():
            held = self._read()
            held["entries"] = [*held["entries"], plain][-self._max :]
            self._write(held)

    def entries(self) -> list[CoRetrieval]:
        """Return every entry, oldest first."""
        return [
            CoRetrieval(_read(one["timestamp"]), one["query_domain"], tuple(one["memory_ids"]), one["cycle"])
            for one in self._read()["entries"]
        ]

    def set_candidates(self, candidates: Sequence[ClusterCandidate]) -> None:
        """Replace the cluster candidates; the entries stay."""
        with self._locked():
            held = self._read()
            held["cluster_candidates"] = [
                {
                    "memory_ids": list(one.memory_ids),
                    "co_retrieval_count": one.count,
                    "first_seen": _written(one.first_seen),
                    "last_seen": _written(one.last_seen),
                }
                for one in candidates
            ]
            self._write(held)

    def candidates(self) -> list[ClusterCandidate]:
        """Return the cluster candidates that maintenance found last."""
        return [
            ClusterCandidate(
                (one["memory_ids"][0], one["memory_ids"][1]),
                one["co_retrieval_count"],
                _read(one["first_seen"]),
                _read(one["last_seen"]),
            )
            for one in self._read()["cluster_candidates"]
        ]

    def _read(self) -> Json:
        try:
            held = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {"max_entries": self._max, "entries": [], "cluster_candidates": []}
        except (ValueError, OSError) as error:
            raise _unreadable(self._path, str(error)) from error
        if not isinstance(held, dict) or not isinstance(held.setdefault("entries", []), list):
            raise _unreadable(self._path, "it holds no entries")
        held.setdefault("cluster_candidates", [])
        return held | {"max_entries": self._max}

    def _write(self, held: Json) -> None:
        replace(self._path, json.dumps(held, indent=1).encode())

    def _locked(self) -> AbstractContextManager[None]:
        return locked(self._path.with_name(f"{self._path.name}.lock"), inf)


def _unreadable(path: Path, why: str) -> InvalidExport:
    return InvalidExport(f"{path} is no co-retrieval log ({why}).", "Move it away; a new one is begun.")


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _read(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
