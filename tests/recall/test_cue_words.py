"""The words of a cue: what each counts, and where it stands."""

from __future__ import annotations

import numpy as np
import pytest

from reverie.recall.search import CueWords
from reverie.types import Cue, TimeWindow
from tests.recall.fake_corpus import START, FakeCorpus, Line
from tests.spoken import NEITHER, english, turkish

CORPUS = FakeCorpus([Line("red kite"), Line("red barn"), Line("blue kite rome"), Line("red sky", "mira")])
TURKISH_CORPUS = FakeCorpus([Line("mavi uçurtma roma"), Line("kırmızı gök", "Ayşe")])


def words(*terms: str, corpus: FakeCorpus = CORPUS, **others: object) -> CueWords:
    """The words of a cue in a corpus."""
    return CueWords.of(corpus, Cue(" ".join(terms), terms, "en", **others))  # type: ignore[arg-type]  # a test names them


@NEITHER
def test_shares_add_up_and_the_rare_count_more() -> None:
    """With what is absent they are the whole; kite (2 of 4) counts more than red (3 of 4)."""
    found = words("red", "kite", "zebra")
    assert float(found.shares.sum()) + found.absent == pytest.approx(1.0)
    assert [match.term for match in found.matches] == ["kite", "red"]
    assert found.shares[0] > found.shares[1]
    assert found.absent > found.shares[0]


@NEITHER
def test_coverage_is_the_share_a_memory_holds() -> None:
    """The first memory holds everything; what may not come holds nothing."""
    found = words("red", "kite")
    assert found.coverage(CORPUS, None).tolist() == pytest.approx(
        [1.0, found.shares[1], found.shares[0], found.shares[1]]
    )
    assert found.coverage(CORPUS, np.array([False, True, True, True]))[0] == 0.0


@NEITHER
def test_which_messages_hold_a_word() -> None:
    """−1 is no message and holds none."""
    held = words("kite").held(np.array([[0, 1], [2, -1]]))
    assert held.tolist() == [[[True, False], [True, False]]]


@pytest.mark.parametrize(
    ("corpus", "name", "speaker", "word"),
    [*english((CORPUS, "mira", "mira", "kite")), *turkish((TURKISH_CORPUS, "ayse", "Ayşe", "mavi"))],
)
def test_the_name_of_who_is_asked_about_is_no_word(corpus: FakeCorpus, name: str, speaker: str, word: str) -> None:
    """What Mira said is known by its speaker; her name in the cue is not looked for, unless it is all there is."""
    assert [m.term for m in words(name, word, corpus=corpus, speakers=(speaker,)).matches] == [word]
    assert words(name, corpus=corpus, speakers=(speaker,)).absent == 1.0


@pytest.mark.parametrize(
    ("corpus", "place", "phrase", "month", "word"),
    [
        *english((CORPUS, "rome", "may", "may", "kite")),
        *turkish((TURKISH_CORPUS, "roma", "Mayıs'ta", "mayis", "mavi")),
    ],
)
def test_names_numbers_and_dates_are_particulars(
    corpus: FakeCorpus, place: str, phrase: str, month: str, word: str
) -> None:
    """Rome is a name, 1999 a number, may a date; kite is none."""
    window = TimeWindow(START, START, phrase)
    found = words(place, "1999", month, word, corpus=corpus, entities=(place.title(),), window=window)
    assert found.particulars == 3
    assert found.named(np.array([match.term == place for match in found.matches])) == 1.0
    assert found.named(np.zeros(len(found.matches), np.bool_)) == 0.0
    assert words(word, corpus=corpus).named(np.zeros(1, np.bool_)) == 1.0


@NEITHER
def test_nothing_to_look_for() -> None:
    """A cue without words has no shares and is about nothing that is missing."""
    found = words()
    assert (found.absent, found.particulars) == (0.0, 0)
    assert not found.coverage(CORPUS, None).any()
