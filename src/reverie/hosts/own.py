"""Reverie's own part of an installation: create the user's settings and the store if they do not exist.

Hosts call from any folder, so settings that hold everywhere must be in the user's own file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from reverie.config import load, user_file
from reverie.config.project import AUTO, auto_project
from reverie.errors import InvalidInput, InvalidSetting, StoreError
from reverie.hosts import files, toml_edit
from reverie.hosts.files import FileChange
from reverie.hosts.json_edit import Broken
from reverie.wire.trust import own_made

AGENT = "assistant"
_HEAD = "# Written by `reverie install`. A folder's own reverie.toml comes before it; `reverie config` shows both.\n"


def project_name(root: Path, environment: Mapping[str, str], given: Mapping[str, str]) -> str:
    """Return the name of a folder's project in the scope. Raises InvalidSetting."""
    return load(root, environment, given).settings.project or auto_project(root, environment)


def settings(environment: Mapping[str, str], home: Path, given: Mapping[str, str]) -> FileChange:
    """Return the change that adds store and scope to the user's settings; existing settings stay.

    Raises:
        InvalidInput: the file cannot be read as TOML.
        InvalidSetting: there is no place for a user's settings.
    """
    path = user_file(environment)
    if path is None:
        raise InvalidSetting("HOME is not set, so there is no place for a user's settings.", "Set HOME.")
    before = files.read(path)
    try:
        there = toml_edit.load(before or "")
    except Broken as broken:
        raise InvalidInput(f"{path}, line {broken.line}: {broken.reason}.", "Mend it, then run this again.") from None
    missing = {key: value for key, value in _wanted(environment, home, given).items() if key not in there}
    if not missing:
        return FileChange(path, before, before)
    lines = "".join(f"{key} = {toml_edit.said(value)}\n" for key, value in missing.items())
    return FileChange(path, before, lines + "\n" + before if before else _HEAD + lines)


def make_store(folder: Path, environment: Mapping[str, str], given: Mapping[str, str]) -> Path | None:
    """Create an empty store for a folder's settings and return its path; None if it exists. Raises StoreError."""
    from reverie.engine.core import Reverie

    loaded = load(folder, environment, given)
    store = Path(loaded.settings.store)
    if store.exists():
        return None
    try:
        store.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{store.parent} cannot be made: {error.strerror or error}.", "Check the path.") from None
    Reverie.open(loaded.settings.named_store, embedder=None, key_file=loaded.settings.key_file).close()
    own_made(loaded, environment)
    return store


def _wanted(environment: Mapping[str, str], home: Path, given: Mapping[str, str]) -> dict[str, str]:
    """Return every setting a host's call needs; values given on the command line win."""
    named = environment.get("XDG_DATA_HOME", "")
    data = Path(named) if Path(named).is_absolute() else home / ".local" / "share"
    store = Path(given["store"]).resolve() if "store" in given else data / "reverie" / "reverie.db"
    scope = {"agent": AGENT, "user": login(environment), "project": AUTO}
    chosen = {key: given[key] for key in ("agent", "user", "project", "embedder", "reranker", "recipe") if key in given}
    return {"store": str(store), **scope, **chosen}


def login(environment: Mapping[str, str]) -> str:
    """Return the login name, from the environment or else from the system's list of users."""
    name = environment.get("LOGNAME") or environment.get("USER") or environment.get("USERNAME")
    if name:
        return name
    try:
        import pwd  # not on Windows

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):  # a container may run under a number alone
        return "user"
