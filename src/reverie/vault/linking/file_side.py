"""What the link does to files: in, steps with what is to stand where; out, which of them stand there now.

Everything goes through the vault's own writing: whole or not at all, and never over what somebody changed meanwhile.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from reverie.durable import unwritable
from reverie.vault.files import Edit, carry_out, contents, move
from reverie.vault.linking.ties import Tie
from reverie.vault.places import Places

_LEFT = re.compile(r"\..+\.\d+\.reverie\Z")


@dataclass(frozen=True, slots=True)
class Move:
    """A file that is to lie elsewhere, if it still says ``raw``."""

    path: Path
    to: Path
    raw: bytes

    @property
    def blocked(self) -> bool:
        """Whether another file lies where it is to lie."""
        return self.to.exists()


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be done to one file, and the tie afterwards: where it was done, and where somebody was quicker.

    ``late`` None: nothing is known of it then.
    """

    done: Tie | None
    late: Tie | None = None
    edit: Edit | None = None
    move: Move | None = None
    delete: Move | None = None


def carried_out(steps: Sequence[Step]) -> list[bool]:
    """For each step whether it was done: first what files say, then where they lie. Raises StoreError."""
    edits = [step.edit for step in steps if step.edit is not None]
    written = iter(carry_out(edits))
    done: list[bool] = []
    for step in steps:
        fine = next(written) if step.edit is not None else True
        if fine and step.move is not None:
            fine = move(step.move.path, step.move.to, step.move.raw)
        if fine and step.delete is not None:
            fine = _deleted(step.delete)
        done.append(fine)
    return done


def clear(places: Places, agent: str) -> None:
    """Delete what killed writers left beside files. The caller holds the vault's lock, so no writer is at work."""
    for folder in (places.own, places.shared, places.vault(agent), places.archive(agent)):
        with suppress(OSError):
            for path in folder.iterdir():
                if _LEFT.match(path.name):
                    path.unlink(missing_ok=True)


def _deleted(gone: Move) -> bool:
    """Delete a file that still says what was read."""
    if contents(gone.path) != gone.raw:
        return False
    try:
        gone.path.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(error, gone.path) from None
    return True
