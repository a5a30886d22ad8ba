from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from reverie.consolidate.clusters import clustering
from reverie.consolidate.settings import DreamSettings
from reverie.consolidate.snapshot import Snapshot, snapshot_of
from reverie.consolidate.themes import (
    PATTERN,
    THEME,
    TOLD_MAX,
    WHOLE_MAX,
    Extractive,
    NewMemory,
    Spoken,
    abstraction,
    central,
    common_entities,
    is_made,
    is_outdated,
    made_id,
    made_since,
    make,
    sources_of,
    summaries,
)
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.types import Kind, Memory, Role, State, Tier
from tests.consolidate.making import HERE, NOW, Lying, after, days_ago, memory, night, snapshot
from tests.spoken import english, turkish


@pytest.mark.req("D33")
@pytest.mark.parametrize("recipe", [V9, REVERIE], ids=["v9", "reverie"])
def test_the_three_largest_clusters_give_a_pattern_each(recipe: DreamSettings) -> None:
    """Of importance .85, in the memories' own words; a cluster that has its pattern gets no second one."""
    assert recipe.clustering is not None
    assert recipe.abstraction is not None
    many = [
        memory(f"{n}{side}", f"Ada waters plant {n} on {side}.", entities=(f"plant{n}",))
        for n in range(5)
        for side in "xyz"
    ]
    first = snapshot(*many, lying=Lying({one.id: (1.0,) for one in many}))
    first = first.after(clustering(first, recipe.clustering, NOW))
    outcome = abstraction(first, recipe.abstraction, NOW)
    assert [one.standing.tags for one in outcome.formed] == [("pattern", f"plant{n}") for n in range(3)]
    assert {(one.kind, one.standing.importance) for one in outcome.formed} == {(Kind.PATTERN, 0.85)}
    assert all(one.text in {memory.text for memory in many} for one in outcome.formed)
    assert not abstraction(first.after(outcome), recipe.abstraction, NOW).formed


@pytest.mark.req("D33")
def test_a_pattern_that_later_words_closed_is_made_anew() -> None:
    """Of what holds now; one that a person corrected is not."""
    assert V9.clustering is not None
    assert V9.abstraction is not None
    many = [memory(side, f"Ada waters the plant on {side}.", entities=("plant",)) for side in "xyz"]
    for kind, made in ((Kind.FACT, 1), (Kind.PATTERN, 0)):
        old = memory(
            "p",
            kind=Kind.PATTERN,
            state=State.SUPERSEDED,
            superseded_by="n",
            tags=("pattern", "plant"),
            write_source="dream",
        )
        first = snapshot(*many, old, memory("n", "Ada waters nothing.", kind=kind))
        first = first.after(clustering(first, V9.clustering, NOW))
        assert len(abstraction(first, V9.abstraction, NOW).formed) == made


@pytest.mark.req("D33")
@pytest.mark.parametrize(
    "texts",
    [
        *english((("I water the plant on {}.", "I dry the plant on {}."),)),
        *turkish((("{} günü bitkiyi sularım.", "{} günü bitkiyi kuruturum."),)),
    ],
)
def test_each_speaker_has_a_pattern_of_their_own(texts: tuple[str, str]) -> None:
    """Around the same thing; it is that one's, and made once."""
    assert V9.clustering is not None
    assert V9.abstraction is not None
    many = [
        memory(f"{speaker}{n}", text.format(n), entities=("plant",), speaker=speaker)
        for speaker, text in zip(("Ada", "Bo"), texts, strict=True)
        for n in range(3)
    ]
    first = snapshot(*many)
    first = first.after(clustering(first, V9.clustering, NOW))
    outcome = abstraction(first, V9.abstraction, NOW)
    assert [one.speaker for one in outcome.formed] == ["Ada", "Bo"]
    assert all(any(m.speaker == one.speaker and m.text == one.text for m in many) for one in outcome.formed)
    assert not abstraction(first.after(outcome), V9.abstraction, NOW).formed


