"""Jobs kept beside a store: a small SQLite file of what is to be done, and a lock file for each job in hand.

In: jobs and their progress. Out: the next job that nobody works on. Who works on a job holds the lock of its scope,
which the system releases when the process dies; so a job of a killed process is free at once, and one of a stopped
process is not, however long it stands. No clock decides whose a job is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from threading import RLock
from typing import Any

from reverie.answers import Job, JobKind, JobState
from reverie.errors import Conflict, NotFound, StoreBusy
from reverie.locking import locked
from reverie.stores.sqlite.beside import SmallFile
from reverie.stores.sqlite.cipher import Key
from reverie.types import Scope

ATTEMPTS = 5
"""Attempts without any progress after which a job has failed."""
KEPT = 1000
"""Ended jobs that are kept, the newest."""
_STRIPES = 256
"""Lock files at most; two scopes that share one are worked on one after the other."""
FILE = "jobs.db"
_SUFFIX = "-jobs"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS job(
  id TEXT PRIMARY KEY, kind TEXT NOT NULL, scope TEXT NOT NULL, arguments TEXT NOT NULL, key TEXT NOT NULL,
  caller TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL, done INTEGER NOT NULL, total INTEGER NOT NULL,
  reason TEXT NOT NULL, cancelling INTEGER NOT NULL, enqueued_at TEXT NOT NULL, changed_at TEXT NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS one_open ON job(scope, kind, key) WHERE key <> '' AND state IN ('waiting', 'running');
CREATE INDEX IF NOT EXISTS open ON job(attempts, id) WHERE state IN ('waiting', 'running');
CREATE INDEX IF NOT EXISTS by_scope ON job(scope, id)
"""
_COLUMNS = "id,kind,scope,arguments,key,caller,state,attempts,done,total,reason,cancelling,enqueued_at,changed_at"
_OPEN = "state IN ('waiting', 'running')"
HAS_ENDED = Conflict("That job has ended already.", "`reverie jobs` lists what waits or runs.")
HAS_KEY = Conflict("Another job with its key is open.", "Wait for that one, or cancel it.")


def folder_of(store: Path) -> Path:
    """Return the folder of the jobs of a store's file."""
    return store.with_name(store.name + _SUFFIX)


def begun(job: Job) -> Job:
    """Return an open job as the next attempt begins: running, or ended if it is to be done no more."""
    if job.cancelling:
        return replace(job, state=JobState.CANCELLED, reason="", cancelling=False)
    if job.attempts >= ATTEMPTS:
        reason = f"Its process ended {ATTEMPTS} times before the job got any further."
        return replace(job, state=JobState.FAILED, reason=reason)
    return replace(job, state=JobState.RUNNING, attempts=job.attempts + 1, reason="")


def ended(job: Job, state: JobState, reason: str) -> Job:
    """Return a job as an attempt left it: done, cancelled, failed for good, or waiting for the next one.

    Waiting with a reason: the attempt failed, and was the last one if it was the ``ATTEMPTS``-th without progress.
    Waiting without: it was interrupted, and does not count. A job to be cancelled does not wait.
    """
    attempts = job.attempts
    if state is JobState.WAITING and reason:
        state = JobState.FAILED if attempts >= ATTEMPTS else state
    elif state is JobState.WAITING:
        attempts = max(attempts - 1, 0)
    if state is JobState.WAITING and job.cancelling:
        state = JobState.CANCELLED
    told = reason.encode("utf-8", "backslashreplace").decode()
    return replace(job, state=state, reason=told, attempts=attempts, cancelling=False)


def require_retriable(job: Job) -> None:
    """Raise Conflict for a job that is open or done."""
    if job.state not in (JobState.FAILED, JobState.CANCELLED):
        raise Conflict(f"That job is {job.state}.", "Retry one that failed or was cancelled.")


