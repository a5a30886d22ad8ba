"""The engine's write path: messages are screened; ``remember`` stores them, ``observe`` also forms memories."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence, Sized
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from reverie.answers import Receipt
from reverie.encode.validation import accept, require_words
from reverie.engine.context import Context
from reverie.engine.requests import (
    actor,
    attributed,
    by_tool,
    require_flag,
    require_many,
    require_progress,
    require_scope,
)
from reverie.engine.retractions import outdated
from reverie.errors import Conflict, InvalidInput, ReverieError
from reverie.events import OBSERVED
from reverie.ops.log import OpsEntry
from reverie.ports import FormingMind, Transaction, info_of
from reverie.types import RECALLED_STATES, Message, Scope, SourceName

if TYPE_CHECKING:
    from reverie.encode.memory_factory import DataSource
    from reverie.encode.pipeline import GateContext, Incoming, Prepared, WriteContext
    from reverie.encode.session import Session
    from reverie.encode.validation import CallerHints
    from reverie.engine.ahead import Batch, Ready, Work


IMPORT_BATCH = 256
MERGE_FROM = 1_000
"""Number of new messages from which the text index is merged: its many segments would slow down each search."""


@dataclass(frozen=True, slots=True)
class Imported:
    """Result of a bulk import: how many messages were ``new``, and how many already ``known``.

    ``conflicts`` are ids already used for another text, speaker or session: those messages were not stored. ``held``:
    how many of the new ones the screen put into quarantine; ``masked``: in how many it masked words.
    """

    new: int
    known: int
    conflicts: tuple[str, ...] = ()
    held: int = 0
    masked: int = 0


class Ingestion:
    """Collaborator for writing: screens messages, stores them word for word, and forms memories from them."""

    def __init__(self, context: Context) -> None:
        self._context = context

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
        """Store one message word for word, on disk before returning; no memories are formed from it."""
        _require_hints(deliberate, source, given)
        if isinstance(message, str):
            require_words(message)
            message = Message(message, speaker=speaker, session=session, at=at)
        return _agreed(message, self._keep(require_scope(scope), self._embedded([self.screened(message)]), "said")[0])

    def remember_many(
        self, messages: Iterable[Message], scope: Scope, *, progress: Callable[[int], None] | None = None
    ) -> Imported:
        """Store many messages, in batches of one transaction each; ``progress`` is called with each batch's size.

        A second run after an interruption continues where the first stopped, provided the messages have ids. If the
        iteration of ``messages`` raises, or a message is invalid, those before it are stored first. From a list of
        4,096 messages on, helper processes screen and embed them ahead; what is stored is the same.
        """
        return self.keep_many(messages, scope, progress=progress, whole=isinstance(messages, Sized))

    def keep_many(
        self, messages: Iterable[Message], scope: Scope, *, progress: Callable[[int], None] | None, whole: bool
    ) -> Imported:
        """Store many messages; ``whole``: they are all there already, so that they may be read ahead."""
        require_scope(scope)
        require_many("messages", messages)
        require_progress(progress)
        parts: list[Imported] = []
        with closing(self._ready(messages, whole=whole, forming=False)) as batches:
            for batch in batches:
                parts.append(_counted(batch, self._keep(scope, batch, "imported")))
                if progress:
                    progress(len(batch))
        done = joined(parts)
        if done.new >= MERGE_FROM:
            with self._context.locks.of(scope):
                self._context.store.merge_index()
        return done

    def observe_many(
        self, messages: Iterable[Message], scope: Scope, *, progress: Callable[[int], None] | None, whole: bool
    ) -> Imported:
        """Store many messages and form memories from them, each as ``observe`` does, in the order given.

        A message that is known already has memories formed from it now, unless some are. Texts are embedded in batches,
        and each batch is on disk when ``progress`` is called with its size. A blank message is only stored. ``whole``:
        the messages are all there already, so that they may be read ahead.
        """
        require_scope(scope)
        require_many("messages", messages)
        require_progress(progress)
        parts: list[Imported] = []
        with closing(self._ready(messages, whole=whole, forming=True)) as batches:
            for batch in batches:
                parts.append(_counted(batch, self._observe_batch(batch, scope)))
                if progress:
                    progress(len(batch))
        return joined(parts)

    def _observe_batch(self, batch: Batch, scope: Scope) -> list[Receipt]:
        receipts = []
        for place, ready in enumerate(batch):
            hand = replace(self._hand(scope, OBSERVED), is_formed=partial(self._is_formed, scope))
            receipts.append(self._observe(ready.said, hand, ready, durable=place == len(batch) - 1))
        return receipts

    def _is_formed(self, scope: Scope, episode_id: str) -> bool:
        return bool(self._context.store.made_from(scope, episode_id))

    def _ready(self, messages: Iterable[Message], *, whole: bool, forming: bool) -> Generator[Batch, None, None]:
        """Yield batches ready to be written; if the iteration raises, yield what came before, then raise the error."""
        from reverie.engine.ahead import batches

        return batches(_batches(messages), self._work(forming=forming) if whole else None, self._batch)

    def _work(self, *, forming: bool) -> Work | None:
        """Return what helper processes need to know to prepare messages as this engine does; None if they cannot."""
        from reverie.engine.ahead import Work
        from reverie.models.registry import spec_of

        parts, spec = self._context.parts, spec_of(self._context.embedder)
        if spec is None or (forming and parts.mind is not None):
            return None
        return Work(parts.screen, spec, parts.recipe.encode if forming else None, parts.recipe.working)

    def _batch(self, messages: Sequence[Message]) -> Batch:
        """Screen and embed messages here."""
        from reverie.encode.pipeline import screened

        return self._embedded([screened(message, self._context.parts.screen) for message in messages])

    def _embedded(self, said: Sequence[Prepared]) -> Batch:
        from reverie.engine.ahead import Ready

        vectors = self._context.vectors([one.message.text for one in said])
        return [Ready(one, vector) for one, vector in zip(said, vectors, strict=True)]

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
        """Store a message and form memories from what is worth knowing in it, by the recipe's whole write path."""
        require_scope(scope)
        _require_given(given)
        if isinstance(message, str):
            require_words(message)
            message = Message(message, speaker=speaker, session=session, at=at)
        said = self.screened(message)
        hand = self._hand(scope, OBSERVED, deliberate, None if by_tool() else _source(source))
        hand = hand if given is None else replace(hand, given=given)
        started = perf_counter()
        with self._context.parts.telemetry.span("remember") as span:
            try:
                receipt = self._observe(said, hand)
            except ReverieError as error:
                self._noted(said, hand, type(error).__name__, started, success=False)
                raise
            span.set("formed", len(receipt.formed))
        if self._context.parts.reminders and receipt.new and not said.quarantine:
            receipt = self._intended(receipt, scope)
        self._context.measured("remember", (perf_counter() - started) * 1000.0, formed=len(receipt.formed))
        verdicts = "; ".join(f"{decision.stage}: {decision.verdict}" for decision in receipt.decisions)
        self._noted(said, hand, verdicts, started, success=not receipt.conflict)
        return _agreed(said.message, receipt)

    def _intended(self, receipt: Receipt, scope: Scope) -> Receipt:
        """Form the intentions that a message asks for, and add them to its receipt."""
        from reverie.engine.intentions import Intentions

        found = Intentions(self._context).heard(receipt.id, scope, self._context.parts.reminders)
        return replace(receipt, formed=(*receipt.formed, *(one.id for one in found))) if found else receipt

    def _observe(
        self, said: Prepared, hand: WriteContext, known: Ready | None = None, *, durable: bool = True
    ) -> Receipt:
        """Observe one message; ``known`` is what was computed before, as for a message of an import."""
        from reverie.encode.formation import Formation
        from reverie.encode.gate import advise
        from reverie.encode.pipeline import commit, foresee

        settings, mind = self._context.recipe.encode, self._mind()
        session, incoming = self._incoming(said, hand, known, mind)
        world = self._world(hand) if incoming.prepared.thoughts else None
        if mind is not None and world is not None:  # called before the store is locked: others can write meanwhile
            with self._context.locks.of(hand.scope):
                judged = foresee(incoming, hand, world, settings, session)
            world = replace(world, advice=advise(mind, judged, settings))
        with self._context.locks.of(hand.scope):
            with self._context.store.begin(hand.scope, durable=durable) as tx:
                forming = None if world is None else Formation(tx, hand, world, settings, session)
                receipt, outcome = commit(tx, incoming, hand, forming)
                if outcome.closed:
                    self._context.retire(
                        tx, hand.scope, outdated(self._context.store, outcome.closed, outcome.newer, hand.now)
                    )
            if (receipt.new or (known and not receipt.conflict)) and not said.quarantine:
                self._follow(hand, session, incoming, receipt)
        self._context.embed_again(hand.scope, outcome.reworded)
        self._context.embed_later()
        return receipt

    def _incoming(
        self, said: Prepared, hand: WriteContext, known: Ready | None, mind: FormingMind | None
    ) -> tuple[Session, Incoming]:
        """Return a message's session, and the message with its candidates: those formed ahead, if they still hold."""
        from reverie.encode.facts import Aids
        from reverie.encode.memory_factory import DataSource
        from reverie.encode.pipeline import Incoming, prepare

        with self._context.locks.of(hand.scope):
            session = self._context.sessions.of(hand.scope, said.message.session)
            context, before = tuple(session.texts), tuple(session.said)
        if known is not None and (formed := known.formed(context)) is not None:
            return session, formed
        aids = Aids(context, mind, hand.deliberate, hand.given, before, hand.source is DataSource.FEDERATION)
        prepared = prepare(said, hand.now, self._context.recipe.encode, aids)
        texts = [thought.text for thought in prepared.thoughts]
        if known is not None:
            vectors = tuple(self._context.vectors(texts)) if texts else ()
            return session, Incoming(prepared, known.vector, vectors, known.read)
        vector, *others = self._context.vectors([said.message.text, *texts])
        return session, Incoming(prepared, vector, tuple(others))

    def _mind(self) -> FormingMind | None:
        """Return the language model for one message, None without one; its code is imported only if there is one."""
        if self._context.parts.mind is None:
            return None
        from reverie.engine.llm_tasks import OneMessage

        return OneMessage(self._context.parts.mind)

    def _follow(self, hand: WriteContext, session: Session, incoming: Incoming, receipt: Receipt) -> None:
        """Add the message to its session and the memories formed from it to working memory."""
        message = incoming.prepared.message
        session.heard(message.text, incoming.vector, message.speaker)
        for name in receipt.formed:
            memory = self._context.store.memory(hand.scope, name)
            if memory is not None and memory.standing.supersedes:
                self._let_go(hand, session)
            if memory is not None and memory.standing.state in RECALLED_STATES:
                session.working.put(memory, hand.now)

    def _let_go(self, hand: WriteContext, session: Session) -> None:
        """Drop items from working memory that are no longer valid."""
        for item in session.working.items(hand.now):
            if self._context.held(item.id, hand.scope) is None:
                session.working.drop(item.id)

    def _world(self, hand: WriteContext) -> GateContext:
        from reverie.encode.pipeline import GateContext
        from reverie.ports import scale_of

        scope, model = hand.scope, hand.model
        return GateContext(
            corpus=lambda: self._context.store.corpus(scope, model),
            relations=lambda: self._context.store.relations(scope),
            scale=scale_of(self._context.embedder),
            edges=self._context.edges[scope],
        )

    def _hand(self, scope: Scope, why: str, deliberate: bool = False, source: DataSource | None = None) -> WriteContext:
        from reverie.encode.pipeline import WriteContext

        model = info_of(self._context.embedder)
        return WriteContext(
            scope, self._context.clock.now(), self._context.ids, actor(scope), why, model, deliberate, source
        )

    def _noted(self, said: Prepared, hand: WriteContext, output: str, started: float, *, success: bool) -> None:
        """Log the operation, with the text as stored, in which the screen has masked secrets."""
        took = (perf_counter() - started) * 1000.0
        made = OpsEntry("remember", input=said.message.text, output=output, latency_ms=took, success=success)
        self._context.logged(replace(made, scope=hand.scope))

    def screened(self, message: Message) -> Prepared:
        """Validate, attribute and screen a message before it is written."""
        from reverie.encode.pipeline import screened

        return screened(attributed(accept(message)), self._context.parts.screen)

    def screened_many(self, messages: Iterable[Message]) -> Generator[list[Prepared], None, None]:
        """Screen many messages as an import does, in batches, and embed none; of many, in helper processes."""
        from reverie.encode.pipeline import screened
        from reverie.engine.ahead import Ready, Work, batches

        parts = self._context.parts

        def here(batch: Sequence[Message]) -> Batch:
            return [Ready(screened(message, parts.screen), None) for message in batch]

        work = Work(parts.screen, "none", None, parts.recipe.working)
        with closing(batches(_batches(messages), work, here)) as ready:
            for batch in ready:
                yield [one.said for one in batch]

    def _keep(self, scope: Scope, batch: Batch, why: str) -> list[Receipt]:
        hand = self._hand(scope, why)
        with self._context.locks.unsettled(scope), self._context.store.begin(hand.scope, durable=True) as tx:
            if (expect := getattr(tx, "expect", None)) is not None:  # a server far away is asked once
                messages = [ready.said.message for ready in batch]
                expect({one.message_id for one in messages if one.message_id}, {one.session for one in messages})
            kept = [_written(tx, ready, hand) for ready in batch]
        self._context.embed_later()
        return kept


