"""Intentions of a scope: form them, hand each over once when it is due, and settle them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from reverie.answers import Hit, Signal
from reverie.encode.intentions import (
    ACTION_MAX,
    ENDED,
    Intention,
    Progress,
    Trigger,
    calendar,
    following,
    handed,
    intention_in,
    is_due,
    is_missed,
    retagged,
    standing_of,
)
from reverie.encode.memory_factory import index
from reverie.engine.context import Context
from reverie.engine.requests import require_scope, require_words, written_by
from reverie.errors import Conflict, InvalidInput, StoreBusy, StoreFull, StoreReadOnly
from reverie.events import Action, Changed, Formed, alteration
from reverie.formulas.text_statistics import estimated_tokens
from reverie.ports import info_of
from reverie.types import KIND_CODES, RECALLED_STATES, Kind, Memory, Role, Scope, State, in_utc

if TYPE_CHECKING:
    from reverie.language.reminders import Reminder

HANDED = "handed over"
SETTLED = "settled"
INTENDED = "intended"
_MOST = 20
"""Most intentions that one call hands over; the rest follows with the next."""


class Intentions:
    """Collaborator for intentions: form, list, hand over and settle those of a scope."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def intend(
        self, action: str, trigger: Trigger, scope: Scope, *, until: datetime | None = None, source: str = ""
    ) -> Intention:
        """Form an intention: ``action`` is handed over once when ``trigger`` says so.

        Secrets in it are masked; one that gives orders to a model goes into quarantine.

        ``until`` ends its window: what was not handed over by then is missed. ``source`` is the id of the message that
        asks for it; erasing that erases the intention. A moment that has passed is due at once.

        Raises:
            InvalidInput: the action is blank or too long, or the window ends before the trigger.
            NotFound: there is no message of the id ``source`` in this scope.
        """
        words = require_words("The action", action).strip()
        if not words or len(words) > ACTION_MAX:
            raise InvalidInput("The action is empty or too long.", f"Say in 1 to {ACTION_MAX} characters what to do.")
        if not isinstance(trigger, Trigger):
            raise InvalidInput(f"The trigger is {type(trigger).__name__}.", "Give Trigger(at=…), or on_topic('…').")
        end = None if until is None else in_utc(until)
        if end is not None and trigger.at is not None and end <= trigger.at:
            raise InvalidInput("The window ends before the intention is due.", "Give a later end, or none.")
        said = self._context.memory(source, require_scope(scope)) if source else None
        memory = self._screened(words, self._memory(words, trigger, end, scope, said))
        (vector,) = self._context.vectors([memory.text])
        model = self._context.embedder.info if vector is not None and self._context.embedder else None
        with self._context.locks.of(scope), self._context.store.begin(scope, durable=True) as tx:
            draft = self._context.draft(scope, Action.FORM, INTENDED, Formed((memory,)))
            tx.append(draft, (index(memory, vector, model),))
        self._context.embed_later()
        return _known(memory)

    def _screened(self, words: str, memory: Memory) -> Memory:
        """Return a new intention as the screen lets it in, with its true author."""
        memory = written_by(memory)
        if self._context.parts.screen is None:
            return memory
        from reverie.screen.pipeline import screen

        seen = screen(words, self._context.parts.screen)
        clean = replace(memory, text=seen.text)
        if seen.quarantine is None:
            return clean
        tags = (*clean.standing.tags, seen.quarantine)
        return replace(clean, standing=replace(clean.standing, state=State.QUARANTINED, tags=tags))

    def _memory(
        self, action: str, trigger: Trigger, until: datetime | None, scope: Scope, said: Memory | None
    ) -> Memory:
        now = self._context.clock.now()
        return Memory(
            id=self._context.ids.new_id(now),
            scope=scope,
            kind=Kind.INTENTION,
            text=action,
            at=now if said is None else said.at,
            recorded_at=now,
            session="default" if said is None else said.session,
            seq=0 if said is None else said.seq,
            speaker="user" if said is None else said.speaker,
            role=Role.USER if said is None else said.role,
            sources=() if said is None else (said.id,),
            standing=standing_of(trigger, until),
        )

    def heard(self, episode_id: str, scope: Scope, zone: str) -> list[Intention]:
        """Form the intentions that a person's message asks for; [] for a message of anybody else, or of a tool.

        ``zone`` is the time zone of times of day.
        """
        from zoneinfo import ZoneInfo

        from reverie.language.reminders import reminders

        said = self._context.memory(episode_id, scope)
        if said.role is not Role.USER or self._context.held(episode_id, scope) is None:
            return []
        known = {one.text for one in self._context.store.made_from(scope, said.id) if one.kind is Kind.INTENTION}
        found = [one for one in reminders(said.text, said.at, ZoneInfo(zone)) if one.action and one.action not in known]
        formed = []
        for one in found:
            with suppress(InvalidInput):  # a time that there is not: the message is kept, and nothing is formed
                trigger = _trigger_of(one, said.at, zone)
                formed.append(self.intend(one.action[:ACTION_MAX], trigger, scope, source=said.id))
        return formed

    def intentions(self, scope: Scope, *, ended: bool = False) -> list[Intention]:
        """Return the intentions of a scope, by their next moment, those that wait for something last.

        ``ended``: also those that are done, missed or cancelled.
        """
        with self._context.locks.of(scope):
            found = [one for memory in self._held(scope) if (one := intention_in(memory)) is not None]
        now = self._context.clock.now()
        seen = [replace(one, progress=Progress.MISSED) if is_missed(one, now) else one for one in found]
        return sorted((one for one in seen if ended or one.progress not in ENDED), key=_order)

    def due(self, scope: Scope, *, now: datetime | None = None) -> list[Intention]:
        """Return what is due: handed over and not yet settled, or with a moment that has come. Nothing is written."""
        moment = self._context.clock.now() if now is None else in_utc(now)
        return [one for one in self.intentions(scope) if one.progress is Progress.DUE or is_due(one, moment)]

    def hand_over(self, scope: Scope, *, cue: str = "", now: datetime | None = None) -> list[tuple[Memory, Intention]]:
        """Return what became due since the last call, each once over all processes, and record that it was handed over.

        ``cue`` is a message that may bring up what an intention waits for. If the store cannot be written, nothing is
        handed over, so that it can be later.
        """
        moment = self._context.clock.now() if now is None else in_utc(now)
        with self._context.locks.of(scope):
            waiting = [one for memory in self._held(scope) if (one := intention_in(memory)) is not None]
        if not any(is_due(one, moment, cue) or is_missed(one, moment) for one in waiting):
            return []
        try:
            return self._handed(scope, [one.id for one in waiting], moment, cue)
        except (StoreReadOnly, StoreFull, StoreBusy):
            return []

    def _handed(self, scope: Scope, ids: Sequence[str], now: datetime, cue: str) -> list[tuple[Memory, Intention]]:
        """Hand over within one transaction: what another process handed over meanwhile is seen there."""
        given: list[tuple[Memory, Intention]] = []
        with self._context.locks.of(scope), self._context.store.begin(scope, durable=True) as tx:
            for memory in self._context.store.named(scope, ids):
                one = intention_in(memory)
                if one is None or len(given) == _MOST or memory.valid_until is not None:
                    continue
                if is_missed(one, now):
                    tx.append(self._context.draft(scope, Action.CHANGE, SETTLED, _ended(memory, Progress.MISSED, now)))
                elif is_due(one, now, cue):
                    after = handed(one, now)
                    tags = retagged(memory.standing.tags, after.progress, after.next_at)
                    change = alteration(memory, HANDED, tags=tags)
                    tx.append(self._context.draft(scope, Action.CHANGE, HANDED, Changed((change,))))
                    given.append((memory, after))
        return given

    def settle(
        self, memory_id: str, scope: Scope, outcome: Progress | str, *, until: datetime | None = None
    ) -> Intention:
        """Settle an intention: it is done, cancelled, missed, or snoozed ``until`` a moment. Repeating is harmless.

        One that recurs is open again for its next time when it is done or missed; cancelling ends it.

        Raises:
            NotFound: there is no such memory.
            Conflict: it is no intention, or it has ended otherwise.
            InvalidInput: there is no such outcome, or a snooze has no moment after now.
        """
        wanted = _outcome(outcome)
        now = self._context.clock.now()
        later = None if until is None else in_utc(until)
        if (wanted is Progress.SNOOZED) != (later is not None) or (later is not None and later <= now):
            raise InvalidInput("A snooze needs a moment after now, and nothing else has one.", "Give until.")
        with self._context.locks.of(scope):
            memory = self._context.memory(memory_id, scope)
            one = intention_in(memory)
            if one is None:
                raise Conflict(f"Memory {memory_id} is no intention.", "`reverie due` lists them.")
            if one.progress is wanted and later in (None, one.next_at):
                return one
            if one.progress in ENDED:
                raise Conflict(
                    f"Intention {memory_id} is {one.progress} already.", "Undo that event, or form a new one."
                )
            self._settled(memory, one, wanted, later or now)
            return _known(self._context.memory(memory_id, scope))

    def _settled(self, memory: Memory, one: Intention, wanted: Progress, moment: datetime) -> None:
        recurs = bool(one.trigger.rule) and wanted in (Progress.DONE, Progress.MISSED)
        if wanted is Progress.SNOOZED:
            after = Changed((alteration(memory, SETTLED, tags=retagged(memory.standing.tags, wanted, moment)),))
        elif recurs and (later := handed(one, moment).next_at) is not None:
            open_again = retagged(memory.standing.tags, Progress.OPEN, later)
            after = Changed((alteration(memory, SETTLED, tags=open_again),))
        else:
            after = _ended(memory, wanted, moment)
        self._context.append(memory.scope, Action.CHANGE, SETTLED, after)

    def calendar(self, scope: Scope) -> str:
        """Return the open intentions that have a time, as an iCalendar file."""
        return calendar(self.intentions(scope), self._context.clock.now())

    def _held(self, scope: Scope) -> list[Memory]:
        """Return the intentions' memories; forgotten and quarantined ones are left out."""
        corpus = self._context.store.corpus(require_scope(scope), info_of(self._context.embedder))
        found = np.flatnonzero(corpus.kinds == KIND_CODES[Kind.INTENTION])
        held = corpus.fetch(found.tolist()) if len(found) else []
        return [one for one in held if one.standing.state in RECALLED_STATES]


