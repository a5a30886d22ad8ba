from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.recipes.published.v9.emotion import EKMAN, emotion, feeling_at, is_negated_verb, is_technical
from reverie.types import CALM
from tests.spoken import BOTH, NEITHER, TURKISH, english, turkish

FELT_ENGLISH = [
    ("I am so happy with the new flat", "joy", 1),
    ("We got married on Saturday!", "joy", 1),
    ("I'm furious about the invoice", "anger", -1),
    ("this is so annoying, I hate it", "anger", -1),
    ("I am terrified of flying", "fear", -1),
    ("She is worried about the exam", "fear", -1),
    ("my grandfather passed away last night", "sadness", -1),
    ("I cried the whole evening", "sadness", -1),
    ("wow, that was unexpected", "surprise", 1),
    ("I can't believe it", "surprise", 1),
    ("the fridge smells disgusting", "disgust", -1),
    ("The soup was good", None, 1),
    ("The meeting was awful", None, -1),
    ("The meeting is at noon", None, 0),
    ("I live in Oslo and work with PostgreSQL", None, 0),
]
FELT_TURKISH = [
    ("Yeni evimizden dolayı çok mutluyum", "joy", 1),
    ("Cumartesi günü evlendik!", "joy", 1),
    ("Faturaya öfkeliyim", "anger", -1),
    ("bu çok sinir bozucu, nefret ediyorum", "anger", -1),
    ("Uçaktan korkuyorum", "fear", -1),
    ("Sınav yüzünden endişeli", "fear", -1),
    ("dedem dün gece vefat etti", "sadness", -1),
    ("Bütün akşam ağladım", "sadness", -1),
    ("vay canına, bu beklenmedik oldu", "surprise", 1),
    ("Buna inanamıyorum", "surprise", 1),
    ("buzdolabı iğrenç kokuyor", "disgust", -1),
    ("Çorba güzeldi", None, 1),
    ("Toplantı berbattı", None, -1),
    ("Toplantı öğlen", None, 0),
    ("Bursa'da yaşıyorum, PostgreSQL ile çalışıyorum", None, 0),
]
PLEASANT_AND_DENIED = [
    *english(
        ("I am happy", "I am not happy"),
        ("that is good", "that isn't good"),
        ("I enjoy it", "I never enjoy it"),
        ("it was fun", "it was no fun"),
        ("I like it", "I don't like it"),
    ),
    *turkish(
        ("mutluyum", "mutlu değilim"),
        ("mutlu hissediyorum", "mutlu hissetmiyorum"),
        ("bunu seviyorum", "bunu sevmiyorum"),
        ("umudum var", "umudum yok"),
        ("hoşuma gitti", "hoşuma gitmedi"),
    ),
]
FLASHBULBS = [
    *english(
        "THE SERVER IS DOWN, URGENT, FIX IT IMMEDIATELY!!",
        "We WON, I am SO HAPPY!!!",
        "Help me, there was an accident, I'm terrified!",
    ),
    *turkish(
        "SUNUCU ÇÖKTÜ, ACİL, HEMEN DÜZELT!!!",
        "KAZANDIK, ÇOK mutluyum!!!",
        "İmdat, kaza geçirdik, ödüm koptu!",
    ),
]
EVERYDAY = [
    *english(
        "Thanks! That's great! See you tomorrow!",
        "The deadline for the AWS and NASA forms is Friday.",
        "The kids loved the zoo, it was fun.",
    ),
    *turkish(
        "Teşekkürler! Harika! Yarın görüşürüz!",
        "AWS ve NASA formlarının son günü cuma.",
        "Çocuklar hayvanat bahçesini sevdi, eğlenceliydi.",
    ),
]


@pytest.mark.req("D3", "D32")
@pytest.mark.parametrize(
    "text",
    [
        *english("The deadline is tomorrow."),
        *turkish("Son teslim tarihi yarın.", "Teslim tarihi yarın.", "Son başvuru cuma.", "Son gün yarın."),
    ],
)
def test_a_deadline_stirs(text: str) -> None:
    """In both languages alike."""
    assert emotion(text).arousal == pytest.approx(0.35)


@pytest.mark.req("D32")
@pytest.mark.parametrize(("text", "category", "sign"), [*english(*FELT_ENGLISH), *turkish(*FELT_TURKISH)])
def test_a_text_has_its_emotion(text: str, category: str | None, sign: int) -> None:
    """One of Ekman's six or none, and the side of the valence."""
    found = emotion(text)
    assert found.category == category
    assert (found.valence > 0) - (found.valence < 0) == sign


@BOTH
@pytest.mark.req("D32")
def test_each_of_the_six_is_found_in_each_language() -> None:
    """No category of Ekman's is without words."""
    for cases in (FELT_ENGLISH, FELT_TURKISH):
        assert {category for _, category, _ in cases} == {*EKMAN, None}


