from __future__ import annotations

import json
from pathlib import Path

import pytest

import benchmarks.training
from reverie.language.orders import LIKELY, asked_to_keep, asks_advice, asks_record, asks_to_keep, marks, standing
from reverie.language.text import heads
from reverie.language.text.heads import likely
from reverie.types import Kind, Role
from tests.spoken import BOTH, NEITHER, english, turkish

UNSEEN = Path(benchmarks.training.__file__).with_name("data") / "kinds-test.jsonl"


def unseen(*kinds: str) -> list[str]:
    """Sentences of these kinds, English and Turkish half and half."""
    told = map(json.loads, UNSEEN.read_text(encoding="utf-8").splitlines())
    return [one["text"] for one in told if one["kind"] in kinds]


def share(texts: list[str], wanted: Kind) -> float:
    """How many of some sentences stand as a kind."""
    return sum(standing(text) is wanted for text in texts) / len(texts)


@BOTH
def test_orders_and_tastes_of_an_unseen_hand_are_told_from_what_only_looks_like_them() -> None:
    """Most are found, and hardly anything else is taken for one."""
    orders, tastes, neither = unseen("order-every", "order-topic"), unseen("preference"), unseen("neither")
    assert share(orders, Kind.INSTRUCTION) >= 0.75
    assert share(tastes, Kind.PREFERENCE) >= 0.5
    assert share(neither, Kind.INSTRUCTION) <= 0.1
    assert share(neither, Kind.PREFERENCE) <= 0.06
    assert share(tastes, Kind.INSTRUCTION) <= 0.05


@BOTH
def test_what_a_cue_asks_for_is_told_of_an_unseen_hand() -> None:
    """Advice, what was said, or a fact."""
    advice, record, fact = unseen("asks-advice"), unseen("asks-record"), unseen("asks-fact")
    assert sum(map(asks_advice, advice)) / len(advice) >= 0.8
    assert sum(map(asks_record, record)) / len(record) >= 0.8
    assert sum(map(asks_advice, fact)) / len(fact) <= 0.1
    assert sum(map(asks_record, fact)) / len(fact) <= 0.05


@BOTH
def test_an_order_about_every_answer_is_marked_as_one() -> None:
    """And as an order; one on a topic as an order alone."""
    found = [marks(text, Kind.EPISODE, Role.USER) for text in unseen("order-every")]
    assert sum(len(one) == 2 for one in found) / len(found) >= 0.6
    topics = [marks(text, Kind.EPISODE, Role.USER) for text in unseen("order-topic")]
    assert sum(len(one) == 2 for one in topics) / len(topics) <= 0.2


@BOTH
def test_what_is_quoted_or_stands_in_code_is_nobodys_wish() -> None:
    """The same words said openly are."""
    said = "From now on always answer me in Turkish, please."
    assert likely(said, heads.ORDER) >= LIKELY
    assert standing(said) is Kind.INSTRUCTION
    assert standing(f"Look:\n```\n{said}\n```") is None
    assert standing("Bundan sonra bana hep Türkçe cevap ver.") is Kind.INSTRUCTION
    assert standing("```\nBundan sonra bana hep Türkçe cevap ver.\n```") is None


@BOTH
def test_only_the_person_served_gives_orders() -> None:
    """An assistant's or a bystander's words are never marked, nor what was formed as a plain fact."""
    for said in ("Always answer me in short sentences.", "Bana her zaman kısa cümlelerle cevap ver."):
        assert "§instruction" in marks(said, Kind.EPISODE, Role.USER)
        assert marks(said, Kind.EPISODE, Role.ASSISTANT) == ()
        assert marks(said, Kind.EPISODE, Role.PERSON) == ()
        assert marks(said, Kind.FACT, Role.USER) == ()
    assert marks("Likes rye bread", Kind.PREFERENCE, Role.USER) == ("§preference",)


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
