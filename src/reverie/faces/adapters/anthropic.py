"""Anthropic's memory tool with its files stored by Reverie.

From an engine and a scope, make the tool (sync or async) for ``client.beta.messages.tool_runner``. A file is a text
stored under its path; a directory exists as long as a file lies in it. Answers are worded like those of the client's
own file system tool, because the model was trained on them.
"""

from __future__ import annotations

import asyncio
import posixpath
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from reverie.engine.core import Reverie
from reverie.errors import ReverieError
from reverie.extras import lacking
from reverie.faces.adapters.shelf import Shelves
from reverie.types import Scope

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
except ImportError as error:
    raise lacking("anthropic", "The adapter for Anthropic's client") from error

if TYPE_CHECKING:
    from anthropic.types.beta import (
        BetaMemoryTool20250818CreateCommand,
        BetaMemoryTool20250818DeleteCommand,
        BetaMemoryTool20250818InsertCommand,
        BetaMemoryTool20250818RenameCommand,
        BetaMemoryTool20250818StrReplaceCommand,
        BetaMemoryTool20250818ViewCommand,
    )

ROOT = "/memories"
LINES_MAX = 999_999
_WIDTH = len(str(LINES_MAX))
_AROUND = 2
"""Lines shown before and after a replacement."""


class MemoryFiles:
    """The tool's six commands and the clearing, over texts by path. Errors are ``ToolError``, which the model reads."""

    def __init__(self, engine: Reverie, scope: Scope, *, erase: bool = False) -> None:
        self._shelf = Shelves(engine, scope, "anthropic", erase=erase).at()

    @property
    def scope(self) -> Scope:
        """The scope of the files, to recall from them."""
        return self._shelf.scope

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Return the lines of a file, or the content of a directory to two levels."""
        path = _inside(command.path)
        text = self._read(path)
        if text is not None:
            return _numbered(command.path, text, command.view_range)
        files = self._beneath(path)
        if not files and path != ROOT:
            raise _nowhere(command.path)
        return _listing(command.path, path, files)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Create a new file; never overwrite one."""
        path = _inside(command.path)
        if path == ROOT or self._exists(path):
            raise ToolError(f"File {command.path} already exists")
        self._require_free_way(path)
        self._shelf.put(path, command.file_text)
        return f"File created successfully at: {command.path}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that occurs in the file exactly once."""
        path, text = self._file(command.path)
        old = command.old_str
        places = _places(text, old)
        if not places:
            raise ToolError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {command.path}.")
        if len(places) > 1:
            lines = ", ".join(str(text.count("\n", 0, place) + 1) for place in places)
            raise ToolError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
                "Please ensure it is unique"
            )
        changed = text[: places[0]] + command.new_str + text[places[0] + len(old) :]
        self._shelf.put(path, changed)
        return _edited(changed, text.count("\n", 0, places[0]))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines after a line, 0 for the beginning."""
        path, text = self._file(command.path)
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        if not 0 <= command.insert_line <= len(lines):
            raise ToolError(
                f"Invalid `insert_line` parameter: {command.insert_line}. "
                f"It should be within the range [0, {len(lines)}]."
            )
        lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
        changed = "\n".join(lines)
        self._shelf.put(path, changed if changed.endswith("\n") else f"{changed}\n")
        return f"The file {command.path} has been edited."

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a file, or a directory with everything in it."""
        path = _inside(command.path)
        if path == ROOT:
            raise ToolError(f"Cannot delete the {ROOT} directory itself")
        gone = [path] if self._shelf.get(path) else [inner for inner, _ in self._beneath(path)]
        if not gone:
            raise ToolError(f"The path {command.path} does not exist")
        for each in gone:
            self._shelf.drop(each)
        return f"Successfully deleted {command.path}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file, or a directory with everything in it, to an unused path."""
        old, new = _inside(command.old_path), _inside(command.new_path)
        if old == ROOT:
            raise ToolError(f"Cannot rename the {ROOT} directory itself")
        if new == ROOT or self._exists(new):
            raise ToolError(f"The destination {command.new_path} already exists")
        text = self._read(old)
        moved = [(old, text)] if text is not None else self._beneath(old)
        if not moved:
            raise ToolError(f"The path {command.old_path} does not exist")
        if new.startswith(f"{old}/"):
            raise ToolError(f"Cannot move {command.old_path} into itself")
        self._require_free_way(new)
        for path, held in moved:
            self._shelf.put(new + path[len(old) :], held)
        for path, _ in moved:
            self._shelf.drop(path)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear_all_memory(self) -> str:
        """Delete every file."""
        for path, _ in self._beneath(ROOT):
            self._shelf.drop(path)
        return "All memory cleared"

    def _read(self, path: str) -> str | None:
        entry = self._shelf.get(path)
        return None if entry is None else entry.text

    def _file(self, told: str) -> tuple[str, str]:
        """Return a path and the text of its file, which must exist."""
        path = _inside(told)
        text = self._read(path)
        if text is not None:
            return path, text
        if path == ROOT or self._beneath(path):
            raise ToolError(f"The path {told} is not a file.")
        raise _nowhere(told)

    def _beneath(self, path: str) -> list[tuple[str, str]]:
        """Return the files in a directory and below it, by path."""
        return sorted((e.key, e.text) for e in self._shelf.entries() if e.key.startswith(f"{path}/"))

    def _exists(self, path: str) -> bool:
        return self._shelf.get(path) is not None or bool(self._beneath(path))

    def _require_free_way(self, path: str) -> None:
        """Raise ToolError if a parent of a new file's path is a file."""
        parent = posixpath.dirname(path)
        while parent != ROOT:
            if self._shelf.get(parent):
                raise ToolError(f"The path {parent} is not a directory.")
            parent = posixpath.dirname(parent)


