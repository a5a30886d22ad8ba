"""``python -m benchmarks train`` on one small life: what it writes is what the package reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.cli import main
from benchmarks.lives import form
from reverie.conflicts.pairs import ALONE, NUMBERS
from reverie.conflicts.verdict import BY_ONE, BY_TEXT, BY_THEMSELVES, WITH_CUE, read_verdicts
from reverie.recall.signals import BY_TWO, NAMES, TEXT_ALONE, TRAITS, WITH_MEANING, read_ranking
from tests.benchmarks.lives import small


@pytest.fixture(autouse=True)
def life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one life there is."""
    told = form.read(small.write(tmp_path / "lives"))
    monkeypatch.setattr(form, "lives", lambda part: iter([told]))


def learned(what: str, tmp_path: Path, *more: str) -> str:
    """What the command wrote, with the hashing model."""
    out = tmp_path / f"{what}.txt"
    given = ["train", what, "--out", str(out), "--embedder", "hash", "--cache", str(tmp_path / "cache")]
    assert main([*given, *more]) == 0
    return out.read_text(encoding="utf-8")


def test_ranking_weights_can_be_read_back(tmp_path: Path) -> None:
    """A row for each signal in each section, and what they were learned from; text alone knows no meaning."""
    text = learned("ranking", tmp_path)
    found = read_ranking(text)
    assert set(found) == {BY_TWO, WITH_MEANING, TEXT_ALONE}
    for ranking in found.values():
        assert set(ranking.rows) == set(NAMES), "each signal is named in SIGNALS of benchmarks/training/ranking.py"
    assert "lives: 1 haystacks, 6 cues" in text
    assert any(found[WITH_MEANING].rows["own meaning"])
    assert not any(found[TEXT_ALONE].rows["own meaning"])
    assert not any(row[TRAITS.index("agreement")] for row in found[TEXT_ALONE].rows.values())


def test_verdicts_can_be_read_back(tmp_path: Path) -> None:
    """A mean, a deviation and a weight for each number; what was seen by one model says nothing of two."""
    text = learned("pairs", tmp_path)
    found = read_verdicts(text)
    assert set(found) == {f"{asked}, {how}" for asked in (WITH_CUE, BY_THEMSELVES) for how in (BY_ONE, BY_TEXT)}
    assert len(found[f"{WITH_CUE}, {BY_ONE}"].weights) == len(NUMBERS)
    assert len(found[f"{BY_THEMSELVES}, {BY_TEXT}"].weights) == len(ALONE)
    assert all(np.isfinite(one.weights).all() for one in found.values())
    assert "# reed: " in text


def test_only_what_can_be_learned_is_offered(tmp_path: Path) -> None:
    """Ranking or pairs."""
    with pytest.raises(SystemExit):
        learned("everything", tmp_path)