def _batches(messages: Iterable[Message]) -> Generator[list[Message], None, None]:
    """Yield validated messages in batches; if the iteration raises, yield what came before, then raise the error."""
    batch: list[Message] = []
    try:
        for message in messages:
            batch.append(attributed(accept(message)))
            if len(batch) == IMPORT_BATCH:
                yield batch
                batch = []
    except Exception:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def joined(parts: Sequence[Imported]) -> Imported:
    """Add up the results of several imports."""
    return Imported(
        new=sum(part.new for part in parts),
        known=sum(part.known for part in parts),
        conflicts=tuple(one for part in parts for one in part.conflicts),
        held=sum(part.held for part in parts),
        masked=sum(part.masked for part in parts),
    )


def _counted(batch: Batch, receipts: Sequence[Receipt]) -> Imported:
    """Count the receipts of one batch."""
    pairs = [(ready.said, receipt) for ready, receipt in zip(batch, receipts, strict=True)]
    new = [prepared for prepared, receipt in pairs if receipt.new]
    conflicts = tuple(str(prepared.message.message_id) for prepared, receipt in pairs if receipt.conflict)
    return Imported(
        new=len(new),
        known=len(pairs) - len(new) - len(conflicts),
        conflicts=conflicts,
        held=sum(bool(prepared.quarantine) for prepared in new),
        masked=sum(is_masked(prepared) for prepared in new),
    )


