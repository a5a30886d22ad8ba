"""Serve a hook call: return the fenced memories for its host, then keep what the call brings."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING

from reverie.answers import Signal
from reverie.config import HookSettings, Loaded, Settings
from reverie.config import load as config_load
from reverie.engine.core import Reverie
from reverie.engine.requests import Caller, Question, calling
from reverie.errors import Denied, InvalidScope, NotFound, ReverieError, StoreMissing, StoreUntrusted
from reverie.faces.hook.engines import Engines, at_home
from reverie.faces.hook.frames import HookCall
from reverie.faces.hook.hosts import (
    HookEvent,
    HookHost,
    NotUnderstood,
    SessionMoment,
    answer,
    hears,
    is_compaction,
    is_for_later,
    said_only,
    understand,
)
from reverie.faces.hook.tool_calls import is_kept, tools_session
from reverie.formulas.text_statistics import estimated_tokens
from reverie.recall.annotations import Annotation, note, notes
from reverie.screen.fences import one_line
from reverie.types import RECALLED_STATES, Kind, Memory, Message, Scope, is_title
from reverie.wire.blocks import block, cue_of, within
from reverie.wire.logs import NOWHERE
from reverie.wire.trust import brought, is_own_link, own_made, require_trust

if TYPE_CHECKING:
    from reverie.vault.files import Places
    from reverie.vault.linking.links import Tie

SESSIONS_KEPT = 256
COMPACTED = "compact"
IN_CONTEXT, SAID_HERE, OVER_BUDGET = (
    "in the session's context already",
    "said in this session",
    "over the token budget",
)
"""Why the hook does not inject a memory that recall brought."""
HOT_MAX = 20
RESTARTS = ("compact", "clear", "startup")
"""Reasons for which a session starts with an empty context; one that is resumed still has in it what it was given."""


@dataclass(slots=True)
class _Told:
    """What the hook has injected into a session's context, and whether the host has compacted that context.

    ``owed`` are memories of the session's start that have not arrived yet, ``due`` reminders that have not. ``cut``:
    the context was compacted, and what the session decided has not been brought back yet; ``mark`` identifies the last
    compaction where only the transcript tells of it, None if it was not read yet.
    """

    ids: set[str] = field(default_factory=set)
    compacted: bool = False
    cut: bool = False
    mark: str | None = None
    owed: tuple[str, ...] = ()
    due: list[Annotation] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TurnContext:
    """The block to inject into the host's prompt, possibly empty, and the ids of the memories in it.

    ``signals`` brought the memories that answer the prompt; ``held`` are ids of what is not in the block, and why.
    """

    block: str
    ids: tuple[str, ...]
    told: _Told
    tokens: int = 0
    signals: Mapping[str, tuple[Signal, ...]] = field(default_factory=dict)
    held: tuple[tuple[str, str], ...] = ()

    def delivered(self) -> None:
        """Note that the block reached the session's context, so that its memories are not injected again."""
        self.told.ids.update(self.ids)
        self.told.owed, self.told.cut = (), False
        self.told.due = [one for one in self.told.due if one.memory.id not in self.ids]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What recall found for a prompt: the memories to inject with their signals, and those withheld with reasons."""

    notes: list[Annotation] = field(default_factory=list)
    beside: list[Memory] = field(default_factory=list)
    signals: Mapping[str, tuple[Signal, ...]] = field(default_factory=dict)
    held: tuple[tuple[str, str], ...] = ()


class Recalling:
    """The read side of the hook; it knows what was already injected into each session."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._sessions: OrderedDict[tuple[Scope, str], _Told] = OrderedDict()
        self._lock = Lock()

    def context(
        self, engine: Reverie, scope: Scope, happening: HookEvent, budget: int, first: Iterable[str] = ()
    ) -> TurnContext:
        """Return the block to inject; ``first`` are memories to read when a session begins.

        Raises ReverieError.
        """
        told = self._of(scope, happening.session)
        asked = _Asked()
        if happening.moment is SessionMoment.START:
            if happening.source in RESTARTS:
                told.ids.clear()
            if happening.source == COMPACTED:  # the hook before it may be late, or the host may have none
                told.compacted = told.cut = True
            own = _decided(engine, scope, happening.session, budget) if told.cut else []
            hot = [*own, *engine.admin.hot(scope)[:HOT_MAX], *_holding(engine, scope, first)]
            told.owed = tuple(memory.id for memory in hot)
            found = [note(memory) for memory in hot]
            told.due += _due(engine, scope)
        else:  # what a late answer at the session's start held is injected now
            self._look(told, happening)
            asked = self._asked(engine, scope, happening, budget)
            own = _decided(engine, scope, happening.session, budget) if told.cut else []
            found = [*asked.notes, *(note(memory) for memory in (*own, *_holding(engine, scope, told.owed)))]
        nonce = self._nonce(happening.session)
        items = list(within(_fresh(found, told, happening.session), asked.beside, nonce, budget))
        ids = tuple(one.memory.id for one in items)
        text = block(items, asked.beside, nonce)
        held = (*asked.held, *_left_out(found, ids, told, happening.session))
        return TurnContext(text, ids, told, estimated_tokens(text) if items else 0, asked.signals, held)

    def _look(self, told: _Told, happening: HookEvent) -> None:
        """Note a compaction that the host tells of in its transcript alone."""
        if happening.host is not HookHost.GEMINI or not happening.transcript:
            return
        from reverie.faces.hook.transcripts import cut_mark

        mark = cut_mark(Path(happening.folder or ".", happening.transcript))
        if told.mark not in (None, mark) and mark:
            told.ids.clear()
            told.compacted = told.cut = True
        told.mark = mark

    def compacted(self, scope: Scope, session: str) -> None:
        """Note that the session's context was compacted, so that its memories may be injected again."""
        told = self._of(scope, session)
        told.ids.clear()
        told.compacted = told.cut = True

    def _asked(self, engine: Reverie, scope: Scope, happening: HookEvent, budget: int) -> _Asked:
        """Return the memories that answer a prompt, and those that recall withheld."""
        cue = cue_of(said_only(happening.prompt, happening.host))
        if not cue:
            return _Asked()
        question = Question(cue, session=happening.session, automatic=True)
        answer = engine.recall(question, scope, budget_tokens=budget or None)
        every = (*answer.standing, *answer.hits)
        hits = [hit for hit in every if hit.shown or hit.memory.text.strip() != cue.strip()]
        hits = [hit for hit in hits if not is_title(hit.memory)]  # the prompt that it names says more
        return _Asked(
            notes(hits),
            [hit.memory for hit in answer.withheld],
            {hit.memory.id: hit.signals for hit in hits},
            tuple((hit.memory.id, hit.withheld) for hit in answer.withheld),
        )

    def _of(self, scope: Scope, session: str) -> _Told:
        with self._lock:
            told = self._sessions.pop((scope, session), None) or _Told()
            self._sessions[scope, session] = told
            if len(self._sessions) > SESSIONS_KEPT:
                self._sessions.popitem(last=False)
            return told

    def _nonce(self, session: str) -> str:
        return blake2b(session.encode("utf-8", "surrogatepass"), key=self._key, digest_size=16).hexdigest()


