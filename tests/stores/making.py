"""What the store tests are made of: scopes, models, and a writer that fills any store with the same content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random

import numpy as np

from reverie.events import (
    Action,
    Change,
    Changed,
    Draft,
    Erased,
    Event,
    FieldChange,
    Forgotten,
    Formed,
    Payload,
    Recalled,
    Recorded,
    Related,
    Remembered,
    Value,
)
from reverie.ports import Corpus, Store
from reverie.types import (
    BoolArray,
    Episode,
    FloatArray,
    IndexEntry,
    Kind,
    Memory,
    ModelInfo,
    Record,
    Relation,
    RelationKind,
    Role,
    Scope,
    Standing,
    State,
)

ADA = Scope("tester", "ada", "house")
GRACE = Scope("tester", "grace", "house")
ELSEWHERE = Scope("tester", "ada", "garden")
MODEL = ModelInfo("small", "1", 16)
OTHER_MODEL = ModelInfo("small", "2", 16)
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

ODD_TEXTS = (
    "",
    " ",
    "\x00",
    "a\x00b",
    "\ud83d",
    "\ud83d\ude00",
    "😀",
    "İIıi ğüşöç",
    "e\u0301 é",
    "\u202eright to left",
    "'; DROP TABLE memory; --",
    'AND OR NOT NEAR("x" *) ^',
    "\uffff\U0010ffff",
    "line\r\nline\u2028line",
    "§¦ 7¦x §§ §41§",
    "x" * 70_000,
)
"""Strings that some layer below would like to change, cut or refuse."""


def vector(seed: int, dims: int = MODEL.dims) -> FloatArray:
    """A unit vector that depends on the seed alone."""
    row = np.random.default_rng(seed).standard_normal(dims).astype(np.float32)
    return row / np.float32(np.linalg.norm(row))


def at(minute: float) -> datetime:
    """A moment some minutes after the start."""
    return START + timedelta(minutes=minute)


def draft(
    scope: Scope, action: Action, payload: Payload, *, when: datetime = START, number: int = 0, why: str = "said"
) -> Draft:
    """An event before it is chained; its salt depends on ``number`` alone."""
    return Draft(scope, when, "tester", action, why, payload, sha256(str(number).encode()).digest()[:16])


def episode(scope: Scope, name: str, text: str, **fields: object) -> Episode:
    """A message of a session, by default the first of session "s" by Ann."""
    given = {"session": "s", "seq": 0, "speaker": "Ann", "role": Role.USER, "at": START, "message_id": None} | fields
    return Episode(id=name, scope=scope, text=text, **given)  # type: ignore[arg-type]  # tests name the fields they mean


def memory_of(said: Episode, name: str = "", kind: Kind = Kind.EPISODE, text: str | None = None) -> Memory:
    """A memory formed from an episode; by default the episode's own."""
    return Memory(
        id=name or said.id,
        scope=said.scope,
        kind=kind,
        text=said.text if text is None else text,
        at=said.at,
        recorded_at=said.at + timedelta(seconds=1),
        session=said.session,
        seq=said.seq,
        speaker=said.speaker,
        role=said.role,
        sources=(said.id,),
    )


