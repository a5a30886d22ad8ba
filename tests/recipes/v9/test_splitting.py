"""Atomic facts: what is cut, and what must never be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.recipes.published.v9.facts import SENTENCE_MAX, atomic
from tests.spoken import NEITHER, english, turkish

CUT_ENGLISH = [
    ("Alice works at Google and Bob works at Apple.", ("Alice works at Google.", "Bob works at Apple.")),
    ("I live in Berlin and work at Siemens.", ("I live in Berlin.", "I work at Siemens.")),
    ("My sister moved to Oslo; Tom stayed in Bergen.", ("My sister moved to Oslo.", "Tom stayed in Bergen.")),
    ("I'm a fan of Nike and my wife prefers Adidas.", ("I'm a fan of Nike.", "My wife prefers Adidas.")),
    ("Alice moved to Rome, and Bob didn't leave Paris.", ("Alice moved to Rome.", "Bob didn't leave Paris.")),
    ("I don't use Windows; my wife uses Linux.", ("I don't use Windows.", "My wife uses Linux.")),
    ("We met Tom. I like Oslo.", ("We met Tom.", "I like Oslo.")),
    (
        "My mother lives in Izmir, my father lives in Ankara and works at METU.",
        ("My mother lives in Izmir.", "My father lives in Ankara.", "My father works at METU."),
    ),
    ("Tom lives in Oslo, and Ann lives in Bergen.", ("Tom lives in Oslo.", "Ann lives in Bergen.")),
    (
        "Tom lives in Oslo, Anna lives in Bergen and works at Equinor.",
        ("Tom lives in Oslo.", "Anna lives in Bergen.", "Anna works at Equinor."),
    ),
]
CUT_TURKISH = [
    ("Ali Ankara'da yaşıyor ve Ayşe İzmir'de çalışıyor.", ("Ali Ankara'da yaşıyor.", "Ayşe İzmir'de çalışıyor.")),
    ("Ali Ankara'da yaşıyor ve İzmir'de çalışıyor.", ("Ali Ankara'da yaşıyor.", "Ali İzmir'de çalışıyor.")),
    ("Ankara'da doğdum ve İzmir'de büyüdüm.", ("Ankara'da doğdum.", "İzmir'de büyüdüm.")),
    ("Annem Bursa'da doğdu; babam Konya'da doğdu.", ("Annem Bursa'da doğdu.", "Babam Konya'da doğdu.")),
    ("Ali Google'da çalışıyor ve Ayşe Apple'da çalışmıyor.", ("Ali Google'da çalışıyor.", "Ayşe Apple'da çalışmıyor.")),
    ("Ayşe et yemiyor ve Ali süt içmiyor.", ("Ayşe et yemiyor.", "Ali süt içmiyor.")),
    ("Tom'la tanıştık. Oslo'yu seviyorum.", ("Tom'la tanıştık.", "Oslo'yu seviyorum.")),
    (
        "Annem İzmir'de yaşıyor, babam Ankara'da yaşıyor ve ODTÜ'de çalışıyor.",
        ("Annem İzmir'de yaşıyor.", "Babam Ankara'da yaşıyor.", "Babam ODTÜ'de çalışıyor."),
    ),
    (
        "Kız kardeşim Oslo'da yaşıyor ve Equinor'da çalışıyor.",
        ("Kız kardeşim Oslo'da yaşıyor.", "Kız kardeşim Equinor'da çalışıyor."),
    ),
    (
        "Elif Oslo'da yaşıyor, Can Bergen'de yaşıyor ve Equinor'da çalışıyor.",
        ("Elif Oslo'da yaşıyor.", "Can Bergen'de yaşıyor.", "Can Equinor'da çalışıyor."),
    ),
]
WHOLE = {
    "condition": [
        *english(
            "If Alice goes to Rome and Bob goes to Paris, call me.",
            "Alice goes to Rome and Bob goes to Paris unless Tom objects.",
            "When Alice left Rome and Bob left Paris it rained.",
        ),
        *turkish(
            "Ali Ankara'ya giderse ve Ayşe İzmir'de kalırsa ararım.",
            "Eğer Ali Ankara'ya gitti ve Ayşe İzmir'de kaldı diyorsan ara.",
            "Ali Ankara'dayken ve Ayşe İzmir'deyken yağmur yağdı.",
        ),
    ],
    "negation": [
        *english(
            "I don't like Rome and Bob hates Paris.",
            "Alice never visited Rome and saw Paris.",
            "Neither Alice came from Rome and Bob came from Paris.",
        ),
        *turkish(
            "Ali Ankara'yı ve Ayşe İzmir'i sevmiyor.",
            "Ali'nin Roma'ya gittiğini ve Ayşe'nin Paris'te kaldığını sanmıyorum.",
            "Ne Ali Ankara'da ve ne Ayşe İzmir'de yaşıyor.",
        ),
    ],
    "report": [
        *english(
            "Tom said that Alice moved to Rome and Bob moved to Paris.",
            "Maybe Alice moved to Rome and Bob moved to Paris.",
            "I think Alice works at Google and Bob works at Apple.",
        ),
        *turkish(
            "Ali Roma'ya taşındı ve Ayşe Paris'te kaldı dedi.",
            "Belki Ali Roma'ya taşındı ve Ayşe Paris'te kaldı.",
            "Sanırım Ali Google'da çalışıyor ve Ayşe Apple'da çalışıyor.",
        ),
    ],
    "phrase": [
        *english(
            "I visited Rome and Paris.",
            "I want to visit Rome and see Paris.",
            "I met Alice from Google and Bob from Apple.",
        ),
        *turkish(
            "Roma'yı ve Paris'i gezdim.",
            "Ali Ankara'da ve Ayşe İzmir'de yaşıyor.",
            "Google'dan Ali ve Apple'dan Ayşe geldi.",
        ),
    ],
    "foreign": [
        *english(
            'She sang "Alice went to Rome and Bob went to Paris".',
            "Run `Alice works at Google and Bob works at Apple`",
            "Does Alice work at Google and Bob works at Apple?",
        ),
        *turkish(
            "\"Ali Roma'ya gitti ve Ayşe Paris'te kaldı\" dizesi.",
            "`Ali Roma'ya gitti ve Ayşe Paris'te kaldı` komutu",
            "Ali Roma'da yaşıyor ve Ayşe Paris'te yaşıyor mu?",
        ),
    ],
    "comma": [
        *english(
            "I'm from Oslo, Tom is too.",
            "Alice moved to Rome, Bob told me in Paris.",
            "When Alice left Rome, Bob left Paris.",
            "Alice lives in Rome, Italy.",
        ),
        *turkish(
            "Oslo'da doğdum, Can da doğdu.",
            "Ayşe Roma'ya taşındı, Ali Paris'te söyledi.",
            "Ayşe Roma'dan ayrıldıysa, Ali Paris'ten ayrıldı.",
            "Ayşe Roma'da, Ali Paris'te yaşıyor.",
        ),
    ],
    "same things": [
        *english(
            "Alice likes Rome and Alice likes Rome.",
            "I went home and slept.",
            "we ate and the kids played",
        ),
        *turkish(
            "Ali Roma'yı seviyor ve Ali Roma'yı seviyor.",
            "Eve gittim ve uyudum.",
            "yemek yedik ve çocuklar oynadı",
        ),
    ],
}

WORDS = [
    "Alice",
    "Bob",
    "Rome",
    "Ali",
    "Ayşe",
    "works",
    "loves",
    "moved",
    "and",
    "ve",
    ";",
    ".",
    "if",
    "not",
    "didn't",
    "Ankara'da",
    "yaşıyor",
    "çalıştı",
    "I",
    "my",
    "wife",
]


@pytest.mark.req("D12")
@pytest.mark.parametrize(("text", "facts"), [*english(*CUT_ENGLISH), *turkish(*CUT_TURKISH)])
def test_clauses_about_different_things_are_facts_of_their_own(text: str, facts: tuple[str, ...]) -> None:
    """Each with its subject, each with its own negation."""
    assert atomic(text) == facts


@pytest.mark.req("D12")
@pytest.mark.parametrize("text", [text for texts in WHOLE.values() for text in texts])
def test_what_belongs_together_is_never_cut(text: str) -> None:
    """Conditions, shared negations, reports, phrases, quotations, questions, and clauses that name the same."""
    assert atomic(text) == (text,)


@NEITHER
@pytest.mark.req("D12")
@given(st.lists(st.sampled_from(WORDS), max_size=20))
def test_no_word_is_lost(words: list[str]) -> None:
    """Every word but the connectives stands in a fact, in order; subjects may come twice."""
    text = " ".join(words)
    kept = iter(word.strip(".;").lower() for fact in atomic(text) for word in fact.split())
    wanted = [word.strip(".;").lower() for word in words if word not in ("and", "ve", ";", ".")]
    assert all(word in kept for word in filter(None, wanted))


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        *english(
            (
                "Alice works at Google, and Bob works at Apple, and Carol works at Intel.",
                ("Alice works at Google.", "Bob works at Apple.", "Carol works at Intel."),
            )
        ),
        *turkish(
            (
                "Ali Google'da çalışıyor ve Ayşe Apple'da çalışıyor ve Elif Intel'de çalışıyor.",
                ("Ali Google'da çalışıyor.", "Ayşe Apple'da çalışıyor.", "Elif Intel'de çalışıyor."),
            ),
            (
                "Ali Ankara'da yaşıyor; Ayşe İzmir'de çalışıyor ve Elif Bursa'da okuyor.",
                ("Ali Ankara'da yaşıyor.", "Ayşe İzmir'de çalışıyor.", "Elif Bursa'da okuyor."),
            ),
        ),
    ],
)
def test_a_chain_of_clauses_gives_as_many_facts(text: str, facts: tuple[str, ...]) -> None:
    """Cut once, and the rest again."""
    assert atomic(text) == facts


@pytest.mark.parametrize(
    "clauses",
    [
        *english("Alice works at Google and Bob works at Apple "),
        *turkish("Ali Google'da çalışıyor ve Ayşe Apple'da çalışıyor "),
    ],
)
def test_a_long_list_is_left_alone(clauses: str) -> None:
    """What is longer than a sentence is not read as one."""
    text = clauses * (SENTENCE_MAX // 40)
    assert atomic(text) == (text.strip(),)


@NEITHER
@given(st.text(max_size=300))
def test_any_text_has_facts_or_is_blank(text: str) -> None:
    """Nothing is raised; only a blank text has none."""
    assert bool(atomic(text)) == bool(text.strip())
