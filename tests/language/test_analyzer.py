"""Index and query terms."""

from __future__ import annotations

import re
import string
from importlib import metadata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.text import analyzer
from reverie.language.text.analyzer import index_terms, query_terms, stems
from reverie.language.text.words import CHUNK_MAX
from tests.spoken import BOTH, ENGLISH, NEITHER, TURKISH, english, turkish

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
