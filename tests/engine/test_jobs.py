"""Jobs in one process: done in the background, once for a key, cancelled, failed after attempts, retried."""

from __future__ import annotations

import json
import os
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reverie import FixedClock, RandomIds, Reverie, Scope
from reverie.answers import Job, JobState
from reverie.engine import ingest, jobs
from reverie.errors import Conflict, InvalidInput, ModelUnavailable, NotFound
from reverie.stores.jobs import ATTEMPTS
from tests.postgres_server import WHY_NOT, addresses, new_tenant

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SCOPE, OTHER = Scope("helper", "ada", "home"), Scope("helper", "bob", "home")


SERVED = pytest.param("postgres", marks=pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT))


@pytest.fixture(params=["file", SERVED])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The path of a store that is not there yet, or the address of one in a database."""
    if request.param == "postgres":
        return f"{addresses()[1]}&tenant={new_tenant()}"
    return ":memory:" if request.param == "memory" else str(tmp_path / "x.db")


def table(memory: Reverie) -> Any:
    """The queue behind an engine's jobs."""
    return memory.jobs._table


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step of an import stores 16 messages, not 256."""
    monkeypatch.setattr(ingest, "IMPORT_BATCH", 16)


def opened(path: Path | str) -> Reverie:
    """An engine with a small model and a clock that stands."""
    return Reverie.open(path, embedder="hash", clock=FixedClock(NOW), ids=RandomIds(seed=1), background=False)


def chat(folder: Path, messages: int) -> str:
    """The path of a file of messages, each with an id."""
    path = folder / "chat.jsonl"
    lines = [
        {"text": f"Cup {number} is blue.", "id": f"m{number}", "at": NOW.isoformat()} for number in range(messages)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return str(path)


@pytest.mark.req("D57c")
@pytest.mark.parametrize("place", ["file", "memory", SERVED], indirect=True)
def test_every_kind_of_job_is_done_in_the_background(tmp_path: Path, place: str) -> None:
    """In the order they were enqueued; then the thread is gone, and an export reads back."""
    with opened(place) as memory:
        assert not any(one.name == "reverie-jobs" for one in threading.enumerate())
        out = tmp_path / "out.jsonl"
        memory.jobs.enqueue("import", SCOPE, arguments={"file": chat(tmp_path, 40)}, background=False)
        for kind in ("dream", "reindex", "embed"):
            memory.jobs.enqueue(kind, SCOPE, background=False)
        memory.jobs.enqueue("export", SCOPE, arguments={"file": str(out)})
        threads = [one for one in threading.enumerate() if one.name == "reverie-jobs"]
        for one in threads:
            one.join(60)
        found = memory.jobs.jobs(SCOPE)
        assert [job.kind for job in reversed(found)] == ["import", "dream", "reindex", "embed", "export"]
        assert {job.state for job in found} == {JobState.DONE}
        assert found[-1].done == 40
        assert memory.admin.stats(SCOPE).memories == 40
        assert memory.admin.verify() == []
    assert len(out.read_bytes().splitlines()) > 40
    with opened(":memory:") as other:
        assert other.transfer.import_journal(out, into=SCOPE).events > 0


@pytest.mark.req("D57c")
def test_a_key_names_one_open_job_of_a_scope_and_kind(place: str, tmp_path: Path) -> None:
    """Another scope, another kind and a job that has ended are not meant."""
    with opened(place) as memory:
        first = memory.jobs.enqueue("dream", SCOPE, key="night", background=False)
        assert memory.jobs.enqueue("dream", SCOPE, key="night", background=False).id == first.id
        assert memory.jobs.enqueue("dream", OTHER, key="night", background=False).id != first.id
        assert memory.jobs.work() == 2
        assert memory.jobs.enqueue("dream", SCOPE, key="night", background=False).id != first.id
        assert memory.jobs.enqueue("dream", SCOPE, background=False).id != first.id


@pytest.mark.req("D57c")
def test_a_job_of_another_scope_does_not_exist(place: str, tmp_path: Path) -> None:
    """It can be neither seen nor cancelled."""
    with opened(place) as memory:
        job = memory.jobs.enqueue("dream", SCOPE, background=False)
        assert memory.jobs.jobs(OTHER) == []
        for call in (memory.jobs.show, memory.jobs.cancel, memory.jobs.retry):
            with pytest.raises(NotFound):
                call(job.id, OTHER)


@pytest.mark.req("D57c")
def test_a_job_is_cancelled_at_its_next_step_and_retried(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it did stays; a retry goes on and does the rest once."""
    with opened(place) as memory:
        job = memory.jobs.enqueue("import", SCOPE, arguments={"file": chat(tmp_path, 60)}, background=False)
        queue, real = table(memory), table(memory).progress

        def cancelling(job_id: str, done: int, total: int, at: datetime) -> bool:
            """Somebody else cancels after the first batch."""
            queue.cancel(job_id, SCOPE, at)
            return bool(real(job_id, done, total, at))

        with monkeypatch.context() as patch:
            patch.setattr(queue, "progress", cancelling)
            memory.jobs.work()
        assert memory.jobs.show(job.id, SCOPE).state is JobState.CANCELLED
        assert 0 < memory.admin.stats(SCOPE).memories < 60
        with pytest.raises(Conflict):
            memory.jobs.cancel(job.id, SCOPE)
        memory.jobs.retry(job.id, SCOPE, background=False)
        assert memory.jobs.work() == 1
        assert memory.admin.stats(SCOPE).memories == 60


