from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.names.named_entities import KINDS, LIMIT, named
from reverie.language.names.people import is_relation
from tests.spoken import NEITHER, english, neither, turkish

ENGLISH = [
    ("We moved the PostgreSQL database to AWS", ("tech/postgresql", "tech/aws")),
    ("Postgres's logs and Docker-based builds", ("tech/postgresql", "tech/docker")),
    ("The front end uses React and Python3.12", ("tech/react", "tech/python")),
    ("the backend is C++/C# on .NET", ("tech/cplusplus", "tech/csharp", "tech/dotnet")),
    ("Anna works at Google and Tom at Apple", ("person/anna", "org/google", "person/tom", "org/apple")),
    ("She studied at Stanford University", ("org/stanford",)),
    ("Northwind Trading Company sent the offer", ("org/northwind-trading-company",)),
    ("We flew from Berlin to New York City", ("place/berlin", "place/new-york")),
    ("We hiked in Stony Brook Park by Lake Orta", ("place/stony-brook-park", "place/lake-orta")),
    ("My iPhone 15 broke, the PlayStation 5 did not", ("product/iphone", "product/playstation")),
    ("Dr. Winterbottom wrote to @lena_k", ("person/winterbottom", "person/lena-k")),
    ("i live in berlin and use docker", ("place/berlin", "tech/docker")),
    ("Go home and rest. The apple is red and the swift flies", ()),
    ("Turkey with rice, side dishes and a nice tie", ()),
    ("Jordan Reed flew to Jordan", ("person/jordan-reed", "place/jordan")),
]
TURKISH = [
    ("PostgreSQL'e geçtik, her şey AWS'de", ("tech/postgresql", "tech/aws")),
    ("Postgres'in günlükleri ve Docker'dan gelenler", ("tech/postgresql", "tech/docker")),
    ("Ön yüz React'ta, arka uç Python3.12'de", ("tech/react", "tech/python")),
    ("arka uç C++/C# ile .NET'te", ("tech/cplusplus", "tech/csharp", "tech/dotnet")),
    ("Ayşe Google'da çalışıyor, Mehmet ise Apple'da", ("person/ayse", "org/google", "person/mehmet", "org/apple")),
    ("Ablam Boğaziçi Üniversitesi'nde okudu", ("org/bogazici-universitesi",)),
    ("Teklif geçen hafta Kuzey Rüzgarı Şirketi'nden geldi", ("org/kuzey-ruzgari-sirketi",)),
    ("Ankara'dan İstanbul'a uçtuk", ("place/ankara", "place/istanbul")),
    ("Dün Taşlı Dere Parkı'nda, sonra Abant Gölü'nde yürüdük", ("place/tasli-dere-parki", "place/abant-golu")),
    ("Yeni iPhone 15'im bozuldu, PlayStation 5'im bozulmadı", ("product/iphone", "product/playstation")),
    ("Toplantıya Kışlalı Bey geldi, @lena_k gelmedi", ("person/lena-k", "person/kislali-bey")),
    ("ankarada yaşıyorum, docker kullanıyorum", ("place/ankara", "tech/docker")),
    ("Ordu geçti. Deniz çok güzeldi, umut var", ()),
    ("Kaş yaparken göz çıkardı, yan side kaldı", ()),
    ("Bir van aldık, Van'a gittik", ("place/van",)),
]


@pytest.mark.req("D11")
@pytest.mark.parametrize(("text", "found"), [*english(*ENGLISH), *turkish(*TURKISH)])
def test_things_have_kind_and_address(text: str, found: tuple[str, ...]) -> None:
    """Lists, shapes and the words beside tell the kind; what may be an ordinary word is none."""
    assert {entity.uri for entity in named(text)} == {f"entity://{address}" for address in found}


@pytest.mark.parametrize(
    "text",
    [
        *turkish("Ankara'da", "Ankara'nın", "ANKARA'YI gördüm", "Ankarada kaldım"),
        *english("Ankara's"),
        *neither("Ankara"),
    ],
)
def test_every_form_has_one_address(text: str) -> None:
    """Whatever ending the sentence gives it."""
    assert [entity.uri for entity in named(text)] == ["entity://place/ankara"]


