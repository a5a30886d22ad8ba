"""The queue in a database: tenants stay apart, a killed job jams no scope, and a lost session writes nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from reverie.answers import Job, JobKind, JobState
from reverie.errors import Conflict, NotFound, StoreError, StoreMissing
from tests.postgres_server import WHY_NOT, addresses, new_postgres
from tests.stores.making import ADA, GRACE

if TYPE_CHECKING:
    from reverie.stores.postgres.jobs import PostgresJobs

pytestmark = [pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT), pytest.mark.req("D57c")]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
OWN = ("job", "procrastinate_jobs", "procrastinate_events", "procrastinate_workers", "procrastinate_periodic_defers")


def job(name: str, key: str = "") -> Job:
    """A dream of Ada's."""
    return Job(name, JobKind.DREAM, ADA, NOW, NOW, {}, key, caller=("ada", ""))


@pytest.fixture
def pair() -> Iterator[tuple[PostgresJobs, PostgresJobs]]:
    """The jobs of two tenants."""
    one, other = new_postgres(), new_postgres()
    yield one.queue(), other.queue()
    one.close()
    other.close()


def beside(jobs: PostgresJobs) -> PostgresJobs:
    """Another worker of the same tenant."""
    from reverie.stores.postgres.jobs import PostgresJobs

    return PostgresJobs(jobs._link, jobs._tenant, jobs._box)


def kill_session(jobs: PostgresJobs, name: str) -> None:
    """Have the server end the session that holds a job's scope, as if its process were gone."""
    import psycopg

    with psycopg.connect(addresses()[1], autocommit=True) as user:
        user.execute("SELECT pg_terminate_backend(%s, 5000)", (jobs._held[name].info.backend_pid,))


def test_a_tenant_sees_and_does_its_own_jobs_alone(pair: tuple[PostgresJobs, PostgresJobs]) -> None:
    """Neither through the queue, nor by SQL of the application's role over any of its tables."""
    from reverie.stores.postgres.connection import connected

    own, other = pair
    other.enqueue(job("x", "night"))
    with other.claim(NOW) as begun:
        assert begun is not None
    assert not own.is_open()
    with own.claim(NOW) as found:
        assert found is None
    for call in (own.show, lambda name, scope: own.cancel(name, scope, NOW)):
        with pytest.raises(NotFound):
            call("x", ADA)
    assert own.enqueue(job("x", "night")).state is JobState.WAITING
    assert len(own.jobs(ADA)) == 1
    own.cancel("x", ADA, NOW)
    connection = connected(addresses()[1], own._tenant)
    for table in OWN:
        column = "queue_name" if table == "procrastinate_jobs" else "job_id" if table.endswith("_events") else "''"
        rows = connection.execute(f"SELECT {column}, * FROM {table}").fetchall()
        assert len(rows) == {"job": 1, "procrastinate_jobs": 1, "procrastinate_events": 2}.get(table, 0), table
        with pytest.raises(Exception, match="row-level security"):
            connection.execute("INSERT INTO procrastinate_jobs (queue_name, task_name) VALUES ('0', 'x')")
    assert connection.execute("DELETE FROM procrastinate_jobs").rowcount == 1
    connection.close()
    assert other.show("x", ADA).is_open


def test_a_killed_job_whose_key_waits_again_jams_no_scope(pair: tuple[PostgresJobs, PostgresJobs]) -> None:
    """The queue allows one waiting job a key: the killed one is ended, and the waiting one does the work."""
    queue, _ = pair
    queue.enqueue(job("a", "night"))
    with queue.claim(NOW) as begun:
        assert begun is not None
        with queue._turn() as turn:  # as one that was enqueued in the moment when the first was taken
            number = queue._defer(turn, job("b", "night"))
            columns = "agent, usr, project, kind, same, body, enqueued_at, changed_at"
            turn.rows(
                f"INSERT INTO job (tenant, id, number, {columns}) SELECT tenant, 'b', %s, {columns} FROM job", (number,)
            )
        kill_session(queue, "a")
        assert queue.reap() == 1
    assert {one.id: one.state for one in queue.jobs(ADA)} == {"a": JobState.CANCELLED, "b": JobState.WAITING}
    with queue.claim(NOW) as waiting:
        assert waiting is not None
        assert waiting.id == "b"
        queue.end("b", JobState.DONE, "", NOW)
    assert not queue.is_open()


def test_a_worker_whose_session_was_lost_writes_nothing(pair: tuple[PostgresJobs, PostgresJobs]) -> None:
    """It stood still, and the server ended its session; another does the job, and it learns so when it wakes."""
    queue, _ = pair
    queue.enqueue(job("a"))
    with queue.claim(NOW) as stopped:
        assert stopped is not None
        assert queue.progress("a", 1, 3, NOW)
        with beside(queue).claim(NOW) as nobody:
            assert nobody is None
        kill_session(queue, "a")
        second = beside(queue)
        with second.claim(NOW) as taken:
            assert taken is not None
            assert (taken.id, taken.attempts, taken.done) == ("a", 2, 1)
            with pytest.raises(StoreMissing):
                queue.progress("a", 2, 3, NOW)
            with pytest.raises(StoreMissing):
                queue.end("a", JobState.FAILED, "it woke", NOW)
            assert second.progress("a", 2, 3, NOW)
            second.end("a", JobState.DONE, "", NOW)
    found = queue.show("a", ADA)
    assert (found.state, found.done, found.reason) == (JobState.DONE, 2, "")


def test_the_job_of_a_dead_process_is_cancelled_at_once(pair: tuple[PostgresJobs, PostgresJobs]) -> None:
    """One that runs ends at its next step; nobody takes another of its scope meanwhile."""
    queue, _ = pair
    queue.enqueue(job("a"))
    queue.enqueue(job("b"))
    queue.enqueue(Job("c", JobKind.DREAM, GRACE, NOW, NOW, {}))
    with queue.claim(NOW) as begun:
        assert begun is not None
        assert queue.cancel("a", ADA, NOW).cancelling
        assert not queue.progress("a", 1, 2, NOW)
        with beside(queue).claim(NOW) as other:
            assert other is not None
            assert other.id == "c"
        kill_session(queue, "a")
        assert queue.cancel("a", ADA, NOW).state is JobState.CANCELLED
        with pytest.raises(Conflict):
            queue.cancel("a", ADA, NOW)
    assert queue.retry("a", ADA, NOW).state is JobState.WAITING
    with queue.claim(NOW) as following:
        assert following is not None
        assert following.id == "b"


def test_the_schema_is_renewed_as_often_as_one_likes() -> None:
    """And the error says what to install where the queue's package is missing."""
    from reverie.stores.postgres import jobs, schema
    from reverie.stores.postgres.schema import migrate

    newest = schema.migrations()[-1][0]
    assert migrate(addresses()[0]) == migrate(addresses()[0]) == newest
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "procrastinate", None)
        with pytest.raises(StoreError, match="queue of jobs") as refused:
            jobs.require_queue()
    assert "[postgres]" in refused.value.mend
