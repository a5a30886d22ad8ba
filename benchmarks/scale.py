"""What breaks first when a thousand million memories in a million scopes are served, and when to add a database.

In: a load, the costs measured for one turn (``docs/scale.md`` names each), and a fleet of app cores and databases. Out,
printed: for fleets of growing size the utilisation and the seconds of a turn, from a seeded simulation, event by event;
what grows with the days, and on which day each limit is reached. ``python -m benchmarks.scale``.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from heapq import heappop, heappush
from itertools import count
from statistics import quantiles

from reverie.formulas.rendezvous import rendezvous_score

DAY_S = 86_400
GIGA = 1e9


@dataclass(frozen=True, slots=True)
class Load:
    """Who asks, and how often; a turn is a message kept and a recall.

    Attributes:
        scopes: how many.
        memories: of each scope when it begins.
        kept_a_day: of each scope, what a day adds to them for good.
        turns_a_day: of each scope.
        peak: the busiest hour's rate over the mean.
        active: the share of scopes that half of all turns come from.
        busiest: the share of turns that come from one scope, such as a team's.
        erasures_a_day: of each scope.
    """

    scopes: int = 1_000_000
    memories: float = 1_000.0
    kept_a_day: float = 2.7
    turns_a_day: float = 20.0
    peak: float = 5.0
    active: float = 0.01
    busiest: float = 0.002
    erasures_a_day: float = 0.01

    @property
    def turns_a_second(self) -> float:
        """Turns a second in the busiest hour."""
        return self.scopes * self.turns_a_day / DAY_S * self.peak


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds of work and bytes, measured on two shared cores with PostgreSQL 18.6 (2026-11-23, ``docs/scale.md``).

    Attributes:
        remember_app_s, remember_db_s: a message: the app's core, the database's core.
        locked_s: how long it holds the scope's lock besides, for round trips and the disk.
        recall_app_s, recall_db_s: a recall in a scope of a thousand memories.
        cold_app_s, cold_db_s: loading such a scope that is not in memory.
        scope_bytes: memory that a loaded scope takes.
        memory_bytes, recall_bytes: on disk: a memory with its event and vector; the event of a recall, of which
            ``event_bytes`` are the event's own (two hashes, digest, salt, time, row and index, by the schema).
        erase_db_s: taking one memory out for good, under the scope's lock; assumed, as it could not be measured.
        restore_bytes_s: reading a database back from its backup.
    """

    remember_app_s: float = 0.0008
    remember_db_s: float = 0.0005
    locked_s: float = 0.0007
    recall_app_s: float = 0.0038
    recall_db_s: float = 0.0008
    cold_app_s: float = 0.0055
    cold_db_s: float = 0.0015
    scope_bytes: float = 1.94e6
    memory_bytes: float = 2_620.0
    recall_bytes: float = 465.0
    event_bytes: float = 240.0
    erase_db_s: float = 0.02
    restore_bytes_s: float = 1.4e8


@dataclass(frozen=True, slots=True)
class Fleet:
    """What serves the load.

    Attributes:
        app_cores: cores that run Reverie.
        databases: how many, each with ``db_cores``.
        db_cores: cores of one database.
        kept_bytes: memory for loaded scopes, over all workers.
        disk_bytes: what one database may hold.
        restore_s: how long one database may take to come back.
    """

    app_cores: int = 20
    databases: int = 8
    db_cores: int = 2
    kept_bytes: float = 24e9
    disk_bytes: float = 500e9
    restore_s: float = 3_600.0


class Station:
    """Servers with one queue, first come, first served; counts what the laws of queues speak of."""

    def __init__(self, servers: int) -> None:
        self.servers = servers
        self.free = servers
        self.waiting: deque[Callable[[], None]] = deque()
        self.arrived = self.here = 0
        self.area = self.busy_s = self.waited_s = self._since = 0.0

    def moved(self, now: float, by: int) -> None:
        """Note that the number of jobs here changes: the area under it is what Little's law compares.

        A server idles only while nobody waits, so that many servers are busy, up to all.
        """
        self.area += self.here * (now - self._since)
        self.busy_s += min(self.here, self.servers) * (now - self._since)
        self.here, self._since = self.here + by, now

    def utilisation(self, now: float) -> float:
        """Return the share of the servers' time since 0 in which they were taken."""
        self.moved(now, 0)
        return self.busy_s / (self.servers * now)


