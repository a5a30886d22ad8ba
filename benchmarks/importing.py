"""How long it takes to import chats and to form memories from them, on made-up chats in the form of Claude's export.

In: a number of chats. Out: seconds and messages a second of a plain import and of one that observes, each in a store of
its own. The chats are made of sentences that people write to an assistant, with names, amounts and days filled in.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from reverie import Reverie, Scope

SCOPE = Scope("assistant", "ada", "chats")
START = datetime(2024, 1, 1, 8, tzinfo=UTC)
_NAMES = ("Zeynep", "Tom", "Elif", "Deniz", "Helen", "Ravi", "Marta", "Kerem", "Ines", "Jonas")
_PLACES = ("Izmir", "Lisbon", "Dublin", "Ankara", "Porto", "Oslo", "Bursa", "Leeds", "Turin", "Riga")
_THINGS = ("the boiler", "my bike", "the report", "our garden", "the printer", "the recipe", "my thesis", "the website")
_SAID = (
    "How do I repair {thing}? It stopped working on {day}.",
    "My sister {name} moved to {place} in {month}.",
    "I prefer short answers with an example.",
    "Can you help me write a message to {name} about {thing}?",
    "We are going to {place} in {month}, our budget is {amount} euros.",
    "I decided to give {thing} to {name} next week.",
    "{name}'e {thing} için ne yazmalıyım?",
    "Annem {place}'da yaşıyor ve {amount} lira kira ödüyor.",
    "What is the difference between a list and a tuple in Python?",
    "Thanks, that works!",
    "I have an appointment with Dr. {name} on {day} at {hour}:30.",
    "Please remember that {name} is allergic to nuts.",
    "Write a SQL query that counts orders by {place} and month, with at least {amount} rows.",
)
_ANSWERED = (
    "Start with the simplest cause: check the power and the cable of {thing}. If that does not help, {name}'s guide "
    "shows each step with pictures, and a part costs about {amount} euros.",
    "Here is a draft: Dear {name}, I hope you are well. I would like to talk about {thing} when you are in {place}.",
    "In {month} the weather in {place} is mild. A hotel costs about {amount} euros a night; book before {day}.",
    "A tuple cannot be changed after it was made, a list can. Use a tuple where the values belong together.",
    "You are welcome! Tell me if anything else comes up.",
    "Elbette. {name} için kısa bir not yazdım: Merhaba, {thing} hakkında konuşabilir miyiz?",
)
_DAYS = ("Monday", "Tuesday", "Friday", "Sunday")
_MONTHS = ("March", "May", "June", "October")


@dataclass(frozen=True, slots=True)
class Took:
    """What importing chats took: messages kept, memories formed, seconds by the clock, and of all processors."""

    what: str
    messages: int
    formed: int
    wall_s: float
    cpu_s: float

    def line(self) -> str:
        """Return it in words."""
        rate = self.messages / max(self.wall_s, 1e-9)
        return (
            f"{self.what}: {self.messages} messages, {self.formed} memories formed, {self.wall_s:.1f} s "
            f"({self.cpu_s:.1f} s of the processor), {rate:.0f} messages a second"
        )


def chats(count: int, seed: int = 27) -> Iterator[dict[str, object]]:
    """Yield chats as Claude's export has them: two to six turns of a person and the assistant, one after the other."""
    chance = random.Random(seed)
    at = START
    for number in range(count):
        at += timedelta(minutes=chance.randint(20, 600))
        turns = []
        for place in range(2 * chance.randint(1, 3)):
            form = chance.choice(_ANSWERED if place % 2 else _SAID)
            turns.append(
                {
                    "uuid": f"m{number}-{place}",
                    "sender": "assistant" if place % 2 else "human",
                    "created_at": (at + timedelta(minutes=place)).isoformat(),
                    "text": _filled(form, chance),
                }
            )
        yield {"uuid": f"c{number}", "name": f"Chat {number}", "created_at": at.isoformat(), "chat_messages": turns}


def _filled(form: str, chance: random.Random) -> str:
    return form.format(
        name=chance.choice(_NAMES),
        place=chance.choice(_PLACES),
        thing=chance.choice(_THINGS),
        day=chance.choice(_DAYS),
        month=chance.choice(_MONTHS),
        amount=chance.randint(2, 90) * 10,
        hour=chance.randint(8, 18),
    )


def _processor_s() -> float:
    """Seconds of the processor so far, those of processes that have ended included."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def measured(count: int) -> Iterator[Took]:
    """Import made-up chats plainly, then observing them, and yield what each took."""
    with TemporaryDirectory(prefix="reverie-importing-") as folder:
        path = Path(folder) / "conversations.json"
        path.write_text(json.dumps(list(chats(count))), encoding="utf-8")
        for what in ("imported", "imported and observed"):
            with Reverie.open(Path(folder) / f"{what}.db") as memory:
                wall, cpu = perf_counter(), _processor_s()
                done = memory.transfer.import_from(path, SCOPE, observe=what != "imported")
                wall, cpu = perf_counter() - wall, _processor_s() - cpu
                formed = len(memory.admin.formed(SCOPE))
            yield Took(what, done.new, formed, wall, cpu)
