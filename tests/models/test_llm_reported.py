"""What a text tells by more than its words."""

from __future__ import annotations

import pytest

from reverie.models.llm_grammar import exchanged
from reverie.models.llm_grounding import telling
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
    assert exchanged(telling(one).roles, telling(other).roles)
    assert not exchanged(telling(one).roles, telling(one).roles)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *english(
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
    assert telling(one).denies != telling(other).denies


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
    a, b = telling(one), telling(other)
    assert (a.is_past, a.moods) != (b.is_past, b.moods)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("I live in Paris.", set()),
            ("I’d like to live in Paris.", {"wish"}),
            ("Perhaps they may come.", {"doubt"}),
            ("You ought to write tests.", {"duty"}),
            ("We'll ship in May.", {"ahead"}),
            ("If it rains, I will stay.", {"condition", "ahead"}),
            ("I am going to the market in May.", set()),
        ),
        *turkish(
            ("Paris'te yaşıyorum.", set()),
            ("Paris'te yaşamak isterim.", {"wish"}),
            ("Belki gelebilirler.", {"doubt"}),
            ("Test yazman gerekiyor.", {"duty"}),
            ("Mayısta yayınlayacağız.", {"ahead"}),
            ("Yağmur yağarsa kalacağım.", {"condition", "ahead"}),
            ("Gelecek hafta sıcak içecekleri satıyoruz, evin temeli sağlam.", set()),
        ),
    ],
)
def test_a_mood_is_told_by_its_words(text: str, expected: set[str]) -> None:
    """A plain fact has none; a month, a noun in -ecek and a way to the market are none."""
    assert telling(text).moods == expected


def is_opposed(one: str, other: str) -> bool:
    """Whether one has a word, and the other its opposite."""
    sides, others = (telling(text).opposites for text in (one, other))
    return any((line, 1 - side) in others - sides for line, side in sides - others)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *english(
            ("take it before meals", "take it after meals"),
            ("my old job", "my new job"),
            ("I bought a car", "I sold a car"),
            ("tea with milk", "tea without milk"),
            ("I flew to Ankara", "I flew from Ankara"),
            ("the older brother", "the younger brother"),
            ("I agree with the plan", "I disagree with the plan"),
            ("deploy to production", "deploy to staging"),
            ("my landlord allows pets", "my landlord forbids pets"),
        ),
        *turkish(
            ("yemekten önce al", "yemekten sonra al"),
            ("eski işim", "yeni işim"),
            ("araba aldım", "araba sattım"),
            ("Ankara'ya gidiyorum", "Ankara'dan geliyorum"),
            ("büyük ağabeyim", "küçük ağabeyim"),
            ("planı destekliyorum", "plana karşıyım"),
            ("canlıya kur", "test ortamına kur"),
            ("hâlâ bekârım", "artık evliyim"),
        ),
    ],
)
def test_a_word_and_its_opposite(one: str, other: str) -> None:
    """Before and after, old and new, with and without."""
    assert is_opposed(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *english(
            ("from Ankara to Izmir", "to Izmir"),
            ("before and after meals", "after meals"),
            ("the blue pill", "the red pill"),
            ("an important unit under the table", "a table"),
        ),
        *turkish(
            ("önce Ankara sonra İzmir", "sonra İzmir"),
            ("hâlâ denizde", "denizde"),
            ("mavi hap", "kırmızı hap"),
            ("evli bir çift", "bir çift"),
        ),
    ],
)
def test_nothing_is_opposed(one: str, other: str) -> None:
    """A word more, words without an opposite."""
    assert not is_opposed(one, other)
