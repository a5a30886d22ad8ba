"""Erasures in the middle of made-up lives: the journal proves what is held after each of them, and tells no more.

In: English and Turkish sentences, notes, corrections, tags, links, nights and erasures, in any order that Hypothesis
finds. Out: after each erasure the chain holds, a replay and a lossless export give the same store, and no word of what
went is left in the journal.
"""

from __future__ import annotations

import io
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from reverie import FixedClock, HashEmbedder, Message, RandomIds, Reverie, Scope
from reverie.encode.notes import Note
from reverie.errors import Conflict
from reverie.types import Kind, Memory
from tests.engine.conftest import NOW

HOME, WORK = Scope("helper", "ada", "home"), Scope("helper", "ada", "work")
SAID = (
    "I live in {0}.",
    "My sister {0} works at the harbour.",
    "I moved to {0}, I live there now.",
    "{0}'te yaşıyorum.",
    "Kardeşim {0} limanda çalışıyor.",
    "Taşındım, artık {0}'te yaşıyorum.",
)
NOTES = ("The {0} kite flew over the bay.", "{0} uçurtma koyun üstünde uçtu.")
SCOPES = st.sampled_from((HOME, WORK))
SPEAKERS = st.sampled_from(("user", "Elif", "Deniz"))
PICKS = st.integers(0, 1000)


class Lives(RuleBasedStateMachine):
    """Two scopes of one store, lived and erased by chance."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = FixedClock(NOW)
        self.engine = Reverie.open(
            ":memory:",
            embedder=HashEmbedder(16),
            recipe="v9",
            clock=self.clock,
            ids=RandomIds(seed=2),
            background=False,
        )
        self.given: list[str] = []

    def teardown(self) -> None:
        """Release the store."""
        self.engine.close()

    @rule(scope=SCOPES, said=st.sampled_from(SAID), speaker=SPEAKERS, session=st.sampled_from("st"))
    def say(self, scope: Scope, said: str, speaker: str, session: str) -> None:
        """Something with a word of its own."""
        message = Message(said.format(self._word()), speaker=speaker, session=session)
        self.engine.observe(message, scope, deliberate=True)

    @rule(scope=SCOPES, note=st.sampled_from(NOTES), count=st.sampled_from((1, 12)))
    def note(self, scope: Scope, note: str, count: int) -> None:
        """Notes, which stem from no message; of many of them a dream makes one summary."""
        self.engine.admin.note([Note(note.format(self._word())) for _ in range(count)], scope)

    @rule(scope=SCOPES, pick=PICKS)
    def correct(self, scope: Scope, pick: int) -> None:
        """One memory by a new one, another tagged and linked with it."""
        formed = self._formed(scope)
        if len(formed) < 2:
            return
        one, other = formed[pick % len(formed)], formed[(pick + 1) % len(formed)]
        self.engine.admin.amend(other.id, scope, tags=[*other.standing.tags, self._word()])
        self.engine.relate(one.id, other.id, scope, "causes")
        with suppress(Conflict):  # something else has taken its place
            self.engine.correct(one.id, f"It was {self._word()}.", scope)

    @rule(scope=SCOPES)
    def sleep(self, scope: Scope) -> None:
        """A night: themes, patterns, summaries, duplicates, what fades."""
        self.clock.at += timedelta(days=1)
        self.engine.dream(scope)

    @precondition(lambda self: self.given)
    @rule(scope=SCOPES, how=st.sampled_from(("id", "formed", "session", "subject", "whole")), pick=PICKS)
    def erase(self, scope: Scope, how: str, pick: int) -> None:
        """By id, of what was said or what was formed; by session, by person, or all of it."""
        held = self.engine.timeline(scope)
        going = {
            "id": held[pick % len(held) :][:1] if held else [],
            "formed": self._formed(scope)[pick % 7 :][:1],
            "session": [one for one in held if one.session == "s"],
            "subject": self.engine.admin.held_of("Elif", [scope]).get(scope, []),
            "whole": held,
        }[how]
        if not going:
            return
        gone = {one.id for one in going}
        assert gone <= {*self.engine.admin.erase([one.id for one in going], scope, why="asked").memories}
        self._holds()

    def _holds(self) -> None:
        """Chain, replay and export agree, and nothing but what is held is told."""
        out = io.BytesIO()
        self.engine.transfer.export_journal(out)
        told = out.getvalue().decode().casefold()
        held = " ".join(str(one) for scope in (HOME, WORK) for one in self.engine.timeline(scope)).casefold()
        assert [word for word in self.given if word in told and word not in held] == []
        assert self.engine.admin.verify() == []
        assert self.engine.admin.replay(":memory:") == self.engine.admin.digest()
        with TemporaryDirectory() as folder, Reverie.open(":memory:", embedder=None, background=False) as other:
            Path(folder, "all.jsonl").write_bytes(out.getvalue())
            other.transfer.import_journal(Path(folder, "all.jsonl"), into_its_own_scopes=True)
            assert other.admin.verify() == []
            assert other.admin.digest() == self.engine.admin.digest()

    def _formed(self, scope: Scope) -> list[Memory]:
        return [one for one in self.engine.admin.formed(scope) if one.kind is not Kind.EPISODE]

    def _word(self) -> str:
        digits = "".join("abcdefghij"[int(digit)] for digit in f"{len(self.given):03}")
        self.given.append(f"kvor{digits}")
        return f"Kvor{digits}"


class TestLives(Lives.TestCase):  # type: ignore[misc,name-defined]  # Hypothesis makes the class
    """A few lives of twenty acts."""

    settings = settings(
        max_examples=10,
        stateful_step_count=20,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.parametrize("kept", [0, 11], ids=["all", "most"])
def test_a_summary_of_notes_goes_with_any_of_them(kept: int) -> None:
    """A note stems from no message and a category summary has no edge: the note itself is what it names."""
    clock = FixedClock(NOW)
    with Reverie.open(":memory:", embedder=HashEmbedder(16), recipe="v9", clock=clock, ids=RandomIds(seed=2)) as engine:
        notes = [Note(f"The Kvor{letter}blinsk kite flew.") for letter in "abcdefghijkl"]
        names = [one.id for one in engine.admin.note(notes, HOME)]
        clock.at += timedelta(days=1)
        engine.dream(HOME)
        made = [one for one in engine.admin.formed(HOME) if one.is_dreamt and one.standing.tags[0] == "category"]
        assert made, "the case is that a dream makes a summary"
        clock.at += timedelta(days=1)
        engine.admin.note([Note("Another kite.")], HOME)
        engine.dream(HOME)
        engine.admin.erase(names[kept:], HOME, why="asked")
        out = io.BytesIO()
        engine.transfer.export_journal(out)
        told = out.getvalue().decode()
        assert [letter for letter in "abcdefghijkl"[kept:] if f"Kvor{letter}blinsk" in told] == []
        assert made[0].id not in [one.id for one in engine.admin.formed(HOME)]
        assert engine.admin.verify() == []
