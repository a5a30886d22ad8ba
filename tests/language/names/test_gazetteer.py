"""Known names among the words of a text."""

from __future__ import annotations

import pytest

from reverie.language.names.entities import KINDS, is_doubtful_name, is_given_name, listed_at, slug, words_in
from reverie.language.text import lists
from tests.spoken import BOTH, NEITHER, TURKISH, english, neither, turkish


@TURKISH
def test_words_have_core_ending_and_place() -> None:
    """Punctuation and endings are taken off, sentences and lines begin anew."""
    words = words_in("Redis'e (yeni) geçtik. Hız iyi\nama/fakat!")
    assert [word.core for word in words] == ["Redis", "yeni", "geçtik", "Hız", "iyi", "ama", "fakat"]
    assert words[0].ending == "e"
    assert [word.initial for word in words] == [True, False, False, True, False, True, False]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *english(
            ("Visual Studio Code", ("vscode", 3)), ("Visual Studio 2022", ("visual-studio", 2)), ("new shoes", None)
        ),
        *turkish(
            ("Türk Hava Yolları'nda", ("turkish-airlines", 3)),
            ("New York'ta", ("new-york", 2)),
            ("Amerika Birleşik Devletleri'nden", ("united-states", 3)),
            ("Antep'e", ("gaziantep", 1)),
            ("yeni ayakkabı", None),
            ("Güney yamaç", None),
        ),
    ],
)
def test_the_longest_name_counts(text: str, found: tuple[str, int] | None) -> None:
    """A name of several words before one inside it."""
    hit = listed_at(words_in(text), 0)
    assert (hit and (hit[0].slug, hit[1])) == found


@TURKISH
def test_short_names_need_their_own_letters() -> None:
    """CIN is not Çin."""
    assert listed_at(words_in("CIN"), 0) is None
    assert listed_at(words_in("Çin"), 0) is not None


@TURKISH
def test_bare_endings_count_in_turkish_only() -> None:
    """Ankarada; derived words are no forms of the name."""
    assert listed_at(words_in("Ankarada"), 0) is None
    assert listed_at(words_in("Ankarada"), 0, turkish=True) is not None
    assert listed_at(words_in("Hollandaca"), 0, turkish=True) is None


@BOTH
def test_given_names_may_be_words() -> None:
    """Some are doubtful."""
    assert is_given_name("Emily")
    assert is_given_name("Deniz")
    assert not is_given_name("Table")
    assert is_doubtful_name("Deniz")
    assert not is_doubtful_name("Emily")


@pytest.mark.parametrize(
    ("name", "made"),
    [
        *turkish(("Ayşe Yılmaz", "ayse-yilmaz"), ("İstanbul", "istanbul"), ("Kâğıthane", "kagithane")),
        *english(("AT&T", "at-t")),
        *neither(("Łódź", "lodz"), ("東京", "東京")),
    ],
)
def test_a_slug_is_plain(name: str, made: str) -> None:
    """Lower case, without diacritics and signs."""
    assert slug(name) == made


@NEITHER
@pytest.mark.parametrize("kind", KINDS)
def test_every_listed_name_is_found_again(kind: str) -> None:
    """Each spelling of the lists leads to a slug, none of them to nothing."""
    for spellings in lists.table(f"entities-{kind}").values():
        for spelling in spellings:
            assert listed_at(words_in(spelling.removesuffix("!")), 0) is not None, spelling
