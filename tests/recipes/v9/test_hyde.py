"""Hypothetical documents from templates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.text import lists
from reverie.recipes.published.v9 import WORDS
from reverie.recipes.published.v9.recall import TOPIC_MAX, HydeIntent, variants
from tests.spoken import NEITHER, english, neither, turkish

QUESTIONS = [
    *english(
        ("What is my favorite tea?", "tea"),
        ("Where are my keys?", "keys"),
        ("Why did Caroline leave Acme?", "Caroline leave Acme"),
        ("How do I reset the router?", "reset the router"),
    ),
    *turkish(
        ("En sevdiğim çay ne?", "sevdiğim çay"),
        ("Anahtarlarım nerede?", "Anahtarlarım"),
        ("Caroline Acme'den neden ayrıldı?", "Caroline Acme'den ayrıldı"),
        ("Modemi nasıl sıfırlarım?", "Modemi sıfırlarım"),
        ("Çay nerede?", "Çay"),
        ("Kedim nerede?", "Kedim"),
        ("Gözlüğüm nerede?", "Gözlüğüm"),
        ("Derleme neden bozuldu?", "Derleme bozuldu"),
        ("Zeynep Acme'ye neden geçti?", "Zeynep Acme'ye geçti"),
        ("Yönlendiriciyi nasıl ayarlarım?", "Yönlendiriciyi ayarlarım"),
    ),
]


@pytest.mark.req("D10")
@pytest.mark.parametrize(("text", "topic"), QUESTIONS)
def test_two_or_three_documents_about_the_question(text: str, topic: str) -> None:
    """Each document speaks of what the question is about, and no two are the same."""
    made = variants(text)
    assert 2 <= len(made) <= 3
    assert len(set(made)) == len(made)
    assert all(topic in document for document in made)


@pytest.mark.req("D10")
@pytest.mark.parametrize(
    ("text", "document"),
    english(
        ("What do I like to drink?", "I really like to drink."),
        ("Do I like tea?", "I really like tea."),
        ("What do I like?", "I really like this."),
        ("What are my favourite films?", "My favorite films is this one, I prefer it to others."),
        ("How do I deploy the app?", "Instructions: deploy the app."),
        ("Why did the build break?", "the build break because of this."),
    ),
)
def test_english_documents_say_nothing_twice(text: str, document: str) -> None:
    """The verb of a taste is the template's own, and a way of doing something needs none beside it."""
    assert document in variants(text)


@pytest.mark.req("D10")
@pytest.mark.parametrize("language", [*english("en"), *turkish("tr")])
def test_every_intent_has_two_or_three_templates(language: str) -> None:
    """In both languages, each with a place for the topic."""
    entries = [entry.partition(": ") for entry in lists.entries(f"hyde-{language}", WORDS)]
    counts = {intent: sum(key == intent for key, _, _ in entries) for intent in HydeIntent}
    assert set(counts.values()) <= {2, 3}
    assert all(template.count("{topic}") == 1 for _, _, template in entries)


@pytest.mark.parametrize(
    "text",
    [
        *english("Where is {topic}?", "what about %s and {x"),
        *turkish("{0} {text!r} nerede?", "%s ile {x nerede?"),
        *neither("{topic.__class__}?"),
    ],
)
def test_braces_of_the_user_are_only_braces(text: str) -> None:
    """What was asked is put into the templates and never read as one."""
    braces = [word.strip("?") for word in text.split() if "{" in word or "%" in word]
    made = variants(text)
    assert made
    assert all(document.count(word) == text.count(word) for document in made for word in braces)


@NEITHER
@pytest.mark.parametrize("text", ["", "   ", "?!", "…"])
def test_nothing_asked_is_nothing_imagined(text: str) -> None:
    """A text without words has no documents."""
    assert variants(text) == ()


@NEITHER
@given(st.text(max_size=200))
def test_documents_are_short_whatever_is_asked(text: str) -> None:
    """Nothing is raised, and a document is the topic and a template."""
    assert all(len(document) <= TOPIC_MAX + 200 for document in variants(text * 20))
