"""What a memory in the third person was said as, and that the gate reads it so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie import Message, Reverie
from reverie.encode.as_said import as_said
from reverie.recipes.named import recipe
from reverie.types import Role, State
from tests.encode.making import AT, SCOPE, memory
from tests.spoken import english, turkish

V9 = recipe("v9").encode.form
assert V9 is not None


@pytest.mark.parametrize(
    ("said", "told", "statement"),
    [
        *english(
            ("I love coffee. I live in Oslo.", "Ada lives in Oslo.", "I live in Oslo."),
            ("I love coffee.", "Ada hates coffee.", ""),
        ),
        *turkish(
            ("Kahveyi severim. Oslo'da yaşıyorum.", "Ada Oslo'da yaşıyor.", "Oslo'da yaşıyorum."),
            ("Kahveyi severim.", "Ada kahveyi sevmez.", ""),
        ),
    ],
)
def test_the_statement_is_found_that_is_told_just_so(said: str, told: str, statement: str) -> None:
    """Nothing, where the memory has other words."""
    formed = replace(memory(told, "m"), speaker="Ada", role=Role.PERSON, at=AT)
    assert V9 is not None
    assert as_said(formed, memory(said, "e"), V9) == statement


@pytest.mark.req("D4")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        *english(
            ("I live in Berlin.", "I moved to Hamburg, I no longer live in Berlin."),
            ("I love coffee.", "I don't like coffee anymore."),
            ("Always answer me in English.", "Always answer me in Turkish."),
        ),
        *turkish(
            ("Kahve severim.", "Kahve sevmem."),
            ("Kahveyi severim.", "Artık kahveyi sevmiyorum."),
            ("Bana hep kısa cevap ver.", "Bundan sonra bana hep uzun cevap ver."),
        ),
    ],
)
def test_what_contradicts_is_read_off_the_words_as_they_were_said(old: str, new: str) -> None:
    """In a recipe that tells in the third person, too: the older closes, however alike the two are."""
    with Reverie.open(":memory:", recipe="v9") as engine:
        for text in (old, new):
            engine.observe(Message(text, speaker="ada", role=Role.USER), SCOPE, deliberate=True)
        states = [one.standing.state for one in engine.formed(SCOPE)]
    assert states == [State.SUPERSEDED, State.ACTIVE]


@pytest.mark.req("D23", "D12")
@pytest.mark.parametrize(
    "text",
    [
        *english("Hi! I just moved to Rotterdam for a new job at Bosch."),
        *turkish("Selam! Geçen hafta Bosch'taki yeni iş için Rotterdam'a taşındım."),
    ],
)
def test_a_greeting_before_a_statement_is_no_memory(text: str) -> None:
    """Nor are its names those of the greeting."""
    with Reverie.open(":memory:", recipe="v9") as engine:
        engine.observe(Message(text, speaker="ada", role=Role.USER), SCOPE)
        (only,) = engine.formed(SCOPE)
    assert "Rotterdam" in only.text
