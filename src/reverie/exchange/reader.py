"""Read an export of any JSON form: take a file, an archive or a folder, and yield its messages one by one."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO, TypeAlias, cast

from reverie.durable import is_there
from reverie.errors import InvalidExport, InvalidInput, NotFound
from reverie.exchange import chatgpt, claude, journal, own
from reverie.exchange.fields import FieldError, Item, MessageIds, Report, Skipped, Times, kind_of
from reverie.exchange.foreign import knowledge_graph, mem0
from reverie.types import Message

CHUNK = 1 << 20
"""Characters read from the stream at a time."""

VALUE_MAX = 1 << 28
"""Longest element that is read, in characters."""

_DECODER = json.JSONDecoder(strict=False)  # raw line breaks inside a string are kept rather than refused
_SPACE = " \t\r\n"
_MEND = "No conversation looks like that: check where the file comes from, or leave that part out."


def values(stream: TextIO, name: str = "The file") -> Iterator[object]:
    """Yield the elements of the JSON array in ``stream``, or its single value; ``name`` is the file's name in errors.

    Raises:
        InvalidExport: the text is not JSON, ends too early, or continues after its end.
    """
    window = _Window(stream, name)
    if window.peek() != "[":
        yield window.value()
    else:
        yield from _elements(window)
    if window.peek():
        raise window.fault("something follows the end")


def reason(error: Exception) -> str:
    """Say in plain words why the parser rejected the JSON."""
    if isinstance(error, RecursionError):
        return "lists or objects are nested too deeply"
    if isinstance(error, json.JSONDecodeError | UnicodeError):
        return str(error)
    return "a number has too many digits"


def _elements(window: _Window) -> Iterator[object]:
    window.take()
    if window.peek() == "]":
        window.take()
        return
    while True:
        yield window.value()
        mark = window.take() if window.peek() else ""
        if mark == "]":
            return
        if mark != ",":
            raise window.fault("a comma or the closing bracket is missing")


class _Window:
    """The part of the stream that is held in memory while it is parsed."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._text = ""
        self._at = 0
        self._lines = 1

    def peek(self) -> str:
        """Return the next character that is not blank, without consuming it; "" at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _SPACE:
                    return self._text[self._at]
                self._at += 1
            if not self._more():
                return ""

    def take(self) -> str:
        """Consume and return the next character."""
        self._at += 1
        return self._text[self._at - 1]

    def value(self) -> object:
        """Parse and return the next whole value."""
        self.peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if not self._more():
                    raise self.fault(error.msg, error.pos) from None
                continue
            except (ValueError, RecursionError) as error:
                raise InvalidExport(f"{self._name} is not read: {self._place()}: {reason(error)}.", _MEND) from None
            # A value that ends with the window may continue after it: 12|34.
            if end == len(self._text) and self._more():
                continue
            self._at = end
            return value

    def fault(self, what: str, at: int | None = None) -> InvalidExport:
        """Return the error for a place in the text, with its line."""
        return InvalidExport(
            f"{self._name} is not whole JSON: {self._place(at)}: {what}.",
            "It may have been cut short: download or unpack it again.",
        )

    def _place(self, at: int | None = None) -> str:
        return f"line {self._lines + self._text.count(chr(10), 0, self._at if at is None else at)}"

    def _more(self) -> bool:
        """Read at least as much again as is unparsed, so that a long value is parsed only a few times; False at the
        end.
        """
        rest = self._text[self._at :]
        if len(rest) > VALUE_MAX:
            raise self.fault(f"one element is longer than {VALUE_MAX} characters")
        try:
            new = self._stream.read(max(CHUNK, len(rest)))
        except UnicodeDecodeError as error:
            raise self.fault(f"not UTF-8 ({error.reason})", len(self._text)) from None
        self._lines += self._text.count("\n", 0, self._at)
        self._text = rest + new
        self._at = 0
        return bool(new)


_CONVERSATIONS = re.compile(r"(?:^|/)conversations(?:-\d+)?\.json$")
_WANTED = re.compile(rf"{_CONVERSATIONS.pattern}|\.jsonl$")
"""Files read in an archive or a folder: conversations (newer exports split them) and JSON lines."""
_BESIDE = re.compile(r"(?:^|/)(?:projects|memories)\.json$")
"""Files of Claude's export that are read too, where a file of conversations lies in the same folder."""

SIZE_TRUSTED = 1 << 26
RATIO_MAX = 200
"""A larger archive member that unpacks to more than this many times its size is refused as a zip bomb."""

_MEND_PLACE = "Give the export's .zip, its conversations.json, or a file of JSON lines."


