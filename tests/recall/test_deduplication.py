from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reverie.recall.contradictions import MARK
from reverie.recall.deduplication import WHY, BelowFormed, Deduplication, NearDuplicates, QueryDuplicates, leading
from reverie.recall.state import Candidate
from reverie.types import Kind
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request
from tests.spoken import english, turkish


def marks(*lines: Line) -> list[str]:
    """Why each line is withheld, in rank order."""
    scores = [1.0 - n / 10 for n in range(len(lines))]
    return [c.withheld for c in Deduplication()(holding(request("x"), FakeCorpus(lines), scores)).candidates]


def formed(text: str, *sources: str) -> Line:
    """A fact made of episodes."""
    return Line(text, kind=Kind.FACT, sources=sources)


def test_the_second_of_two_equal_texts_points_to_the_first() -> None:
    """Case and blanks do not make a difference."""
    assert marks(Line("I like tea."), Line("I  LIKE tea."), Line("I like coffee.")) == ["", "repeats number 1", ""]


def test_the_same_words_from_another_speaker_are_another_memory() -> None:
    """Both people may like tea."""
    assert marks(Line("I like tea.", "Ada"), Line("I like tea.", "Ben")) == ["", ""]


@pytest.mark.parametrize(
    ("fact", "episode"),
    [("Ada likes green tea.", "Well, I like green tea."), ("Ada yeşil çay sever.", "Ben yeşil çay severim.")],
)
def test_of_a_fact_and_its_episode_one_is_handed_over(fact: str, episode: str) -> None:
    """Whichever stands first."""
    assert marks(formed(fact, "m1"), Line(episode)) == ["", "repeats number 1"]
    assert marks(Line(episode), formed(fact, "m0")) == ["", "repeats number 1"]


def test_a_long_episode_is_not_hidden_by_a_short_fact() -> None:
    """The rest of it would be lost: .6 of its length must be there."""
    assert marks(formed("a" * 59, "m1"), Line("b" * 100)) == ["", ""]
    assert marks(formed("a" * 60, "m1"), Line("b" * 100)) == ["", "repeats number 1"]


def test_what_was_formed_of_several_is_no_repeat_of_one() -> None:
    """It says more than each."""
    assert marks(Line("one"), formed("a theme", "m0", "m5")) == ["", ""]


def order(lines: Sequence[Line], scores: Sequence[float]) -> list[str]:
    """The ids after the formed ones were put first."""
    return [c.memory.id for c in BelowFormed()(holding(request("x"), FakeCorpus(lines), scores)).candidates]


@pytest.mark.req("D39")
def test_what_was_formed_comes_up_to_its_episode() -> None:
    """The fact takes the episode's place, the episode stands right behind it; the others keep their order."""
    lines = [Line("said"), Line("other"), formed("fact", "m0"), Line("last")]
    assert order(lines, [0.9, 0.8, 0.7, 0.6]) == ["m2", "m0", "m1", "m3"]


def test_an_episode_that_stands_behind_already_is_not_lifted() -> None:
    """It keeps its own place."""
    lines = [formed("fact", "m3"), Line("other"), Line("more"), Line("said")]
    assert order(lines, [0.9, 0.8, 0.7, 0.6]) == ["m0", "m1", "m2", "m3"]


def first(count: int, *lines: Line) -> tuple[list[str], list[str]]:
    """The texts of the first so many, and of what stands behind them."""
    quest = holding(request("x"), FakeCorpus(lines), [1.0 - n / 10 for n in range(len(lines))])
    head, rest = leading(quest.candidates, count, 0.6)
    return [one.memory.text for one in head], [one.memory.text for one in rest]


def test_among_the_first_a_fact_and_its_episode_take_one_place() -> None:
    """The second stands right behind the first ones; whichever it is."""
    tea, fact, coffee, milk = Line("I like tea."), formed("Ada likes tea.", "m0"), Line("I like coffee."), Line("Milk?")
    assert first(2, tea, fact, coffee, milk) == (["I like tea.", "I like coffee."], ["Ada likes tea.", "Milk?"])
    cay, olgu, kahve = Line("Çay severim."), formed("Ada çay sever.", "m0"), Line("Kahve severim.")
    assert first(2, cay, olgu, kahve) == (["Çay severim.", "Kahve severim."], ["Ada çay sever."])


