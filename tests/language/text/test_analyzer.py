from __future__ import annotations

import re
import string
from importlib import metadata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.text import analyzer, lists
from reverie.language.text.analyzer import (
    KEYWORDS_MAX,
    asked_terms,
    index_terms,
    keywords,
    other_forms,
    query_terms,
    self_terms,
    stems,
    time_terms,
    without_frame,
)
from reverie.language.text.words import CHUNK_MAX
from tests.spoken import BOTH, ENGLISH, NEITHER, TURKISH, english, neither, turkish

ANY_TEXT = st.text(st.characters(codec=None, categories=None), max_size=400)
ODD_TEXT = st.text(
    alphabet=st.sampled_from([*string.printable, *"¦ıİşçñ日😀\x00\ud800\udc00\u0301\u200d\u2028½ﷺ"]), max_size=400
)


def searched(question: str) -> set[str]:
    """Every stem that is searched for."""
    return {stem for term in query_terms(question) for stem in stems(term)}


@NEITHER
def test_the_version_tells_another_stemmer() -> None:
    """Its release is part of the version, as its stems are part of the index."""
    release = metadata.version("PyStemmer")
    assert analyzer.version() == f"{analyzer.ANALYZER} {release}"


@ENGLISH
def test_english_words_are_stemmed_and_stop_words_dropped() -> None:
    """In the order of the text, with repeats."""
    assert index_terms("The dogs were running; I saw the dog run!") == ["dog", "were", "run", "saw", "dog", "run"]


@TURKISH
def test_turkish_words_are_stemmed_and_stop_words_dropped() -> None:
    """Forms of one word give one term."""
    assert index_terms("Kedim ve kediler çok güzel") == ["kedi", "kedi", "cok", "guzel"]


@TURKISH
@pytest.mark.parametrize("form", ["istanbul", "İstanbul", "ISTANBUL", "İSTANBUL", "İstanbul'da", "istanbulda"])
def test_one_city_is_one_term(form: str) -> None:
    """However it is written in a Turkish text."""
    assert index_terms(form, "tr") == index_terms("istanbul", "tr")


@TURKISH
@pytest.mark.parametrize(
    ("typed", "written"), [("cok guzel bir sehir", "çok güzel bir şehir"), ("dogum gunu", "doğum günü")]
)
def test_turkish_typed_on_an_english_keyboard_is_found(typed: str, written: str) -> None:
    """The terms of the question stand in the index of the text."""
    assert searched(typed) & set(index_terms(written, "tr")) == set(index_terms(written, "tr"))


@BOTH
def test_a_question_is_searched_for_without_its_question_words() -> None:
    """Only the subject is left."""
    assert query_terms("When did I tell you about the support group?") == ("support", "group")
    assert query_terms("Sana hangi destek grubunu anlatmıştım?") == ("deste|destek", "grup|grubunu")


@pytest.mark.parametrize(
    "question",
    [
        *english("what?", "who are you"),
        *turkish("ne?", "kim bu", "Nasıl?"),
    ],
)
def test_a_question_of_question_words_keeps_them(question: str) -> None:
    """Something is searched for, always."""
    assert query_terms(question)


@NEITHER
@pytest.mark.parametrize("empty", ["", "  \n", "?!", "\x00", "\ud800"])
def test_nothing_to_search_for_is_no_term(empty: str) -> None:
    """A question without a word has no terms."""
    assert query_terms(empty) == ()


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        *english(("the dog, your dogs and the dog's running", ("dog", "run|ran"))),
        *turkish(("köpeğim, köpeğin ve köpekler", ("kopek|kopegim|kopegin|kopekl",))),
    ],
)
def test_terms_of_a_question_are_distinct(question: str, terms: tuple[str, ...]) -> None:
    """A repeated word counts once."""
    assert query_terms(question) == terms


@ENGLISH
def test_may_inside_a_question_is_the_month() -> None:
    """At its beginning, or in lower case, it is the verb."""
    assert "may" in query_terms("What did I say in May 2023?")
    assert "may" not in query_terms("May I ask what I may eat with ketchup?")


@TURKISH
@pytest.mark.parametrize("typed", ["KIRMIZI ARABAYI SATTIK.", "kirmizi arabayi sattik.", "Kırmızı arabayı sattık."])
def test_turkish_in_capitals_or_without_its_letters_is_found(typed: str) -> None:
    """Nothing in it tells that it is Turkish, so it was stemmed as English is."""
    held = set(index_terms(typed))
    wanted = query_terms("kırmızı arabayı ne yaptık?")
    assert [not held.isdisjoint(stems(term)) for term in wanted] == [True, True, False]