@pytest.mark.parametrize(("pleasant", "denied"), PLEASANT_AND_DENIED)
def test_a_negation_turns_the_feeling_round(pleasant: str, denied: str) -> None:
    """Not happy is unhappy, but less so than happy is happy, and no joy."""
    assert emotion(pleasant).valence > 0 > emotion(denied).valence
    assert emotion(denied).category != "joy"


@pytest.mark.parametrize(
    ("text", "category"),
    [
        *english(
            ("I hate this, I'm so anxious", "fear"),
            ("I love this, I'm so sad", "sadness"),
            ("I hate this, he is nervous", "anger"),
        ),
        *turkish(
            ("Bundan nefret ediyorum, çok endişeliyim", "fear"),
            ("Bunu seviyorum ama çok üzgünüm", "sadness"),
            ("Bundan nefret ediyorum, o gergin", "anger"),
        ),
    ],
)
def test_what_one_says_one_is_tells_more_than_what_one_says_of_a_thing(text: str, category: str) -> None:
    """Of two feelings the speaker's own state names the emotion."""
    assert emotion(text).category == category


@pytest.mark.parametrize(
    "text",
    [
        *english("I am not afraid", "It is not bad", "not only good, it is great"),
        *turkish("Korkmuyorum", "Kötü değil", "Fena değil", "güzel değil mi"),
    ],
)
def test_a_denied_bad_is_no_bad(text: str) -> None:
    """Neither is what only looks denied."""
    assert emotion(text).valence > 0


@pytest.mark.req("D32")
@pytest.mark.parametrize("text", FLASHBULBS)
def test_what_stirs_up_most_reaches_the_flashbulb(text: str) -> None:
    """Capitals, exclamation marks, urgent words and strong feelings together come to .8."""
    assert emotion(text).arousal >= 0.8


@pytest.mark.req("D32")
@pytest.mark.parametrize("text", EVERYDAY)
def test_everyday_talk_is_no_flashbulb(text: str) -> None:
    """Polite exclamation marks and abbreviations stay below .8."""
    assert emotion(text).arousal < 0.8


@pytest.mark.parametrize(
    ("calm", "stirred"),
    [
        *english(
            ("it broke", "it broke!"),
            ("it broke!", "it broke!!!"),
            ("it never works", "it NEVER works"),
            ("fix it", "fix it asap"),
            ("the log is full", "the damn log is full"),
        ),
        *turkish(
            ("bozuldu", "bozuldu!"),
            ("bozuldu!", "bozuldu!!!"),
            ("bu asla olmaz", "bu ASLA olmaz"),
            ("onu düzelt", "onu acilen düzelt"),
            ("günlük doldu", "lanet günlük doldu"),
        ),
    ],
)
def test_each_sign_of_arousal_counts(calm: str, stirred: str) -> None:
    """Marks, capitals, urgency and curses each raise it."""
    assert emotion(calm).arousal < emotion(stirred).arousal


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        *english(("Are you happy?", "You are happy.")),
        *turkish(("Mutlu musun?", "Mutlusun.")),
    ],
)
def test_what_is_asked_counts_half(asked: str, said: str) -> None:
    """A question after a feeling is not yet one."""
    assert 0 < emotion(asked).valence < emotion(said).valence


@pytest.mark.parametrize(
    ("felt", "report"), [*english(("panic", "the file has a row")), *turkish(("panik", "dosyada bir satır var"))]
)
def test_a_long_text_is_no_stronger_than_a_short_one(felt: str, report: str) -> None:
    """A word of feeling in a report weighs less than the same word alone."""
    assert emotion(felt + f" {report}" * 200).arousal < emotion(felt).arousal / 2


@BOTH
def test_emoji_and_emoticons_count() -> None:
    """In any language."""
    assert emotion("ok 😡").category == "anger"
    assert emotion("ok :(").valence < 0 < emotion("tamam :)").valence


@BOTH
def test_words_that_look_alike_are_not_felt() -> None:
    """Stems and endings that lead elsewhere: kazan is no accident, please no pleasure, zorunda not hard."""
    for text in ("kazandığımız para", "zorunda", "kızım", "üzerinde", "please", "I wonder", "celebrity", "awkward"):
        assert emotion(text).valence >= 0
        assert emotion(text).category is None


@NEITHER
@given(st.text())
def test_any_text_has_an_emotion_within_bounds(text: str) -> None:
    """Nothing fails, and the same text feels the same again."""
    found = emotion(text)
    assert -1 <= found.valence <= 1
    assert 0 <= found.arousal <= 1
    assert found.category in (None, *EKMAN)
    assert emotion(text) == found


@NEITHER
def test_nothing_said_is_calm() -> None:
    """No words, no emotion."""
    assert emotion("") == CALM


