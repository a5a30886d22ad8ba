from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.text import lists, patterns
from reverie.language.text.patterns import MASK, is_question, masked, sentences
from reverie.recipes.published.v9 import WORDS
from tests.spoken import BOTH, ENGLISH, NEITHER, TURKISH, english, neither, turkish

ALPHABET = string.ascii_lowercase + string.digits + " .,;:!?'’-/()\"\n"

LABELLED = [("route", WORDS), ("hyde-intent", WORDS), ("category", lists.DATA)]
TENSES = [f"tense/{name}" for name in ("future", "future-not", "past", "habit", "vague", "ahead", "set-for")]
PLAIN = [
    *((name, lists.DATA) for name in (*TENSES, "question/asks-ahead")),
    *((name, WORDS) for name in ("also", "and-question", "asks", "of-two")),
]


@BOTH
@pytest.mark.parametrize(("name", "folder"), LABELLED)
def test_both_languages_know_the_same_labels(name: str, folder: Path) -> None:
    """What can be told in English can be told in Turkish."""
    english, turkish = (
        {entry.partition(": ")[0] for entry in lists.entries(f"{name}.{language}", folder)} for language in ("en", "tr")
    )
    assert english == turkish


@pytest.mark.parametrize(("name", "folder"), PLAIN)
@pytest.mark.parametrize("language", [*english("en"), *turkish("tr")])
def test_every_pattern_compiles_and_none_matches_nothing(name: str, folder: Path, language: str) -> None:
    """A pattern that matched the empty text would match every text."""
    assert patterns.any_of(f"{name}.{language}", folder).search("") is None


@BOTH
def test_the_first_label_of_the_list_wins() -> None:
    """A question about why and when is about why."""
    assert patterns.label("route", "Why and when did we move to Oslo?", WORDS) == "causal"
    assert patterns.label("route", "Oslo'ya neden ve ne zaman taşındık?", WORDS) == "causal"


@BOTH
def test_a_text_without_evidence_is_read_in_both_languages() -> None:
    """A bare word may be either."""
    assert patterns.read("Oslo 2020").languages == ("en", "tr")
    assert patterns.read("What was it?").languages == ("en",)
    assert patterns.read("Ne zamandı?").languages == ("tr",)


@pytest.mark.parametrize(
    ("plan", "quoted", "question"),
    [
        *english(("I will go", 'The sign says "I will go"', '"why"')),
        *turkish(("Yarın gideceğim", 'Kâğıtta "Yarın gideceğim" yazıyor', '"neden"')),
    ],
)
def test_what_is_quoted_says_nothing(plan: str, quoted: str, question: str) -> None:
    """Patterns do not read quotations."""
    assert patterns.found("tense/future", plan)
    assert not patterns.found("tense/future", quoted)
    assert patterns.label("route", question, WORDS) is None


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        *english(
            ("I live in Oslo. I like it!", ["I live in Oslo.", "I like it!"]),
            ("Dr. Smith called at 5.30 p.m. today", ["Dr. Smith called at 5.30 p.m. today"]),
            ("He said “Stop. Now.” and left. Then rain.", ["He said “Stop. Now.” and left.", "Then rain."]),
            ("one line\nanother line", ["one line", "another line"]),
            ("It was 2019. We moved.", ["It was 2019.", "We moved."]),
        ),
        *turkish(
            ("Oslo'da yaşıyorum. Seviyorum!", ["Oslo'da yaşıyorum.", "Seviyorum!"]),
            ("Dr. Yılmaz 5.30'da aradı", ["Dr. Yılmaz 5.30'da aradı"]),
            ("“Dur. Hemen.” dedi ve gitti. Sonra yağmur.", ["“Dur. Hemen.” dedi ve gitti.", "Sonra yağmur."]),
            ("bir satır\nbaşka satır", ["bir satır", "başka satır"]),
            ("Bu 20. yüzyılda oldu. Şimdi değil.", ["Bu 20. yüzyılda oldu.", "Şimdi değil."]),
        ),
        *neither(("", []), (" \n ", [])),
    ],
)
def test_sentences_of_a_text(text: str, cut: list[str]) -> None:
    """Stops, lines and question marks end a sentence; abbreviations, numbers and quotations do not."""
    assert list(sentences(text)) == cut


@NEITHER
@given(st.text(max_size=300))
def test_nothing_but_white_space_is_left_out(text: str) -> None:
    """Whatever the text, its sentences hold all of it."""
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@NEITHER
@given(st.text(max_size=300))
def test_a_masked_text_keeps_its_places(text: str) -> None:
    """Masking changes no length, and every sign it leaves is where it was."""
    hidden = masked(text)
    assert len(hidden) == len(text)
    assert all(sign in (MASK, own) for sign, own in zip(hidden, text, strict=True))


@pytest.mark.parametrize(
    "foreign", ['"quoted"', "“quoted”", "`code`", "```\ncode\n```", "https://example.org/a", "«söz»"]
)
@NEITHER
def test_quotations_code_and_addresses_are_masked(foreign: str) -> None:
    """What somebody else wrote is not read."""
    assert masked(f"a: {foreign} b") == f"a: {MASK * len(foreign)} b"


@pytest.mark.parametrize(
    ("sentence", "asks"),
    [
        *english(("Really?", True), ("(Really?)", True), ("Really? Yes, it is so.", False)),
        *turkish(("Gerçekten mi?", True), ("(Gerçekten mi?)", True), ("Gerçekten mi? Evet, öyle.", False)),
    ],
)
def test_a_question_ends_in_its_mark(sentence: str, asks: bool) -> None:
    """Also with a bracket behind it."""
    assert is_question(sentence) is asks


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