@pytest.mark.req("D57c")
def test_a_waiting_job_is_cancelled_at_once(place: str, tmp_path: Path) -> None:
    """And is not done."""
    with opened(place) as memory:
        job = memory.jobs.enqueue("dream", SCOPE, background=False)
        assert memory.jobs.cancel(job.id, SCOPE).state is JobState.CANCELLED
        assert memory.jobs.work() == 0


@pytest.mark.req("D57c")
@pytest.mark.parametrize("fault", [ModelUnavailable("The endpoint does not answer."), ZeroDivisionError("a bug")])
def test_a_job_fails_after_its_attempts_and_says_why(
    place: str, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """Other jobs are done meanwhile; a retry has all attempts again."""
    tried: list[Job] = []

    def failing(self: object, job: Job, step: object) -> None:
        """Fail each time."""
        tried.append(job)
        raise fault

    monkeypatch.setattr(jobs._Work, "_embed", failing)
    with opened(place) as memory:
        job = memory.jobs.enqueue("embed", SCOPE, background=False)
        dream = memory.jobs.enqueue("dream", SCOPE, background=False)
        assert memory.jobs.work() == 2
        found = memory.jobs.show(job.id, SCOPE)
        assert (found.state, len(tried)) == (JobState.FAILED, ATTEMPTS)
        assert str(fault).splitlines()[0] in found.reason
        assert memory.jobs.show(dream.id, SCOPE).state is JobState.DONE
        memory.jobs.retry(job.id, SCOPE, background=False)
        memory.jobs.work()
        assert len(tried) == 2 * ATTEMPTS


@pytest.mark.req("D57c")
def test_what_no_attempt_can_mend_fails_at_once(place: str, tmp_path: Path) -> None:
    """An import of a file that is not there."""
    with opened(place) as memory:
        job = memory.jobs.enqueue("import", SCOPE, arguments={"file": str(tmp_path / "none")}, background=False)
        memory.jobs.work()
        found = memory.jobs.show(job.id, SCOPE)
        assert (found.state, found.attempts) == (JobState.FAILED, 1)
        assert "none" in found.reason


@pytest.mark.req("D57c")
def test_a_closing_engine_leaves_its_job_to_the_next(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits again, without an attempt lost, and the next engine does the rest."""
    begun = threading.Event()
    with opened(place) as memory:
        real = table(memory).progress

        def slow(job_id: str, done: int, total: int, at: datetime) -> bool:
            """Tell that a batch is done."""
            begun.set()
            return bool(real(job_id, done, total, at))

        monkeypatch.setattr(table(memory), "progress", slow)
        job = memory.jobs.enqueue("import", SCOPE, arguments={"file": chat(tmp_path, 400)})
        assert begun.wait(30)
    with opened(place) as memory:
        found = memory.jobs.show(job.id, SCOPE)
        assert (found.state, found.attempts) == (JobState.WAITING, 0)
        memory.jobs.work()
        assert memory.jobs.show(job.id, SCOPE).state is JobState.DONE
        assert memory.admin.stats(SCOPE).memories == 400


@pytest.mark.req("D57c")
def test_wrong_jobs_are_refused(tmp_path: Path) -> None:
    """Each with what to give instead; and nothing is left on the disk."""
    (tmp_path / "there").write_text("mine")
    with opened(tmp_path / "x.db") as memory:
        for kind, arguments in (("nap", {}), ("import", {}), ("dream", {"file": "x"}), ("export", {})):
            with pytest.raises(InvalidInput):
                memory.jobs.enqueue(kind, SCOPE, arguments=arguments)
        with pytest.raises(InvalidInput):
            memory.jobs.enqueue("dream", SCOPE, key="\n")
        with pytest.raises(Conflict):
            memory.jobs.enqueue("export", SCOPE, arguments={"file": str(tmp_path / "there")})
        assert memory.jobs.jobs(SCOPE) == []
    assert (tmp_path / "there").read_text() == "mine"
    assert not (tmp_path / "x.db-jobs").exists()


def test_a_dream_waits_for_another_one(place: str) -> None:
    """Which holds the scope, or the whole file: that is no failed attempt, and it can be cancelled meanwhile."""
    with opened(place) as memory:
        first = memory.jobs.enqueue("dream", SCOPE, background=False)
        with memory._context.store.alone(SCOPE):
            worker = threading.Thread(target=memory.jobs.work)
            worker.start()
            time.sleep(3 * jobs.LOCK_S)
            assert memory.jobs.show(first.id, SCOPE).state is JobState.RUNNING
        worker.join(30)
        done = memory.jobs.show(first.id, SCOPE)
        assert (done.state, done.attempts) == (JobState.DONE, 1)
        second = memory.jobs.enqueue("dream", SCOPE, background=False)
        with memory._context.store.alone(SCOPE):
            worker = threading.Thread(target=memory.jobs.work)
            worker.start()
            time.sleep(jobs.LOCK_S)
            memory.jobs.cancel(second.id, SCOPE)
            worker.join(30)
            assert memory.jobs.show(second.id, SCOPE).state is JobState.CANCELLED


@pytest.mark.req("D57c")
def test_the_jobs_of_an_encrypted_store_say_nothing_in_clear(tmp_path: Path) -> None:
    """No scope, path, key or reason lies on the disk; nor once a plain store was encrypted; and back again."""
    pytest.importorskip("sqlcipher3", reason="the extra sqlcipher is not installed")
    from reverie.engine.encryption import decrypt, encrypt

    key_file, words = str(tmp_path / "own.key"), ("zebrahelper", "quokkafile", "ibexkey", "xerusreason")
    scope = Scope("zebrahelper", "ada", "home")

    def held() -> set[str]:
        """The words that lie in the folder of jobs."""
        content = b"".join(path.read_bytes() for path in (tmp_path / "x.db-jobs").iterdir())
        return {word for word in words if word.encode() in content}

    def begun(path: str) -> Reverie:
        """An engine on the store, plain or encrypted."""
        return Reverie.open(path, embedder=None, key_file=key_file, background=False)

    hidden, plain = f"sqlcipher:{tmp_path / 'x.db'}", str(tmp_path / "x.db")
    with begun(hidden) as memory:
        memory.remember("Tea at four.", scope)
        found = memory.jobs.enqueue(
            "import", scope, arguments={"file": str(tmp_path / "quokkafile")}, key="ibexkey", background=False
        )
        with table(memory).claim(NOW):
            table(memory).end(found.id, JobState.WAITING, "xerusreason", NOW)
        assert held() == set()
    assert held() == set()
    decrypt(hidden, key_file)
    with begun(plain) as memory:
        assert memory.jobs.show(found.id, scope).reason == "xerusreason"
    assert held() == set(words)
    encrypt(plain, key_file)
    assert held() == set()
    with begun(hidden) as memory:
        assert memory.jobs.show(found.id, scope).key == "ibexkey"


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_jobs_that_came_with_a_folder_are_refused(tmp_path: Path) -> None:
    """They may name any file of this machine."""
    with opened(tmp_path / "x.db") as memory:
        memory.jobs.enqueue("dream", SCOPE, background=False)
    (tmp_path / "x.db-jobs" / "jobs.db").chmod(0o644)
    with opened(tmp_path / "x.db") as memory, pytest.raises(InvalidInput, match="came with the folder"):
        memory.jobs.jobs(SCOPE)
