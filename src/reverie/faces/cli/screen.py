r"""Terminal output: lines, tables or JSON in which no stored text can act as a command.

A terminal obeys escape sequences wherever they come from. Everything shown therefore goes through ``visible``, which
writes control characters as ``\x1b``; nothing is read as markup.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import TextIO

# Compiled at first use: most runs of the command end without showing a stored text.
_ACTED_ON = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters: C0 but tab and line feed, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks that turn the direction of what follows
    "\u2028\u2029\ufff9-\ufffb"  # line breaks of Unicode's own; annotations
    "\ud800-\udfff]"  # lone surrogates, which no encoding carries
)
CUT = 400
"""Most characters of a text that are shown, unless the whole is requested."""
WIDTH = 80
"""Columns of what is written in blocks and not in tables."""


def visible(text: str) -> str:
    """Escape every character that a terminal would act on; tabs become spaces."""
    return re.sub(_ACTED_ON, _written_out, text).replace("\t", "    ")


def one_line(text: str) -> str:
    """Return the visible text on one line, with line breaks shown as ⏎."""
    return visible(text).replace("\n", " ⏎ ")


def cut(text: str, length: int = CUT) -> str:
    """Shorten a long text."""
    return text if len(text) <= length else text[: length - 1] + "…"


def _written_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: its heading.
        number: whether it is right-aligned.
        style: its colour on a terminal.
        wraps: whether it takes the remaining width.
        under: on a terminal, non-empty cells are shown below the column before, not beside it.
    """

    name: str
    number: bool = False
    style: str = ""
    wraps: bool = False
    under: bool = False


@dataclass(frozen=True, slots=True)
class Terminal:
    """The terminal that a table is drawn for: its width, and whether it is to stay without colours."""

    columns: int
    plain: bool

    @classmethod
    def here(cls) -> Terminal:
        """Return the terminal of this process."""
        from shutil import get_terminal_size

        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return cls(get_terminal_size().columns, plain)


@dataclass(frozen=True, slots=True)
class Page:
    """Where another process's output is put together: both streams, and its terminal, if it has one."""

    terminal: Terminal | None = None
    out: StringIO = field(default_factory=StringIO)
    err: StringIO = field(default_factory=StringIO)


class PlainScreen:
    """Output of a command: the answer on standard output, everything else on standard error.

    With a ``page`` both are written there.
    """

    def __init__(self, as_json: bool, page: Page | None = None) -> None:
        self.as_json = as_json
        self.page = page

    @property
    def out(self) -> TextIO:
        """The stream of the answer."""
        return sys.stdout if self.page is None else self.page.out

    def line(self, text: str = "") -> None:
        """Write one line of the answer."""
        self.out.write(one_line(text) + "\n")

    def wrapped(self, text: str, indent: int) -> None:
        """Write a text in lines of at most ``WIDTH`` columns, the later ones indented; a longer word stays whole."""
        from textwrap import wrap

        for line in wrap(one_line(text), WIDTH, subsequent_indent=" " * indent, break_long_words=False):
            self.out.write(line + "\n")

    def note(self, text: str) -> None:
        """Write one line to standard error."""
        err = sys.stderr if self.page is None else self.page.err
        err.write(one_line(text) + "\n")

    def json(self, shape: Mapping[str, object]) -> None:
        """Write the answer as JSON in ASCII: the same bytes in every locale, and nothing for a terminal to obey."""
        import json

        self.out.write(json.dumps(shape, ensure_ascii=True, indent=2) + "\n")

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
        """Write a table as plain columns."""
        self.out.writelines(_plain(columns, [[one_line(cell) for cell in row] for row in rows]))


class Screen(PlainScreen):
    """Output that draws coloured tables on a terminal, and converts engine values to JSON."""

    def json(self, shape: object) -> None:
        """Write any answer as JSON in ASCII."""
        from reverie.wire import shapes  # not loaded for help and tables

        super().json(shapes.shape(shape))

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
        """Write a table: drawn and coloured on a terminal, plain columns elsewhere."""
        if self.page is not None and self.page.terminal is not None:
            self.out.write(_drawn(columns, rows, self.page.terminal) + "\n")
        elif self.page is None and is_terminal(sys.stdout):
            import click

            # on Windows click sets the console up
            click.echo(_drawn(columns, rows, Terminal.here()), color=True)
        else:
            super().table(columns, rows)


def is_terminal(stream: TextIO) -> bool:
    """Whether the stream is a terminal."""
    return stream.isatty()


