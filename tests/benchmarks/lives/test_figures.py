"""What an answer is worth, worked out by hand; and a whole run over a small life."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.cli import main
from benchmarks.lives import figures
from benchmarks.lives.answers import AUTOMATIC, BY_HAND, Answer
from benchmarks.lives.form import Life, read
from tests.benchmarks.lives import small


@pytest.fixture
def life(tmp_path: Path) -> Life:
    """The small life."""
    return read(small.write(tmp_path))


def answer(life: Life, cue: int, *places: str, marked: tuple[tuple[str, str], ...] = ()) -> Answer:
    """One message a place."""
    return Answer("x", BY_HAND, 0, life.cues[cue], tuple((one,) for one in places), frozenset(marked), 0)


def test_what_is_needed_may_stand_in_any_of_its_messages(life: Life) -> None:
    """One of two that say the same will do; of two that are both needed one is half."""
    assert figures.needed(answer(life, 0, "m002")) == 1.0
    assert figures.needed(answer(life, 2, "m005")) == 0.5
    assert figures.whole(answer(life, 2, "m005")) == 0.0
    assert figures.needed(answer(life, 0, "m003", "m001"), cut=1) == 0.0
    assert figures.needed(answer(life, 5, "m001")) is None


@pytest.mark.parametrize(
    ("cue", "places", "expected"),
    [
        (1, ("m006", "m001"), 1.0),
        (1, ("m001", "m006"), 0.0),
        (1, ("m006",), 1.0),
        (1, (), 0.0),
        (3, ("m007", "m006"), 0.0),
    ],
)
def test_right_above_wrong(life: Life, cue: int, places: tuple[str, ...], expected: float) -> None:
    """The stale one and the look-alike stand below, or are not there."""
    assert figures.above(answer(life, cue, *places)) == expected


def test_the_stale_one_alone_is_a_harm(life: Life) -> None:
    """With what holds beside it, it is none."""
    assert figures.stale_alone(answer(life, 1, "m001")) == 1.0
    assert figures.stale_alone(answer(life, 1, "m001", "m006")) == 0.0
    assert figures.stale_alone(answer(life, 1)) == 0.0


def test_a_mark_is_right_where_a_change_is_labelled(life: Life) -> None:
    """By both messages of the pair; a look-alike is no change."""
    assert figures.marked_rightly(life, answer(life, 1, marked=(("m001", "m006"),))) == 1.0
    assert figures.marked_rightly(life, answer(life, 1, marked=(("m006", "m007"),))) == 0.0
    assert figures.marked_rightly(life, answer(life, 1, marked=(("m001", "m003"),))) == 0.0
    assert figures.older_marked(answer(life, 1, "m001", "m006", marked=(("m001", ""),))) == 1.0


def test_the_command_prints_figures_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rows of every system and way, and no word of any life."""
    small.write(tmp_path / "test")
    monkeypatch.setattr("benchmarks.lives.form.lives.__defaults__", (tmp_path,))
    out = tmp_path / "out.json"
    assert main(["lives", "--part", "test", "--embedder", "none", "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert "spare" not in told.out + told.err
    written = json.loads(out.read_text())
    assert {(row["system"], row["way"]) for row in written["rows"]} >= {("reverie", AUTOMATIC), ("bm25", BY_HAND)}
    assert "spare" not in out.read_text()
    assert written["counts"] == {"lives": 1, "cues": 6}
