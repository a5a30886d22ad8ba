"""Both sides of a contradiction come back and name each other."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from reverie.recall.contradictions import MARK, Contradictions
from reverie.recall.state import Candidate
from tests.recall.fake_corpus import PAGE, FakeCorpus, Line, holding, request
from tests.spoken import english, turkish

STAGE = Contradictions(looked=10, denied=0.2, affirmed=0.3, near=0.2, most=1)
THREE = replace(PAGE, size=3)


@dataclass(frozen=True)
class Sides:
    """Both sides of a contradiction in one language, and what is asked."""

    asked: str
    never: Line
    met: Line
    idle: tuple[Line, Line]


ENGLISH_SIDES = Sides(
    "Have I ever met Bryan?",
    Line("I've never met Bryan"),
    Line("I met Bryan in June"),
    (Line("the tea is green", speaker="assistant"), Line("the sky was clear", speaker="assistant")),
)
TURKISH_SIDES = Sides(
    "Bryan ile hiç tanıştım mı?",
    Line("Bryan ile hiç tanışmadım"),
    Line("haziranda Bryan ile tanıştım"),
    (Line("çay yeşil", speaker="assistant"), Line("gökyüzü açıktı", speaker="assistant")),
)
CONTRADICTIONS = [*english(ENGLISH_SIDES), *turkish(TURKISH_SIDES)]


def after(lines: list[Line], asked: str) -> list[Candidate]:
    """The candidates behind the stage; the first line was found best."""
    scores = [0.9 - 0.1 * place for place in range(len(lines))]
    return list(STAGE(replace(holding(request(asked), FakeCorpus(lines), scores), page=THREE)).candidates)


def marked(found: list[Candidate]) -> dict[str, str]:
    """Marked memory → the memory its mark names."""
    return {c.memory.id: s.about for c in found for s in c.signals if s.name == MARK}


@pytest.mark.parametrize("sides", CONTRADICTIONS)
def test_both_sides_on_the_page_keep_their_places(sides: Sides) -> None:
    """Neither is preferred, each names the other."""
    found = after([sides.met, sides.idle[0], sides.never], sides.asked)
    assert [c.ordinal for c in found] == [0, 1, 2]
    assert marked(found) == {"m0": "m2", "m2": "m0"}


@pytest.mark.parametrize("sides", CONTRADICTIONS)
def test_the_other_side_is_brought_onto_the_page(sides: Sides) -> None:
    """It takes the place of the last that takes no side, and nothing is lost."""
    found = after([sides.never, *sides.idle, sides.met], sides.asked)
    assert [c.ordinal for c in found] == [0, 1, 3, 2]
    assert marked(found) == {"m0": "m3", "m3": "m0"}
    for candidate in found:
        assert candidate.score == pytest.approx(sum(signal.share for signal in candidate.signals))


@pytest.mark.parametrize(
    ("lines", "asked"),
    [
        *english(
            ([ENGLISH_SIDES.never, ENGLISH_SIDES.met], "Where did I meet Bryan?"),
            ([ENGLISH_SIDES.met, Line("I met Bryan again")], ENGLISH_SIDES.asked),
            ([ENGLISH_SIDES.never, Line("I met Bryan in June", speaker="Ada")], ENGLISH_SIDES.asked),
            ([Line("I've never met Bryan", speaker="assistant"), ENGLISH_SIDES.met], ENGLISH_SIDES.asked),
        ),
        *turkish(
            ([TURKISH_SIDES.never, TURKISH_SIDES.met], "Bryan ile nerede tanıştım?"),
            ([TURKISH_SIDES.met, Line("Bryan ile yine karşılaştım")], TURKISH_SIDES.asked),
            ([TURKISH_SIDES.never, Line("haziranda Bryan ile tanıştım", speaker="Ada")], TURKISH_SIDES.asked),
            ([Line("Bryan ile hiç tanışmadım", speaker="assistant"), TURKISH_SIDES.met], TURKISH_SIDES.asked),
        ),
    ],
    ids=["no yes or no", "nobody denies", "somebody else affirms", "the assistant denies"] * 2,
)
def test_what_is_no_contradiction_is_left_alone(lines: list[Line], asked: str) -> None:
    """No mark, and every candidate still comes."""
    found = after(lines, asked)
    assert marked(found) == {}
    assert [c.ordinal for c in found] == [0, 1]


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        *english(
            (
                "Do I eat fish?",
                ["I don't eat fish", "I can't swim", "I adopted a cat named Biscuit", "My mum teaches chemistry"],
            ),
            ("Have I been to Japan?", ["I've never been to Japan", "I had a coffee", "I live in Bristol"]),
            ("Do I use Docker at work?", ["I never use Docker at work", "I use tea bags at work", "I like rain"]),
        ),
        *turkish(
            (
                "Balık yer miyim?",
                ["Balık yemiyorum", "Yüzme bilmiyorum", "Bisküvi adında bir kedi sahiplendim", "Annem kimya öğretiyor"],
            ),
            ("Roma'ya gittim mi?", ["Roma'ya hiç gitmedim", "Bir kahve içtim", "Bursa'da yaşıyorum"]),
            ("Roma'ya trenle gittim mi?", ["Roma'ya hiç gitmedim", "İşe trenle gittim", "Çay severim"]),
        ),
    ],
)
def test_what_speaks_of_something_else_is_no_other_side(asked: str, lines: list[str]) -> None:
    """However few memories there are, and however near the nearest of them."""
    assert marked(after([Line(line) for line in lines], asked)) == {}


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        *english(("Did I work with Michael?", ["I work with Michael", "I'm not sure Michael likes the work"])),
        *turkish(("Michael ile çalıştım mı?", ["Michael ile çalışıyorum", "Michael'ın işi sevdiğinden emin değilim"])),
    ],
)
def test_a_doubt_denies_nothing(asked: str, lines: list[str]) -> None:
    """Not being sure of something is no denial of it."""
    assert marked(after([Line(line) for line in lines], asked)) == {}


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        *english(("Do I drink coffee?", ["I drink coffee at eight", "I don't drink coffee"])),
        *turkish(("Kahve içer miyim?", ["Sekizde kahve içerim", "Kahve içmem"])),
    ],
)
def test_a_verb_of_other_form_does_not_hide_a_denial(asked: str, lines: list[str]) -> None:
    """Of the question's words those count that were ever said: Turkish verbs seldom have one form twice."""
    assert marked(after([Line(line) for line in lines], asked)) == {"m0": "m1", "m1": "m0"}


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        *english(
            (
                "Did I edit films with Michael in Leeds?",
                ["I edit films in Leeds with Michael", "Leeds is cold", "Films are long", "I've never met Michael"],
            )
        ),
        *turkish(
            (
                "Bursa'da Michael ile film kestim mi?",
                ["Bursa'da Michael ile film kestim", "Bursa soğuk", "Filmler uzun", "Michael ile hiç tanışmadım"],
            )
        ),
    ],
)
def test_who_denies_knowing_somebody_named_is_brought(asked: str, lines: list[str]) -> None:
    """However little else of the question it denies, and though it was found below the page."""
    found = after([Line(line) for line in lines], asked)
    assert {"m0", "m3"} <= marked(found).keys()
    assert 3 in [c.ordinal for c in found[:3]]