ENGLISH_WORDS = [
    ("happy", "joy"),
    ("thrilled", "joy"),
    ("hated", "anger"),
    ("scared", "fear"),
    ("crying", "sadness"),
    ("asap", "urgent"),
    ("awful", "none"),
    ("aws", None),
    ("table", None),
]
TURKISH_WORDS = [
    ("mutluyduk", "joy"),
    ("heyecanlanıyorum", "joy"),
    ("nefretim", "anger"),
    ("korkarım", "fear"),
    ("ağlıyordu", "sadness"),
    ("acilen", "urgent"),
    ("berbattı", "none"),
    ("utanmıştık", "sadness"),
    ("kazan", None),
    ("masa", None),
]


@pytest.mark.parametrize(
    ("word", "kind", "language"),
    [
        *english(*((*case, "en") for case in ENGLISH_WORDS)),
        *turkish(*((*case, "tr") for case in TURKISH_WORDS)),
    ],
)
def test_a_word_is_known_in_its_forms(word: str, kind: str | None, language: str) -> None:
    """By stem or by beginning and ending."""
    feeling, length, denied = feeling_at((word,), 0, language)
    assert (feeling.kind if feeling else None) == kind
    assert (length, denied) == (1, False)


@pytest.mark.parametrize(
    ("words", "length", "language"),
    [
        *english((("looking", "forward", "to"), 2, "en"), (("looking", "back"), 1, "en")),
        *turkish(
            (("hoşuma", "gidiyordu", "hep"), 2, "tr"),
            (("hoşuma", "masa"), 1, "tr"),
            (("dört", "gözle", "bekliyoruz", "seni"), 3, "tr"),
            (("canım", "sıkıldı"), 2, "tr"),
            (("canım", "annem"), 1, "tr"),
        ),
    ],
)
def test_the_longest_entry_counts(words: tuple[str, ...], length: int, language: str) -> None:
    """Words that only mean something together are taken together."""
    assert feeling_at(words, 0, language)[1] == length


@pytest.mark.parametrize("word", turkish("korkmuyorum", "korkmam", "korkmadım", "korkmayacağız", "korkmamış", "korkma"))
def test_a_turkish_verb_denies_by_its_form(word: str) -> None:
    """The negation is part of the word."""
    assert feeling_at((word,), 0, "tr")[2]


@pytest.mark.parametrize("word", turkish("korkmak", "korkmuş", "korkmuştum", "korkmalı", "korkmayı"))
def test_an_m_behind_the_root_is_not_always_a_negation(word: str) -> None:
    """The infinitive, what one had done and what one must begin with it too."""
    feeling, _, denied = feeling_at((word,), 0, "tr")
    assert feeling is not None
    assert not denied


@TURKISH
def test_without_turkish_letters_long_words_are_known() -> None:
    """But short ones are not: "oldu" is not "öldü"."""
    assert feeling_at(("uzgunum",), 0, "tr")[0] is not None
    assert feeling_at(("oldu",), 0, "tr")[0] is None


@TURKISH
def test_light_verbs_are_negated_by_their_form() -> None:
    """Roots come from the caller."""
    assert is_negated_verb("etmedi", ("et",))
    assert not is_negated_verb("etti", ("et",))
    assert not is_negated_verb("etmedi", ("ol",))


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "The process was killed",
            "The server crashed",
            "Fatal error",
            "I killed the stuck process",
            "The kernel panicked",
            "My phone died at noon",
            "The app keeps crashing",
            "The program aborts with a fatal exception",
        ),
        *turkish(
            "process öldürüldü",
            "Sunucu çöktü",
            "Ölümcül hata",
            "Takılan süreci öldürdüm",
            "Sistem çöktü",
            "Telefonum öğlen öldü",
            "Uygulama dün gece çöktü",
            "Program ölümcül bir hatayla kapandı",
        ),
    ],
)
def test_what_happens_to_a_program_is_not_felt(text: str) -> None:
    """A technical word of a technical thing has no emotion."""
    assert emotion(text) == CALM


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "My dog died",
            "My neighbour was killed",
            "The fatal accident killed three",
            "My dad died fixing the server",
            "He died in the process",
            "The system killed him",
            "My server crashed and my dog died",
        ),
        *turkish(
            "Köpeğim öldü",
            "Komşum öldürüldü",
            "Ölümcül kaza",
            "Babam bilgisayar başında öldü",
            "Telefonda konuşurken öldü",
            "Programcı öldü",
            "Sunucu çöktü, köpeğim öldü",
        ),
    ],
)
def test_what_happens_to_somebody_is_felt(text: str) -> None:
    """Also where a machine is beside."""
    assert emotion(text).valence < 0


@NEITHER
@given(st.lists(st.text(), min_size=1), st.sampled_from(["en", "tr"]))
def test_any_words_are_read(words: list[str], language: str) -> None:
    """Nothing is raised."""
    assert is_technical(words, 0, language) in (True, False)
