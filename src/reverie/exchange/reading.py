"""Reading an export: in, a path; out, its messages one by one, whatever form it has.

The form is told by the content: an archive or folder is opened, a JSON array is read element by element, everything
else line by line; then each object shows by its fields what it is. What gives no message is reported with its place.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from reverie.errors import InvalidExport, InvalidInput
from reverie.exchange import chatgpt, claude, journal, own, simple
from reverie.exchange.fields import FieldError, kind_of
from reverie.exchange.foreign import knowledge_graph, mem0
from reverie.exchange.ids import Ids
from reverie.exchange.items import Item
from reverie.exchange.skipped import Report, Skipped
from reverie.exchange.source import Part, parts, unread
from reverie.exchange.times import Times
from reverie.exchange.values import reason, values
from reverie.types import Message

KINDS = ("jsonl", "claude", "chatgpt", "mem0", "memory-server")
"""The forms of JSON that can be asked for; "jsonl" is both our own export and the simple form."""

LINE_MAX = 1 << 26
"""Bytes of the longest line that is read."""

PATIENCE = 20
"""So many broken lines before the first good one, and the file is not what it was taken for."""

_MEND = "docs/moving.md shows every form that is known: JSON lines, chat exports, other memories' files."
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_Foreign: TypeAlias = Callable[[Mapping[str, object], str], Iterator[Message]]
_Conversation: TypeAlias = Callable[[Mapping[str, object], str, Ids, Report], Iterator[Message]]


def read(path: Path, *, kind: str | None = None, report: Report | None = None) -> Iterator[Message]:
    """The messages of an export, in its order, without what links them (see ``read_items``)."""
    return (item for item in read_items(path, kind=kind, report=report) if isinstance(item, Message))


def read_items(path: Path, *, kind: str | None = None, report: Report | None = None) -> Iterator[Item]:
    """The messages of an export, in its order; then the links between them.

    Args:
        path: a file, a .zip or an unpacked folder.
        kind: one of ``KINDS``, to have every object read as this form; None: each object shows what it is.
        report: is told about every item that gives no message.

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
    """Where the messages of these ids stand, each at its first place: the file is read once more.

    Raises: as ``read``.
    """
    found = parts(path)
    reader = _Reader(kind, _pass_over, several=len(found) > 1)
    stand: dict[str, str] = {}
    for item in _messages(found, reader):
        if isinstance(item, Message) and item.message_id and item.message_id in ids:
            stand.setdefault(item.message_id, reader.where)
    return stand


def _messages(found: list[Part], reader: _Reader) -> Iterator[Item]:
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
        raise InvalidExport(f"No message was found: {reader.fault or 'the file is empty or of no known form'}.", _MEND)


def _pass_over(skipped: Skipped) -> None:
    """Nobody asked."""


class _Reader:
    """What one import knows across its parts: how many objects were of a known form, and which ids were derived.

    ``fault`` is the first thing that was broken, and where; ``where`` is the place of what is being read.
    """

    def __init__(self, kind: str | None, report: Report, *, several: bool) -> None:
        self.good = 0
        self.fault = ""
        self.where = ""
        self._several = several
        self._kind = kind
        self._report = report
        self._ids = Ids()
        self._broken = 0
        self._count = 0
        self._own = False
        self._inside = ""
        self._called = ""
        self._times = Times()
        self._graph = knowledge_graph.Graph(report)

    def edges(self) -> Iterator[Item]:
        """The links between what was read."""
        return self._graph.edges()

    def give_up(self, name: str, error: InvalidExport) -> None:
        """Name one of several files that cannot be read, or not to its end; what came of it before stays."""
        detail = error.message.removesuffix(".")
        self._report(Skipped(name, "file that cannot be read to its end", broken=True, detail=detail))
        self.fault = self.fault or f"{name}: {detail}"

    def part(self, stream: io.BufferedReader, name: str) -> Iterator[Message]:
        """The messages of one file; its ``name`` stands in each place that is reported, where there are several."""
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
        for value in values(text, self._called):
            self._count += 1
            yield from self._value(value, f"{self._inside}conversation {self._count}")
        text.detach()

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
        """The lines; one that is too long is named, and comes as an empty one."""
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
        """How a value of another memory's is read; None where it is of none."""
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
            message = (own if self._own else simple).message(value, self._ids)
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
            raise InvalidExport(f"{self._called} is of no known form; {where}: {detail}.", _MEND)
