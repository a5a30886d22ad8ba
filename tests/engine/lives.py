"""Random stores to dream over: episodes, and formed memories in every standing, with edges, companions, vectors."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

from reverie.encode.memory_factory import index
from reverie.engine.dreams import DreamContext
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.events import Action, Draft, Formed, Payload, Recalled, Related, Remembered
from reverie.models.hashing import HashEmbedder
from reverie.ports import Mind, Store, Transaction
from reverie.types import Episode, IndexEntry, Kind, Memory, Relation, RelationKind, Role, Scope, Standing, State, Tier

NOW = datetime(2026, 6, 15, 3, tzinfo=UTC)
SCOPE = Scope("helper", "ada", "home")
MODEL = HashEmbedder(64)
FORMED = tuple(kind for kind in Kind if kind is not Kind.EPISODE)
PEOPLE = ("Ada", "Mert", "Zeynep")
TEXTS = (
    "Ada keeps the spare key in the blue tin.",
    "Ada keeps the spare key in the blue tin!",
    "Mert flies to Ankara on {} May.",
    "Zeynep prefers tea to coffee in the morning.",
    "Zeynep çayı kahveye tercih ediyor.",
    "The garden needs water every {} days.",
    "Bahçe {} günde bir sulanmalı.",
    "Always answer in short sentences.",
    "The build takes {} minutes on the old laptop.",
)


def means_for(store: Store, *, seed: int = 1, at: datetime = NOW, mind: Mind | None = None) -> DreamContext:
    """What a dream over a store needs, repeatable."""
    return DreamContext(store, FixedClock(at), RandomIds(seed=seed), nullcontext(), MODEL, mind)


class Life:
    """Fills a store by chance."""

    def __init__(self, store: Store, seed: int) -> None:
        self.store = store
        self.chance = Random(seed)
        self.formed: list[str] = []
        self._number = 0

    def live(self, count: int) -> None:
        """So many episodes, each with a memory formed from it; then edges, and recalls of some together."""
        with self.store.begin(SCOPE, durable=False) as tx:
            for _ in range(count):
                self._say(tx)
        with self.store.begin(SCOPE, durable=False) as tx:
            for _ in range(count // 3):
                one, other = self.chance.sample(self.formed, 2)
                kind = self.chance.choice(tuple(RelationKind))
                edge = Relation(one, other, kind, self.chance.random(), self._moment(50))
                tx.append(self._draft(Action.RELATE, Related((edge,))))
            for _ in range(count // 2):
                first = self.chance.randrange(len(self.formed) - 3)
                some = self.formed[first : first + self.chance.randint(1, 3)]
                tx.append(self._draft(Action.RECALL, Recalled(tuple(some)), self._moment(40)))

    def _say(self, tx: Transaction) -> None:
        self._number += 1
        at = self._moment(200)
        said = self.chance.choice(TEXTS).format(self.chance.randint(2, 9))
        name = f"e{self._number:05}"
        episode = Episode(name, SCOPE, "s", self._number, self.chance.choice(PEOPLE), Role.USER, said, at)
        own = Memory(name, SCOPE, Kind.EPISODE, said, at, at, "s", self._number, episode.speaker, Role.USER, (name,))
        tx.append(self._draft(Action.REMEMBER, Remembered(episode, (own,)), at), (self._entry(own),))
        memory = self._form(own, at)
        tx.append(self._draft(Action.FORM, Formed((memory,)), at), (self._entry(memory),))
        self.formed.append(memory.id)

    def _form(self, own: Memory, at: datetime) -> Memory:
        chance = self.chance
        until = self.chance.choice((None, None, at + timedelta(days=chance.randint(1, 250))))
        return replace(
            own,
            id=f"f{self._number:05}",
            kind=chance.choice(FORMED),
            entities=tuple(
                chance.sample(
                    ("entity://person/ada", "entity://place/ankara", "entity://tech/git"), chance.randint(0, 2)
                )
            ),
            valid_until=until,
            standing=self._standing(until is not None),
        )

    def _standing(self, is_bounded: bool) -> Standing:
        chance = self.chance
        return Standing(
            tier=chance.choice(tuple(Tier)),
            state=chance.choices(tuple(State), (8, 2, 1, 1, 1))[0],
            importance=chance.random(),
            utility=chance.choice((0.05, 0.18, 0.5, 0.75, 0.95)),
            stability_days=chance.uniform(0.5, 40.0),
            arousal=chance.random(),
            emotion=chance.choice(("", "", "joy", "fear")),
            pinned=chance.random() < 0.15,
            immutable=chance.random() < 0.15,
            flashbulb=chance.random() < 0.15,
            verified=chance.random() < 0.2,
            time_bounded=is_bounded and chance.random() < 0.7,
            tags=tuple(chance.sample(("home", "trip", "work", "tea"), chance.randint(0, 4))),
            data_source=chance.choice(("user_message", "assistant_message")),
            tagged_until=chance.choice((None, self._moment(10))),
            drifted_at=chance.choice((None, self._moment(30))),
            rehearsed_at=chance.choice((None, None, self._moment(30))),
        )

    def _moment(self, days: float) -> datetime:
        return NOW - timedelta(seconds=self.chance.randint(86_400, int(days * 86_400) + 86_400))

    def _draft(self, action: Action, payload: Payload, at: datetime = NOW) -> Draft:
        return Draft(SCOPE, at, "tester", action, "life", payload, self.chance.randbytes(16))

    def _entry(self, memory: Memory) -> IndexEntry:
        return index(memory, MODEL.embed_passages([memory.text])[0], MODEL.info)
