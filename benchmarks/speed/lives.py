"""Messages that form memories, in any number: sentences of the data files with their gaps filled, in both languages.

In: a seed. Out: messages and the question each answers. Half of what is said is worth forming, half is small talk, and
a third of the messages say both. Any message can be made alone.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files

from reverie.types import Message, Role

LANGUAGES = ("en", "tr")
SESSION = 20
START = datetime(2024, 1, 8, 9, tzinfo=UTC)
SESSION_EVERY = timedelta(hours=6)
TURN_EVERY = timedelta(seconds=40)
_GAP = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language's sentences: statements with their questions, small talk, and what fills the gaps."""

    statements: tuple[tuple[str, str], ...]
    small_talk: tuple[str, ...]
    fillings: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message, and a question that it answers; empty for small talk."""

    message: Message
    question: str


@cache
def phrases(language: str) -> Phrases:
    """The data file of a language."""
    text = (files("benchmarks.speed") / "data" / f"lives.{language}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    first, second = lines.index("statements"), lines.index("small talk")
    named = (line.partition(": ") for line in lines[:first])
    return Phrases(
        tuple((said, question) for said, _, question in (line.partition(" => ") for line in lines[first + 1 : second])),
        tuple(lines[second + 1 :]),
        {name: tuple(part.strip() for part in values.split("|")) for name, _, values in named},
    )


def spoken(seed: int, number: int) -> Spoken:
    """One message by its number; sessions take turns in the languages."""
    chance = random.Random(f"{seed}/{number}")
    session, place = divmod(number, SESSION)
    told = phrases(LANGUAGES[session % len(LANGUAGES)])
    talk = chance.choice(told.small_talk)
    kind = chance.randrange(3)
    said, question = _filled(*chance.choice(told.statements), told, chance) if kind else ("", "")
    message = Message(
        text=" ".join(part for part in (said, talk if kind != 1 else "") if part),
        speaker="user",
        role=Role.USER,
        session=f"session-{session}",
        at=START + session * SESSION_EVERY + place * TURN_EVERY,
        message_id=f"message-{number}",
    )
    return Spoken(message, question)


def _filled(said: str, question: str, told: Phrases, chance: random.Random) -> tuple[str, str]:
    """A statement and its question, the same thing in both; a gap that comes twice is filled twice in the statement."""
    drawn: dict[str, str] = {}

    def fill(gap: re.Match[str]) -> str:
        drawn[gap[1]] = _drawn(gap[1], told, chance)
        return drawn[gap[1]]

    return _GAP.sub(fill, said), _GAP.sub(lambda gap: drawn.get(gap[1], gap[1]), question)


def _drawn(gap: str, told: Phrases, chance: random.Random) -> str:
    if gap == "n":
        return str(chance.randrange(2, 900))
    if gap == "day":
        return str(chance.randrange(1, 29))
    if gap == "year":
        return str(chance.randrange(2015, 2031))
    return chance.choice(told.fillings[gap])
