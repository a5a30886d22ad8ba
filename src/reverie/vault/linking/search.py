"""Search in a linked vault: the same results as the vault's own search, from an index kept in memory."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import numpy as np
import numpy.typing as npt

from reverie.errors import StoreError
from reverie.formulas import text_similarity
from reverie.formulas.freshness import effective_max_age, freshness
from reverie.formulas.vault import Name
from reverie.ports import Clock
from reverie.types import BoolArray
from reverie.vault.contents import FileFault
from reverie.vault.files import Places
from reverie.vault.front import Malformed
from reverie.vault.laws import Laws
from reverie.vault.linking.links import Stamp, mark
from reverie.vault.linking.scan import raw_of, settled, stamps
from reverie.vault.observation import Observation, observation
from reverie.vault.search import VaultHit, VaultHits, VaultQuery, absent, snippet, terms

Numbers = npt.NDArray[np.float64]
Ordinals = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ObservationRow:
    """The search index's entry for a file: its term counts and its fields. ``agent`` is "" for a shared file."""

    agent: str
    name: str
    path: Path
    importance: float
    created: date
    max_age_days: float
    promoted: bool
    body: str
    terms: Ordinals
    counts: Numbers


@dataclass(frozen=True, slots=True)
class Look:
    """The view of one agent on one day: the rows considered, their freshness, and the weight of each term."""

    among: BoolArray
    fresh: Numbers
    idfs: Numbers
    lengths: Numbers


@dataclass(slots=True)
class ObservationColumns:
    """Every row, in order of path, and the vocabulary of all of them."""

    rows: Sequence[ObservationRow]
    words: Mapping[str, int]
    laws: Laws
    _looks: dict[tuple[str | None, date], Look] = field(default_factory=dict)
    _terms: Ordinals = field(init=False)
    _counts: Numbers = field(init=False)
    _importance: Numbers = field(init=False)
    _aging: list[tuple[date, float, float]] = field(init=False)
    _docs: Ordinals = field(init=False)

    def __post_init__(self) -> None:
        """Concatenate the terms of all rows."""
        sizes = np.array([len(row.terms) for row in self.rows], np.int64)
        self._terms = np.concatenate([np.empty(0, np.int64), *(row.terms for row in self.rows)])
        self._counts = np.concatenate([np.empty(0), *(row.counts for row in self.rows)])
        self._aging = [(row.created, row.max_age_days, row.importance) for row in self.rows]
        self._importance = np.array([row.importance for row in self.rows])
        self._docs = np.repeat(np.arange(len(self.rows)), sizes)

    def best(
        self, asked: Counter[str], agent: str | None, today: date, most: int
    ) -> list[tuple[ObservationRow, float, float]]:
        """Return the best rows with score and freshness, ranked as the vault's own search does; ``agent`` None: all
        agents.
        """
        look = self._look(agent, today)
        numbers = {self.words[term]: count for term, count in asked.items() if term in self.words}
        weights = {number: float(count * look.idfs[number]) for number, count in numbers.items()}
        wanted = {number: weight for number, weight in weights.items() if weight > 0.0}
        near = self._near(wanted, look, most)
        exact = [(self._exactly(int(place), wanted, look), int(place)) for place in near]
        ordered = sorted(exact, key=lambda one: (-one[0], -self.rows[one[1]].created.toordinal(), one[1]))
        return [(self.rows[place], score, float(look.fresh[place])) for score, place in ordered[:most]]

    def _near(self, wanted: Mapping[int, float], look: Look, most: int) -> Ordinals:
        """Return the rows that may be among the best: sums in another order can differ in their last digits."""
        dots = np.zeros(len(self.rows))
        for number, weight in wanted.items():
            held = np.flatnonzero(self._terms == number)
            dots[self._docs[held]] += self._counts[held] * look.idfs[number] * weight
        found = np.flatnonzero((dots > 0.0) & look.among)
        scores = dots[found] / look.lengths[found] * look.fresh[found] * self._importance[found]
        if len(found) <= most:
            return found
        edge = np.partition(scores, len(scores) - most)[len(scores) - most]
        near: Ordinals = found[scores >= edge * (1.0 - 1e-9)]
        return near

    def _exactly(self, place: int, wanted: Mapping[int, float], look: Look) -> float:
        row = self.rows[place]
        weights = (row.counts * look.idfs[row.terms]).tolist()
        text = {str(number): weight for number, weight in zip(row.terms.tolist(), weights, strict=True)}
        query = {str(number): weight for number, weight in wanted.items()}
        return text_similarity.score(query, text, row.importance, float(look.fresh[place]))

    def _look(self, agent: str | None, today: date) -> Look:
        known = self._looks.get((agent, today))
        if known is None:
            if len(self._looks) >= _LOOKS:
                self._looks.clear()
            known = self._looks[agent, today] = self._made(agent, today)
        return known

    def _made(self, agent: str | None, today: date) -> Look:
        known = {law: self._freshness(*law, today) for law in set(self._aging)}
        fresh = np.array([known[law] for law in self._aging])
        among = (fresh >= 0.0) & self._once(agent)
        held = among[self._docs]
        frequency = np.bincount(self._terms[held], minlength=len(self.words))
        size = int(among.sum())
        weights = {int(number): text_similarity.idf(int(number), size) for number in np.unique(frequency) if number}
        idfs = np.zeros(len(self.words))
        for number, weight in weights.items():
            idfs[frequency == number] = weight
        squares = np.bincount(self._docs, (self._counts * idfs[self._terms]) ** 2, minlength=len(self.rows))
        return Look(among, fresh, idfs, np.sqrt(squares))

    def _freshness(self, created: date, max_age_days: float, importance: float, today: date) -> float:
        """Return the freshness of such a row; −1 if search ignores it."""
        age = float(max(0, (today - created).days))
        limit = effective_max_age(max_age_days, importance, self.laws.extensions)
        if not text_similarity.is_searchable(importance, age, limit, self.laws.search_floor):
            return -1.0
        return freshness(age, limit, self.laws.least_freshness)

    def _once(self, agent: str | None) -> BoolArray:
        """Return which rows an agent (None: anybody) may see, without shared copies whose originals are included."""
        originals: dict[str, list[str]] = {}
        for row in self.rows:
            if row.agent and row.promoted and agent in (None, row.agent):
                originals.setdefault(row.body, []).append(f"-{row.name}")
        once = np.array([not row.agent or agent in (None, row.agent) for row in self.rows], np.bool_)
        for place, row in enumerate(self.rows):
            if not row.agent and row.name.endswith(tuple(originals.get(row.body, ()))):
                once[place] = False
        return once


