from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.conflicts.pairs import (
    ALONE,
    ASKED,
    KINDS,
    NUMBERS,
    Heads,
    PairCue,
    PairSubject,
    SeenVectors,
    Statement,
    about_another,
    heads_of,
    is_later,
    numbers,
    other_topics,
    statement,
)
from reverie.formulas.arrays import Floats
from reverie.recall.supersession import subject
from reverie.types import FloatArray, Role
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request

START = datetime(2026, 5, 4, 12, tzinfo=UTC)
WORDS = ("kite", "boat", "harbour", "rent", "tea")
AMOUNTS = ("5", "600", "7:30")
SHARES = ("overlap", "earlier kept", "later known")

told = st.builds(
    Statement,
    terms=st.frozensets(st.sampled_from(WORDS)),
    amounts=st.frozensets(st.sampled_from(AMOUNTS)),
    words=st.integers(0, 300),
    at=st.integers(0, 400).map(lambda days: START + timedelta(days=days)),
    speaker=st.sampled_from(("user", "Ada")),
    session=st.sampled_from(("s1", "s2")),
    role=st.sampled_from(tuple(Role)),
    asks=st.booleans(),
)
several = st.lists(told, min_size=1, max_size=5)


def column(statements: Sequence[Statement], name: str, vectors: FloatArray | None = None) -> Floats:
    """(k, k) one number of every two."""
    seen = None if vectors is None else SeenVectors(vectors)
    return numbers(statements, seen).whole()[:, :, ALONE.index(name)]


def said(text: str, **more: object) -> Statement:
    """A line as it is compared."""
    (memory,) = FakeCorpus([Line(text, **more)]).fetch([0])  # type: ignore[arg-type]  # a test names them
    return statement(memory)


@given(several)
def test_shares_lie_between_none_and_all(statements: list[Statement]) -> None:
    """Every number is finite; what two have in common is at most all that either holds."""
    compared = numbers(statements, None).whole()
    assert compared.shape == (len(statements), len(statements), len(ALONE))
    assert np.isfinite(compared).all()
    for name in SHARES:
        found = column(statements, name)
        assert (found >= 0.0).all()
        assert (found <= 1.0 + 1e-9).all()


@given(several)
def test_overlap_does_not_depend_on_who_came_first(statements: list[Statement]) -> None:
    """Nor does what is shared, and what one keeps the other knows."""
    for name in ("shared", "rarest shared", "overlap", "amounts differ", "amount kept", "same speaker", "same session"):
        found = column(statements, name)
        assert np.allclose(found, found.T)
    assert np.allclose(column(statements, "earlier kept"), column(statements, "later known").T)


@given(several)
def test_amounts_differ_only_where_both_have_some_and_none_in_common(statements: list[Statement]) -> None:
    """One that is kept does not differ; one that is new is the later one's."""
    differ, kept, new = (column(statements, name) for name in ("amounts differ", "amount kept", "new amount"))
    for row, earlier in enumerate(statements):
        for place, later in enumerate(statements):
            shared = earlier.amounts & later.amounts
            assert bool(differ[row, place]) == bool(earlier.amounts and later.amounts and not shared)
            assert bool(kept[row, place]) == bool(shared)
            assert bool(new[row, place]) == bool(later.amounts - earlier.amounts)


@given(several)
def test_the_gap_is_never_below_0(statements: list[Statement]) -> None:
    """It grows with the days, and is 0 where the second was not said at a later moment."""
    gap, later = column(statements, "gap"), is_later(statements)
    assert (gap >= 0.0).all()
    assert (gap[~later] == 0.0).all()
    at = np.array([one.at.timestamp() for one in statements])
    assert (gap[at[np.newaxis, :] > at[:, np.newaxis]] > 0.0).all()
    assert not (later & later.T).any()


@given(several)
def test_without_vectors_nothing_is_alike(statements: list[Statement]) -> None:
    """With them it is their product."""
    assert not column(statements, "alike").any()
    rows = np.eye(len(statements), 4, dtype=np.float32)
    assert np.allclose(column(statements, "alike", rows), rows @ rows.T)


@given(several)
def test_what_is_said_of_either_side_is_said_of_it_alone(statements: list[Statement]) -> None:
    """Its words, its role and whether it asks: the same whoever it is compared with."""
    for name in ("words", "user", "assistant", "device", "asks"):
        earlier, later = column(statements, f"earlier {name}"), column(statements, f"later {name}")
        assert (earlier == earlier[:, :1]).all()
        assert (later == earlier.T).all()


