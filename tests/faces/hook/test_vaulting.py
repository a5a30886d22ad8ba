"""A session in a linked vault: what it reads when it begins, and what it leaves when it ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.config.trust import Trust
from reverie.engine.runtime import SystemClock
from reverie.faces.hook.answers import HookServing
from reverie.faces.hook.frames import HookCall
from reverie.vault.files import Places
from reverie.vault.laws import ocean_laws
from reverie.vault.linking.links import VaultLink, sidecar
from reverie.vault.linking.sync import LinkedVault, link
from reverie.vault.vault import ObservationDraft, Vault
from reverie.wire.trust import own_link
from tests.faces.hook.conftest import Home
from tests.spoken import english, turkish

Make = Callable[..., HookCall]


@pytest.fixture
def serving() -> Iterator[HookServing]:
    """Serving without a process around it."""
    one = HookServing(lambda _: None)
    yield one
    one.close()


@pytest.fixture
def vault(home: Home) -> Vault:
    """A vault that the session's folder lies in, linked with the store in force."""
    made = Vault(Places(home.project), ocean_laws())
    made.init(("assistant", "owl"))
    store = home.path / "memory" / "reverie.db"
    store.parent.mkdir()
    Reverie.open(store, embedder=None).close()
    linked(home, made, VaultLink(str(store.resolve()), "ada", "house"))
    return made


def linked(home: Home, vault: Vault, wanted: VaultLink) -> None:
    """Link a vault as the user does: what says so is kept in the user's own state."""
    link(vault.places, wanted)
    own_link(sidecar(vault.places).resolve(), wanted, {"HOME": str(home.path)})


def synced(home: Home, vault: Vault) -> None:
    """Bring the vault and the store together."""
    with Reverie.open(home.path / "memory" / "reverie.db", embedder=None) as engine:
        LinkedVault(vault.places, vault.laws, engine, SystemClock()).sync()


def observations(vault: Vault, agent: str = "assistant") -> list[str]:
    """The words of an agent's files."""
    return [
        path.read_text(encoding="utf-8").rsplit("---\n", 1)[1] for path in sorted(vault.places.vault(agent).iterdir())
    ]


@pytest.mark.req("B10")
@pytest.mark.parametrize("moment", ["SessionEnd", "PreCompact"])
@pytest.mark.parametrize(
    ("said", "idle"),
    [
        *english(("CPL went from $12 to $15.", "Let me look at the logs.")),
        *turkish(("Lead maliyeti 12 dolardan 15 dolara çıktı.", "Kayıtlara bir bakayım.")),
    ],
)
def test_what_a_session_taught_becomes_files(
    serving: HookServing, call_of: Make, vault: Vault, moment: str, said: str, idle: str
) -> None:
    """At its end, and when its context is cut; once however often; a session that taught nothing leaves nothing."""
    serving.keep(call_of("UserPromptSubmit", "s1", prompt=said))
    serving.keep(call_of("UserPromptSubmit", "s2", prompt=idle))
    for _ in range(2):
        assert serving.keep(call_of(moment, "s1"))
        assert serving.keep(call_of(moment, "s2"))
    assert observations(vault) == [f"{said}\n"]


@pytest.mark.req("B1")
def test_a_session_begins_with_what_matters(serving: HookServing, call_of: Make, vault: Vault, home: Home) -> None:
    """The agent's own and what is shared, the most important first; not another agent's, not what was archived."""
    day = datetime(2026, 5, 28, tzinfo=UTC).date()
    vault.new("assistant", ObservationDraft("Insurance leads convert twice as well on Tuesdays."), day)
    vault.new("assistant", ObservationDraft("RevPie pays late."), day)
    vault.new("owl", ObservationDraft("Buyer X wants CSV."), day)
    vault.new("owl", ObservationDraft("Nobody needs this."), day)
    vault.promote("owl/obs-2026-05-28-001", day)
    vault.flag("assistant/obs-2026-05-28-002", day, important=True)
    synced(home, vault)
    told = json.loads(serving.answer(call_of("SessionStart")).said)["hookSpecificOutput"]["additionalContext"]
    places = [told.index(text) for text in ("RevPie pays late.", "Insurance leads", "Buyer X wants CSV.")]
    assert places[0] == min(places)
    assert "Nobody needs this." not in told


@pytest.mark.parametrize(
    "change",
    [
        VaultLink("/elsewhere/reverie.db", "ada", "house"),
        VaultLink("", "eve", "house"),
        VaultLink("", "ada", "garden"),
        VaultLink("", "ada", "house", ("owl",)),
        None,
    ],
)
def test_another_memorys_vault_is_left_alone(
    serving: HookServing, call_of: Make, vault: Vault, home: Home, change: VaultLink | None
) -> None:
    """A folder that was cloned may hold a vault of somebody else's: its link must name what is in force anyway."""
    store = str((home.path / "memory" / "reverie.db").resolve())
    (vault.places.own / "link.json").unlink()
    if change is not None:
        linked(home, vault, VaultLink(change.store or store, change.user, change.project, change.agents))
    serving.keep(call_of("UserPromptSubmit", prompt="CPL went from $12 to $15."))
    assert serving.keep(call_of("SessionEnd"))
    assert observations(vault) == []


def test_it_can_be_switched_off(serving: HookServing, call_of: Make, vault: Vault, home: Home) -> None:
    """By a setting, for one folder too; a subfolder of a vault is in it."""
    (home.project / "deep").mkdir()
    serving.keep(call_of("UserPromptSubmit", prompt="CPL went from $12 to $15."))
    (home.project / "reverie.toml").write_text("[hook]\nvault = false\n")
    serving.keep(call_of("SessionEnd", cwd=str(home.project / "deep")))
    assert observations(vault) == []
    (home.project / "reverie.toml").unlink()
    serving.keep(call_of("SessionEnd", cwd=str(home.project / "deep")))
    assert len(observations(vault)) == 1


def test_a_broken_link_keeps_the_call_for_later(serving: HookServing, call_of: Make, vault: Vault) -> None:
    """Nothing is lost: once it is mended the flush is done."""
    path: Path = vault.places.own / "link.json"
    right = path.read_bytes()
    serving.keep(call_of("UserPromptSubmit", prompt="CPL went from $12 to $15."))
    path.write_text("{")
    call = call_of("SessionEnd")
    assert not serving.keep(call)
    path.write_bytes(right)
    assert serving.keep(call)
    assert len(observations(vault)) == 1


def test_a_link_that_came_with_a_vault_opens_no_memory(
    serving: HookServing, call_of: Make, vault: Vault, home: Home
) -> None:
    """Though it names just what is in force: whoever made the vault may have guessed it."""
    Trust({"HOME": str(home.path)}).revoke(home.project)
    serving.keep(call_of("UserPromptSubmit", prompt="CPL went from $12 to $15."))
    assert serving.keep(call_of("SessionEnd"))
    assert observations(vault) == []
