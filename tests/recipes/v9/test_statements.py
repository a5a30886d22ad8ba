"""The facts of a message, as document D forms them: causes apart from their effects."""

from __future__ import annotations

import pytest

from reverie.recipes.published.v9.facts import facts
from tests.spoken import english, turkish


@pytest.mark.req("D12", "D16")
@pytest.mark.parametrize(
    ("text", "effect", "cause"),
    [
        *english(
            ("I moved to Berlin because I got a job at Siemens.", "I moved to Berlin.", "I got a job at Siemens."),
            ("My pay was bad, so I quit my job.", "I quit my job.", "My pay was bad."),
            ("Heroku closed. That's why we moved to Hetzner.", "We moved to Hetzner.", "Heroku closed."),
            ("We use Redis. Because Memcached loses data.", "We use Redis.", "Memcached loses data."),
            ("We chose Postgres because it supports JSON.", "We chose Postgres.", "Postgres supports JSON."),
        ),
        *turkish(
            ("Berlin'e taşındım çünkü Siemens'te iş buldum.", "Berlin'e taşındım.", "Siemens'te iş buldum."),
            ("Heroku'dan ayrıldım, bu yüzden Hetzner'e geçtim.", "Hetzner'e geçtim.", "Heroku'dan ayrıldım."),
            ("Heroku'dan bıktık. Bu yüzden Hetzner'e geçtik.", "Hetzner'e geçtik.", "Heroku'dan bıktık."),
            (
                "Redis kullanıyoruz. Çünkü Memcached veri kaybediyor.",
                "Redis kullanıyoruz.",
                "Memcached veri kaybediyor.",
            ),
        ),
    ],
)
def test_a_cause_and_its_effect_are_two_facts(text: str, effect: str, cause: str) -> None:
    """The effect knows its cause, whichever of the two was said first."""
    found = {fact.text: fact.because for fact in facts(text)}
    assert found == {effect: cause, cause: ""}


@pytest.mark.req("D16")
@pytest.mark.parametrize(
    ("text", "effect"),
    [
        *english(("I bought a Tesla because my old Honda died. That's why I'm broke now.", "I bought a Tesla.")),
        *turkish(
            ("Bodrum'a taşındım çünkü Trendyol'dan ayrıldım. Bu yüzden evimi sattım.", "Bodrum'a taşındım."),
            ("Annem hastalandı, o yüzden İzmir'e taşındım. Bu nedenle işimi bıraktım.", "İzmir'e taşındım."),
        ),
    ],
)
def test_what_follows_from_a_statement_follows_from_its_effect(text: str, effect: str) -> None:
    """Not from the reason that stands nearer."""
    assert facts(text)[-1].because == effect


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I sold my car because it was too old.",
            "I moved to Izmir because my mother lives there.",
            "I like how they cook because of the spices.",
            "I quit because they are rude.",
            "Yes because I work at Siemens.",
            "I quit my job because the pay was bad.",
            "I quit because I got a job at Siemens.",
        ),
        *turkish(
            "Berlin'e taşındım çünkü orada parklar var.",
            "Onu işe aldık çünkü Rust biliyor.",
            "Evet çünkü Siemens'te çalışıyorum.",
            "İşimi bıraktım çünkü maaş düşüktü.",
            "Gelmedim çünkü Siemens'te iş buldum.",
            "Arabamı sattım çünkü onu kimse sevmiyordu.",
            "İzmir'e taşındım çünkü annem orada yaşıyor.",
        ),
    ],
)
def test_what_needs_its_other_half_stays_with_it(text: str) -> None:
    """A pronoun would point at nothing, a "yes" say nothing, and nobody would know what pay it was."""
    assert [fact.text for fact in facts(text)] == [text]
    assert not any(fact.because for fact in facts(text))


@pytest.mark.parametrize(
    "text",
    [
        *english("Heroku closed. Right? That's why we moved to Hetzner."),
        *turkish("Heroku'dan bıktık. Değil mi? Bu yüzden Hetzner'e geçtik."),
    ],
)
def test_a_question_between_them_parts_two_sentences(text: str) -> None:
    """Nobody knows what "that" was."""
    assert not any(fact.because for fact in facts(text))
