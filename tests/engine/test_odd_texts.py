"""Any Python string goes in and comes out the same: every plane, NULs, lone surrogates, operators, a megabyte."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from reverie import Message, Reverie, Scope
from tests.engine.conftest import open_at

SCOPE = Scope("a", "u", "p")
PIECES = [
    *('NEAR("a" b)', "a AND NOT b*", "{col}:x", "'; DROP TABLE memory; --", "%s {0} ${HOME}", "</memory>"),
    *("\0", "\ud83d", "\ude00", "\ud83d\ude00", "\u202eevil", "e\u0301", "\U0010ffff", "\ufeff", "\r\n"),
    *("😀👩‍👩‍👧", "שלום עולם", "مرحبا", "日本語テキスト", "İIıi"),
]


def texts(seed: int, count: int) -> list[str]:
    """Seeded texts: random code points of every plane, mixed with pieces that have broken something somewhere."""
    rng = random.Random(seed)
    made = ["", " ", "\0", "\ud800", "x" * 1_000_000, "wort " * 200_000]
    while len(made) < count:
        points = [chr(rng.randrange(0x110000)) for _ in range(rng.randrange(30))]
        made.append("".join(points + rng.choices(PIECES, k=rng.randrange(4))))
    return made


def test_every_text_comes_back_as_it_went_in(where: str, share: Callable[[int], int]) -> None:
    """Equal as Python strings from the timeline, and no recall with such a cue fails."""
    made = texts(1, share(10_000))
    with open_at(where) as engine:
        engine.transfer.remember_many(
            (Message(text, session=f"s{n % 7}", message_id=f"m{n}") for n, text in enumerate(made)), SCOPE
        )
        by_place = {(memory.session, memory.seq): memory.text for memory in engine.timeline(SCOPE)}
        assert [by_place[(f"s{n % 7}", n // 7)] for n in range(len(made))] == made
        for cue in made[: len(made) // 5]:
            engine.explain(cue, SCOPE)


def test_odd_texts_survive_closing_and_opening(tmp_path: object) -> None:
    """Equal also after they have been on the disk, and the store passes its own check."""
    file = f"{tmp_path}/memory.db"
    made = texts(2, 300)
    with open_at(file) as engine:
        engine.transfer.remember_many((Message(text, message_id=f"m{n}") for n, text in enumerate(made)), SCOPE)
    with open_at(file) as engine:
        assert [memory.text for memory in engine.timeline(SCOPE)] == made
        assert engine.admin.verify() == []


@pytest.mark.parametrize(
    "text", ["şişe \ud83d yarım", "NUL\0inside the word", "\u200fright to left", "emoji 😀 inside"]
)
def test_odd_texts_are_still_found(engine: Reverie, text: str) -> None:
    """A strange character does not hide the words beside it."""
    engine.remember(text, SCOPE)
    word = max(text.replace("\0", " ").split(), key=len)
    assert engine.recall(word, SCOPE).hits
