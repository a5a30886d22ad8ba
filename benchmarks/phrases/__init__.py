"""The phrases of the simulator: templates, slots, edits and values, English and Turkish, each from its data file.

A file holds one entry a line; lines that begin with ``# `` are its header.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

LANGUAGES = ("en", "tr")


@dataclass(frozen=True, slots=True)
class FactForm:
    """A fact that can change: its slot, how it is first said, how it is said anew, and the question about it."""

    slot: str
    first: str
    anew: str
    question: str


@dataclass(frozen=True, slots=True)
class StandingForm:
    """A standing order or preference, and a request it applies to."""

    order: str
    request: str


@cache
def lines(name: str, language: str) -> tuple[str, ...]:
    """The entries of a list, in the order of the file."""
    text = files("benchmarks.phrases").joinpath("data", f"{name}.{language}.txt").read_text("utf-8")
    return tuple(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("# "))


@cache
def choices(name: str, language: str) -> Mapping[str, tuple[str, ...]]:
    """A list whose lines read ``key: one | another``; lines of one key are joined."""
    found: dict[str, tuple[str, ...]] = {}
    for line in lines(name, language):
        key, _, values = line.partition(": ")
        found[key] = (*found.get(key, ()), *(value.strip() for value in values.split(" | ")))
    return MappingProxyType(found)


@cache
def facts(language: str) -> tuple[FactForm, ...]:
    """The facts that can be planted."""
    return tuple(FactForm(*(part.strip() for part in line.split(" ; "))) for line in lines("facts", language))


@cache
def standing(language: str) -> tuple[StandingForm, ...]:
    """The standing orders that can be planted."""
    return tuple(StandingForm(*(part.strip() for part in line.split(" ; "))) for line in lines("standing", language))


def chatter(language: str, chance: random.Random) -> str:
    """A piece of small talk."""
    said = chance.choice(lines("chatter", language))
    for slot, values in choices("slots", language).items():
        said = said.replace(f"{{{slot}}}", chance.choice(values))
    return said[:1].upper() + said[1:]