def test_a_statement_is_read_once_for_all() -> None:
    """Terms by their stems, amounts as they are written, and a question by its mark."""
    rent = said("The rent is 1,050.50 euros since 7:30")
    assert rent.amounts == {"1,050.50", "7:30"}
    assert rent.words == 7
    assert not rent.asks
    assert said("Is it 900?").asks
    assert said("kites").terms & said("kite").terms


def test_only_the_beginning_of_a_page_is_compared() -> None:
    """What a text is about stands there."""
    assert said("kite " * 1_000 + "boat 5").amounts == frozenset()


def test_a_new_amount_for_the_same_thing_differs() -> None:
    """The rent was 900 and is 1050; what holds the same amount does not differ."""
    rents = [said("My rent is 900 euros"), said("My rent is 1050 euros now", day=5), said("I still pay 900", day=6)]
    assert column(rents, "amounts differ")[0].tolist() == [0.0, 1.0, 0.0]
    assert column(rents, "shared")[0, 1] > column(rents, "shared")[0, 2]


def test_what_they_are_to_a_cue_stands_beside() -> None:
    """The nine numbers of the cue follow the others; answering more is the difference of the scores."""
    statements = [said("red kite"), said("green kite", day=5)]
    asked = PairCue(np.array([0.0, -1.5]), np.array([1.0, 0.5]), np.array([0.2, 0.4]))
    compared = dict(zip(NUMBERS, np.moveaxis(numbers(statements, None).asked(asked).whole(), 2, 0), strict=True))
    assert (*ALONE, *ASKED) == NUMBERS
    for side, other, values in (
        ("answers", "answers", asked.scores),
        ("covers", "covers", asked.coverage),
        ("near", "near", asked.likeness),
    ):
        assert compared[f"earlier {side}"][:, 0].tolist() == values.tolist()
        assert compared[f"later {other}"][0].tolist() == values.tolist()
    assert np.allclose(compared["answers more"], compared["later answers"] - compared["earlier answers"])
    assert compared["earlier place"][0, 1] == 0.0 < compared["later place"][0, 1]


def test_nobody_tells_for_another() -> None:
    """The same words of two speakers, or in two sessions."""
    one = said("red kite")
    others = [one, replace(one, speaker="Ada"), replace(one, session="s2")]
    assert column(others, "same speaker")[0].tolist() == [1.0, 0.0, 1.0]
    assert column(others, "same session")[0].tolist() == [1.0, 1.0, 0.0]
    assert column(others, "overlap")[0].tolist() == pytest.approx([1.0, 1.0, 1.0])


@given(several, st.randoms(use_true_random=False))
def test_each_two_have_the_same_numbers_however_they_are_read(statements: list[Statement], chance: Random) -> None:
    """One by one, all at once, or in another order; the rarity of a word does not depend on the order."""
    found = numbers(statements, None)
    whole = found.whole()
    order = chance.sample(range(len(statements)), len(statements))
    other = found.among(order)
    for row, earlier in enumerate(order):
        for place, later in enumerate(order):
            assert found.of(earlier, later).tolist() == whole[earlier, later].tolist()
            assert other.of(row, place).tolist() == whole[earlier, later].tolist()


def test_the_log_odds_follow_the_direction() -> None:
    """Along a direction they rise by its length, across it not at all; what nothing is known of has the intercept."""
    heads = Heads(np.array([[2.0, 0.0], [0.0, -1.0], [0.0, 0.0]], np.float32), np.array([-1.0, 0.5, 3.0], np.float32))
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], np.float32)
    assert heads.log_odds(rows).tolist() == [[1.0, 0.5, 3.0], [-1.0, -0.5, 3.0], [-1.0, 0.5, 3.0]]


def test_the_default_model_has_a_head_a_kind() -> None:
    """Of its dimensions."""
    heads = heads_of("use-multilingual-v3")
    assert heads is not None
    assert heads.directions.shape == (len(KINDS), 512)
    assert np.isfinite(heads.directions).all()


@pytest.mark.parametrize("model", ["", "hash", "../kinds", "a/b", "use multilingual"])
def test_other_models_have_none(model: str) -> None:
    """A name is no path."""
    assert heads_of(model) is None


