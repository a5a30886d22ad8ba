import os
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random

import numpy as np
import pytest

from reverie.engine.runtime import SystemClock
from reverie.errors import InvalidInput
from reverie.vault.laws import Laws
from reverie.vault.linking import search
from reverie.vault.linking.search import Finder, ObservationColumns, ObservationRow
from reverie.vault.search import VaultHits, VaultQuery, find
from reverie.vault.vault import Vault
from tests.vault.conftest import DAY
from tests.vault.notes import put, text

WORDS = ["cpl", "ctr", "roi", "lead", "buyer", "insurance", "tuesday", "creative", "fatigue", "İstanbul", "naïve"]


@pytest.fixture
def finder(vault: Vault) -> Iterator[Finder]:
    """The index of a vault of sixty observations, without its thread."""
    rng = Random(3)
    for number in range(60):
        fields = {"importance": rng.choice(["0.1", "0.3", "0.9"]), "created": f"2026-02-{rng.randint(1, 15):02}"}
        agent = rng.choice(["hawk", "owl"])
        put(
            vault, f"{agent}/n{number}", body=" ".join(rng.choices(WORDS, k=9)), tags=f"[{rng.choice(WORDS)}]", **fields
        )
    vault.maintain(DAY)
    made = Finder(vault.places, vault.laws, SystemClock(), alone=True)
    yield made
    made.close()


def shown(found: VaultHits) -> list[tuple[object, ...]]:
    """All that a search says."""
    return [(hit.observation.path, hit.score, hit.freshness, hit.snippet, hit.observation.raw) for hit in found.hits]


@pytest.mark.req("B8", "B11")
def test_it_finds_what_the_vaults_own_search_finds(vault: Vault, finder: Finder) -> None:
    """The same files, scores, snippets and counts, of one agent and of all, on any day."""
    rng = Random(5)
    for _ in range(60):
        query = " ".join(rng.choices([*WORDS, "unheard"], k=rng.randint(1, 4)))
        wish = VaultQuery(query, rng.choice([None, "hawk", "owl"]), rng.randint(1, 12))
        day = DAY + timedelta(days=rng.randint(0, 30))
        own, plain = finder.find(wish, day), find(vault.places, vault.laws, wish, day)
        assert shown(own) == shown(plain)
        assert (own.searched, own.faults) == (plain.searched, plain.faults)


@pytest.mark.req("B11")
def test_what_came_went_or_was_replaced_is_known_at_once(vault: Vault, finder: Finder) -> None:
    """So is what is broken, and what an agent brings along."""
    wish = VaultQuery("quixotic", None, 5)
    assert finder.find(wish, DAY).hits == ()
    path = put(vault, "hawk/new", body="A quixotic plan.")
    assert [hit.observation.path for hit in finder.find(wish, DAY).hits] == [path]
    beside = path.with_name(".beside")
    beside.write_text(text("A sober plan."))
    beside.replace(path)
    assert finder.find(wish, DAY).hits == ()
    vault.init(("wren",))
    put(vault, "wren/new", body="Quixotic, too.")
    assert len(finder.find(wish, DAY).hits) == 1
    path.with_name("broken.md").write_text("no head")
    assert [fault.line for fault in finder.find(wish, DAY).faults] == [1]
    with pytest.raises(InvalidInput):
        finder.find(VaultQuery("x", "../hawk", 5), DAY)


@pytest.mark.req("B11")
def test_what_was_written_over_in_place_is_never_shown_as_it_was(vault: Vault, finder: Finder) -> None:
    """A hit is read from its file; new words are found after the next look."""
    path = put(vault, "hawk/new", body="A quixotic plan.")
    finder.find(VaultQuery("quixotic", None, 5), DAY)
    old = time.time() - 60
    os.utime(path.parent, (old, old))
    finder.look()
    path.write_text(text("A sober plan."))
    assert finder.find(VaultQuery("quixotic", None, 5), DAY).hits == ()
    path.write_text(text("A serendipitous plan."))
    finder.look()
    assert len(finder.find(VaultQuery("serendipitous", None, 5), DAY).hits) == 1


def test_a_thread_looks_at_the_files_meanwhile(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it is closed; a folder that cannot be read now does not end it."""
    import threading

    looked = threading.Semaphore(0)
    real = Finder.look

    def look(finder: Finder) -> None:
        real(finder)
        looked.release()

    monkeypatch.setattr(search, "EVERY_S", 0.001)
    monkeypatch.setattr(Finder, "look", look)
    finder = Finder(vault.places, vault.laws, SystemClock())
    assert all(looked.acquire(timeout=30) for _ in range(3))
    finder.close()


WORDS_COLUMNS = {"cpl": 0, "rose": 1, "fell": 2}


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
        np.array([WORDS_COLUMNS[term] for term in terms], np.int64),
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
    columns = ObservationColumns([row("a", "cpl", "rose")], WORDS_COLUMNS, laws)
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
    assert names(ObservationColumns(rows, WORDS_COLUMNS, laws), "cpl") == ["c", "a", "b", "e"]
    assert names(ObservationColumns(rows, WORDS_COLUMNS, laws), "cpl", most=2) == ["c", "a"]
    assert names(ObservationColumns(rows, WORDS_COLUMNS, laws), "unheard", "of") == []
    assert names(ObservationColumns([], {}, laws), "cpl") == []


def test_what_search_does_not_look_at_is_not_found(laws: Laws) -> None:
    """Too unimportant, past its age, another agent's, or a copy whose original is there."""
    rows = [
        row("a", "cpl", importance=0.1),
        row("b", "cpl", created=date(2026, 1, 1)),
        row("c", "cpl", agent="owl", promoted=True),
        row("owl-c", "cpl", agent=""),
    ]
    columns = ObservationColumns(rows, WORDS_COLUMNS, laws)
    assert names(columns, "cpl") == ["c"]
    assert names(columns, "cpl", agent="hawk") == ["owl-c"]
    assert names(columns, "cpl", agent="owl") == ["c"]
