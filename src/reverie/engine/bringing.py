"""Foreign memories on their way in: messages one by one, and afterwards the edges between them and what has ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from reverie.encode.pipeline import Prepared
from reverie.engine.writing import is_masked
from reverie.errors import InvalidExport
from reverie.events import Forgotten
from reverie.exchange.items import Ended, Item, Link
from reverie.ports import Store, Transaction
from reverie.types import Message, Relation, Scope

BATCH = 256
FIRST = 5
"""So many messages are shown of a dry run."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What an import did, or (dry run) would do.

    Attributes:
        new: messages that were new.
        known: messages that were here already.
        conflicts: ids known with other words, speaker or session; those messages were not kept.
        linked: edges that were drawn.
        ended: messages that came in as no longer so.
        held: new messages the screen put into quarantine.
        masked: new messages the screen took words out of.
        first: the first messages, in a dry run alone.
    """

    new: int
    known: int
    conflicts: tuple[str, ...] = ()
    linked: int = 0
    ended: int = 0
    held: int = 0
    masked: int = 0
    first: tuple[Message, ...] = ()


class Sorted:
    """The messages of an import, to be run through once; ``links`` and ``ends`` are there when they were.

    They end where the source breaks off, and ``fault`` then says why: what came before is good.
    """

    def __init__(self, items: Iterator[Item]) -> None:
        self._items = items
        self.links: list[Link] = []
        self.ends: list[Ended] = []
        self.fault: InvalidExport | None = None

    def __iter__(self) -> Iterator[Message]:
        for item in self._whole():
            if isinstance(item, Message):
                yield item
            elif isinstance(item, Link):
                self.links.append(item)
            else:
                self.ends.append(item)

    def _whole(self) -> Iterator[Item]:
        try:
            yield from self._items
        except InvalidExport as error:
            self.fault = error


def foreseen(store: Store, scope: Scope, found: Sorted, screened: Callable[[Message], Prepared]) -> Brought:
    """What an import would do; nothing is written."""
    new = known = held = masked = 0
    conflicts: list[str] = []
    first: list[Message] = []
    seen: set[str] = set()
    incoming = iter(found)
    while batch := list(islice(incoming, BATCH)):
        first += batch[: FIRST - len(first)]
        with store.begin(durable=False) as tx:
            for message in batch:
                prepared = screened(message)
                verdict = _verdict(tx, scope, prepared.message, seen)
                new += verdict == "new"
                known += verdict == "known"
                held += verdict == "new" and bool(prepared.quarantine)
                masked += verdict == "new" and is_masked(prepared)
                conflicts += [str(message.message_id)] if verdict == "conflict" else []
    return Brought(new, known, tuple(conflicts), len(found.links), len(found.ends), held, masked, tuple(first))


def _verdict(tx: Transaction, scope: Scope, message: Message, seen: set[str]) -> str:
    """What ``remember`` would make of a message: new, known, or in conflict with what is known."""
    if message.message_id is None:
        return "new"
    episode = tx.find_message(scope, message.message_id)
    if episode is None:
        is_new = message.message_id not in seen
        seen.add(message.message_id)
        return "new" if is_new else "known"
    same = (episode.text, episode.speaker, episode.session) == (message.text, message.speaker, message.session)
    return "known" if same else "conflict"


def drawn(tx: Transaction, store: Store, scope: Scope, links: Iterable[Link], now: datetime) -> list[Relation]:
    """The edges to draw: those of which both ends are memories, and which are not there yet."""
    found: dict[tuple[str, str, str], Relation] = {}
    for link in links:
        ends = [tx.find_message(scope, name) for name in (link.source, link.target)]
        if ends[0] is None or ends[1] is None or ends[0].id == ends[1].id:
            continue
        relation = Relation(ends[0].id, ends[1].id, link.kind, 1.0, now)
        found.setdefault(relation.ends, relation)
    held = store.relations(scope, [source for source, _, _ in found]) if found else []
    there = {one.ends for one in held}
    return [relation for key, relation in found.items() if key not in there]


def ended(tx: Transaction, store: Store, scope: Scope, ends: Sequence[Ended]) -> list[Forgotten]:
    """What is to be closed: what came in and holds without end, and nobody pinned since."""
    found = []
    for end in ends:
        episode = tx.find_message(scope, end.message_id)
        memory = store.memory(scope, episode.id) if episode else None
        if memory is not None and memory.valid_until is None and not memory.standing.pinned:
            found.append(Forgotten(memory.id, None, end.at))
    return found