def test_no_more_than_twice_as_many_are_looked_at_for_the_first() -> None:
    """Where most is said already, the rest is left unread."""
    tea = Line("I like tea.")
    facts = [formed(f"Ada likes tea, {n}.", "m0") for n in range(4)]
    head, rest = first(2, tea, *facts, Line("I like coffee."))
    assert head == ["I like tea."]
    assert rest[-1] == "I like coffee."


STAGE = QueryDuplicates(times=2, share=0.5)


def told(cue: str, *texts: str, automatic: bool = True) -> list[Candidate]:
    """The candidates after the stage; the texts come in rank order."""
    lines = [Line(text) for text in texts]
    scores = [1.0 - n / 10 for n in range(len(lines))]
    return list(STAGE(holding(request(cue, automatic=automatic), FakeCorpus(lines), scores)).candidates)


@pytest.mark.parametrize(
    ("cue", "echo", "answer"),
    [
        ("Where does my sister live?", "Where does my sister live?", "My sister lives in Izmir."),
        ("where does my sister live", "Where does my sister live now?", "My sister lives in Izmir."),
        ("Kız kardeşim nerede yaşıyor?", "kız kardeşim nerede yaşıyor", "Kız kardeşim İzmir'de yaşıyor."),
        ("Kız kardeşim şimdi nerede yaşıyor?", "Kız kardeşim nerede yaşıyor?", "Kız kardeşim İzmir'de yaşıyor."),
    ],
)
def test_the_earlier_question_is_withheld_and_the_answer_comes_first(cue: str, echo: str, answer: str) -> None:
    """Word for word or nearly so, with its reason."""
    first, last = told(cue, echo, answer)
    assert (first.memory.text, first.withheld) == (answer, "")
    assert (last.memory.text, last.withheld) == (echo, WHY)


@pytest.mark.parametrize(
    ("cue", "other"),
    [
        ("My sister Zeynep lives in Izmir.", "My sister Zeynep lives in Ankara."),
        ("Where does my sister live?", "Where does my brother work these days?"),
        ("Kardeşim Ayşe Bursa'da yaşıyor.", "Kardeşim Ayşe Edirne'de yaşıyor."),
        ("Do I like tea?", "I do like tea."),
        ("What do I like to drink?", "I like tea."),
        ("Ben çay sever miyim?", "Ben çay severim."),
        ("The spare key hangs behind the boiler, does it?", "The spare key hangs behind the boiler."),
        ("the spare key hangs behind the boiler, right?", "the spare key hangs behind the boiler"),
        ("Yedek anahtar kazanın arkasında, değil mi?", "Yedek anahtar kazanın arkasında"),
        ("?!", "..."),
    ],
)
def test_what_says_something_else_stays(cue: str, other: str) -> None:
    """Another place is news, another question may be of use, and the same words as a statement are an answer."""
    [found] = told(cue, other)
    assert found.withheld == ""


@pytest.mark.parametrize(
    ("cue", "echo"),
    [
        ("On which shelf are the winter tyres?", "Which shelf holds the winter tyres?"),
        ("Where is billing deployed?", "Where do we deploy billing?"),
        ("Where did I put my passport?", "Do you know where my passport is?"),
        ("Musluğu tamir eden kimdi?", "Musluğu kim tamir etti?"),
        ("Kışlık lastikleri hangi rafa koyduk?", "Kışlık lastikler hangi rafta?"),
    ],
)
def test_a_question_in_other_words_is_the_same_question(cue: str, echo: str) -> None:
    """It shares half of its terms with the cue, and asks for what is unknown."""
    [found] = told(cue, echo)
    assert found.withheld == WHY