class JobTable:
    """The jobs of an embedded store (``ports.Jobs``), in a folder beside it; without a folder, in memory.

    The folder is made by the first job. Any number of threads and processes may share it. ``key``: the store's.
    """

    def __init__(self, folder: Path | None, key: Key | None = None) -> None:
        self._folder, self._key = folder, key
        self._lock = RLock()
        self._file: SmallFile | None = None
        self._held: set[str] = set()

    def enqueue(self, job: Job) -> Job:
        """Add a waiting job, durably; or return the open one of its scope, kind and key, if the key is not empty.

        The oldest ended jobs beyond ``KEPT`` are dropped.
        """
        row = (
            *(job.id, job.kind, _scope(job.scope), json.dumps(dict(job.arguments)), job.key, json.dumps(job.caller)),
            *(JobState.WAITING, 0, 0, job.total, "", 0, job.enqueued_at.isoformat(), job.enqueued_at.isoformat()),
        )
        with self._opened().changing(durable=True) as db:
            if job.key and (found := _keyed(db, job)) is not None:
                return found
            db.execute(f"INSERT INTO job({_COLUMNS}) VALUES ({','.join('?' * len(row))})", row)
            db.execute(
                f"DELETE FROM job WHERE id IN"
                f" (SELECT id FROM job WHERE NOT {_OPEN} ORDER BY id DESC LIMIT -1 OFFSET ?)",
                (KEPT,),
            )
        return replace(job, state=JobState.WAITING)

    def jobs(self, scope: Scope) -> list[Job]:
        """Return the jobs of a scope, newest first."""
        return self._read("scope = ? ORDER BY id DESC", (_scope(scope),))

    def show(self, job_id: str, scope: Scope) -> Job:
        """Return one job. Raises NotFound, also for a job of another scope."""
        found = self._read("id = ? AND scope = ?", (job_id, _scope(scope)))
        if not found:
            raise unknown(job_id)
        return found[0]

    def is_open(self) -> bool:
        """Whether a job is waiting or running, in any scope; cheap where there never was one."""
        return bool(self._read(f"{_OPEN} LIMIT 1", ()))

    @contextmanager
    def claim(self, at: datetime) -> Iterator[Job | None]:
        """Take the next job that nobody works on, for the length of the block; None: there is none.

        Jobs of a killed process come back here. One that was attempted ``ATTEMPTS`` times without progress has failed.
        """
        for found in self._read(f"{_OPEN} ORDER BY attempts, id", ()):
            with ExitStack() as held:
                job = self._begin(found.id, at) if self._lease(found.scope, held) else None
                if job is not None:
                    yield job
                    return
        yield None

    def progress(self, job_id: str, done: int, total: int, at: datetime) -> bool:
        """Record how far a job is, at most ``total``; return False when somebody wants it cancelled.

        Going further than ever before starts the count of attempts again.
        """
        with self._opened().changing() as db:
            db.execute(
                "UPDATE job SET attempts = CASE WHEN ?1 > done THEN 1 ELSE attempts END, done = max(done, ?1),"
                " total = max(?2, done, ?1), changed_at = ?3 WHERE id = ?4",
                (done, total, at.isoformat(), job_id),
            )
            found = _one(db, "id = ?", (job_id,))
        return found is not None and not found.cancelling

    def end(self, job_id: str, state: JobState, reason: str, at: datetime) -> None:
        """Record how an attempt ended, see ``ended``."""
        with self._opened().changing(durable=True) as db:
            job = _one(db, "id = ?", (job_id,))
            if job is not None:
                _put(db, ended(job, state, reason), at)

    def cancel(self, job_id: str, scope: Scope, at: datetime) -> Job:
        """Cancel a job: at once, or at its next step if somebody works on it. What it did stays done.

        Raises NotFound; Conflict if the job has ended.
        """
        self.show(job_id, scope)
        with ExitStack() as held:
            is_idle = self._lease(scope, held)
            with self._opened().changing() as db:
                job = _one(db, "id = ?", (job_id,))
                if job is None or not job.is_open:
                    raise HAS_ENDED
                change = "state = 'cancelled'" if is_idle or job.state is JobState.WAITING else "cancelling = 1"
                db.execute(f"UPDATE job SET {change}, changed_at = ? WHERE id = ?", (at.isoformat(), job_id))
        return self.show(job_id, scope)

    def retry(self, job_id: str, scope: Scope, at: datetime) -> Job:
        """Let a failed or cancelled job wait again, with all its attempts; it goes on where it stopped.

        Raises NotFound; Conflict if it is open or done, or if another with its key is open.
        """
        job = self.show(job_id, scope)
        require_retriable(job)
        with self._opened().changing(durable=True) as db:
            if job.key and _keyed(db, job):
                raise HAS_KEY
            db.execute(
                "UPDATE job SET state = 'waiting', attempts = 0, reason = '', cancelling = 0, changed_at = ?"
                " WHERE id = ? AND state IN ('failed', 'cancelled')",
                (at.isoformat(), job_id),
            )
        return self.show(job_id, scope)

    def close(self) -> None:
        """Close the file. A job in hand stays in it, and is continued by whoever opens the store next."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def _begin(self, job_id: str, at: datetime) -> Job | None:
        """Start an attempt at a job whose scope's lock is held; None if it is not to be done any more."""
        with self._opened().changing() as db:
            job = _one(db, "id = ?", (job_id,))
            if job is None or not job.is_open:
                return None
            job = begun(job)
            _put(db, job, at)
        return job if job.state is JobState.RUNNING else None

    def _lease(self, scope: Scope, held: ExitStack) -> bool:
        """Take the lock of a scope's jobs until ``held`` is closed; return whether it was free."""
        stripe = int.from_bytes(sha256(_scope(scope).encode()).digest()[:4], "big") % _STRIPES
        if self._folder is not None:
            try:
                held.enter_context(locked(self._folder / f"lock-{stripe:03}", wait_s=0.0, mode=0o600))
            except StoreBusy:
                return False
            return True
        with self._lock:
            if _scope(scope) in self._held:
                return False
            self._held.add(_scope(scope))
        held.callback(self._held.discard, _scope(scope))
        return True

    def _read(self, where: str, values: tuple[str, ...]) -> list[Job]:
        if self._file is None and (self._folder is None or not (self._folder / FILE).exists()):
            return []
        return [_job(row) for row in self._opened().rows(f"SELECT {_COLUMNS} FROM job WHERE {where}", *values)]

    def _opened(self) -> SmallFile:
        """Return the file; the first call makes the folder, readable by its owner only, and the table."""
        with self._lock:
            if self._file is None:
                if self._folder is not None:
                    _make(self._folder)
                path = None if self._folder is None else self._folder / FILE
                self._file = SmallFile(path, (_SCHEMA,), key=self._key)
            return self._file


