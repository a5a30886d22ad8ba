"""Put supporting files into a vault: stand-alone scripts, instructions for agents, and files for git.

Files with the same names that belong to somebody else are left alone and reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from reverie.durable import unwritable
from reverie.errors import StoreError
from reverie.vault.contents import Records
from reverie.vault.files import KEEP, Edit, Places, carry_out, contents, file_names

NAMES = ("memory-search.py", "memory-decay.py", "memory-promote.py")
"""Names of the scripts."""
_OURS = b"made out of its source by"
"""Text in the head of each script; a file without it belongs to somebody else."""
_HEAD = 1000
CONVENTIONS = "AGENTS.md"
"""The file that coding agents look for in a folder they work in."""
_FOR_GIT = b"# Only the count of what happened goes along.\n*\n!.gitignore\n!vault.json\n"
_LAID = b"<!-- laid in by `reverie vault init`"
_POINTER = (
    "# Memory\n\nThe agents that work here keep their memory in this folder. Before you begin, read "
    f"`agents/{CONVENTIONS}`.\n"
).encode()
_CONVENTIONS = Path(__file__).with_name("data") / "conventions.md"


@dataclass(frozen=True, slots=True)
class Laid:
    """The files that were written, and those that belong to somebody else and were left alone."""

    written: tuple[Path, ...]
    left: tuple[Path, ...]


def lay(root: Path) -> Laid:
    """Write this version's scripts into a vault, over older versions. Raises StoreError."""
    folder = root / "scripts"
    written, left = [], []
    for name in NAMES:
        path, script = folder / name, _script(name)
        there = contents(path)
        if there == script:
            continue
        ours = there is None or _OURS in there[:_HEAD]
        if ours and carry_out([Edit(path, there, script)]) == [True]:
            _make_runnable(path)
            written.append(path)
        else:
            left.append(path)
    return Laid(tuple(written), tuple(left))


def lay_ground(places: Places) -> None:
    """Put a file for git into every folder of a vault, and start its record file. Raises StoreError.

    In a vault without observations counting starts at once, so that not even the first can declare itself important.
    """
    agents = places.agents()
    folders = [places.shared, *map(places.vault, agents), *map(places.archive, agents)]
    keepers = [Edit(folder / KEEP, None, b"") for folder in (places.agents_folder, *folders)]
    carry_out([*keepers, Edit(places.own / ".gitignore", None, _FOR_GIT)])
    if not places.records.exists() and not any(file_names(folder) for folder in folders):
        Records(places.records).save({})


def lay_conventions(root: Path) -> Laid:
    """Write the instructions for agents into a vault, and a file that points to them into its root. Raises StoreError.

    A file of somebody else's that does not name the instructions is left alone and reported.
    """
    inner, outer = root / "agents" / CONVENTIONS, root / CONVENTIONS
    text, there, front = _CONVENTIONS.read_bytes(), contents(inner), contents(outer)
    written: list[Path] = []
    left: list[Path] = []
    if there != text:
        is_ours = there is None or _LAID in there[:_HEAD]
        done = is_ours and carry_out([Edit(inner, there, text)]) == [True]
        (written if done else left).append(inner)
    if front is None and carry_out([Edit(outer, None, _POINTER)]) == [True]:
        written.append(outer)
    elif front is not None and f"agents/{CONVENTIONS}".encode() not in front:
        left.append(outer)
    return Laid(tuple(written), tuple(left))


def _script(name: str) -> bytes:
    """Return a script, made of the package's source as it is installed. Raises StoreError if that is not there."""
    from reverie.vault.standalone.scripts import build

    try:
        return build(name).encode()
    except OSError as error:
        what = f"{name} is made out of Reverie's source, which cannot be read here: {error.strerror or error}."
        raise StoreError(what, "Install Reverie as files, not as an archive or as bytecode alone.") from None


def _make_runnable(path: Path) -> None:
    try:
        path.chmod(path.stat().st_mode | 0o111)
    except OSError as error:
        raise unwritable(error, path) from None
