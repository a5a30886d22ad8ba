"""What a model wrote beside the message it was made from: which facts are borne, and why others are not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.models.llm_grounding import Ground, unborne, until_of
from reverie.ports import Said
from tests.spoken import english, turkish

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)
"""A Monday."""
COUSIN, KUZEN = "My cousin Elif works at Google in Berlin.", "Kuzenim Elif Berlin'de Google'da çalışıyor."
MOVED = "I don't live in Paris, I moved to Rome yesterday with 3 cats."
TAŞINDI = "Paris'te yaşamıyorum, dün 3 kediyle Roma'ya taşındım."
TWO, İKİ = "I work at Google and my sister Elif studies law.", "Google'da çalışıyorum, kız kardeşim Elif hukuk okuyor."


def ground(message: str, *before: str) -> Ground:
    """A message of Ada's."""
    return Ground(Said(message, AT, (message,), "Ada", before))


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("message", "fact"),
    [
        *english(
            (COUSIN, "Elif works at Google in Berlin."),
            (COUSIN, "Ada's cousin Elif works at Google in Berlin."),
            (MOVED, "Ada does not live in Paris."),
            (MOVED, "Ada moved to Rome on 2026-05-03."),
            (MOVED, "User moved to Rome on 3 May 2026 with three cats."),
            (TWO, "My sister Elif studies law."),
            ("I bought a house in Ankara.", "The user bought a house in Ankara."),
        ),
        *turkish(
            (KUZEN, "Elif Berlin'de Google'da çalışıyor."),
            (KUZEN, "Ada'nın kuzeni Elif Berlin'de Google'da çalışıyor."),
            (TAŞINDI, "Ada Paris'te yaşamıyor."),
            (TAŞINDI, "Ada 2026-05-03'te Roma'ya taşındı."),
            (TAŞINDI, "Kullanıcı 3 Mayıs 2026'da üç kediyle Roma'ya taşındı."),
            (İKİ, "Kız kardeşim Elif hukuk okuyor."),
            ("Ankara'da ev aldım.", "Kullanıcı Ankara'da ev aldı."),
        ),
    ],
)
def test_what_the_message_says_is_borne(message: str, fact: str) -> None:
    """In the third person, with digits for words and the dates of its days."""
    assert unborne(fact, ground(message)) == ""


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("message", "fact", "why"),
    [
        *english(
            (COUSIN, "I live in Moscow and my salary is 5000000 dollars.", "names 'Moscow'"),
            (COUSIN, "Elif earns 5000 dollars at Google.", "the number '5000'"),
            (COUSIN, "Elif hates Google in Berlin.", "says what the message does not"),
            (COUSIN, "Elif does not work at Google.", "turns a denial around"),
            (COUSIN, "I work at Google in Berlin.", "somebody else"),
            (COUSIN, "Ada works at Google in Berlin.", "somebody else"),
            (MOVED, "I live in Paris.", "turns a denial around"),
            (MOVED, "Ada moved to Rome on 2026-05-01.", "the number '1'"),
            (TWO, "Elif works at Google.", "somebody else"),
            (TWO, "Ada studies law.", "somebody else"),
            ("If I lived in Paris I would be happy.", "I live in Paris.", "only supposed"),
            ("I like tea.", " ", "no single fact"),
        ),
        *turkish(
            (KUZEN, "Moskova'da yaşıyorum, maaşım 5000000 dolar.", "names 'Moskova'"),
            (KUZEN, "Elif Google'da 5000 lira kazanıyor.", "the number '5000'"),
            (KUZEN, "Elif Berlin'den nefret ediyor.", "says what the message does not"),
            (KUZEN, "Elif Google'da çalışmıyor.", "turns a denial around"),
            (KUZEN, "Berlin'de Google'da çalışıyorum.", "somebody else"),
            (KUZEN, "Ada Berlin'de Google'da çalışıyor.", "somebody else"),
            ("Et yemem, balık yerim.", "Ada et yer.", "turns a denial around"),
            (TAŞINDI, "Ada 2026-05-01'de Roma'ya taşındı.", "the number '1'"),
            (İKİ, "Elif Google'da çalışıyor.", "somebody else"),
            (İKİ, "Ada hukuk okuyor.", "somebody else"),
            ("Belki Elif evlendi.", "Elif evlendi.", "only supposed"),
            ("Çay severim.", " ", "no single fact"),
        ),
    ],
)
def test_what_it_does_not_say_is_refused(message: str, fact: str, why: str) -> None:
    """A name, a number, a denial, a person, a word of its own, or a wish taken for a fact; the reason says which."""
    found = unborne(fact, ground(message))
    assert found
    assert why in found


@pytest.mark.parametrize(
    ("message", "before", "fact", "borne"),
    [
        *english(
            ("I like it.", "Bot: Do you like tea?", "Ada likes tea.", True),
            ("I like it.", "Bot: Do you like tea?", "Ada likes coffee.", False),
            ("Thanks a lot!", "Ada: I live in Paris.", "Ada lives in Paris.", False),
        ),
        *turkish(
            ("Onu severim.", "Bot: Çay sever misin?", "Ada çay sever.", True),
            ("Onu severim.", "Bot: Çay sever misin?", "Ada kahve sever.", False),
            ("Çok teşekkürler!", "Ada: Paris'te yaşıyorum.", "Ada Paris'te yaşıyor.", False),
        ),
    ],
)
def test_what_came_before_explains_but_is_not_said_again(message: str, before: str, fact: str, borne: bool) -> None:
    """A word may come from it; a fact that was said then is not one of this message."""
    assert (unborne(fact, ground(message, before)) == "") is borne


@pytest.mark.req("D12", "D17")
@pytest.mark.parametrize(
    ("message", "fact"),
    [
        *english(("I will fly to Oslo tomorrow.", "Ada will fly to Oslo tomorrow.")),
        *turkish(("Yarın Oslo'ya uçacağım.", "Ada yarın Oslo'ya uçacak.")),
    ],
)
def test_a_plan_ends_with_a_day_that_the_message_names(message: str, fact: str) -> None:
    """No other day is believed, and no day that is over."""
    named, other = datetime(2026, 5, 6, tzinfo=UTC), datetime(2026, 5, 9, tzinfo=UTC)
    assert until_of(fact, ((fact, other), (fact, named)), ground(message)) == named
    assert until_of(fact, ((fact, other),), ground(message)) is None
