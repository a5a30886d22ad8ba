r"""Terminal output: lines, tables or JSON in which no stored text can act as a command.

A terminal obeys escape sequences wherever they come from. Everything shown therefore goes through ``visible``, which
writes control characters as ``\x1b``; nothing is read as markup.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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


class PlainScreen:
    """Output of a command: the answer on standard output, everything else on standard error."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json

    def line(self, text: str = "") -> None:
        """Write one line of the answer."""
        sys.stdout.write(one_line(text) + "\n")

    def note(self, text: str) -> None:
        """Write one line to standard error."""
        sys.stderr.write(one_line(text) + "\n")

    def json(self, shape: Mapping[str, object]) -> None:
        """Write the answer as JSON in ASCII: the same bytes in every locale, and nothing for a terminal to obey."""
        import json

        sys.stdout.write(json.dumps(shape, ensure_ascii=True, indent=2) + "\n")

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
        """Write a table as plain columns."""
        _plain(columns, [[one_line(cell) for cell in row] for row in rows])


class Screen(PlainScreen):
    """Output that draws coloured tables on a terminal, and converts engine values to JSON."""

    def json(self, shape: object) -> None:
        """Write any answer as JSON in ASCII."""
        from reverie.wire import shapes  # not loaded for help and tables

        super().json(shapes.shape(shape))

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
        """Write a table: drawn and coloured on a terminal, plain columns elsewhere."""
        if is_terminal(sys.stdout):
            _drawn(columns, rows)
        else:
            super().table(columns, rows)


def is_terminal(stream: TextIO) -> bool:
    """Whether the stream is a terminal."""
    return stream.isatty()


def _plain(columns: Sequence[Column], rows: list[list[str]]) -> None:
    lines = [[column.name for column in columns], *rows]
    # A long text is not padded to the longest: without a terminal there is no width to fill.
    widths = [0 if column.wraps else max(len(line[n]) for line in lines) for n, column in enumerate(columns)]
    for line in lines:
        cells = [
            cell.rjust(width) if column.number else cell.ljust(width)
            for cell, width, column in zip(line, widths, columns, strict=True)
        ]
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def _drawn(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        if column.under:
            continue
        table.add_column(
            Text(column.name),
            justify="right" if column.number else "left",
            style=column.style,
            no_wrap=not column.wraps,
            overflow="fold",
        )
    for row in rows:
        cells: list[Text] = []
        mark = "\n"
        for column, cell in zip(columns, row, strict=True):
            if not column.under:
                cells.append(Text(visible(cell)))
            elif cell:
                cells[-1].append(mark).append(one_line(cell), style=column.style)
                mark = " · "
        table.add_row(*cells)
    Console(file=sys.stdout, markup=False, highlight=False, emoji=False).print(table)
