"""Jobs whose worker is killed, or stands still, or has company: no step is lost, none is done twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from reverie import Reverie
from reverie.answers import JobState
from reverie.stores.jobs import ATTEMPTS
from tests.reliability.watching import start, told
from tests.stores.making import ADA, GRACE

KILLS = 200


def chat(folder: Path, messages: int) -> str:
    """The path of a file of messages, each with an id."""
    path = folder / "chat.jsonl"
    lines = [{"text": f"Cup {number} is blue.", "id": f"m{number}"} for number in range(messages)]
    path.write_text("\n".join(json.dumps({**line, "at": "2026-03-01T12:00:00Z"}) for line in lines))
    return str(path)


def opened(path: Path) -> Reverie:
    """The store as this process looks at it."""
    return Reverie.open(path, embedder="hash", background=False)


def texts(memory: Reverie) -> list[str]:
    """The messages that are there, sorted."""
    return sorted(one.text for one in memory.timeline(ADA))


def enqueued(path: Path, folder: Path, expected: int) -> int:
    """See that a job is open, by a retry or by two new ones; return how many messages there must be in the end."""
    with opened(path) as memory:
        found = memory.jobs.jobs(ADA)
        for job in found:
            if job.state is JobState.FAILED:  # killed too often before it got any further than before
                memory.jobs.retry(job.id, ADA, background=False)
        if any(job.is_open for job in memory.jobs.jobs(ADA)):
            return expected
        for kind, given in (("import", {"file": chat(folder, expected + 1200)}), ("embed", {})):
            memory.jobs.enqueue(kind, ADA, arguments=given, background=False)
        return expected + 1200


def killed(nursery: subprocess.Popen[str], path: Path, chance: Random) -> None:
    """Let a worker take some steps, and kill it within the next, unless it has done all."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(f"{path} 0 jobs\n")
    nursery.stdin.flush()
    child = int(nursery.stdout.readline().split()[1])
    for _ in range(chance.randrange(1, 12)):
        if nursery.stdout.readline().strip() == "ended":
            return
    for _ in range(chance.randrange(100_000)):  # somewhere within the next step
        pass
    os.kill(child, signal.SIGKILL)
    while nursery.stdout.readline().strip() != "ended":
        pass


@pytest.mark.soak
@pytest.mark.req("D57c")
def test_no_kill_loses_or_doubles_a_step(tmp_path: Path, share: Callable[[int], int]) -> None:
    """200 workers killed in mid-job (a tenth by default): in the end each message is there once, with its vector."""
    path, chance, nursery, expected = tmp_path / "x.db", Random(26), start("nursery"), 0
    for _ in range(share(KILLS)):
        expected = enqueued(path, tmp_path, expected)
        killed(nursery, path, chance)
    nursery.communicate(timeout=60)
    expected = enqueued(path, tmp_path, expected)
    with opened(path) as memory:
        memory.jobs.work()
        assert {job.state for job in memory.jobs.jobs(ADA)} == {JobState.DONE}
        assert texts(memory) == sorted(f"Cup {number} is blue." for number in range(expected))
        assert memory.admin.missing() == 0
        assert memory.admin.stats(ADA).events == expected
        assert memory.admin.verify() == []


@pytest.mark.req("D57c")
def test_the_job_of_a_stopped_worker_is_nobody_elses(tmp_path: Path) -> None:
    """However long it stands; when it is killed the job is free at once, and when it wakes it goes on itself."""
    path = tmp_path / "x.db"
    with opened(path) as memory:
        job = memory.jobs.enqueue("import", ADA, arguments={"file": chat(tmp_path, 2000)}, background=False)
        worker = start("jobs", path, "slow")
        assert worker.stdout is not None
        worker.stdout.readline(), worker.stdout.readline()
        os.kill(worker.pid, signal.SIGSTOP)
        time.sleep(0.1)
        assert memory.jobs.work() == 0
        assert memory.jobs.show(job.id, ADA).state is JobState.RUNNING
        os.kill(worker.pid, signal.SIGCONT)
        told(worker)
        assert memory.jobs.show(job.id, ADA).state is JobState.DONE
        assert len(texts(memory)) == 2000


@pytest.mark.req("D57c")
def test_two_workers_share_the_scopes_and_no_job(tmp_path: Path) -> None:
    """Each job is begun once, whoever does it."""
    path = tmp_path / "x.db"
    with opened(path) as memory:
        for scope in (ADA, GRACE):
            memory.jobs.enqueue("import", scope, arguments={"file": chat(tmp_path, 600)}, background=False)
            memory.jobs.enqueue("dream", scope, background=False)
        workers = [start("jobs", path) for _ in range(2)]
        for worker in workers:
            told(worker)
        memory.jobs.work()
        for scope in (ADA, GRACE):
            assert {(job.state, job.attempts) for job in memory.jobs.jobs(scope)} == {(JobState.DONE, 1)}
            assert memory.admin.stats(scope).memories == 600


@pytest.mark.req("D57c")
def test_a_job_that_kills_its_worker_each_time_fails_in_the_end(tmp_path: Path) -> None:
    """Before its first step: after so many attempts it is visible with its reason, and a retry is possible."""
    path = tmp_path / "x.db"
    with opened(path) as memory:
        job = memory.jobs.enqueue("dream", ADA, background=False)
        for _ in range(ATTEMPTS):
            worker = start("jobs", path, "die")
            worker.communicate(timeout=60)
            assert worker.returncode == -signal.SIGKILL
        assert memory.jobs.work() == 0
        found = memory.jobs.show(job.id, ADA)
        assert (found.state, found.attempts) == (JobState.FAILED, ATTEMPTS)
        assert "5 times" in found.reason
        memory.jobs.retry(job.id, ADA, background=False)
        assert memory.jobs.work() == 1