def _make(folder: Path) -> None:
    from reverie.durable import unwritable

    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise unwritable(error, folder) from error


def _scope(scope: Scope) -> str:
    return json.dumps((scope.agent, scope.user, scope.project))


def _one(db: Any, where: str, values: tuple[str, ...]) -> Job | None:
    row = db.execute(f"SELECT {_COLUMNS} FROM job WHERE {where}", values).fetchone()
    return None if row is None else _job(row)


def _keyed(db: Any, job: Job) -> Job | None:
    """Return the open job of a job's scope, kind and key."""
    return _one(db, f"scope = ? AND kind = ? AND key = ? AND {_OPEN}", (_scope(job.scope), job.kind, job.key))


def _put(db: Any, job: Job, at: datetime) -> None:
    """Write the state of a job."""
    db.execute(
        "UPDATE job SET state = ?, reason = ?, attempts = ?, cancelling = ?, changed_at = ? WHERE id = ?",
        (job.state, job.reason, job.attempts, job.cancelling, at.isoformat(), job.id),
    )


def _job(row: tuple[object, ...]) -> Job:
    """Make a job of a row of the table."""
    held: Mapping[str, str] = dict(zip(_COLUMNS.split(","), row, strict=True))  # type: ignore[arg-type] # as the schema has them
    return Job(
        id=held["id"],
        kind=JobKind(held["kind"]),
        scope=Scope(*json.loads(held["scope"])),
        arguments=json.loads(held["arguments"]),
        key=held["key"],
        caller=tuple(json.loads(held["caller"])),
        state=JobState(held["state"]),
        attempts=int(held["attempts"]),
        done=int(held["done"]),
        total=int(held["total"]),
        reason=held["reason"],
        cancelling=bool(held["cancelling"]),
        enqueued_at=datetime.fromisoformat(held["enqueued_at"]),
        changed_at=datetime.fromisoformat(held["changed_at"]),
    )


def unknown(job_id: str) -> NotFound:
    """Make the error for a job that is not in a scope."""
    return NotFound(f"There is no job {job_id!r:.60} in this scope.", "`reverie jobs` lists them.")
