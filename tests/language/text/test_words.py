from __future__ import annotations

import re
import unicodedata
from itertools import combinations
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reverie.language.text.analyzer import index_terms, read, reading
from reverie.language.text.words import (
    CHUNK_MAX,
    COUNT,
    LINK,
    NAME,
    OPENER,
    OTHER,
    SURE,
    WORD,
    WORD_MAX,
    expression,
    shape,
    stem,
    words_of,
)
from tests.spoken import BOTH, ENGLISH, NEITHER, TURKISH, english, neither, turkish


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


@NEITHER
def test_it_finds_what_the_compiled_pattern_finds() -> None:
    """Every method and attribute, at the first use and after it."""
    waiting, compiled = expression(r"(?P<word>te\w)", re.IGNORECASE), re.compile(r"(?P<word>te\w)", re.IGNORECASE)
    for _ in range(2):
        assert waiting.findall("Tea and teak") == compiled.findall("Tea and teak")
        assert waiting.sub("x", "tea", 1) == "x"
        assert [match.span() for match in waiting.finditer("a tea")] == [(2, 5)]
        assert (waiting.pattern, waiting.flags, waiting.groupindex) == (
            compiled.pattern,
            compiled.flags,
            compiled.groupindex,
        )


@NEITHER
def test_nothing_is_compiled_before_it_is_needed() -> None:
    """A badly written pattern is told at its first use, and again at the next."""
    waiting = expression("(")
    for _ in range(2):
        with pytest.raises(re.error, match="unterminated"):
            waiting.search("tea")


@pytest.mark.parametrize(
    ("chunk", "language", "kind"),
    [
        *english(
            ("walking", "en", OTHER),
            ("of", "en", LINK),
            ("New", "en", OPENER),
            ("Weather", "en", WORD),
            ("Caroline", "en", NAME),
            ("Caroline's", "en", SURE),
            ("iPhone", "en", SURE),
            ("March", "en", OTHER),
        ),
        *turkish(
            ("yürüyorum", "tr", OTHER),
            ("ve", "tr", OTHER),
            ("Yeni", "tr", OPENER),
            ("Hava", "tr", WORD),
            ("Ayşe", "tr", NAME),
            ("Ayşe'nin", "tr", SURE),
            ("eTwinning", "tr", SURE),
            ("Mart", "tr", OTHER),
        ),
        *neither(("15", "en", COUNT), ("15", "tr", COUNT), ("v2.1.0", "en", SURE), ("v2.1.0", "tr", SURE)),
    ],
)
def test_the_kind_of_a_run(chunk: str, language: str, kind: int) -> None:
    """By capitals, digits, endings and the lists of either language."""
    assert shape(chunk, language).kind == kind


@pytest.mark.parametrize(
    ("chunk", "language", "core", "stands"),
    [
        *english(
            ("kite", "en", "kite", (False, False, False)),
            ("kite,", "en", "kite", (False, True, False)),
            ("(kite).", "en", "kite", (True, True, True)),
            ("“Kite!”", "en", "Kite", (True, True, True)),
        ),
        *turkish(
            ("uçurtma", "tr", "uçurtma", (False, False, False)),
            ("Uçurtmayı;", "tr", "Uçurtmayı", (False, True, False)),
            ("(İzmir'de).", "tr", "İzmir", (True, True, True)),
            ("«Uçurtma!»", "tr", "Uçurtma", (True, True, True)),
        ),
        *neither(("—", "en", "", (True, False, False)), ("...", "en", "", (False, True, True))),
    ],
)
def test_how_a_run_stands_in_what_it_is_part_of(
    chunk: str, language: str, core: str, stands: tuple[bool, bool, bool]
) -> None:
    """What stands around the word says where a name or a sentence ends."""
    seen = shape(chunk, language)
    assert (seen.core, (seen.opens, seen.closes, seen.ends_sentence)) == (core, stands)


@BOTH
def test_a_capital_at_a_sentence_s_beginning_may_be_a_verb_s() -> None:
    """Told by the ending, in either language."""
    assert shape("Jogging", "en").like_verb
    assert shape("Gidiyorum", "tr").like_verb
    assert not shape("Caroline", "en").like_verb
    assert not shape("Ayşe", "tr").like_verb


@NEITHER
def test_a_very_long_run_is_no_part_of_a_name() -> None:
    """It is not even looked at."""
    assert shape("A" * 65, "en").kind == OTHER


LETTERS = "abcdefghijklmnopqrstuvwxyz"


@ENGLISH
def test_a_run_has_terms_content_and_a_shape() -> None:
    """Stop words carry no term, function words no content, and a name is seen as one."""
    of, before, melanie = read(["of", "before", "Melanies,"], "en")
    assert (of.terms, of.content) == ((), ())
    assert (before.terms, before.content) == (("befor",), ())
    assert (melanie.terms, melanie.content) == (("melani",), (("melani", "melanies"),))
    assert (before.shape.kind, melanie.shape.kind) == (OTHER, NAME)


@TURKISH
def test_a_turkish_run_has_them_too() -> None:
    """A stop word carries no term, a function word no content, and a name keeps its shape under its endings."""
    ve, once, zeynep = read(["ve", "önce", "Zeynepler,"], "tr")
    assert (ve.terms, ve.content) == ((), ())
    assert (once.terms, once.content) == (("once",), ())
    assert (zeynep.terms, zeynep.content) == (("zeyne",), (("zeyne", "zeynepler"),))
    assert (once.shape.kind, zeynep.shape.kind) == (OTHER, NAME)


