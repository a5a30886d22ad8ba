"""What the link does to the engine: in, a file and its memory; out, the memory as it stands. Each has its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, time

from reverie.encode.notes import Note
from reverie.engine.core import Reverie
from reverie.screen.pipeline import screen
from reverie.screen.values import ScreenSettings
from reverie.types import Memory, RelationKind, Scope
from reverie.vault.linking.judging import Merge
from reverie.vault.linking.pairing import Pair
from reverie.vault.linking.seeing import Seen
from reverie.vault.linking.words import kind_in, words

WHY = "vault"
"""How the reason of every event begins that the link writes."""


class EngineSide:
    """One agent's memories, as the link writes them.

    Args:
        warm: called once before anything is written that wants a vector.
        screening: what the engine screens by; None: nothing.
    """

    def __init__(
        self, engine: Reverie, scope: Scope, warm: Callable[[], None], screening: ScreenSettings | None
    ) -> None:
        self.engine = engine
        self.scope = scope
        self._warm = warm
        self._screening = screening

    def formed(self) -> dict[str, Memory]:
        """Every formed memory, by id."""
        return {memory.id: memory for memory in self.engine.formed(self.scope)}

    def screened(self, text: str) -> str:
        """The words as the engine keeps them."""
        return text if self._screening is None else screen(text, self._screening).text

    def note(self, files: Sequence[Seen], *, shared: bool) -> list[Memory]:
        """A memory of each file."""
        if not files:
            return []
        self._warm()
        return self.engine.note((_note(one, shared) for one in files), self.scope, why=f"{WHY}: written as a file")

    def correct(self, pair: Pair, memory: Memory) -> Memory:
        """The memory that says what the file says. Raises Conflict where nothing may take its place."""
        assert pair.file is not None
        assert pair.file.read is not None
        self._warm()
        why, tags = f"{WHY}: {pair.tie.label} was edited", pair.file.fields.tags
        return self.engine.correct(memory.id, words(pair.file.read.body), self.scope, why=why, tags=tags)

    def amend(self, pair: Pair, memory: Memory, merge: Merge) -> Memory:
        """The memory with what changed in the file beside its words."""
        if not merge.amends:
            return memory
        return self.engine.amend(
            memory.id,
            self.scope,
            importance=merge.to_engine,
            tags=merge.tag_engine,
            verified=merge.verify_engine,
            why=f"{WHY}: {pair.tie.label} was edited",
        )

    def forget(self, pair: Pair, memory: Memory, why: str) -> Memory:
        """Let it go. Raises Conflict for what is pinned."""
        return self.engine.forget(memory.id, self.scope, why=f"{WHY}: {pair.tie.label}: {why}")

    def reopen(self, pair: Pair, memory: Memory) -> Memory:
        """Let it hold again."""
        return self.engine.reopen(memory.id, self.scope, why=f"{WHY}: {pair.tie.label} came back")

    def contradict(self, one: Memory, other: Memory) -> None:
        """Draw the edge between the two sides of a conflict."""
        self.engine.relate(one.id, other.id, self.scope, RelationKind.CONTRADICTS)

    def refer(self, memory_id: str, targets: Iterable[str]) -> None:
        """Draw an edge to each of these memories, unless it is there."""
        wanted = set(targets) - {memory_id}
        if wanted:
            drawn = {edge.target for edge in self.engine.relations(self.scope, (memory_id,))}
            for target in sorted(wanted - drawn):
                self.engine.relate(memory_id, target, self.scope, RelationKind.RELATED_TO)


def _note(one: Seen, shared: bool) -> Note:
    assert one.read is not None
    read = one.read
    return Note(
        text=words(read.body),
        kind=kind_in(read.tags),
        at=datetime.combine(read.created, time(), UTC),
        importance=read.importance,
        tags=read.tags,
        verified=read.verified,
        writer=read.source,
        shared=shared,
    )
