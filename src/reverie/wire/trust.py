"""Refuse a store or a vault link that came with the folder until the user has agreed to it.

A store's memories reach an agent's model unchanged, standing instructions first. So a store that came with the folder
is opened only if the user has agreed to it or made it here.
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
    """Return the store in force if it came with the folder and the user has not agreed to it; else None.

    Raises:
        StoreError: the store exists and may not be inspected.
    """
    store = found_store(loaded)
    if store is None or not (is_there(store) or store.is_symlink()) or Trust(environment).owns(store):
        return None
    return store


def require_trust(loaded: Loaded, environment: Mapping[str, str] | None = None) -> bool:
    """Raise StoreUntrusted if the store in force came with the folder and the user has not agreed to it.

    Returns whether there is no store yet; whoever creates it then calls ``own_made``.
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
    """Write down that the user made the store in force. If that fails, the user is asked the next time."""
    store = found_store(loaded)
    if store is not None and store.exists():
        with suppress(ReverieError):
            Trust(environment).own(store)


def found_store(loaded: Loaded) -> Path | None:
    """Return the path of the store in force (a file, or a table's folder) if the folder decides it; else None."""
    from reverie.engine.logs import STORE_FILE

    store = loaded.found_store
    if store is not None and (store / STORE_FILE).exists():
        return store / STORE_FILE
    return store


def is_own_link(path: Path, link: VaultLink, environment: Mapping[str, str] | None = None) -> bool:
    """Whether the user linked this vault with this memory; ``path`` is the link's file."""
    return Trust(environment).holds(TrustKind.LINK, path, _mark(link))


def require_link(path: Path, link: VaultLink) -> None:
    """Raise StoreUntrusted if a vault's link was not made by the user: a link opens the memory it names to the vault's
    files.
    """
    if not is_own_link(path, link):
        raise StoreUntrusted(
            f"The link {path} came with the vault, or was made by an earlier Reverie.",
            "If the vault is to be linked with your memory, run `reverie vault link` in it.",
        )


def own_link(path: Path, link: VaultLink, environment: Mapping[str, str] | None = None) -> None:
    """Write down that the user made this vault link. Raises InvalidSetting, StoreError."""
    Trust(environment).agree(Agreed(TrustKind.LINK, str(path), _mark(link)))


def _mark(link: VaultLink) -> str:
    named = (link.store, link.user, link.project, *sorted(link.agents))
    return sha256("\0".join(named).encode("utf-8", "surrogatepass")).hexdigest()
