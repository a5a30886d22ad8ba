"""Jobs of a tenant in a PostgreSQL database: procrastinate keeps the queue, a session's lock who may work on a scope.

In: jobs and their progress. Out: the next job that nobody works on. A job is taken in the transaction that takes the
advisory lock of its scope's jobs, so one that is being done has its lock held, by a session that ends with its process:
a killed process's job is free at once, and one of a stopped process is not. No clock decides whose a job is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from functools import cache
from hashlib import blake2b
from importlib import resources
from typing import TYPE_CHECKING, Any, TypeVar

from reverie.answers import Job, JobKind, JobState
from reverie.errors import ReverieError, StoreError
from reverie.extras import lacking
from reverie.stores.codec import from_micros, to_micros
from reverie.stores.jobs import HAS_ENDED, HAS_KEY, KEPT, begun, ended, require_retriable, unknown
from reverie.stores.postgres.connection import Link, Row, driver, translated
from reverie.stores.postgres.rows import Box, raw, string
from reverie.types import Scope

if TYPE_CHECKING:
    from procrastinate.manager import JobManager
    from psycopg import Connection

T = TypeVar("T")
_TASK = "reverie"
_PUT_BACK = "UPDATE procrastinate_jobs SET status = 'todo', scheduled_at = now() + interval '0.2 seconds' WHERE id = %s"
"""Of a job whose scope's lock is held though nobody else has taken a job of it: it is looked at again soon."""
_FREE = "SELECT pg_advisory_unlock_all()"
"""Frees a session's scope at once. Run before the commit that ends a job, whose row stays locked until then: so whoever
fetches the next job of the scope finds it free, and no reaper takes the ending one for a dead process's."""
_KEEPALIVE = "SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"
"""So that the server notices within half a minute that a whole machine is gone."""
_STATES = {
    "todo": JobState.WAITING,
    "doing": JobState.RUNNING,
    "succeeded": JobState.DONE,
    "failed": JobState.FAILED,
    "cancelled": JobState.CANCELLED,
    "aborting": JobState.CANCELLED,
    "aborted": JobState.CANCELLED,
}
_JOB = """
SELECT o.id, o.kind, o.agent, o.usr, o.project, o.enqueued_at, o.changed_at, o.body, o.reason, o.attempts, o.done,
  o.total, q.status::text, q.abort_requested, o.number, q.lock
FROM job o JOIN procrastinate_jobs q ON q.id = o.number
"""
_OPEN = "q.status IN ('todo', 'doing')"
_INSERT = """
INSERT INTO job (tenant, id, number, agent, usr, project, kind, same, body, total, enqueued_at, changed_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
_PRUNE = f"""
DELETE FROM procrastinate_jobs WHERE id IN (
  SELECT o.number FROM job o JOIN procrastinate_jobs q ON q.id = o.number
  WHERE NOT {_OPEN} ORDER BY o.id DESC OFFSET {KEPT})
"""
_PROGRESS = """
UPDATE job SET attempts = CASE WHEN %(done)s > done THEN 1 ELSE attempts END, done = greatest(done, %(done)s),
  total = greatest(%(total)s, done, %(done)s), changed_at = %(at)s
