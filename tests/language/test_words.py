"""Cutting text into words."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.text.words import CHUNK_MAX, WORD_MAX, words_of
from tests.spoken import BOTH, NEITHER, TURKISH, english, neither, turkish


@pytest.mark.parametrize(
    ("chunk", "language", "words"),
    [
        *english(
            ("Caroline's", "en", ["caroline"]),
            ("Caroline’s,", "en", ["caroline"]),
            ("(hello)", "en", ["hello"]),
            ("don't", "en", ["dont"]),
            ("I'll", "en", ["i"]),
            ("O'Brien", "en", ["o", "brien", "obrien"]),
            ("U.S.A.", "en", ["usa"]),
            ("e-mail", "en", ["e", "mail", "email"]),
            ("mother-in-law", "en", ["mother", "in", "law"]),
            ("snake_case", "en", ["snake", "case"]),
            ("AT&T", "en", ["at", "t", "att"]),
            ("and/or", "en", ["and", "or"]),
            ("#running", "en", ["running"]),
        ),
        *turkish(
            ("(merhaba)", "tr", ["merhaba"]),
            ("Elif’in,", "tr", ["elif"]),
            ("İETT'nin", "tr", ["iett"]),
            ("A.Ş.", "tr", ["aş"]),
            ("T.B.M.M.", "tr", ["tbmm"]),
            ("A.B.D.'de", "tr", ["abd"]),
            ("e-posta", "tr", ["e", "posta", "eposta"]),
            ("Ar-Ge", "tr", ["ar", "ge", "arge"]),
            ("baba-oğul", "tr", ["baba", "oğul"]),
            ("ağabey-kardeş-yeğen", "tr", ["ağabey", "kardeş", "yeğen"]),
            ("sıra_sayısı", "tr", ["sıra", "sayısı"]),
            ("ve/veya", "tr", ["ve", "veya"]),
            ("#koşu", "tr", ["koşu"]),
            ("@ayşe", "tr", ["ayşe"]),
        ),
    ],
)
def test_words_with_signs_inside(chunk: str, language: str, words: list[str]) -> None:
    """Parts are words, and so is the whole where people write it as one."""
    assert words_of(chunk, language) == words


@pytest.mark.parametrize(
    ("chunk", "words"),
    [
        ("C++", ["cplusplus"]),
        ("c++,", ["cplusplus"]),
        ("(C#)", ["csharp"]),
        (".NET", ["dotnet", "net"]),
        ("ASP.NET", ["asp", "net", "aspnet"]),
        ("node.js", ["node", "js", "nodejs"]),
        ("ali.kaya@example.com", ["ali", "kaya", "alikaya", "example", "com", "examplecom"]),
        ("https://www.example.com/a?b=ruby", ["example", "com", "examplecom", "a", "b", "ruby"]),
    ],
)
@NEITHER
def test_names_of_the_trade(chunk: str, words: list[str]) -> None:
    """Languages, addresses and files are found by what one types."""
    assert words_of(chunk, "en") == words


@pytest.mark.parametrize(
    ("chunk", "language", "words"),
    [
        *english(("7th", "en", ["7"]), ("1,000", "en", ["1000"]), ("3.5", "en", ["3·5"])),
        *turkish(
            ("7'sinde", "tr", ["7"]),
            ("10'uncu", "tr", ["10"]),
            ("1.000", "tr", ["1000"]),
            ("1.234,56", "tr", ["1234·56"]),
            ("3,5", "tr", ["3·5"]),
        ),
        *neither(
            ("07", "en", ["7"]),
            ("000", "en", ["0"]),
            ("5km", "en", ["5", "km"]),
            ("14:30", "en", ["14", "30"]),
            ("1.000.000", "en", ["1000000"]),
            ("07.05.2023", "en", ["7", "5", "2023"]),
            ("2023-05-07", "en", ["2023", "5", "7"]),
            ("v1.2.3", "en", ["1·2·3", "1·2"]),
            ("٣", "en", ["3"]),
        ),
    ],
)
def test_numbers(chunk: str, language: str, words: list[str]) -> None:
    """One number has one form, however it is grouped, filled up or inflected."""
    assert words_of(chunk, language) == words


@pytest.mark.parametrize(
    ("chunk", "words"),
    [
        *english(("Caroline's", ["caroline"])),
        *turkish(
            ("İstanbul'da", ["istanbul"]),
            ("İstanbul’daki", ["istanbul"]),
            ("ISPARTA", ["ısparta"]),
            ("Ayşe'nin", ["ayşe"]),
            ("O'Brien'ın", ["o", "brien", "obrien"]),
        ),
    ],
)
def test_turkish_names_lose_what_follows_the_apostrophe(chunk: str, words: list[str]) -> None:
    """The case ending is no part of the name."""
    assert words_of(chunk, "tr") == words


@NEITHER
def test_scripts_without_blanks_are_found_by_pairs() -> None:
    """Any two neighbouring signs are a word, and Chinese signs singly too."""
    assert words_of("日本語", "en") == ["日本", "本語", "日", "本", "語"]
    assert words_of("서울에서", "en") == ["서울", "울에", "에서"]
    assert words_of("iPhone手机", "en") == ["iphone", "手机", "手", "机"]
    assert {"สว", "วั"} <= set(words_of("สวัสดี", "en"))


@TURKISH
def test_marks_belong_to_their_words() -> None:
    """Hindi vowel signs do not cut a word, decomposed letters are the composed ones."""
    assert words_of("हिन्दी", "en") == ["हिन्दी"]
    assert words_of(unicodedata.normalize("NFD", "çağrı"), "tr") == ["çağrı"]


@BOTH
def test_wide_letters_and_ligatures_are_ordinary_ones() -> None:
    """What only looks different is the same word."""
    assert words_of("Ｈｅｌｌｏ", "en") == words_of("hello", "en")
    assert words_of("ﬁnd", "en") == ["find"]
    assert words_of("ｇüｎ", "tr") == words_of("gün", "tr")
    assert words_of("ﬁldişi", "tr") == ["fildişi"]


@NEITHER
def test_emoji_are_words() -> None:
    """Each sign is one, without the tone of its skin; a flag is one."""
    assert words_of("😀👍🏽🇹🇷", "en") == ["😀", "👍", "🇹🇷"]


@NEITHER
def test_what_holds_no_word_gives_none() -> None:
    """Signs, controls and lone surrogates are no words, and cut them."""
    assert words_of("--!?\x00\ud800¦", "en") == []
    assert words_of("a\x00b\ud83dc¦d", "en") == ["a", "b", "c", "d"]


@NEITHER
def test_a_long_word_is_cut_into_pieces() -> None:
    """Each piece is found, the last one too."""
    pieces = words_of("a" * (2 * WORD_MAX) + "end", "en")
    assert pieces == ["a" * WORD_MAX, "a" * WORD_MAX, "end"]


@NEITHER
@given(st.text(alphabet=st.sampled_from("abc ıİ9.,'-_+#@/日ü\u0301😀¦\ud800\x00"), max_size=2 * CHUNK_MAX))
def test_words_are_short_and_clean(text: str) -> None:
    """Whatever the text, a word has at most 64 characters, all letters, marks, digits or signs."""
    for language in ("en", "tr"):
        for word in words_of(text, language):
            assert 0 < len(word) <= WORD_MAX
            assert not {*word} & {*" .,'-_+#@/¦\x00\ud800"}


@NEITHER
@given(st.text())
def test_a_text_of_any_characters_is_read(text: str) -> None:
    """No text fails, and no word holds a blank, a control or a surrogate."""
    for language in ("en", "tr"):
        categories = {unicodedata.category(sign) for word in words_of(text, language) for sign in word}
        assert not categories & {"Cc", "Cs", "Zs", "Zl", "Zp"}
