"""Messages that form memories, in both languages."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.speed.lives import LANGUAGES, SESSION, phrases, spoken
from reverie import Reverie, Scope

SCOPE = Scope(agent="a", user="u", project="p")


def test_both_languages_have_as_much() -> None:
    """As many statements, as much small talk, the same gaps with as many fillings."""
    english, turkish = (phrases(language) for language in LANGUAGES)
    assert len(english.statements) == len(turkish.statements) >= 10
    assert len(english.small_talk) == len(turkish.small_talk) >= 5
    assert {name: len(words) for name, words in english.fillings.items()} == {
        name: len(words) for name, words in turkish.fillings.items()
    }


def test_a_message_follows_from_its_number() -> None:
    """Alone or in a row; another seed says other things; no gap is left open."""
    first = [spoken(0, number) for number in range(200)]
    assert first == [spoken(0, number) for number in range(200)]
    assert first != [spoken(1, number) for number in range(200)]
    assert not [one for one in first if "{" in one.message.text + one.question]
    assert len({one.message.message_id for one in first}) == 200
    assert {one.message.session for one in first[:SESSION]} == {"session-0"}


def test_small_talk_asks_nothing() -> None:
    """A third of the messages are small talk alone; every other one answers a question."""
    questions = [spoken(0, number).question for number in range(600)]
    assert 120 < questions.count("") < 280


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_forms_memories(language: str) -> None:
    """Of several kinds, of most statements, and none of small talk."""
    formed: Counter[str] = Counter()
    told = spared = 0
    with Reverie.open(":memory:", embedder=None) as engine:
        for number in range(400):
            if LANGUAGES[number // SESSION % 2] != language:
                continue
            one = spoken(0, number)
            receipt = engine.observe(one.message, SCOPE)
            kinds = [engine.memory(name, SCOPE).kind for name in receipt.formed]
            formed.update(kinds)
            told += bool(one.question and kinds)
            spared += bool(not one.question and kinds)
    assert told > 90
    assert spared == 0
    assert len(formed) >= 5
