"""How the tests put this project's extensions into an Agent Zero, and take them out again: as the command does."""

from __future__ import annotations

from pathlib import Path

from reverie.hosts.agent_zero import house_files
from reverie.hosts.files import NoteBook
from reverie.hosts.plan import installing, undoing
from tests.agent_zero.houses import NOTES


def install(root: Path) -> None:
    installing(house_files(root), _notes(root)).do()


def uninstall(root: Path) -> None:
    undoing(house_files(root), _notes(root)).do()


def _notes(root: Path) -> NoteBook:
    return NoteBook(root.parent / NOTES)
