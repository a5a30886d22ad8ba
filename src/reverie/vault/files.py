"""Files of a vault on disk: their paths, and edits that never overwrite somebody else's change.

No text of a file ever becomes a path here.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from reverie.durable import unreadable, unwritable, write_beside
from reverie.errors import InvalidInput, NotFound

_AT_ONCE = 8
"""Files synced to disk at the same time: file systems then write them together, three times as fast."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A file's content when it was read (None: it did not exist), and its new content."""

    path: Path
    before: bytes | None
    after: bytes


def carry_out(edits: Sequence[Edit]) -> list[bool]:
    """Carry out edits; return for each whether it was done: not if the file changed meanwhile. Raises StoreError."""
    besides: list[Path | None] = []
    done: list[bool] = []
    try:
        besides += _all_beside(edits)
        for edit, beside in zip(edits, besides, strict=True):
            done.append(beside is not None and _put(edit, beside))
        for folder in sorted({edit.path.parent for edit in edits}):
            _keep_names(folder)
    except OSError as error:
        raise unwritable(error, edits[len(done)].path if len(done) < len(edits) else edits[0].path) from None
    finally:
        for left in besides:
            if left is not None:
                left.unlink(missing_ok=True)
    return done


def move(path: Path, to: Path, before: bytes) -> bool:
    """Move a file if it is unchanged since it was read; never over another one. Raises StoreError."""
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        if contents(path) != before:
            return False
        if contents(to) == before and os.path.samestat(path.stat(), to.stat()):
            path.unlink()  # interrupted between the two steps the last time
            return True
        if to.exists():
            return False
        _without_overwriting(path, to)
        _keep_names(to.parent)
        _keep_names(path.parent)
    except OSError as error:
        raise unwritable(error, path) from None
    return True


def contents(path: Path) -> bytes | None:
    """Return a file's content; None if there is no file."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _all_beside(edits: Sequence[Edit]) -> list[Path | None]:
    """Write the new contents to temporary files; remove all of them if one cannot be written."""
    if len(edits) < _AT_ONCE:
        tries = [_try_beside(edit) for edit in edits]
    else:
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            tries = list(pool.map(_try_beside, edits))
    failed = next((error for error in tries if isinstance(error, OSError)), None)
    besides = [one for one in tries if not isinstance(one, OSError)]
    if failed is not None:
        for beside in besides:
            if beside is not None:
                beside.unlink(missing_ok=True)
        raise failed
    return besides


def _try_beside(edit: Edit) -> Path | OSError | None:
    try:
        return _written_beside(edit)
    except OSError as error:
        return error


def _written_beside(edit: Edit) -> Path | None:
    """Write the new content to a temporary file; None if the old file is not what it was."""
    known = None
    if edit.before is not None:
        try:
            known = edit.path.lstat()
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(known.st_mode):
            return None
    edit.path.parent.mkdir(parents=True, exist_ok=True)
    return write_beside(edit.path, edit.after, like=known)


def _put(edit: Edit, beside: Path) -> bool:
    if edit.before is None:
        if edit.path.is_symlink() or edit.path.exists():
            return False
        try:
            _without_overwriting(beside, edit.path)
        except FileExistsError:
            return False
        return True
    if contents(edit.path) != edit.before:
        return False
    beside.replace(edit.path)
    return True


def _without_overwriting(path: Path, to: Path) -> None:
    """Rename a file; raise FileExistsError if the new name is taken."""
    try:
        os.link(path, to)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names
        if to.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(to)) from None
        path.rename(to)
    else:
        path.unlink()


def _keep_names(folder: Path) -> None:
    """Sync a folder's names to disk, if the system can open folders."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


_AGENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}\Z")
SUFFIX = ".md"
KEEP = ".gitkeep"
"""An empty file in each folder of a vault, because git does not keep empty folders."""


def is_agent(name: str) -> bool:
    """Whether a name is allowed for an agent: letters, digits, dashes and underscores, 64 at most."""
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
        """Return the vault that contains the folder. Raises NotFound if there is none."""
        for root in (folder, *folder.parents):
            places = Places(root)
            if places.is_vault():
                return places
        raise NotFound(
            f"{folder} is in no vault.", "Make one with `reverie vault init`, or name its folder with --vault."
        )

    def is_vault(self) -> bool:
        """Whether the folder is a vault: it has agents, and a shared folder or an agent's memory.

        In a git clone the shared folder may be missing, because git drops empty folders.
        """
        if not self.agents_folder.is_dir():
            return False
        memories = (self.agents_folder.glob(f"*/memory/{kind}") for kind in ("vault", "archive"))
        return self.shared.is_dir() or any(path.is_dir() for found in memories for path in found)

    def agents(self) -> list[str]:
        """Return the agents that have a memory here, by name."""
        try:
            with os.scandir(self.agents_folder) as found:
                return sorted(entry.name for entry in found if is_agent(entry.name) and entry.is_dir())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise unreadable(error, self.agents_folder) from None

    def vault(self, agent: str) -> Path:
        """Return the folder of an agent's active observations. Raises InvalidInput for an invalid name."""
        return self._memory(agent) / "vault"

    def archive(self, agent: str) -> Path:
        """Return the folder of an agent's archived observations. Raises InvalidInput for an invalid name."""
        return self._memory(agent) / "archive"

    def _memory(self, agent: str) -> Path:
        if not is_agent(agent):
            raise InvalidInput(
                f"{agent!r} cannot be the name of an agent in a vault.",
                "Take letters, digits, - and _, at most 64, the first a letter or digit.",
            )
        return self.agents_folder / agent / "memory"


def notes(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield names and paths of the Markdown files in a folder, by name, without hidden files and links."""
    for name in file_names(folder):
        yield name.removesuffix(SUFFIX), folder / name


def file_names(folder: Path) -> list[str]:
    """Return the file names of these files, sorted. Raises StoreError if the folder cannot be read."""
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