ENGLISH = [
    "Ada waters the garden every morning. The mailbox is green.",
    "In summer Ada waters the garden twice.",
    "The garden needs water, says Ada. A ship came in.",
    "Mert bought a bicycle.",
]
TURKISH = [
    "Ada bahçeyi her sabah suluyor. Posta kutusu yeşil.",
    "Yazın Ada bahçeyi iki kez suluyor.",
    "Bahçenin suya ihtiyacı var, diyor Ada. Bir gemi geldi.",
    "Mert bir bisiklet aldı.",
]


@pytest.mark.req("D33")
@pytest.mark.parametrize(("texts", "what"), [(ENGLISH, "garden"), (TURKISH, "bahçe")], ids=["en", "tr"])
def test_the_most_central_sentence_is_of_what_the_texts_are_about(texts: list[str], what: str) -> None:
    """A pattern is one of the memories' own sentences, the one the others come nearest to."""
    pattern = Extractive().pattern(texts)
    assert what in pattern.lower()
    assert any(pattern in text for text in texts)


@pytest.mark.parametrize("texts", [ENGLISH, TURKISH], ids=["en", "tr"])
def test_a_theme_says_nothing_twice_and_keeps_the_order(texts: list[str]) -> None:
    """Repetitions are told once; three sentences in the order they were said."""
    said = central([*texts, *texts], 3)
    assert len(set(said)) == len(said) == 3
    places = [" ".join(texts).index(sentence) for sentence in said]
    assert places == sorted(places)
    assert Extractive().summary("fact", texts) == " ".join(central(texts, 5))
    assert Extractive().theme(texts) == " ".join(central(texts, 3))


@pytest.mark.parametrize("texts", [[], [""], ["\x00", "\ud83d"], ["the the the"], ["x" * 100_000]])
def test_odd_texts_give_some_words_or_none(texts: list[str]) -> None:
    """Nothing fails on content."""
    assert all(sentence in "".join(texts) for sentence in central(texts, 3))


@pytest.mark.parametrize(
    "texts",
    [
        *english((["Elif lives in Ankara.", "Elif works in Ankara.", "Elif has two cats in Ankara."],)),
        *turkish((["Elif Ankara'da yaşıyor.", "Elif Ankara'da çalışıyor.", "Elif'in Ankara'da iki kedisi var."],)),
    ],
)
def test_what_says_little_new_takes_the_room_that_is_left(texts: list[str]) -> None:
    """Short sentences share most of their stems and yet say each its own; one that says nothing new is left out."""
    assert central(texts, 3) == texts
    assert central([*texts, texts[0]], 4) == texts


APPENDED_EN = "My sister Meera lives in Leeds.\nActually, my sister Meera lives in York now, not Leeds."
APPENDED_TR = (
    "Kız kardeşim Selin İzmir'de oturuyor.\nAslında kız kardeşim Selin artık Bursa'da oturuyor, İzmir'de değil."
)


@pytest.mark.parametrize(
    ("texts", "older", "newer"),
    [
        *english(([APPENDED_EN, "Meera lives in a house.", "My sister Meera bakes."], "Leeds.", "York now")),
        *english(([APPENDED_EN.replace("\n", "\n\n"), "Meera lives alone."], "Leeds.", "York now")),
        *turkish(
            ([APPENDED_TR, "Selin bir evde oturuyor.", "Kız kardeşim Selin yemek yapar."], "İzmir'de", "Bursa'da")
        ),
        *turkish(([APPENDED_TR.replace("\n", "\n\n"), "Selin yalnız oturuyor."], "İzmir'de", "Bursa'da")),
    ],
)
def test_what_was_corrected_never_stands_without_its_correction(texts: list[str], older: str, newer: str) -> None:
    """Lines that were added to one another are told together, or the last alone, whether the clash is seen or not."""
    assert newer in " ".join(central(texts, 5))
    for limit in (1, 2, 3, 5):
        assert all(newer in sentence for sentence in central(texts, limit) if older in sentence)


