from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from reverie.answers import Hit, Recollection, Signal
from reverie.faces.plots.charts import draw_breakdown, shares
from reverie.types import Cue, Kind, Memory, Role, Scope

AT = datetime(2026, 3, 2, tzinfo=UTC)
SCOPE = Scope("a", "u", "p")


def hit(rank: int, **added: float) -> Hit:
    memory = Memory(f"m{rank}", SCOPE, Kind.FACT, f"text {rank}", AT, AT, "s", 0, "Ada", Role.USER)
    signals = tuple(Signal(name, share, 1.0, share) for name, share in added.items())
    return Hit(memory, rank, sum(added.values()), signals, None, 3)


def answer(*hits: Hit) -> Recollection:
    return Recollection(Cue("Where is $x$?", (), "en"), SCOPE, AT, hits, (), (), 0, len(hits))


def test_each_signal_is_what_it_added_to_each_hit() -> None:
    """In order of appearance; one that added nothing anywhere is not there."""
    found = shares([hit(1, text=0.5, meaning=0.2, age=0.0), hit(2, meaning=0.1, penalty=-0.3)])
    assert {name: added.tolist() for name, added in found.items()} == {
        "text": [0.5, 0.0],
        "meaning": [0.2, 0.1],
        "penalty": [0.0, -0.3],
    }


def test_the_shares_of_a_hit_are_its_score() -> None:
    """What is drawn adds up."""
    hits = [hit(1, text=0.5, meaning=0.2), hit(2, meaning=0.1, penalty=-0.3)]
    for row, one in enumerate(hits):
        assert sum(added[row] for added in shares(hits).values()) == pytest.approx(one.score)


def test_the_picture_says_what_one_sees(texts_of: Callable[[object], list[str]]) -> None:
    """The cue, each hit with its rank and score, and a legend of the signals."""
    pytest.importorskip("matplotlib")
    shown = texts_of(draw_breakdown(answer(hit(1, text=0.5, meaning=0.25), hit(3, meaning=0.1, penalty=-0.3))))
    assert "Why “Where is $x$?” recalls these" in shown
    assert {"text 1  1", "text 3  3", "text", "meaning", "penalty", " 0.75", " -0.20"} <= set(shown)


def test_no_hit_is_a_picture_too(texts_of: Callable[[object], list[str]]) -> None:
    """An empty one, with its title."""
    pytest.importorskip("matplotlib")
    assert "Why “Where is $x$?” recalls these" in texts_of(draw_breakdown(answer()))