@dataclass
class Writer:
    """Writes into a store as the engine would, one event in each transaction; the same calls write the same bytes."""

    store: Store
    prefix: str = "m"
    number: int = 0
    durable: bool = False
    names: list[tuple[Scope, str]] = field(default_factory=list)

    def event(self, scope: Scope, action: Action, payload: Payload, index: Sequence[IndexEntry] = ()) -> Event:
        """One event, by default a minute after the one before."""
        self.number += 1
        with self.store.begin(scope, durable=self.durable) as tx:
            return tx.append(draft(scope, action, payload, when=at(self.number), number=self.number), index)

    def remember(
        self,
        scope: Scope,
        text: str,
        *,
        formed: Sequence[tuple[Kind, str]] = (),
        embedded: ModelInfo | None = MODEL,
        terms: Sequence[str] | None = None,
        **fields: object,
    ) -> str:
        """Keep a message (and what was formed from it); its words are its terms. Returns its id."""
        name = f"{self.prefix}{self.number + 1:05}"
        with self.store.begin(scope, durable=False) as tx:
            place = tx.next_seq(scope, str(fields.get("session", "s")))
        said = episode(scope, name, text, **({"seq": place, "at": at(self.number + 1)} | fields))
        memories = [memory_of(said)] + [memory_of(said, f"{name}.{i}", *what) for i, what in enumerate(formed)]
        index = [
            IndexEntry(
                tuple(memory.text.split() if terms is None else terms),
                len(memory.text.split()),
                vector(self.number * 7 + i, embedded.dims) if embedded else None,
                embedded,
            )
            for i, memory in enumerate(memories)
        ]
        self.event(scope, Action.REMEMBER, Remembered(said, tuple(memories)), index)
        self.names += [(scope, memory.id) for memory in memories]
        return name

    def recall(self, scope: Scope, *names: str) -> Event:
        """Count an access of each memory."""
        return self.event(scope, Action.RECALL, Recalled(names))

    def form(self, scope: Scope, source: str, text: str, *, embedded: ModelInfo | None = MODEL, **life: object) -> str:
        """Form a fact from a message that is there; its words are its terms. Returns its id."""
        name = f"{source}+{self.number + 1}"
        said = episode(scope, source, "", at=at(self.number))
        standing = Standing(**life)  # type: ignore[arg-type]  # tests name the fields they mean
        memory = replace(memory_of(said, name, Kind.FACT, text), standing=standing)
        self.event(scope, Action.FORM, Formed((memory,)), [self._entry(text, embedded)])
        self.names.append((scope, name))
        return name

    def change(self, scope: Scope, name: str, *, embedded: ModelInfo | None = MODEL, **after: Value) -> Event:
        """Set fields of a memory, whatever they were."""
        change = Change(name, tuple(FieldChange(field, None, value) for field, value in sorted(after.items())), "why")
        index = [self._entry(str(after["text"]), embedded)] if "text" in after else []
        return self.event(scope, Action.CHANGE, Changed((change,)), index)

    def relate(self, scope: Scope, source: str, target: str, kind: RelationKind, *, gone: bool = False) -> Event:
        """Add an edge, or take it away."""
        edges = (Relation(source, target, kind, 0.5, at(self.number)),)
        return self.event(scope, Action.RELATE, Related((), edges) if gone else Related(edges))

    def _entry(self, text: str, embedded: ModelInfo | None) -> IndexEntry:
        row = vector(self.number * 11, embedded.dims) if embedded else None
        return IndexEntry(tuple(text.split()), len(text.split()), row, embedded)

    def forget(self, scope: Scope, name: str, after: datetime | None) -> Event:
        """Set until when a memory holds."""
        return self.event(scope, Action.FORGET, Forgotten(name, None, after))

    def erase(self, scope: Scope, *names: str) -> Event:
        """Erase memories and every event that holds content of them."""
        with self.store.begin(scope, durable=False) as tx:
            events = sorted({seq for name in names for seq in tx.events_about(scope, (name,)).emptied})
        return self.event(scope, Action.ERASE, Erased(names, tuple(events)))


WORDS = ("istanbul", "tea", "rain", "ship", "red", "violin", "Ağrı", "C++", "a b", "naïve", "x" * 200)


def live_a_life(store: Store, seed: int, events: int, scopes: Sequence[Scope] = (ADA, GRACE, ELSEWHERE)) -> None:
    """A random journal: sessions interleave, messages arrive late, memories are recalled, forgotten, erased.

    What happens in one scope depends on the seed and the scope alone, whichever other scopes take part.
    """
    chances = {scope: Random(f"{seed} {scope}") for scope in (ADA, GRACE, ELSEWHERE)}
    turns = Random(seed)
    writers = {scope: Life(Writer(store, f"{seed}-"), scope, chances[scope]) for scope in chances}
    for scope in [turns.choice((ADA, GRACE, ELSEWHERE)) for _ in range(events)]:
        if scope in scopes:
            writers[scope].step()


