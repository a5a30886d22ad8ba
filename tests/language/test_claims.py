from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.claims import asks_whether, denials, is_future, is_past, is_past_verb, life
from reverie.types import Kind
from tests.spoken import ENGLISH, NEITHER, english, neither, turkish

FACTS = [
    *english(
        "My mother passed away in 2019.",
        "I got divorced.",
        "We have three children.",
        "I'm an only child.",
        "I was raised by my aunt.",
        "My daughter is 8 now.",
        "I own a two-bedroom apartment.",
        "My rent is $900.",
        "I make $80k a year.",
        "I owe my brother 500 dollars.",
        "I have a student loan.",
        "I have high blood pressure.",
        "I had knee surgery in March.",
        "I take insulin twice a day.",
        "I wear glasses.",
        "I work night shifts.",
        "I run a small bakery.",
        "I lost my job.",
        "I studied physics at MIT.",
        "I have a PhD in chemistry.",
        "I drive a Toyota.",
        "I have a Tesla.",
        "I don't have a car.",
        "I sold my car.",
        "I swim on Tuesdays.",
        "I smoke a pack a day.",
        "I'm half German.",
        "My native language is Arabic.",
        "I'm learning Japanese.",
        "I don't work at Google anymore.",
        "I'm not a vegetarian anymore.",
        "I no longer live in Berlin.",
        "My rent went up to $1000.",
        "My flight was moved to Saturday.",
        "I left Trendyol.",
        "I joined Insider in May.",
        "I started working at Getir.",
        "I don't have kids.",
    ),
    *turkish(
        "Trendyol'dan ayrıldım.",
        "Mayısta Insider'a katıldım.",
        "Getir'de çalışmaya başladım.",
        "Çocuğum yok.",
        "Annem 2019'da vefat etti.",
        "Geçen yıl boşandım.",
        "Üç çocuğumuz var.",
        "Tek çocuğum.",
        "Beni teyzem büyüttü.",
        "Kızım artık 8 yaşında.",
        "İki odalı bir dairem var.",
        "Kiram 900 dolar.",
        "Yılda 600 bin lira kazanıyorum.",
        "Abime 5000 lira borcum var.",
        "Öğrenim kredisi borcum var.",
        "Yüksek tansiyonum var.",
        "Martta diz ameliyatı oldum.",
        "Günde iki kez insülin alıyorum.",
        "Gözlük takıyorum.",
        "Gece vardiyasında çalışıyorum.",
        "Küçük bir fırın işletiyorum.",
        "İşimi kaybettim.",
        "MIT'de fizik okudum.",
        "Kimya doktoram var.",
        "Toyota kullanıyorum.",
        "Bir Tesla'm var.",
        "Arabam yok.",
        "Arabamı sattım.",
        "Salı günleri yüzüyorum.",
        "Günde bir paket sigara içiyorum.",
        "Yarı Almanım.",
        "Ana dilim Arapça.",
        "Japonca öğreniyorum.",
        "Artık Google'da çalışmıyorum.",
        "Artık vejetaryen değilim.",
        "Artık Berlin'de yaşamıyorum.",
        "Kiram 18.000 TL oldu.",
        "Yeni patronum Tarık.",
        "Uçuşum cumartesiye alındı.",
    ),
]
PLANS = [
    *english(
        "I have a dentist appointment next Tuesday at 3pm.",
        "I have a job interview on Monday.",
        "I have a flight to Rome on Friday.",
        "Our wedding is on September 12.",
        "The party is on the 20th.",
        "Remind me to call mom tomorrow.",
        "Don't let me forget to pay the bill on Friday.",
        "We are moving at the end of the month.",
    ),
    *turkish(
        "Salı saat 3'te dişçi randevum var.",
        "Pazartesi iş görüşmem var.",
        "Cuma günü Roma'ya uçuşum var.",
        "Düğünümüz 12 Eylül'de.",
        "Parti ayın 20'sinde.",
        "Yarın annemi aramamı hatırlat.",
        "Cuma günü faturayı ödemeyi bana hatırlat.",
        "Ay sonunda taşınıyoruz.",
    ),
]
NOTHING = [
    *english(
        "I have a question about Python.",
        "I have no idea.",
        "I have a meeting.",
        "I don't have time for this.",
        "I don't know anymore.",
        "I wish I had a car.",
        "If I had a Tesla I would sell it.",
        "I might buy a new car.",
        "This song reminds me to be kind.",
        "I'm learning a lot from this.",
        "I'm half asleep.",
        "I run the code every day.",
        "I play it every day.",
        "My phone is a mess.",
        "I got my car serviced.",
        "The meeting is on Friday.",
        "A city that I no longer visit.",
        "Write a story about a man who says: I lost my job.",
    ),
    *turkish(
        "Python hakkında bir sorum var.",
        "Hiç fikrim yok.",
        "Toplantı var.",
        "Buna zamanım yok.",
        "Artık bilmiyorum.",
        "Keşke arabam olsa.",
        "Tesla'm olursa satarım.",
        "Belki yeni bir araba aldım.",
        "Bu şarkı bana çocukluğumu hatırlatıyor.",
        "Bundan çok şey öğreniyorum.",
        "Çok mutluyum.",
        "Her gün seni düşünüyorum.",
        "Artık dayanamıyorum.",
        "Telefonum bozuldu.",
        "Kitabı okudum.",
        "Toplantı cuma günü.",
        "Kira çok yüksek.",
        "Kaybolan bir adamın hikaye metni: işimi kaybettim.",
    ),
]


