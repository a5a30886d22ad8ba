"""Import documents: Markdown, plain text, HTML and PDF, as passages with the heading or page they stand under.

In: a file, or a folder of them. Out: a message for each passage. Nobody said a document, so its role is a tool's: what
in it sounds like an order is shown as a quotation. The speaker is its source (``handbook.pdf, page 3``), which readers
see before the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import InvalidExport
from reverie.exchange.encoding import ENCODINGS, decoded, not_utf8
from reverie.exchange.fields import NAME_MAX, Report, Skipped
from reverie.extras import lacking
from reverie.types import Message, Role

if TYPE_CHECKING:
    from pypdf import PdfReader

DOCUMENT = "document"
SUFFIXES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
}
"""The form of a document by the end of its name."""
FILE_MAX = 1 << 26
"""Largest document that is read, in bytes."""
PAGES_MAX = 10_000
ODD_MAX = 10
"""A file is no text if more than one character of so many is NUL, or cannot be decoded."""
SHORT, LONG = 250, 1000
"""Paragraphs under one heading are joined up to ``SHORT`` characters; one longer than ``LONG`` is cut at a sentence."""
ABOVE = " › "
"""Between a heading and those above it."""
_HEADING = re.compile(r"(#{1,6})[ \t]+")
_UNDERLINE = re.compile(r"^(=+|-+)[ \t]*$")
_FENCE = re.compile(r"^[ \t]{0,3}(```+|~~~+)")
_FRONT = re.compile(r"\A---[ \t]*\r?\n.*?\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_BLANK = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_SENTENCE_END = re.compile(r"[.!?…。][\"'”’)\]]*\s+")
_NO_BLANK = re.compile(r"\S")
_LEVELS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure", "footer", "form"),
        *("header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul"),
    )
)
_UNSEEN = frozenset(("script", "style", "template", "noscript", "svg", "title", "iframe", "object", "select"))


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document: the ``place`` it stands under (headings, or a page), and its paragraphs."""

    place: str
    paragraphs: tuple[str, ...]


def is_document(path: Path) -> bool:
    """Whether a file's name ends as a document's."""
    return path.is_file() and path.suffix.lower() in SUFFIXES


def documents(path: Path) -> list[Path]:
    """Return the documents at a path, sorted by path; hidden folders and links are left out."""
    if not path.is_dir():
        return [path]
    found = (one for one in path.rglob("*") if is_document(one) and not one.is_symlink())
    inside = path.resolve()
    shown = [one for one in found if not any(part.startswith(".") for part in one.relative_to(path).parts)]
    return sorted(one for one in shown if one.resolve().is_relative_to(inside))


def messages(path: Path, report: Report) -> Iterator[Message]:
    """Yield the passages of the documents at a path, each as a message of its own.

    A passage has the same id whenever its document is read again, so an import that is repeated adds only what is new.
    A document whose encoding follows only from its letters is reported, and so is one with bytes that are no text.

    Raises:
        InvalidExport: the only document cannot be read; one of several is reported.
        ReverieError: a PDF, and the extra that reads it is not installed.
    """
    found = documents(path)
    for one in found:
        name = one.relative_to(path).as_posix() if path.is_dir() else one.name
        try:
            yield from _passages(one, name, report)
        except InvalidExport as error:
            if len(found) == 1:
                raise
            report(Skipped(name, "document that cannot be read", broken=True, detail=f"{error.message} {error.mend}"))


