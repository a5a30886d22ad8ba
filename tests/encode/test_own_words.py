"""What of a message is its speaker's own."""

from __future__ import annotations

import pytest

from reverie.encode.own_words import own_facts
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Suppose my name is Bob.",
            "Let's say I live in Berlin.",
            "In my novel, Ann lives in Paris and works at a bank.",
            "Write a poem in which I live in Venice.",
            "Translate: 'I am allergic to nuts'",
            "Translate this:\nI am allergic to nuts.",
            "> I live in Madrid",
            "I said I like jazz but I was joking.",
        ),
        *turkish(
            "Diyelim ki adım Bora.",
            "Farz et ki Tokyo'da yaşıyorum.",
            "Romanımda kahraman Paris'te yaşıyor.",
            "Venedik'te yaşadığım bir şiir yaz.",
            "Çevir: Fıstığa alerjim var",
            "Şunu İngilizceye çevir:\nFıstığa alerjim var.",
            "> Madrid'de yaşıyorum",
            "Cazı severim dedim ama şaka yapıyordum.",
        ),
    ],
)
def test_what_is_not_the_speakers_own_forms_nothing(text: str) -> None:
    """Suppositions, stories, what is to be translated, quoted lines, jokes."""
    assert own_facts(text) == ()


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        *english(
            ("I live in Oslo. Do you? I work at ACME.", ("I live in Oslo.", "I work at ACME.")),
            ("Suppose it rains. I live in Oslo.", ("I live in Oslo.",)),
            ("Imagine Dragons is my favorite band.", ("Imagine Dragons is my favorite band.",)),
        ),
        *turkish(
            ("Oslo'da yaşıyorum. Ya sen? ACME'de çalışıyorum.", ("Oslo'da yaşıyorum.", "ACME'de çalışıyorum.")),
            ("Diyelim ki yağmur yağdı. Oslo'da yaşıyorum.", ("Oslo'da yaşıyorum.",)),
            ("Şiirleri severim.", ("Şiirleri severim.",)),
        ),
    ],
)
def test_the_rest_of_a_message_is_kept(text: str, facts: tuple[str, ...]) -> None:
    """Questions and frames go by themselves."""
    assert tuple(fact.text for fact in own_facts(text)) == facts


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
    facts = {fact.text: fact.because for fact in own_facts(text)}
    assert facts == {effect: cause, cause: ""}


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
    assert own_facts(text)[-1].because == effect


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
    assert [fact.text for fact in own_facts(text)] == [text]
    assert not any(fact.because for fact in own_facts(text))


@pytest.mark.parametrize(
    "text",
    [
        *english("Heroku closed. Right? That's why we moved to Hetzner."),
        *turkish("Heroku'dan bıktık. Değil mi? Bu yüzden Hetzner'e geçtik."),
    ],
)
def test_a_question_between_them_parts_two_sentences(text: str) -> None:
    """Nobody knows what "that" was."""
    assert not any(fact.because for fact in own_facts(text))
