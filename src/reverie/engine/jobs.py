"""Work in the background: jobs (dreams, imports, exports, vectors, terms), and the vectors that the model lacks.

A job's progress lies with its work: a dream's in the journal, an import's in the ids of its messages, a vector in the
store. So a step that was done is done once, whoever continues the job after a killed process. What the engine's own
model has not read yet is no entry in the table: the store knows it.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from reverie.answers import Job, JobKind, JobState
from reverie.durable import create, draft_of, taken, unwritable
from reverie.engine.context import Context
from reverie.engine.embedding import IDLE_S, Pace, embed_missing
from reverie.engine.factories import Keyed, entries
from reverie.engine.logs import IN_MEMORY, file_of, note_copy
from reverie.engine.requests import (
    Caller,
    actor,
    by_tool,
    calling,
    require_member,
    require_path,
    require_scope,
    require_words,
)
from reverie.errors import (
    Conflict,
    Denied,
    InvalidExport,
    InvalidInput,
    ModelError,
    NotFound,
    ReverieError,
    StoreClosed,
    StoreError,
)
from reverie.ports import Queued
from reverie.types import RETENTION

if TYPE_CHECKING:
    from reverie.engine.consolidate import Consolidation
    from reverie.engine.maintain import Maintenance
    from reverie.engine.transfer import Transfer
    from reverie.ports import Jobs
    from reverie.types import Scope

PAUSE_S = 1.0
"""Pause before jobs are looked for again that failed, or that another process works on."""
LOCK_S = 0.2
"""A dream that finds another one running over the store looks again after so long."""
KEY_MAX = 200
ARGUMENTS: dict[JobKind, tuple[frozenset[str], frozenset[str]]] = {
    JobKind.DREAM: (frozenset(), frozenset()),
    JobKind.EMBED: (frozenset(), frozenset()),
    JobKind.IMPORT: (frozenset({"file"}), frozenset({"format"})),
    JobKind.REINDEX: (frozenset(), frozenset()),
    JobKind.EXPORT: (frozenset({"file"}), frozenset()),
}
"""For each kind the arguments it needs, and those it may have."""
_FOR_GOOD = (Denied, InvalidExport, InvalidInput, NotFound)
"""Errors that the next attempt would only repeat."""


logger = logging.getLogger("reverie.jobs")


class _Cancelled(Exception):
    """Somebody cancelled the job."""


class _Interrupted(Exception):
    """The engine closes."""


class Verbs(Protocol):
    """The collaborators whose verbs do the work of jobs."""

    @property
    def consolidation(self) -> Consolidation:
        """Return the one that dreams."""

    @property
    def maintenance(self) -> Maintenance:
        """Return the one that embeds."""

    @property
    def transfer(self) -> Transfer:
        """Return the one that imports and exports."""


Step = Callable[[int, int], None]
"""Records that so much of so much is done; raises ``_Cancelled`` or ``_Interrupted``."""


class JobRunner:
    """Collaborator that keeps a store's jobs and runs them, in a background thread or in the caller's.

    There is no thread until there is something to do, and none when all is done. It does jobs first, then the vectors
    that the engine's model lacks, and leaves those for a new job between two batches.
    """

    def __init__(self, context: Context, parts: Verbs, table: Jobs | None = None) -> None:
        self._context = context
        self._table = table or _table(context)
        self._gate = threading.Lock()
        self._stopping = threading.Event()
        self._work = _Work(context, parts, self._stopping)
        self._wanted = False
        self._thread: threading.Thread | None = None
        self._written = threading.Event()
        self._pause_s = IDLE_S

    def enqueue(
        self,
        kind: JobKind | str,
        scope: Scope,
        *,
        arguments: Mapping[str, str] | None = None,
        key: str = "",
        background: bool = True,
    ) -> Job:
        """Enqueue a job, on disk before returning, and start the background thread that does it.

        Args:
            kind: ``dream``, ``embed``, ``import``, ``reindex`` or ``export``; embedding and indexing are of all scopes.
            scope: whose memory.
            arguments: ``file`` to import from (and its ``format``), or a new ``file`` to export to, which is empty
                until the job is done.
            key: while a job of this scope and kind with this key is open, it is returned instead.
            background: False: leave it to another process, or to ``work``.

        Raises:
            InvalidInput: there is no such kind, or its arguments or key are wrong.
            Conflict: there is something at the path of an export.
        """
        require_scope(scope)
        chosen = require_member("job", JobKind, kind)
        given = _arguments(chosen, arguments or {})
        if len(require_words("The key", key)) > KEY_MAX or not key.isprintable():
            raise InvalidInput(f"The key is {key!r:.60}.", f"Use at most {KEY_MAX} ordinary characters.")
        now = self._context.clock.now()
        job = Job(self._context.ids.new_id(now), chosen, scope, now, now, given, key, caller=(actor(scope), by_tool()))
        if chosen is JobKind.EXPORT:
            _claim_file(Path(given["file"]))
        kept = self._table.enqueue(job)
        if background:
            self.start()
        return kept

    def jobs(self, scope: Scope) -> list[Job]:
        """Return the jobs of a scope, newest first."""
        return self._table.jobs(require_scope(scope))

    def show(self, job_id: str, scope: Scope) -> Job:
        """Return one job. Raises NotFound, also for a job of another scope."""
        return self._table.show(require_words("The job's id", job_id), require_scope(scope))

    def cancel(self, job_id: str, scope: Scope) -> Job:
        """Cancel a job: at once, or at its next step if it runs. What it did stays done.

        Raises:
            NotFound: there is no such job in this scope.
            Conflict: it has ended.
        """
        return self._table.cancel(
            require_words("The job's id", job_id), require_scope(scope), self._context.clock.now()
        )

    def retry(self, job_id: str, scope: Scope, *, background: bool = True) -> Job:
        """Let a failed or cancelled job wait again; it goes on where it stopped.

        Raises:
            NotFound: there is no such job in this scope.
            Conflict: it did not fail and was not cancelled, or another job with its key is open.
        """
        job = self._table.retry(require_words("The job's id", job_id), require_scope(scope), self._context.clock.now())
        if background:
            self.start()
        return job

    def work(self) -> int:
        """Run jobs of every scope in this thread until none is left that nobody works on; return how many ended."""
        ended = 0
        while not self._stopping.is_set() and (job := self._one()) is not None:
            ended += not job.is_open
        return ended

    def resume(self) -> None:
        """Start the background thread if there are open jobs, also of another process."""
        if self._table.is_open():
            self.start()

    def start(self) -> None:
        """Run jobs in a background thread, which ends when none is open."""
        with self._gate:
            self._wanted = True
            if self._thread is None and not self._stopping.is_set():
                self._thread = threading.Thread(target=self._run, name="reverie-jobs", daemon=True)
                self._thread.start()

    def catch_up(self, pause_s: float = IDLE_S) -> None:
        """Make the vectors that the model lacks in the background, once nothing was written for ``pause_s`` seconds.

        An error of the store or the model ends that for good, and ``doctor`` reports it.
        """
        if self._context.catch_up_fault is None:
            self._pause_s = pause_s
            self._written.set()
            self.start()

    def due(self) -> list[Scope]:
        """Return the scopes to dream over: with retention rules, or with an event since their last dream ended."""
        from reverie.consolidate.history import cycles

        store, found = self._context.store, []
        for scope, (head, _) in store.heads().items():
            ends = [cycle.ended for cycle in cycles(store, scope)]
            last = ends[-1] if ends else None
            if last is None or head > last[0] or store.records(RETENTION, scope=scope):
                found.append(scope)
        return found

    def stop(self) -> None:
        """Stop at the next step of the job in hand, which then waits, and close the table of jobs."""
        self._stopping.set()
        thread = self._thread
        if thread is not None:
            thread.join()
        self._table.close()

    def _run(self) -> None:
        try:
            while self._is_needed():
                with suppress(ReverieError):  # a table that cannot be written; the vectors do not depend on it
                    self.work()
                self._embed_missing()
                if self._has_open() and not self._written.is_set():
                    self._stopping.wait(PAUSE_S)
        finally:
            with self._gate:
                if self._thread is threading.current_thread():
                    self._thread = None

    def _has_open(self) -> bool:
        """Whether there is an open job; no if the table cannot be read."""
        try:
            return self._table.is_open()
        except ReverieError:
            return False

    def _is_needed(self) -> bool:
        """Whether there is work, or was asked for since this was last asked; if not, the thread ends."""
        with self._gate:
            wanted, self._wanted = self._wanted, False
            needed = not self._stopping.is_set() and (wanted or self._has_open())
            if not needed:
                self._thread = None
        return needed

    def _is_called(self) -> bool:
        """Whether to leave the vectors before the next batch: the engine closes, or there may be a job."""
        return self._stopping.is_set() or self._wanted

    def _embed_missing(self) -> None:
        """Make the missing vectors if something was written, once writing has paused, until there is a job."""
        model = self._context.embedder
        if model is None or not self._written.is_set():
            return
        while self._written.is_set() and not self._stopping.is_set():
            self._written.clear()
            self._stopping.wait(self._pause_s)
        pace = Pace(self._is_called, partial(self._context.guests.rest, self._is_called))
        try:
            embed_missing(self._context.store, model, self._context.locks, pace=pace)
        except StoreClosed:
            return
        except (StoreError, ModelError) as fault:
            self._context.catch_up_fault = fault
        else:
            if self._is_called():
                self._written.set()

    def _one(self) -> Job | None:
        """Make one attempt at the next job; None: there is none. Returns the job as it is afterwards."""
        with self._table.claim(self._context.clock.now()) as job:
            if job is None:
                return None
            state, reason = self._attempt(job)
            self._table.end(job.id, state, reason, self._context.clock.now())
            return self._table.show(job.id, job.scope)

    def _attempt(self, job: Job) -> tuple[JobState, str]:
        """Do a job under the name of who asked for it; return how that ended, and why."""

        def step(done: int, total: int) -> None:
            if self._stopping.is_set():
                raise _Interrupted
            if not self._table.progress(job.id, done, total, self._context.clock.now()):
                raise _Cancelled

        try:
            with calling(Caller(*job.caller)):
                self._work.kinds[job.kind](job, step)
        except _Cancelled:
            return JobState.CANCELLED, ""
        except (_Interrupted, StoreClosed):
            return JobState.WAITING, ""
        except ReverieError as error:
            return JobState.FAILED if isinstance(error, _FOR_GOOD) else JobState.WAITING, error.message
        except Exception as error:  # an edge: a bug in one job may not keep the others from running
            logger.exception("the job %s of %s met a bug", job.kind, job.scope)
            return JobState.WAITING, f"{type(error).__name__}: {error}"
        return JobState.DONE, ""


class _Work:
    """What each kind of job does, by the engine's own verbs, which ask the policies of the scope."""

    def __init__(self, context: Context, parts: Verbs, stopping: threading.Event) -> None:
        self._context = context
        self._parts = parts
        self._stopping = stopping
        self.kinds: dict[JobKind, Callable[[Job, Step], None]] = {
            JobKind.DREAM: self._dream,
            JobKind.EMBED: self._embed,
            JobKind.IMPORT: self._import,
            JobKind.REINDEX: self._reindex,
            JobKind.EXPORT: self._export,
        }

    def _dream(self, job: Job, step: Step) -> None:
        """Dream, once nobody else dreams over the store; a dream that was interrupted is completed by the next."""
        while True:
            try:
                self._parts.consolidation.dream(job.scope, progress=lambda done, steps, _: step(done, steps))
            except Conflict:  # another scope's dream has the store's lock, which is no failure of this one
                step(job.done, job.total)
                self._stopping.wait(LOCK_S)
            else:
                return

    def _embed(self, job: Job, step: Step) -> None:
        """Make the missing vectors; those that an earlier attempt made are there."""
        done, total = job.done, job.done + self._parts.maintenance.missing()

        def made(vectors: int) -> None:
            nonlocal done
            done += vectors
            step(done, total)

        self._parts.maintenance.embed(made)

    def _import(self, job: Job, step: Step) -> None:
        """Import a file; messages that an earlier attempt stored are known by their ids."""
        done = 0

        def stored(messages: int) -> None:
            nonlocal done
            done += messages
            step(done, 0)

        self._parts.transfer.import_from(
            job.arguments["file"], job.scope, kind=job.arguments.get("format"), progress=stored
        )

    def _reindex(self, job: Job, step: Step) -> None:
        """Index the terms of all memories again, a scope in one transaction; an earlier attempt's are not repeated."""
        from reverie.language.text import analyzer

        store = self._context.store
        scopes = sorted(store.scopes())
        step(job.done, len(scopes))
        for number, scope in enumerate(scopes[job.done :], start=job.done + 1):
            with self._context.locks.of(scope):
                store.reindex(scope, analyzer.version(), entries(store, scope))
            step(number, len(scopes))
        store.reindexed(analyzer.version())

    def _export(self, job: Job, step: Step) -> None:
        """Write the scope's journal to a draft, and move that to the file, which is this job's own."""
        path = Path(job.arguments["file"])
        step(0, 1)
        note_copy(self._context.parts.place, path)
        draft = draft_of(path)
        try:
            with create(draft) as out:
                self._parts.transfer.export_journal(out, job.scope)
                out.flush()
                os.fsync(out.fileno())
            draft.replace(path)
        except OSError as error:
            raise unwritable(error, path) from error
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def _table(context: Context) -> Jobs:
    """Return the jobs of a store: its own, in a folder beside it, or in memory with a store in memory."""
    store, place = context.store, context.parts.place
    if isinstance(store, Queued) and (kept := store.queue()) is not None:
        return kept
    from reverie.stores.jobs import JobTable, folder_of

    if place in ("", IN_MEMORY):
        return JobTable(None)
    return JobTable(folder_of(file_of(place)), store.key if isinstance(store, Keyed) else None)


def _arguments(kind: JobKind, given: Mapping[str, str]) -> dict[str, str]:
    """Return the arguments of a job, files by their absolute paths. Raises InvalidInput."""
    needed, allowed = ARGUMENTS[kind]
    if not needed <= set(given) <= needed | allowed:
        what = ", ".join(sorted(needed | allowed)) or "no arguments"
        raise InvalidInput(
            f"The job {kind} was given {', '.join(sorted(map(str, given))) or 'nothing'}.", f"Give {what}."
        )
    held = {name: require_words(name, str(value)) for name, value in given.items()}
    return held | ({"file": str(require_path(held["file"]).absolute())} if "file" in held else {})


def _claim_file(path: Path) -> None:
    """Make the empty file that an export will fill. Raises Conflict if there is something at the path."""
    try:
        create(path).close()
    except FileExistsError:
        raise taken(path) from None
    except OSError as error:
        raise unwritable(error, path) from error
