"""The end of a monologue: in, the agent's surroundings; out, a loop counted and, when its time has come, a pass.

A pass is planned in a thread, from copies, and carried out on the loop; the answer was given before it begins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from reverie.exchange.co_retrieval_log import MAX_ENTRIES, CoRetrievalLog
from reverie.faces.agent_zero import chores, faiss_index, review, upkeep
from reverie.faces.agent_zero import settings as configured
from reverie.faces.agent_zero.house import House
from reverie.faces.agent_zero.injecting import LOG_FILE
from reverie.faces.agent_zero.lines import Line, failed, told
from reverie.faces.agent_zero.messages import said
from reverie.faces.agent_zero.planning import Copy, Planning
from reverie.faces.agent_zero.records import record
from reverie.faces.agent_zero.settings import Settings
from reverie.faces.agent_zero.shelves import Shelf, shelf
from reverie.faces.agent_zero.upkeep import Outcome

PREFIX = "[MEM-MAINT]"
_NAMED = 20
"""Memories of a kind that a line names."""


class Tending:
    """One call of the hook."""

    def __init__(self, house: House, loop_data: Any, now: datetime) -> None:
        self._house, self._loop_data, self._now = house, loop_data, now

    async def __call__(self) -> Line | None:
        """Count the loop, and begin a pass if one is due; a line for the log where something cannot be read."""
        memory = await self._house.memory()
        if memory is None:
            return None
        settings = configured.load(self._house.path("usr", "memory", configured.FILE))
        own = shelf(memory.db, self._house.folder(memory))
        own.notice(memory.db.get_all_docs(), self._now)
        own.book.loops += 1
        own.save_later(memory, self._failed)
        if settings.engine == "reverie":
            self._hear(memory, own, settings)
        complaints = own.complaints(settings.complaints)
        taken_back = self._take_back(memory, own)
        if own.book.loops % settings.interval_loops == 0:
            own.owed += 1
            if own.owed == 1:  # else one is running; this one follows it
                self._pass(memory, own, settings, complaints)
            return told(PREFIX, taken_back) if taken_back else None
        chores.start(own.writing(), lambda _: own.release(), self._failed)
        return told(PREFIX, taken_back or "settings", complaints) if complaints or taken_back else None

    def _take_back(self, memory: Any, own: Shelf) -> str:
        """Let hold again what a person asked for with `reverie review`; what was done, in words."""
        names = review.asked(own.folder)
        if not names:
            return ""
        done = own.take_back(names, memory.db.get_all_docs(), self._now)
        chores.start(lambda: review.answered(own.folder, names), lambda _: None, self._failed)
        return f"{len(done)} deprecations taken back{_named(done)}"

    def _hear(self, memory: Any, own: Shelf, settings: Settings) -> None:
        """What both sides said to the engine beside the store, and some of what the store holds."""
        from reverie.faces.agent_zero.whole import Beside, Heard, answer_in

        here = Beside(self._house.path("usr", "memory"), str(memory.memory_subdir), settings.whole)
        docs, known = dict(memory.db.get_all_docs()), dict(own.book.brought)
        prompt, answer = said(getattr(self._loop_data, "user_message", None)), answer_in(self._answers())
        heard = None if self._house.is_subordinate() else Heard(prompt, answer, self._house.session(), self._now)

        def work() -> dict[str, str]:
            if heard is not None:
                here.hear(heard)
            return here.bring(docs, known, self._now)

        def then(brought: dict[str, str]) -> None:
            own.book.brought = brought

        chores.start(work, then, self._failed)

    def _answers(self) -> list[object]:
        return self._house.answer(self._loop_data)

    def _pass(self, memory: Any, own: Shelf, settings: Settings, complaints: tuple[str, ...]) -> None:
        store = memory.db
        own.begin_pass(store.get_all_docs())
        copy = Copy(dict(store.get_all_docs()), *faiss_index.vectors(store), own.book.copy(), self._now)
        log = CoRetrievalLog(self._house.path("usr", "memory", LOG_FILE), settings.max_entries or MAX_ENTRIES)
        planning = Planning(copy, settings, log, own.tags_of)

        def then(outcome: Outcome) -> None:
            own.carry_out(outcome, store.get_all_docs(), self._now)
            line = told(PREFIX, summary(outcome, own.book.passes, settings), (*planning.faults, *complaints))
            self._house.log(line.content, fault=line.fault)
            own.save_later(memory, self._failed)
            chores.start(own.writing(), lambda _: own.release(), self._failed)
            self._list(own, store.get_all_docs(), outcome, settings)
            owed, own.owed = own.owed, 0
            if owed > 1:
                own.owed = 1
                self._pass(memory, own, settings, ())

        def broken_off(error: Exception) -> None:
            own.owed = 0
            self._failed(error)

        chores.start(planning, then, broken_off)

    def _list(self, own: Shelf, docs: Mapping[str, Any], outcome: Outcome, settings: Settings) -> None:
        """What a person should look at, in a file beside the store."""
        how = settings.deduplication
        held = {name: docs[name] for pair in own.book.flagged for name in pair if name in docs}
        both = {name: record(name, one.page_content, one.metadata, self._now) for name, one in held.items()}
        pairs = [pair for pair in own.book.flagged if both.keys() >= set(pair)]
        flagged = {
            pair: upkeep.doubt(both[pair[0]], both[pair[1]], how) if how else "say nearly the same" for pair in pairs
        }
        made = review.review(docs, review.Doubts(flagged, outcome.dormant, own.book.passes), self._now)
        chores.start(lambda: review.write(own.folder, made), lambda _: None, self._failed)

    def _failed(self, error: Exception) -> None:
        self._house.log(failed(PREFIX, "broken off", error).content, fault=True)


def summary(outcome: Outcome, passes: int, settings: Settings) -> str:
    """What a pass did, in one line; a component that is switched off is not spoken of."""
    gone = [pair for pair in outcome.pairs if pair.goes]
    flagged = [pair for pair in outcome.pairs if not pair.goes]
    parts = []
    if settings.deduplication is not None:
        named = [f"{pair.goes} by {pair.stays} at {pair.similarity:.2f}" for pair in gone] if settings.names_all else []
        parts.append(f"{len(gone)} deprecated{_named(named)}")
        doubtful = [f"{pair.first} and {pair.second}: {pair.resolution.value}" for pair in flagged]
        parts.append(f"{len(flagged)} flagged{_named(doubtful)}")
    if outcome.looked_at is not None:
        parts.append(f"{len(outcome.related)} linked")
    if outcome.clusters is not None:
        parts.append(f"{len(outcome.clusters)} cluster candidates")
    if settings.dormancy is not None:
        parts.append(f"{len(outcome.dormant)} never accessed{_named(outcome.dormant)}")
    return f"pass {passes}: {', '.join(parts) or 'every component is switched off'}"


def _named(names: Sequence[str]) -> str:
    if not names:
        return ""
    more = f", and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f" ({', '.join(names[:_NAMED])}{more})"
