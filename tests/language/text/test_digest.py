"""Digests: short statements that lose no name, number, date or negation, each with pointers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from reverie.formulas.text_statistics import estimated_tokens
from reverie.language.digest import Source, digest, lost, pointed, statements, terse
from tests.spoken import NEITHER, english, neither, turkish

pytestmark = pytest.mark.req("D56", "D56b")


@pytest.mark.parametrize(
    ("text", "short"),
    [
        *english(
            ("The key is really in the drawer.", "key drawer."),
            ("It's at 5 in the morning.", "at 5 morning."),
            ("We go in two days.", "We go in two days."),
            ("She is not very happy.", "She is not very happy."),
            ("He isn't the owner.", "He isn't the owner."),
            ("I gave it to Bob.", "I gave it to Bob."),
            ("The A is a grade.", "The A grade."),
            ('The title is "The Is and the Of".', 'The title is "The Is and the Of".'),
            ("What is it for?", "What it?"),
            ("Of the.", "the."),
        ),
        *turkish(
            ("Yani Zeynep aslında İzmir'de değil.", "Yani Zeynep aslında İzmir'de değil."),
            ("Gerçekten çok güzel bir ev.", "çok güzel bir ev."),
            ("Anahtar gerçekten çekmecenin içinde.", "Anahtar çekmecenin içinde."),
            ("Toplantı yani yarın için ertelendi.", "Toplantı yarın için ertelendi."),
            ("Bu gerçekten 5 kişilik bir masa.", "Bu gerçekten 5 kişilik bir masa."),
            ("Şey, Ayşe hastaneye gitti galiba.", "Şey, Ayşe hastaneye gitti galiba."),
            ("Kapı işte mavi renkte.", "Kapı mavi renkte."),
            ('Yazının adı "Aslında Bir Şey".', 'Yazının adı "Aslında Bir Şey".'),
            ("Bence film gerçekten uzun bir film.", "Bence film uzun bir film."),
            ("Yani şey.", "şey."),
        ),
        *neither(("Run `the of a` on the server.", "Run `the of a` on the server.")),
    ],
)
def test_words_without_content_are_left_out_and_nothing_else(text: str, short: str) -> None:
    """Not beside a number, a name or a negation, and not in a sentence with a quotation or code."""
    assert terse(text) == short


@NEITHER
@given(some.text(max_size=200))
def test_nothing_of_any_text_is_lost_in_a_whole_digest(text: str) -> None:
    """Whatever the text is: its digest without a budget holds it, and is no longer."""
    made = "\n".join(statements(text))
    assert lost(made, text) in {(), ("the lack of words",)}
    assert len(made) <= len(text) + text.count("```")


@NEITHER
def test_code_stays_as_it_is() -> None:
    """A block of code is one statement, even where it has words that are left out elsewhere."""
    code = "```py\nfor the in a:\n    is = of\n```"
    assert statements(f"This is the code.\n{code}\nThat's it.") == ["This code.", code, "it."]


@NEITHER
def test_what_is_said_twice_is_kept_once_with_both_pointers() -> None:
    """By one speaker; what two say are two statements, also if they say the opposite."""
    same = digest([Source("a", "The tap drips.", speaker="Ada"), Source("b", "Tap drips.", speaker="Ada")])
    assert [(one.text, one.sources) for one in same.statements] == [("tap drips.", ("a",)), ("Tap drips.", ("b",))]
    ada, bob = Source("a", "The tap drips.", speaker="Ada"), Source("b", "The tap drips.", speaker="Bob")
    again = Source("c", "The tap drips. It's not new.", speaker="Ada")
    made = digest([ada, bob, again, Source("d", "The tap never drips.", speaker="Bob")])
    assert [(one.speaker, one.text, one.sources) for one in made.statements] == [
        ("Ada", "tap drips.", ("a", "c")),
        ("Bob", "tap drips.", ("b",)),
        ("Ada", "It's not new.", ("c",)),
        ("Bob", "tap never drips.", ("d",)),
    ]


@NEITHER
def test_a_budget_is_kept_and_what_did_not_fit_is_named() -> None:
    """Names and numbers first; the texts that lost a statement are named as partial."""
    sources = [
        Source(
            "a", "Well, we talked and we laughed a lot about this and that, as we do. Zeynep moved to Izmir in 2019."
        ),
        Source("b", "It was such a lovely evening and everybody had a good time together."),
    ]
    made = digest(sources, 14)
    assert made.tokens <= 14 < made.source_tokens
    assert [one.text for one in made.statements] == ["Zeynep moved to Izmir in 2019."]
    assert made.partial == ("a", "b")
    assert digest(sources).partial == ()
    assert digest(sources, 0).statements == ()


@NEITHER
def test_a_digest_of_nothing_is_empty() -> None:
    """No text, and texts without words."""
    assert digest([]).statements == ()
    assert digest([Source("a", " \n ")], 10).text == ""


@NEITHER
def test_a_megabyte_is_condensed_within_its_budget() -> None:
    """Neither the length of a text nor the number of its sentences is a limit."""
    text = " ".join(f"Item{n} is the name of number {n} in the list." for n in range(10_000)) + " x" * 300_000
    made = digest([Source("a", text)], 500)
    assert made.tokens <= 500
    assert made.statements
    assert estimated_tokens(made.text) <= 500


@NEITHER
def test_each_statement_points_to_the_texts_that_say_it() -> None:
    """Also where the digest is longer than any of them, and one is nobody's."""
    sources = [Source("a", "The tap drips."), Source("b", "I have 3 cats, and a dog. The tap drips.")]
    found = pointed("tap drips.\nI have 3 cats, and a dog.\nNobody said so.", sources)
    assert [one.sources for one in found] == [("a", "b"), ("b",), ()]


@pytest.mark.parametrize(
    ("text", "condensed"),
    [
        *english(
            ("Ada has 5 cats.", "Ada has 6 cats."),
            ("Ada has no cats.", "Ada has cats."),
            ("Ada met Bob on 5 May 2024.", "Ada met Bob in May."),
            ("The letter is to Bob.", "letter from Bob."),
        ),
        *turkish(
            ("Ayşe'nin 5 kedisi var.", "Ayşe'nin 6 kedisi var."),
            ("Ayşe'nin kedisi yok.", "Ayşe'nin kedisi var."),
            ("Ayşe Bora'yla 5 Mayıs 2024'te buluştu.", "Ayşe Bora'yla mayısta buluştu."),
            ("Mektup Bora'ya yazıldı.", "Mektup Bora'dan yazıldı."),
            ("Ev satılık değil.", "Ev satılık."),
        ),
        *neither(("C++ is the language.", "C# language.")),
    ],
)
def test_what_a_digest_does_not_hold_is_lost(text: str, condensed: str) -> None:
    """Names, numbers, dates, denials and signs."""
    assert lost(condensed, text)
