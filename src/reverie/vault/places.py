"""Where the files of a vault lie: in, its folder and names; out, paths. No text of a file ever becomes a path here."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from reverie.durable import unreadable
from reverie.errors import InvalidInput, NotFound

_AGENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}\Z")
SUFFIX = ".md"
KEEP = ".gitkeep"
"""An empty file in each folder of a vault: git carries files alone, and a clone would lack the empty folders."""


def is_agent(name: str) -> bool:
    """Whether an agent may be called so: letters, digits, dashes and underscores, 64 at most."""
    return bool(_AGENT.match(name))


class Places:
    """The folders of one vault."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.agents_folder = root / "agents"
        self.shared = root / "shared" / "observations"
        self.own = root / ".reverie"
        self.records = self.own / "vault.json"
        self.lock = self.own / "vault.lock"

    @staticmethod
    def above(folder: Path) -> Places:
        """The vault the folder is in. Raises NotFound where it is in none."""
        for root in (folder, *folder.parents):
            places = Places(root)
            if places.is_vault():
                return places
        raise NotFound(
            f"{folder} is in no vault.", "Make one with `reverie vault init`, or name its folder with --vault."
        )

    def is_vault(self) -> bool:
        """Whether the folder is a vault: it has agents, and a place for what they share or the memory of one of them.

        Of a vault whose shared folder is empty, a clone by git may hold the agents' observations alone.
        """
        if not self.agents_folder.is_dir():
            return False
        memories = (self.agents_folder.glob(f"*/memory/{kind}") for kind in ("vault", "archive"))
        return self.shared.is_dir() or any(path.is_dir() for found in memories for path in found)

    def agents(self) -> list[str]:
        """The agents that have a memory here, by name."""
        try:
            with os.scandir(self.agents_folder) as found:
                return sorted(entry.name for entry in found if is_agent(entry.name) and entry.is_dir())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise unreadable(error, self.agents_folder) from None

    def vault(self, agent: str) -> Path:
        """The folder of an agent's active observations. Raises InvalidInput for what is no agent's name."""
        return self._memory(agent) / "vault"

    def archive(self, agent: str) -> Path:
        """The folder of an agent's decayed observations. Raises InvalidInput for what is no agent's name."""
        return self._memory(agent) / "archive"

    def _memory(self, agent: str) -> Path:
        if not is_agent(agent):
            raise InvalidInput(
                f"{agent!r} cannot be the name of an agent in a vault.",
                "Take letters, digits, - and _, at most 64, the first a letter or digit.",
            )
        return self.agents_folder / agent / "memory"


def notes(folder: Path) -> Iterator[tuple[str, Path]]:
    """The Markdown files of a folder, by name, without those that are hidden or link elsewhere."""
    for name in file_names(folder):
        yield name.removesuffix(SUFFIX), folder / name


def file_names(folder: Path) -> list[str]:
    """What these files are called on the disk, in order. Raises StoreError where the folder cannot be read."""
    try:
        with os.scandir(folder) as found:
            return sorted(entry.name for entry in found if _is_note(entry))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise unreadable(error, folder) from None


def _is_note(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    return name.endswith(SUFFIX) and not name.startswith(".") and entry.is_file(follow_symlinks=False)
