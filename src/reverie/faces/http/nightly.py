"""The nightly dream: in, a time of day; out, every scope dreamt over once a night, one after another.

Nothing it meets ends it: a scope that fails is a line in the log, and the next one's turn comes.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import TypeVar

import anyio
from anyio import to_thread

from reverie.engine.requests import Caller, calling
from reverie.errors import InvalidSetting, ReverieError
from reverie.faces.http.serving import Serving
from reverie.types import Scope

NIGHTLY = Caller("http:nightly")
"""Who the events of the nightly dream name."""
NAP_S = 30.0
"""How long it sleeps at once: a machine that was asleep, or a clock that was set, is noticed so soon."""
T = TypeVar("T")

logger = logging.getLogger("reverie.http")


def _local_now() -> datetime:
    return datetime.now().astimezone()


@dataclass(slots=True)
class Nightly:
    """Dreams over every scope at a time of day, as clocks show it here."""

    serving: Serving
    at: time
    now: Callable[[], datetime] = _local_now
    sleep: Callable[[float], Awaitable[None]] = field(default=anyio.sleep)

    @classmethod
    def of(cls, serving: Serving) -> Nightly | None:
        """As the settings say; None: it never dreams by itself. Raises InvalidSetting."""
        at = time_of_day(serving.settings.serve.dream_at)
        return None if at is None else cls(serving, at)

    async def run(self) -> None:
        """Wait for the night, dream, and so on until cancelled."""
        while True:
            due = next_after(self.now(), self.at)
            while (left := (due - self.now()).total_seconds()) > 0:
                await self.sleep(min(left, NAP_S))
            await self.night()

    async def night(self) -> None:
        """Every scope once."""
        try:
            scopes = await self._in_thread(self.serving.engine.scopes)
        except ReverieError as error:
            logger.warning("no nightly dream: %s", error)
            return
        for scope in scopes:
            await self._dream(scope)

    async def _dream(self, scope: Scope) -> None:
        try:
            report = await self._in_thread(lambda: self.serving.engine.dream(scope))
        except Exception:  # an edge: whatever one dream meets, even our own fault, the others' turn comes
            logger.exception("the nightly dream of %s failed", scope)
            self.serving.metrics.dreamt(done=False)
            return
        logger.info("the nightly dream of %s: %s changes", scope, report.changed)
        self.serving.metrics.dreamt(done=True)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        with calling(NIGHTLY):
            return await to_thread.run_sync(work, limiter=self.serving.crew.long, abandon_on_cancel=True)


def time_of_day(text: str) -> time | None:
    """The time a setting names; None where it names none. Raises InvalidSetting."""
    if not text:
        return None
    try:
        return datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007 - only the time of day is taken from it
    except ValueError:
        raise InvalidSetting(f"serve.dream_at is {text!r}.", 'Write hour and minute, as in "03:30".') from None


def next_after(now: datetime, at: time) -> datetime:
    """The next moment after ``now`` at which clocks show ``at``."""
    today = now.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    naive = today.replace(tzinfo=None) + timedelta(days=0 if today > now else 1)
    return naive.astimezone()
