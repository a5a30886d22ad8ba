"""The pre-gate."""

from __future__ import annotations

import pytest

from reverie.recall.gates import PreGate
from tests.recall.fake_corpus import FakeCorpus, quest, request, world
from tests.spoken import english, turkish

WORLD = world(FakeCorpus([]))


@pytest.mark.req("D23")
@pytest.mark.parametrize(
    "cue", [*english("hello", "ok", "/help", "thanks"), *turkish("merhaba", "tamam", "/yardim", "teşekkürler")]
)
def test_small_talk_ends_the_quest(cue: str) -> None:
    """A greeting, a confirmation, a command, a word of thanks."""
    assert PreGate(always=True)(quest(request(cue), WORLD)).ended


@pytest.mark.req("D23")
@pytest.mark.parametrize("cue", [*english("Where is the key?", "kite"), *turkish("Anahtar nerede?", "uçurtma")])
def test_a_question_passes(cue: str) -> None:
    """However short it is."""
    assert not PreGate(always=True)(quest(request(cue), WORLD)).ended


@pytest.mark.parametrize("greeting", [*english("hello"), *turkish("merhaba")])
def test_what_is_asked_by_hand_may_always_pass(greeting: str) -> None:
    """Who types "hello" into a search looks for hellos; a host that asks for every message does not."""
    gate = PreGate(always=False)
    assert not gate(quest(request(greeting), WORLD)).ended
    assert gate(quest(request(greeting, automatic=True), WORLD)).ended


@pytest.mark.parametrize(
    ("idle", "wants"),
    [
        *english(("Translate this to German: good night, sleep well.", "What was the name of my dentist again?")),
        *turkish(("Bunu Almancaya çevir: iyi geceler, iyi uykular.", "Diş hekimimin adı neydi?")),
    ],
)
def test_where_a_host_asks_a_task_that_says_all_it_needs_ends_the_quest(idle: str, wants: str) -> None:
    """Not where the recipe has no such gate, nor by hand."""
    gate = PreGate(always=False, idle=0.3)
    assert "needs nothing" in gate(quest(request(idle, automatic=True), WORLD)).ended
    assert not gate(quest(request(wants, automatic=True), WORLD)).ended
    assert not gate(quest(request(idle), WORLD)).ended
    assert not PreGate(always=False)(quest(request(idle, automatic=True), WORLD)).ended