@BOTH
def test_a_name_is_searched_for_in_both_languages() -> None:
    """It was stemmed by the language around it, which the question does not know."""
    name = "Caroline"
    both = {*index_terms(name, "en"), *index_terms(name, "tr")}
    assert both <= searched("Where does Caroline work?")
    assert both <= searched("Caroline'ın işi ne?")


@BOTH
def test_words_of_uncertain_language_are_searched_for_in_both() -> None:
    """Two bare words do not say which language they are."""
    assert {"bootcamp", "bootc"} <= searched("deniz bootcamp")


@BOTH
def test_a_word_of_uncertain_language_is_one_term() -> None:
    """Its two stems stand together, its own language's first; a word that both stem alike has one."""
    assert query_terms("kedi workshop") == ("kedi", "workshop|works")
    assert query_terms("Where did Melanie hike?") == ("melani|melan", "hike")


@BOTH
def test_each_stem_is_searched_for_once() -> None:
    """What another word has as its own stem is that word's alone."""
    for question in ("workshop works", "Workshop Works works", "kediler kedi kedicik"):
        found = [stem for term in query_terms(question) for stem in stems(term)]
        assert len(found) == len(set(found))
    assert query_terms("bootcamp bootc") == ("bootcamp", "bootc")


@ENGLISH
def test_an_english_question_finds_an_english_text() -> None:
    """Question and text meet in the words they share, in any form."""
    text = "On the 07th we deployed v1.2.3 with C++ and node.js to Zürich"
    for question in ["7", "deployment 1.2.3", "c++", "nodejs", "zurich"]:
        assert searched(question) & set(index_terms(text, "en")), question


@TURKISH
def test_a_turkish_question_finds_a_turkish_text() -> None:
    """Whatever endings stand on the words, also behind an apostrophe."""
    text = "Ayın 07'sinde C++ ve node.js ile yazdığımız v1.2.3'ü Zürih'te yayınladık"
    for question in ["7", "yayınlanan 1.2.3", "c++", "nodejs", "zurih"]:
        assert searched(question) & set(index_terms(text, "tr")), question


@NEITHER
def test_a_text_without_blanks_is_read_like_one_with() -> None:
    """The way that long runs are read gives the words the short way gives."""
    words = ["alpha", "beta", "gamma"] * CHUNK_MAX
    assert index_terms(",".join(words)) == index_terms(" ".join(words))


@NEITHER
@pytest.mark.parametrize(
    "text",
    ["a" * 10**6, "kedi " * 200_000, "a." * 500_000, "猫" * 333_000, "a" + "\u0301\u0316" * 250_000, "1.," * 333_000],
    ids=["letters", "words", "dots", "han", "marks", "numbers"],
)
def test_a_megabyte_is_read_to_its_end(text: str) -> None:
    """What stands last in a megabyte is found; a step that grew with the square would not end."""
    assert index_terms(text + " zebra")[-1] == "zebra"


@NEITHER
@given(st.one_of(ANY_TEXT, ODD_TEXT))
def test_terms_can_be_stored_anywhere(text: str) -> None:
    """Any text gives terms of a-z, 0-9 and characters beyond ASCII; no blank, control, surrogate or broken bar."""
    for term in (*index_terms(text), *index_terms(text, "tr"), *searched(text)):
        assert re.fullmatch(r"(?:[0-9a-z]|[^\x00-\x9f\s¦\ud800-\udfff])+", term)


@NEITHER
@given(st.one_of(ANY_TEXT, ODD_TEXT))
def test_the_same_text_gives_the_same_terms(text: str) -> None:
    """With and without what was kept from before."""
    before = index_terms(text), query_terms(text)
    for kept in (analyzer._english, analyzer._turkish, analyzer._kept):
        kept.cache_clear()
    assert (index_terms(text), query_terms(text)) == before