def _plain(columns: Sequence[Column], rows: list[list[str]]) -> Iterator[str]:
    """Yield the lines of a table in plain columns."""
    lines = [[column.name for column in columns], *rows]
    # A long text is not padded to the longest: without a terminal there is no width to fill.
    widths = [0 if column.wraps else max(len(line[n]) for line in lines) for n, column in enumerate(columns)]
    for line in lines:
        cells = [
            cell.rjust(width) if column.number else cell.ljust(width)
            for cell, width, column in zip(line, widths, columns, strict=True)
        ]
        yield "  ".join(cells).rstrip() + "\n"


_CODES = {"bold": "1", "red": "31", "green": "32", "yellow": "33", "magenta": "35", "cyan": "36", "dim": "2"}
_GAP = 2
_NARROWEST = 6
"""Columns of a terminal that a cell keeps, however many cells there are."""


def _drawn(columns: Sequence[Column], rows: Iterable[Sequence[str]], terminal: Terminal) -> str:
    """Return a table for a terminal: a heading with a rule below it, and cells that fold instead of running over."""
    beside = [column for column in columns if not column.under]
    cells = [_cells(columns, row) for row in rows]
    widths = _widths(beside, cells, terminal.columns)
    lines = [_styled("  ".join(_aligned(c.name, w, c) for c, w in zip(beside, widths, strict=True)), "bold", terminal)]
    lines.append("─" * (sum(widths) + _GAP * (len(widths) - 1)))
    lines += [line for row in cells for line in _row(row, widths, beside, terminal)]
    return "\n".join(line.rstrip() for line in lines)


def _row(
    row: Sequence[list[tuple[str, str]]], widths: Sequence[int], columns: Sequence[Column], terminal: Terminal
) -> Iterable[str]:
    """Yield the lines of one row, as many as its longest cell folds into."""
    parts = [
        [(line, style) for text, style in cell for line in _wrapped(text, width)]
        for cell, width in zip(row, widths, strict=True)
    ]
    for number in range(max(map(len, parts))):
        here = [part[number] if number < len(part) else ("", "") for part in parts]
        shown = zip(here, widths, columns, strict=True)
        yield "  ".join(
            _styled(_aligned(text, width, column), style, terminal) for (text, style), width, column in shown
        )


def _cells(columns: Sequence[Column], row: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Return a row's cells, each as texts with their styles: its own, and one of the cells that go under it."""
    cells: list[list[tuple[str, str]]] = []
    for column, cell in zip(columns, row, strict=True):
        if not column.under:
            cells.append([(visible(cell), column.style)])
        elif cell and len(cells[-1]) == 1:
            cells[-1].append((one_line(cell), column.style))
        elif cell:
            before, style = cells[-1].pop()
            cells[-1].append((f"{before} · {one_line(cell)}", style))
    return cells


def _widths(columns: Sequence[Column], rows: Sequence[list[list[tuple[str, str]]]], most: int) -> list[int]:
    """Return the width of each column: what it needs, cut down where the terminal is too narrow for all."""
    room = most - _GAP * (len(columns) - 1)
    widths = []
    for number, column in enumerate(columns):
        lines = [line for row in rows for text, _ in row[number] for line in text.split("\n")]
        widths.append(min(max(map(_width, (column.name, *lines))), max(room, _NARROWEST)))
    while sum(widths) > room and (order := [n for n, width in enumerate(widths) if width > _NARROWEST]):
        widths[max(order, key=lambda n: (columns[n].wraps, widths[n]))] -= 1
    return widths


def _wrapped(text: str, width: int) -> list[str]:
    """Fold a text into lines of a width, between words where it can."""
    lines: list[str] = []
    for line in text.split("\n"):
        rest = line
        while _width(rest) > width:
            most = next(n for n in range(1, len(rest) + 1) if _width(rest[:n]) > width) - 1
            at = rest.rfind(" ", 1, most + 1)
            at = at if at > 0 else max(1, most)
            lines.append(rest[:at].rstrip())
            rest = rest[at:].lstrip()
        lines.append(rest)
    return lines


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for a wide sign, none for one that joins another."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(0 if category(c) in ("Mn", "Me", "Cf") else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _aligned(text: str, width: int, column: Column) -> str:
    room = " " * (width - _width(text))
    return room + text if column.number else text + room


def _styled(text: str, style: str, terminal: Terminal) -> str:
    if not style or not text.strip() or terminal.plain:
        return text
    codes = ";".join(_CODES[word] for word in style.split())
    return f"\x1b[{codes}m{text}\x1b[0m"