def _trigger_of(asked: Reminder, said_at: datetime, zone: str) -> Trigger:
    """Return the trigger of a request; one that recurs begins with its first time after it was said."""
    if not asked.rule:
        return Trigger(asked.at, "", asked.words, asked.follows, zone)
    first = following(Trigger(asked.at, asked.rule, zone=zone), said_at)
    return Trigger(first or asked.at, asked.rule, zone=zone)


def reminder(memory: Memory, one: Intention, rank: int) -> Hit:
    """Return the hit that hands an intention over."""
    since = f"due since {one.trigger.at:%Y-%m-%d %H:%M} UTC" if one.trigger.at and not one.trigger.rule else "due now"
    more = f", {one.missed} earlier times passed" if one.missed else ""
    shown = f"Reminder, {since}{more}: {memory.text}"
    return Hit(memory, rank, 1.0, (Signal("due", 1.0, 1.0, 1.0),), None, estimated_tokens(shown), shown=shown)


def _outcome(outcome: object) -> Progress:
    allowed = (Progress.DONE, Progress.CANCELLED, Progress.MISSED, Progress.SNOOZED)
    if outcome not in allowed:
        raise InvalidInput(f"{outcome!r:.40} is no outcome.", f"Use {', '.join(allowed)}.")
    return Progress(str(outcome))


def _ended(memory: Memory, progress: Progress, now: datetime) -> Changed:
    """Return the change that ends an intention: it is no longer recalled, and stays in the timeline."""
    tags = retagged(memory.standing.tags, progress, None)
    return Changed((alteration(memory, SETTLED, tags=tags, valid_until=now),))


def _known(memory: Memory) -> Intention:
    one = intention_in(memory)
    assert one is not None
    return one


def _order(one: Intention) -> tuple[bool, datetime | None, str]:
    return one.next_at is None, one.next_at, one.id