@pytest.mark.parametrize("sentence", FACTS)
def test_a_plain_fact_of_a_life_is_one(sentence: str) -> None:
    """Family, home, money, health, work, school, things, habits, origins, and what is no longer so."""
    assert life(sentence) is Kind.FACT


@pytest.mark.parametrize("sentence", PLANS)
def test_what_is_set_for_a_day_is_a_plan(sentence: str) -> None:
    """An appointment, a feast, a departure, what one wants to be reminded of."""
    assert life(sentence) is Kind.PLAN


@pytest.mark.parametrize("sentence", NOTHING)
def test_talk_wishes_and_suppositions_are_none(sentence: str) -> None:
    """Neither chatter, nor conditions, nor tasks, nor what is said of other things."""
    assert life(sentence) is None


@NEITHER
@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    """Nothing is raised."""
    assert life(text) in {None, Kind.FACT, Kind.PLAN}


@pytest.mark.parametrize(
    "sentence",
    [
        *english(
            "Finally moved to York!",
            "Just moved to York.",
            "I've moved to York",
            "I eat eggs again.",
            "I started eating meat again",
            "I went back to smoking.",
            "I'm vegan again.",
            "I started at Spotify this month.",
            "I work from home now.",
        ),
        *turkish(
            "Bursa'ya taşındım sonunda!",
            "Bursa'ya taşındık geçen hafta.",
            "İzmir'e taşındık dün",
            "Bursa'ya taşındım çok mutluyum",
            "Artık yumurta yiyorum.",
            "Yumurta yiyorum yine.",
            "Yine sigaraya başladım",
            "Tekrar et yemeye başladım.",
            "bütçe 1500 oldu",
            "Projenin bütçesi 1500 oldu.",
        ),
    ],
)
def test_what_is_so_now_or_again_is_a_fact(sentence: str) -> None:
    """In whatever order it is said: the older fact no longer holds."""
    assert life(sentence) is Kind.FACT


@pytest.mark.parametrize(
    "sentence",
    [
        *english(
            "Just moved to the next task.",
            "I use it again.",
            "I'm working on it again.",
            "I started at the top.",
            "I started at 9.",
            "We live in the moment now.",
        ),
        *turkish(
            "Bursa'ya taşındım diye üzülme.",
            "Artık onu kullanıyorum.",
            "Yine aynı şeyi okuyorum.",
            "Bütçesi 1500 oldu.",
            "Konuya dün döndüm.",
            "Artık anlıyorum.",
        ),
    ],
)
def test_what_is_done_again_is_none(sentence: str) -> None:
    """A task, a pointer, a figure of nobody knows what."""
    assert life(sentence) is None


@pytest.mark.parametrize(
    ("text", "term"),
    [
        *english(
            ("I've never met Bryan at a festival, but I know his films.", "bryan"),
            ("I haven't used Redis yet.", "redi"),
            ("I am not a member of the club.", "club"),
        ),
        *turkish(
            ("Bryan'la hiç tanışmadım, ama filmlerini bilirim.", "bryan"),
            ("Redis'i henüz kullanmadım.", "redis"),
            ("Ben Ankara'da değilim.", "ankara"),
        ),
    ],
)
def test_what_is_denied(text: str, term: str) -> None:
    """One clause denies, and its words are known."""
    (denied,) = denials(text)
    assert any(stem.startswith(term[:4]) for stem in denied)


@pytest.mark.parametrize(
    "text",
    [
        *english("I met Bryan at a festival.", "I'm not sure I met him.", "I don't know where we met."),
        *turkish("Bryan'la festivalde tanıştım.", "Tamam, namazdan sonra hamama gideriz.", "Sevdiğinden emin değilim."),
        *neither("", "\x00"),
    ],
)
def test_nothing_is_denied(text: str) -> None:
    """An affirmation denies nothing."""
    assert denials(text) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("Have I ever met Bryan?", True),
            ("Is my sister a member?", True),
            ("Where did I meet Bryan?", False),
            ("How many clubs are there?", False),
        ),
        *turkish(
            ("Bryan'la hiç tanıştım mı?", True),
            ("Kardeşim üye mi?", True),
            ("Bryan'la nerede tanıştım?", False),
            ("Kaç kulüp var?", False),
        ),
    ],
)
def test_whether(text: str, expected: bool) -> None:
    """Yes-or-no questions, by their form."""
    assert asks_whether(text) is expected