class ReverieMemoryTool(BetaAbstractMemoryTool):  # type: ignore[misc]  # the package is skipped by our type check
    """The memory tool, synchronous. ``files`` does the work; ``erase``: deleting is for good."""

    def __init__(self, engine: Reverie, scope: Scope, *, erase: bool = False, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self.files = MemoryFiles(engine, scope, erase=erase)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Return the lines of a file, or the content of a directory."""
        return _told(self.files.view, command)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Create a new file."""
        return _told(self.files.create, command)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that occurs in the file exactly once."""
        return _told(self.files.str_replace, command)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines after a line."""
        return _told(self.files.insert, command)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a file or a directory."""
        return _told(self.files.delete, command)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a directory to an unused path."""
        return _told(self.files.rename, command)

    def clear_all_memory(self) -> str:
        """Delete every file."""
        return self.files.clear_all_memory()


class AsyncReverieMemoryTool(BetaAsyncAbstractMemoryTool):  # type: ignore[misc]  # the package is skipped by our check
    """The memory tool, asynchronous: runs the synchronous commands in a thread."""

    def __init__(self, engine: Reverie, scope: Scope, *, erase: bool = False, cache_control: Any = None) -> None:
        super().__init__(cache_control=cache_control)
        self.files = MemoryFiles(engine, scope, erase=erase)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Return the lines of a file, or the content of a directory."""
        return await asyncio.to_thread(_told, self.files.view, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Create a new file."""
        return await asyncio.to_thread(_told, self.files.create, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace a text that occurs in the file exactly once."""
        return await asyncio.to_thread(_told, self.files.str_replace, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines after a line."""
        return await asyncio.to_thread(_told, self.files.insert, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a file or a directory."""
        return await asyncio.to_thread(_told, self.files.delete, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Move a file or a directory to an unused path."""
        return await asyncio.to_thread(_told, self.files.rename, command)

    async def clear_all_memory(self) -> str:
        """Delete every file."""
        return await asyncio.to_thread(self.files.clear_all_memory)


def _told(do: Callable[[Any], str], command: object) -> str:
    """Run a command; turn Reverie's errors into ``ToolError`` for the model."""
    try:
        return do(command)
    except ReverieError as error:
        raise ToolError(str(error)) from error


def _inside(path: str) -> str:
    """Return a normalised path. Raises ToolError for one outside the memory directory."""
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise ToolError(f"Path must start with {ROOT}, got: {path}")
    plain = posixpath.normpath(path)
    if plain != ROOT and not plain.startswith(f"{ROOT}/"):
        raise ToolError(f"Path {path} would escape {ROOT} directory")
    return plain


def _nowhere(path: str) -> ToolError:
    return ToolError(f"The path {path} does not exist. Please provide a valid path.")


def _places(text: str, wanted: str) -> list[int]:
    """Return the positions of a text. A text found once (without overlap) counts once, even if it overlaps itself."""
    if not wanted or text.count(wanted) < 2:
        first = text.find(wanted) if wanted else -1
        return [] if first < 0 else [first]
    places = [text.find(wanted)]
    while (following := text.find(wanted, places[-1] + 1)) >= 0:
        places.append(following)
    return places


def _numbered(told: str, text: str, span: list[int] | None) -> str:
    lines = text.split("\n")
    if len(lines) > LINES_MAX:
        raise ToolError(f"File {told} exceeds maximum line limit of {LINES_MAX:,} lines.")
    first, last = 1, len(lines)
    if span and len(span) == 2:
        first, last = max(1, span[0]), last if span[1] == -1 else span[1]
    shown = "\n".join(_line(number, line) for number, line in enumerate(lines[first - 1 : last], first))
    return f"Here's the content of {told} with line numbers:\n{shown}"


def _line(number: int, line: str) -> str:
    return f"{number:>{_WIDTH}}\t{line}"


def _edited(text: str, changed: int) -> str:
    lines = text.split("\n")
    span = range(max(0, changed - _AROUND), min(len(lines), changed + _AROUND + 1))
    shown = "\n".join(_line(place + 1, lines[place]) for place in span)
    return f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{shown}"


def _listing(told: str, path: str, files: list[tuple[str, str]]) -> str:
    """Return a directory listing: its own line and one for each item; sizes are in bytes of text."""
    inner = [(file[len(path) + 1 :], len(text.encode("utf-8", "surrogatepass"))) for file, text in files]
    shown = [(told, sum(size for _, size in inner)), *((f"{told}/{name}", size) for name, size in _items("", inner, 1))]
    lines = "\n".join(f"{_size(size)}\t{name}" for name, size in shown)
    return f"Here're the files and directories up to 2 levels deep in {told}, excluding hidden items:\n{lines}"


def _items(before: str, files: list[tuple[str, int]], depth: int) -> Iterator[tuple[str, int]]:
    """Yield the items of a directory by name: files, and directories with their items to the second level."""
    named: dict[str, list[tuple[str, int]]] = {}
    for path, size in files:
        head, _, rest = path.partition("/")
        named.setdefault(head, []).append((rest, size))
    for name, inner in sorted(named.items()):
        if name.startswith("."):
            continue
        is_file = not inner[0][0]
        yield f"{before}{name}" + ("" if is_file else "/"), sum(size for _, size in inner)
        if not is_file and depth < 2:
            yield from _items(f"{before}{name}/", inner, depth + 1)


def _size(count: int) -> str:
    """Format a size in bytes: 0B, 12B, 1.5K, 3M."""
    value, unit = float(count), 0
    while value >= 1024 and unit < 3:
        value, unit = value / 1024, unit + 1
    return f"{value:.1f}".removesuffix(".0") + "BKMG"[unit]
