"""What a text tells by more than its words."""

from __future__ import annotations

import pytest

from reverie.language.agreement import facts
from reverie.language.roles import exchanged
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *english(
            ("I prefer tabs over spaces.", "I prefer spaces over tabs."),
            ("We decided to replace MySQL with Postgres.", "We decided to replace Postgres with MySQL."),
            ("Can owes Anna 50 euros.", "Anna owes Can 50 euros."),
        ),
        *turkish(
            ("Kedileri köpeklere tercih ederim.", "Köpekleri kedilere tercih ederim."),
            ("MySQL yerine Postgres kullanacağız.", "Postgres yerine MySQL kullanacağız."),
            ("Can'ın Anna'ya 50 euro borcu var.", "Anna'nın Can'a 50 euro borcu var."),
        ),
    ],
)
def test_who_does_what_to_whom(one: str, other: str) -> None:
    """The words are the same, the roles are not."""
    assert exchanged(facts(one).roles, facts(other).roles)
    assert not exchanged(facts(one).roles, facts(one).roles)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *english(
            ("I decided to quit smoking.", "I decided not to quit smoking."),
            ("I recommend using tabs.", "I recommend avoiding tabs."),
            ("Call me in the morning.", "Don't call me in the morning."),
            ("I agreed to the offer.", "I refused the offer."),
            ("I skip breakfast on holidays.", "I eat breakfast on holidays."),
        ),
        *turkish(
            ("Sigarayı bırakmaya karar verdim.", "Sigarayı bırakmamaya karar verdim."),
            ("Sütlü kahve içmeyi tercih ederim.", "Sütlü kahve içmemeyi tercih ederim."),
            ("Uzun cevap veren modelleri severim.", "Uzun cevap vermeyen modelleri severim."),
            ("Bana e-posta gönder.", "Bana e-posta gönderme."),
            ("Loglara parola yaz lütfen.", "Loglara parola yazma lütfen."),
            ("Her modüle test yazmalıyız.", "Her modüle test yazmamalıyız."),
            ("Toplantıya gelsin.", "Toplantıya gelmesin."),
            ("Arabayı satmaya karar verdim.", "Arabayı satmaktan vazgeçtim."),
        ),
    ],
)
def test_a_denial_inside_a_verb_is_one(one: str, other: str) -> None:
    """Nouns of verbs, orders, duties, wishes of others, and verbs that deny by what they mean."""
    assert facts(one).denied != facts(other).denied


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *english(
            ("I live in Paris.", "I used to live in Paris."),
            ("I live in Paris.", "I'd like to live in Paris."),
            ("I learn Japanese.", "I want to learn Japanese."),
            ("I move to Oslo.", "I might move to Oslo."),
            ("We write tests for each module.", "We should write tests for each module."),
            ("I visit Rome.", "I plan to visit Rome."),
            ("I stay at home.", "If it rains, I stay at home."),
        ),
        *turkish(
            ("Paris'te yaşıyorum.", "Eskiden Paris'te yaşıyordum."),
            ("Paris'te yaşıyorum.", "Paris'te yaşamak isterim."),
            ("Japonca öğreniyorum.", "Japonca öğrenmek istiyorum."),
            ("Oslo'ya taşınırım.", "Belki Oslo'ya taşınırım."),
            ("Her modüle test yazıyoruz.", "Her modüle test yazmalıyız."),
            ("Roma'yı geziyorum.", "Roma'yı gezmeyi planlıyorum."),
            ("Evde kalırım.", "Yağmur yağarsa evde kalırım."),
        ),
    ],
)
def test_what_is_not_so_yet_or_any_more_is_not_so(one: str, other: str) -> None:
    """Once, a wish, a doubt, a duty, a plan, a condition: none says what a plain fact says."""
    a, b = facts(one), facts(other)
    assert (a.is_past, a.moods) != (b.is_past, b.moods)