def test_of_many_lines_the_last_are_told() -> None:
    """As many as fit into one piece; one endless line is told by its first sentences."""
    lines = [f"Line {n} of a long list of things." for n in range(50)]
    (told,) = central(["\n".join(lines)], 3)
    assert len(told) <= WHOLE_MAX
    assert told.splitlines() == lines[-len(told.splitlines()) :]
    assert central(["One.\n" + "Two is long. " * 40], 3) == ["Two is long."]


THOUGHT = NewMemory(Kind.SUMMARY, "Ada gardens.", 0.8, THEME, "ada")


def test_a_made_memory_names_where_it_comes_from() -> None:
    """Sources of all members, the place and time of the latest, written by the dream."""
    members = [
        memory("a", sources=("e1", "e2"), age_days=9.0),
        memory("b", sources=("e2", "e3"), age_days=3.0, session="t"),
    ]
    made = make(snapshot(*members), THOUGHT, members)
    assert made.sources == sources_of(members) == ("e1", "e2", "e3")
    assert (made.at, made.session, made.recorded_at) == (days_ago(3.0), "t", NOW)
    assert (made.standing.write_source, made.standing.tags) == ("dream", ("theme", "ada"))
    assert is_made(made, THEME)
    assert not is_made(made, PATTERN)
    assert not is_made(memory("c", tags=("theme",)), THEME)


def test_the_common_entities_come_first() -> None:
    """Equally common ones by name."""
    assert common_entities([memory("a", entities=("x", "y")), memory("b", entities=("y", "w"))]) == ("y", "w", "x")


def test_what_was_made_this_period_is_counted() -> None:
    """What an earlier night made is not."""
    tonight = make(snapshot(memory("a")), THOUGHT, [memory("a")])
    before = memory("b", write_source="dream", tags=("theme",), age_days=2.0)
    assert made_since(snapshot(tonight, before), THEME) == 1


def test_ids_follow_from_what_they_are_of() -> None:
    """Twenty-six characters that sort by time; other parts, another id; odd text is taken."""
    assert made_id(NOW, "a", "b") == made_id(NOW, "a", "b")
    assert len({made_id(NOW, "a", "b"), made_id(NOW, "ab"), made_id(NOW, "a", "\ud83d")}) == 3
    assert made_id(days_ago(1), "z") < made_id(NOW, "a")
    assert len(made_id(NOW, "a")) == 26


def test_words_that_are_one_members_own_are_its_speakers() -> None:
    """So recall knows a pattern as the repetition that it is. Words of several speakers are nobody's."""
    members = [
        memory("a", "Ada gardens. Ada rests.", speaker="Bo", age_days=9.0),
        memory("b", "Mert sleeps.", speaker="Cem", role=Role.ASSISTANT, age_days=3.0),
    ]
    own, new = THOUGHT, replace(THOUGHT, text="They live.")
    made = [make(snapshot(*members), one, members) for one in (own, new)]
    assert [(one.speaker, one.role) for one in made] == [("Bo", Role.USER), ("", Role.PERSON)]
    assert make(snapshot(*members), new, members[1:]).speaker == "Cem"


def test_what_later_words_closed_is_outdated_but_not_what_a_person_replaced() -> None:
    """A correction is of the kind of what it corrects; what still holds or was erased is not outdated."""
    closed = {"kind": Kind.PATTERN, "state": State.SUPERSEDED}
    by = {kind: memory(kind.value, kind=kind) for kind in (Kind.FACT, Kind.PATTERN)}
    for superseded_by, is_so in (("fact", True), ("pattern", False), ("", False), ("erased", False)):
        one = memory("p", superseded_by=superseded_by, **closed)
        assert is_outdated(snapshot(one, *by.values()), one) is is_so
    assert not is_outdated(snapshot(by[Kind.FACT]), memory("p", kind=Kind.PATTERN, superseded_by="fact"))


def plans(count: int) -> list[Memory]:
    """So many plans."""
    return [memory(f"p{n:02}", f"Ada plans to paint room {n}.", kind=Kind.PLAN) for n in range(count)]


