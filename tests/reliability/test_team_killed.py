"""A team over one PostgreSQL server, under load: whoever is killed, nothing acknowledged is lost, or done twice."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median

import httpx
import pytest

from reverie import Reverie, Scope
from reverie.answers import JobState
from tests.postgres_server import WHY_NOT, own_server
from tests.stores.making import GRACE

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
KILLS, FEW = 200, 4
KINDS = ("server", "web", "worker", "connections")
CLIENTS = 4
SCOPES = [Scope("team", f"user {number}", "home") for number in range(6)]
JOBS = GRACE
MESSAGES = 600
_RECOVERY_S = 60.0


class Client(threading.Thread):
    """Asks the HTTP servers that live; a request that was not answered is sent again with the same message id."""

    def __init__(self, number: int, addresses: Callable[[], list[str]], stop: threading.Event) -> None:
        super().__init__(name=f"client-{number}", daemon=True)
        self.number, self.addresses, self.ended = number, addresses, stop
        self.chance = Random(number)
        self.kept: list[tuple[Scope, str]] = []
        self.tried = 0
        self.odd: list[str] = []

    def run(self) -> None:
        """Until it is told to stop."""
        with httpx.Client(timeout=30.0) as client:
            while not self.ended.is_set():
                self._say(client, f"Client {self.number} says word{len(self.kept)}.", self.chance.choice(SCOPES))

    def _say(self, client: httpx.Client, text: str, scope: Scope) -> None:
        verb = self.chance.choices(("remember", "observe", "recall"), (5, 2, 2))[0]
        named = {"agent": scope.agent, "user": scope.user, "project": scope.project}
        said = {"text": text, "message_id": f"{self.number}-{len(self.kept)}", "session": f"s{self.number}"}
        body = {"cue": text} if verb == "recall" else said
        while not self.ended.is_set():
            self.tried += 1
            try:
                where = self.chance.choice(self.addresses() or [""])
                answer = client.post(f"{where}/v1/{verb}", params=named, json=body)
            except httpx.HTTPError:
                time.sleep(0.01)
                continue
            if answer.status_code == httpx.codes.OK:
                self.kept += [(scope, text)] if body is said else []
                return
            if answer.status_code < 500:
                self.odd.append(f"{answer.status_code} {answer.text}")
            time.sleep(0.01)


class Load:
    """The clients, and the jobs that are enqueued while workers are killed."""

    def __init__(self, team: object, memory: Reverie) -> None:
        from tests.reliability.team import Team, jobs_of

        assert isinstance(team, Team)
        self.team, self.jobs = team, jobs_of(memory, team.folder)
        self.expected = 0
        self.pauses: dict[str, list[float]] = {}
        """By kind of kill, seconds until the next message was acknowledged."""
        self.stop = threading.Event()
        self.clients = [Client(number, team.addresses, self.stop) for number in range(CLIENTS)]

    def enqueue(self) -> None:
        """See that there is work: retry what was killed too often, and add a file once all are done."""
        for job in self.jobs.jobs(JOBS):
            if job.state is JobState.FAILED:
                self.jobs.retry(job.id, JOBS, background=False)
        if not any(job.is_open for job in self.jobs.jobs(JOBS)):
            file = self.team.chat(self.expected, MESSAGES)
            self.expected += MESSAGES
            self.jobs.enqueue("import", JOBS, arguments={"file": file}, background=False)
            self.jobs.enqueue("embed", JOBS, background=False)

    @property
    def acknowledged(self) -> int:
        """How many messages so far."""
        return sum(len(client.kept) for client in self.clients)

    def wait(self, more: int) -> None:
        """Until so many more messages were acknowledged."""
        wanted, until = self.acknowledged + more, time.monotonic() + _RECOVERY_S
        while self.acknowledged < wanted:
            assert time.monotonic() < until, [client.odd[-1:] for client in self.clients]
            time.sleep(0.005)


@pytest.fixture
def load(tmp_path: Path) -> Iterator[tuple[Load, object, str]]:
    """Two HTTP servers, two workers and their clients over a server that syncs its log; that server; its address."""
    from tests.reliability.team import Team, opened

    with own_server() as (server, address):
        team = Team(address, tmp_path)
        memory = opened(address)
        made = Load(team, memory)
        try:
            for role in ("web", "worker") * 2:
                team.add(role)
            made.enqueue()
            for client in made.clients:
                client.start()
            yield made, server, address
        finally:
            made.stop.set()
            team.close()
            memory.close()


def kill(kind: str, load: Load, server: object, chance: Random) -> None:
    """Kill something, and start it again; or cut every connection to the server."""
    import psycopg

    from tools.postgres import Server

    assert isinstance(server, Server)
    if kind == "server":
        server.kill()
        time.sleep(chance.random() / 10)
        server.start()
    elif kind == "connections":
        with psycopg.connect(server.url(), autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reverie_app'")
    else:
        load.team.kill(kind, chance.randrange(2))
        load.team.add(kind)


@pytest.mark.req("D57c")
def test_nothing_acknowledged_is_lost_and_nothing_done_twice(
    load: tuple[Load, object, str], share: Callable[[int], int]
) -> None:
    """200 kills, one of each kind by default: all messages and jobs are done once, with vectors; no chain breaks."""
    from tests.reliability.team import opened

    loaded, server, address = load
    chance = Random(26)
    count = share(KILLS) if share(KILLS) == KILLS else FEW
    kinds = [KINDS[number % len(KINDS)] for number in range(count)]
    chance.shuffle(kinds)
    for kind in kinds:
        loaded.wait(chance.randint(1, 8))
        time.sleep(chance.random() / 50)
        loaded.enqueue()
        began = time.monotonic()
        kill(kind, loaded, server, chance)
        loaded.wait(1)
        loaded.pauses.setdefault(kind, []).append(time.monotonic() - began)
    loaded.wait(CLIENTS)
    loaded.stop.set()
    for client in loaded.clients:
        client.join()
    loaded.team.close()
    with opened(address) as memory:
        loaded.jobs = type(loaded.jobs)(memory._context, memory._parts, loaded.jobs._table)
        loaded.enqueue()
        until = time.monotonic() + _RECOVERY_S
        while any(job.is_open for job in loaded.jobs.jobs(JOBS)):  # a killed worker may hold its lock for a moment
            assert time.monotonic() < until
            loaded.jobs.work()
        verify(loaded, memory)


def verify(loaded: Load, memory: Reverie) -> None:
    """Count everything that was promised, and everything that is there."""
    assert {job.state for job in loaded.jobs.jobs(JOBS)} == {JobState.DONE}
    imported = Counter(one.text for one in memory.timeline(JOBS))
    assert imported == Counter(f"Cup {number} is blue." for number in range(loaded.expected))
    assert memory.admin.stats(JOBS).events == loaded.expected
    there = Counter((scope, one.text) for scope in SCOPES for one in memory.timeline(scope) if one.kind == "episode")
    promised = Counter(kept for client in loaded.clients for kept in client.kept)
    told = {
        "kills": {kind: len(pauses) for kind, pauses in loaded.pauses.items()},
        "median and longest pause": {
            kind: (round(median(pauses), 2), round(max(pauses), 2)) for kind, pauses in loaded.pauses.items()
        },
        "acknowledged": promised.total(),
        "imported": imported.total(),
        "lost": len(promised - there),
        "doubled": sum(count > 1 for count in there.values()),
        "unanswered and kept": len(there - promised),
        "tries": sum(client.tried for client in loaded.clients),
        "breaks": len(memory.admin.verify()),
        "without a vector": memory.admin.missing(),
        "odd": [odd for client in loaded.clients for odd in client.odd],
    }
    print(told)  # noqa: T201 - figures for docs/scale.md, shown with -rP
    assert (told["lost"], told["doubled"], told["breaks"], told["without a vector"], told["odd"]) == (0, 0, 0, 0, [])
    assert told["unanswered and kept"] <= CLIENTS