_LOOKS = 16
"""Most views (agent and day) that are cached."""


EVERY_S = 1.0
"""Seconds between two checks of all files."""
_TRIES = 3
_TAG_WEIGHT = 2


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file as it was read: the time up to which changes were settled, its stamp, and its row, or why it has none."""

    settled_ns: int
    stamp: Stamp
    row: ObservationRow | FileFault


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder as it was last scanned."""

    agent: str
    changed_ns: int
    files: dict[str, _Entry]


class Finder:
    """The index of one vault, for a long-running process; safe to share between threads.

    ``alone``: no background thread checks the files; the caller does it with ``look``.
    """

    def __init__(self, places: Places, laws: Laws, clock: Clock, *, alone: bool = False) -> None:
        self._places = places
        self._laws = laws
        self._clock = clock
        self._folders: dict[Path, _Folder] = {}
        self._words: dict[str, int] = {}
        self._columns: ObservationColumns | None = None
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self.look()
        self._thread = None if alone else threading.Thread(target=self._keep, name="vault-finder", daemon=True)
        if self._thread is not None:
            self._thread.start()

    def find(self, wish: VaultQuery, today: date) -> VaultHits:
        """Search like the vault's own search. Raises InvalidInput for an invalid agent name; StoreError."""
        if wish.agent is not None:
            self._places.vault(wish.agent)  # checks the name
        asked = Counter(terms(wish.query))
        with self._lock:
            hits: list[VaultHit] = []
            for _ in range(_TRIES):
                self._glance()
                best = self._at_hand().best(asked, wish.agent, today, wish.limit)
                hits = [hit for row, score, fresh in best if (hit := self._hit(row, score, fresh, asked)) is not None]
                if len(hits) == len(best):
                    break
            rows = self._rows(wish.agent)
        faults = tuple(row for row in rows if isinstance(row, FileFault))
        return VaultHits(tuple(hits), len(rows) - len(faults), (*faults, *absent(self._places, wish.agent)))

    def _rows(self, agent: str | None) -> list[ObservationRow | FileFault]:
        """Return the rows of the shared files and of an agent's; None: of all agents."""
        concerned = [one for one in self._folders.values() if not one.agent or agent in (None, one.agent)]
        return [entry.row for one in concerned for entry in one.files.values()]

    def look(self) -> None:
        """Check all files, and read those that changed. Raises StoreError."""
        wanted = self._wanted()
        for agent, path in wanted:
            known = self._folders.get(path)
            self._put(path, known, self._renewed(agent, path, known))  # without the lock: searches go on meanwhile
        self._keep_only(path for _, path in wanted)

    def close(self) -> None:
        """End the background thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _keep(self) -> None:
        while not self._stop.wait(EVERY_S):
            with suppress(StoreError):  # a folder that cannot be read: the next search says so
                self.look()

    def _wanted(self) -> list[tuple[str, Path]]:
        agents = self._places.agents()
        return [*((agent, self._places.vault(agent)) for agent in agents), ("", self._places.shared)]

    def _glance(self) -> None:
        """Check the folders in which a name was added, removed or replaced."""
        wanted = self._wanted()
        for agent, path in wanted:
            known = self._folders.get(path)
            if known is None or known.changed_ns != _changed_ns(path):
                self._put(path, known, self._renewed(agent, path, known))
        self._keep_only(path for _, path in wanted)

    def _renewed(self, agent: str, path: Path, known: _Folder | None) -> _Folder:
        """Scan a folder; unchanged files are not read again."""
        changed_ns, settled_ns = _changed_ns(path), settled(self._clock.now())
        before = {} if known is None else known.files
        files: dict[str, _Entry] = {}
        for name, stamp in stamps(path):
            entry = before.get(name)
            if entry is None or entry.stamp != stamp or stamp.changed_ns > entry.settled_ns:
                row = self._row(agent, name, path / f"{name}.md")
                if row is None:
                    continue
                entry = _Entry(settled_ns, stamp, row if entry is None or not _same(entry.row, row) else entry.row)
            files[name] = entry
        return _Folder(agent, changed_ns, files)

    def _put(self, path: Path, known: _Folder | None, then: _Folder) -> None:
        """Store a scanned folder, unless somebody scanned it meanwhile."""
        with self._lock:
            if self._folders.get(path) is not known:
                return
            self._folders[path] = then
            rows = [] if known is None else [entry.row for entry in known.files.values()]
            if known is None or [id(row) for row in rows] != [id(entry.row) for entry in then.files.values()]:
                self._columns = None

    def _keep_only(self, paths: Iterable[Path]) -> None:
        with self._lock:
            gone = self._folders.keys() - set(paths)
            for path in gone:
                del self._folders[path]
                self._columns = None

    def _at_hand(self) -> ObservationColumns:
        if self._columns is None:
            folders = [folder for _, folder in sorted(self._folders.items())]  # in a folder names are in order
            entries = (entry.row for folder in folders for entry in folder.files.values())
            rows = [row for row in entries if isinstance(row, ObservationRow)]
            self._columns = ObservationColumns(rows, self._words, self._laws)
        return self._columns

    def _row(self, agent: str, name: str, path: Path) -> ObservationRow | FileFault | None:
        """Read a file and make its row; None if it is gone."""
        one = _read(agent, name, path)
        if not isinstance(one, Observation):
            return one
        counts = Counter(terms(" ".join((one.body, *one.tags * _TAG_WEIGHT))))
        with self._lock:
            numbers = [self._words.setdefault(term, len(self._words)) for term in counts]
        return ObservationRow(
            agent,
            name,
            path,
            one.importance,
            one.created,
            one.max_age_days,
            one.promoted,
            mark(one.body),
            np.array(numbers, np.int64),
            np.array(list(counts.values()), np.float64),
        )

    def _hit(self, row: ObservationRow, score: float, fresh: float, asked: Counter[str]) -> VaultHit | None:
        """Return a hit with the file's current content; None if it changed since it was read, so that the search is
        repeated.
        """
        one = _read(row.agent, row.name, row.path)
        if isinstance(one, Observation) and mark(one.body) == row.body and one.importance == row.importance:
            return VaultHit(one, score, fresh, snippet(one.body, asked))
        folder = self._folders[row.path.parent]
        left = {name: entry for name, entry in folder.files.items() if name != row.name}
        self._folders[row.path.parent] = _Folder(folder.agent, -1, left)
        self._columns = None
        return None


def _read(agent: str, name: str, path: Path) -> Observation | FileFault | None:
    try:
        return observation(Name(agent, name), path, raw_of(path))
    except Malformed as error:
        return FileFault(path, error.line, error.reason)
    except FileNotFoundError:
        return None
    except OSError as error:
        return FileFault(path, 0, f"cannot be read: {error.strerror or error}")


def _same(one: ObservationRow | FileFault, other: ObservationRow | FileFault) -> bool:
    """Whether two rows of a file are equal for search."""
    if isinstance(one, FileFault) or isinstance(other, FileFault):
        return one == other
    plain = [(row.importance, row.created, row.max_age_days, row.promoted, row.body) for row in (one, other)]
    return plain[0] == plain[1] and one.terms.tolist() == other.terms.tolist()


def _changed_ns(path: Path) -> int:
    """Return when a name in a folder last changed (ns); 0 without a folder."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
