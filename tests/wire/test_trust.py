"""A store that came with a folder is not opened before the user agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie.config import load
from reverie.config.trust import Trust
from reverie.errors import StoreUntrusted
from reverie.vault.linking.links import VaultLink
from reverie.wire.trust import brought, is_own_link, own_link, own_made, require_link, require_trust


@pytest.fixture
def around(tmp_path: Path) -> dict[str, str]:
    """A user without settings."""
    return {"HOME": str(tmp_path / "home")}


@pytest.mark.parametrize("name", ["reverie.db", "folder/reverie.db"])
def test_a_store_that_lies_there_is_asked_for(tmp_path: Path, around: dict[str, str], name: str) -> None:
    """One that is made there is not, nor one that the user agreed to."""
    folder = tmp_path / "cloned"
    (folder / name).parent.mkdir(parents=True)
    settings = {"REVERIE_STORE": "folder"} if "/" in name else {}
    loaded = load(folder, around | settings)
    assert brought(loaded, around) == (None if name == "reverie.db" else folder / "folder")
    (folder / name).touch()
    assert brought(loaded, around) == folder / name
    with pytest.raises(StoreUntrusted, match="came with this folder"):
        require_trust(loaded, around)
    Trust(around).own(folder / name)
    assert require_trust(loaded, around) is False
    (folder / name).rename(folder / "away")
    (folder / name).touch()
    assert brought(loaded, around) == folder / name


def test_a_store_that_is_made_there_is_the_users(tmp_path: Path, around: dict[str, str]) -> None:
    """From the first use on; where that cannot be written down, it is asked for."""
    loaded = load(tmp_path, around)
    assert require_trust(loaded, around) is True
    (tmp_path / "reverie.db").touch()
    own_made(loaded, {})
    assert brought(loaded, around) == tmp_path / "reverie.db"
    own_made(loaded, around)
    assert require_trust(loaded, around) is False


def test_a_link_in_a_stores_place_is_asked_for(tmp_path: Path, around: dict[str, str]) -> None:
    """Wherever it leads, nowhere included."""
    (tmp_path / "own.db").touch()
    for target in ("own.db", "nowhere.db"):
        (tmp_path / "reverie.db").symlink_to(tmp_path / target)
        assert brought(load(tmp_path, around), around) is not None
        (tmp_path / "reverie.db").unlink()


def test_a_vaults_link_holds_for_the_memory_it_was_made_with(
    tmp_path: Path, around: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another user, project, store or agent in its file, or another place, is another link."""
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", around["HOME"])
    path, link = tmp_path / "link.json", VaultLink("/own.db", "ada", "home", ("a", "b"))
    with pytest.raises(StoreUntrusted, match="vault link"):
        require_link(path, link)
    own_link(path, link)
    require_link(path, VaultLink("/own.db", "ada", "home", ("b", "a"), head=7))
    others = [
        VaultLink("/own.db", "ada", "work"),
        VaultLink("/o.db", "ada", "home"),
        VaultLink("/own.db", "ada", "home", ()),
    ]
    assert not any(is_own_link(path, other) for other in others)
    assert not is_own_link(tmp_path / "other.json", link)