APART = [
    ("We go to Lisbon in May, our budget is 700.", "For Dublin in June our budget is 300."),
    ("The rent of the flat in Izmir is 900.", "The rent of the flat in Ankara is 1200."),
    ("I paid Kemal 40 for the tickets.", "I paid Sofia 65 for the tickets."),
    ("My lesson with Mara Weber is at 9:30.", "My lesson with Selin Aydin is at 14:00."),
    ("Mayıs'ta Lizbon'a gidiyoruz, bütçemiz 700 avro.", "Haziran'da Dublin'e gidiyoruz, bütçemiz 300 avro."),
    ("Geçen ay Elif'e 200 lira borç verdim.", "Geçen ay Deniz'e 350 lira borç verdim."),
]
UPDATED = [
    ("Our budget is 700 euros.", "Our budget is 300 euros."),
    ("I live in Ankara now.", "I live in Izmir now."),
    ("For Lisbon our budget is 700.", "For Lisbon our budget is 900."),
    ("The dentist in Bursa sees me at 9 on Monday.", "The dentist in Bursa sees me at 11 on Friday."),
    ("Toplantı Salı 14:00'te.", "Toplantı Cuma 16:00'da."),
    ("Lizbon için bütçemiz 700 avro.", "Lizbon için bütçemiz 900 avro."),
]


@pytest.mark.parametrize(("earlier", "later"), APART)
def test_amounts_of_two_things_are_about_other_topics(earlier: str, later: str) -> None:
    """Both names and amounts differ in one frame, so neither replaces the other, in whichever order."""
    both = [said(earlier), said(later)]
    assert other_topics(*both)
    assert other_topics(*both[::-1])


@pytest.mark.parametrize(("earlier", "later"), UPDATED)
def test_a_statement_with_one_new_slot_may_be_an_update(earlier: str, later: str) -> None:
    """Only an amount, only a name, or only a day and an hour is another."""
    assert not other_topics(said(earlier), said(later))


ANOTHER = [
    ("Where did Nazlı move?", "Nazlı moved to Izmir last spring.", "Kerem moved to Bursa in June."),
    (
        "Which port has Claude Code's proxy?",
        "Claude Code's proxy runs on port 7001.",
        "Codex's proxy runs on port 7002.",
    ),
    (
        "When does my father retire?",
        "My father retires from the railway in May.",
        "My uncle retires from the mill in June.",
    ),
    ("When does line 4 leave?", "Line 4 leaves the depot at 5:12.", "Line 9 leaves the depot at 5:40."),
    ("Elif nereye taşındı?", "Elif Bursa'ya taşındı.", "Murat Antalya'ya taşındı."),
    ("Depo servisi hangi portta?", "Depo servisi 8081 portunda çalışıyor.", "Kasa servisi 8090 portunda çalışıyor."),
]
SAME = [
    ("Where does Lena live?", "Lena lives in Graz.", "Lena moved to Linz in August."),
    ("Where do I live?", "I live in Hamburg.", "I have moved to Bremen."),
    ("Where do we store the backups?", "We store the backups in Paris.", "We keep the backups in Milan."),
    ("When do I get up?", "I get up at 7 o'clock.", "I get up at 5:30 these days."),
    ("Who leads the Falcon project?", "Marta leads the Falcon project.", "Jonas leads the Falcon project."),
    ("Does Lena still live in Graz?", "Lena lives in Graz with Tom.", "Lena lives in Linz with Max."),
    ("Elif nerede yaşıyor?", "Elif Ankara'da yaşıyor.", "Elif Bursa'ya taşındı."),
    ("Saat kaçta kalkıyorum?", "Saat 7'de kalkıyorum.", "Artık 5:30'da kalkıyorum."),
]


def asked(cue: str) -> PairSubject:
    """What a cue asks about, as recall reads it."""
    return subject(holding(request(cue), FakeCorpus([Line("x")]), [0.5]))


@pytest.mark.parametrize(("cue", "earlier", "later"), ANOTHER)
def test_what_is_said_of_somebody_else_replaces_nothing_that_is_asked(cue: str, earlier: str, later: str) -> None:
    """Parallel statements, of which the cue asks about one, in whichever order they were said."""
    assert about_another(said(earlier), said(later), asked(cue))
    assert about_another(said(later), said(earlier), asked(cue))


@pytest.mark.parametrize(("cue", "earlier", "later"), SAME)
def test_what_is_said_of_the_same_one_may_replace_it(cue: str, earlier: str, later: str) -> None:
    """Another verb, another value, or a question that names the old value says nothing of the subject."""
    assert not about_another(said(earlier), said(later), asked(cue))


def test_commands_and_long_texts_are_not_read_word_by_word() -> None:
    """Two commands are alike whatever they are about, and a long text is no parallel of another."""
    cue, earlier, later = ANOTHER[0]
    tool = [replace(said(text), role=Role.TOOL) for text in (earlier, later)]
    long = [said(f"{text} {'word ' * 30}") for text in (earlier, later)]
    assert not about_another(*tool, asked(cue))
    assert not about_another(*long, asked(cue))
