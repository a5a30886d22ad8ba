"""How the engine writes: what is said goes through the screen; ``remember`` keeps the words, ``observe`` also forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from time import perf_counter

from reverie.answers import Receipt
from reverie.encode.accept import accept
from reverie.encode.forming import Forming, Outcome
from reverie.encode.pipeline import Hand, Incoming, Prepared, World, commit, prepare, screened
from reverie.encode.session import Session
from reverie.encode.thoughts import Aids
from reverie.engine.asking import require_scope
from reverie.engine.base import Base
from reverie.errors import Conflict, ModelUnavailable
from reverie.events import Action, Erased, Forgotten
from reverie.language.named_entities import named
from reverie.ops.entry import OpsEntry
from reverie.ports import Transaction
from reverie.types import FloatArray, Memory, Message, Scope

IMPORT_BATCH = 256


@dataclass(frozen=True, slots=True)
class Imported:
    """What a bulk import did: how many messages were ``new``, and how many ``known`` already.

    ``conflicts`` are ids known with other words, speaker or session: those messages were not kept.
    """

    new: int
    known: int
    conflicts: tuple[str, ...] = ()


class Writing(Base):
    """The part of the engine that takes in."""

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
        if isinstance(message, str):
            message = Message(message, speaker=speaker, session=session, at=at)
        return _agreed(message, self._keep(require_scope(scope), [self._screened(message)], "said")[0])

    def remember_many(
        self, messages: Iterable[Message], scope: Scope, *, progress: Callable[[int], None] | None = None
    ) -> Imported:
        """Keep many messages, in batches of one transaction each; ``progress`` is told the size of each batch.

        Running it again after an interruption goes on where it stopped, provided the messages carry ids.
        """
        require_scope(scope)
        incoming = iter(messages)
        new = known = 0
        conflicts: list[str] = []
        while batch := [self._screened(message) for message in islice(incoming, IMPORT_BATCH)]:
            receipts = self._keep(scope, batch, "imported")
            new += sum(receipt.new for receipt in receipts)
            known += sum(not receipt.new and not receipt.conflict for receipt in receipts)
            pairs = zip(batch, receipts, strict=True)
            conflicts += [str(prepared.message.message_id) for prepared, receipt in pairs if receipt.conflict]
            if progress:
                progress(len(batch))
        return Imported(new, known, tuple(conflicts))

    def observe(self, message: str | Message, scope: Scope, *, deliberate: bool = False) -> Receipt:
        """Keep a message and form of it what is worth knowing: the whole write path of the recipe.

        The words are kept whatever is formed. The receipt says what each stage decided, and which memories were made
        or changed. ``deliberate``: somebody asked to have it remembered, so no filter passes it over.

        Raises:
            InvalidInput, Conflict: as ``remember``.
        """
        require_scope(scope)
        message = Message(message) if isinstance(message, str) else message
        started = perf_counter()
        with self._parts.telemetry.span("remember"):
            receipt = self._observe(self._screened(message), scope, deliberate)
        took = (perf_counter() - started) * 1000.0
        verdicts = "; ".join(f"{decision.stage}: {decision.verdict}" for decision in receipt.decisions)
        self._logged(OpsEntry("remember", input=message.text, output=verdicts, latency_ms=took))
        return _agreed(message, receipt)

    def _observe(self, screened_message: Prepared, scope: Scope, deliberate: bool) -> Receipt:
        message, now = screened_message.message, self._clock.now()
        session = self._sessions.of(scope, message.session)
        settings, mind = self._recipe.encode, self._parts.mind
        aids = Aids(tuple(session.names), mind)
        prepared = prepare(screened_message, now, settings, aids, deliberate=deliberate)
        vectors = self._vectors([message.text, *(thought.text for thought in prepared.thoughts)])
        incoming = Incoming(prepared, vectors[0], tuple(vectors[1:]))
        model = self._embedder.info if self._embedder else None
        hand = Hand(scope, now, self._ids, scope.agent, "observed", model, deliberate)
        world = World(lambda: self._store.corpus(scope, model), lambda: self._store.relations(scope), mind)
        with self._lock, self._store.begin(durable=True) as tx:
            receipt, outcome = commit(tx, incoming, hand, Forming(tx, hand, world, settings, session))
        self._follow(scope, session, incoming, outcome, now)
        return receipt

    def _follow(self, scope: Scope, session: Session, incoming: Incoming, outcome: Outcome, now: datetime) -> None:
        """What comes after the transaction: reworded memories are embedded, and the session takes in what was said."""
        if self._embedder is not None and outcome.reworded:
            memories = [memory for name in outcome.reworded if (memory := self._store.memory(scope, name)) is not None]
            rows = zip(memories, self._vectors([memory.text for memory in memories]), strict=True)
            known = [(scope, memory.id, vector) for memory, vector in rows if vector is not None]
            with self._lock:
                self._store.put_vectors(self._embedder.info, known)
        session.heard(named(incoming.prepared.message.text), incoming.vector)
        for _, memory in outcome.laid:
            session.working.put(memory, now)

    def _screened(self, message: Message) -> Prepared:
        return screened(accept(message), self._parts.screen)

    def _keep(self, scope: Scope, batch: Sequence[Prepared], why: str) -> list[Receipt]:
        vectors = self._vectors([prepared.message.text for prepared in batch])
        model = self._embedder.info if self._embedder else None
        hand = Hand(scope, self._clock.now(), self._ids, scope.agent, why, model)
        with self._lock, self._store.begin(durable=True) as tx:
            return [_written(tx, prepared, vector, hand) for prepared, vector in zip(batch, vectors, strict=True)]

    def _vectors(self, texts: list[str]) -> Sequence[FloatArray | None]:
        """A vector a text. A model that cannot be reached costs no message: ``catch_up`` embeds it later."""
        if self._embedder is None:
            return [None] * len(texts)
        try:
            return list(self._embedder.embed_passages(texts))
        except ModelUnavailable:
            return [None] * len(texts)

    def forget(self, memory_id: str, scope: Scope, *, why: str = "") -> Memory:
        """Let a memory no longer hold: it is kept, shown in the timeline, and not recalled. Twice is once."""
        with self._lock:
            memory = self.memory(memory_id, scope)
            if memory.valid_until is None:
                self._append(scope, Action.FORGET, why, Forgotten(memory_id, None, self._clock.now()))
            return self.memory(memory_id, scope)

    def erase(self, memory_id: str, scope: Scope, *, why: str) -> None:
        """Delete a memory for good, with everything formed of it: text, vector, index, journal content, log text.

        A tombstone without content stays. This is the one true deletion, for when a person asks for it; ``forget`` is
        for everything else.
        """
        with self._lock:
            self.memory(memory_id, scope)
            with self._store.begin(durable=True) as tx:
                events = tx.events_about(scope, memory_id)
                tx.append(self._draft(scope, Action.ERASE, why, Erased((memory_id,), events)))
        if self._parts.log is not None:
            self._parts.log.erase_texts()


def _written(tx: Transaction, prepared: Prepared, vector: FloatArray | None, hand: Hand) -> Receipt:
    return commit(tx, Incoming(prepared, vector), hand)[0]


def _agreed(message: Message, receipt: Receipt) -> Receipt:
    if receipt.conflict:
        raise Conflict(
            f"Message {message.message_id!r} is already kept with other words, another speaker or another session.",
            "Give the changed message an id of its own, or leave the id out.",
        )
    return receipt