Job = Generator[tuple[Station, float | None], None, None]
"""A job: yields (station, seconds) to be served there, (station, None) to take one server and keep it."""


class Simulation:
    """Runs jobs through stations, event by event; the same jobs in the same order give the same times."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()

    def at(self, when: float, what: Callable[[], None]) -> None:
        """Do something at a time; what was planned first goes first."""
        heappush(self._events, (when, next(self._numbers), what))

    def begin(self, job: Job) -> None:
        """Start a job now."""
        self._step(job)

    def release(self, station: Station) -> None:
        """Give back a server of a station, to the next in its queue."""
        station.moved(self.now, -1)
        if station.waiting:
            station.waiting.popleft()()
        else:
            station.free += 1

    def run(self, until: float) -> None:
        """Run until a time; jobs that are under way then stay as they are."""
        while self._events and self._events[0][0] <= until:
            self.now, _, what = heappop(self._events)
            what()
        self.now = until

    def _served(self, station: Station, job: Job) -> None:
        self.release(station)
        self._step(job)

    def _step(self, job: Job) -> None:
        try:
            station, seconds = next(job)
        except StopIteration:
            return
        asked = self.now
        station.arrived += 1
        station.moved(self.now, 1)

        def serve() -> None:
            station.waited_s += self.now - asked
            if seconds is None:
                self._step(job)
            else:
                self.at(self.now + seconds, partial(self._served, station, job))

        if station.free:
            station.free -= 1
            serve()
        else:
            station.waiting.append(serve)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a simulated span of the busiest hour was like.

    Attributes:
        seconds: of the span.
        turns: times of the turns that ended, in seconds.
        unfinished: turns that had begun and not ended.
        app, databases: utilisation, from 0 to 1.
        lock: share of the time in which the busiest scope was locked.
        cold: share of the turns whose scope had to be loaded.
    """

    seconds: float
    turns: list[float] = field(default_factory=list)
    unfinished: int = 0
    app: float = 0.0
    databases: list[float] = field(default_factory=list)
    lock: float = 0.0
    cold: float = 0.0

    def percentile(self, hundredth: int) -> float:
        """Return the seconds within which so many of a hundred turns ended."""
        return quantiles(self.turns, n=100, method="inclusive")[hundredth - 1] if len(self.turns) > 1 else math.nan


class _Service:
    """The fleet under a load: stations, the scopes in memory, and what a turn does."""

    def __init__(self, costs: Costs, fleet: Fleet, chance: random.Random) -> None:
        self.world = Simulation()
        self.app = Station(fleet.app_cores)
        self.databases = {f"db{number}": Station(fleet.db_cores) for number in range(fleet.databases)}
        self.locks: dict[int, Station] = {}
        self._network = Station(sys.maxsize)  # nobody queues there
        self.ended: list[float] = []
        self.missed = 0
        self.most_kept = int(min(fleet.kept_bytes / costs.scope_bytes, sys.maxsize))
        self._kept: OrderedDict[int, None] = OrderedDict()
        self._costs, self._chance = costs, chance

    def touch(self, scope: int) -> bool:
        """Put a scope among those used last, and out the one used longest ago; return whether it was not there."""
        known = scope in self._kept
        self._kept[scope] = None
        self._kept.move_to_end(scope)
        if len(self._kept) > self.most_kept:
            self._kept.popitem(last=False)
        return not known

    def turn(self, scope: int) -> Job:
        """Keep a message under the scope's lock, then recall, with the scope loaded first where it is not in memory."""
        costs, took, began = self._costs, self._took, self.world.now
        database = self.databases[self._place(scope)]
        yield self.app, took(costs.remember_app_s)
        yield from self._locked(scope, database, costs.remember_db_s)
        if self.touch(scope):
            self.missed += 1
            yield database, took(costs.cold_db_s)
            yield self.app, took(costs.cold_app_s)
        yield self.app, took(costs.recall_app_s)
        yield database, took(costs.recall_db_s)
        self.ended.append(self.world.now - began)

    def erasure(self, scope: int) -> Job:
        """Take a memory out, under the scope's lock."""
        database = self.databases[self._place(scope)]
        yield from self._locked(scope, database, self._costs.erase_db_s)

    def _place(self, scope: int) -> str:
        """Return the database of a scope, by rendezvous hashing."""

        def score(name: str) -> float:
            digest = sha256(f"{name} {scope}".encode()).digest()
            return rendezvous_score(int.from_bytes(digest[:8], "big") / 2.0**64, 1.0)

        return max(self.databases, key=score)

    def _locked(self, scope: int, database: Station, work_s: float) -> Job:
        """Work in a database while nobody else writes in the scope."""
        lock = self.locks.setdefault(scope, Station(1))
        yield lock, None
        yield self._network, self._costs.locked_s
        yield database, self._took(work_s)
        self.world.release(lock)

    def _took(self, mean: float) -> float:
        return mean * self._chance.gammavariate(4.0, 0.25)  # 95th over 50th of a hundred: 2.1; measured 1.4 to 2.0


