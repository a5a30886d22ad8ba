"""``Reverie``: the one public class, and the place where an engine is composed of its parts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cached_property, partial, wraps
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, ParamSpec, Self, TypedDict, TypeVar, Unpack

from reverie.engine.collaborators import Collaborators
from reverie.engine.context import Context, Parts
from reverie.engine.embedding import BackgroundCatchUp
from reverie.engine.factories import open_embedder, open_reranker, open_store, reception, refresh_terms, require_parts
from reverie.engine.logs import finish, left
from reverie.engine.requests import require_scope
from reverie.engine.runtime import RandomIds, SystemClock
from reverie.errors import InvalidInput, StoreBusy, StoreFull, StoreReadOnly
from reverie.ops.log import OpsLog
from reverie.ops.telemetry import NoTelemetry, Telemetry
from reverie.ports import Clock, Embedder, Ids, Mind, Reranker
from reverie.recall.settings import RerankSettings
from reverie.recipes.recipe import Recipe, recipe
from reverie.screen.values import ScreenSettings
from reverie.types import Memory, Message, Relation, RelationKind, Scope, TimeWindow

if TYPE_CHECKING:  # each room is loaded by the first call that needs it
    from reverie.answers import Receipt, Recollection
    from reverie.consolidate.history import DreamReport
    from reverie.encode.memory_factory import DataSource
    from reverie.encode.validation import CallerHints
    from reverie.engine.collaborators import Admin
    from reverie.engine.curate import Feedback
    from reverie.engine.dreams import Progress
    from reverie.engine.requests import Question
    from reverie.engine.transfer import Transfer
    from reverie.engine.undo import UndoReport
    from reverie.recall.explain import Explanation

P = ParamSpec("P")
T = TypeVar("T")
DECAY_AT_OPEN_H = 24.0
"""Hours between one decay and the next that opening the store brings: looking at it twice must not change it twice."""


class Options(TypedDict, total=False):
    """What ``Reverie.open`` takes beside the path; each has its default.

    Attributes:
        embedder: an embedder, the specification of one ("default", "hash", "openai:…"), or None for text alone.
        recipe: a recipe's name ("reverie", "v9", "exocortex", "openclaw", "ocean"), or one of your own.
        create: False: raise StoreMissing instead of making a new store.
        clock: where the time comes from; the machine's by default.
        ids: where ids and salts come from; the operating system's chance by default.
        home: whose OpenClaw's table is, where a store of that kind is made: its user, its project, and the agent of
            rows that name none.
        background: embed what has no vector of this model in a thread; recall goes by text meanwhile, and by the quick
            model where a slower one stands beside it.
        screen: what is masked, marked and held back before anything is written; None: nothing is.
        mind: a language model for what one can do better; None: the heuristics alone.
        reranker: a model that reads the first of what was found together with the cue: a reranker, or the
            specification of one ("fastembed:…"); None, the default: nothing is read.
        rerank: how many it reads, how much that counts, and how long it may take.
        log: where operations are logged; None: nowhere.
        telemetry: where spans and counters go; nowhere by default.
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


def _require_known(options: Mapping[str, object]) -> None:
    """Raise InvalidInput for an option that there is not."""
    known = Options.__annotations__
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise InvalidInput(f"Reverie.open has no option {unknown[0]!r}.", f"It has {', '.join(known)}.")


def _behind(screen: ScreenSettings | None, mind: Mind | None) -> Mind | None:
    """Wrap a language model so that the screen checks its answers; imported only if there is one."""
    if screen is None or mind is None:
        return mind
    from reverie.engine.llm_tasks import ScreenedMind

    return ScreenedMind(mind, screen)


