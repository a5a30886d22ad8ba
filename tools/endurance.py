"""``python -m tools.endurance``: live with one store for minutes or hours, and show that nothing grows without bound.

One process writes, recalls, dreams, forgets, erases, damages and repairs in rounds, and measures after each the store's
file, its log, and the memory of the process. Erased messages leave a tombstone each in the journal, which is kept by
design; so the file may grow by some hundred bytes an event and no more. Exits with 1 if anything grows faster.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from reverie import FixedClock, HashEmbedder, Message, RandomIds, Reverie, Scope
from reverie.engine.encryption import key_for
from reverie.stores.sqlite.cipher import driver, unlock

SCOPE = Scope("endurance", "ada", "home")
MESSAGES = 10
"""Messages in a round."""
NAMES = 61
"""So many names take turns, more than there are live messages: the bounded caches of the text analysis fill early."""
KEPT_ROUNDS = 5
"""A message is erased after so many rounds, so that as many live memories are there at the end as at the beginning."""
REPAIRED_EVERY = 5
"""Every so many rounds a table is emptied and the store repaired and compacted."""
EVENT_BYTES = 1500
"""Most bytes that the file may grow for each event of the journal, over all rounds after the first."""
LOG_BYTES = 32 << 20
"""Most bytes of the log after a round."""
MEMORY_SHARE, MEMORY_BYTES = 1.25, 24 << 20
"""The process may grow by this share of what it takes after a third of the rounds, and by so many bytes."""
_TEXTS = (
    "My sister Elif{0} lives in Town{0} and likes tea.",
    "Kardeşim Elif{0} artık Kent{0}'te yaşıyor.",
    "The meeting about project {0} is on Friday.",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """Sizes in bytes after a round: file, log and process; and the number of events and of live memories."""

    file: int
    log: int
    process: int
    events: int
    memories: int


@dataclass
class Life:
    """One store, lived with in rounds."""

    path: Path
    key_file: Path | None = None
    clock: FixedClock = field(default_factory=lambda: FixedClock(datetime(2026, 1, 1, tzinfo=UTC)))
    said: deque[list[str]] = field(default_factory=deque)
    number: int = 0

    def run(self, goes_on: Callable[[int], bool]) -> list[Sample]:
        """Live rounds as long as ``goes_on`` says so, given the number of rounds done."""
        samples: list[Sample] = []
        model = HashEmbedder(64)
        with Reverie.open(
            self.path if self.key_file is None else f"sqlcipher:{self.path}",
            embedder=model,
            clock=self.clock,
            ids=RandomIds(seed=1),
            background=False,
            key_file=str(self.key_file or ""),
        ) as engine:
            while goes_on(len(samples)):
                self._round(engine)
                if len(samples) % REPAIRED_EVERY == REPAIRED_EVERY - 1:
                    self._mend(engine)
                samples.append(self._sample(engine))
        return samples

    def _round(self, engine: Reverie) -> None:
        names = []
        for _ in range(MESSAGES):
            self.clock.at += timedelta(minutes=7)
            self.number += 1
            text = _TEXTS[self.number % len(_TEXTS)].format(self.number % NAMES)
            session = f"s{self.number // MESSAGES}"
            names.append(engine.observe(Message(text, session=session), SCOPE, deliberate=True).id)
            if self.number % 2:
                engine.recall(f"Where does Elif{(self.number - 1) % NAMES} live?", SCOPE)
        engine.forget(names[0], SCOPE)
        self.clock.at += timedelta(days=1)
        engine.dream(SCOPE)
        self.said.append(names)
        if len(self.said) > KEPT_ROUNDS:
            engine.admin.erase(self.said.popleft(), SCOPE, why="its time has come")

    def _mend(self, engine: Reverie) -> None:
        """Damage the store, repair it, and delete the copy that was made. Raises SystemExit if it is not as before."""
        digest = engine.admin.digest()
        key = None if self.key_file is None else key_for(str(self.key_file), make=False)
        with closing(driver(key).connect(str(self.path))) as raw, raw:
            unlock(raw, key)
            raw.execute("DELETE FROM touch")
            raw.execute("DELETE FROM vector")
        done = engine.admin.repair()
        if done.digest != digest or done.faults or not done.backup:
            sys.exit(f"The repair failed: {done}")
        Path(done.backup).unlink()
        engine.admin.compact(SCOPE)

    def _sample(self, engine: Reverie) -> Sample:
        log = self.path.with_name(f"{self.path.name}-wal")
        count = engine.admin.stats(SCOPE)
        written = log.stat().st_size if log.exists() else 0
        return Sample(self.path.stat().st_size, written, _resident(), engine.admin.head(), count.memories)


def _resident() -> int:
    """Return the bytes of memory that this process takes now; where the system does not say so, the most it took."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096
    except (OSError, ValueError, IndexError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def growing(samples: list[Sample]) -> list[str]:
    """Name what grew more than it may, from a third of the samples on; [] if nothing did."""
    first, last = samples[len(samples) // 3], samples[-1]
    found = []
    each = (last.file - first.file) / max(1, last.events - first.events)
    if each > EVENT_BYTES:
        found.append(f"the file grew by {each:.0f} bytes an event, more than {EVENT_BYTES}")
    if (log := max(one.log for one in samples)) > LOG_BYTES:
        found.append(f"the log took {log} bytes, more than {LOG_BYTES}")
    most = first.process * MEMORY_SHARE + MEMORY_BYTES
    if last.process > most:
        found.append(f"the process took {last.process} bytes, more than {most:.0f}")
    return found


def told(number: int, one: Sample) -> str:
    """Return a sample as a line."""
    sizes = ", ".join(f"{name} {size / 2**20:.1f} MiB" for name, size in (("file", one.file), ("log", one.log)))
    process = f"process {one.process / 2**20:.0f} MiB"
    return f"round {number}: {one.events} events, {one.memories} memories, {sizes}, {process}"


def main() -> int:
    """Live for some minutes, print a sample of the rounds, and say what grew."""
    parser = argparse.ArgumentParser(prog="python -m tools.endurance", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="how long to live (60)")
    parser.add_argument("--encrypted", action="store_true", help="with an encrypted store")
    asked = parser.parse_args()
    until = time.monotonic() + asked.minutes * 60
    with tempfile.TemporaryDirectory(prefix="reverie-endurance-") as folder:
        key_file = Path(folder) / "key" if asked.encrypted else None
        samples = Life(Path(folder) / "store.db", key_file).run(
            lambda done: done < KEPT_ROUNDS * 3 or time.monotonic() < until
        )
    step = max(1, len(samples) // 12)
    for number in range(step, len(samples) + 1, step):
        print(told(number, samples[number - 1]))
    found = growing(samples)
    print("\n".join(found) if found else f"nothing grows: {len(samples)} rounds, {samples[-1].events} events")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