def simulate(load: Load, costs: Costs, fleet: Fleet, *, seconds: float = 20.0, seed: int = 0) -> Outcome:
    """Simulate a span of the busiest hour: arrivals without memory, service times about the measured ones.

    Every scope belongs to a database by rendezvous hashing; its messages queue for its lock. Scopes in memory are those
    used last, filled before the span begins.
    """
    chance = random.Random(seed)
    service = _Service(costs, fleet, chance)
    if service.most_kept >= load.scopes:
        for scope in range(load.scopes):
            service.touch(scope)
    for _ in range(min(3 * service.most_kept, load.scopes)):
        service.touch(_drawn(load, chance))
    when, begun = 0.0, 0
    while (when := when + chance.expovariate(load.turns_a_second)) < seconds:
        service.world.at(when, partial(service.world.begin, service.turn(_drawn(load, chance))))
        begun += 1
        if chance.random() < load.erasures_a_day / load.turns_a_day:
            service.world.at(when, partial(service.world.begin, service.erasure(_drawn(load, chance))))
    service.world.run(seconds)
    return Outcome(
        seconds,
        turns=service.ended,
        unfinished=begun - len(service.ended),
        app=service.app.utilisation(seconds),
        databases=[one.utilisation(seconds) for one in service.databases.values()],
        lock=service.locks[0].utilisation(seconds) if 0 in service.locks else 0.0,
        cold=service.missed / max(1, begun),
    )


def _drawn(load: Load, chance: random.Random) -> int:
    """Draw the scope of a turn: number 0 is the busiest, the next are the active ones."""
    which = chance.random()
    if which < load.busiest:
        return 0
    active = max(2, int(load.scopes * load.active))
    return chance.randrange(1, active) if which < 0.5 else chance.randrange(load.scopes)


@dataclass(frozen=True, slots=True)
class Limit:
    """Something that is reached as the memories grow, and what is done about it.

    Attributes:
        name: what is reached.
        day: after so many days of this load; infinite: never.
        mend: what to do.
    """

    name: str
    day: float
    mend: str


def limits(load: Load, costs: Costs, fleet: Fleet, *, recalls_an_event: int = 1) -> list[Limit]:
    """Return what is reached, the first first: disk, restore time, and recalls that fill as much as the memories did.

    ``recalls_an_event``: how many recalls of a scope are written as one event, which share its own bytes.
    """
    recall = costs.recall_bytes - costs.event_bytes * (1 - 1 / recalls_an_event)
    recalls = load.scopes * load.turns_a_day * recall
    held = load.scopes * load.memories * costs.memory_bytes
    a_day = load.scopes * load.kept_a_day * costs.memory_bytes + recalls
    restorable = fleet.restore_s * costs.restore_bytes_s

    def day(of_each: float) -> float:
        return max(0.0, (of_each * fleet.databases - held) / a_day)

    found = [
        Limit("a database is as large as it may be", day(fleet.disk_bytes), "add a database"),
        Limit("its restore takes as long as it may", day(restorable), "add a database, or archive scopes that sleep"),
        Limit("recalls fill as much as the memories did", held / recalls, "write recalls in batches"),
    ]
    return sorted(found, key=lambda limit: (limit.day, limit.name))