@NEITHER
@given(st.text(alphabet=string.ascii_letters + "çğıöşü ", max_size=200))
def test_every_word_of_a_text_finds_it(text: str) -> None:
    """A word of the text, asked for alone, shares a term with the text's index in its language."""
    language = analyzer.detect_language(text)
    terms = set(index_terms(text, language))
    for word in text.split():
        own = set(index_terms(word, language))
        assert own <= terms


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        *english(
            ("When did you go camping?", ("go|went|gone", "camp")),
            ("go where she went", ("go|gone", "went")),
        ),
        *turkish(
            ("Hangi şehre gidiyor?", ("sehre|sehr|sehir|sehri", "gidiy|gidiyor|git|gider|gidec|giden|gidip")),
            ("gittiği yere git", ("gitti|gittigi", "yer|yere", "git|gidiy|gider|gidec|giden|gidip")),
        ),
    ],
)
def test_an_irregular_word_is_searched_for_in_all_its_forms(question: str, terms: tuple[str, ...]) -> None:
    """As one term; a form that stands in the question itself is a term of its own."""
    assert query_terms(question) == terms


FOODS_TR = "armut biber ceviz dereotu elma fındık greyfurt havuç incir kabak limon marul nane portakal roka sumak"


@ENGLISH
def test_english_content_words_in_the_order_of_the_text() -> None:
    """Function words are left out."""
    assert keywords("I think my sister Ayşe will move to Berlin because of her new job at Siemens.") == (
        "sister",
        "ayşe",
        "move",
        "berlin",
        "job",
        "siemens",
    )  # fmt: skip -- one line reads better than six


@TURKISH
def test_turkish_content_words_keep_their_letters() -> None:
    """As they read, in Turkish lower case."""
    assert keywords("Kedim Sarman ISPARTA'da çok hasta oldu") == ("kedim", "sarman", "ısparta", "hasta")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *english(("running dogs run; a dog runs", ("running", "dogs"))),
        *turkish(("köpekler bahçede, köpek ise bahçemizde", ("köpekler", "bahçede"))),
    ],
)
def test_forms_of_one_word_are_one_keyword(text: str, found: tuple[str, ...]) -> None:
    """Given by the first of them."""
    assert keywords(text) == found


@pytest.mark.parametrize(
    ("rare", "often"),
    [
        *english((" ".join(f"word{chr(97 + place)}" for place in range(20)), "zebra tiger")),
        *turkish((FOODS_TR, "zebra kaplan")),
    ],
)
def test_the_most_frequent_are_kept(rare: str, often: str) -> None:
    """Of many words those that recur, still in the order of the text."""
    found = keywords(" ".join([rare, *often.split(), *reversed(often.split())]))
    assert len(found) == KEYWORDS_MAX
    assert found[-2:] == tuple(often.split())
    assert found[:3] == tuple(rare.split()[:3])


@pytest.mark.parametrize(
    "text", [*english("the and of"), *turkish("ve ile ama"), *neither("", "12 345", "!?", "\ud800\x00")]
)
def test_a_text_without_content_has_none(text: str) -> None:
    """Numbers and function words are no keywords."""
    assert keywords(text) == ()


@NEITHER
@given(st.text())
def test_never_more_than_twelve_and_none_twice(text: str) -> None:
    """Whatever the text."""
    found = keywords(text)
    assert len(found) <= KEYWORDS_MAX
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("asked", "language", "left"),
    [
        *english(
            ("How often does he row?", "en", "does he row?"),
            ("How many different kinds of kites?", "en", "kites?"),
            ("And what types of boats?", "en", "And boats?"),
            ("What are some of the different sorts of tea?", "en", "tea?"),
        ),
        *turkish(
            ("Kaç farklı çeşit uçurtma?", "tr", "uçurtma?"),
            ("Hangi türden kitaplar?", "tr", "kitaplar?"),
            ("Ne kadar sıklıkta koşuyor?", "tr", "koşuyor?"),
            ("Ne kadar süredir koşuyor?", "tr", "koşuyor?"),
            ("Ne kadar uzun süredir yüzüyor?", "tr", "yüzüyor?"),
            ("Kaç türlü uçurtma var?", "tr", "uçurtma var?"),
            ("Hangi sıklıkla yüzüyor?", "tr", "yüzüyor?"),
        ),
    ],
)
def test_the_words_of_the_frame_go(asked: str, language: str, left: str) -> None:
    """How often, what kinds of; ne sıklıkta, hangi türden."""
    assert " ".join(without_frame(asked, language).split()) == left


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        *english(
            ("It is a long way, and often dark.", "en"),
            ("Which type did she buy?", "en"),
            ("The different kinds of kites", "en"),
        ),
        *turkish(
            ("Bu türün adı ne?", "tr"),
            ("Kaç tane uçurtma?", "tr"),
            ("Aynı türden kitaplar", "tr"),
            ("Yol uzun, sık sık da karanlık.", "tr"),
        ),
    ],
)
def test_the_same_words_elsewhere_stay(asked: str, language: str) -> None:
    """A long way is no "how long", and a type that was bought is a thing."""
    assert without_frame(asked, language) == asked


