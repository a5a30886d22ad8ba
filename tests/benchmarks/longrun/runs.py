"""Little conversations to live: two of three sessions each, with questions. Every word is our own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from benchmarks.longrun.generator import Noise, write
from benchmarks.longrun.script import Script
from benchmarks.values import Haystack, Item, Question
from reverie.types import Role

FIRST = datetime(2024, 3, 4, 10, tzinfo=UTC)
SAID = (
    "I adopted a grey parrot from the shelter on Monday.",
    "Lovely! Mine is a greyhound named Bolt.",
    "My sister Zeynep works at the harbour in Izmir.",
    "I ran the marathon in Oslo in four hours.",
    "We painted the kitchen yellow.",
    "The cellar floods every spring, so we keep nothing there.",
    "Our piano teacher moved to Ghent.",
    "I bought two tickets for the opera.",
    "The bakery on the corner closes at six.",
)


def haystack(name: str = "little") -> Haystack:
    """Nine messages over three weeks, four questions."""
    items = tuple(
        Item(f"{name}-m{n}", f"{name}-s{n // 3}", ("Mira", "Jonas")[n % 2], Role.PERSON, at(n // 3), text)
        for n, text in enumerate(SAID)
    )
    asked = (
        ("Which bird did Mira adopt?", "single-hop", (0,), True),
        ("Where does Zeynep work?", "single-hop", (2,), True),
        ("What colour is the kitchen, and when did they paint it?", "multi-hop", (4,), True),
        ("Which bird did Jonas adopt?", "adversarial", (0,), False),
    )
    questions = tuple(
        Question(f"{name}/{n}", text, category, tuple(f"{name}-m{g}" for g in gold), items[-1].at, answerable)
        for n, (text, category, gold, answerable) in enumerate(asked)
    )
    return Haystack(name, "en", items, questions)


def at(week: int) -> datetime:
    """When a session begins."""
    return FIRST + timedelta(days=10 * week)


def script(factor: int = 3, seed: int = 0, messages: int = 250) -> Script:
    """The script of the little conversation, another one's talk being its chatter."""
    return write(haystack(), [haystack("other")], Noise(factor, seed), messages)
