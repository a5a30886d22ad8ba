"""The words of a cue: what each counts, and where it stands."""

from __future__ import annotations

import numpy as np
import pytest

from reverie.recall.cue_words import CueWords
from reverie.types import Cue, TimeWindow
from tests.recall.fake_corpus import START, FakeCorpus, Line

CORPUS = FakeCorpus([Line("red kite"), Line("red barn"), Line("blue kite rome"), Line("red sky", "mira")])


def words(*terms: str, **others: object) -> CueWords:
    """The words of a cue in the corpus."""
    return CueWords.of(CORPUS, Cue(" ".join(terms), terms, "en", **others))  # type: ignore[arg-type]  # a test names them


def test_shares_add_up_and_the_rare_count_more() -> None:
    """With what is absent they are the whole; kite (2 of 4) counts more than red (3 of 4)."""
    found = words("red", "kite", "zebra")
    assert float(found.shares.sum()) + found.absent == pytest.approx(1.0)
    assert [match.term for match in found.matches] == ["kite", "red"]
    assert found.shares[0] > found.shares[1]
    assert found.absent > found.shares[0]


def test_coverage_is_the_share_a_memory_holds() -> None:
    """The first memory holds everything; what may not come holds nothing."""
    found = words("red", "kite")
    assert found.coverage(CORPUS, None).tolist() == pytest.approx(
        [1.0, found.shares[1], found.shares[0], found.shares[1]]
    )
    assert found.coverage(CORPUS, np.array([False, True, True, True]))[0] == 0.0


def test_which_messages_hold_a_word() -> None:
    """−1 is no message and holds none."""
    held = words("kite").held(np.array([[0, 1], [2, -1]]))
    assert held.tolist() == [[[True, False], [True, False]]]


def test_the_name_of_who_is_asked_about_is_no_word() -> None:
    """What Mira said is known by its speaker; her name in the cue is not looked for, unless it is all there is."""
    assert [m.term for m in words("mira", "kite", speakers=("mira",)).matches] == ["kite"]
    assert words("mira", speakers=("mira",)).absent == 1.0


def test_names_numbers_and_dates_are_particulars() -> None:
    """Rome is a name, 1999 a number, may a date; kite is none."""
    window = TimeWindow(START, START, "may")
    found = words("rome", "1999", "may", "kite", entities=("Rome",), window=window)
    assert found.particulars == 3
    assert found.named(np.array([match.term == "rome" for match in found.matches])) == 1.0
    assert found.named(np.zeros(len(found.matches), np.bool_)) == 0.0
    assert words("kite").named(np.zeros(1, np.bool_)) == 1.0


def test_nothing_to_look_for() -> None:
    """A cue without words has no shares and is about nothing that is missing."""
    found = words()
    assert (found.absent, found.particulars) == (0.0, 0)
    assert not found.coverage(CORPUS, None).any()
