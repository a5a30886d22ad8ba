"""Requests to remember: what is to be remembered, and what only sounds like one."""

from __future__ import annotations

import pytest

from reverie.language.orders import asked_to_keep, asks_to_keep
from tests.spoken import NEITHER, english, turkish


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        *english(
            ("Remember that I park on level 3.", "I park on level 3."),
            ("Remember that we're closed on Mondays.", "We're closed on Mondays."),
            ("Don't forget that Ali can't eat gluten.", "Ali can't eat gluten."),
            ("Please note: the garage code is 4411.", "The garage code is 4411."),
            ("Keep in mind that I work late on Tuesdays.", "I work late on Tuesdays."),
        ),
        *turkish(
            ("Unutma, Ali glüten yiyemiyor.", "Ali glüten yiyemiyor."),
            ("Hatırla: işim Mart 2027'de bitiyor.", "İşim Mart 2027'de bitiyor."),
            ("Unutma ki pazartesileri kapalıyız.", "Pazartesileri kapalıyız."),
            ("Lütfen not et: garaj kodu 4411.", "Garaj kodu 4411."),
            ("Pazartesileri kapalı olduğumuzu unutma.", "Pazartesileri kapalı olduğumuzu unutma."),
        ),
    ],
)
def test_what_is_to_be_remembered_without_the_words_that_ask(text: str, kept: str) -> None:
    """Where they stand at the end of a Turkish sentence it cannot do without them."""
    assert asked_to_keep(text) == kept
    assert asks_to_keep(text)


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Remember when we went to Berlin?",
            "Don't forget to call Mum.",
            "Remember that time we went to Rome.",
            "Remember that you're not alone.",
            "I remember that I parked on level 3.",
            "Remember that the post should be short.",
        ),
        *turkish(
            "Berlin'e gittiğimizi hatırlıyor musun?",
            "Annemi aramayı unutma.",
            "O günleri hatırla.",
            "Unutma, sen güçlüsün.",
            "Arabayı oraya park ettiğimi hatırlıyorum.",
            "Kapıyı kapatmayı unutma.",
        ),
    ],
)
def test_what_nobody_asks_to_have_remembered(text: str) -> None:
    """Questions, plans, comforts, shared memories, tasks."""
    assert asked_to_keep(text) is None


@NEITHER
def test_a_long_text_asks_for_nothing_to_be_remembered() -> None:
    """It is a task, with what is to be heeded in it."""
    assert not asks_to_keep("Remember that I park on level 3. " + "x" * 400)