def _decided(engine: Reverie, scope: Scope, session: str, budget: int) -> list[Memory]:
    """Return what the session decided, which its context no longer holds."""
    from reverie.faces.hook.decided import decided

    return decided(engine.timeline(scope, session=session), budget)


def _holding(engine: Reverie, scope: Scope, ids: Iterable[str]) -> Iterator[Memory]:
    """Yield those of these memories that still exist and hold."""
    for name in ids:
        with suppress(NotFound):
            memory = engine.memory(name, scope)
            if memory.standing.state in RECALLED_STATES and memory.valid_until is None:
                yield memory


def _fresh(found: Iterable[Annotation], told: _Told, session: str) -> list[Annotation]:
    """Return reminders that have not arrived yet, whatever the session knows; then what is new to it, each once."""
    own = (session, tools_session(session))
    reminders = [one for one in found if one.memory.kind is Kind.INTENTION and one.text != one.memory.text]
    told.due += reminders
    new = (one for one in found if one.memory.id not in told.ids)
    heard = (one for one in new if told.compacted or one.memory.session not in own)
    first: dict[str, Annotation] = {}
    for one in (*told.due, *heard):
        first.setdefault(one.memory.id, one)
    return list(first.values())


def _left_out(
    found: Iterable[Annotation], ids: tuple[str, ...], told: _Told, session: str
) -> Iterator[tuple[str, str]]:
    """Yield the found memories that are not in the block, each with the reason."""
    own = (session, tools_session(session))
    for name, one in {one.memory.id: one for one in found}.items():
        if name in ids:
            continue
        if name in told.ids:
            yield name, IN_CONTEXT
        else:
            yield name, SAID_HERE if one.memory.session in own and not told.compacted else OVER_BUDGET


