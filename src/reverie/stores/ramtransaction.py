"""A unit of writing of the reference store: drafts in, sealed events out; all of it, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from reverie.errors import StoreClosed
from reverie.events import Draft, Event, Reach
from reverie.stores import chain, codec
from reverie.stores.ramscope import RamScope
from reverie.types import Episode, IndexEntry, Scope


class Written(Protocol):
    """What a transaction writes into: the reference store."""

    def head(self) -> tuple[int, str]:
        """Sequence number and hash of the last event."""
        ...

    def of(self, scope: Scope) -> RamScope:
        """What is held of a scope."""
        ...

    def about(self, scope: Scope, memory_ids: Sequence[str]) -> Reach:
        """The events that hold content of these memories."""
        ...

    def apply(self, event: Event, index: Sequence[IndexEntry]) -> None:
        """Write an event and what follows from it."""
        ...


class RamTransaction:
    """One unit of writing (``ports.Transaction``)."""

    def __init__(self, store: Written) -> None:
        self._store = store
        self._open = True
        self._failed: BaseException | None = None

    def end(self) -> None:
        """Accept no more; raise what an append raised, even if the caller caught it."""
        self._open = False
        if self._failed is not None:
            raise self._failed

    def append(self, draft: Draft, index: Sequence[IndexEntry] = ()) -> Event:
        """Chain a draft to the journal and apply it."""
        seq, previous = self._store.head()
        event = chain.seal(draft, codec.encode(draft), seq + 1, previous)
        self._apply(event, index)
        return event

    def adopt(self, event: Event, index: Sequence[IndexEntry] = ()) -> None:
        """Take over an event of another journal as it is."""
        seq, previous = self._store.head()
        chain.require(event, chain.payload_bytes(event), seq + 1, previous)
        self._apply(event, index)

    def next_seq(self, scope: Scope, session: str) -> int:
        """The place after the last message of a session."""
        return self._store.of(scope).next_place(session)

    def find_message(self, scope: Scope, message_id: str) -> Episode | None:
        """The episode that came with this message id, or bears it as its own."""
        return self._store.of(scope).find_message(message_id)

    def events_about(self, scope: Scope, memory_ids: Sequence[str]) -> Reach:
        """What of the journal holds content of these memories."""
        return self._store.about(scope, memory_ids)

    def _apply(self, event: Event, index: Sequence[IndexEntry]) -> None:
        if not self._open:
            raise StoreClosed("This transaction has ended.", "Begin a new one.")
        try:
            self._store.apply(event, index)
        except BaseException as error:
            self._failed = error  # half of it may be applied: the transaction can only be taken back
            raise
