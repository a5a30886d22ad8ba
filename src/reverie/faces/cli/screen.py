r"""The screen: in, text from anywhere; out, lines, tables or JSON that no stored text can turn into commands.

A terminal obeys escape sequences wherever they come from. Everything shown therefore goes through ``visible``, which
writes control characters out as ``\x1b``; nothing is read as markup.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

from reverie.wire import shapes

# Compiled at first use: most starts of the command end without showing a stored text.
_ACTED_ON = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters: C0 but tab and line feed, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks that turn the direction of what follows
    "\u2028\u2029\ufff9-\ufffb"  # line breaks of Unicode's own; annotations
    "\ud800-\udfff]"  # lone surrogates, which no encoding carries
)
CUT = 400
"""Characters of a text that are shown unless all of it is asked for."""


def visible(text: str) -> str:
    """The text with every character written out that a terminal would act on; tabs become spaces."""
    return re.sub(_ACTED_ON, _written_out, text).replace("\t", "    ")


def one_line(text: str) -> str:
    """The visible text with its line breaks shown instead of obeyed."""
    return visible(text).replace("\n", " ⏎ ")


def cut(text: str, length: int = CUT) -> str:
    """The beginning of a long text."""
    return text if len(text) <= length else text[: length - 1] + "…"


def _written_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: its heading.
        number: it stands to the right.
        style: its colour on a terminal.
        wraps: it takes the width that is left.
        under: on a terminal it stands below the column before it, not beside it, where it has words.
    """

    name: str
    number: bool = False
    style: str = ""
    wraps: bool = False
    under: bool = False


class PlainScreen:
    """Where a command shows its answer: the standard output, and the error stream for everything beside it."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json

    def line(self, text: str = "") -> None:
        """One line of the answer."""
        sys.stdout.write(one_line(text) + "\n")

    def note(self, text: str) -> None:
        """One line beside the answer."""
        sys.stderr.write(one_line(text) + "\n")

    def json(self, shape: Mapping[str, object]) -> None:
        """The answer as JSON, in ASCII: the same bytes in every locale, and nothing for a terminal to obey."""
        import json

        sys.stdout.write(json.dumps(shape, ensure_ascii=True, indent=2) + "\n")

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
        """A table, as plain columns."""
        _plain(columns, [[one_line(cell) for cell in row] for row in rows])


class Screen(PlainScreen):
    """The same, drawn and coloured where a person is looking; the engine's values have their shapes in JSON."""

    def json(self, shape: object) -> None:
        """Any answer as JSON, in ASCII."""
        super().json(shapes.shape(shape))

    def table(self, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
        """A table: drawn and coloured on a terminal, plain columns elsewhere."""
        if is_terminal(sys.stdout):
            _drawn(columns, rows)
        else:
            super().table(columns, rows)


def is_terminal(stream: TextIO) -> bool:
    """Whether a person is looking."""
    return stream.isatty()


def _plain(columns: Sequence[Column], rows: list[list[str]]) -> None:
    lines = [[column.name for column in columns], *rows]
    # A long text is not padded to the longest: whoever reads this without a terminal has no width to fill.
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