def _passages(path: Path, name: str, report: Report) -> Iterator[Message]:
    try:
        size, at = path.stat().st_size, datetime.fromtimestamp(path.stat().st_mtime, UTC)
        if size > FILE_MAX:
            raise InvalidExport(f"{name} has {size} bytes.", f"Split it: at most {FILE_MAX} are read.")
        parts = _sections(path, name, report)
        for place, text in _packed(parts):
            speaker = f"{name}, {place}" if place else name
            identity = blake2b(f"{name}\0{place}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
            yield Message(text, speaker[:NAME_MAX], Role.TOOL, name[:NAME_MAX], at, f"document-{identity}")
    except OSError as error:
        raise InvalidExport(f"{name} cannot be read: {error.strerror or error}.", "Check the file.") from None


def _sections(path: Path, name: str, report: Report) -> Iterable[Section]:
    form = SUFFIXES.get(path.suffix.lower(), "text")
    if form == "pdf":
        return _pdf(path, name)
    text = _text(path.read_bytes(), name, report, is_html=form == "html")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if form == "markdown":
        return _markdown(text)
    return _html(text, name) if form == "html" else [Section("", tuple(_BLANK.split(text)))]


def _text(raw: bytes, name: str, report: Report, *, is_html: bool) -> str:
    """Decode a document, and report what that does not say or lose silently. Raises InvalidExport."""
    read = decoded(raw, is_html=is_html)
    if raw.count(0) * ODD_MAX > len(raw) and (read is None or "\0" in read.text):
        raise InvalidExport(f"{name} is no text.", "Give Markdown, text as UTF-8, HTML or PDF.")
    if read is None:
        places, line = not_utf8(raw)
        said = f"{name} is not UTF-8 and does not say its encoding: {places} places, the first in line {line}."
        raise InvalidExport(said, f"Save it as UTF-8: {_AS_UTF8}.")
    if read.lost * ODD_MAX > len(read.text):
        said = f"{name} is no {ENCODINGS.get(read.encoding, read.encoding)}, as it says: {read.lost} places."
        raise InvalidExport(said, f"Save it as UTF-8: {_AS_UTF8}.")
    encoding = ENCODINGS.get(read.encoding, read.encoding)
    if read.lost:
        where = f"{read.lost} places, the first in line {read.line}"
        what = f"bytes that are no {encoding}, kept as \ufffd"
        report(Skipped(name, what, broken=True, detail=f"{where}; mend them and import it again", kept=True))
    if read.guessed:
        what = f"document that does not say its encoding, read as {encoding} by its letters"
        report(Skipped(name, what, detail=f"if letters are wrong, save it as UTF-8: {_AS_UTF8}", kept=True))
    return read.text


def _packed(sections: Iterable[Section]) -> Iterator[tuple[str, str]]:
    """Yield place and text of each passage: short neighbours joined, long paragraphs cut, nothing left out."""
    for section in sections:
        held = ""
        for paragraph in (text.strip() for text in section.paragraphs):
            if not paragraph:
                continue
            if held and len(held) + len(paragraph) > SHORT:
                yield from ((section.place, piece) for piece in _cut(held))
                held = ""
            held = f"{held}\n\n{paragraph}" if held else paragraph
        yield from ((section.place, piece) for piece in _cut(held))


def _cut(text: str) -> Iterator[str]:
    """Yield a text, without blanks at its ends, in pieces of at most ``LONG`` characters.

    It is cut after a sentence, else at a blank, else anywhere; in a time that grows with its length.
    """
    start, end = 0, len(text)
    while end - start > LONG:
        ends = [match.end() for match in _SENTENCE_END.finditer(text, start, start + LONG)]
        blank = text.rfind(" ", start + 1, start + LONG) + 1
        at = ends[-1] if ends else blank or start + LONG
        yield text[start:at].strip()
        after = _NO_BLANK.search(text, at)  # a copy of the rest, at each cut, would take a square of its length
        start = after.start() if after else end
    if start < end:
        yield text[start:end]


_AS_UTF8 = "`iconv -f ENCODING -t UTF-8`, or an editor's Save as"


class _Headings:
    """The headings above a place in a document."""

    def __init__(self) -> None:
        self._held: list[tuple[int, str]] = []

    def enter(self, level: int, title: str) -> None:
        """Come to a heading: those of its level and below end."""
        self._held = [one for one in self._held if one[0] < level]
        if title:
            self._held.append((level, title))

    @property
    def place(self) -> str:
        """The headings from the outermost on."""
        return ABOVE.join(title for _, title in self._held)


def _markdown(text: str) -> Iterator[Section]:
    """Yield the sections of a Markdown text."""
    front = _FRONT.match(text)
    headings, lines = _Headings(), list[str]()
    for level, line in _leveled(text[front.end() :].split("\n") if front else text.split("\n")):
        if not level:
            lines.append(line)
            continue
        yield Section(headings.place, tuple(_BLANK.split("\n".join(lines))))
        lines = []
        headings.enter(level, line)
    yield Section(headings.place, tuple(_BLANK.split("\n".join(lines))))


def _leveled(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield each line with its level as a heading, 0 for none: within fenced code nothing is one."""
    fence, before = "", ""
    rest = iter(zip(lines, [*lines[1:], ""], strict=True))
    for line, after in rest:
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        level, title = (0, line) if fence else _heading(before, line, after)
        yield level, title
        if level and title == line.strip():  # underlined: the line below it says nothing more
            next(rest, None)
        before = "" if level else line


def _heading(before: str, line: str, after: str) -> tuple[int, str]:
    """Return level and title of a heading, by signs before it or a line under it; 0 and the line for none."""
    found = _HEADING.match(line)
    if found:
        title = line[found.end() :].strip(" \t")
        closed = title[:1] + title[1:].rstrip("#")  # a heading may be closed by signs, too
        return len(found[1]), closed.rstrip(" \t")
    under = _UNDERLINE.match(after)
    if under and line.strip() and not before.strip() and not _UNDERLINE.match(line):
        return 1 if under[1][0] == "=" else 2, line.strip()
    return 0, line


class _Page(HTMLParser):
    """Collects the visible text of a page by its headings; nothing in it is run or fetched."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.sections: list[Section] = []
        self._headings = _Headings()
        self._paragraphs: list[str] = []
        self._text: list[str] = []
        self._unseen = 0
        self._level = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - the parser's signature
        if tag in _UNSEEN:
            self._unseen += 1
        elif tag in _LEVELS:
            self.close_section()
            self._level = _LEVELS[tag]
        elif tag in _BLOCKS and not self._level:
            self._close_paragraph()

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        elif tag in _LEVELS and self._level:
            self._headings.enter(self._level, self._said())
            self._level = 0
        elif tag in _BLOCKS and not self._level:
            self._close_paragraph()

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self._text.append(data)

    def close_section(self) -> None:
        """End the section: what follows stands under another heading."""
        self._level = 0
        self._close_paragraph()
        self.sections.append(Section(self._headings.place, tuple(self._paragraphs)))
        self._paragraphs = []

    def _close_paragraph(self) -> None:
        if said := self._said():
            self._paragraphs.append(said)

    def _said(self) -> str:
        said = " ".join("".join(self._text).split())
        self._text = []
        return said


def _html(text: str, name: str) -> list[Section]:
    page = _Page()
    try:
        page.feed(text)
        page.close()
    except AssertionError:  # how the parser refuses "<![" before anything but a name
        raise InvalidExport(f"{name} cannot be read as HTML.", "Save it anew from a browser, or as text.") from None
    page.close_section()
    return page.sections


def _pdf(path: Path, name: str) -> Iterator[Section]:
    """Yield a section for each page of a PDF, with its number."""
    reader = _opened(path, name)
    from pypdf.errors import PyPdfError

    has_text = False
    try:
        for number, page in enumerate(reader.pages, 1):
            if number > PAGES_MAX:
                raise InvalidExport(f"{name} has more than {PAGES_MAX} pages.", "Split it.")
            lines = page.extract_text().replace("\r", "\n")
            has_text = has_text or bool(lines.strip())
            yield Section(f"page {number}", tuple(" ".join(part.split()) for part in _BLANK.split(lines)))
    except (PyPdfError, ValueError, KeyError, TypeError, RecursionError) as error:  # what a broken file makes it raise
        raise _broken_pdf(name, error) from None
    if not has_text:
        raise InvalidExport(f"{name} has no text: its pages are pictures.", "Have its text recognised (OCR) first.")


def _opened(path: Path, name: str) -> PdfReader:
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError:
        raise lacking("documents", "Reading a PDF") from None
    try:
        reader = PdfReader(path)
        locked = reader.is_encrypted and not reader.decrypt("")
    except (PyPdfError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise _broken_pdf(name, error) from None
    if locked:
        raise InvalidExport(f"{name} is locked with a password.", "Save it without one.")
    return reader


def _broken_pdf(name: str, error: Exception) -> InvalidExport:
    return InvalidExport(f"{name} cannot be read as PDF: {type(error).__name__}.", "Save it anew, or as text.")
