from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np

from reverie.vault.laws import Laws
from reverie.vault.linking.search import ObservationColumns, ObservationRow
from tests.vault.conftest import DAY

WORDS = {"cpl": 0, "rose": 1, "fell": 2}


def row(name: str, *terms: str, agent: str = "hawk", **other: object) -> ObservationRow:
    """A row of these words, each once."""
    plain = ObservationRow(
        agent,
        name,
        Path(f"{name}.md"),
        0.5,
        DAY,
        30.0,
        False,
        " ".join(terms),
        np.array([WORDS[term] for term in terms], np.int64),
        np.ones(len(terms)),
    )
    return replace(plain, **other)  # type: ignore[arg-type] # a row's own fields


def names(
    columns: ObservationColumns, *asked: str, agent: str | None = None, most: int = 5, today: date = DAY
) -> list[str]:
    """What is found, best first."""
    return [one.name for one, _, _ in columns.best(Counter(asked), agent, today, most)]


def test_the_score_is_cosine_times_importance_times_freshness(laws: Laws) -> None:
    """By hand: the only text of two words, half of the query; importance .5, 15 of 30 days old."""
    columns = ObservationColumns([row("a", "cpl", "rose")], WORDS, laws)
    ((_, score, fresh),) = columns.best(Counter(["cpl"]), None, date(2026, 3, 2), 5)
    assert fresh == 1 - 0.95 * 15 / 30
    assert abs(score - 0.5 * fresh / 2**0.5) < 1e-12


def test_more_important_and_newer_things_come_first(laws: Laws) -> None:
    """Of equals the newest, then by name; never more than asked for."""
    rows = [
        row("a", "cpl"),
        row("b", "cpl"),
        row("c", "cpl", importance=0.6),
        row("d", "fell"),
        row("e", "cpl", created=date(2026, 2, 14), max_age_days=float("inf")),
    ]
    assert names(ObservationColumns(rows, WORDS, laws), "cpl") == ["c", "a", "b", "e"]
    assert names(ObservationColumns(rows, WORDS, laws), "cpl", most=2) == ["c", "a"]
    assert names(ObservationColumns(rows, WORDS, laws), "unheard", "of") == []
    assert names(ObservationColumns([], {}, laws), "cpl") == []


def test_what_search_does_not_look_at_is_not_found(laws: Laws) -> None:
    """Too unimportant, past its age, another agent's, or a copy whose original is there."""
    rows = [
        row("a", "cpl", importance=0.1),
        row("b", "cpl", created=date(2026, 1, 1)),
        row("c", "cpl", agent="owl", promoted=True),
        row("owl-c", "cpl", agent=""),
    ]
    columns = ObservationColumns(rows, WORDS, laws)
    assert names(columns, "cpl") == ["c"]
    assert names(columns, "cpl", agent="hawk") == ["owl-c"]
    assert names(columns, "cpl", agent="owl") == ["c"]
