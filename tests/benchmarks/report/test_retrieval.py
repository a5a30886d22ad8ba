"""The tables of what was found: every figure with its interval, every difference as ours minus the other's."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.report.retrieval import Result, section, verdict
from benchmarks.results import PairedRow, RetrievalRow

FIGURES = (("any", 1), ("fraction", 10), ("all", 10), ("tokens", 1000))


def row(system: str, metric: str, at: int, category: str) -> RetrievalRow:
    """A half, more or less a tenth."""
    return RetrievalRow("beam", system, "message", metric, at, category, 40, 0.5, 0.4, 0.6)


def found(*paired: PairedRow) -> Result:
    """A result of ours, a peer and a recipe, with these differences."""
    rows = [
        row(system, metric, at, category)
        for system in ("mem0", "reverie", "v9")
        for metric, at in FIGURES
        for category in ("all", "answerable", "summarization")
    ]
    index = {(r.system, r.category, r.unit, r.metric, r.at): r for r in rows}
    content = {"systems": {"mem0": "mem0ai 2.2.1, qdrant-client 1.20.0"}, "limit": 3}
    return Result("beam", index, paired, content)


def differences(system: str, against: str, category: str = "answerable") -> list[PairedRow]:
    """The first better by a tenth in every figure; 8 questions to 3."""
    return [
        PairedRow("beam", system, against, "message", metric, at, category, 40, 0.1, 0.02, 0.2, 8, 3)
        for metric, at in FIGURES
    ]


def test_every_figure_has_its_interval_and_every_peer_its_release() -> None:
    """And a part of a set is told from the whole."""
    text = section(found())
    assert text.startswith("#### BEAM 100K, the first 3 haystacks\n")
    assert "| mem0 | 50.0 [40.0–60.0] |\n" in text
    assert "| mem0 | 50.0 [40.0–60.0] | 50.0 [40.0–60.0] |\n" in text
    assert "`mem0` is mem0ai 2.2.1, qdrant-client 1.20.0" in text


def test_a_difference_is_ours_minus_the_others() -> None:
    """Whichever way round it was worked out: a recipe that does better is a loss of ours."""
    text = section(found(*differences("reverie", "mem0"), *differences("v9", "reverie")))
    assert "| reverie − mem0 | +10.0 [+2.0, +20.0] (8:3) |" in text
    assert "| reverie − v9 | -10.0 [-20.0, -2.0] (3:8) |" in text
    assert "Of 8 intervals of `reverie` against the others, 4 lie wholly above 0 and 4 wholly below;" in text


def test_every_loss_is_named() -> None:
    """In categories too; an interval that touches 0 is none."""
    rows = [*differences("reverie", "mem0"), *differences("reverie", "mem0", "summarization")]
    rows[-1] = replace(rows[-1], low=-0.3, high=-0.1)
    rows[0] = replace(rows[0], low=-0.3, high=0.0)
    told = verdict(found(), "reverie", rows)
    assert "Of 4 intervals of `reverie` against the others, 3 lie wholly above 0 and 0 wholly below" in told
    assert told.endswith("(8 intervals) wholly below: mem0, summarization, tokens@1000.")
