"""Jobs whose worker is killed, or stands still, or has company: no step is lost, none is done twice.

Beside a file and in a database alike.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import IO

import pytest

from reverie import Reverie
from reverie.answers import JobState
from reverie.stores.jobs import ATTEMPTS
from tests.postgres_server import WHY_NOT, addresses, new_tenant
from tests.reliability.watching import start
from tests.stores.making import ADA, GRACE

KILLS = 200
STEP = 16
"""Messages that a worker imports in a step, see ``worker.jobs``."""
PLACES = ["file", pytest.param("postgres", marks=pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT))]


@pytest.fixture(params=PLACES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The path of a store that is not there yet, or the address of one in a database."""
    if request.param == "postgres":
        return f"{addresses()[1]}&tenant={new_tenant()}"
    return str(tmp_path / "x.db")


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """A process that forks workers, so that none has to import everything anew."""
    found = Nursery()
    yield found
    found.end()


class Nursery:
    """Forks workers that do a store's jobs and tell of each step; one at a time."""

    def __init__(self) -> None:
        self._mother = start("nursery", "jobs")
        self.pid = 0

    def begin(self, path: str, how: str = "") -> None:
        """Start a worker; ``how``: as ``worker.jobs``."""
        self._into.write(f"{path} {how or 'plain'} jobs\n")
        self._into.flush()
        self.pid = int(self.line().split()[1])

    @property
    def _into(self) -> IO[str]:
        assert self._mother.stdin is not None
        return self._mother.stdin

    def line(self) -> str:
        """The next line that it says; "ended" is the last."""
        assert self._mother.stdout is not None
        return self._mother.stdout.readline().strip()

    def rest(self) -> list[str]:
        """All that it still says."""
        return list(iter(self.line, "ended"))

    def kill(self) -> None:
        """Kill the worker, unless it has ended by itself, and wait until it is gone."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        self.rest()

    def end(self) -> None:
        """End the nursery."""
        output, complaint = self._mother.communicate(timeout=60)
        assert (output, complaint) == ("", "")


def chat(folder: Path, messages: int, first: int = 0) -> str:
    """The path of a file of messages, each with an id."""
    path = folder / "chat.jsonl"
    numbers = range(first, first + messages)
    lines = [{"text": f"Cup {number} is blue.", "id": f"m{number}"} for number in numbers]
    path.write_text("\n".join(json.dumps({**line, "at": "2026-03-01T12:00:00Z"}) for line in lines))
    return str(path)


def opened(path: str) -> Reverie:
    """The store as this process looks at it."""
    return Reverie.open(path, embedder="hash", background=False)


def texts(memory: Reverie) -> list[str]:
    """The messages that are there, sorted."""
    return sorted(one.text for one in memory.timeline(ADA))


def enqueued(memory: Reverie, folder: Path, expected: int) -> int:
    """See that a job is open, by a retry or by two new ones; return how many messages there must be in the end."""
    found = memory.jobs.jobs(ADA)
    for job in found:
        if job.state is JobState.FAILED:  # killed too often before it got any further than before
            memory.jobs.retry(job.id, ADA, background=False)
    if any(job.is_open for job in memory.jobs.jobs(ADA)):
        return expected
    for kind, given in (("import", {"file": chat(folder, 5 * STEP, expected)}), ("embed", {})):
        memory.jobs.enqueue(kind, ADA, arguments=given, background=False)
    return expected + 5 * STEP


def killed(nursery: Nursery, path: str, chance: Random) -> None:
    """Let a worker take some steps, and kill it within the next, unless it has done all."""
    nursery.begin(path)
    for _ in range(chance.randrange(1, 8)):
        if nursery.line() == "ended":
            return
    for _ in range(chance.randrange(100_000)):  # somewhere within the next step
        pass
    nursery.kill()


@pytest.mark.soak
@pytest.mark.req("D57c")
def test_no_kill_loses_or_doubles_a_step(
    nursery: Nursery, place: str, tmp_path: Path, share: Callable[[int], int]
) -> None:
    """200 workers killed in mid-job (10 by default): in the end each message is there once, with its vector."""
    chance, expected, kills = Random(26), 0, share(KILLS)
    with opened(place) as memory:
        for _ in range(kills if kills == KILLS else kills // 2):
            expected = enqueued(memory, tmp_path, expected)
            killed(nursery, place, chance)
        for _ in range(2):  # the last kill may have been one too many for a job
            expected = enqueued(memory, tmp_path, expected)
            memory.jobs.work()
        assert {job.state for job in memory.jobs.jobs(ADA)} == {JobState.DONE}
        assert texts(memory) == sorted(f"Cup {number} is blue." for number in range(expected))
        assert memory.admin.missing() == 0
        assert memory.admin.stats(ADA).events == expected
        assert memory.admin.verify() == []


@pytest.mark.req("D57c")
def test_the_job_of_a_stopped_worker_is_nobody_elses(nursery: Nursery, place: str, tmp_path: Path) -> None:
    """However long it stands; when it wakes it goes on itself, and each step was done once."""
    with opened(place) as memory:
        job = memory.jobs.enqueue("import", ADA, arguments={"file": chat(tmp_path, 10 * STEP)}, background=False)
        nursery.begin(place, "slow")
        said = [nursery.line(), nursery.line()]
        os.kill(nursery.pid, signal.SIGSTOP)
        time.sleep(0.1)
        assert memory.jobs.work() == 0
        assert memory.jobs.show(job.id, ADA).state is JobState.RUNNING
        os.kill(nursery.pid, signal.SIGCONT)
        said += nursery.rest()
        assert said[1:] == [f"step {job.id} {STEP * step}" for step in range(1, 11)]
        assert memory.jobs.show(job.id, ADA).state is JobState.DONE
        assert len(texts(memory)) == 10 * STEP


@pytest.mark.req("D57c")
def test_the_job_of_a_killed_worker_goes_on_with_the_next(nursery: Nursery, place: str, tmp_path: Path) -> None:
    """At once; the steps it had done are not done again."""
    with opened(place) as memory:
        job = memory.jobs.enqueue("import", ADA, arguments={"file": chat(tmp_path, 10 * STEP)}, background=False)
        nursery.begin(place, "slow")
        assert [nursery.line(), nursery.line()][1] == f"step {job.id} {STEP}"
        nursery.kill()
        began = time.monotonic()
        while not memory.jobs.work():
            assert time.monotonic() < began + 10
        found = memory.jobs.show(job.id, ADA)
        assert (found.state, found.attempts) == (JobState.DONE, 1)
        assert len(texts(memory)) == 10 * STEP
        assert memory.admin.stats(ADA).events == 10 * STEP


@pytest.mark.req("D57c")
def test_two_workers_share_the_scopes_and_no_job(nursery: Nursery, place: str, tmp_path: Path) -> None:
    """Each job is begun once, whoever does it."""
    with opened(place) as memory:
        for scope in (ADA, GRACE):
            memory.jobs.enqueue("import", scope, arguments={"file": chat(tmp_path, 5 * STEP)}, background=False)
            memory.jobs.enqueue("dream", scope, background=False)
        nursery.begin(place)
        memory.jobs.work()
        nursery.rest()
        memory.jobs.work()
        for scope in (ADA, GRACE):
            assert {(job.state, job.attempts) for job in memory.jobs.jobs(scope)} == {(JobState.DONE, 1)}
            assert memory.admin.stats(scope).memories == 5 * STEP


@pytest.mark.req("D57c")
def test_a_job_that_kills_its_worker_each_time_fails_in_the_end(nursery: Nursery, place: str) -> None:
    """Before its first step: after so many attempts it is visible with its reason, and a retry is possible."""
    with opened(place) as memory:
        job = memory.jobs.enqueue("dream", ADA, background=False)
        for _ in range(ATTEMPTS):
            nursery.begin(place, "die")
            assert nursery.rest() == ["open"]
        assert memory.jobs.work() == 0
        found = memory.jobs.show(job.id, ADA)
        assert (found.state, found.attempts) == (JobState.FAILED, ATTEMPTS)
        assert "5 times" in found.reason
        memory.jobs.retry(job.id, ADA, background=False)
        assert memory.jobs.work() == 1