@pytest.mark.parametrize(
    ("asked", "subject"),
    [
        *english(("How long has the kite been in the harbour?", "the kite in the harbour")),
        *turkish(("Kaç farklı uçurtma bu limanda?", "uçurtma bu limanda")),
    ],
)
def test_a_search_does_without_it(asked: str, subject: str) -> None:
    """What lasts long elsewhere is not found by it."""
    assert query_terms(asked) == query_terms(subject)


@pytest.mark.parametrize(
    ("asked", "terms"),
    [*english(("How long?", ("how", "long"))), *turkish(("Ne sıklıkla?", ("ne", "sikli|siklikla")))],
)
def test_a_question_of_nothing_else_keeps_its_words(asked: str, terms: tuple[str, ...]) -> None:
    """Something has to be searched for."""
    assert query_terms(asked) == terms


@pytest.mark.parametrize(
    ("text", "language"),
    [*english(("my mother told me about our house", "en")), *turkish(("bana bizim evi anlattı, benim annem", "tr"))],
)
def test_who_speaks_of_themselves_is_counted(text: str, language: str) -> None:
    """Three words of the first person, none of the other's."""
    terms = index_terms(text, language)
    assert sum(term in self_terms() for term in terms) == 3
    assert not set(terms) & set(asked_terms())


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *english(("why did your brother leave, and which way", "en")),
        *turkish(("senin kardeşin niye gitti, hangi yöne", "tr")),
    ],
)
def test_who_turns_to_the_other_is_counted(text: str, language: str) -> None:
    """Three words to the other, none of the first person."""
    terms = index_terms(text, language)
    assert sum(term in asked_terms() for term in terms) == 3
    assert not set(terms) & set(self_terms())


@pytest.mark.parametrize(
    "text",
    [*turkish("Bu nedenle şehir büyüdü.", "Neredeyse herkes kaçtı."), *english("Kim Lee lives in a small size flat.")],
)
def test_what_only_sounds_like_it_is_not_counted(text: str) -> None:
    """A cause, an almost, a flight, a name and a measure ask nobody anything."""
    assert not set(index_terms(text)) & set(asked_terms())


@pytest.mark.parametrize(
    ("text", "language"),
    [*english(("two weeks ago, on a Tuesday", "en")), *turkish(("geçen hafta, salı günü", "tr"))],
)
def test_who_tells_when_is_counted(text: str, language: str) -> None:
    """Three words of time; the month of a message is no such word, every message is indexed with it."""
    assert sum(term in time_terms() for term in index_terms(text, language)) == 3
    assert not set(index_terms("May 2023", "en")) & set(time_terms())


@pytest.mark.parametrize(
    ("form", "language", "others"),
    [
        *english(
            ("went", "en", {"go", "gone"}),
            ("go", "en", {"went", "gone"}),
            ("child", "en", {"children"}),
            ("paint", "en", set()),
        ),
        *turkish(
            ("sehir", "tr", {"sehri", "sehr", "sehre"}),
            ("agzi", "tr", {"agiz", "agz", "agza"}),
            ("gider", "tr", {"git", "gidiy", "gidec", "giden", "gidip"}),
            ("masa", "tr", set()),
        ),
    ],
)
def test_the_forms_of_a_word_know_each_other(form: str, language: str, others: set[str]) -> None:
    """Each way, and a regular word has none."""
    assert set(other_forms(form, language)) == others


@pytest.mark.parametrize("language", [*english("en"), *turkish("tr")])
def test_every_line_relates_what_is_indexed_apart(language: str) -> None:
    """A line holds several stems, none of them a word that is never indexed; no stem stands in two lines."""
    seen: set[str] = set()
    for line in lists.entries(f"irregular.{language}"):
        found = [index_terms(word, language) for word in line.split()]
        assert all(len(terms) == 1 for terms in found), line
        here = {terms[0] for terms in found}
        assert len(here) > 1, line
        assert seen.isdisjoint(here), line
        seen |= here