def later(before: Snapshot, seconds: float, *more: Memory) -> Snapshot:
    """The scope some seconds later, with more in it."""
    when = replace(night(), at=NOW + timedelta(seconds=seconds))
    return snapshot_of([*before.memories, *more], when, HERE, before.nearness, before.voice)


@pytest.mark.req("D34")
def test_ten_of_a_category_get_a_summary() -> None:
    """Nine do not. It is semantic, of importance .8, and names the episodes it was made of."""
    assert V9.summaries is not None
    assert not summaries(snapshot(*plans(9)), V9.summaries, NOW).formed
    (made,) = summaries(snapshot(*plans(10)), V9.summaries, NOW).formed
    assert (made.kind, made.standing.tier, made.standing.importance) == (Kind.SUMMARY, Tier.SEMANTIC, 0.8)
    assert made.sources == tuple(f"e-p{n:02}" for n in range(10))


@pytest.mark.req("D34")
def test_a_summary_is_brought_up_to_date_and_never_doubled() -> None:
    """Unchanged while its category is; with a new member reworded, but not within a minute of the last version."""
    assert V9.summaries is not None
    first = snapshot(*plans(10))
    first = first.after(summaries(first, V9.summaries, NOW))
    assert not summaries(later(first, 600), V9.summaries, NOW).changes
    new = memory("new", "Ada plans to sell the piano.", kind=Kind.PLAN)
    soon = summaries(later(first, 59, new), V9.summaries, NOW)
    assert (soon.changes, soon.formed) == ([], ())
    outcome = summaries(later(first, 60, new), V9.summaries, NOW)
    assert outcome.formed == ()
    ((summary, what),) = after(outcome).items()
    assert summary == first.memories[-1].id
    assert "e-new" in str(what["sources"])


@pytest.mark.req("D34", "D21")
def test_a_summary_that_somebody_pinned_stays_as_it_is() -> None:
    """Pinned, immutable, or put to sleep: left alone, and none made in its place."""
    assert V9.summaries is not None
    first = snapshot(*plans(10))
    first = first.after(summaries(first, V9.summaries, NOW))
    for flag in ("pinned", "immutable"):
        summary = first.memories[-1]
        kept = replace(summary, standing=replace(summary.standing, **{flag: True}))
        found = snapshot(*first.memories[:-1], kept, memory("new", kind=Kind.PLAN))
        outcome = summaries(later(found, 600), V9.summaries, NOW)
        assert (outcome.changes, outcome.formed) == ([], ())


def test_a_large_category_is_told_by_its_most_important_memories() -> None:
    """So that a summary's sources stay few."""
    assert V9.summaries is not None
    many = [memory(f"p{n:03}", kind=Kind.PLAN, importance=n / 100) for n in range(100)]
    (made,) = summaries(snapshot(*many), V9.summaries, NOW).formed
    assert made.sources == tuple(f"e-p{n:03}" for n in range(100 - TOLD_MAX, 100))


@pytest.mark.req("D34")
def test_a_summary_that_later_words_closed_is_made_anew() -> None:
    """Else a category would have none for good."""
    assert V9.summaries is not None
    old = memory(
        "s",
        kind=Kind.SUMMARY,
        state=State.SUPERSEDED,
        superseded_by="n",
        tags=("category", "plan"),
        write_source="dream",
    )
    before = snapshot(*plans(10), old, memory("n"))
    assert len(summaries(before, V9.summaries, NOW).formed) == 1


OWN = pytest.mark.parametrize(
    "likes",
    [
        *english((("I love jazz evening {}.", "I hate jazz evening {}."),)),
        *turkish((("{}. caz akşamını severim.", "{}. caz akşamından nefret ederim."),)),
    ],
)


def preferences(speaker: str, template: str, count: int = 10) -> list[Memory]:
    """So many preferences of one speaker."""
    kind = Kind.PREFERENCE
    return [memory(f"{speaker}{n}", template.format(n), kind=kind, speaker=speaker) for n in range(count)]


