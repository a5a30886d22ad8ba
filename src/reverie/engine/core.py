"""``Reverie``, the public class of the engine, with its asynchronous and its scope-bound form."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property, partial, wraps
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, ParamSpec, Self, TypedDict, TypeVar, Unpack

from reverie.engine.collaborators import Collaborators
from reverie.engine.context import Context, FirstUses, Parts
from reverie.engine.factories import open_embedder, open_reranker, open_store, reception, refresh_terms, require_parts
from reverie.engine.logs import finish, left, place_of
from reverie.engine.requests import require_scope
from reverie.engine.runtime import RandomIds, SystemClock
from reverie.errors import Conflict, InvalidInput, StoreBusy, StoreCorrupt, StoreFull, StoreReadOnly
from reverie.ops.log import OpsLog
from reverie.ops.telemetry import NoTelemetry, Telemetry
from reverie.ports import CORPUS_MB, Clock, Embedder, Ids, Mind, Reranker
from reverie.recall.settings import RerankSettings
from reverie.recipes.recipe import Recipe, recipe
from reverie.screen.values import ScreenSettings
from reverie.types import (
    FeedbackName,
    Memory,
    Message,
    Relation,
    RelationKind,
    RelationName,
    Scope,
    SourceName,
    TimeWindow,
)

if TYPE_CHECKING:  # each module is loaded by the first call that needs it
    from reverie.answers import Receipt, Recollection
    from reverie.consolidate.history import DreamReport
    from reverie.encode.memory_factory import DataSource
    from reverie.encode.validation import CallerHints
    from reverie.engine.collaborators import Admin
    from reverie.engine.curate import Feedback
    from reverie.engine.dreams import Progress
    from reverie.engine.jobs import JobRunner
    from reverie.engine.requests import Question
    from reverie.engine.transfer import Transfer
    from reverie.engine.undo import UndoReport
    from reverie.recall.explain import Explanation

P = ParamSpec("P")
T = TypeVar("T")
DECAY_AT_OPEN_H = 24.0
"""Least hours between two decays caused by opening the store, so that opening it twice decays memories once."""


class Options(TypedDict, total=False):
    """Keyword options of ``Reverie.open``; each has a default.

    Attributes:
        embedder: an embedder, the specification of one ("default", "hash", "openai:…"), or None for text search alone.
        recipe: a recipe's name ("reverie", "v9", "exocortex", "openclaw", "ocean"), or a recipe of your own.
        create: False: raise StoreMissing instead of making a new store.
        clock: source of the time; the machine's clock by default.
        ids: source of ids and salts; by default from the operating system's random numbers.
        home: scope of an OpenClaw table that is made here: its user, its project, and the agent of rows that name
            none.
        background: embed memories without a vector of this model in a background thread; meanwhile recall searches by
            text, and by the quick model of a pair of models.
        screen: settings of what is masked, marked and held back before anything is written; None: no screening.
        mind: a language model for tasks that one can do better; None: heuristics alone.
        reranker: a model that reads the best candidates together with the cue: a reranker, or the specification of one
            ("fastembed:…"); None, the default: no reranking.
        rerank: how many candidates the reranker reads, how much its score counts, and how long it may take.
        log: the log of operations; None: no log.
        telemetry: receiver of spans and counters; none by default.
        reminders: the time zone, as "Europe/Istanbul", in which ``observe`` reads requests to be reminded ("remind me
            on Friday …") and forms intentions; "", the default: it does not.
        tenant: whose memories of a database are meant; "", the default: those that its address names, or "default".
        corpus_mb: most megabytes of columns and vectors kept in memory for recall; the scopes longest unused are
            dropped first and loaded again when next recalled from; 512 by default.
        key_file: path of the file that holds the key of an encrypted store; "", the default: the system's keyring.
        count_within_s: longest seconds, up to 3600, that a recall waits to be counted, so that those of a scope are
            written together; a killed process loses them. 0, the default: each is counted before ``recall`` returns.
    """

    embedder: Embedder | str | None
    recipe: Recipe | str
    create: bool
    clock: Clock | None
    ids: Ids | None
    home: Scope | None
    background: bool
    screen: ScreenSettings | None
    mind: Mind | None
    reranker: Reranker | str | None
    rerank: RerankSettings
    log: OpsLog | None
    telemetry: Telemetry
    reminders: str
    tenant: str
    corpus_mb: int
    key_file: str
    count_within_s: float


def _require_no_path(parts: object, of: str) -> None:
    """Raise InvalidInput for a path, or nothing, instead of what an engine is made ``of``."""
    if parts is None or isinstance(parts, str | Path):
        given = "nothing" if parts is None else f"{str(parts)!r:.80}"
        raise InvalidInput(f"An engine is not made of {given}.", f"Call {of}.open with the path.")


def _require_known(options: Mapping[str, object]) -> None:
    """Raise InvalidInput for an unknown option."""
    known = Options.__annotations__
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise InvalidInput(f"Reverie.open has no option {unknown[0]!r}.", f"It has {', '.join(known)}.")


def _require_zone(name: object) -> str:
    """Return the name of a time zone, or "". Raises InvalidInput for another."""
    if name == "":
        return ""
    from reverie.encode.intentions import zone

    return zone(name).key


def _require_wait(seconds: object) -> float:
    """Return how long recalls may wait to be counted, in seconds. Raises InvalidInput."""
    if seconds == 0.0 and not isinstance(seconds, bool):
        return 0.0
    from reverie.engine.counting import require_wait

    return require_wait(seconds)


def _behind(screen: ScreenSettings | None, mind: Mind | None) -> Mind | None:
    """Wrap a language model so that the screen checks its answers first; the code is loaded only if there is one."""
    if screen is None or mind is None:
        return mind
    from reverie.engine.llm_tasks import ScreenedMind

    return ScreenedMind(mind, screen)


class Reverie:
    """A memory over one store: it keeps what was said and recalls the memories that answer a question.

    Each call works in one scope. Safe to share between threads; several processes may open the same path at once.

    >>> from datetime import UTC, datetime
    >>> from reverie import Reverie, Scope
    >>> scope = Scope(agent="helper", user="ada", project="home")
    >>> with Reverie.open(":memory:", embedder=None) as memory:
    ...     _ = memory.remember("My sister Zeynep moved to Izmir in May.", scope, at=datetime(2026, 6, 1, tzinfo=UTC))
    ...     _ = memory.remember("The printer is out of toner again.", scope, at=datetime(2026, 6, 2, tzinfo=UTC))
    ...     answer = memory.recall("Where does my sister live?", scope)
    ...     print(answer.hits[0].memory.text)
    My sister Zeynep moved to Izmir in May.
    """

    def __init__(self, parts: Parts) -> None:
        """Make an engine of given parts; ``Reverie.open`` makes one from a path."""
        _require_no_path(parts, "Reverie")
        self._context = Context(parts)
        self._parts = Collaborators(self._context)
        self._first_uses = FirstUses()

    @classmethod
    def open(cls, path: str | Path, **options: Unpack[Options]) -> Self:
        """Open the store at ``path`` (a file, a folder that holds ``reverie.db``, or ":memory:"), or create it.

        ``lance:FOLDER`` opens OpenClaw's own LanceDB table, and writes to it in place; ``sqlcipher:PATH`` an encrypted
        store (key: the keyring or ``key_file``); ``postgresql://…`` a ``tenant``'s database; ``….toml`` several.

        Raises:
            StoreError: the path cannot be opened; its subclass says why, ``mend`` what to do.
            ModelError: the model cannot be loaded. An endpoint that does not answer is no error: recall uses text.
            InvalidInput: there is no such option or recipe.
        """
        _require_known(options)
        require_parts(options)
        model = open_embedder(options.get("embedder", "default"))
        limits = options.get("rerank", RerankSettings())
        reranker = open_reranker(options.get("reranker"), deadline_ms=limits.deadline_ms)
        clock, ids = options.get("clock") or SystemClock(), options.get("ids") or RandomIds()
        screen = options.get("screen", ScreenSettings())
        store = open_store(
            path,
            options.get("create", True),
            lambda: reception(model, clock, ids, screen, options.get("log")),
            options.get("home"),
            options.get("key_file", ""),
            options.get("tenant", ""),
            corpus_mb=options.get("corpus_mb", CORPUS_MB),
        )
        refresh_terms(store)
        parts = Parts(
            store=store,
            embedder=model,
            clock=clock,
            ids=ids,
            recipe=recipe(chosen) if isinstance(chosen := options.get("recipe", "reverie"), str) else chosen,
            screen=screen,
            mind=_behind(screen, options.get("mind")),
            log=options.get("log"),
            telemetry=options.get("telemetry", NoTelemetry()),
            place=place_of(path, options.get("tenant", "")),
            reranker=reranker,
            rerank=limits,
            reminders=_require_zone(options.get("reminders", "")),
            count_within_s=_require_wait(options.get("count_within_s", 0.0)),
        )
        engine = cls(parts)
        engine._finish_begun()
        if options.get("background", True) and model is not None:
            engine._catch_up()
        engine._context.at_first_use = engine._decay_once if parts.recipe.recall.decay_at_open else None
        return engine

    def remember(  # noqa: PLR0913 - the parameters of observe
        self,
        message: str | Message,
        scope: Scope,
        *,
        speaker: str = "user",
        session: str = "default",
        at: datetime | None = None,
        deliberate: bool = False,
        source: DataSource | SourceName | None = None,
        given: CallerHints | None = None,
    ) -> Receipt:
        """Store one message word for word, on disk before returning; no memories are formed from it.

        Secrets are masked first, and text that gives orders to a model goes into quarantine. ``speaker``, ``session``
        and ``at`` apply to plain text; a ``Message`` has its own, and can have a ``message_id`` that makes a second
        call with the same message harmless. ``deliberate``, ``source`` and ``given`` are hints for forming: as nothing
        is formed here they change nothing, and are accepted so that ``observe`` can be called in place of this.

        Raises:
            InvalidInput: a value has the wrong type, or the text is blank. Any other text is accepted.
            Conflict: the message id is already used for another text, speaker or session.
        """
        return self._parts.ingestion.remember(
            message, scope, speaker=speaker, session=session, at=at, deliberate=deliberate, source=source, given=given
        )

    def observe(  # noqa: PLR0913 - the parameters of remember, and hints for the write path
        self,
        message: str | Message,
        scope: Scope,
        *,
        speaker: str = "user",
        session: str = "default",
        at: datetime | None = None,
        deliberate: bool = False,
        source: DataSource | SourceName | None = None,
        given: CallerHints | None = None,
    ) -> Receipt:
        """Store a message and form memories from what is worth knowing in it, by the recipe's whole write path.

        The message is stored in any case. The receipt says what each stage decided, and which memories were made or
        changed. Pass the messages of user and agent, outputs of tools (``Role.TOOL``) and feeds (``Role.SYSTEM``, or
        ``source="federation"`` for what another agent learned).

        Args:
            message: what was said.
            scope: whose memory.
            speaker: who said it, for plain text.
            session: in which conversation, for plain text.
            at: when, for plain text; now by default.
            deliberate: somebody asked to have it remembered, so no filter skips it.
            source: where the text comes from; by default it follows from the role.
            given: what the caller knows of it: its kind, its importance, or that only classified facts are formed.

        Raises:
            InvalidInput, Conflict: as ``remember``.
        """
        return self._parts.ingestion.observe(
            message, scope, speaker=speaker, session=session, at=at, deliberate=deliberate, source=source, given=given
        )

    def recall(
        self,
        cue: str | Question,
        scope: Scope,
        *,
        top_k: int | None = None,
        budget_tokens: int | None = 1000,
        now: datetime | None = None,
        window: TimeWindow | None = None,
    ) -> Recollection:
        """Find the memories that answer ``cue``, best first, and count them as accessed.

        Args:
            cue: a question or any text; a ``Question`` adds the session, the mood or a moment in the past.
            scope: whose memory.
            top_k: most memories to inject, from 1; the recipe's own number by default.
            budget_tokens: most tokens to inject; None for no limit.
            now: the time of the call, for phrases as "last week" and for validity; the clock's by default.
            window: filter by when memories were said; a time named in the cue only raises scores and filters nothing.
        """
        return self._parts.retrieval.recall(
            cue, scope, top_k=top_k, budget_tokens=budget_tokens, now=now, window=window
        )

    def explain(
        self,
        cue: str | Question,
        scope: Scope,
        *,
        top_k: int | None = None,
        budget_tokens: int | None = 1000,
        now: datetime | None = None,
        window: TimeWindow | None = None,
    ) -> Explanation:
        """Recall without counting accesses, and report which signals would change the order of the hits."""
        return self._parts.retrieval.explain(
            cue, scope, top_k=top_k, budget_tokens=budget_tokens, now=now, window=window
        )

    def timeline(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        limit: int | None = None,
        as_of: datetime | None = None,
    ) -> list[Memory]:
        """List all memories of the scope by the time they were said, also forgotten ones: ``start`` ≤ at < ``end``.

        ``as_of``: only what was true at that moment, by the same rule as ``Question.as_of``.
        """
        return self._parts.retrieval.timeline(scope, session=session, start=start, end=end, limit=limit, as_of=as_of)

    def memory(self, memory_id: str, scope: Scope) -> Memory:
        """Return one memory by its id. Raises NotFound, also for an id of another scope."""
        return self._parts.retrieval.memory(memory_id, scope)

    def correct(self, memory_id: str, text: str, scope: Scope, *, why: str = "", tags: Sequence[str] = ()) -> Memory:
        """Correct a memory: a new one with ``text`` supersedes it; the old one stays stored, closed and linked.

        Memories formed from a corrected message alone are superseded too, unless pinned or immutable. Secrets are
        masked first; a correction that gives orders to a model goes into quarantine and leaves the old memory as it
        is. A repeated call changes nothing. ``tags`` replace the tags that would follow from the new text.

        Returns:
            the new memory; or the existing one, if it has this text already.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the text is blank.
            Conflict: the memory is immutable, in quarantine, or already superseded by another text.
        """
        return self._parts.curation.correct(memory_id, text, scope, why=why, tags=tags)

    def forget(self, memory_id: str, scope: Scope, *, why: str = "") -> Memory:
        """Forget a memory: it is no longer valid or recalled, but stays stored and in the timeline.

        Memories formed from a forgotten message alone are forgotten too, unless pinned or immutable, and what dreams
        made of them is retracted. A repeated call changes nothing. Raises Conflict for a pinned or immutable memory.
        """
        return self._parts.curation.forget(memory_id, scope, why=why)

    def feedback(self, memory_id: str, scope: Scope, verdict: Feedback | FeedbackName, *, why: str = "") -> Memory:
        """Rate a memory: it was used or useless, or is verified, wrong or important.

        Used and useless move its utility towards 1 or 0; verified sets its confidence to 1; important raises its
        importance to .95; wrong sets importance and confidence to 0 and ends its validity. In recipes with earned
        importance, each use raises it as a good outcome, and so does the first verification. Raises NotFound;
        InvalidInput for an unknown verdict; Conflict for the verdict wrong on a pinned or immutable memory.
        """
        return self._parts.curation.feedback(memory_id, scope, verdict, why=why)

    def relate(
        self, source: str, target: str, scope: Scope, kind: RelationKind | RelationName, *, confidence: float = 1.0
    ) -> Relation:
        """Add an edge between two memories; an existing edge of this kind is replaced.

        An edge of kind supersedes also closes the target. Raises NotFound; InvalidInput for an unknown kind; and for
        supersedes Conflict where the target is pinned or immutable, or itself supersedes the source.
        """
        return self._parts.curation.relate(source, target, scope, kind, confidence=confidence)

    def dream(self, scope: Scope, *, dry_run: bool = False, progress: Progress | None = None) -> DreamReport:
        """Consolidate a scope once, by the recipe's steps, in small batches; others can recall meanwhile.

        An interrupted dream is completed. A second dream within the same period changes nothing. ``dry_run``: report
        what would change, and write nothing. ``progress`` is called before each step and after each transaction with
        the number of steps done, the number of all steps and the name of the current one; an exception it raises
        interrupts the dream.

        Raises:
            Conflict: another process or thread is dreaming over this store.
        """
        return self._parts.consolidation.dream(scope, dry_run=dry_run, progress=progress)

    def restore(self, memory_id: str, scope: Scope, *, why: str = "") -> Memory:
        """Restore a memory that was forgotten, is dormant, or was closed by a dream. A repeated call changes nothing.

        Raises:
            NotFound: there is no such memory.
            Conflict: it is in quarantine (see ``admin.release``), or a correction or newer memory superseded it.
        """
        return self._parts.curation.restore(memory_id, scope, why=why)

    def undo(self, scope: Scope, *, cycle: str | None = None, event: int | str | None = None) -> UndoReport:
        """Undo the newest dream that is not yet undone, or the dream ``cycle``, as a whole; or one ``event`` by number.

        Raises:
            NotFound: there is no such dream or event.
            Conflict: it was undone already, changed what has since been erased, or a dream is running.
            InvalidInput: both a dream and an event are named.
        """
        if event is None:
            return self._parts.consolidation.undo(scope, cycle=cycle)
        if cycle is not None:
            raise InvalidInput("Both a dream and an event are named.", "Name one: cycle or event.")
        return self._parts.curation.undo_event(event, scope)

    def bind(self, scope: Scope) -> BoundReverie:
        """Return the engine's verbs for one scope, without a scope argument on every call."""
        return BoundReverie(self, scope)

    def close(self) -> None:
        """Close the store. A second call does nothing; any other call afterwards raises StoreClosed."""
        self._parts.maintenance.close()

    @cached_property
    def admin(self) -> Admin:
        """Return the rarer operations: pins, counts, checks, backups, erasure."""
        from reverie.engine.collaborators import Admin

        return Admin(self._parts)

    @property
    def transfer(self) -> Transfer:
        """Return the methods that export and import memories of one scope, a store, chats or another memory system."""
        return self._parts.transfer

    @property
    def jobs(self) -> JobRunner:
        """Return the methods that do long work in the background, so that it survives the end of this process."""
        return self._parts.jobs

    def _catch_up(self) -> None:
        """Have memories without a vector of the model embedded in the background, now and after each write."""
        self._context.catch_up = self._parts.catch_up
        if self._parts.maintenance.missing():
            self._parts.catch_up(0.0)

    def _finish_begun(self) -> None:
        """Complete the erasures and screenings that a killed process had begun, if the store can be written."""
        finish(self._context.parts.place)
        for note, work in left(self._context.parts.place):
            with suppress(StoreReadOnly, StoreFull, StoreBusy, StoreCorrupt, OSError):
                for scope, names in work.erase:
                    self._parts.eraser.erase_rest(scope, names)
                if work.screen_after is not None and (admission := self._parts.transfer.admission()) is not None:
                    admission.screened(work.screen_after)
                note.unlink(missing_ok=True)

    def _decay_once(self, scope: Scope) -> None:
        """Decay a scope's memories if it is used for the first time here and was not decayed within a day.

        Nothing is done, and no error raised, if the store cannot be written now or somebody else is dreaming over it.
        """
        if not self._first_uses.is_first(scope):
            return
        consolidation = self._parts.consolidation
        with suppress(StoreReadOnly, StoreFull, StoreBusy, StoreCorrupt, Conflict):
            if self._context.store.head(scope)[0] and not consolidation.has_slept(scope, DECAY_AT_OPEN_H):
                consolidation.decay_at_open(scope)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class BoundReverie:
    """The engine's verbs within one scope: ``bound.recall("…")`` is ``engine.recall("…", scope)``."""

    def __init__(self, engine: Reverie, scope: Scope) -> None:
        self.scope = require_scope(scope)
        self.remember = partial(engine.remember, scope=scope)
        self.observe = partial(engine.observe, scope=scope)
        self.recall = partial(engine.recall, scope=scope)
        self.explain = partial(engine.explain, scope=scope)
        self.correct = partial(engine.correct, scope=scope)
        self.forget = partial(engine.forget, scope=scope)
        self.restore = partial(engine.restore, scope=scope)
        self.feedback = partial(engine.feedback, scope=scope)
        self.timeline = partial(engine.timeline, scope=scope)
        self.memory = partial(engine.memory, scope=scope)
        self.relate = partial(engine.relate, scope=scope)
        self.dream = partial(engine.dream, scope=scope)
        self.undo = partial(engine.undo, scope=scope)


class AsyncReverie:
    """Asynchronous form of ``Reverie``: each verb runs in a worker thread, over one engine.

    >>> import asyncio
    >>> from reverie import AsyncReverie, Scope
    >>> async def main() -> str:
    ...     scope = Scope(agent="helper", user="ada", project="home")
    ...     async with await AsyncReverie.open(":memory:", embedder=None) as memory:
    ...         await memory.remember("The spare key hangs behind the boiler.", scope)
    ...         answer = await memory.recall("Where is the spare key?", scope)
    ...         return answer.hits[0].memory.text
    >>> asyncio.run(main())
    'The spare key hangs behind the boiler.'
    """

    def __init__(self, engine: Reverie) -> None:
        _require_no_path(engine, "await AsyncReverie")
        self.engine = engine
        self.remember = _awaited(engine.remember)
        self.observe = _awaited(engine.observe)
        self.recall = _awaited(engine.recall)
        self.explain = _awaited(engine.explain)
        self.correct = _awaited(engine.correct)
        self.forget = _awaited(engine.forget)
        self.restore = _awaited(engine.restore)
        self.feedback = _awaited(engine.feedback)
        self.timeline = _awaited(engine.timeline)
        self.memory = _awaited(engine.memory)
        self.relate = _awaited(engine.relate)
        self.dream = _awaited(engine.dream)
        self.undo = _awaited(engine.undo)
        self.close = _awaited(engine.close)

    @classmethod
    async def open(cls, path: str | Path, **options: Unpack[Options]) -> Self:
        """Open a store as ``Reverie.open`` does, in a worker thread."""
        return cls(await _in_thread(lambda: Reverie.open(path, **options)))

    async def run(self, work: Callable[[Reverie], T]) -> T:
        """Run a function of the engine in a thread: ``await memory.run(lambda engine: engine.admin.stats(scope))``."""
        return await _in_thread(work, self.engine)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _awaited(call: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Wrap a call so that it runs in a thread, with the same signature and documentation."""

    @wraps(call)
    async def awaited(*args: P.args, **kwargs: P.kwargs) -> T:
        return await _in_thread(call, *args, **kwargs)

    return awaited


async def _in_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a call in a worker thread; asyncio is imported here, as synchronous callers do not need it."""
    from asyncio import to_thread

    return await to_thread(call, *args, **kwargs)
