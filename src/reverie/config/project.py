"""Naming a project after the folder one works in: in, a folder; out, a name that no other folder has."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

AUTO = "auto"
PROJECT_FILE = "reverie.toml"
MARKS = (".git", PROJECT_FILE)
_NAME_MAX, _DIGITS, _MANY = 150, 8, 16


def auto_project(folder: Path) -> str:
    """The name of the nearest folder with ``.git`` or ``reverie.toml`` at or above this one, or else its own.

    Eight digits of its path's hash stand behind the name, so that two folders called app never share a memory.
    """
    folder = folder.resolve()
    root = next((f for f in (folder, *folder.parents) if any((f / mark).exists() for mark in MARKS)), folder)
    return f"{_name(root)}-{_digits(root)[:_DIGITS]}"


def narrowed(project: str, folder: Path) -> str:
    """A project's name as a folder may claim it that nobody trusts: its own alone, whatever it says, "auto" included.

    The digits are sixteen, so that no folder's path is found which has those of another.
    """
    name = _name(folder) if project == AUTO else project[:_NAME_MAX]
    return f"{name}-{_digits(folder)[:_MANY]}"


def _name(folder: Path) -> str:
    return folder.name.encode("utf-8", "replace").decode("utf-8")[:_NAME_MAX] or "root"


def _digits(folder: Path) -> str:
    return sha256(str(folder).encode("utf-8", "surrogateescape")).hexdigest()
