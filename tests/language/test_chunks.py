"""A text read once for all who ask."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reverie.language.text.analyzer import index_terms, read, reading
from reverie.language.text.words import CHUNK_MAX, NAME, OTHER, WORD_MAX
from tests.spoken import ENGLISH, NEITHER, TURKISH, english, neither, turkish

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
