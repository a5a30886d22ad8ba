import os
import time
from collections.abc import Iterator
from datetime import timedelta
from random import Random

import pytest

from reverie.engine.runtime import SystemClock
from reverie.errors import InvalidInput
from reverie.vault.linking import search
from reverie.vault.linking.search import Finder
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
