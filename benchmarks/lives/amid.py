"""A life laid amid thousands of other messages, so that what a host may hand over is a thousandth of what was said.

In: a life, other lives, how many messages and a seed. Out: the same life, labels and cues as they were, with what other
people said spread evenly over its time: conversations of other lives first, made-up ones for the rest. It is others who
say it, or the life's own person, as in years of one's chats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice

from benchmarks.lives.form import Life
from benchmarks.speed.lives import LANGUAGES, SESSION, spoken
from benchmarks.values import Item
from reverie.types import Role

EVERY = 10
"""One life of so many is laid amid others: the first, the eleventh, …"""


def chosen(lives: Sequence[Life]) -> list[Life]:
    """A tenth of a part's lives."""
    return list(lives[::EVERY])


def amid(life: Life, others: Sequence[Life], count: int, seed: int, *, own: bool = False) -> Life:
    """The life amid so many other messages; ``own``: its person said what the persons of the others said."""
    first, last = life.items[0].at, life.items[-1].at
    step = (last - first) / (count + 1)
    said = islice(_said(life, others, seed), count)
    by = _own_speaker(life) if own else None
    around = [_placed(item, number, first + step * (number + 1), by) for number, item in enumerate(said)]
    taken = {item.at for item in life.items}
    around = [replace(item, at=item.at + timedelta(microseconds=1)) if item.at in taken else item for item in around]
    items = tuple(sorted((*life.items, *around), key=lambda item: item.at))
    cues = tuple(replace(cue, heard=sum(item.at < cue.at for item in items)) for cue in life.cues)
    return replace(life, items=items, cues=cues)


def _said(life: Life, others: Sequence[Life], seed: int) -> Iterator[Item]:
    for other in others:
        if other.hand != life.hand:
            for item in other.items:
                yield replace(item, session=f"{other.name}-{item.session}", speaker=_speaker(item, other.name))
    for number in _of_language(life.language):
        told = spoken(seed, number).message
        yield Item(
            f"made-{number}", told.session, f"guest {number // SESSION % 40}", Role.PERSON, life.items[0].at, told.text
        )


def _of_language(language: str) -> Iterator[int]:
    """The numbers of made-up messages in a language: sessions take turns."""
    place = LANGUAGES.index(language) if language in LANGUAGES else 0
    session = place
    while True:
        yield from range(session * SESSION, (session + 1) * SESSION)
        session += len(LANGUAGES)


def _speaker(item: Item, name: str) -> str:
    return f"{item.speaker} of {name}" if item.role is Role.USER else item.speaker


def _own_speaker(life: Life) -> str:
    return next((item.speaker for item in life.items if item.role is Role.USER), "")


def _placed(item: Item, number: int, at: datetime, by: str | None) -> Item:
    """Said by other people, devices and assistants, whoever said it in its life; or ``by`` the person of this one."""
    if by is None:
        role = item.role if item.role is Role.TOOL else Role.PERSON
        return replace(item, id=f"amid-{number}", role=role, at=at)
    return replace(item, id=f"amid-{number}", at=at, speaker=by if item.role is Role.USER else item.speaker)
