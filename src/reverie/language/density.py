"""How much new information a message holds: entities, facts, times and corrections, counted; English and Turkish.

In: a message. Out: the four counts and their sum. A statement or an event counts as a fact and what it speaks of as
another, so that "I prefer tea" holds two and "sounds good" none; numbers and addresses are facts of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from reverie.language import time_english, time_turkish
from reverie.language.category import category
from reverie.language.entities import entities
from reverie.language.keywords import keywords
from reverie.language.letters import plain
from reverie.language.named_entities import named
from reverie.language.observation_class import Statement, statements
from reverie.language.patterns import Reading, any_of, read
from reverie.language.time_rules import scan
from reverie.types import Kind

_TEXT_MAX = 4000
_KEYWORDS_MIN = 2
"""With fewer words of content an event is about nothing: one of them is what was done."""
_VALUE = re.compile(r"(?<![\w.,])[$€£₺]?\d+(?:[.,:/-]\d+)*(?![\w])%?|\b[\w.+-]+@[\w-]+\.\w+|https?://\S+")
_WEIGHTY = frozenset({Kind.INSTRUCTION, Kind.CORRECTION, Kind.PREFERENCE, Kind.DECISION})
_WEIGHT = 2
"""What it is, and what it is of: each is a fact."""
_ANY_TIME = datetime(2100, 1, 1, tzinfo=UTC)
"""Times are counted, not resolved: any moment does."""


@dataclass(frozen=True, slots=True)
class Density:
    """Distinct entities, facts, times and signs of a correction in a message, each from 0."""

    entities: int
    facts: int
    temporal: int
    corrections: int

    @property
    def total(self) -> int:
        """Their sum."""
        return self.entities + self.facts + self.temporal + self.corrections


def density(text: str) -> Density:
    """The information density of a message."""
    text = text[:_TEXT_MAX]
    reading = read(text)
    fired = statements(text)
    said = len({statement.kind for statement in fired} - {"correction"}) + _events(reading)
    values, times = _values(reading)
    facts = said + int(_speaks(text, fired, said))
    return Density(
        entities=max(len(entities(text)), len(named(text))),
        facts=(facts if facts >= _WEIGHT else max(facts, _weighty(text))) + values,
        temporal=times,
        corrections=len({statement.sentence for statement in fired if statement.kind == "correction"}),
    )


def _weighty(text: str) -> int:
    """``_WEIGHT`` where the category of what is said changes what an agent does or believes."""
    return _WEIGHT * (category(text) in _WEIGHTY)


def _speaks(text: str, fired: tuple[Statement, ...], said: int) -> bool:
    """Whether there are words of content beside those that make the statement, in its shortest form."""
    if not fired:
        return said > 0 and len(keywords(text)) >= _KEYWORDS_MIN
    words = min((statement.words for statement in fired), key=len)
    if not words:  # a fact of somebody's life: what it is of is in it
        return True
    return any(plain(word) not in words for word in keywords(text))


def _events(reading: Reading) -> int:
    """Whether the text tells of something that was done: once."""
    return int(any(any_of(f"statement/event.{language}").search(reading.words) for language in reading.languages))


def _values(reading: Reading) -> tuple[int, int]:
    """The distinct numbers and addresses that are no times, and the times."""
    rules = time_turkish if reading.languages[0] == "tr" else time_english
    found = scan(reading.words, _ANY_TIME, rules.rules()) if rules.TRIGGER.search(reading.words) else []
    values = {
        match.group()
        for match in _VALUE.finditer(reading.words)
        if not any(time.start <= match.start() < time.end for time in found)
    }
    return len(values), len({reading.words[time.start : time.end] for time in found})