@dataclass
class Life:
    """What happens in one scope, by chance."""

    writer: Writer
    scope: Scope
    chance: Random

    def step(self) -> None:
        """One event."""
        chance, known = self.chance, [name for _, name in self.writer.names]
        kind = chance.random()
        if kind < 0.5 or not known:
            self._say()
        elif kind < 0.75:
            self._live(chance.choice([*known, "nobody"]), chance.choice(known))
        elif kind < 0.85:
            self.writer.recall(self.scope, *chance.choices([*known, "nobody"], k=chance.randint(0, 5)))
        elif kind < 0.95:
            end = chance.choice([None, at(chance.randint(0, 200))])
            self.writer.forget(self.scope, chance.choice([*known, "nobody"]), end)
        else:
            self.writer.erase(self.scope, *chance.sample(known, min(len(known), chance.randint(1, 2))))

    def _record(self, name: str, about: str | None) -> None:
        """Keep, replace or drop a record that is no memory."""
        held = [one for one in self.writer.store.records("grant", scope=self.scope) if one.name == name]
        after = None if about is None else Record(self.scope, "grant", name, about, self.chance.choice(ODD_TEXTS[:-1]))
        if held or after:
            self.writer.event(self.scope, Action.RECORD, Recorded(held[0] if held else None, after))

    def _live(self, name: str, other: str) -> None:
        """Form, change, relate, or take back."""
        chance, writer, scope = self.chance, self.writer, self.scope
        formed = sorted(memory.id for memory in writer.store.formed(scope))
        what = chance.randrange(7)
        if what == 0 or not formed:
            state = chance.choice(tuple(State))
            writer.form(scope, other, " ".join(chance.choices(WORDS, k=3)), state=state, tags=("a", "\ud83d"))
        elif what == 1:
            begin = chance.choice(("", "2025", "2025-05"))
            writer.change(scope, name, state=chance.choice(tuple(State)), utility=chance.random(), valid_from=begin)
        elif what == 2:
            end = chance.choice([None, at(50)])
            writer.change(scope, name, entities=("x", "y"), pinned=True, last_access=at(5), accesses=3, valid_until=end)
        elif what == 3:
            writer.change(scope, chance.choice(formed), text=chance.choice(ODD_TEXTS[:-1]), sources=(other,))
        elif what == 4:
            kind = chance.choice(tuple(RelationKind))
            writer.relate(scope, name, other, kind, gone=chance.random() < 0.3)
        elif what == 6:
            self._record(chance.choice(("one", "two", "\ud83d")), chance.choice((None, "ada", "grace")))
        elif made := [name for name in formed if "+" in name]:
            memory = writer.store.memory(scope, chance.choice(made))
            assert memory is not None
            writer.event(scope, Action.FORM, Formed((), (memory,), "undoing"))

    def _say(self) -> None:
        chance = self.chance
        late = {"seq": chance.randint(0, 6)} if chance.random() < 0.3 else {}
        formed = [(Kind.FACT, chance.choice(WORDS))] if chance.random() < 0.2 else []
        self.writer.remember(
            self.scope,
            chance.choice(ODD_TEXTS[:-1]) if chance.random() < 0.2 else " ".join(chance.choices(WORDS, k=4)),
            formed=formed,
            embedded=chance.choice([MODEL, MODEL, MODEL, None]),
            terms=chance.choices(WORDS, k=chance.randint(0, 6)),
            session=chance.choice(("s", "t", "\ud83d")),
            speaker=chance.choice(("Ann", "Bo", "Çağla")),
            role=chance.choice(tuple(Role)),
            at=at(chance.randint(-500, 500)),
            **late,
        )


def _nearest(corpus: Corpus, query: FloatArray, among: Sequence[BoolArray | None]) -> list[object]:
    found = [corpus.nearest(query, top_k, rows) for top_k in (1, 5, 1000) for rows in among]
    return [(ordinals.tolist(), cosines.tolist()) for ordinals, cosines in found]


def _postings(corpus: Corpus) -> list[object]:
    postings = [corpus.postings(word) for word in (*WORDS, "nowhere")]
    return [(posting.ordinals.tolist(), posting.counts.tolist()) for posting in postings]


def content(store: Store, scope: Scope, model: ModelInfo | None = MODEL) -> list[object]:
    """Everything a store tells about a scope, as plain values that can be compared."""
    corpus = store.corpus(scope, model)
    alive = corpus.recallable(at(100))
    query = vector(3, model.dims) if model else vector(3)
    return [
        corpus.size,
        corpus.embedded,
        corpus.lengths.tolist(),
        corpus.words.tolist(),
        corpus.previous.tolist(),
        corpus.following.tolist(),
        list(corpus.speaker_names),
        corpus.speakers.tolist(),
        corpus.roles.tolist(),
        corpus.kinds.tolist(),
        corpus.states.tolist(),
        corpus.valid_until.tolist(),
        store.formed(scope),
        [store.often(scope, least) for least in (1, 3)],
        [store.made_from(scope, memory.id) for memory in store.memories(scope, limit=5)],
        store.outlived(scope, [memory.id for memory in store.memories(scope)]),
        store.named(scope, [*[memory.id for memory in store.formed(scope)][::-2], "nobody"]),
        corpus.mean_length,
        corpus.window_lengths(2).tolist(),
        corpus.occurrences(("kedi", "cat", "nobodi")).tolist(),
        store.relations(scope),
        {one.id: [event.digest for event in store.history(scope, one.id)] for one in store.memories(scope)},
        replace(store.health(scope, at(100)), disk_bytes=0),
        store.companions(scope),
        [store.records(sort, scope=scope, about=about) for sort in ("grant", "policy") for about in (None, "ada")],
        [store.relations(scope, [memory.id]) for memory in store.formed(scope)[:3]],
        [store.companions(scope, [memory.id]) for memory in store.formed(scope)[:3]],
        corpus.said_at.tolist(),
        corpus.valid_from.tolist(),
        None if alive is None else alive.tolist(),
        _nearest(corpus, query, (None, alive)),
        _postings(corpus),
        corpus.cosines(query, np.arange(corpus.size)).tolist(),
        corpus.fetch(range(corpus.size)),
        list(store.memories(scope)),
    ]


def replayed(source: Store, target: Store) -> Store:
    """The target, with the journals of the source."""
    for scope in source.scopes():
        with target.begin(scope, durable=False) as tx:
            for event in source.events(scope):
                tx.adopt(event)
    return target


def journal_of(store: Store) -> list[Event]:
    """Every event of a store, scopes in order."""
    return [event for scope in store.scopes() for event in store.events(scope)]
