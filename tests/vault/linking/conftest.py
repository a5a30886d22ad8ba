"""What the tests of the link ask for: a vault of hawk and owl linked with an engine in memory, at a fixed moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie import FixedClock, RandomIds, Reverie, Scope
from reverie.types import Memory
from reverie.vault.laws import Laws
from reverie.vault.linking.links import VaultLink
from reverie.vault.linking.sync import LinkedVault, Synced, link
from reverie.vault.vault import Vault
from tests.vault.notes import everything, put

NOW = datetime(2026, 2, 20, 12, tzinfo=UTC)


@dataclass
class Both:
    """A linked vault with its engine."""

    vault: Vault
    engine: Reverie
    clock: FixedClock
    linked: LinkedVault

    def scope(self, agent: str = "hawk") -> Scope:
        """An agent's scope."""
        return Scope(agent, "ada", "ocean")

    def sync(self) -> Synced:
        """Bring both together, and show that a second time writes nothing."""
        self.clock.at += timedelta(seconds=1)
        done = self.linked.sync()
        files, head = self.files(), self.engine.admin.head()
        again = self.linked.sync()
        assert again.changes == ()
        assert (self.files(), self.engine.admin.head()) == (files, head)
        return done

    def files(self) -> dict[str, bytes]:
        """Every file of the vault but the link's own."""
        return {name: raw for name, raw in everything(self.vault).items() if not name.startswith(".reverie/")}

    def put(self, name: str, body: str, **fields: str) -> Path:
        """Write an observation as a person does."""
        return put(self.vault, name, **({"body": body} | fields))

    def held(self, agent: str = "hawk") -> dict[str, Memory]:
        """The formed memories that are recalled, by their words."""
        now = self.clock.now()
        found = self.engine.admin.formed(self.scope(agent))
        holding = [one for one in found if one.valid_until is None or one.valid_until > now]
        return {one.text: one for one in holding if one.standing.state in ("active", "fading")}


@pytest.fixture
def both(tmp_path: Path, laws: Laws) -> Iterator[Both]:
    """A linked vault."""
    from reverie.vault.files import Places

    vault = Vault(Places(tmp_path / "repo"), laws)
    vault.init(("hawk", "owl"))
    clock = FixedClock(NOW)
    with Reverie.open(":memory:", embedder=None, clock=clock, ids=RandomIds(seed=1)) as engine:
        link(vault.places, VaultLink(":memory:", "ada", "ocean"))
        yield Both(vault, engine, clock, LinkedVault(vault.places, laws, engine, clock))