class Reverie:
    """A memory: it keeps what was said and recalls the right few sentences, within the scope each call names.

    Safe to share between threads; several processes may open the same path at once.

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
        """Compose an engine by hand; ``Reverie.open`` does it from a path."""
        self._context = Context(parts)
        self._parts = Collaborators(self._context)

    @classmethod
    def open(cls, path: str | Path, **options: Unpack[Options]) -> Self:
        """Open the store at ``path`` (a file, a folder that holds ``reverie.db``, or ":memory:"), or make it.

        ``lance:FOLDER`` is OpenClaw's own LanceDB table, worked on in place.

        Raises:
            StoreError: the path cannot be opened; its kind and ``mend`` say why and what to do.
            ModelError: the model cannot be loaded. An endpoint that does not answer is no error: recall goes by text.
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
        )
        refresh_terms(store)
        chosen = options.get("recipe", "reverie")
        parts = Parts(
            store=store,
            embedder=model,
            clock=clock,
            ids=ids,
            recipe=recipe(chosen) if isinstance(chosen, str) else chosen,
            screen=screen,
            mind=_behind(screen, options.get("mind")),
            log=options.get("log"),
            telemetry=options.get("telemetry", NoTelemetry()),
            place=str(path),
            reranker=reranker,
            rerank=limits,
        )
        engine = cls(parts)
        finish(parts.place)
        engine._finish_begun()
        if options.get("background", True) and model is not None:
            engine._catch_up_with(model)
        if engine._context.recipe.recall.decay_at_open:
            engine._decay_all()
        return engine

    def remember(
        self,
        message: str | Message,
        scope: Scope,
        *,
        speaker: str = "user",
        session: str = "default",
        at: datetime | None = None,
    ) -> Receipt:
        """Keep one message word for word, durably, before returning; nothing is formed of it.

        Secrets are masked first, and text that gives orders to a model goes into quarantine. ``speaker``, ``session``
        and ``at`` are for plain text; a ``Message`` carries its own, and may carry a ``message_id`` that makes a second
        call with the same message harmless.

        Raises:
            InvalidInput: a value has the wrong type. Any text is taken, empty and odd ones too.
            Conflict: the message id is known with other words.
        """
        return self._parts.ingestion.remember(message, scope, speaker=speaker, session=session, at=at)

    def observe(  # noqa: PLR0913 - what remember takes, and what the write path may be told
        self,
        message: str | Message,
        scope: Scope,
        *,
        speaker: str = "user",
        session: str = "default",
        at: datetime | None = None,
        deliberate: bool = False,
        source: DataSource | str | None = None,
        given: CallerHints | None = None,
    ) -> Receipt:
        """Store a message and form memories from it, by the recipe's whole write path.

        The words are kept whatever is formed. The receipt says what each stage decided, and which memories were made
        or changed. Messages of both sides are meant for it, outputs of tools (``Role.TOOL``) and feeds
        (``Role.SYSTEM``, or ``source="federation"`` for what another agent learned).

        Args:
            message: what was said.
            scope: whose memory.
            speaker: who said it, for plain text.
            session: in which conversation, for plain text.
            at: when, for plain text; now by default.
            deliberate: somebody asked to have it remembered, so no filter passes it over.
            source: where the words come from; what the role says by default.
            given: what is known of it already: its kind, its importance, or that only what has a class is formed.

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
        """The memories that answer ``cue``, best first, and count them as accessed.

        Args:
            cue: a question or any text; a ``Question`` says more: the session, the mood, a moment in the past.
            scope: whose memory.
            top_k: most memories to inject, from 1; the recipe's own number by default.
            budget_tokens: most tokens to inject; None for no limit.
            now: the moment of asking, for "last week" and for what holds; the clock's by default.
            window: only memories said within it; a time the cue itself speaks of raises, and does not filter.
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
        """The same answer with what would have changed its order. Looking is not using: nothing is counted."""
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
        """Everything in the scope by the time it was said, forgotten ones too: ``start`` ≤ at < ``end``.

        ``as_of``: only what was true at that moment, by the rule of a recall of the past.
        """
        return self._parts.retrieval.timeline(scope, session=session, start=start, end=end, limit=limit, as_of=as_of)

    def memory(self, memory_id: str, scope: Scope) -> Memory:
        """One memory by its id. Raises NotFound, also for an id of another scope."""
        return self._context.memory(memory_id, scope)

    def correct(self, memory_id: str, text: str, scope: Scope, *, why: str = "", tags: Sequence[str] = ()) -> Memory:
        """Let a memory say ``text`` from now on: a new one takes its place, the old one stays, closed and linked.

        What was formed of a corrected message alone is closed with it, unless it is pinned or immutable. Secrets are
        masked first; a correction that gives orders to a model goes into quarantine, and the old memory stands until
        then. Twice is once. ``tags`` are the new one's, instead of those its words give.

        Returns:
            the new memory; the one that is there where it says so already.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the text is blank.
            Conflict: the memory is immutable, in quarantine, or something else took its place already.
        """
        return self._parts.curation.correct(memory_id, text, scope, why=why, tags=tags)

    def forget(self, memory_id: str, scope: Scope, *, why: str = "") -> Memory:
        """Let a memory no longer hold: it is kept, shown in the timeline, and not recalled. Twice is once.

        With a message goes what was formed of it alone, and with both what dreams made of them. Raises Conflict for a
        memory that is pinned or immutable; what is so among those formed of a message stays.
        """
        return self._parts.curation.forget(memory_id, scope, why=why)

    def feedback(self, memory_id: str, scope: Scope, verdict: Feedback | str, *, why: str = "") -> Memory:
        """Say what turned out: it was of use, or of none; it is verified, wrong, or important.

        Used and useless move its utility towards 1 or 0; verified trusts its source; important lifts its importance to
        .95; wrong takes it to 0 and lets it hold no longer. Where a recipe's importance is earned, each use raises it
        too, as a good outcome, and so does being verified, once. Raises NotFound; InvalidInput for an unknown verdict;
        Conflict where something pinned or immutable is said to be wrong.
        """
        return self._parts.curation.feedback(memory_id, scope, verdict, why=why)

    def relate(
        self, source: str, target: str, scope: Scope, kind: RelationKind | str, *, confidence: float = 1.0
    ) -> Relation:
        """Draw an edge between two memories; one that is there already is set anew.

        What is superseded by hand is closed like anything that is. Raises NotFound; InvalidInput for no such kind;
        Conflict where the target is pinned or immutable, or supersedes the source itself.
        """
        return self._parts.curation.relate(source, target, scope, kind, confidence=confidence)

    def dream(self, scope: Scope, *, dry_run: bool = False, progress: Progress | None = None) -> DreamReport:
        """Consolidate a scope once, by the recipe's steps, in small batches; others recall meanwhile.

        An interrupted dream is brought to its end. Twice within a period changes nothing the second time.
        ``dry_run``: says what it would do, and writes nothing. ``progress`` is told, before each step and after each
        transaction, how many steps are done, how many there are, and the name of the one at work; what it raises
        interrupts the dream there.

        Raises:
            Conflict: another process is dreaming over this store.
        """
        return self._parts.consolidation.dream(scope, dry_run=dry_run, progress=progress)

    def restore(self, memory_id: str, scope: Scope, *, why: str = "") -> Memory:
        """Let a memory hold again that was forgotten or corrected, or wake one that sleeps. Twice is once.

        Raises:
            NotFound: there is no such memory.
            Conflict: the screen holds it back (``admin.release`` lets it out), or something else took its place.
        """
        return self._parts.curation.restore(memory_id, scope, why=why)

    def undo(self, scope: Scope, *, cycle: str | None = None, event: int | str | None = None) -> UndoReport:
        """Undo the newest dream that changed something, the named one, or a single ``event`` by its number.

        Raises:
            NotFound: there is no such dream or event.
            Conflict: it was taken back already, changed what has since been erased, or somebody is dreaming.
            InvalidInput: both a dream and an event are named.
        """
        if event is None:
            return self._parts.consolidation.undo(scope, cycle=cycle)
        if cycle is not None:
            raise InvalidInput("Both a dream and an event are named.", "Name one: cycle or event.")
        return self._parts.curation.undo_event(event, scope)

    def bind(self, scope: Scope) -> BoundReverie:
        """The same verbs without the scope on every call; for an agent that works in one scope."""
        return BoundReverie(self, scope)

    def close(self) -> None:
        """Release the file. A second call does nothing; any other call afterwards raises StoreClosed."""
        self._parts.maintenance.close()

    @cached_property
    def admin(self) -> Admin:
        """What a person or an operator does with a memory now and then: pins, counts, checks, copies, erasure."""
        from reverie.engine.collaborators import Admin

        return Admin(self._parts)

    @property
    def transfer(self) -> Transfer:
        """Memories out as files, and back in: whole scopes and stores, chats, other memories."""
        return self._parts.transfer

    def _catch_up_with(self, model: Embedder) -> None:
        """Start a thread that embeds memories without a vector of this model."""
        context = self._context
        context.catching_up = BackgroundCatchUp(context.store, model, context.lock)
        if self._parts.maintenance.missing():
            context.catching_up.start(0.0)

    def _finish_begun(self) -> None:
        """Go on with what a killed process had begun, as far as the store can be written."""
        for note, work in left(self._context.parts.place):
            with suppress(StoreReadOnly, StoreFull, StoreBusy, OSError):
                for scope, names in work.erase:
                    self._parts.eraser.erase_rest(scope, names)
                if work.screen_after is not None and (admission := self._parts.transfer.admission()) is not None:
                    admission.screened(work.screen_after)
                note.unlink(missing_ok=True)

    def _decay_all(self) -> None:
        """Let memories of every scope fade, as far as the store can be written; a scope that just did is let be."""
        consolidation = self._parts.consolidation
        for scope in self._parts.retrieval.scopes():
            if not consolidation.has_slept(scope, DECAY_AT_OPEN_H):
                with suppress(StoreReadOnly, StoreFull, StoreBusy):
                    consolidation.decay_at_open(scope)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class BoundReverie:
    """The verbs of an engine within one scope: ``bound.recall("…")`` is ``engine.recall("…", scope)``."""

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
    """The verbs of an engine, awaited: each runs in a thread of its own, over the same engine.

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
        """As ``Reverie.open``."""
        return cls(await _in_thread(lambda: Reverie.open(path, **options)))

    async def run(self, work: Callable[[Reverie], T]) -> T:
        """Anything else, in a thread: ``await memory.run(lambda engine: engine.admin.stats(scope))``."""
        return await _in_thread(work, self.engine)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _awaited(call: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """The same call, in a thread; its signature and documentation stay."""

    @wraps(call)
    async def awaited(*args: P.args, **kwargs: P.kwargs) -> T:
        return await _in_thread(call, *args, **kwargs)

    return awaited


async def _in_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The call's answer; asyncio is loaded for those who await."""
    from asyncio import to_thread

    return await to_thread(call, *args, **kwargs)
