"""Naming a project after the folder one works in: in, a folder; out, a name that no other folder has."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

AUTO = "auto"
MARKS = (".git", "reverie.toml")
_NAME_MAX = 150


def auto_project(folder: Path) -> str:
    """The name of the nearest folder with ``.git`` or ``reverie.toml`` at or above this one, or else its own.

    Eight digits of its path's hash stand behind the name, so that two folders called app never share a memory.
    """
    folder = folder.resolve()
    root = next((f for f in (folder, *folder.parents) if any((f / mark).exists() for mark in MARKS)), folder)
    digits = sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    name = root.name.encode("utf-8", "replace").decode("utf-8")[:_NAME_MAX]
    return f"{name or 'root'}-{digits}"