@dataclass(frozen=True, slots=True)
class ExportPart:
    """One file to read: on disk, or a member of the archive at ``path``."""

    path: Path
    member: str = ""

    @property
    def name(self) -> str:
        """Name of the part when several are read."""
        return self.member or self.path.name

    @contextmanager
    def open(self) -> Iterator[io.BufferedReader]:
        """Open the bytes. Raises InvalidExport if the file cannot be read or the archive is damaged or encrypted."""
        try:
            with ExitStack() as stack:
                yield self._opened(stack)
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise _damaged(self.path, error) from None
        except OSError as error:
            raise _unreadable(self.path, error) from None

    def _opened(self, stack: ExitStack) -> io.BufferedReader:
        if not self.member:
            return stack.enter_context(self.path.open("rb"))
        archive = stack.enter_context(zipfile.ZipFile(self.path))
        held = archive.getinfo(self.member)
        if held.file_size > SIZE_TRUSTED and held.file_size > RATIO_MAX * max(held.compress_size, 1):
            raise InvalidExport(
                f"{self.member} of {self.path} unpacks to {held.file_size} bytes, {RATIO_MAX} times what it takes.",
                "No conversation does. If you trust it, unpack it by hand.",
            )
        try:
            member = cast("zipfile.ZipExtFile", stack.enter_context(archive.open(self.member)))
        except (NotImplementedError, RuntimeError) as error:  # an unknown compression; a password
            raise _damaged(self.path, error) from None
        return io.BufferedReader(member)


def parts(path: Path) -> list[ExportPart]:
    """Return the files to read at ``path``, sorted by name.

    Raises:
        NotFound: there is no such file.
        InvalidExport: it cannot be opened, or holds no conversations.
    """
    if not is_there(path):
        raise NotFound(f"There is no file {path}.", "Check the path.")
    try:
        if path.is_dir():
            found = [ExportPart(file) for file in wanted(path)]
        elif not _is_archive(path):
            return [ExportPart(path)]
        else:
            with zipfile.ZipFile(path) as archive:
                found = [ExportPart(path, name) for name in _to_read(archive.namelist())]
    except zipfile.BadZipFile as error:
        raise _damaged(path, error) from None
    except OSError as error:
        raise _unreadable(path, error) from None
    if not found:
        raise InvalidExport(f"{path} holds no conversations.json and no JSON lines.", _MEND_PLACE)
    return found


def unread(path: Path) -> list[str]:
    """Return the names of the files in an archive or a folder that are not read."""
    if path.is_dir():
        read = set(wanted(path))
        return sorted(f.relative_to(path).as_posix() for f in path.rglob("*") if f.is_file() and f not in read)
    if not _is_archive(path):
        return []
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        return sorted({name for name in names if not name.endswith("/")} - set(_to_read(names)))


def wanted(folder: Path) -> list[Path]:
    """Return the files to read in a folder, sorted by name. Links are skipped, because they may lead anywhere."""
    files = (f for f in folder.rglob("*") if f.is_file() and not f.is_symlink())
    names = {f.relative_to(folder).as_posix(): f for f in files}
    return [names[name] for name in _to_read(names)]


def _to_read(names: Iterable[str]) -> list[str]:
    """Return the names of the files to read, sorted, those with what lies beside the conversations last."""
    found = sorted(name for name in names if _WANTED.search(name))
    folders = {name.rpartition("/")[0] for name in found if _CONVERSATIONS.search(name)}
    return found + sorted(name for name in names if _BESIDE.search(name) and name.rpartition("/")[0] in folders)


_PACKED = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"7z\xbc\xaf": "7-Zip",
    b"Rar!": "RAR",
    b"(\xb5/\xfd": "Zstandard",
}
"""Archives and compressed files that are not read, by how they begin: no provider's export is one."""


def _is_archive(path: Path) -> bool:
    """Whether a file is a .zip. Raises InvalidExport for another kind of archive."""
    if not path.is_file():
        return False  # a pipe: looking at its first bytes would take them
    with path.open("rb") as stream:
        head = stream.read(6)
    for begins, kind in _PACKED.items():
        if head.startswith(begins):
            raise InvalidExport(f"{path} is packed with {kind}, which is not read.", "Unpack it, or pack it as .zip.")
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def _damaged(path: Path, error: Exception) -> InvalidExport:
    return InvalidExport(f"The archive {path} cannot be read: {error}.", "Download it again, or unpack it by hand.")


def _unreadable(path: Path, error: OSError) -> InvalidExport:
    return InvalidExport(f"{path} cannot be read: {error.strerror or error}.", "Check the file and its permissions.")


KINDS = ("jsonl", "claude", "chatgpt", "mem0", "memory-server")
"""JSON formats that a caller can name; "jsonl" is both Reverie's export and the simple form."""

LINE_MAX = 1 << 26
"""Longest line that is read, in bytes."""

