from __future__ import annotations

import pytest

from reverie.language.names.named_entities import named
from reverie.language.names.people import is_person_noun, is_relation, kin, kin_of, names, naming, possessive, theirs
from reverie.language.text import lists
from reverie.language.text.letters import plain
from reverie.recipes.published.v9.clauses import second_clause
from reverie.recipes.published.v9.coreference import has_person
from reverie.recipes.published.v9.third_person_turkish import rewritten_turkish
from tests.spoken import BOTH, ENGLISH, NEITHER, TURKISH, english, neither, turkish


@pytest.mark.parametrize(
    ("word", "language", "person"),
    [
        *english(
            ("mum", "en", "mother"),
            ("Daddy", "en", "father"),
            ("auntie", "en", "aunt"),
            ("fiancée", "en", "fiance"),
            ("mother-in-law", "en", "mother-in-law"),
            ("mothers", "en", ""),
            ("table", "en", ""),
        ),
        *turkish(
            ("anneciğim", "tr", "anne"),
            ("Kaynanamdan", "tr", "kayinvalide"),
            ("damadımız", "tr", "damat"),
            ("halası", "tr", "hala"),
            ("hâlâ", "tr", ""),
            ("gelin", "tr", ""),
            ("kocaman", "tr", ""),
            ("teyzemlerde", "tr", "teyze"),
        ),
    ],
)
def test_who_a_word_names(word: str, language: str, person: str) -> None:
    """However it is written, and with its endings; a root that is another word needs its owner."""
    assert kin_of(word, language) == person


@TURKISH
@pytest.mark.parametrize(
    ("mine", "another"),
    [
        ("evim", "evi"),
        ("annem", "annesi"),
        ("yengem", "yengesi"),
        ("kaynanam", "kaynanası"),
        ("damadım", "damadı"),
        ("oğlum", "oğlu"),
        ("bacanağım", "bacanağı"),
        ("kardeşlerim", "kardeşleri"),
        ("annemiz", ""),
        ("annemden", ""),
        ("annesi", ""),
        ("masa", ""),
    ],
)
def test_what_is_mine_as_somebodys(mine: str, another: str) -> None:
    """Nouns of the list, and kin by the harmony of vowels."""
    assert theirs(mine) == another


@ENGLISH
def test_every_english_word_for_kin_is_known_to_all_who_ask() -> None:
    """Nouns for a person, a name behind it, a clause about them."""
    for person, kinsfolk in lists.table("kin.en").items():
        for name in kinsfolk:
            assert kin(name, "en") == person
            assert is_person_noun(name, "en")
            assert has_person([name])
            assert "person" in {one.kind for one in named(f"My {name} Xochitl called.")}, name
            assert second_clause("I moved", f"my {name} visits Ann", "en", by_mark=True), name


YOURS = ("oglun", "esin")
"""Turkish: your son, your wife; these forms take no other owner."""


@TURKISH
def test_every_turkish_word_for_kin_is_known_to_all_who_ask() -> None:
    """With the ending of the speaker: the same, and who tells of the speaker in the third person."""
    for person, kinsfolk in lists.table("kin.tr").items():
        for name in (one.rstrip("+") for one in kinsfolk if one not in YOURS):
            owned = possessive(name)
            mine = name + ("m" if owned[-2] == "s" and owned[-3] in "aeiou" else owned[-1] + "m")
            mine = plain(mine)
            assert kin(mine, "tr") == person, mine
            assert is_person_noun(mine, "tr")
            assert has_person([mine])
            assert is_relation(mine)
            assert is_relation(owned)
            assert second_clause("Taşındım", f"{mine} Ankara'da yaşıyor", "tr", by_mark=False), mine
            assert rewritten_turkish(f"{mine} aradı", "Ada") == f"Ada'nın {owned} aradı"


@BOTH
def test_no_list_of_people_repeats_kin() -> None:
    """Who reads one asks for kin, too."""
    for name in ("person-nouns.en", "relations.en"):
        assert not [entry for entry in lists.entries(name) if kin(entry, "en")]
    assert not [entry for entry in lists.entries("relations.tr") if kin_of(entry, "tr")]
    assert not [mine for mine in lists.table("owned.tr") if kin_of(mine, "tr")]
    assert not [entry for entry in lists.entries("person-nouns.tr") if kin(entry, "tr")]


NAMED = [
    *turkish(
        ("Elif", "Elif'in kedisi uyuyor."),
        ("Elif", "Dün ELİF’le konuştum."),
        ("elif", "Elifin kedisi, Elif'ten büyük."),
        ("Elif", "Elife'i değil, Elif'i gördüm."),
        ("Çiğdem", "cigdem aradı"),
        ("ışık", "IŞIK'a söyle"),
        ("Deniz Aydın", "Deniz Aydın'ın evi"),
    ),
    *english(
        ("Ada", "@ada, Ada's kite"),
        ("@ada", "Ada flew."),
        ("Ada Lovelace", "ada\nlovelace's engine"),
        ("José", "JOSE\u0301 wrote"),
        ("O'Brien", "O’Brien's boat"),
        ("Al", "Al's boat"),
        ("A.B. (x)", "by A.B. (x) himself"),
    ),
]
NOT_NAMED = [
    *turkish(("Elif", "Elifnur aradı."), ("Ada", "Adaçayı içtim"), ("Deniz Aydın", "Deniz ile Aydın geldi")),
    *english(("Ada", "Adam's canada adamant"), ("Al", "Ali, Alda and all"), ("Ada Lovelace", "Ada met Lovelace")),
    *neither((".*", "anything"), ("", "anything")),
]


@pytest.mark.parametrize(("name", "text"), NAMED)
def test_a_name_is_found_however_it_is_written(name: str, text: str) -> None:
    """Case, marks, apostrophes, Turkish endings, @; a name is no pattern."""
    assert naming(name)(text)


@pytest.mark.parametrize(("name", "text"), NOT_NAMED)
def test_another_word_is_nobody(name: str, text: str) -> None:
    """What only begins alike, or holds the name, is somebody else."""
    assert not naming(name)(text)


@NEITHER
def test_an_address_of_an_entity_names_by_its_end() -> None:
    """Its kind is no name."""
    assert names(naming("Elif Aydın"), ["entity://person/elif-aydin"])
    assert not names(naming("person"), ["entity://person/elif-aydin"])
