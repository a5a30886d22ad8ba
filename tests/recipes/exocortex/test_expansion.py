"""The variants of a query, to the letter of document A."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.text import lists
from reverie.recipes.published.exocortex import WORDS, Expanding, expansion, query_keywords
from tests.spoken import BOTH, ENGLISH, NEITHER, TURKISH, english, neither, turkish

LONG = "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november"
LONG_TR = "armut biber ceviz dereotu elma fındık greyfurt havuç incir kabak limon marul nane portakal"


@pytest.mark.req("A1", "A16.1")
@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        *english(
            ("How do I deploy the Flask app to Render?", "deploy flask app render"),
            ("What is the budget for our kitchen", "budget kitchen"),
        ),
        *turkish(
            ("Flask uygulamasını Render'a nasıl yüklerim?", "flask uygulamasını render yüklerim"),
            ("Mutfağımız için bütçe ne kadar", "mutfağımız bütçe"),
        ),
    ],
)
def test_three_variants_with_a_domain(text: str, keywords: str) -> None:
    """The original, its keywords, and the keywords under the domain."""
    assert expansion(text, "codegen") == (text, keywords, f"codegen: {keywords}")


@pytest.mark.req("A2")
@pytest.mark.parametrize("domain", ["", "  "])
@pytest.mark.parametrize("text", [*english("deploy the Flask app"), *turkish("Flask uygulamasını yükle")])
def test_two_variants_without_a_domain(text: str, domain: str) -> None:
    """No domain known: the original and the keywords."""
    assert len(expansion(text, domain)) == 2
    assert expansion(text, domain)[0] == text


@pytest.mark.req("A1", "A16.3")
@pytest.mark.parametrize("text", [*english(LONG), *turkish(LONG_TR)])
def test_at_most_twelve_keywords(text: str) -> None:
    """Of fourteen words the first twelve are kept."""
    assert query_keywords(text).split() == text.split()[:12]


@pytest.mark.req("A1", "A16.3")
@pytest.mark.parametrize(
    ("text", "kept"),
    [*english(("go by car or bus at ten", "car bus ten")), *turkish(("ev az uzak ama iş çok yakın", "uzak yakın"))],
)
def test_words_of_two_letters_are_no_keywords(text: str, kept: str) -> None:
    """Longer than two letters, and not on the stop list."""
    assert query_keywords(text) == kept


@ENGLISH
@pytest.mark.req("A1", "A16.3")
def test_the_stop_list_is_the_documented_one() -> None:
    """81 words; none of them is a keyword."""
    stop = lists.words("stop-expansion.en", WORDS)
    assert len(stop) == 81
    assert {"shall", "which", "into", "just", "being"} < stop
    assert query_keywords(" ".join(sorted(stop))) == ""


@TURKISH
def test_the_turkish_stop_list_holds_what_carries_a_question() -> None:
    """Question words, pronouns and particles in their forms; none of them is a keyword, what is asked about is."""
    stop = lists.words("stop-expansion.tr", WORDS)
    assert {"hangi", "nerede", "için", "bizim", "mıyım"} < stop
    assert not {"bütçe", "gün", "ev"} & stop
    assert query_keywords(" ".join(sorted(stop))) == ""


@BOTH
@pytest.mark.req("A16.4")
def test_the_domain_stands_before_the_keywords() -> None:
    """``domain: keywords``, also behind blanks."""
    assert expansion("fix the parser", " codegen ")[-1] == "codegen: fix parser"
    assert expansion("ayrıştırıcıyı düzelt", "kod")[-1] == "kod: ayrıştırıcıyı düzelt"


@pytest.mark.parametrize(
    "text", [*english("what is it", "who are you?"), *turkish("bu ne", "kim bu?"), *neither("", "?!")]
)
def test_a_query_without_keywords_is_searched_for_as_it_is(text: str) -> None:
    """Nothing would be found by an empty variant."""
    assert expansion(text, "codegen") == (text,)


@pytest.mark.req("A1", "A2")
@pytest.mark.parametrize(
    ("how", "made"),
    [
        *english(
            (Expanding(by_keywords=False), ("fix the parser", "codegen: fix the parser")),
            (Expanding(by_domain=False), ("fix the parser", "fix parser")),
            (Expanding(by_keywords=False, by_domain=False), ("fix the parser",)),
            (Expanding(max_keywords=1), ("fix the parser", "fix", "codegen: fix")),
        ),
        *turkish(
            (Expanding(by_keywords=False), ("bu hatayı düzelt", "codegen: bu hatayı düzelt")),
            (Expanding(by_domain=False), ("bu hatayı düzelt", "hatayı düzelt")),
            (Expanding(by_keywords=False, by_domain=False), ("bu hatayı düzelt",)),
            (Expanding(max_keywords=1), ("bu hatayı düzelt", "hatayı", "codegen: hatayı")),
        ),
    ],
)
def test_each_variant_can_be_switched_off(how: Expanding, made: tuple[str, ...]) -> None:
    """Keywords, domain, and how many words."""
    assert expansion(made[0], "codegen", how) == made


@NEITHER
@given(st.text(max_size=200), st.text(max_size=20))
def test_the_query_itself_is_always_first(text: str, domain: str) -> None:
    """Whatever else is searched for, what was asked is."""
    made = expansion(text, domain)
    assert made[0] == text
    assert len(made) <= 3
