"""The scripts that need no package, laid into a vault: in, its folder; out, its ``scripts/``, ready to run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from reverie.durable import unwritable
from reverie.errors import StoreError
from reverie.vault.files import Edit, carry_out, contents

NAMES = ("memory-search.py", "memory-decay.py", "memory-promote.py")
"""As document B calls them."""
_OURS = b"made out of its source by"
"""Stands in the head of each; a file without it is somebody else's."""
_HEAD = 1000
_SHIPPED = Path(__file__).with_name("data") / "scripts"
_IN_CHECKOUT = Path(__file__).resolve().parents[3] / "scripts"


@dataclass(frozen=True, slots=True)
class Laid:
    """The scripts that were written, and those of these names that are somebody else's and were left."""

    written: tuple[Path, ...]
    left: tuple[Path, ...]


def lay(root: Path) -> Laid:
    """Put this version's scripts into a vault, over older ones of ours. Raises StoreError."""
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


def _script(name: str) -> bytes:
    for folder in (_SHIPPED, _IN_CHECKOUT):
        found = contents(folder / name)
        if found is not None:
            return found
    raise StoreError(f"This installation has no {name}.", "Install Reverie anew.")


def _make_runnable(path: Path) -> None:
    try:
        path.chmod(path.stat().st_mode | 0o111)
    except OSError as error:
        raise unwritable(error, path) from None