def is_masked(prepared: Prepared) -> bool:
    """Whether the screen masked words in a message and did not put it into quarantine."""
    return not prepared.quarantine and bool(prepared.decisions)


def _require_given(given: object) -> None:
    """Raise InvalidInput unless the value is None or ``CallerHints``."""
    from reverie.encode.validation import CallerHints

    if given is not None and not isinstance(given, CallerHints):
        raise InvalidInput(
            f"given is {type(given).__name__}.", "Give a reverie.encode.validation.CallerHints, or leave it out."
        )


def _require_hints(deliberate: bool, source: DataSource | SourceName | None, given: CallerHints | None) -> None:
    """Raise InvalidInput for hints that ``observe`` would refuse; none given: nothing is loaded."""
    require_flag("deliberate", deliberate)
    _require_given(given)
    if source is not None:
        _source(source)


def _source(source: DataSource | SourceName | None) -> DataSource | None:
    from reverie.encode.memory_factory import DataSource

    try:
        return None if source is None else DataSource(source)
    except ValueError:
        known = ", ".join(DataSource)
        raise InvalidInput(f"There is no source {source!r}.", f"Use one of {known}, or leave it out.") from None


def _written(tx: Transaction, ready: Ready, hand: WriteContext) -> Receipt:
    from reverie.encode.pipeline import commit

    return commit(tx, ready.written, hand)[0]


def _agreed(message: Message, receipt: Receipt) -> Receipt:
    if receipt.conflict:
        raise Conflict(
            f"Message {message.message_id!r} is already kept with other words, another speaker or another session.",
            "Give the changed message an id of its own, or leave the id out.",
        )
    return receipt