WHERE id = %(id)s
RETURNING (SELECT abort_requested FROM procrastinate_jobs WHERE id = number)
"""


def require_queue() -> None:
    """Raise StoreError where procrastinate is not installed."""
    try:
        import procrastinate  # noqa: F401 - to see whether it is there
    except ImportError:
        raise lacking("postgres", "A queue of jobs in PostgreSQL", StoreError) from None


def lay_out(connection: Connection[Row]) -> None:
    """Make or renew the queue's own tables, within the owner's transaction; a comment keeps what was done."""
    require_queue()
    folder = resources.files("procrastinate.sql")
    known = sorted(file.name for file in (folder / "migrations").iterdir() if file.name.endswith(".sql"))
    there = connection.execute("SELECT to_regclass('procrastinate_jobs')::text").fetchone()
    if there is None or there[0] is None:
        connection.execute((folder / "schema.sql").read_text("utf-8"))
    else:
        told = connection.execute("SELECT obj_description('procrastinate_jobs'::regclass)").fetchone()
        done = "" if told is None else str(told[0])
        for name in known:
            if name > done:
                connection.execute((folder / "migrations" / name).read_text("utf-8"))
    connection.execute(f"COMMENT ON TABLE procrastinate_jobs IS '{known[-1]}'")


class PostgresJobs:
    """The jobs of one tenant (``ports.Jobs``), over its store's connections; ``box`` seals a scope's words.

    A worker holds one connection while it works on a job; if that is lost, so is its right to record anything.
    """

    def __init__(self, link: Link, tenant: int, box: Callable[[Scope], Box]) -> None:
        require_queue()
        self._link, self._tenant, self._box = link, tenant, box
        self._queue = str(tenant)
        self._held: dict[str, Connection[Row]] = {}

    def enqueue(self, job: Job) -> Job:
        """Add a waiting job; or return the open one of its scope, kind and key, if the key is not empty.

        The oldest ended jobs beyond ``KEPT`` are dropped.
        """
        with self._turn() as turn:
            found = self._keyed(turn, job)
            if found is not None:
                return found
            number = self._defer(turn, job)
            body = json.dumps([dict(job.arguments), job.key, list(job.caller)])
            sealed, at = self._box(job.scope).seal(raw(body)), to_micros(job.enqueued_at)
            values = (self._tenant, job.id, number, *_names(job.scope), job.kind.value, self._same(job), sealed)
            turn.rows(_INSERT, (*values, job.total, at, at))
            turn.rows(_PRUNE)
        return replace(job, state=JobState.WAITING)

    def jobs(self, scope: Scope) -> list[Job]:
        """Return the jobs of a scope, newest first."""
        return [self._read(row) for row in self._link.rows(f"{_JOB} WHERE {_OF} ORDER BY o.id DESC", _names(scope))]

    def show(self, job_id: str, scope: Scope) -> Job:
        """Return one job. Raises NotFound, also for a job of another scope or tenant."""
        row = self._link.row(f"{_JOB} WHERE o.id = %s AND {_OF}", (_known(job_id), *_names(scope)))
        if row is None:
            raise unknown(job_id)
        return self._read(row)

    def is_open(self) -> bool:
        """Whether a job is waiting or running, in any scope."""
        sql = "SELECT 1 FROM procrastinate_jobs q WHERE status IN ('todo', 'doing') AND queue_name = %s LIMIT 1"
        return self._link.row(sql, (self._queue,)) is not None

    @contextmanager
    def claim(self, at: datetime) -> Iterator[Job | None]:
        """Take the next job that nobody works on, for the length of the block; None: there is none.

        Jobs of a killed process come back here. One that was attempted often without progress has failed.
        """
        self.reap()
        connection = self._link.take()
        job: Job | None = None
        try:
            was_one = True
            while was_one and job is None:
                was_one, job = self._begin(connection, at)
            if job is not None:
                self._held[job.id] = connection
            yield job
        finally:
            if job is not None:
                self._held.pop(job.id, None)
            self._leave(connection, job)
            self._link.give(connection)

    def progress(self, job_id: str, done: int, total: int, at: datetime) -> bool:
        """Record how far a job is, at most ``total``; return False when somebody wants it cancelled.

        Going further than ever before starts the count of attempts again. Raises StoreMissing where the session that
        holds the scope was lost: then the job is another's.
        """
        values = {"done": done, "total": total, "at": to_micros(at), "id": _known(job_id)}
        with self._turn(self._held.get(job_id)) as turn:
            found = turn.rows(_PROGRESS, values)
        return bool(found) and not found[0][0]

    def end(self, job_id: str, state: JobState, reason: str, at: datetime) -> None:
        """Record how an attempt ended, see ``stores.jobs.ended``."""
        with self._turn(self._held.get(job_id)) as turn:
            row = turn.row(f"{_JOB} WHERE o.id = %s FOR UPDATE", (_known(job_id),))
            if row is not None and row[12] == "doing":
                self._settle(turn, ended(self._read(row), state, reason), int(row[14]), at)
                if job_id in self._held:
                    turn.rows(_FREE)

    def cancel(self, job_id: str, scope: Scope, at: datetime) -> Job:
        """Cancel a job: at once, or at its next step if somebody works on it. What it did stays done.

        Raises NotFound; Conflict if the job has ended.
        """
        with self._turn() as turn:
            row = turn.row(f"{_JOB} WHERE o.id = %s AND {_OF} FOR UPDATE", (_known(job_id), *_names(scope)))
            if row is None:
                raise unknown(job_id)
            job, number, lock = self._read(row), int(row[14]), _number(row[15])
            if not job.is_open:
                raise HAS_ENDED
            if job.state is JobState.WAITING:
                turn.queue.cancel_job_by_id(number)
            elif turn.rows("SELECT pg_try_advisory_xact_lock(%s)", (lock,))[0][0]:  # its process is gone
                _now(turn.queue.finish_job_by_id_async(number, _status("aborted"), delete_job=False))
            else:
                turn.queue.cancel_job_by_id(number, abort=True)
            turn.rows("UPDATE job SET changed_at = %s WHERE id = %s", (to_micros(at), job_id))
        return self.show(job_id, scope)

    def retry(self, job_id: str, scope: Scope, at: datetime) -> Job:
        """Let a failed or cancelled job wait again, with all its attempts; it goes on where it stopped.

        Raises NotFound; Conflict if it is open or done, or if another with its key is open.
        """
        with self._turn() as turn:
            row = turn.row(f"{_JOB} WHERE o.id = %s AND {_OF} FOR UPDATE", (_known(job_id), *_names(scope)))
            if row is None:
                raise unknown(job_id)
            job = self._read(row)
            require_retriable(job)
            if self._keyed(turn, job) is not None:
                raise HAS_KEY
            number = self._defer(turn, job)
            turn.rows(
                "UPDATE job SET number = %s, attempts = 0, reason = NULL, changed_at = %s WHERE id = %s",
                (number, to_micros(at), job_id),
            )
            turn.rows("DELETE FROM procrastinate_jobs WHERE id = %s", (row[14],))
        return self.show(job_id, scope)

    def reap(self) -> int:
        """Let the jobs of killed processes wait again, whose locks nobody holds any more; return how many there were.

        Where another with a job's key waits already, that one does the work, and the killed one is ended: the queue
        allows one waiting job a key, so it could otherwise neither wait nor end, and would keep its scope for ever.
        """
        found = self._link.rows(
            "SELECT id, lock FROM procrastinate_jobs WHERE status = 'doing' AND queue_name = %s ORDER BY id",
            (self._queue,),
        )
        reaped = 0
        for number, lock in found:
            with self._turn() as turn:
                is_free = turn.rows("SELECT pg_try_advisory_xact_lock(%s)", (_number(lock),))[0][0]
                still = "SELECT 1 FROM procrastinate_jobs WHERE id = %s AND status = 'doing' FOR UPDATE"
                if is_free and turn.rows(still, (number,)):
                    self._wait_again(turn, int(number))
                    reaped += 1
        return reaped

    def close(self) -> None:
        """Do nothing: the store closes its connections, and the server then frees the jobs in hand."""

    def _begin(self, connection: Connection[Row], at: datetime) -> tuple[bool, Job | None]:
        """Fetch a job and take its scope's lock in one transaction.

        Returns:
            whether there was a job, and the job if it is to be done now, its lock held.
        """
        with self._turn(connection) as turn:
            fetched = _now(turn.queue.fetch_job([self._queue], None))  # no worker has a row of its own
            if fetched is None or fetched.id is None:
                return False, None
            row = turn.row(f"{_JOB} WHERE o.number = %s", (fetched.id,))
            if row is None:  # somebody else's entry in our queue
                _now(turn.queue.finish_job_by_id_async(fetched.id, _status("failed"), delete_job=True))
                return True, None
            if not turn.rows("SELECT pg_try_advisory_lock(%s)", (_number(row[15]),))[0][0]:
                turn.rows(_PUT_BACK, (fetched.id,))
                return True, None
            job = begun(self._read(row))
            if job.state is not JobState.RUNNING:
                self._settle(turn, job, fetched.id, at)
                turn.rows(_FREE)
                return True, None
            turn.rows(
                "UPDATE job SET attempts = %s, reason = NULL, changed_at = %s WHERE id = %s",
                (job.attempts, to_micros(at), job.id),
            )
            turn.connection.execute(_KEEPALIVE)
            return True, job

    def _settle(self, turn: _Turn, job: Job, number: int, at: datetime) -> None:
        """Write the state of a job after an attempt, here and in the queue."""
        box = self._box(job.scope)
        reason = box.seal(raw(job.reason)) if job.reason else None
        turn.rows(
            "UPDATE job SET attempts = %s, reason = %s, changed_at = %s WHERE id = %s",
            (job.attempts, reason, to_micros(at), job.id),
        )
        if job.state is JobState.WAITING:
            self._wait_again(turn, number)
        else:
            names = {JobState.DONE: "succeeded", JobState.FAILED: "failed"}
            status = _status(names.get(job.state, "aborted"))
            _now(turn.queue.finish_job_by_id_async(number, status, delete_job=False))

    def _wait_again(self, turn: _Turn, number: int) -> None:
        """Let a job that was being done wait again; end it if it is to be cancelled or another with its key waits."""
        sql = "SELECT abort_requested, queueing_lock, now() FROM procrastinate_jobs WHERE id = %s"
        is_unwanted, same, now = turn.rows(sql, (number,))[0]
        if is_unwanted or (same is not None and self._waits(turn, same)):
            _now(turn.queue.finish_job_by_id_async(number, _status("aborted"), delete_job=False))
        else:
            turn.queue.retry_job_by_id(number, now)

    def _waits(self, turn: _Turn, same: str) -> bool:
        """Whether a job with a key waits; nobody enqueues another with it until the end of the transaction."""
        turn.rows("SELECT pg_advisory_xact_lock(%s)", (int.from_bytes(bytes.fromhex(same)[:8], "big", signed=True),))
        return bool(turn.rows("SELECT 1 FROM procrastinate_jobs WHERE queueing_lock = %s AND status = 'todo'", (same,)))

    def _leave(self, connection: Connection[Row], job: Job | None) -> None:
        """Free the scope; a job that could not be ended waits again. A lost connection has freed it already."""
        try:
            if job is not None and not connection.closed:
                with self._turn(connection) as turn:
                    row = turn.row(f"{_JOB} WHERE o.id = %s FOR UPDATE", (job.id,))
                    if row is not None and row[12] == "doing":
                        self._wait_again(turn, int(row[14]))
            self._unlock(connection)
        except ReverieError:
            connection.close()

    def _unlock(self, connection: Connection[Row]) -> None:
        self._link.trip(connection, [(_FREE, ())])

    def _keyed(self, turn: _Turn, job: Job) -> Job | None:
        """Return the open job of a job's scope, kind and key."""
        same = self._same(job)
        if same is None:
            return None
        self._waits(turn, same)
        row = turn.row(f"{_JOB} WHERE o.same = %s AND {_OPEN} ORDER BY o.id", (same,))
        return None if row is None else self._read(row)

    def _defer(self, turn: _Turn, job: Job) -> int:
        """Put a job into the queue; return its number there."""
        from procrastinate.jobs import Job as Queued

        lock = f"scope:{self._lock_of(job.scope)}"
        made = Queued(id=None, queue=self._queue, lock=lock, queueing_lock=self._same(job), task_name=_TASK)
        return int(turn.queue.defer_job(made).id)

    def _same(self, job: Job) -> str | None:
        """Return what stands for a job's scope, kind and key in the queue, over all tenants; None without a key."""
        if not job.key:
            return None
        named = json.dumps([self._queue, job.scope.canonical, job.kind, job.key]).encode()
        return blake2b(named, digest_size=16).hexdigest()

    def _lock_of(self, scope: Scope) -> int:
        """Return the number of the advisory lock of a scope's jobs, which is not the one of its dreams."""
        named = f"jobs\x00{self._queue}\x00{scope.canonical}".encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(named, digest_size=8).digest(), "big", signed=True)

    @contextmanager
    def _turn(self, connection: Connection[Row] | None = None) -> Iterator[_Turn]:
        """Yield one transaction over a connection, or over any. Raises Reverie's own errors."""
        psycopg = driver()
        from procrastinate.exceptions import ConnectorException

        taken = self._link.take() if connection is None else connection
        try:
            with taken.transaction():
                yield _Turn(taken)
        except ConnectorException as error:
            cause = error.__cause__
            raise translated(cause if isinstance(cause, Exception) else error) from error
        except psycopg.Error as error:
            raise translated(error) from error
        finally:
            if connection is None:
                self._link.give(taken)

    def _read(self, row: Row) -> Job:
        scope = Scope(*row[2:5])
        box = self._box(scope)
        arguments, key, caller = json.loads(string(box.open(row[7])))
        return Job(
            id=row[0],
            kind=JobKind(row[1]),
            scope=scope,
            enqueued_at=from_micros(row[5]),
            changed_at=from_micros(row[6]),
            arguments=arguments,
            key=key,
            caller=tuple(caller),
            state=_STATES[row[12]],
            attempts=row[9],
            done=row[10],
            total=row[11],
            reason="" if row[8] is None else string(box.open(row[8])),
            cancelling=row[12] == "doing" and row[13],
        )