def _due(engine: Reverie, scope: Scope) -> list[Annotation]:
    """Return the intentions that are due and were not handed over yet."""
    from reverie.engine.intentions import reminder

    try:
        handed = engine.admin.hand_over(scope)
    except Denied:
        return []
    return notes(reminder(memory, one, 1) for memory, one in handed)


READ_MAX = 20


@dataclass(frozen=True, slots=True)
class Around:
    """The linked vault that a session works in, and the links between the agent's files and memories."""

    places: Places
    ties: tuple[Tie, ...]

    def first(self) -> tuple[str, ...]:
        """Return the memories of the files to read when the session begins: most important first, then newest.

        At most twenty, from the agent's own files and those that all agents share.
        """
        from reverie.vault.linking.links import FilePlace

        held = [tie for tie in self.ties if tie.place is FilePlace.ACTIVE and tie.here]
        ordered = sorted(held, key=lambda tie: (tie.file.importance, tie.name), reverse=True)
        return tuple(tie.memory for tie in ordered[:READ_MAX])

    def flush(self, engine: Reverie, scope: Scope, session: str, today: date) -> int:
        """Write what a session taught into the agent's folder; return the number of observations. Raises StoreError.

        What the vault already holds is left out, so that it can be repeated.
        """
        from reverie.vault.laws import ocean_laws
        from reverie.vault.session_flush import flush
        from reverie.vault.vault import Vault

        said = engine.timeline(scope, session=session)
        kept = [one for one in sorted(said, key=lambda one: one.seq) if one.kind is Kind.EPISODE]
        messages = [Message(one.text, one.speaker, one.role, session, one.at) for one in kept]
        return len(flush(Vault(self.places, ocean_laws()), scope.agent, messages, today, dry_run=False))