@pytest.mark.parametrize(
    ("cue", "other"),
    [
        ("Where did Kerem move?", "Did you know that Kerem moved to Bursa?"),
        ("Which port do the tests use?", "Shall I use port 5199 for the tests?"),
        ("Which colour was chosen for the hall?", "Could we paint the hall green?"),
        ("Why did we drop GraphQL?", "Did we drop GraphQL because of caching?"),
        ("What should I cook tonight?", "I'm vegetarian, what should I cook tonight?"),
        ("Akşama ne pişireyim?", "Vejetaryenim, akşama ne pişireyim?"),
        ("Musluğu kim tamir etti?", "Musluğu Cevdet Usta mı tamir etti?"),
        ("Ders hangi gün?", "Ders cuma günü mü?"),
        ("Who swims?", "I swim."),
        ("Where does Elif live?", "Where does she live? In Izmir."),
    ],
)
def test_a_question_that_tells_something_stays(cue: str, other: str) -> None:
    """A name, an amount, a guess, or a clause before it may be the answer."""
    [found] = told(cue, other)
    assert found.withheld == ""


@pytest.mark.parametrize(
    ("cue", "text", "cosine", "is_echo"),
    [
        ("When is my driving exam?", "Ehliyet sınavım ne zaman?", 0.91, True),
        ("When is my driving exam?", "Ehliyet sınavım ne zaman?", 0.89, False),
        ("When is my driving exam?", "Ehliyet sınavım 14 Haziran'da mı?", 0.99, False),
        ("When is my driving exam?", "Ehliyet sınavım 14 Haziran'da.", 0.99, False),
        ("Do I have an exam on Friday?", "Ehliyet sınavım ne zaman?", 0.99, False),
    ],
)
def test_a_question_in_another_language_is_known_by_its_meaning(
    cue: str, text: str, cosine: float, is_echo: bool
) -> None:
    """If it tells nothing, and the cue does not ask whether something is so."""
    quest = holding(request(cue, automatic=True), FakeCorpus([Line(text)]), [0.5])
    near = [replace(candidate, cosine=cosine) for candidate in quest.candidates]
    quest = replace(quest, candidates=near, world=replace(quest.world, confidence=lambda value: value))
    [found] = STAGE(quest).candidates
    assert (found.withheld == WHY) == is_echo


def test_asked_by_hand_everything_comes() -> None:
    """Whoever looks for a question finds it."""
    [found] = told("Where does my sister live?", "Where does my sister live?", automatic=False)
    assert found.withheld == ""


def test_beyond_what_is_looked_at_nothing_is_fetched() -> None:
    """The rest passes as it comes."""
    wanted = request("the boat", automatic=True)
    texts = [Line(f"number {n}") for n in range(30)]
    found = list(STAGE(holding(wanted, FakeCorpus(texts), [1.0] * 30)).candidates)
    assert len(found) == 30


STAGE_REPEATS = NearDuplicates(times=3, share=0.5)


def said_again(*lines: Line, automatic: bool = True, cue: str = "x") -> list[Candidate]:
    """The candidates after the stage; the lines come in rank order, scoring 1, then a tenth less each."""
    scores = [1.0 - n / 10 for n in range(len(lines))]
    return list(STAGE_REPEATS(holding(request(cue, automatic=automatic), FakeCorpus(lines), scores)).candidates)


def said(text: str, day: float, speaker: str = "Ada") -> Line:
    """Something said on a day."""
    return Line(text, speaker, day=day)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("My favourite colour is turquoise.", "My favourite colour is crimson now."),
        ("En sevdiğim renk turkuaz.", "Artık en sevdiğim renk bordo."),
        ("The parrot sleeps in the kitchen.", "As I said, the parrot sleeps in the kitchen."),
        ("Papağan mutfakta uyuyor.", "Dediğim gibi, papağan mutfakta uyuyor."),
    ],
)
def test_the_newest_stands_where_the_best_stood(older: str, newer: str) -> None:
    """The older ranks first; the newer takes its score, the older is withheld and says why."""
    first, last = said_again(said(older, 1), said(newer, 2))
    assert (first.memory.text, first.score, first.withheld) == (newer, 1.0, "")
    assert last.memory.text == older
    assert last.withheld == f"told again in {first.memory.id}"


