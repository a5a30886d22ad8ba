from __future__ import annotations

import pytest

from reverie.models.llm_grammar import Roles, Verb, clauses, exchanged, language_of, roles, tokens, turkish_verb
from tests.spoken import ENGLISH, TURKISH, english, neither, turkish


def read(text: str) -> Roles:
    """The roles in a text, in its own language."""
    language = language_of(text)
    return roles(text, tokens(text, language), language)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *english(
            ("I prefer tabs over spaces.", "I prefer spaces to tabs."),
            ("Always write tests before code.", "Always write code before tests."),
            ("Write tests before code.", "Before tests, write code."),
            ("I like tea more than coffee.", "I like coffee more than tea."),
            ("Elif is older than Deniz.", "Deniz is older than Elif."),
            ("I owe Anna a favour.", "Anna owes me a favour."),
            ("I gave the book to Anna.", "Anna gave the book to me."),
            ("Anna's dog bit Can's cat.", "Can's dog bit Anna's cat."),
            ("Deploy staging first, then production.", "Deploy production first, then staging."),
        ),
        *turkish(
            ("Çayı kahveden çok severim.", "Kahveyi çaydan çok severim."),
            ("Testleri koddan önce yazarım.", "Kodu testlerden önce yazarım."),
            ("Önce testleri sonra kodu yazarım.", "Önce kodu sonra testleri yazarım."),
            ("Çay yerine kahve içerim.", "Kahve yerine çay içerim."),
            ("Elif Deniz'den daha büyük.", "Deniz Elif'ten daha büyük."),
            ("Ayşe Veli'yi arıyor.", "Veli Ayşe'yi arıyor."),
            ("Kitabı Ayşe'den Veli'ye götürdüm.", "Kitabı Veli'den Ayşe'ye götürdüm."),
            ("Ayşe'nin köpeği Veli'yi ısırdı.", "Veli'nin köpeği Ayşe'yi ısırdı."),
            ("Önce hazırlık ortamına, sonra üretime kur.", "Önce üretime, sonra hazırlık ortamına kur."),
        ),
    ],
)
def test_roles_are_exchanged(one: str, other: str) -> None:
    """By order and the small word before in English, by case and the small word behind in Turkish; either way round."""
    assert exchanged(read(one), read(other))
    assert exchanged(read(other), read(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *english(
            ("I met Anna in Oslo.", "In Oslo I met Anna."),
            ("Always write tests before code.", "Before code, always write tests."),
            ("I flew from Ankara and Izmir.", "I flew from Izmir and Ankara."),
            ("Can invited Anna.", "Anna was invited by Can."),
            ("The capital of France is Paris.", "Paris is the capital of France."),
            ("I prefer tabs over spaces.", "I really prefer tabs over spaces in Python."),
        ),
        *turkish(
            ("Oslo'da Anna ile tanıştım.", "Anna ile Oslo'da tanıştım."),
            ("Testleri koddan önce yazarım.", "Koddan önce testleri yazarım."),
            ("Ankara ve İzmir'den geldim.", "İzmir ve Ankara'dan geldim."),
            ("Ayşe Veli'yi davet etti.", "Veli'yi davet etti Ayşe."),
            ("Fransa'nın başkenti Paris.", "Paris Fransa'nın başkenti."),
            ("Kedileri köpeklere tercih ederim.", "Ben kedileri her zaman köpeklere tercih ederim."),
        ),
    ],
)
def test_what_is_moved_keeps_its_role(one: str, other: str) -> None:
    """A place or a condition in front, another order of a list, a passive, the two sides of "is", a word more."""
    assert not exchanged(read(one), read(other))
    assert not exchanged(read(other), read(one))


@pytest.mark.parametrize(
    ("language", "text", "parts"),
    [
        *english(
            ("en", "I'm late, can you help?", ["I'm late", "can you help?"]),
            ("en", "It rains but I run", ["It rains", "I run"]),
        ),
        *turkish(
            ("tr", "Geç kaldım, yardım eder misin?", ["Geç kaldım", "yardım eder misin?"]),
            ("tr", "Yağmur var ama koşuyorum", ["Yağmur var", "koşuyorum"]),
        ),
    ],
)
def test_clauses_are_cut_where_another_statement_begins(language: str, text: str, parts: list[str]) -> None:
    """At conjunctions and at commas before a new subject."""
    assert clauses(text, language) == parts


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        *english(
            ("en", "enjoyed", "love"),
            ("en", "met", "meet"),
        ),
        *turkish(
            ("tr", "hoşlanıyorum", "seviyorum"),
            ("tr", "Bursa'da", "Bursa"),
        ),
    ],
)
def test_forms_and_synonyms_have_one_term(language: str, one: str, other: str) -> None:
    """So that the same is recognised in other words."""
    assert tokens(one, language)[0].term == tokens(other, language)[0].term


@ENGLISH
def test_have_says_nothing_where_it_only_makes_a_tense() -> None:
    """Have moved, but have a car."""
    assert tokens("I have moved", "en")[1].term == ""
    assert tokens("I have cars", "en")[1].term == "have"


@TURKISH
@pytest.mark.parametrize(
    ("word", "verb"),
    [
        ("iciyorum", Verb("ic", False, True, True)),
        ("icmiyorum", Verb("ic", True, True, True)),
        ("kullanmadim", Verb("kullan", True, False, True)),
        ("tanistik", Verb("tanis", False, False, True)),
        ("masa", None),
    ],
)
def test_turkish_verbs_deny_inside(word: str, verb: Verb | None) -> None:
    """Root, denial, tense and person are in the endings."""
    assert turkish_verb(word) == verb


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *english(
            ("No car.", "en"),
            ("Alarm form team", "en"),
            ("Phone number 555-1234.", "en"),
            ("Blood serum", "en"),
            ("Roman forum.", "en"),
            ("Madam", "en"),
        ),
        *turkish(
            ("Arabam yok.", "tr"),
            ("İki kedim var", "tr"),
            ("Kahveyi severim.", "tr"),
            ("Et yerim", "tr"),
            ("Kahve sevmem!", "tr"),
        ),
        *neither(("", "en")),
    ],
)
def test_short_statements_have_a_language_too(text: str, language: str) -> None:
    """Two words are enough."""
    assert language_of(text) == language
