"""Import anything known: recognise what lies at a path and yield its messages, links and ends.

The form is recognised by content: a database by its first bytes and its tables, a folder by its files, anything else
by how it begins (``reader``).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from reverie.durable import is_there
from reverie.errors import InvalidExport, InvalidInput, NotFound
from reverie.exchange import documents, reader
from reverie.exchange.fields import Item, Report, Skipped
from reverie.exchange.foreign import claude_mem, mem0, mempalace, openclaw, vault
from reverie.exchange.foreign.note import Opener, Tables

_DATABASES = ("claude-mem", "mempalace")
ALL_KINDS = (*reader.KINDS, "basic-memory", *_DATABASES, "openclaw", documents.DOCUMENT)
"""Every import format that a caller can name."""

_MAGIC = b"SQLite format 3\0"
_FILES = ("claude-mem.db", "history.db", "chroma.sqlite3", "sqlite_exact.sqlite3", "knowledge_graph.sqlite3")
"""File names of the programs' databases; a palace lies in a folder of its own."""
_MEND_PAGE = (
    "The page has no text of its own. Of a chat export give the .zip, or the conversations.json beside the page."
)
_QDRANT = "collection/*/storage.sqlite"


def bring(
    path: Path,
    opener: Opener,
    *,
    kind: str | None = None,
    report: Report | None = None,
    agent: str | None = None,
) -> Iterator[Item]:
    """Yield the messages of what lies at ``path``, then their links and ends.

    Args:
        path: a file, a .zip, or a folder.
        opener: opens a database for reading.
        kind: one of ``ALL_KINDS``; None: recognised by content.
        report: receives every item that gives no message.
        agent: of data that several agents share, only this one's; None: everybody's.

    Raises:
        NotFound: there is nothing at the path.
        InvalidExport: it is of no known form, or not of the form asked for.
        InvalidInput: the kind is unknown.
    """
    if kind is not None and kind not in ALL_KINDS:
        raise InvalidInput(f"The kind {kind!r} is not known.", f"Use one of {', '.join(ALL_KINDS)}.")
    _require(path)
    told = report or _pass_over
    if _is_openclaw(path, kind):
        return _found(path, openclaw.items(path, opener, told, agent))
    if kind == documents.DOCUMENT or (kind is None and _is_document(path)):
        return _found(path, documents.messages(path, told))
    databases = _databases(path)
    if databases and kind in (None, "mem0", *_DATABASES):
        return _found(path, _of_databases(databases, opener, kind, told))
    if _is_basic_memory(path, kind):
        return _found(path, vault.NotesVault(path, told).items())
    _refuse(path, kind)
    return reader.read_items(path, kind=kind, report=report)


def _refuse(path: Path, kind: str | None) -> None:
    """Raise InvalidExport for what is not of the form asked for, or of one that is never opened."""
    if kind in _DATABASES:
        raise InvalidExport(f"{path} is no database of {kind}.", "Leave --kind out: the content then says which it is.")
    if kind == "basic-memory":
        raise InvalidExport(f"{path} is no folder.", "Give the folder the notes lie in.")
    if path.is_dir() and any(path.glob(_QDRANT)):
        raise InvalidExport(
            f"{path} holds vectors as pickled objects, which are not opened.",
            "Import mem0's history.db, or save what Memory.get_all returns as JSON and import that.",
        )


def parts_of(path: Path, opener: Opener, agent: str, kind: str | None = None) -> list[tuple[Path, str]]:
    """Split what lies at a path by agent, each with its own scope; parts that name no agent belong to ``agent``.

    Raises:
        NotFound: there is nothing at the path.
        InvalidExport: it cannot be read.
    """
    _require(path)
    return openclaw.parts(path, opener, agent) if _is_openclaw(path, kind) else [(path, agent)]


def _require(path: Path) -> None:
    if not is_there(path):
        raise NotFound(f"There is no file {path}.", "Check the path.")


def _is_openclaw(path: Path, kind: str | None) -> bool:
    return kind == "openclaw" or (kind is None and openclaw.fits(path))


def _is_basic_memory(path: Path, kind: str | None) -> bool:
    return path.is_dir() and (kind == "basic-memory" or (kind is None and _is_vault(path)))


def _is_document(path: Path) -> bool:
    """Whether a file is a document by its name, and no export in JSON that happens to have such a name."""
    if not documents.is_document(path):
        return False
    with path.open("rb") as stream:
        return not stream.read(256).removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"{", b"["))


def _pass_over(skipped: Skipped) -> None:
    """Ignore a skipped item; used if the caller wants no report."""


def _databases(path: Path) -> list[Path]:
    if path.is_file():
        with path.open("rb") as stream:
            return [path] if stream.read(len(_MAGIC)) == _MAGIC else []
    places = (path, path / "palace")
    return [place / name for place in places for name in _FILES if (place / name).is_file()]


def _is_vault(path: Path) -> bool:
    return not any(reader.wanted(path)) and bool(vault.notes(path))


def _found(path: Path, incoming: Iterator[Item]) -> Iterator[Item]:
    count = 0
    for item in incoming:
        count += 1
        yield item
    if not count:
        mend = _MEND_PAGE if path.suffix.lower() in (".html", ".htm") else "`reverie import --help` names every form."
        raise InvalidExport(f"No memory was found in {path}.", mend)


def _of_databases(paths: list[Path], opener: Opener, kind: str | None, report: Report) -> Iterator[Item]:
    palace = mempalace.Palace(report)
    known = False
    for path in paths:
        with opener(path) as tables:
            found = _of_tables(tables, kind, palace, report)
            if found is not None:
                known = True
                yield from found
    yield from palace.links()
    if not known:
        raise InvalidExport(f"{paths[0]} is a database of no known form.", "`reverie import --help` names every form.")


def _of_tables(tables: Tables, kind: str | None, palace: mempalace.Palace, report: Report) -> Iterator[Item] | None:
    """Return the items of a database; None if no known program made it."""
    if kind in (None, "claude-mem") and claude_mem.fits_tables(tables):
        return claude_mem.messages(tables, report)
    if kind in (None, "mem0") and mem0.fits_tables(tables):
        return mem0.history(tables, report)
    if kind in (None, "mempalace") and mempalace.fits_tables(tables):
        return palace.items(tables)
    return None