@OWN
@pytest.mark.req("D34")
def test_each_speaker_has_a_summary_of_their_own(likes: tuple[str, str]) -> None:
    """Two people's "I" are never told in one text; ten of two speakers together are no summary."""
    assert V9.summaries is not None
    ada, bo = preferences("Ada", likes[0]), preferences("Bo", likes[1])
    assert not summaries(snapshot(*ada[:9], *bo[:9]), V9.summaries, NOW).formed
    made = summaries(snapshot(*ada, *bo), V9.summaries, NOW).formed
    assert [one.speaker for one in made] == ["Ada", "Bo"]
    for one, own in zip(made, (ada, bo), strict=True):
        assert one.sources == tuple(source for member in own for source in member.sources)
        assert all(sentence in " ".join(member.text for member in own) for sentence in one.text.split(". ")[:1])
        assert not any(member.text in one.text for member in (bo if own is ada else ada))


@OWN
@pytest.mark.req("D34")
def test_a_summary_that_mixed_two_speakers_becomes_its_own_speakers(likes: tuple[str, str]) -> None:
    """Also where that one has too few memories for a new summary."""
    assert V9.summaries is not None
    ada, bo = preferences("Ada", likes[0], 3), preferences("Bo", likes[1], 3)
    mixed = memory(
        "mixed",
        f"{ada[0].text} {bo[0].text}",
        kind=Kind.SUMMARY,
        speaker="Bo",
        sources=(*ada[0].sources, *bo[0].sources),
        tags=("category", "preference"),
        write_source="dream",
    )
    outcome = summaries(snapshot(*ada, *bo, mixed), V9.summaries, NOW)
    assert outcome.formed == ()
    told = str(after(outcome)["mixed"]["text"])
    assert all(one.text in told for one in bo)
    assert not any(one.text in told for one in ada)


@pytest.mark.req("D34")
def test_a_category_is_not_thinned_out_by_the_themes_of_the_night() -> None:
    """What a theme that is active stands in for still counts; what newer words closed does not."""
    assert V9.summaries is not None
    theme = memory("t", "They paint.", kind=Kind.SUMMARY, write_source="dream", tags=("theme", "rooms"))
    closed = [
        replace(one, standing=replace(one.standing, state=State.SUPERSEDED, superseded_by="t")) for one in plans(10)
    ]
    assert len(summaries(snapshot(*closed, theme), V9.summaries, NOW).formed) == 1
    newer = memory("t", "Ada plans nothing.")
    assert not summaries(snapshot(*closed, newer), V9.summaries, NOW).formed
    assert not summaries(snapshot(*closed), V9.summaries, NOW).formed


class Mind:
    """A model that answers, or has nothing to say; notes how many texts it was given."""

    def __init__(self, answer: str | None) -> None:
        self.answer = answer
        self.told: list[int] = []

    def theme(self, texts: Sequence[str]) -> str | None:
        self.told.append(len(texts))
        return self.answer

    def pattern(self, texts: Sequence[str]) -> str | None:
        return self.theme(texts)

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        return self.theme(texts)


@pytest.mark.req("D33", "D34")
def test_a_model_is_asked_first() -> None:
    """Its answer stands; it is given no more texts than it can bear."""
    mind = Mind("They all garden.")
    voice = Spoken(mind)  # type: ignore[arg-type]  # only what a dream asks of a mind
    texts = [f"Ada waters bed {n}." for n in range(100)]
    assert {voice.theme(texts), voice.pattern(texts), voice.summary("fact", texts)} == {"They all garden."}
    assert mind.told == [TOLD_MAX] * 3


@pytest.mark.req("D33", "D34")
def test_without_an_answer_the_extract_stands() -> None:
    """As if there were no model."""
    voice = Spoken(Mind(None))  # type: ignore[arg-type]  # only what a dream asks of a mind
    texts = ["Ada waters the beds.", "Ada waters the roses.", "Mert sleeps."]
    own = Extractive()
    assert voice.theme(texts) == own.theme(texts)
    assert voice.pattern(texts) == own.pattern(texts)
    assert voice.summary("fact", texts) == own.summary("fact", texts)