_OF = "o.agent = %s AND o.usr = %s AND o.project = %s"


class _Turn:
    """One transaction: its statements, and procrastinate's manager over the same connection."""

    def __init__(self, connection: Connection[Row]) -> None:
        self.connection = connection

    @property
    def queue(self) -> JobManager:
        """Return procrastinate's manager of jobs over this transaction."""
        from procrastinate.manager import JobManager

        return JobManager(_connector()(self.connection))

    def rows(self, sql: str, values: Any = ()) -> list[Row]:
        """Return the rows of a statement, [] if it has none."""
        cursor = self.connection.execute(sql, values)
        return cursor.fetchall() if cursor.description is not None else []

    def row(self, sql: str, values: Any = ()) -> Row | None:
        """Return the first row."""
        return next(iter(self.rows(sql, values)), None)


@cache
def _connector() -> Any:
    """Return the class of procrastinate's connector over one connection of ours, within its transaction."""
    from procrastinate import SyncPsycopgConnector

    class Over(SyncPsycopgConnector):  # type: ignore[misc] # it is skipped where it is not installed
        """What the queue calls asynchronous is done at once: see ``_now``."""

        def __init__(self, connection: Connection[Row]) -> None:
            super().__init__()
            self._one = connection

        @property
        def pool(self) -> Any:
            return self

        def connection(self) -> AbstractContextManager[Connection[Row]]:
            return nullcontext(self._one)

        async def execute_query_async(self, query: Any, **arguments: Any) -> None:
            self.execute_query(query, **arguments)

        async def execute_query_one_async(self, query: Any, **arguments: Any) -> dict[str, Any]:
            found: dict[str, Any] = self.execute_query_one(query, **arguments)
            return found

    return Over


def _now(work: Coroutine[Any, Any, T]) -> T:
    """Run one of the queue's coroutines, which over our connector never waits."""
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("It waits.")


def _status(name: str) -> Any:
    from procrastinate.jobs import Status

    return Status(name)


def _names(scope: Scope) -> tuple[str, str, str]:
    return scope.agent, scope.user, scope.project


def _number(lock: str) -> int:
    return int(lock.removeprefix("scope:"))


def _known(job_id: str) -> str:
    """Return an id as the database takes it; one that it refuses is nobody's."""
    return job_id if job_id.isascii() and "\x00" not in job_id else ""
