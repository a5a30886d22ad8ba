from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta

import anyio
import pytest

from reverie import Retention, Reverie
from reverie.answers import Job, JobState
from reverie.engine import jobs
from reverie.errors import InvalidSetting
from reverie.faces.http.parts import NAP_S, Nightly, Serving, next_after, time_of_day
from reverie.types import Scope
from tests.faces.http.conftest import OTHER, SCOPE

KEPT = Scope("helper", "eve", "home")


class Night:
    """A clock that only sleeping moves on."""

    def __init__(self, at: datetime) -> None:
        self.at = at
        self.naps: list[float] = []

    def now(self) -> datetime:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.at += timedelta(seconds=seconds)


def dreamt(serving: Serving) -> str:
    """The counts of nightly dreams."""
    return "\n".join(
        line for line in serving.metrics.text().decode().splitlines() if line.startswith("reverie_dreams_t")
    )


def test_it_dreams_over_every_scope_when_the_night_has_come(serving: Serving, engine: Reverie) -> None:
    """It waits in short naps until the clocks show the time, and then dreams over one scope after another."""
    engine.observe("I moved to Izmir in May.", SCOPE)
    engine.observe("I play the tuba every Sunday.", OTHER)
    night = Night(datetime(2026, 3, 1, 3, 29).astimezone())
    nightly = Nightly(serving, time(3, 30), night.now, night.sleep)

    async def once() -> None:
        with anyio.move_on_after(30):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(nightly.run)
                while not (engine.admin.dreams(SCOPE) and engine.admin.dreams(OTHER)):
                    await anyio.lowlevel.checkpoint()
                tasks.cancel_scope.cancel()

    anyio.run(once)
    assert night.naps[:2] == [NAP_S, NAP_S]
    assert engine.admin.dreams(SCOPE)
    assert engine.admin.dreams(OTHER)


def test_after_the_dreams_the_journals_are_sealed(
    serving: Serving, engine: Reverie, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log has the seal's hash; a seal that fails is a line in the log, and no end of the nights."""
    engine.observe("I moved to Izmir in May.", SCOPE)
    with caplog.at_level("INFO"):
        anyio.run(Nightly(serving, time(3)).night)
    assert engine.admin.seal().hash in caplog.text
    assert engine.admin.verify() == []
    heads = engine._context.store.heads()
    monkeypatch.setattr(engine._context.store, "heads", lambda: {OTHER: (1, "0" * 64)} if heads else {})
    anyio.run(Nightly(serving, time(3)).night)
    assert "were not sealed" in caplog.text
    assert str(SCOPE) in caplog.text


def test_one_scopes_failure_keeps_no_other_from_dreaming(
    serving: Serving, engine: Reverie, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What goes wrong is a line in the log and a count; the next scope dreams."""
    for scope in (SCOPE, OTHER):
        engine.observe("I moved to Izmir in May.", scope)
    dream = jobs._Work._dream

    def failing(self: jobs._Work, job: Job, step: jobs.Step) -> None:
        if job.scope == SCOPE:
            raise RuntimeError("a bad dream")
        dream(self, job, step)

    monkeypatch.setattr(jobs._Work, "_dream", failing)
    with caplog.at_level(logging.INFO):
        anyio.run(Nightly(serving, time(3)).night)
    assert engine.admin.dreams(OTHER)
    assert f"the nightly dream of {SCOPE} failed: RuntimeError: a bad dream" in caplog.text
    assert [job.state for job in engine.jobs.jobs(SCOPE)] == [JobState.FAILED]
    assert 'reverie_dreams_total{outcome="failed"} 1.0' in dreamt(serving)
    assert 'reverie_dreams_total{outcome="done"} 1.0' in dreamt(serving)


def test_it_dreams_only_where_something_happened(serving: Serving, engine: Reverie) -> None:
    """Since the last dream, in that scope; and where a rule says how long something is kept."""
    for scope in (SCOPE, OTHER, KEPT):
        engine.remember("I moved to Izmir in May.", scope)
    engine.admin.set_retention(Retention("notes", 30, tags=("note",)), KEPT)
    nights = []
    for _ in range(3):
        anyio.run(Nightly(serving, time(3)).night)
        nights.append([len(engine.jobs.jobs(scope)) for scope in (SCOPE, OTHER, KEPT)])
        engine.recall("Where did I move?", OTHER)
    assert nights == [[1, 1, 1], [1, 2, 2], [1, 3, 3]]
    assert {job.caller for job in engine.jobs.jobs(SCOPE)} == {("http:nightly", "")}


def test_a_closed_store_is_no_end_of_the_nights(serving: Serving, caplog: pytest.LogCaptureFixture) -> None:
    """Where even the scopes cannot be read, it says so and waits for the next night."""
    serving.engine.close()
    anyio.run(Nightly(serving, time(3)).night)
    assert "no nightly dream" in caplog.text


def test_it_dreams_only_when_told_to(limited: Callable[..., Serving]) -> None:
    """Without a time in the settings there is no nightly dream."""
    assert Nightly.of(limited(dream_at="")) is None
    found = Nightly.of(limited(dream_at="03:30"))
    assert found is not None
    assert found.at == time(3, 30)


@pytest.mark.parametrize("text", ["3", "25:00", "03:30:00", "night", "03:60"])
def test_what_is_no_time_of_day_is_told(text: str) -> None:
    """A setting that names no time is an error at the start, not a night without dreams."""
    with pytest.raises(InvalidSetting):
        time_of_day(text)


def test_the_next_night_is_today_or_tomorrow() -> None:
    """A time that has not come is today's; one that has, or is now, is tomorrow's."""
    now = datetime(2026, 3, 1, 12, tzinfo=UTC).astimezone()
    later = (now + timedelta(hours=1)).time()
    assert next_after(now, later) - now == timedelta(hours=1)
    assert next_after(now, now.time()) - now == timedelta(days=1)