@pytest.mark.parametrize("text", [*turkish("İstanbul", "ISTANBUL'da", "İSTANBUL"), *english("Istanbul")])
def test_dots_do_not_matter(text: str) -> None:
    """However its capital is typed."""
    assert [entity.slug for entity in named(text)] == ["istanbul"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *english(
            ("I met Daisy", "person"),
            ("Daisy chains are pretty", None),
            ("we live in Georgia", "place"),
            ("I spoke with Georgia", None),
        ),
        *turkish(
            ("Dün Deniz'i gördüm", "person"),
            ("Deniz bugün dalgalı", None),
            ("Batman'da yaşıyor", "place"),
            ("Batman izledik", None),
        ),
    ],
)
def test_names_that_are_words_need_something_beside_them(text: str, kind: str | None) -> None:
    """A place in the sentence, a preposition or a case ending."""
    assert [entity.kind for entity in named(text)] == ([kind] if kind else [])


@pytest.mark.req("D11")
@pytest.mark.parametrize(
    "text",
    [
        *english("Docker, Redis, Kafka, Linux, GitHub, Django, FastAPI, SQLite, MySQL, Neo4j and Grafana"),
        *turkish("Docker'ı, Redis'i, Kafka'yı, Linux'u, GitHub'ı, Django'yu, FastAPI'yi, SQLite'ı ve MySQL'i kurduk"),
    ],
)
def test_no_more_than_eight(text: str) -> None:
    """The first ones; another limit may be asked for."""
    assert LIMIT == 8
    assert len(named(text)) == 8
    assert named(text)[0].surface == "Docker"
    assert len(named(text, limit=3)) == 3


@pytest.mark.parametrize(
    "text",
    [
        *english("Postgres is PostgreSQL is psql"),
        *turkish("Postgres'e geçtik; PostgreSQL'in kendisi iyi, psql'i sevmedim"),
    ],
)
def test_one_thing_comes_once(text: str) -> None:
    """Under the surface that stands first."""
    assert [(e.slug, e.surface) for e in named(text)] == [("postgresql", "Postgres")]


@NEITHER
@given(st.text())
def test_any_text_is_read(text: str) -> None:
    """Nothing fails, every entity has a known kind and a slug without blanks."""
    for entity in named(text):
        assert entity.kind in KINDS
        assert entity.slug == "".join(entity.slug.split())


@pytest.mark.parametrize(
    "text",
    [
        *english('Try "Anish Kapoor exhibition [your city]" to find artists like Anish Kapoor.'),
        *turkish('Anish Kapoor gibi sanatçılar için "Anish Kapoor sergisi [şehriniz]" diye ara: Anish Kapoor'),
    ],
)
def test_a_quoted_name_of_which_only_the_beginning_stands_at_the_end(text: str) -> None:
    """The text ends before the name could: it is not there, and nothing is read behind the end."""
    assert all(entity.surface in text for entity in named(text))


@pytest.mark.req("D11")
@pytest.mark.parametrize(
    ("text", "person"),
    [
        *english(
            ("My wife Lena is pregnant.", "lena"),
            ("My best friend Xochitl called.", "xochitl"),
            ("Tom said that his brother Mark moved.", "mark"),
            ("My boss, Xochitl Ramos, quit.", "xochitl-ramos"),
        ),
        *turkish(
            ("Eşim Lena hamile.", "lena"),
            ("En yakın arkadaşım Xochitl aradı.", "xochitl"),
            ("Oğlum Rüzgar okula başladı.", "ruzgar"),
            ("Kız kardeşim Asya Oslo'da yaşıyor.", "asya"),
            ("Oğlu Rüzgar okula başladı.", "ruzgar"),
        ),
    ],
)
def test_a_relation_makes_the_name_a_persons(text: str, person: str) -> None:
    """Though no list knows it."""
    assert f"entity://person/{person}" in {one.uri for one in named(text)}


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I gave my wife Zumba lessons.",
            "My friend's Zumba broke.",
            "Besides my brother, Zumba is fun.",
            "We call my wife Honey.",
            "My brother Docker runs.",
        ),
        *turkish(
            "Annem Zumba yapıyor.",
            "Annem Zumba kursuna gidiyor.",
            "Annem Zumba yapmaya başladı.",
            "Kardeşim Fransızca kursa gidiyor.",
            "Babam Docker kullanıyor.",
            "Annem Pilates hocası.",
        ),
    ],
)
def test_a_thing_behind_a_relation_stays_one(text: str) -> None:
    """A second object, an owner, another clause, a Turkish object."""
    assert "person" not in {one.kind for one in named(text)}


@pytest.mark.parametrize("word", turkish("Oğlum", "komşumuz", "eşi"))
def test_turkish_relations_are_known(word: str) -> None:
    """Of the speaker, of several, of another."""
    assert is_relation(word)
    assert not is_relation("araba")
