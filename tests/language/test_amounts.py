"""Amounts are read with what they are of, and questions with what amount they ask for."""

from __future__ import annotations

import pytest

from reverie.language.amounts import Amount, Asked, amounts, asked_amount, best_told
from tests.spoken import english, neither, turkish


def only(text: str) -> Amount:
    """The one amount of a text."""
    (found,) = amounts(text)
    return found


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        *english(
            ("I have 500 followers", "number", "500"),
            ("it costs $1,200 in all", "money", "$1,200"),
            ("we meet at 4:30 PM", "clock", "4:30"),
            ("it ends on May 20", "date", "20"),
            ("I have lived here for three months", "span", "three"),
            ("I have lived here for a month", "span", "1"),
            ("a share of 15%", "percent", "15%"),
        ),
        *turkish(
            ("500 takipçim oldu", "number", "500"),
            ("hepsi 1200 lira tuttu", "money", "1200"),
            ("toplantı saat 16:30 olacak", "clock", "16:30"),
            ("20 Mayıs günü bitiyor", "date", "20"),
            ("üç aydır burada yaşıyorum", "span", "uc"),
            ("bir aydır burada yaşıyorum", "span", "1"),
            ("yüzde 15 kadar", "percent", "15"),
        ),
    ],
)
def test_kinds(text: str, kind: str, value: str) -> None:
    """Each kind of amount in both languages."""
    found = only(text)
    assert (found.kind, found.value) == (kind, value)


@pytest.mark.parametrize(
    ("text", "own", "others"),
    [
        *english(("I read 12 books. My sister has 3 cats.", "book", "cat")),
        *turkish(("12 kitap okudum. Teyzemin 3 atı var.", "kitap", "teyze")),
    ],
)
def test_an_amount_knows_its_sentence_alone(text: str, own: str, others: str) -> None:
    """Words of another sentence do not say what an amount is of."""
    first, second = amounts(text)
    assert own in first.around
    assert others in second.around - first.around


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        *english(
            ("I now have 600 followers", True),
            ("I had 500 followers", False),
            ("the wait was shortened to 5 months", True),
        ),
        *turkish(
            ("bekleme 5 aya kısaldı", True),
            ("Artık 600 takipçim var", True),
            ("Eskiden 500 takipçim vardı", False),
        ),
    ],
)
def test_a_change_is_heard(text: str, changed: bool) -> None:
    """What says that it was different before is marked so."""
    assert only(text).changed is changed


@pytest.mark.parametrize(
    "text",
    [
        *english("no amount here"),
        *turkish("burada sayı yok"),
        *neither("", "```\nx = 5\n```", "Flask 2.3.1", "\ud83d"),
    ],
)
def test_no_amounts(text: str) -> None:
    """Neither code nor versions are amounts."""
    assert amounts(text) == ()


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        *english(
            ("How many followers do I have?", {"number", "span"}),
            ("When is the meeting?", {"clock", "date"}),
            ("What is my budget?", {"money", "number"}),
        ),
        *turkish(
            ("Kaç takipçim var?", {"number", "span"}),
            ("Toplantı ne zaman?", {"clock", "date"}),
            ("Bütçem ne kadar?", {"money", "number"}),
        ),
    ],
)
def test_what_is_asked_for(text: str, kinds: set[str]) -> None:
    """The same questions in both languages ask for the same."""
    asked = asked_amount(text)
    assert asked is not None
    assert asked.kinds == kinds


@pytest.mark.parametrize(
    ("text", "asking"),
    [
        *english(
            ("How long have I lived in Bergen?", {"long"}),
            ("How often do I run?", {"often"}),
            ("How many followers do I currently have?", {"current"}),
            ("How often do I usually run?", {"often", "usual"}),
            ("How many followers do I have?", set()),
        ),
        *turkish(
            ("Şu anda kaç takipçim var?", {"an"}),
            ("Ne zamandır Bergen'de yaşıyorum?", {"zaman"}),
            ("Kaç takipçim var?", set()),
            ("Ne sıklıkla koşuyorum?", {"sikli"}),
            ("Genelde ne sıklıkta koşuyorum?", {"sikli", "genel"}),
        ),
    ],
)
def test_the_words_that_ask(text: str, asking: set[str]) -> None:
    """How long, how often: an answer gives the amount and repeats none of them."""
    asked = asked_amount(text)
    assert asked is not None
    assert asked.asking == asking


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Who is my dentist?",
            "How many days lie between the two trips?",
            "What type of car do I drive?",
        ),
        *turkish(
            "Dişçim kim?",
            "İki yolculuk arasında kaç gün var?",
            "Ne tür bir araba kullanıyorum?",
        ),
    ],
)
def test_questions_for_no_single_amount(text: str) -> None:
    """Who, what kind and how far apart are not answered by the newest amount."""
    assert asked_amount(text) is None


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        *english(("I saw 3 films and 40 people, and my list now has 12 books to read.", "book")),
        *turkish(("3 film izledim, 40 kişiyle tanıştım, listemde artık okunacak 12 kitap var.", "kitap")),
    ],
)
def test_the_best_told_covers_most_of_the_question(text: str, counted: str) -> None:
    """Of two amounts of a kind the one amid the question's words counts."""
    told = amounts(text)
    (best,) = best_told(told, Asked(frozenset({"number"}), frozenset({counted})), [(frozenset({counted}), 1.0)])
    assert best.amount.value == "12"
    assert best.counts


@pytest.mark.parametrize(
    "text",
    [
        *english("We meet at 9:30, the ticket costs $12, and there are 4 of us."),
        *turkish("Saat 9:30'da buluşuyoruz, bilet 120 lira ve 4 kişi geliyoruz."),
    ],
)
def test_only_the_kinds_asked_for(text: str) -> None:
    """Of a text with a time, a price and a number only what is asked for is read, as it would be among all."""
    every = amounts(text)
    assert {amount.kind for amount in every} == {"clock", "money", "number"}
    assert amounts(text, frozenset({"money"})) == tuple(amount for amount in every if amount.kind == "money")
