from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.classify.categories import category
from reverie.language.text.letters import compose, detect_language, fold, lower, plain, spelled, turkish_evidence
from reverie.types import Kind
from tests.spoken import BOTH, NEITHER, TURKISH, english, neither, turkish


@pytest.mark.parametrize(
    ("text", "language", "low"),
    [
        *turkish(
            ("ISPARTA", "tr", "ısparta"),
            ("İZMİR", "tr", "izmir"),
            ("IĞDIR'DA İNEK", "tr", "ığdır'da inek"),
            ("ŞÖFÖR ÇÜNKÜ", "tr", "şöför çünkü"),
        ),
        *english(("İZMİR", "en", "izmir"), ("ISTANBUL", "en", "istanbul"), ("Straße", "en", "straße")),
    ],
)
def test_lower_case_follows_the_language(text: str, language: str, low: str) -> None:
    """Turkish has two letters i; English drops the dot that Python leaves of an İ."""
    assert lower(text, language) == low


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        *turkish(("çağrı", "cagri"), ("kâğıdı", "kagidi"), ("öğütülmüş", "ogutulmus")),
        *english(("café", "cafe")),
        *neither(("straße", "strasse"), ("łódź", "lodz"), ("việt", "viet"), ("ñ", "n")),
    ],
)
def test_folding_leaves_the_base_letters(word: str, folded: str) -> None:
    """Latin letters lose what is above, below and through them."""
    assert fold(word) == folded
    assert fold(unicodedata.normalize("NFD", word)) == folded


@NEITHER
@pytest.mark.parametrize("word", ["हिन्दी", "ёлка", "ภาษา", "ά", "日本"])
def test_folding_leaves_other_scripts_alone(word: str) -> None:
    """There the marks are letters."""
    assert fold(word) == word


@TURKISH
def test_plain_keeps_places() -> None:
    """What is found in the plain text is cut out of the text at the same place."""
    text = "Şimdi İzmir’de IŞIK var"
    assert plain(text) == "simdi izmir'de isik var"
    assert text[6:11] == "İzmir"


@NEITHER
@given(st.text())
def test_plain_is_as_long_as_the_text(text: str) -> None:
    """Whatever the text, one character stands for one."""
    assert len(plain(text)) == len(text)


@NEITHER
@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    """A folded text has nothing left to fold."""
    once = fold(lower(text, "en"))
    assert fold(once) == once


@TURKISH
def test_compose_puts_marks_on_their_letters() -> None:
    """A decomposed text reads like a composed one; a lone surrogate passes."""
    assert compose("s\u0327imdi") == "şimdi"
    assert compose("é\ud800") == "é\ud800"


TOLD = [
    "Bugün hava çok güzel",
    "cok guzel bir gun gecirdik",
    "Kedim hasta oldu, veterinere gittik",
    "nerede oturuyorum",
    "Super Bowl'u kim kazandı?",
    "Caroline'ın doğum günü ne zaman?",
    "Ayşe Yılmaz",
    "evet",
    "Python ile bir API yazdım, dokümantasyonu eksik",
    "Melanie'nin kizi kac yasinda",
]
NOT_TURKISH = [
    *english(
        "The weather is nice today",
        "My friend Ayşe lives in İstanbul and works for the city",
        "ok",
        "Glad it helped, Melanie!",
        "On the other hand, her son is in Ankara",
    ),
    *neither(
        "",
        "   ",
        "12345",
        "Deniz bootcamp",
        "Der Müller möchte nicht über die Brücke gehen",
        "El niño está con su mamá para una fiesta",
        "我们明天去公园吧",
        "for (var i = 0; i < n; i++) { sum += a[i]; }",
        "\x00\ud800",
    ),
]


@pytest.mark.parametrize("text", turkish(*TOLD))
def test_turkish_is_known(text: str) -> None:
    """With or without its letters, with foreign names inside."""
    assert detect_language(text) == "tr"


@pytest.mark.parametrize("text", NOT_TURKISH)
def test_everything_else_is_treated_as_english(text: str) -> None:
    """English, what speaks for no language, and other languages."""
    assert detect_language(text) == "en"


@BOTH
def test_a_name_alone_leaves_the_language_open() -> None:
    """No evidence is zero, either way."""
    assert turkish_evidence("Deniz bootcamp") == 0
    assert turkish_evidence("the cat sat on the mat") < 0
    assert turkish_evidence("kedi çok güzel") > 0


@BOTH
def test_a_long_text_is_known_by_its_beginning() -> None:
    """What comes after some pages does not change the language."""
    assert detect_language("bu çok güzel bir gün " * 300 + "the end of it " * 9000) == "tr"
    assert detect_language("it was a fine day " * 300 + "sonra hep birlikte eve gittik " * 9000) == "en"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        *english(
            ("im allergic to penicillin", "i'm allergic to penicillin"),
            ("IM a vegetarian", "I'M a vegetarian"),
            ("he doesnt eat meat and she dont care", "he doesn't eat meat and she don't care"),
            ("ive moved", "i've moved"),
            ("id like to go", "i'd like to go"),
            ("ill be in Rome", "i'll be in Rome"),
            ("my id is 5", "my id is 5"),
            ("I was ill and well", "I was ill and well"),
            ("the shell and its id were off", "the shell and its id were off"),
            ("a im-port of hes.txt", "a im-port of hes.txt"),
        ),
        *turkish(
            ("evim çok güzel im", "evim çok güzel im"),
            ("benim id like değil", "benim id like değil"),
            ("çünkü wont dediler", "çünkü wont dediler"),
            ("şu ive markası", "şu ive markası"),
            ("yarın geleceğim dont", "yarın geleceğim dont"),
            ("Ali'nin kedisi", "Ali'nin kedisi"),
            ("kızım Elif", "kızım Elif"),
            ("değilim", "değilim"),
            ("im ve ım", "im ve ım"),
            ("çayım var", "çayım var"),
        ),
    ],
)
def test_contractions_get_their_apostrophe(text: str, written: str) -> None:
    """Words of their own only where the next word decides, and Turkish words never."""
    assert spelled(text) == written


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *english(
            ("im allergic to penicillin", Kind.PREFERENCE),
            ("im a vegetarian", Kind.FACT),
            ("I dont eat pork", Kind.PREFERENCE),
            ("ive moved to Berlin", Kind.FACT),
        ),
        *turkish(
            ("penisiline alerjim var", Kind.PREFERENCE),
            ("vejetaryenim", Kind.PREFERENCE),
            ("domuz eti yemiyorum", Kind.PREFERENCE),
            ("Berline taşındım", Kind.FACT),
        ),
    ],
)
def test_what_is_typed_in_haste_has_its_class(text: str, kind: Kind) -> None:
    """The patterns of the classes know one spelling."""
    assert category(text) is kind


@NEITHER
@given(st.text(max_size=100))
def test_nothing_but_apostrophes_is_added(text: str) -> None:
    """Without them the text is what it was."""
    assert spelled(text).replace("'", "") == text.replace("'", "")


@NEITHER
@pytest.mark.parametrize("text", ["ıd like to live in Oslo", "I doeſnt know", "İm here", "DONT", "ıve İve"])
def test_letters_that_only_look_alike_are_left_alone(text: str) -> None:
    """A dotless ı and a long s are like i and s to a pattern that passes over case, and to no list."""
    assert spelled(text).replace("'", "") == text
