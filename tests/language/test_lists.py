"""The data files: found, without their headers, and each with a word on where it is from."""

from __future__ import annotations

import re

import pytest

from reverie.language.text import lists
from reverie.recipes.published.v9 import WORDS
from tests.spoken import BOTH, ENGLISH, NEITHER, TURKISH, english, turkish

FILES = sorted(path.name.removesuffix(".txt") for path in lists.DATA.iterdir() if path.suffix == ".txt")


def listed(file: str) -> list[str]:
    """The lists of a file, as they are called."""
    group, _, language = file.partition(".")
    return [f"{group}/{name}.{language}" if name else file for name in lists.sections(lists.DATA / f"{file}.txt")]


NAMES = [name for file in FILES for name in listed(file)]


@NEITHER
@pytest.mark.parametrize("file", FILES)
def test_every_list_says_what_it_is_and_where_from(file: str) -> None:
    """Each header names the source, in a file of several lists each list's."""
    text = (lists.DATA / f"{file}.txt").read_text("utf-8")
    header = " ".join(line for line in text.splitlines() if line.startswith("# "))
    assert header.count("Source: ") >= len(listed(file))


@NEITHER
@pytest.mark.parametrize("name", NAMES)
def test_no_entry_is_given_twice(name: str) -> None:
    """Nor is a list empty."""
    entries = lists.entries(name)
    assert entries
    assert len(set(entries)) == len(entries)


@BOTH
def test_lists_that_are_read_together_stand_in_one_file() -> None:
    """Each below its name."""
    assert lists.entries("tense/clause-breaks.en")[0] == "[,;:()—–]"
    assert lists.entries("manner/telling-self.tr") == lists.sections(lists.DATA / "manner.tr.txt")["telling-self"]


PATTERN_SIGNS = re.compile(r"\\[A-Z]|\(\?P<")


@NEITHER
@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith((".en", ".tr"))])
def test_words_are_in_lower_case(name: str) -> None:
    """Words are compared in lower case, so an entry with a capital would never match; patterns have none either.

    But for what is no letter of the text: an escape such as backslash W, and the P that names a group.
    """
    entries = [PATTERN_SIGNS.sub("", entry) for entry in lists.entries(name)]
    assert [entry for entry in entries if entry != entry.lower()] == []


@ENGLISH
def test_the_lists_of_verbs_agree() -> None:
    """Verbs that begin a clause are verbs or auxiliaries; what goes beyond the past tenses repeats none of them."""
    assert lists.words("verbs-base.en") <= lists.words("verbs.en", WORDS) | lists.words("auxiliaries.en", WORDS)
    assert lists.words("pasts.en").isdisjoint(lists.words("verbs-unbent.en", WORDS) | lists.words("perfects.en", WORDS))


@ENGLISH
def test_the_english_index_stop_list_is_the_classic_one() -> None:
    """33 words and "i"; none carries content."""
    assert len(lists.words("stop-index.en")) == 34
    assert {"the", "and", "i"} < lists.words("stop-index.en")
    assert "you" not in lists.words("stop-index.en")


@TURKISH
def test_the_turkish_index_stop_list_is_as_short() -> None:
    """Particles, connectives and the pronouns that stand alone; none carries content, and who and where are kept."""
    assert len(lists.words("stop-index.tr")) == 35
    assert {"ve", "için", "mı", "ben"} < lists.words("stop-index.tr")
    assert not {"sen", "kim", "nerede", "değer"} & lists.words("stop-index.tr")


@BOTH
def test_a_table_gives_each_key_its_values() -> None:
    """A line "key: a, b" is a key and a tuple."""
    assert lists.table("spelled-out")["c++"] == ("cplusplus",)
    assert lists.table("time-words.en")["month 9"] == ("september", "sep", "sept")
    assert lists.table("time-words.tr")["month 9"] == ("eylül",)


@NEITHER
def test_alternatives_put_the_longest_first() -> None:
    """So that a short entry never hides a long one."""
    found = lists.alternatives("counted.en").split("|")
    assert [len(word) for word in found] == sorted((len(word) for word in found), reverse=True)


@pytest.mark.parametrize(
    "name", [*english("endings.en", "verb-endings.en"), *turkish("endings.tr", "verb-endings.tr", "place-endings.tr")]
)
def test_an_ending_is_found_at_the_end_alone(name: str) -> None:
    """Every entry of a list of endings, behind anything; not before it, and not cut short."""
    for ending in lists.entries(name):
        assert lists.has_ending(f"qqqq{ending}", name)
        assert not lists.has_ending(f"{ending}qqqq", name)
    assert not lists.has_ending("", name)


@NEITHER
@pytest.mark.parametrize("name", [name for name in NAMES if "endings" in name])
def test_an_ending_is_found_as_by_looking_at_all(name: str) -> None:
    """Only entries with the word's last letter are compared; none is missed and none is found too often."""
    entries = lists.entries(name)
    words = ["", "x", *entries, *(f"kap{entry}" for entry in entries), *(f"{entry}q" for entry in entries)]
    assert [lists.has_ending(word, name) for word in words] == [word.endswith(entries) for word in words]