PATIENCE = 20
"""After so many broken lines without a good one, the file is taken to have an unknown form."""

_MEND_FORM = "`reverie import --help` names every form: JSON lines, chat exports, other memories' files."
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_Foreign: TypeAlias = Callable[[Mapping[str, object], str], Iterator[Message]]
_Conversation: TypeAlias = Callable[[Mapping[str, object], str, MessageIds, Report], Iterator[Message]]


def read(path: Path, *, kind: str | None = None, report: Report | None = None) -> Iterator[Message]:
    """Yield the messages of an export, in its order, without the links between them (see ``read_items``)."""
    return (item for item in read_items(path, kind=kind, report=report) if isinstance(item, Message))


def read_items(path: Path, *, kind: str | None = None, report: Report | None = None) -> Iterator[Item]:
    """Yield the messages of an export, in its order, then the links between them.

    Args:
        path: a file, a .zip or an unpacked folder.
        kind: one of ``KINDS``, to read every object in this form; None: each object is recognised by itself.
        report: receives every item that gives no message.

    Raises:
        NotFound: there is no such file.
        InvalidExport: the file as a whole is of no known form, or breaks off. A single broken line is only reported,
          and so is one broken file among several.
        InvalidInput: the kind is unknown.
    """
    if kind is not None and kind not in KINDS:
        raise InvalidInput(f"The kind {kind!r} is not known.", f"Use one of {', '.join(KINDS)}.")
    found = parts(path)
    told = report or _pass_over
    for name in unread(path):
        told(Skipped(name, "file that holds no conversation"))
    return _messages(found, _Reader(kind, told, several=len(found) > 1))


def places(path: Path, ids: Collection[str], *, kind: str | None = None) -> dict[str, str]:
    """Find where the messages with these ids are, each at its first place, by reading the file again.

    Raises: as ``read``.
    """
    found = parts(path)
    reader = _Reader(kind, _pass_over, several=len(found) > 1)
    stand: dict[str, str] = {}
    for item in _messages(found, reader):
        if isinstance(item, Message) and item.message_id and item.message_id in ids:
            stand.setdefault(item.message_id, reader.where)
    return stand


def _messages(found: list[ExportPart], reader: _Reader) -> Iterator[Item]:
    for part in found:
        try:
            with part.open() as stream:
                yield from reader.part(stream, part.name)
        except InvalidExport as error:
            if len(found) == 1:
                raise
            reader.give_up(part.name, error)
    yield from reader.edges()
    if not reader.good:
        raise InvalidExport(
            f"No message was found: {reader.fault or 'the file is empty or of no known form'}.", _MEND_FORM
        )


def _pass_over(skipped: Skipped) -> None:
    """Ignore a skipped item; used if the caller wants no report."""


