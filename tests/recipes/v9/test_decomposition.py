from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.tiers import UtilityWeights
from reverie.language.text.analyzer import keywords
from reverie.recipes.published.candidates import Bm25, Nearest
from reverie.recipes.published.v9.recall import PARTS_MAX, TEXT_MAX, Decompose, sub_queries
from reverie.types import Standing
from tests.recall.fake_corpus import FakeCorpus, Line, Surroundings, by_id, quest, request, world
from tests.spoken import NEITHER, english, turkish

CUT = [
    *english(
        ("Where do I work? What is my dog called?", ("Where do I work?", "What is my dog called?")),
        ("Where do I work, and also what is my dog called?", ("Where do I work", "what is my dog called?")),
        ("Where does Alice work and where does Bob live?", ("Where does Alice work", "where does Bob live?")),
        ("What did Caroline and Melanie paint?", ("What did Caroline paint?", "What did Melanie paint?")),
        ("What is the wifi password and where is the router?", ("What is the wifi password", "where is the router?")),
        ("Where does Ada live, and who owns the app?", ("Where does Ada live", "who owns the app?")),
        ("What is my rent and who is my landlord?", ("What is my rent", "who is my landlord?")),
        ("Do both James and John have pets?", ("Do James have pets?", "Do John have pets?")),
    ),
    *turkish(
        ("Nerede çalışıyorum? Köpeğimin adı ne?", ("Nerede çalışıyorum?", "Köpeğimin adı ne?")),
        ("Köpeğimin adı ne, ayrıca nerede çalışıyorum?", ("Köpeğimin adı ne", "nerede çalışıyorum?")),
        ("Ali nerede çalışıyor ve Ayşe nerede yaşıyor?", ("Ali nerede çalışıyor", "Ayşe nerede yaşıyor?")),
        ("Ali ve Ayşe ne yedi?", ("Ali ne yedi?", "Ayşe ne yedi?")),
        ("Kira ne kadar? Ev sahibim kim?", ("Kira ne kadar?", "Ev sahibim kim?")),
        ("Kiram ne kadar ve ev sahibim kim?", ("Kiram ne kadar", "ev sahibim kim?")),
        ("Ali ile Ayşe ne dedi?", ("Ali ne dedi?", "Ayşe ne dedi?")),
        ("Veritabanı olarak neyi seçtik ve sunucu nerede?", ("Veritabanı olarak neyi seçtik", "sunucu nerede?")),
        ("Nerede yaşıyorum ve nerede çalışıyorum?", ("Nerede yaşıyorum", "nerede çalışıyorum?")),
    ),
]
WHOLE = [
    *english(
        "What did Alice buy and when did she buy it?",
        "What is the difference between Flask and Django?",
        "What do I eat for breakfast and lunch?",
        "Who called and what did they want?",
        "What happened and why?",
        "What did Melanie say about the beach?",
        "Hi? Really?",
        'Did she say "what? when?" to Tom?',
        "Alice and Bob went to Rome.",
    ),
    *turkish(
        "Ali ne aldı ve onu ne zaman aldı?",
        "Kim geldi ve ne zaman gitti?",
        "Ali ile ne konuştuk?",
        "Flask ile Django arasındaki fark ne?",
        "Kahvaltıda ve öğlen ne yerim?",
        "Melanie sahil hakkında ne dedi?",
        "Ne? Neden?",
        'Tom\'a "ne? ne zaman?" dedi mi?',
        "Ali ve Ayşe Roma'ya gitti.",
    ),
]

WORDS = ["what", "who", "Alice", "Bob", "rent?", "and", "also", "?", "ve", "ayrıca", "nerede", ",", "Rome", "kira", "I"]


@pytest.mark.req("D29")
@pytest.mark.parametrize(("text", "parts"), CUT)
def test_several_questions_are_several(text: str, parts: tuple[str, ...]) -> None:
    """Question marks, "and also", two questions joined, two names asked about."""
    assert sub_queries(text) == parts


@pytest.mark.req("D29")
@pytest.mark.parametrize("text", WHOLE)
def test_one_question_stays_one(text: str) -> None:
    """A part that could not be searched for alone is no part; what is about a pair is not cut."""
    assert sub_queries(text) == (text,)


@pytest.mark.req("D29")
@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Where do I work? What do I drive? Who is my boss? What do I earn? Where do I live?",
        ),
        *turkish("Nerede çalışıyorum? Arabam ne? Patronum kim? Maaşım kaç? Evim nerede?"),
    ],
)
def test_at_most_four(text: str) -> None:
    """Of five questions the last two stay together, and none is lost."""
    parts = sub_queries(text)
    assert len(parts) == PARTS_MAX == 4
    assert " ".join(parts) == text