def databases_for(load: Load, costs: Costs, fleet: Fleet, memories: float, *, most: float = 0.6) -> int:
    """Return how many databases a number of memories needs: for disk, restore time and cores at most ``most`` busy."""
    held = memories * costs.memory_bytes
    room = min(fleet.disk_bytes, fleet.restore_s * costs.restore_bytes_s)
    work = load.turns_a_second * (costs.remember_db_s + costs.recall_db_s + costs.cold_db_s)
    return max(1, math.ceil(held / room), math.ceil(work / (fleet.db_cores * most)))


_HEAD = (
    "app cores, databases",
    "app",
    "databases, busiest",
    "scope's lock",
    "cold",
    "p50 ms",
    "p95",
    "p99",
    "unfinished",
)


def tries(load: Load, costs: Costs, fleet: Fleet) -> Iterator[tuple[str, Load, Costs, Fleet]]:
    """Yield what is simulated: growing fleets, then one that holds, with a scope or an erasure that is too much."""
    for cores, databases in ((4, 1), (8, 1), (12, 1), (12, 2), (16, 2), (20, 4), (32, 8)):
        yield (
            f"{cores}, {databases}",
            load,
            costs,
            replace(fleet, app_cores=cores, databases=databases),
        )
    holds = replace(fleet, app_cores=20, databases=4)
    for share in (0.2, 0.5, 0.9):
        yield f"20, 4; {share:.0%} of turns in one scope", replace(load, busiest=share), costs, holds
    yield "20, 4; every scope in memory", load, costs, replace(holds, kept_bytes=math.inf)
    for erase_s in (1.0, 36.0):
        yield f"20, 4; an erasure takes {erase_s:g} s", load, replace(costs, erase_db_s=erase_s), holds


def report(load: Load, costs: Costs, fleet: Fleet, *, seconds: float, seed: int) -> Iterator[str]:
    """Yield the lines of the report."""
    yield f"{load.scopes:,} scopes, {load.turns_a_day:g} turns a day; at the peak {load.turns_a_second:,.0f} a second"
    yield f"| {' | '.join(_HEAD)} |"
    yield f"| --- |{' ---: |' * (len(_HEAD) - 1)}"
    for name, asked, cost, tried in tries(load, costs, fleet):
        seen = simulate(asked, cost, tried, seconds=seconds, seed=seed)
        times = " | ".join(f"{seen.percentile(hundredth) * 1000:,.1f}" for hundredth in (50, 95, 99))
        shares = f"{seen.app:.0%} | {max(seen.databases):.0%} | {seen.lock:.0%} | {seen.cold:.0%}"
        yield f"| {name} | {shares} | {times} | {seen.unfinished:,} |"
    for batch in (1, 64):
        yield f"{fleet.databases} databases, recalls in events of {batch}:"
        for limit in limits(load, costs, fleet, recalls_an_event=batch):
            yield f"  day {limit.day:,.0f}: {limit.name}: {limit.mend}"
    for memories in (1e7, 1e8, 3e8, 1e9, 3e9):
        needed = databases_for(load, costs, fleet, memories)
        yield f"{memories:,.0f} memories, {memories * costs.memory_bytes / GIGA:,.0f} GB: {needed} databases"


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--scopes", type=int, default=Load().scopes, help="how many scopes")
    options.add_argument("--turns", type=float, default=Load().turns_a_day, help="turns of each in a day")
    options.add_argument(
        "--busiest", type=float, default=Load().busiest, help="share of turns that come from one scope"
    )
    options.add_argument("--seconds", type=float, default=20.0, help="of the busiest hour that are simulated")
    options.add_argument("--seed", type=int, default=0, help="of what is drawn")
    given = options.parse_args()
    load = Load(scopes=given.scopes, turns_a_day=given.turns, busiest=given.busiest)
    for line in report(load, Costs(), Fleet(), seconds=given.seconds, seed=given.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