def around(
    folder: Path, settings: Settings, scope: Scope, environment: Mapping[str, str] | None = None
) -> Around | None:
    """Return the linked vault a folder lies in; None without one, or if it belongs to another memory or agent.

    A link that came with the vault is ignored: it would have the session's words written where others may fetch them.
    Raises StoreCorrupt if the link cannot be read.
    """
    if not settings.hook.vault:
        return None
    from reverie.vault.files import Places, is_agent  # a cold start need not wait for what few folders have

    try:
        places = Places.above(folder)
    except NotFound:
        return None
    if not is_agent(scope.agent):
        return None
    from reverie.vault.linking.links import load, sidecar

    link = load(sidecar(places))
    if link is None or (link.user, link.project) != (scope.user, scope.project):
        return None
    if Path(link.store) != Path(settings.store).resolve() or (link.agents and scope.agent not in link.agents):
        return None
    if not is_own_link(sidecar(places).resolve(), link, environment):
        return None
    return Around(places, link.of(scope.agent))


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits from the settings of the last call."""

    deadline_ms: int
    start_ms: int
    idle_minutes: float


@dataclass(frozen=True, slots=True)
class HookAnswer:
    """The bytes for the host, and a function to call once the host has them."""

    said: bytes
    delivered: Callable[[], None]


@dataclass(frozen=True, slots=True)
class _Here:
    """Where the host works: its folder, the settings in force there, and the variables of its call."""

    loaded: Loaded
    folder: Path
    environment: Mapping[str, str]

    @property
    def settings(self) -> Settings:
        """The settings, with paths resolved against the folder. Raises StoreMissing."""
        return at_home(self.loaded.settings, self.folder)

    @property
    def scope(self) -> Scope:
        """The scope that the settings name. Raises InvalidScope."""
        settings = self.loaded.settings
        return Scope(settings.agent, settings.user, settings.project)


def _nothing() -> None:
    """Do nothing."""


NOTHING = HookAnswer(b"", _nothing)


class HookServing:
    """Answers calls and keeps what they bring; ``tell`` writes a line to the log."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._told: set[str] = set()
        self._rehearsed: set[tuple[str, Scope]] = set()
        self._engines = Engines(tell)
        self._recalling = Recalling()
        plain = Settings().hook
        self.limits = Limits(plain.deadline_ms, plain.start_ms, plain.idle_minutes)

    @property
    def loading(self) -> bool:
        """Whether models are still loading, so that answers are slower than they will be."""
        return self._engines.loading

    @property
    def engines(self) -> Engines:
        """The engines of this process."""
        return self._engines

    def heed(self, hook: HookSettings) -> None:
        """Let the limits of these settings hold from now on, as they were read for the last call."""
        self.limits = Limits(hook.deadline_ms, hook.start_ms, hook.idle_minutes)

    def answer(self, call: HookCall) -> HookAnswer:
        """Return the answer for the host, possibly empty. Never raises; the log says why nothing was injected."""
        event, began = "?", perf_counter()
        happening, here, context, notice = None, None, None, ""
        try:
            happening = understand(call)
            event = f"{happening.host} {happening.event}"
            here = self._here(happening, call)
            notice = self._notice(happening, here)
            with calling(_caller(happening)):
                context = self._context(happening, here)
            if context is not None:
                self._tell(f"{event}: {len(context.ids)} notes in {(perf_counter() - began) * 1000:.0f} ms")
        except NotUnderstood as fault:
            self._tell(f"silent: {fault}")
        except ReverieError as fault:
            self._tell(f"{event}: silent: {type(fault).__name__}. {fault.mend}")
        except Exception as fault:  # noqa: BLE001 -- the host's edge: its loop goes on, the log tells
            self._tell(f"{event}: silent: {_where(fault)}")
        finally:
            self._engines.may_load.set()
        if happening is None:
            return NOTHING
        if is_for_later(happening):
            context = None
        said = answer(happening, context.block if context else "", notice)
        if context is None or here is None:
            return HookAnswer(said, _nothing)
        return HookAnswer(said, partial(self._delivered, context, happening, here, call))

    def keep(self, call: HookCall) -> bool:
        """Store what a call brings; return False if it should be tried again later. Never raises."""
        event = "?"
        try:
            happening = understand(call)
            event = f"{happening.host} {happening.event}"
            here = self._here(happening, call)
            if here.loaded.settings.hook.capture:
                with calling(_caller(happening)):
                    self._kept(happening, here, call)
        except (NotUnderstood, StoreMissing, StoreUntrusted, InvalidScope):
            return True  # `answer` has logged it
        except ReverieError as fault:
            self._tell(f"{event}: kept for later: {type(fault).__name__}. {fault.mend}")
            return False
        except Exception as fault:  # noqa: BLE001 -- one call must not end the process; the log tells
            self._tell(f"{event}: kept for later: {_where(fault)}")
            return False
        return True

    def rehearse(self, call: HookCall) -> None:
        """Make the next prompt's recall as quick as later ones, once for each store and scope. Never raises."""
        try:
            happening = understand(call)
            here = self._here(happening, call)
            key, recalls = (here.settings.store, here.scope), here.settings.hook.recall and hears(happening)
            if not recalls or key in self._rehearsed or self._engines.held(here.settings) is None:
                return
            self._rehearsed.add(key)
            with calling(_caller(happening)):
                self._engines.rehearse(here.settings, here.scope)
        except (NotUnderstood, ReverieError):
            return  # `answer` has logged it, or logs it at the next prompt
        except Exception as fault:  # noqa: BLE001 -- the process goes on; the log tells
            self._tell(f"the first recall could not be rehearsed: {_where(fault)}")

    def close(self) -> None:
        """Close every engine and its store."""
        self._engines.close()

    def _delivered(self, context: TurnContext, happening: HookEvent, here: _Here, call: HookCall) -> None:
        """Note what reached the session, also in the record for people, unless the settings want no log."""
        context.delivered()
        is_start = happening.moment is SessionMoment.START
        if here.loaded.settings.ops.log == NOWHERE or (is_start and not (context.ids or context.held)):
            return  # a prompt is recorded also where nothing was found for it
        from reverie.engine.injections import PROMPT, START, Delivery, InjectionLog  # once the host has its answer
        from reverie.engine.runtime import SystemClock

        clock = SystemClock()
        delivery = Delivery(
            here.scope,
            happening.session,
            _caller(happening).name,
            START if is_start else PROMPT,
            _at(call),
            clock.now(),
            context.tokens,
            tuple((name, context.signals.get(name, ())) for name in context.ids),
            context.held,
        )
        try:
            InjectionLog(here.settings.named_store, clock).write(delivery)
        except OSError as fault:
            self._tell(f"what was injected cannot be recorded ({fault.errno})")

    def _kept(self, happening: HookEvent, here: _Here, call: HookCall) -> None:
        is_new = require_trust(here.loaded, here.environment)
        settings, scope = here.settings, here.scope
        if happening.moment is SessionMoment.TOOL and not _is_wanted(happening, settings):
            return
        if happening.moment in (SessionMoment.PROMPT, SessionMoment.ANSWER, SessionMoment.TOOL, SessionMoment.COMPACT):
            from reverie.faces.hook.capture import CapturePlace, capture  # not loaded while the first host waits

            engine = self._engines.whole(settings)
            if is_new:
                own_made(here.loaded, here.environment)
            new = capture(happening, CapturePlace(engine, scope, settings.screen, _keeps_runs(settings)), _at(call))
            self._tell(f"{happening.host} {happening.event}: {new} messages kept")
        if happening.moment in (SessionMoment.COMPACT, SessionMoment.END) and (vault := _vault(here)):
            today = _at(call).astimezone().date()
            written = vault.flush(self._engines.whole(settings), scope, happening.session, today)
            self._tell(f"{happening.host} {happening.event}: {written} observations written to the vault")
        if is_compaction(happening):
            self._recalling.compacted(scope, happening.session)
        if happening.moment is SessionMoment.END and (engine_now := self._engines.held(settings)) is not None:
            engine_now.admin.end_session(scope, happening.session)

    def _context(self, happening: HookEvent, here: _Here) -> TurnContext | None:
        """Return the block for this moment; None if nothing is to be injected. Raises ReverieError."""
        settings = here.settings
        if not hears(happening) or not settings.hook.recall:
            return None
        is_new = require_trust(here.loaded, here.environment)
        vault = _vault(here) if happening.moment is SessionMoment.START else None
        first = vault.first() if vault else ()
        with self._engines.answering(settings) as engine:
            if is_new:
                own_made(here.loaded, here.environment)
            return self._recalling.context(engine, here.scope, happening, settings.hook.budget_tokens, first)

    def _notice(self, happening: HookEvent, here: _Here) -> str:
        """Return a notice of folder settings and stores that are not used, each only once; also log it."""
        if not hears(happening):
            return ""
        store = brought(here.loaded, here.environment)
        notes = list(here.loaded.notes)
        if store is not None:
            notes.append(
                f"The store {store} came with this folder and is not opened. Look at it with `reverie config trust`."
            )
        fresh = [one_line(one) for one in notes if one not in self._told]
        self._told.update(notes)
        for line in fresh:
            self._tell(line)
        return " ".join(f"Reverie: {line}" for line in fresh)

    def _here(self, happening: HookEvent, call: HookCall) -> _Here:
        """Load the settings in force where the host works. Raises ReverieError."""
        folder = Path(happening.folder or call.cwd or "/")
        loaded = config_load(folder, call.environment)
        self.heed(loaded.settings.hook)
        return _Here(loaded, folder, call.environment)


def _vault(here: _Here) -> Around | None:
    """Return the linked vault the host works in, if any. Raises StoreCorrupt."""
    return around(here.folder, here.settings, here.scope, here.environment)


def _is_wanted(happening: HookEvent, settings: Settings) -> bool:
    """Whether this tool call is to be kept."""
    return settings.hook.tools and happening.tool is not None and is_kept(happening.tool, settings.hook.tool_names)


def _keeps_runs(settings: Settings) -> bool:
    """Whether a turn that used tools is kept as a run of a skill."""
    return settings.hook.tools and settings.hook.runs


def _caller(happening: HookEvent) -> Caller:
    """Return the caller named in the events of a call: the host whose hook it is."""
    return Caller(f"hook:{happening.host}")


def _at(call: HookCall) -> datetime:
    """Return the time of the call, from its stamp."""
    return datetime.fromtimestamp(int(call.stamp.partition("-")[0]) / 1e9, UTC)


def _where(fault: BaseException) -> str:
    """Return a fault's class and line, never its message, which may quote somebody."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
    return f"{type(fault).__name__}{place}"