@NEITHER
@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_no_word_of_content_is_lost(words: list[str]) -> None:
    """Whatever is asked: one to four parts, and each keyword stands in one of them."""
    text = " ".join(words)
    parts = sub_queries(text)
    assert 1 <= len(parts) <= 4
    said = " ".join(parts).lower()
    joints = ("also", "ayrıca", "and", "ve")  # between two languages each is a word of content in the other
    assert all(word in said for word in keywords(text) if word not in joints)


@pytest.mark.parametrize(
    "text", [*english("Where do I work? What do I drive? "), *turkish("Nerede çalışıyorum? Arabamın markası ne? ")]
)
def test_a_document_is_no_question(text: str) -> None:
    """A long text is searched for as it is."""
    text *= TEXT_MAX // 30
    assert sub_queries(text) == (text,)


TIES = UtilityWeights(semantic=0.6, utility=0.2, importance=0.2)
STAGE = Decompose((Nearest(Bm25(k1=1.2, b=0.75, postings=100)),), k=60, ties=TIES)


@pytest.mark.req("D29")
@pytest.mark.parametrize(
    ("cue", "parts"),
    [
        *english(("Where is the key? When does the train leave?", ("Where is the key?", "When does the train leave?"))),
        *turkish(("Anahtar nerede? Tren ne zaman kalkıyor?", ("Anahtar nerede?", "Tren ne zaman kalkıyor?"))),
    ],
)
def test_each_part_is_looked_for_and_the_answers_are_fused(cue: str, parts: tuple[str, str]) -> None:
    """First for one part and second for the other: 1/61 + 1/62; each memory stands there once."""
    lines = [Line("hook", vector=(1.0, 0.0)), Line("noon", vector=(0.0, 1.0)), Line("hall", vector=(0.5, 0.4))]
    around = Surroundings({parts[0]: (0.9, 0.3), parts[1]: (0.1, 0.9)})
    answer = STAGE(quest(request(cue), world(FakeCorpus(lines), around)))
    found = by_id(answer)
    assert [len(found), len(list(answer.candidates))] == [3, 3]
    assert found["m0"].score == pytest.approx(1 / 61 + 1 / 63)
    assert found["m2"].score == pytest.approx(2 / 62)
    assert found["m0"].cosine == pytest.approx(0.9)
    assert answer.queries == (cue,)


@pytest.mark.req("D29")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        *english(("kite", "kite"), ("Where are the kite and the string?", "kite")),
        *turkish(("uçurtma", "ucurt"), ("Uçurtma ile ipi nerede?", "ucurt")),
    ],
)
def test_a_single_question_is_looked_for_as_it_is(asked: str, said: str) -> None:
    """Its candidates keep their own signals."""
    answer = STAGE(quest(request(asked), world(FakeCorpus([Line(said)]))))
    assert by_id(answer)["m0"].signals[0].name == "text"
    assert answer.notes[0].startswith("nearest: ")


@NEITHER
def test_notes_of_before_stay() -> None:
    """The inner stages' notes are put behind their names, once."""
    answer = STAGE(replace(quest(request("kite"), world(FakeCorpus([Line("kite")]))), notes=()))
    assert len(answer.notes) == 1


@pytest.mark.req("D15", "D29")
@pytest.mark.parametrize(
    ("cue", "parts"),
    [
        *english(("Where is the key? When does the train leave?", ("Where is the key?", "When does the train leave?"))),
        *turkish(("Anahtar nerede? Tren ne zaman kalkıyor?", ("Anahtar nerede?", "Tren ne zaman kalkıyor?"))),
    ],
)
@pytest.mark.parametrize(
    ("second", "first"),
    [
        (Standing(), "m0"),  # .6·.9 + .2·.5 + .2·.5 both: the earlier
        (Standing(utility=0.9), "m1"),
        (Standing(importance=0.9), "m1"),
        (Standing(utility=0.9, importance=0.05), "m0"),
        (Standing(utility=0.4), "m0"),
    ],
)
def test_first_of_two_parts_is_the_more_useful_and_important(
    cue: str, parts: tuple[str, str], second: Standing, first: str
) -> None:
    """Two memories stand first for a part each: .6 meaning, .2 utility and .2 importance say which comes first."""
    lines = [Line("hook", vector=(1.0, 0.0)), Line("noon", vector=(0.0, 1.0), standing=second)]
    around = Surroundings({parts[0]: (0.9, 0.1), parts[1]: (0.1, 0.9)})
    answer = STAGE(quest(request(cue), world(FakeCorpus(lines), around)))
    assert next(iter(by_id(answer))) == first
