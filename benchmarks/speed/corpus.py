"""The synthetic corpus: seeded messages as long, as repetitive and as grouped as real ones, in any number.

Words follow Zipf's law over 60,000, with English function words at the head; messages have about 22 of them; sessions
about 30 messages. Any message can be made alone, so nothing is kept in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from importlib.resources import files

import numpy as np

from reverie.types import Message, Role

VOCABULARY = 60_000
MEAN_WORDS = 22
SESSION = 30
START = datetime(2020, 1, 1, 9, tzinfo=UTC)
SESSION_EVERY = timedelta(hours=1)
SYLLABLES = tuple(
    onset + rest
    for onset in (*"bcdfghklmnprstvz", "br", "st", "tr", "pl")
    for rest in ("a", "e", "i", "o", "u", "ai", "or")
)
QUERIES_KEY = 1_000_003
"""Keeps the chance of the queries apart from that of the sessions."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question made from a stored message: some of its words among common ones."""

    text: str
    target: str


class SyntheticCorpus:
    """Messages and queries that follow from the seed alone."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._common = common_words()
        self._words = np.array(vocabulary(seed, self._common))
        weights = 1.0 / np.arange(1, len(self._words) + 1)
        self._cumulative = np.cumsum(weights) / weights.sum()
        self._session = lru_cache(maxsize=8)(self._make_session)

    def messages(self, start: int, stop: int) -> Iterator[Message]:
        """Messages ``start`` … ``stop`` − 1."""
        for number in range(start, stop):
            yield self.message(number)

    def message(self, number: int) -> Message:
        """One message by its number."""
        session, place = divmod(number, SESSION)
        user = place % 2 == 0
        return Message(
            text=self._session(session)[place],
            speaker="user" if user else "assistant",
            role=Role.USER if user else Role.ASSISTANT,
            session=f"session-{session}",
            at=START + session * SESSION_EVERY + timedelta(seconds=40 * place),
            message_id=f"message-{number}",
        )

    def queries(self, count: int, size: int) -> list[Query]:
        """Queries to a store of the first ``size`` messages: 3–5 words of one, and 1–3 common words."""
        chance = np.random.default_rng([self._seed, QUERIES_KEY, size])
        return [self._query(chance, self.message(int(chance.integers(size))).text) for _ in range(count)]

    def _query(self, chance: np.random.Generator, target: str) -> Query:
        words = target.rstrip(".").split()
        own = chance.choice(words, size=min(int(chance.integers(3, 6)), len(words)), replace=False)
        common = chance.choice(self._common, size=int(chance.integers(1, 4)), replace=False)
        mixed = chance.permutation([*own, *common])
        return Query(" ".join(mixed) + "?", target)

    def _make_session(self, session: int) -> list[str]:
        chance = np.random.default_rng([self._seed, session])
        lengths = np.clip(chance.lognormal(np.log(MEAN_WORDS) - 0.18, 0.6, SESSION).astype(int), 3, 200)
        drawn = self._words[np.searchsorted(self._cumulative, chance.random(int(lengths.sum())))]
        parts = np.split(drawn, np.cumsum(lengths)[:-1])
        return [_sentence(" ".join(part)) for part in parts]


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:] + "."


def common_words() -> list[str]:
    """The function words of the data file, commonest first."""
    text = (files("benchmarks.speed") / "data" / "common-words.txt").read_text(encoding="utf-8")
    return " ".join(line for line in text.splitlines() if not line.startswith("#")).split()


def vocabulary(seed: int, common: list[str]) -> list[str]:
    """The words by falling frequency: the common ones, then made-up ones of two to four syllables, each once."""
    chance = np.random.default_rng([seed, VOCABULARY])
    words = dict.fromkeys(common)
    while len(words) < VOCABULARY:
        for length in chance.integers(2, 5, size=VOCABULARY):
            words.setdefault("".join(SYLLABLES[i] for i in chance.integers(len(SYLLABLES), size=length)), None)
            if len(words) == VOCABULARY:
                break
    return list(words)
