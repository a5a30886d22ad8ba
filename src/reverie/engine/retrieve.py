"""The engine's read operations: recall and its explanation, timeline, counts, events, history and health."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from itertools import islice
from sys import maxsize
from time import perf_counter
from typing import TYPE_CHECKING, cast

from reverie.answers import Curve, Health, Origin, Recollection, Stats, Step
from reverie.engine.context import Chosen, Context
from reverie.engine.requests import (
    Question,
    RecallArguments,
    actor,
    require_count,
    require_ids,
    require_scope,
    require_words,
)
from reverie.errors import InvalidInput, ModelError, ModelUnavailable, NotFound, StoreBusy, StoreFull, StoreReadOnly
from reverie.events import GATED, Action, Change, Event, Recalled
from reverie.formulas.similarity_scales import lowest_cosine
from reverie.ops.log import OpsEntry
from reverie.ports import Corpus, Store, confidence_of, info_of, paired, scale_of
from reverie.recall.pipeline import recall
from reverie.recall.state import LOW, RecallContext, Request, held_then
from reverie.types import (
    GRANT,
    KIND_CODES,
    PEOPLE,
    POLICY,
    RECALLED_STATES,
    FloatArray,
    Kind,
    Memory,
    ModelInfo,
    Relation,
    RelationKind,
    Scope,
    State,
    TimeWindow,
    in_utc,
)

if TYPE_CHECKING:
    from reverie.answers import Digest, Expansion, Injection
    from reverie.consolidate.history import Cycle, DreamSummary
    from reverie.engine.governance import Rules
    from reverie.engine.grants import SharedCorpora
    from reverie.language.digest import Source
    from reverie.recall.explain import Explanation
    from reverie.recall.granted import JoinedCorpus


DREAMS_MAX = 1000
DAYS_MAX = 36_500


def _is_span(days: object) -> bool:
    """Whether the value is a number of days from 0 to ``DAYS_MAX``."""
    return isinstance(days, int | float) and 0 <= days <= DAYS_MAX


def _made_of(memory: Memory) -> tuple[str, ...]:
    """Return the ids of a memory's sources and of the memory it superseded, without its own (an episode's source)."""
    return tuple(name for name in (*memory.sources, memory.standing.supersedes) if name not in ("", memory.id))


def _part_of(name: str, edge: Relation) -> str:
    """Return the member that an edge links to what a dream made of it; "" for another edge."""
    if edge.kind is RelationKind.ELABORATES and edge.target == name:
        return edge.source
    return edge.target if edge.kind is RelationKind.SUPERSEDES and edge.source == name else ""


def source_of(memory: Memory) -> Source:
    """Return a memory as a text to condense."""
    from reverie.language.digest import Source

    return Source(memory.id, memory.text, memory.role in PEOPLE, memory.speaker)


_LOGGED_MOST = 20
"""Most hits of low confidence that one line of the ops log names."""


class Retrieval:
    """Collaborator for reading: recall, explanation, timeline, counts, the journal, history and health."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def memory(self, memory_id: str, scope: Scope) -> Memory:
        """Return one memory by its id. Raises NotFound, also for an id of another scope."""
        return self._context.memory(memory_id, scope)

    def history(self, memory_id: str, scope: Scope) -> list[Event]:
        """Return every event of a memory, oldest first: its writing, accesses, changes, edges, forgetting.

        An event of a dream can contain other memories too. Raises NotFound.
        """
        with self._context.locks.of(scope):
            return self._context.store.history(scope, self._context.memory(memory_id, scope).id)

    def provenance(self, memory_id: str, scope: Scope) -> list[Origin]:
        """Return a memory and everything it was made from, down to the messages; each memory once, nearest first.

        Erased memories are left out. Raises NotFound.
        """
        with self._context.locks.of(scope):
            asked = self._context.memory(memory_id, scope)
            found, queue = dict[str, Origin](), deque([(asked, 0)])
            while queue:
                memory, depth = queue.popleft()
                if memory.id in found:
                    continue
                before = [self._there(name, scope) for name in _made_of(memory)]
                sources = [one for one in before if one is not None]
                queue.extend((one, depth + 1) for one in sources)
                made = self._context.store.history(scope, memory.id)[0]
                ids = tuple(one.id for one in sources)
                found[memory.id] = Origin(memory, depth, made.seq, made.at, made.actor, str(made.action), made.why, ids)
            return list(found.values())

    def _there(self, memory_id: str, scope: Scope) -> Memory | None:
        try:
            return self._context.memory(memory_id, scope)
        except NotFound:
            return None

    def expand(self, memory_id: str, scope: Scope) -> Expansion:
        """Return a memory with the words it was made of, also dormant ones, and which of them say each statement.

        Erased memories and those in quarantine are left out. Raises NotFound.
        """
        from reverie.answers import Expansion
        from reverie.language.digest import pointed

        with self._context.locks.of(scope):
            memory = self._context.memory(memory_id, scope)
            members = self._members(memory)
            names = dict.fromkeys(name for one in (memory, *members) for name in _made_of(one))
            found = {one.id: one for one in (*members, *self._context.store.named(scope, list(names)))}
        shown = (one for one in found.values() if one.standing.state is not State.QUARANTINED and one.id != memory.id)
        sources = sorted(shown, key=lambda one: (one.at, one.id))
        return Expansion(memory, pointed(memory.text, tuple(map(source_of, sources))), tuple(sources))

    def _members(self, memory: Memory) -> list[Memory]:
        """Return the memories that a dream made this one of; for other memories none."""
        if not memory.is_dreamt:
            return []
        edges = self._context.store.relations(memory.scope, (memory.id,))
        ends = (_part_of(memory.id, edge) for edge in edges)
        return self._context.store.named(memory.scope, list(dict.fromkeys(filter(None, ends))))

    def condense(
        self, scope: Scope, *, session: str | None = None, ids: Sequence[str] = (), budget_tokens: int | None = None
    ) -> Digest:
        """Condense the messages of a session, or the memories of these ids, into short statements with pointers.

        Nothing is written. What is in quarantine is left out, of a session also what is forgotten, superseded or
        dormant. Without a budget every statement is kept; with one, those with the most information for their length.

        Raises:
            NotFound: there is no memory of one of these ids.
            InvalidInput: both a session and ids are named, or neither; or the budget is no whole number from 0.
        """
        from reverie.language.digest import digest

        require_scope(scope)
        require_ids("ids", ids)
        if budget_tokens is not None:
            require_count("budget_tokens", budget_tokens, 0, None)
        if (session is None) == (not ids):
            raise InvalidInput("Nothing or too much is named to condense.", "Name a session, or the ids of memories.")
        memories = self.latest(session, scope) if session is not None else self._named(ids, scope)
        states = RECALLED_STATES if session is not None else frozenset(State) - {State.QUARANTINED}
        return digest([source_of(one) for one in memories if one.standing.state in states], budget_tokens)

    def _named(self, ids: Sequence[str], scope: Scope) -> list[Memory]:
        with self._context.locks.of(scope):
            return [self._context.memory(name, scope) for name in dict.fromkeys(ids)]

    def dreams(self, scope: Scope, *, limit: int = 20) -> list[DreamSummary]:
        """Return the last dreams, newest first: what each step changed and why, with samples before → after."""
        from reverie.consolidate.history import newest

        require_scope(scope)
        require_count("limit", limit, 0, DREAMS_MAX)
        with self._context.locks.of(scope):
            chosen, erased = newest(self._context.store, scope, limit)
        return [
            self._context.retellings.get(scope, cycle, erased, partial(self._retold, scope, cycle)) for cycle in chosen
        ]

    def _retold(self, scope: Scope, cycle: Cycle) -> DreamSummary:
        from reverie.consolidate.history import retold

        with self._context.locks.of(scope):  # taken for each dream, so that others need not wait for all of them
            return retold(self._context.store, scope, cycle)

    def health(self, scope: Scope) -> Health:
        """Return health counts of the scope: its memories, how many are junk or stale, how it grew."""
        with self._context.locks.of(scope):
            return self._context.store.health(require_scope(scope), self._context.clock.now())

    def forgetting_curve(self, memory_id: str, scope: Scope, *, days: float = 90) -> Curve:
        """Compute a memory's retrievability from its formation to ``days`` ahead, assuming no further access.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the recipe has no forgetting curve, or ``days`` is no number from 0 to ``DAYS_MAX``.
        """
        from reverie.consolidate.retrievability import law_of, told

        if not _is_span(days):
            raise InvalidInput(f"days is {days!r}.", f"Use a number from 0 to {DAYS_MAX}.")
        with self._context.locks.of(scope):
            memory = self._context.memory(memory_id, scope)
            law = law_of(self._context.recipe.name, self._context.recipe.dream)
            events = self._context.store.history(scope, memory.id)
        return told(memory, events, law, self._context.clock.now(), float(days))

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
        """Find the memories that answer ``cue``, best first, and count them as accessed."""
        started = perf_counter()
        with self._context.guests.one(), self._context.parts.telemetry.span("recall") as span:
            ask = RecallArguments(cue, scope, top_k, budget_tokens, now, window)
            answer, changes = self._recollect(ask)
            if self._context.counts is not None:
                answer = self._context.counts.up_to_date(answer)
            answer = self._counted(self._reminded(answer, ask), changes)
            self._held_in_session(ask, answer)
            span.set("hits", len(answer.hits))
        took = (perf_counter() - started) * 1000.0
        self._context.measured("recall", took, hits=len(answer.hits))
        self._told(answer, took)
        return answer

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
        from reverie.recall.explain import explain

        self._context.settle(require_scope(scope))
        with self._context.guests.one():
            return explain(self._recollect(RecallArguments(cue, scope, top_k, budget_tokens, now, window))[0])

    def _reminded(self, answer: Recollection, ask: RecallArguments) -> Recollection:
        """Add the intentions that are due to what stands beside the hits; each is handed over once."""
        question = ask.question
        if not self._may_take(answer.scope) or (ask.now is not None and in_utc(ask.now) > self._context.clock.now()):
            return answer
        kinds = self._context.store.corpus(answer.scope, info_of(self._context.embedder)).kinds
        if question.as_of is not None or question.past or not (kinds == KIND_CODES[Kind.INTENTION]).any():
            return answer
        from reverie.engine.intentions import Intentions, reminder

        due = Intentions(self._context).hand_over(answer.scope, cue=question.text)
        held = {memory.id for memory, _ in due}
        hits = tuple(hit for hit in answer.hits if hit.memory.id not in held)
        told = tuple(reminder(memory, one, rank) for rank, (memory, one) in enumerate(due, start=1))
        return replace(answer, standing=(*told, *answer.standing), hits=hits) if due else answer

    def _may_take(self, scope: Scope) -> bool:
        """Whether the caller may take reminders over, so that no other gets them: who reads and writes everything."""
        rules = self._rules(scope)
        if rules is None:
            return True
        from reverie.engine.governance import Permission

        return rules.everywhere(Permission.READ) and rules.everywhere(Permission.WRITE)

    def _recollect(self, ask: RecallArguments) -> tuple[Recollection, tuple[Change, ...]]:
        """Compute the answer without the lock: a model may take seconds, and others write and recall meanwhile."""
        request = ask.request(self._context.clock)
        try:
            return self._found(request)
        except NotFound:  # something was erased between looking and fetching
            with self._context.locks.of(request.scope):
                return self._found(request)

    def _found(self, request: Request) -> tuple[Recollection, tuple[Change, ...]]:
        embedding = _Embedding(self._context, request)
        model, mind, scope = self._context.embedder, self._context.parts.mind, request.scope
        store = self._readable(scope)
        confidence, info = confidence_of(model), info_of(model)
        corpus, joined = self._corpus(store, scope, info)
        world = RecallContext(
            corpus=corpus,
            embed=embedding,
            relations=lambda ids: store.relations(scope, ids),
            companions=lambda ids: store.companions(scope, ids),
            memory=lambda memory_id: store.memory(scope, memory_id),
            often=lambda least: store.often(scope, least),
            why_none=lambda: embedding.why,
            model="" if info is None else info.name,
            route=lambda text: mind.route(text) if mind else None,
            made_from=lambda episode_id: store.made_from(scope, episode_id),
            outlived=lambda ids: store.outlived(scope, ids),
            named=lambda ids: store.named(scope, ids),
            kept=lambda minutes, choose: self._hottest(scope, request.now, minutes, choose),
            scale=scale_of(model),
            confidence=confidence,
            cosine_at=lambda sure: lowest_cosine(confidence, sure),
            embed_second=embedding.second,
            read=self._context.rereading,
            rerank=self._context.parts.rerank,
            own=None if joined is None else joined.own,
            outlived_there=self._context.store.outlived if joined is not None and joined.has_superseded else None,
        )
        return recall(request, world, self._context.recipe.recall)

    def _corpus(self, store: Store, scope: Scope, info: ModelInfo | None) -> tuple[Corpus, JoinedCorpus | None]:
        """Return what a scope may recall, and the same if others granted it any of that; one look-up finds no grant."""
        corpus = store.corpus(scope, info)
        if not self._context.store.records(GRANT, about=scope.canonical):
            return corpus, None
        joined = self._shared.joined(scope, corpus, info, self._context.clock.now())
        return joined or corpus, joined

    @cached_property
    def _shared(self) -> SharedCorpora:
        from reverie.engine.grants import SharedCorpora

        shared = SharedCorpora(self._context.store)
        self._context.at_erasure.append(shared.forget)
        return shared

    def _readable(self, scope: Scope) -> Store:
        """Return the store as the current caller may read it: itself in a scope without policies."""
        rules = self._rules(scope)
        if rules is None:
            return self._context.store
        from reverie.engine.governance import Permission, ReadableStore

        if rules.everywhere(Permission.READ):
            return self._context.store
        return cast("Store", ReadableStore(self._context.store, rules))

    def _rules(self, scope: Scope) -> Rules | None:
        """Return the scope's policies for the current caller; None without any, and then their code is not loaded."""
        if not self._context.store.records(POLICY, scope=scope):
            return None
        from reverie.engine.governance import rules_of

        return rules_of(self._context.store, scope)

    def _hottest(self, scope: Scope, now: datetime, minutes: float, choose: Callable[[], Chosen]) -> Chosen:
        with self._context.locks.unsettled(scope):
            return self._context.hot.get(scope, now, minutes, choose)

    def _held_in_session(self, ask: RecallArguments, answer: Recollection) -> None:
        """Put the formed memories that a session received into its working memory."""
        name = ask.question.session
        formed = [hit.memory for hit in answer.hits if hit.memory.kind is not Kind.EPISODE and hit.origin is None]
        if name is None or not formed:
            return
        with self._context.locks.unsettled(answer.scope):
            working = self._context.sessions.of(answer.scope, name).working
            for memory in formed:
                working.put(memory, answer.at)

    def _counted(self, answer: Recollection, changes: tuple[Change, ...]) -> Recollection:
        """Write the accesses of injected memories; if the store cannot be written, only the trace says so."""
        injected = [hit for hit in (*answer.hits, *answer.standing) if hit.origin is None]
        if not injected and not answer.gated:
            return answer
        started, counts = perf_counter(), self._context.counts
        names, why = tuple(hit.memory.id for hit in injected), GATED if answer.gated else ""
        try:
            if counts is None or changes:
                self._context.append(answer.scope, Action.RECALL, why, Recalled(names, changes), durable=False)
                note = f"{len(injected)} accesses counted"
            else:
                counts.add(answer.scope, actor(answer.scope), why, names)
                note = f"{len(injected)} accesses are counted soon" + (counts.fault and f"; before: {counts.fault}")
        except (StoreReadOnly, StoreFull, StoreBusy) as error:
            note = f"accesses not counted: {error.message}"
        step = Step("strengthen", note, (perf_counter() - started) * 1000.0)
        return replace(answer, trace=(*answer.trace, step))

    def _told(self, answer: Recollection, took_ms: float) -> None:
        if self._context.parts.log is None:
            return
        cosines = [hit.cosine for hit in answer.hits if hit.cosine is not None]
        entry = OpsEntry(
            "recall",
            input=answer.cue.text,
            output=" ".join(hit.memory.id for hit in answer.hits) or answer.ended,
            latency_ms=took_ms,
            intent=answer.intent or None,
            avg_relevance=sum(cosines) / len(cosines) if cosines else None,
            result_count=len(answer.hits),
            scope=answer.scope,
        )
        self._context.logged(entry)
        held = [hit for hit in answer.withheld if hit.withheld.startswith(LOW)][:_LOGGED_MOST]
        if held:
            told = "; ".join(f"{hit.memory.id}: {hit.withheld}" for hit in held)
            low = OpsEntry(LOW, answer.cue.text, told, result_count=len(held), scope=answer.scope)
            self._context.logged(low)

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
        """List all memories of the scope by the time they were said, also forgotten ones: ``start`` ≤ at < ``end``."""
        require_scope(scope)
        if limit is not None:
            require_count("limit", limit, 0, None)
        if session is not None:
            require_words("The session", session)
        first, last, then = (None if moment is None else in_utc(moment) for moment in (start, end, as_of))
        with self._context.locks.of(scope):
            if then is None:
                return list(self._context.store.memories(scope, session=session, start=first, end=last, limit=limit))
            found = self._context.store.memories(scope, session=session, start=first, end=last)
            return list(islice((memory for memory in found if held_then(memory, then)), limit))

    def latest(self, session: str, scope: Scope, *, limit: int | None = None, forgotten: bool = False) -> list[Memory]:
        """Return the last messages of a session, in order, by default all; the rest of the scope is not read.

        ``forgotten``: also those that are no longer valid.
        """
        require_scope(scope)
        require_words("The session", session)
        if limit is not None:
            require_count("limit", limit, 1, None)
        with self._context.locks.of(scope):
            return self._context.store.latest(scope, session, limit, None if forgotten else self._context.clock.now())

    def formed(self, scope: Scope, *, sources: Sequence[str] = ()) -> list[Memory]:
        """Return the formed memories, in any state; ``sources``: only those formed from one of these episodes."""
        require_scope(scope)
        require_ids("sources", sources)
        with self._context.locks.of(scope):
            if not sources:
                return self._context.store.formed(scope)
            found = {memory.id: memory for source in sources for memory in self._context.store.made_from(scope, source)}
        return list(found.values())

    def stats(self, scope: Scope) -> Stats:
        """Return counts of the scope, and the size of the store."""
        with self._context.locks.of(scope):
            return self._context.store.stats(require_scope(scope))

    def scopes(self) -> list[Scope]:
        """Return every scope that has or had a memory in the store."""
        return self._context.store.scopes()

    def injected(
        self, scope: Scope, *, session: str | None = None, limit: int = 50, before: datetime | None = None
    ) -> list[Injection]:
        """Return what was handed over to models, the newest first: by hosts' hooks, and to recalls by hand.

        ``session``: only what a hook handed over in this conversation. ``before``: only what was asked for earlier. A
        hook's own record lies on the machine where it runs; of others the journal alone is known.
        """
        require_scope(scope)
        require_count("limit", limit, 1, None)
        if session is not None:
            require_words("The session", session)
        from reverie.engine.injections import Injections

        return Injections(self._context, scope).latest(limit, session, None if before is None else in_utc(before))

    def events(self, scope: Scope, *, after: int = 0, limit: int | None = None) -> list[Event]:
        """Return the scope's journal: who changed what, when and why; the first ``limit`` events after ``after``."""
        require_scope(scope)
        require_count("after", after, 0, None)
        if limit is not None:
            require_count("limit", limit, 1, None)
        with self._context.locks.of(scope):
            return list(
                islice(self._context.store.events(scope, after=after), None if limit is None else min(limit, maxsize))
            )


class _Embedding:
    """Embeds cues through the session's cache; gives None if the model cannot be reached, so recall uses text alone."""

    def __init__(self, context: Context, request: Request) -> None:
        self._model = context.embedder
        with context.locks.unsettled(request.scope):
            self._cache = context.caches.of(request.scope, request.session)
            self._cache_of_second = context.caches_of_second.of(request.scope, request.session)
        self._now = request.now
        self._asked: dict[str, FloatArray] = {}
        self.why = "no model"

    def __call__(self, text: str) -> FloatArray | None:
        if self._model is None:
            return None
        if (known := self._asked.get(text)) is not None:  # several stages embed the same text
            return known
        try:
            self._asked[text] = vector = self._cache.get(text, self._now, self._model.embed_query)
            return vector
        except ModelUnavailable as error:
            self.why = error.message
            return None

    def second(self, text: str) -> FloatArray | None:
        """Return the cue's vector by the second, slower model; None without one, or if it fails."""
        model = paired(self._model)
        if model is None:
            return None
        try:
            return self._cache_of_second.get(text, self._now, lambda cue: model.second().embed_query(cue))
        except ModelError:  # recall uses the quick model; `doctor` reports the error of the background embedding
            return None
