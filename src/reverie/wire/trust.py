"""Whether a store may be opened: in, the settings as they were loaded; out, an error where it came with the folder.

A store brings memories, and memories reach an agent's model as they are, standing orders first. So one that the folder
brought along is opened only when the user has agreed to it, or has made it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.config import Loaded
from reverie.config.trust import Agreed, Trust, TrustKind
from reverie.durable import is_there
from reverie.errors import ReverieError, StoreUntrusted

if TYPE_CHECKING:
    from reverie.vault.linking.links import VaultLink


def brought(loaded: Loaded, environment: Mapping[str, str] | None = None) -> Path | None:
    """The store in force, where it came with the folder and the user has not agreed to it; else None.

    Raises:
        StoreError: it is there, and the system does not let us look.
    """
    store = found_store(loaded)
    if store is None or not (is_there(store) or store.is_symlink()) or Trust(environment).owns(store):
        return None
    return store


def require_trust(loaded: Loaded, environment: Mapping[str, str] | None = None) -> bool:
    """Raise StoreUntrusted where the store in force came with the folder and the user has not agreed to it.

    Returns whether there is none yet: who makes it then calls ``own_made``.
    """
    store = brought(loaded, environment)
    if store is not None:
        raise StoreUntrusted(
            f"The store {store} came with this folder, was made by another program, or is not the one you agreed to.",
            "If you know whose memories it holds, run `reverie config trust`. If it was yours, a log (-wal) may"
            " have been laid beside it, or an older copy put in its place: move the log away, or restore a backup.",
        )
    found = found_store(loaded)
    return found is not None and not is_there(found)


def own_made(loaded: Loaded, environment: Mapping[str, str] | None = None) -> None:
    """Remember that the user made the store in force; where that cannot be written down, it is asked for next time."""
    store = found_store(loaded)
    if store is not None and store.exists():
        with suppress(ReverieError):
            Trust(environment).own(store)


def found_store(loaded: Loaded) -> Path | None:
    """The file, or the table's folder, of the store in force, where the folder decides which it is."""
    from reverie.engine.logs import STORE_FILE

    store = loaded.found_store
    if store is not None and (store / STORE_FILE).exists():
        return store / STORE_FILE
    return store


def is_own_link(path: Path, link: VaultLink, environment: Mapping[str, str] | None = None) -> bool:
    """Whether the user linked the vault whose link lies at a path, and with this memory."""
    return Trust(environment).holds(TrustKind.LINK, path, _mark(link))


def require_link(path: Path, link: VaultLink) -> None:
    """Raise StoreUntrusted where a vault's link came with the vault: it opens the memory it names to the files."""
    if not is_own_link(path, link):
        raise StoreUntrusted(
            f"The link {path} came with the vault, or was made by an earlier Reverie.",
            "If the vault is to be linked with your memory, run `reverie vault link` in it.",
        )


def own_link(path: Path, link: VaultLink, environment: Mapping[str, str] | None = None) -> None:
    """Remember that the user linked a vault so. Raises InvalidSetting, StoreError."""
    Trust(environment).agree(Agreed(TrustKind.LINK, str(path), _mark(link)))


def _mark(link: VaultLink) -> str:
    named = (link.store, link.user, link.project, *sorted(link.agents))
    return sha256("\0".join(named).encode("utf-8", "surrogatepass")).hexdigest()
