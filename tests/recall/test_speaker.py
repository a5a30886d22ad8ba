"""Who is asked about: the one speaker a cue names, or the asker."""

from __future__ import annotations

import numpy as np

from reverie.recall.query import speaker_match
from reverie.types import Cue
from tests.recall.fake_corpus import FakeCorpus, Line
from tests.spoken import NEITHER

pytestmark = NEITHER

CORPUS = FakeCorpus([Line("a", "Ada"), Line("b", "Ben"), Line("c", "user"), Line("d", "assistant")])
ALL = np.arange(4)


def match(cue: Cue) -> list[float]:
    """The signal for all four lines."""
    return [float(value) for value in speaker_match(CORPUS, cue, ALL)]


def test_one_named_speaker_is_raised() -> None:
    """Naming Ada raises what Ada said."""
    assert match(Cue("q", (), "en", speakers=("Ada",))) == [1, 0, 0, 0]


def test_two_named_speakers_raise_nobody() -> None:
    """Naming both asks about both."""
    assert match(Cue("q", (), "en", speakers=("Ada", "Ben"))) == [0, 0, 0, 0]


def test_the_first_person_raises_the_users_own_messages() -> None:
    """The word "my" means what the user said."""
    assert match(Cue("q", (), "en", first_person=True)) == [0, 0, 1, 0]


def test_a_named_speaker_comes_before_the_first_person() -> None:
    """Asking "what did Ada tell me" asks about Ada."""
    assert match(Cue("q", (), "en", speakers=("Ada",), first_person=True)) == [1, 0, 0, 0]


def test_asking_what_the_assistant_said_halves_it() -> None:
    """Asking "what did you tell me" is about both sides."""
    assert match(Cue("q", (), "en", first_person=True, asks_assistant=True)) == [0, 0, 0.5, 0]


def test_a_cue_about_nobody_raises_nobody() -> None:
    """No name and no first person: the signal is silent."""
    assert match(Cue("q", (), "en")) == [0, 0, 0, 0]