@TURKISH
def test_a_turkish_run_is_read_by_turkish_rules() -> None:
    """The ending after the apostrophe goes, the capital I becomes ı."""
    (run,) = read(["ISPARTA'da"], "tr")
    assert run.content == (("ispar", "ısparta"),)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *english(("The kids went home", "en")),
        *turkish(("Çocuklar eve gitti", "tr")),
        *neither(("", "en")),
    ],
)
def test_the_language_is_told_unless_given(text: str, language: str) -> None:
    """And the other one is taken if it is given."""
    assert reading(text).language == language
    assert reading(text, "tr").language == "tr"


@pytest.mark.parametrize(
    ("one", "other"), [*english(("red kite", "blue  boat")), *turkish(("kırmızı uçurtma", "mavi  tekne"))]
)
def test_a_text_is_cut_into_lines_where_it_has_several(one: str, other: str) -> None:
    """Each line with its own runs; a text of one line is that line."""
    text = reading(f"{one}\n\n{other}\n")
    assert [len(line) for line in text.lines()] == [2, 0, 2]
    assert [run.terms for line in text.lines() for run in line] == [run.terms for run in text.chunks]
    assert [len(line) for line in reading(f"{one}\n").lines()] == [2]


@pytest.mark.parametrize(
    ("often", "last", "language"), [*english(("kite", "boat", "en")), *turkish(("uçurtma", "tekne", "tr"))]
)
def test_a_long_run_is_read_whole_and_its_content_by_its_beginning(often: str, last: str, language: str) -> None:
    """Its terms are all there; what it is about is taken from its first letters."""
    (run,) = read([f"{often}," * CHUNK_MAX + last], language)
    assert run.terms[-1] == last
    assert len(run.terms) > CHUNK_MAX
    assert {word for _, word in run.content} == {often}
    assert len(run.content) <= WORD_MAX // len(often)


@NEITHER
@given(st.text(max_size=200), st.sampled_from(["en", "tr"]))
def test_what_was_kept_is_what_would_be_read_anew(text: str, language: str) -> None:
    """Asked twice, alone and in company, a text has the same terms."""
    anew = [term for chunk in text.split() for run in read([chunk], language) for term in run.terms]
    assert reading(text, language).terms() == index_terms(text, language) == anew


@NEITHER
@given(st.text(LETTERS, min_size=1, max_size=WORD_MAX - 1), st.sampled_from(["en", "tr"]))
@example("of", "en")
@example("before", "en")
@example("ve", "tr")
def test_a_plain_word_is_read_like_one_with_a_comma(word: str, language: str) -> None:
    """The short way for plain letters gives what the long way gives; the comma says only that something ends."""
    plain, closed = read([word, word + ","], language)
    assert (plain.terms, plain.content) == (closed.terms, closed.content)
    assert plain.shape._replace(closes=True) == closed.shape


FAMILIES = [
    line.split()
    for line in (Path(__file__).parents[1] / "data" / "forms.tr.txt").read_text("utf-8").splitlines()
    if line
]


@pytest.mark.parametrize(
    ("word", "language", "term"),
    [
        *english(("running", "en", "run"), ("caroline", "en", "carolin"), ("cafés", "en", "cafe")),
        *turkish(
            ("güzelliği", "tr", "guzel"),
            ("arkadaşımla", "tr", "arkad"),
            ("evde", "tr", "ev"),
            ("ayşe", "tr", "ayse"),
        ),
        *neither(
            ("2023", "tr", "2023"), ("20231105", "tr", "20231105"), ("日本", "en", "日本"), ("ёлка", "tr", "ёлка")
        ),
    ],
)
def test_a_word_gives_its_term(word: str, language: str, term: str) -> None:
    """Worked examples; numbers and other scripts stay."""
    assert stem(word, language) == term


@pytest.mark.parametrize("word", turkish("istanbul", "ıstanbul", "istanbulda", "istanbuldan", "istanbula"))
def test_turkish_forms_of_a_city_meet(word: str) -> None:
    """Written with either i, with or without a case ending, it is one term."""
    assert stem(word, "tr") == stem("istanbul", "tr")


@TURKISH
def test_no_two_turkish_words_fall_together() -> None:
    """Of 42 families of everyday words, no form of one has the term of another."""
    terms = [{stem(form, "tr") for form in family} for family in FAMILIES]
    assert [
        (FAMILIES[a][0], FAMILIES[b][0]) for a, b in combinations(range(len(terms)), 2) if terms[a] & terms[b]
    ] == []


@TURKISH
def test_most_forms_of_a_turkish_word_fall_together() -> None:
    """Two forms of a word share a term in at least two of three pairs; the stemmer alone does it in four of ten."""
    pairs = [pair for family in FAMILIES for pair in combinations(family, 2)]
    met = sum(stem(one, "tr") == stem(other, "tr") for one, other in pairs)
    assert met / len(pairs) >= 2 / 3


@ENGLISH
def test_threads_do_not_mix_up_words() -> None:
    """Two threads stem at once, and each gets its own words' stems."""
    wrong: list[str] = []

    def work(word: str, term: str) -> None:
        wrong.extend(found for _ in range(2000) if (found := stem(word, "en")) != term)

    threads = [Thread(target=work, args=pair) for pair in [("running", "run"), ("houses", "hous")]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
