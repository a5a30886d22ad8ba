"""Sentences, clauses and tokens of statements."""

from __future__ import annotations

import pytest

from reverie.models.llm_grammar import Verb, clauses, language_of, tokens, turkish_verb
from tests.spoken import ENGLISH, TURKISH, english, neither, turkish


@pytest.mark.parametrize(
    ("language", "text", "parts"),
    [
        *english(
            ("en", "I'm late, can you help?", ["I'm late", "can you help?"]),
            ("en", "It rains but I run", ["It rains", "I run"]),
        ),
        *turkish(
            ("tr", "Geç kaldım, yardım eder misin?", ["Geç kaldım", "yardım eder misin?"]),
            ("tr", "Yağmur var ama koşuyorum", ["Yağmur var", "koşuyorum"]),
        ),
    ],
)
def test_clauses_are_cut_where_another_statement_begins(language: str, text: str, parts: list[str]) -> None:
    """At conjunctions and at commas before a new subject."""
    assert clauses(text, language) == parts


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        *english(
            ("en", "enjoyed", "love"),
            ("en", "met", "meet"),
        ),
        *turkish(
            ("tr", "hoşlanıyorum", "seviyorum"),
            ("tr", "Bursa'da", "Bursa"),
        ),
    ],
)
def test_forms_and_synonyms_have_one_term(language: str, one: str, other: str) -> None:
    """So that the same is recognised in other words."""
    assert tokens(one, language)[0].term == tokens(other, language)[0].term


@ENGLISH
def test_have_says_nothing_where_it_only_makes_a_tense() -> None:
    """Have moved, but have a car."""
    assert tokens("I have moved", "en")[1].term == ""
    assert tokens("I have cars", "en")[1].term == "have"


@TURKISH
@pytest.mark.parametrize(
    ("word", "verb"),
    [
        ("iciyorum", Verb("ic", False, True, True)),
        ("icmiyorum", Verb("ic", True, True, True)),
        ("kullanmadim", Verb("kullan", True, False, True)),
        ("tanistik", Verb("tanis", False, False, True)),
        ("masa", None),
    ],
)
def test_turkish_verbs_deny_inside(word: str, verb: Verb | None) -> None:
    """Root, denial, tense and person are in the endings."""
    assert turkish_verb(word) == verb


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *english(
            ("No car.", "en"),
            ("Alarm form team", "en"),
            ("Phone number 555-1234.", "en"),
            ("Blood serum", "en"),
            ("Roman forum.", "en"),
            ("Madam", "en"),
        ),
        *turkish(
            ("Arabam yok.", "tr"),
            ("İki kedim var", "tr"),
            ("Kahveyi severim.", "tr"),
            ("Et yerim", "tr"),
            ("Kahve sevmem!", "tr"),
        ),
        *neither(("", "en")),
    ],
)
def test_short_statements_have_a_language_too(text: str, language: str) -> None:
    """Two words are enough."""
    assert language_of(text) == language
