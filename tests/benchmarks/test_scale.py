"""``python -m benchmarks.scale``: the laws that every queue obeys, limits that are known exactly, and repetition."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from functools import partial

import pytest

from benchmarks import scale
from benchmarks.scale import Costs, Fleet, Job, Load, Simulation, Station, databases_for, limits, simulate

SMALL = Load(scopes=20_000)
FLEET = Fleet(app_cores=3, databases=2, kept_bytes=2e9)


def one_station(
    servers: int, rate: float, mean_s: float, seconds: float, seed: int
) -> tuple[Station, list[float], float]:
    """A queue with exponential gaps and services: the station, each job's time there, and the work that ended."""
    chance, world, station = random.Random(seed), Simulation(), Station(servers)
    spent: list[float] = []
    work = [0.0]

    def job(needs: float) -> Job:
        began = world.now
        yield station, needs
        spent.append(world.now - began)
        work[0] += needs

    when = 0.0
    while (when := when + chance.expovariate(rate)) < seconds:
        world.at(when, partial(world.begin, job(chance.expovariate(1 / mean_s))))
    world.run(seconds)
    return station, spent, work[0]


def erlang_c(servers: int, offered: float) -> float:
    """The probability that a job has to wait in M/M/c, written out."""
    last = offered**servers / math.factorial(servers) / (1 - offered / servers)
    return last / (sum(offered**k / math.factorial(k) for k in range(servers)) + last)


@pytest.mark.parametrize(("servers", "load"), [(1, 0.5), (1, 0.7), (3, 0.7), (8, 0.8)])
def test_mean_waits_are_those_of_m_m_c(servers: int, load: float) -> None:
    """Mean time in the station is Erlang's within 7 %, and the share of time that servers are busy within 3 %."""
    mean_s, seconds = 0.01, 300.0
    rate = load * servers / mean_s
    station, spent, _ = one_station(servers, rate, mean_s, seconds, seed=3)
    expected = mean_s + erlang_c(servers, rate * mean_s) * mean_s / (servers * (1 - load))
    assert sum(spent) / len(spent) == pytest.approx(expected, rel=0.07)
    assert station.utilisation(seconds) == pytest.approx(load, rel=0.03)


def test_utilisation_is_throughput_times_service() -> None:
    """The utilisation law: busy time is the work that was done, but for what is under way at the end."""
    station, spent, work = one_station(2, 150.0, 0.01, 100.0, seed=1)
    assert station.utilisation(100.0) == pytest.approx(work / (2 * 100.0), abs=0.001)
    assert len(spent) <= station.arrived


def test_littles_law_holds_exactly_when_all_have_left() -> None:
    """The mean number at a station is arrivals a second times the mean time there."""
    chance, world, station = random.Random(5), Simulation(), Station(2)
    spent: list[float] = []

    def job() -> Job:
        began = world.now
        yield station, chance.uniform(0.0, 0.05)
        spent.append(world.now - began)

    for _ in range(500):
        world.at(chance.uniform(0.0, 10.0), partial(world.begin, job()))
    world.run(60.0)
    station.moved(60.0, 0)
    assert len(spent) == station.arrived == 500
    assert station.area / 60.0 == pytest.approx(500 / 60.0 * sum(spent) / 500)


def test_a_lock_is_held_by_one_and_given_in_order() -> None:
    """Jobs that keep a server get it one after another, first come, first served."""
    world, lock, work = Simulation(), Station(1), Station(9)
    order: list[tuple[str, float]] = []

    def job(name: str) -> Job:
        yield lock, None
        yield work, 1.0
        order.append((name, world.now))
        world.release(lock)

    for name in "abc":
        world.begin(job(name))
    world.run(10.0)
    assert order == [("a", 1.0), ("b", 2.0), ("c", 3.0)]
    assert lock.utilisation(10.0) == pytest.approx(0.3)


def test_the_same_seed_gives_the_same_figures() -> None:
    """Bit for bit, and another seed gives others."""
    first, again, other = (simulate(SMALL, Costs(), FLEET, seconds=20.0, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.turns != other.turns


def test_more_cores_and_databases_never_make_a_turn_slower() -> None:
    """A fleet that is too small has a queue that grows; one that is large enough answers in the time of its work."""
    load = replace(SMALL, turns_a_day=500.0)
    small, large = (simulate(load, Costs(), replace(FLEET, app_cores=cores), seconds=10.0) for cores in (2, 40))
    assert small.app > 0.99
    assert small.unfinished > 1_000 > large.unfinished
    assert large.percentile(95) < 0.05 < small.percentile(50)
    assert large.percentile(50) >= 0.003


def test_one_scope_takes_no_more_than_its_lock_lets_through() -> None:
    """However many cores there are, the busiest scope's lock is the limit; spread out, the same load is no trouble."""
    many = Fleet(app_cores=100, databases=4, db_cores=16, kept_bytes=math.inf)
    load = replace(SMALL, turns_a_day=2_000.0)
    crowded, spread = (simulate(replace(load, busiest=share), Costs(), many, seconds=5.0) for share in (0.9, 0.001))
    assert crowded.lock > 0.99
    assert crowded.unfinished > 10 * spread.unfinished
    assert max(crowded.databases) < 0.5


def test_recalls_in_batches_put_every_limit_off() -> None:
    """The same limits, later; a tenth of the databases reaches them sooner."""
    load, costs, fleet = Load(), Costs(), Fleet()
    alone, batched, fewer = (
        {one.name: one.day for one in found}
        for found in (
            limits(load, costs, fleet),
            limits(load, costs, fleet, recalls_an_event=64),
            limits(load, costs, replace(fleet, databases=6)),
        )
    )
    assert all(batched[name] > day for name, day in alone.items())
    assert all(fewer[name] <= day for name, day in alone.items())
    assert [one.day for one in limits(load, costs, fleet)] == sorted(alone.values())


def test_databases_follow_the_larger_of_bytes_and_work() -> None:
    """Few memories need databases for their work, many for their bytes; each limit is respected."""
    load, costs, fleet = Load(), Costs(), Fleet()
    work = load.turns_a_second * (costs.remember_db_s + costs.recall_db_s + costs.cold_db_s)
    assert databases_for(load, costs, fleet, 1e6) == math.ceil(work / (fleet.db_cores * 0.6))
    many = databases_for(load, costs, fleet, 1e9)
    assert 1e9 * costs.memory_bytes / many <= min(fleet.disk_bytes, fleet.restore_s * costs.restore_bytes_s)
    assert 1e9 * costs.memory_bytes / (many - 1) > min(fleet.disk_bytes, fleet.restore_s * costs.restore_bytes_s)


def test_the_report_names_what_it_tried(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A row for each fleet, the days of each limit, and how many databases how many memories need."""
    monkeypatch.setattr("sys.argv", ["scale", "--scopes", "2000", "--seconds", "1"])
    scale.main()
    said = capsys.readouterr().out
    assert said.count("\n| ") >= 14
    assert "write recalls in batches" in said
    assert "1,000,000,000 memories" in said