class _Reader:
    """State of one import across its files: the number of objects recognised, and the message ids.

    ``fault`` is the first fault and its place; ``where`` is the place of the item being read.
    """

    def __init__(self, kind: str | None, report: Report, *, several: bool) -> None:
        self.good = 0
        self.fault = ""
        self.where = ""
        self._several = several
        self._kind = kind
        self._report = report
        self._ids = MessageIds()
        self._broken = 0
        self._count = 0
        self._own = False
        self._inside = ""
        self._called = ""
        self._times = Times()
        self._graph = knowledge_graph.KnowledgeGraph(report)

    def edges(self) -> Iterator[Item]:
        """Yield the links between the items read."""
        return self._graph.edges()

    def give_up(self, name: str, error: InvalidExport) -> None:
        """Report that one of several files cannot be read to its end; the messages read before stay."""
        detail = error.message.removesuffix(".")
        self._report(Skipped(name, "file that cannot be read to its end", broken=True, detail=detail))
        self.fault = self.fault or f"{name}: {detail}"

    def part(self, stream: io.BufferedReader, name: str) -> Iterator[Message]:
        """Yield the messages of one file; with several files, its ``name`` is part of each reported place."""
        self._inside, self._called = (f"{name}, ", "it") if self._several else ("", name)
        self._own = False
        self._broken = self._count = 0
        self._times = Times()
        head = stream.peek(4096)
        if head.startswith(_UTF16):
            raise InvalidExport(f"{self._called} is UTF-16.", "Save it as UTF-8.")
        shown = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        if shown.startswith(b"[") or shown.split(b"\n", 1)[0].strip() == b"{":
            yield from self._document(stream)
        else:
            yield from self._lines(stream)

    def _document(self, stream: io.BufferedReader) -> Iterator[Message]:
        text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogatepass", newline="")
        try:
            for value in values(text, self._called):
                self._count += 1
                yield from self._value(value, f"{self._inside}conversation {self._count}")
        finally:
            text.detach()  # whoever opened the stream closes it

    def _lines(self, stream: io.BufferedReader) -> Iterator[Message]:
        for number, raw in enumerate(self._bounded(stream), 1):
            line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
            if not line.strip():
                continue
            try:
                value = json.loads(line.decode("utf-8", "surrogatepass"), strict=False)
            except (ValueError, RecursionError) as error:
                self._fault(f"{self._inside}line {number}", "line that is not JSON", reason(error))
            else:
                yield from self._value(value, f"{self._inside}line {number}")

    def _bounded(self, stream: io.BufferedReader) -> Iterator[bytes]:
        """Yield the lines; a line that is too long is reported and replaced by an empty one."""
        number = 0
        while raw := stream.readline(LINE_MAX):
            number += 1
            if len(raw) == LINE_MAX and not raw.endswith(b"\n"):
                self._fault(f"{self._inside}line {number}", "line that is too long", f"more than {LINE_MAX} bytes")
                while raw and not raw.endswith(b"\n"):
                    raw = stream.readline(LINE_MAX)
                raw = b"\n"
            yield raw

    def _value(self, value: object, where: str) -> Iterator[Message]:
        self.where = where
        if not isinstance(value, dict):
            self._fault(where, "value of no known form", f"it is {kind_of(value)}, not an object")
        elif self._kind in (None, "jsonl") and own.is_header(value):
            self._header(value)
        elif journal.is_head(value):
            raise InvalidExport(
                "This is a lossless export.", "Import it as a file of its own, not from a pipe or archive."
            )
        elif (conversation := self._conversation(value)) is not None:
            yield from self._turns(conversation, value, where)
        elif (foreign := self._foreign(value)) is not None:
            self.good += 1
            yield from foreign(value, where)
        elif self._kind not in (None, "jsonl"):
            self._fault(where, "value of no known form", f"it is not of the form of {self._kind}")
        else:
            yield from self._line(value, where)

    def _foreign(self, value: Mapping[str, object]) -> _Foreign | None:
        """Return the function that reads an object of another memory system; None if it is not one."""
        if self._kind in (None, "memory-server") and not self._own:
            if knowledge_graph.fits(value):
                return self._graph.line
            if knowledge_graph.fits_whole(value):
                return self._graph.whole
        if self._kind in (None, "mem0") and not self._own:
            if mem0.fits_listing(value):
                return self._listing
            if mem0.fits(value):
                return self._fact
        return None

    def _listing(self, value: Mapping[str, object], where: str) -> Iterator[Message]:
        return mem0.listing(value, where, self._report)

    def _fact(self, value: Mapping[str, object], where: str) -> Iterator[Message]:
        try:
            yield mem0.message(value)
        except FieldError as error:
            self._fault(where, "memory that cannot be read", str(error))

    def _conversation(self, value: Mapping[str, object]) -> _Conversation | None:
        if self._kind in (None, "chatgpt") and chatgpt.fits(value):
            return chatgpt.messages
        if self._kind in (None, "claude") and claude.fits(value):
            return claude.messages
        if self._kind in (None, "claude") and claude.fits_beside(value):
            return claude.notes
        return None

    def _turns(self, conversation: _Conversation, value: Mapping[str, object], where: str) -> Iterator[Message]:
        try:
            yield from conversation(value, where, self._ids, self._report)
            self.good += 1
        except FieldError as error:
            self._fault(where, "conversation that cannot be read", str(error))

    def _header(self, value: Mapping[str, object]) -> None:
        if value["schema"] != own.SCHEMA:
            raise InvalidExport(f"The export has schema {value['schema']}, newer than {own.SCHEMA}.", "Update Reverie.")
        self.good += 1
        self._own = True

    def _line(self, value: Mapping[str, object], where: str) -> Iterator[Message]:
        if self._own and not own.is_episode(value):
            self._report(Skipped(where, "formed memory; it is formed again from its episodes"))
            return
        if self._own and own.is_forgotten(value):
            self._report(Skipped(where, "forgotten before the export"))
            return
        try:
            message = (own.message if self._own else own.simple_message)(value, self._ids)
        except FieldError as error:
            self._fault(where, "line that is no message", str(error))
            return
        if not self._ids.is_free(message):
            self._fault(where, "id that another message had before", repr(message.message_id))
            return
        self.good += 1
        yield self._times.given(message)

    def _fault(self, where: str, reason: str, detail: str) -> None:
        self._report(Skipped(where, reason, broken=True, detail=detail))
        self._broken += 1
        self.fault = self.fault or f"{where}: {detail}"
        if not self.good and self._broken >= PATIENCE:
            raise InvalidExport(f"{self._called} is of no known form; {where}: {detail}.", _MEND_FORM)