def test_two_speakers_and_two_matters_are_no_repeats() -> None:
    """The same words of another person, and other words of the same, stay."""
    found = said_again(
        said("We adopted a parrot.", 1), said("We adopted a parrot.", 2, "Ben"), said("Rent went up.", 3)
    )
    assert [candidate.withheld for candidate in found] == ["", "", ""]


@pytest.mark.parametrize(
    ("cue", "asked", "other"),
    [
        *english(
            (
                "Which port has the staging database?",
                "Our staging database listens on port 6543.",
                "Our billing database listens on port 7777.",
            )
        ),
        *turkish(
            (
                "Zeynep'in doktorunun adı ne?",
                "Zeynep'in doktorunun adı Aylin Hanım.",
                "Kerem'in doktorunun adı Selim Bey.",
            )
        ),
    ],
)
def test_the_same_of_something_else_is_no_repeat_of_what_is_asked_for(cue: str, asked: str, other: str) -> None:
    """Said alike of another thing, and later: what has the cue's words stays, whichever ranks first."""
    for lines in ((said(asked, 1), said(other, 2)), (said(other, 2), said(asked, 1))):
        assert [candidate.withheld for candidate in said_again(*lines, cue=cue)] == ["", ""]


@pytest.mark.parametrize(
    ("told_before", "asked_later"),
    [
        *english(("Our staging database listens on port 6543.", "Which port has our staging database?")),
        *turkish(("Ablam Elif Ankara'da oturuyor.", "Ablam Elif nerede oturuyor?")),
    ],
)
def test_a_question_never_stands_for_what_answers_it(told_before: str, asked_later: str) -> None:
    """It repeats the words of what was said, and says nothing of it."""
    found = said_again(said(told_before, 1), said(asked_later, 2))
    assert [candidate.withheld for candidate in found] == ["", ""]


def test_what_is_withheld_comes_last() -> None:
    """Packing gives up after so many withheld: a crowd of repeats must not keep others out."""
    lines = [said("The parrot sleeps in the kitchen.", n) for n in range(5)]
    found = said_again(*lines, said("The rent went up again.", 9))
    assert [bool(candidate.withheld) for candidate in found] == [False, False, True, True, True, True]


def test_asked_by_hand_everything_comes_in_repeats() -> None:
    """Whoever asks may want to know when it was said first."""
    found = said_again(said("The parrot sleeps.", 1), said("The parrot sleeps.", 2), automatic=False)
    assert [candidate.withheld for candidate in found] == ["", ""]


def test_a_megabyte_is_known_by_its_beginning() -> None:
    """Two texts that begin alike for pages are repeats, however they end."""
    page = " ".join(f"word{n}" for n in range(2_000))
    first, last = said_again(said(page + " turquoise", 1), said(page + " crimson" * 100_000, 2))
    assert (first.withheld, last.withheld) == ("", f"told again in {first.memory.id}")


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I never drink coffee at home.", "I drink coffee at home."),
        ("Evde asla kahve içmiyorum.", "Evde kahve içiyorum."),
    ],
)
@pytest.mark.parametrize("marked", [0, 1])
def test_both_sides_of_a_contradiction_stay(older: str, newer: str, marked: int) -> None:
    """Whichever of the two names the other."""
    lines = [said(older, 1), said(newer, 2)]
    quest = holding(request("x", automatic=True), FakeCorpus(lines), [1.0, 0.9])
    pool = list(quest.candidates)
    pool[marked] = pool[marked].marked(MARK, pool[1 - marked].memory.id)
    found = list(STAGE_REPEATS(replace(quest, candidates=pool)).candidates)
    assert [(one.memory.text, bool(one.withheld)) for one in found] == [(older, False), (newer, False)]
