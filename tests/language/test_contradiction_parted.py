"""What a speaker had and gave away, and jobs that were left."""

from __future__ import annotations

import pytest

from reverie.language.contradiction import contradicts
from reverie.language.contradiction_parted import is_parted
from reverie.language.contradiction_reading import reading
from tests.spoken import BOTH, english, turkish


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I drive an old Ford Fiesta.", "I sold the Fiesta and bought a Toyota Yaris."),
            ("I have a piano.", "We gave away our piano last month."),
            ("I own a Vespa.", "I finally got rid of my Vespa."),
            ("I ride a blue Trek bike to work.", "I sold my bike."),
            ("I work at Southmead Hospital.", "I quit the hospital."),
            ("I work at Southmead Hospital.", "I resigned from the hospital last week."),
            ("I have a bike.", "I sold my bike to my cousin."),
            ("I have a boat.", "Last week we sold our boat."),
            ("I own an old piano.", "I just donated the piano to a school."),
        ),
        *turkish(
            ("Eski bir Ford Fiesta kullanıyorum.", "Fiesta'yı sattım, Toyota Yaris aldım."),
            ("Bir piyanom var.", "Geçen ay piyanomu verdim."),
            ("Bir Vespa'm var.", "Vespa'mı nihayet elden çıkardım."),
            ("Mavi bir Trek bisiklete biniyorum.", "Bisikletimi sattım."),
            ("Southmead Hastanesi'nde çalışıyorum.", "Hastaneden istifa ettim."),
            ("Southmead Hastanesi'nde çalışıyorum.", "Hastanedeki işimi bıraktım."),
            ("Bisikletim var.", "Bisikletimi kuzenime sattım."),
            ("Bir arabam var.", "Arabamı sonunda sattım."),
            ("Bir arabam var.", "Dün arabamı kuzenime sattım."),
        ),
    ],
)
def test_what_was_sold_or_left_is_had_no_longer(earlier: str, later: str) -> None:
    """The same thing, by a part of its name; a workplace by what it is."""
    assert contradicts(earlier, later) is not None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I drive an old Ford Fiesta.", "I sold the Fiesta's tyres."),
            ("I drive a Ford Fiesta.", "I sold my old Fiesta."),
            ("I have a Fiesta and a Yaris.", "I sold the Fiesta."),
            ("I have two bikes.", "I sold my bike."),
            ("I drive a Ford Fiesta.", "My brother sold the Fiesta."),
            ("I drive a Ford Fiesta.", "I almost sold the Fiesta."),
            ("I drive a Ford Fiesta.", "I sold a Fiesta to a client."),
            ("My sister drives a Fiesta.", "I sold the Fiesta."),
            ("I have a garden with a pool.", "I sold the pool."),
            ("I drive a Ford Fiesta.", "In 2015 I sold my Fiesta."),
            ("I work at Southmead Hospital.", "My sister quit the hospital."),
            ("I work at Southmead Hospital.", "I left the hospital at noon."),
            ("I drive a Fiesta.", "I sold the Fiesta to my cousin but bought it back."),
            ("I have a house in Rome.", "I sold the house in Paris."),
            ("I have a bike.", "I sold my sister's bike."),
            ("I have a Trek bike.", "I sold my Giant bike."),
            ("I have a car.", "I sold my car keys."),
            ("I have a dog.", "I gave away the dog food."),
            ("I have a company.", "I sold my company shares."),
            ("My daughter has a bike.", "I sold the bike."),
            ("I drive a Fiesta.", "I dreamt I sold the Fiesta."),
            ("I have a meeting with Sam.", "I sold the meeting room."),
            ("I have a car.", "I sold the car in my game."),
            ("I have the flu.", "I gave away the flu shots."),
            ("I have a boat.", "I sold my boat in 2019."),
            ("I have a horse.", "I sold my first horse."),
            ("I drive my brother's Fiesta.", "My brother sold the Fiesta."),
            ("We have an apartment in Rome.", "We sold our apartment in Paris."),
        ),
        *turkish(
            ("Eski bir Ford Fiesta kullanıyorum.", "Fiesta'nın lastiklerini sattım."),
            ("Ford Fiesta kullanıyorum.", "Eski Fiesta'mı sattım."),
            ("Bir Fiesta'm ve bir Yaris'im var.", "Fiesta'yı sattım."),
            ("İki bisikletim var.", "Bisikletimi sattım."),
            ("Ford Fiesta kullanıyorum.", "Bir müşteriye Fiesta sattım."),
            ("Ablam Fiesta kullanıyor.", "Fiesta'yı sattım."),
            ("Havuzlu bir bahçem var.", "Havuzu sattım."),
            ("Ford Fiesta kullanıyorum.", "2015'te Fiesta'mı sattım."),
            ("Southmead Hastanesi'nde çalışıyorum.", "Ablam hastaneden istifa etti."),
            ("Southmead Hastanesi'nde çalışıyorum.", "Öğlen hastaneden çıktım."),
            ("Trek bisikletim var.", "Giant bisikletimi sattım."),
            ("Bisikletim var.", "Ablamın bisikletini sattım."),
            ("Roma'da evim var.", "Paris'teki evimi sattım."),
            ("Arabam var.", "Arabamı servise verdim."),
            ("Arabam var.", "Arabamı ödünç verdim."),
            ("Arabam var.", "Araba anahtarımı kaybettim."),
            ("Kızımın bisikleti var.", "Bisikleti sattım."),
            ("Kırmızı bir bisikletim var.", "Mavi bisikletimi sattım."),
            ("Bisikletim var.", "Koşu bisikletimi sattım."),
            ("Bir teknem var.", "2019'da teknemi sattım."),
            ("Bir kedim var.", "Kediyi verdiler."),
            ("Bir kedim var.", "Kedinin mamasını verdim."),
            ("Bir arabam var.", "Arabayı kardeşime verdim mi hatırlamıyorum."),
            ("Bir arabam var.", "Arabamı oyunda sattım."),
            ("Bir evim var.", "Evimi kiraya verdim."),
            ("Bir arabam var.", "Arabamı satılığa verdim."),
            ("Bir köpeğim var.", "Köpeğimi pansiyona verdim."),
            ("Bir arabam var.", "Eski arabamı sattım."),
        ),
    ],
)
def test_what_may_be_another_is_kept(earlier: str, later: str) -> None:
    """Two of them, an old one, another's, a part of it, lent, or sold long ago or nearly."""
    assert contradicts(earlier, later) is None


@BOTH
def test_a_clause_is_held_against_one_that_parts_with_something() -> None:
    """In one order only."""
    for had, sold in (("I have a boat.", "I sold my boat."), ("Bir teknem var.", "Teknemi sattım.")):
        (was,), (now,) = reading(had).clauses, reading(sold).clauses
        assert is_parted(was, now)
        assert not is_parted(now, was)