FUTURE_ENGLISH = [
    "I will move to Oslo.",
    "I'm going to visit Rome.",
    "We plan to sell the car.",
    "They're planning on having a party.",
    "I'll call her tomorrow.",
    "She intends to quit.",
    "We're looking forward to the trip.",
    "I'm flying to Rome next week.",
    "I have a job interview on Monday.",
    "We are moving at the end of the month.",
]
FUTURE_TURKISH = [
    "Oslo'ya taşınacağım.",
    "Roma'ya gideceğiz.",
    "Arabayı satmayı planlıyoruz.",
    "Bir parti vermeyi düşünüyorlar.",
    "Yarın onu arayacağım.",
    "İstifa etmeye niyetliyim.",
    "Geziyi dört gözle bekliyoruz.",
    "Gelecek hafta Roma'ya uçuyorum.",
    "Pazartesi iş görüşmem var.",
    "Ay sonunda taşınıyoruz.",
]
NOT_FUTURE_ENGLISH = [
    "I moved to Oslo.",
    "Will you move to Oslo?",
    "If I get the job, I will move.",
    "It will rain.",
    "I was going to call.",
    "I'm going to the gym.",
    "The will is in the drawer.",
    "You will find it there.",
]
NOT_FUTURE_TURKISH = [
    "Oslo'ya taşındım.",
    "Oslo'ya taşınacak mısın?",
    "Eğer işi alırsam taşınacağım.",
    "Gelecek güzel.",
    "Arayacaktım.",
    "Spor salonuna gidiyorum.",
    "Yiyecek aldım.",
    "Yapılacak işler çok.",
]
PAST = [
    *english("I flew to Rome.", "We visited Tom.", "It was fun.", "I lent Tom my car.", "They fed Tom."),
    *turkish(
        "Roma'ya uçtum.",
        "Tom'u ziyaret ettik.",
        "Eğlenceliydi.",
        "Tom'a arabamı verdim.",
        "Tom'u beslediler.",
        "Roma'ya gitmiştim.",
    ),
]
NOT_PAST = [
    *english("I fly to Rome.", "We need Tom.", "It is red.", "I am married."),
    *turkish("Roma'ya uçuyorum.", "Tom'a ihtiyacımız var.", "O kırmızı.", "Evliyim."),
]


@pytest.mark.req("D12")
@pytest.mark.parametrize("sentence", [*english(*FUTURE_ENGLISH), *turkish(*FUTURE_TURKISH)])
def test_plans(sentence: str) -> None:
    """Will, going to, plan to; -acağım, planlıyorum."""
    assert is_future(sentence)


@pytest.mark.req("D12")
@pytest.mark.parametrize("sentence", [*english(*NOT_FUTURE_ENGLISH), *turkish(*NOT_FUTURE_TURKISH)])
def test_no_plans(sentence: str) -> None:
    """The past, questions, conditions, the weather, what was going to be, nouns that look like it."""
    assert not is_future(sentence)


@pytest.mark.parametrize("sentence", PAST)
def test_the_past(sentence: str) -> None:
    """Regular, irregular, to be."""
    assert is_past(sentence)


@pytest.mark.parametrize("sentence", NOT_PAST)
def test_not_the_past(sentence: str) -> None:
    """The present, and words that look like the past."""
    assert not is_past(sentence)


@ENGLISH
def test_a_verb_of_the_past_by_itself() -> None:
    """Irregular, regular, and "married", which is one where a sentence has its verb; "need" is none."""
    assert [is_past_verb(word) for word in ("lent", "visited", "married", "need", "red")] == [True] * 3 + [False] * 2


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        *english(("I'm engaged.", False), ("The talk is held here.", False), ("We are not divorced.", False)),
        *english(("She retired and they divorced.", True), ("I was engaged.", True), ("We moved and are happy.", True)),
        *turkish(("Nişanlıyım.", False), ("Toplantı burada yapılıyor.", False), ("Evliyiz.", False)),
        *turkish(("Nişanlandım.", True), ("Nişanlıydım.", True), ("Taşındık ve mutluyuz.", True)),
    ],
)
def test_how_somebody_is_is_no_past(sentence: str, expected: bool) -> None:
    """Neither is what is done to something now."""
    assert is_past(sentence) is expected
