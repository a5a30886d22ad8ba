#!/usr/bin/env python3
"""Search by words: how alike, times importance, times freshness. Reading is not using: nothing is counted.

    python3 scripts/memory-search.py "CPL trend" --agent hawk --limit 5
    python3 scripts/memory-search.py "buyer acceptance" --all --limit 10

It needs Python 3.9 or newer, and nothing else. It is a part of Reverie (Apache-2.0), made out of its source by
`python -m tools.vault_scripts`: a change belongs there.
"""
# ruff: noqa: A001, ARG001, B905, D103, E501, UP031, UP036
# fmt: off

from __future__ import annotations

import sys

if sys.version_info < (3, 9):
    sys.exit("This script needs Python 3.9 or newer; this one is %d.%d." % sys.version_info[:2])
import argparse
import gc
import json
import math
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

if sys.version_info >= (3, 10):
    from dataclasses import dataclass
else:
    import builtins
    import dataclasses

    def dataclass(**options):
        return dataclasses.dataclass(**{name: value for name, value in options.items() if name != "slots"})

    def zip(*iterables, strict):
        return builtins.zip(*iterables)


# --- reverie.errors

class ReverieError(Exception):
    """Base of the tree: what happened, and in ``mend`` what the reader can do about it."""

    def __init__(self, message: str, mend: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend

    def __str__(self) -> str:
        return f"{self.message} {self.mend}".strip()


class InvalidInput(ReverieError):
    """A value the caller handed in cannot be used."""


class InvalidScope(InvalidInput):
    """A scope part is missing, empty or too long."""


class InvalidSetting(InvalidInput):
    """A setting is unknown, of the wrong type or out of range."""


class InvalidExport(InvalidInput):
    """A file to import is not of the form it claims."""


class NotFound(ReverieError):
    """No memory, session or file of that name in this scope."""


class Conflict(ReverieError):
    """What is there already stands against it: a file, or a message id with other words."""


class StoreError(ReverieError):
    """The store cannot do what was asked."""


class StoreMissing(StoreError):
    """Nothing was initialised at this path."""


class StoreClosed(StoreError):
    """The engine was closed before the call."""


class StoreBusy(StoreError):
    """Another process held the store for too long."""


class StoreFull(StoreError):
    """The disk is full."""


class StoreReadOnly(StoreError):
    """The file or its folder cannot be written."""


class StoreCorrupt(StoreError):
    """The file is damaged, or the journal's chain is broken."""


class StoreTooNew(StoreError):
    """The file was written by a newer Reverie."""


class StoreUntrusted(StoreError):
    """It came with a folder, and the user has not agreed to it."""


class ModelError(ReverieError):
    """An embedding model cannot do what was asked."""


class ModelMissing(ModelError):
    """The package or file of the model is not installed."""


class ModelCorrupt(ModelError):
    """The weights are not the ones that were published."""


class ModelUnavailable(ModelError):
    """The endpoint did not answer."""


class ServerError(ReverieError):
    """A Reverie server cannot do what was asked."""


class AccessRefused(ServerError):
    """The token is missing, unknown, or not for this."""


class ServerUnavailable(ServerError):
    """Nothing answers there, or it wants to be left alone for a while."""


# --- reverie.faces.cli.screen

# Compiled at first use: most starts of the command end without showing a stored text.
_ACTED_ON = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters: C0 but tab and line feed, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks that turn the direction of what follows
    "\u2028\u2029\ufff9-\ufffb"  # line breaks of Unicode's own; annotations
    "\ud800-\udfff]"  # lone surrogates, which no encoding carries
)


def visible(text: str) -> str:
    """The text with every character written out that a terminal would act on; tabs become spaces."""
    return re.sub(_ACTED_ON, _written_out, text).replace("\t", "    ")


def one_line(text: str) -> str:
    """The visible text with its line breaks shown instead of obeyed."""
    return visible(text).replace("\n", " ⏎ ")


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


# --- reverie.formulas.vault

@dataclass(frozen=True, slots=True)
class EventTable:
    """What each event adds (contradiction a negative figure), and what the two flags set importance to."""

    referenced: float
    referenced_by_other: float
    good_outcome: float
    verified: float
    contradicted: float
    flagged_important: float
    flagged_wrong: float


@dataclass(frozen=True, slots=True)
class NeglectLaw:
    """What each full period without a reference takes, and the most that neglect takes in all."""

    per_period: float
    period_days: float
    most: float


@dataclass(frozen=True, slots=True)
class VaultPromotionEdges:
    """The least importance, and the least of what is verified."""

    importance: float
    verified_importance: float


@dataclass(frozen=True, slots=True)
class SweepEdges:
    """``floor``: below it archived at any age. Past its age: archived below ``low``, extended from ``high`` on."""

    floor: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """An observation: ids collide between agents, so the agent is part of its name."""

    agent: str
    id: str


# --- reverie.durable

def unreadable(error: OSError, path: Path) -> StoreError:
    """What to tell of a file or folder that is there and cannot be read."""
    return StoreError(f"{path} cannot be read: {error.strerror or error}.", "Check the path and its permissions.")


# --- reverie.vault.files

_AGENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}\Z")
SUFFIX = ".md"


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


# --- reverie.vault.front

_OPEN = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_KEY = re.compile(r"""(?:"([^"\\]+)"|'([^']+)'|([^\s"'#\[\]{}&*!|>%@`,?:-][^:]*?))[ \t]*:(?:[ \t]+|$)""")
_PLAIN = re.compile(r"[^\W_][\w./+-]*(?: [\w./+-]+)*\Z")
_SPECIAL = re.compile(r"(?:null|true|false|yes|no|on|off|[-+.\d_eE:xob]+)\Z", re.IGNORECASE)
_SIMPLE_LINE = re.compile(r"([a-z_]\w*): +(?:([A-Za-z0-9][\w.-]*)|\[[\w./+, -]*\])$", re.ASCII)
_SIMPLE = re.compile(r"---\n((?:[a-z_]\w*: (?:[A-Za-z0-9][\w.-]*|\[[\w./+, -]*\])\n)+)---\n", re.ASCII)
"""A whole head of lines that need no second look, as agents write them: read in a third of the time."""
_NOTHING = ("null", "Null", "NULL", "~")


class Malformed(ValueError):
    """A file that is no observation: the line where, and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Value(NamedTuple):
    """A value and its place in the text; ``end`` is where a further item of a list would be put.

    Attributes:
        texts: the scalar, or the items of the list.
        start: where what is written begins, after the key's colon and its blanks.
        end: where it ends, comments and blanks after it left out.
        form: ``scalar``, ``flow`` (in brackets), ``block`` (an item a line) or ``none``.
    """

    texts: tuple[str, ...]
    start: int
    end: int
    form: str


class Field(NamedTuple):
    """A field: its line, and where its value may stand, from behind the colon to the end of its last line.

    ``form`` is that of a value which is all there is on its line and needs no second look; else "".
    """

    line: int
    start: int
    end: int
    form: str = ""


@dataclass(frozen=True, slots=True)
class Front:
    """A file's text with its fields; the body begins at ``body``, the line that closes the head at ``close``.

    Attributes:
        simple: each field as it is written, where the whole head is simple lines; else nothing.
        fields: each field with its place, where the head is not simple.
    """

    text: str
    close: int
    body: int
    simple: dict[str, str]
    fields: dict[str, Field]

    def has(self, key: str) -> bool:
        """Whether there is such a field, with a value or without."""
        return key in self.simple or key in self.fields

    def scalar(self, key: str) -> str | None:
        """The value of a field that has one; None where the field or its value is missing. Raises Malformed."""
        said = self.simple.get(key)
        if said is not None and said[0] != "[":
            return None if said in _NOTHING else said
        field = self._field(key)
        if field is None:
            return None
        value = _value(self.text, field, key)
        if value.form == "none":
            return None
        if value.form != "scalar":
            raise Malformed(field.line, f"`{key}` is a list")
        return value.texts[0]

    def items(self, key: str) -> tuple[str, ...]:
        """The items of a list; a single value is a list of one. Raises Malformed."""
        said = self.simple.get(key)
        if said is not None and said[0] == "[":
            return _listed(said)
        field = self._field(key)
        return () if field is None else _value(self.text, field, key).texts

    def line(self, key: str) -> int:
        """The line a field stands in; that of the head where it is missing."""
        field = self._field(key)
        return 1 if field is None else field.line

    def line_of(self, key: str, said: str) -> int:
        """The line in which a field says something; the field's own where it is spelled otherwise there."""
        field = self._field(key)
        if field is None:
            return 1
        place = self.text.find(said, field.start, field.end)
        return field.line + self.text.count("\n", field.start, max(place, field.start))

    def with_scalar(self, key: str, value: str) -> Front:
        """The file with this value in the place of the field's; a missing field comes last in the head."""
        field = self._field(key)
        if field is None:
            return self._with_field(f"{key}: {value}")
        old = _value(self.text, field, key)
        if old.form == "none":
            return self._replaced(old.start, old.end, _after_colon(self.text, old.start, value))
        if old.form != "scalar":
            raise Malformed(field.line, f"`{key}` is a list")
        return self._replaced(old.start, old.end, value)

    def with_items(self, key: str, added: Sequence[str]) -> Front:
        """The file with items added to a list; in the form the list has."""
        if not added:
            return self
        shown = [quoted(item) for item in added]
        field = self._field(key)
        if field is None:
            return self._with_field(f"{key}: [{', '.join(shown)}]")
        old = _value(self.text, field, key)
        if old.form == "block":
            return self._replaced(old.end, old.end, self._lines(old, shown))
        if old.form == "flow" and old.texts:
            inner = self.text[old.start : old.end].rstrip()[:-1].rstrip()
            comma = "" if inner.endswith(",") else ","
            place = old.start + len(inner)
            return self._replaced(place, place, f"{comma} {', '.join(shown)}")
        if old.form == "scalar":
            shown = [quoted(old.texts[0]), *shown]
        listed = f"[{', '.join(shown)}]"
        return self._replaced(
            old.start, old.end, _after_colon(self.text, old.start, listed) if old.form == "none" else listed
        )

    def _field(self, key: str) -> Field | None:
        said = self.simple.get(key)
        if said is None:
            return self.fields.get(key)
        start = self.text.index(f"\n{key}: ") + len(key) + 3
        form = "flow" if said[0] == "[" else "" if said in _NOTHING else "scalar"
        return Field(self.text.count("\n", 0, start) + 1, start, start + len(said), form)

    def _lines(self, old: Value, shown: list[str]) -> str:
        """Further lines of a list that has an item a line, indented like its last one."""
        last = self.text[self.text.rfind("\n", 0, old.end) + 1 : old.end]
        indent = last[: len(last) - len(last.lstrip(" \t"))]
        end = self._line_end()
        return "".join(f"{end}{indent}- {item}" for item in shown)

    def _line_end(self) -> str:
        first = self.text.index("\n")
        return "\r\n" if self.text[first - 1] == "\r" else "\n"

    def _with_field(self, line: str) -> Front:
        return self._replaced(self.close, self.close, line + self._line_end())

    def _replaced(self, start: int, end: int, text: str) -> Front:
        return read(self.text[:start] + text + self.text[end:])


def read(text: str) -> Front:
    """The fields of a file's head. Raises Malformed where there is none, or it cannot be told apart into fields."""
    found = _SIMPLE.match(text)
    if found is not None:
        lines = found[1].split("\n")
        simple = dict([line.split(": ", 1) for line in lines[:-1]])
        if len(simple) == len(lines) - 1:  # no field twice
            return Front(text, found.end(1), found.end(), simple, {})
    opened = _OPEN.match(text)
    if opened is None:
        raise Malformed(1, "no front matter: the first line is not `---`")
    closed = _CLOSE.search(text, opened.end())
    if closed is None:
        raise Malformed(1, "the front matter has no end: no line `---` after the first")
    body = text.find("\n", closed.end())
    fields = _fields(text, opened.end(), closed.start())
    return Front(text, closed.start(), len(text) if body < 0 else body + 1, {}, fields)


def quoted(item: str) -> str:
    """A value as it may stand in a list: bare where that says the same, else in quotes."""
    if _PLAIN.match(item) and not _SPECIAL.match(item):
        return item
    return json.dumps(item, ensure_ascii=False)


def _fields(text: str, start: int, end: int) -> dict[str, Field]:
    fields: dict[str, Field] = {}
    key, place, number = "", start, 1
    for line in text[start:end].split("\n"):
        number += 1
        if (simple := _SIMPLE_LINE.match(line)) and (key := simple[1]) not in fields and simple[2] not in _NOTHING:
            form = "scalar" if simple[2] else "flow"
            value = simple.start(2) if simple[2] else line.index("[")
            fields[key] = Field(number, place + value, place + len(line), form)
            place += len(line) + 1
            continue
        bare = line.removesuffix("\r")
        found = None if not bare or bare[0] in " \t#-" else _KEY.match(bare)
        if found is not None:
            key = found[1] or found[2] or found[3]
            if key in fields:
                raise Malformed(number, f"`{key}` is there twice")
            fields[key] = Field(number, place + found.end(), place + len(bare))
        elif _goes_on(text, bare, fields.get(key), number):
            fields[key] = Field(fields[key].line, fields[key].start, place + len(bare))
        place += len(line) + 1
    return fields


def _lines(text: str) -> Iterator[str]:
    """The lines of a text with their ends; only line feeds end a line."""
    place = 0
    while place < len(text):
        end = text.find("\n", place) + 1 or len(text)
        yield text[place:end]
        place = end


def _goes_on(text: str, bare: str, field: Field | None, number: int) -> bool:
    """Whether a line that begins no field belongs to the last one; comments and empty lines belong to none."""
    if not bare.strip() or bare.lstrip()[0] == "#":
        return False
    inside = bare[0] in " \t" or bare[0:2] in ("- ", "-")
    if field is not None and (inside or _is_open(text[field.start : field.end])):
        return True
    raise Malformed(number, "neither a field nor the rest of one")


def _is_open(value: str) -> bool:
    return value[:1] in ("[", "{") and value.count(value[0]) > value.count("]" if value[0] == "[" else "}")


def _after_colon(text: str, place: int, value: str) -> str:
    """A value for a field that has none: apart from the colon, and from a comment."""
    before = "" if text[place - 1] in " \t" else " "
    return before + value + (" " if text[place : place + 1] == "#" else "")


def _value(text: str, field: Field, key: str) -> Value:
    start = field.start
    if field.form == "scalar":
        return Value((text[start : field.end],), start, field.end, "scalar")
    if field.form == "flow":
        return Value(_listed(text[start : field.end]), start, field.end, "flow")
    first = text[start : start + 1] if start < field.end else ""
    if first == "[":
        return _flow(text, field, key)
    if first in ("", "\r", "\n", "#", "-") or text[start : field.end].lstrip()[:2] == "- ":
        return _block(text, field, key)
    return _scalar(text, field, key)


def _listed(said: str) -> tuple[str, ...]:
    """The items of a simple list in brackets."""
    return tuple([bare for item in said[1:-1].split(",") if (bare := item.strip())]) if len(said) > 2 else ()


def _scalar(text: str, field: Field, key: str) -> Value:
    start, first = field.start, text[field.start]
    if "\n" in text[start : field.end] or first in "{&*!|>%@`":
        raise Malformed(field.line, f"`{key}` is no simple value")
    if first in "\"'":
        said, end = _quoted(text, start, field, key)
        rest = text[end : field.end].strip()
        if rest and rest[0] != "#":
            raise Malformed(field.line, f"`{key}` goes on after its quotes")
        return Value((said,), start, end, "scalar")
    comment = re.search(r"[ \t]#", text[start : field.end])
    end = start + comment.start() if comment else field.end
    said = text[start:end].rstrip()
    form = "none" if said in _NOTHING else "scalar"
    return Value((said,) if form == "scalar" else (), start, start + len(said), form)


def _quoted(text: str, start: int, field: Field, key: str) -> tuple[str, int]:
    """What stands between quotes, and where they end."""
    pattern = r"'((?:[^'\n]|'')*)'" if text[start] == "'" else r'"((?:[^"\\\n]|\\.)*)"'
    found = re.compile(pattern).match(text, start, field.end)
    if found is None:
        raise Malformed(field.line, f"`{key}` has quotes that do not end")
    if text[start] == "'":
        return found[1].replace("''", "'"), found.end()
    try:
        return str(json.loads(found[0])), found.end()
    except ValueError:
        raise Malformed(field.line, f"`{key}` has a sign after a backslash that means nothing") from None


def _flow(text: str, field: Field, key: str) -> Value:
    """A list in brackets, over several lines too; brackets within it are those of links."""
    items: list[str] = []
    place, depth, bare = field.start, 0, ""
    while place < field.end:
        sign = text[place]
        if sign in "\"'" and not bare.strip():
            said, place = _quoted(text, place, field, key)
            items.append(said)
            bare = ""
            continue
        place += 1
        if sign not in "[],":
            bare += sign
            continue
        if bare.strip():
            items.append(_item(bare.strip(), field, key))
        bare = ""
        depth += {"[": 1, "]": -1, ",": 0}[sign]
        if depth == 0:
            _nothing_after(text[place : field.end], field, key)
            return Value(tuple(items), field.start, place, "flow")
    raise Malformed(field.line, f"`{key}` has a bracket that does not close")


def _item(bare: str, field: Field, key: str) -> str:
    if "\n" in bare or bare[0] == "#":
        raise Malformed(field.line, f"`{key}` has an item that is no simple value")
    return bare


def _nothing_after(rest: str, field: Field, key: str) -> None:
    if rest.strip() and rest.strip()[0] != "#":
        raise Malformed(field.line, f"`{key}` goes on after its bracket")


def _block(text: str, field: Field, key: str) -> Value:
    """A list with an item a line, or nothing at all."""
    items: list[str] = []
    place, end = field.start, field.start
    for number, line in enumerate(_lines(text[field.start : field.end])):
        bare = line.strip()
        if bare.startswith("- ") and number:
            lead = line.index("- ") + 2
            lead += len(line[lead:]) - len(line[lead:].lstrip())
            last = place + len(line.rstrip("\r\n"))
            item = _scalar(text, Field(field.line + number, place + lead, last), key)
            items += item.texts
            end = last
        elif bare and bare[0] != "#":
            raise Malformed(field.line + number, f"`{key}` has a line that is no item")
        place += len(line)
    return Value(tuple(items), field.start, end, "block" if items else "none")


# --- reverie.vault.observation

REQUIRED = ("tags", "importance", "created", "max_age", "source")
PERMANENT = "permanent"
_NUMBER = re.compile(r"\+?(?:\d+(?:\.\d*)?|\.\d+)\Z")
_AGE = re.compile(r"(\d{1,6})d\Z")
_COUNT = re.compile(r"\d{1,9}\Z")
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ].*)?\Z")
_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Observation:
    """What a file says; ``front`` is its text with the places of the fields.

    Attributes:
        name: the agent whose folder it lies in, and the file's name without its ending.
        path: where it lies.
        raw: its bytes as they were read.
        importance: in [0, 1].
        max_age_days: inf for what is permanent.
    """

    name: Name
    path: Path
    raw: bytes
    front: Front
    tags: tuple[str, ...]
    importance: float
    created: date
    max_age_days: float
    source: str
    refs: int
    ref_by: tuple[str, ...]
    backlinks: tuple[str, ...]
    verified: bool
    promoted: bool

    @property
    def body(self) -> str:
        """The text below the front matter."""
        return self.front.text[self.front.body :]

    def age_days(self, today: date) -> int:
        """Whole days since it was created; 0 for one of tomorrow."""
        return max(0, (today - self.created).days)


def observation(name: Name, path: Path, raw: bytes) -> Observation:
    """The observation that a file's bytes are. Raises Malformed with line and reason."""
    return of_front(name, path, raw, read(_text(raw)))


def of_front(name: Name, path: Path, raw: bytes, front: Front) -> Observation:
    """The observation of a head that was read. Raises Malformed where a field is missing or says nothing we know."""
    for key in REQUIRED:
        if not front.has(key):
            raise Malformed(1, f"the field `{key}` is missing")
    return Observation(
        name=name,
        path=path,
        raw=raw,
        front=front,
        tags=front.items("tags"),
        importance=_importance(front),
        created=_created(front),
        max_age_days=_max_age(front),
        source=front.scalar("source") or "",
        refs=_refs(front),
        ref_by=tuple(map(_linked, front.items("ref_by"))),
        backlinks=tuple(map(_linked, front.items("backlinks"))),
        verified=_truth(front, "verified"),
        promoted=_truth(front, "promoted"),
    )


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(raw.count(b"\n", 0, error.start) + 1, "not UTF-8") from None


def _linked(item: str) -> str:
    """The name in a link as Obsidian writes it: ``[[obs-…|seen as]]``; any other text as it is."""
    return item.removeprefix("[[").removesuffix("]]").split("|")[0].strip().removesuffix(".md")


def _importance(front: Front) -> float:
    found = _number(front.scalar("importance") or "")
    if found is None:
        raise Malformed(front.line("importance"), "`importance` is no number from 0 to 1")
    return found


def _created(front: Front) -> date:
    found = _observation_day(front.scalar("created") or "")
    if found is None:
        raise Malformed(front.line("created"), "`created` is no day like 2026-02-15")
    return found


def _max_age(front: Front) -> float:
    found = _days(front.scalar("max_age") or "")
    if found is None:
        raise Malformed(front.line("max_age"), "`max_age` is neither days like 30d nor permanent")
    return found


# Thousands of files say the same few numbers and days: each is worked out once.
@lru_cache(maxsize=4096)
def _number(said: str) -> float | None:
    return float(said) if _NUMBER.match(said) and float(said) <= 1.0 else None


@lru_cache(maxsize=4096)
def _observation_day(said: str) -> date | None:
    found = _DAY.match(said)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def _days(said: str) -> float | None:
    if said == PERMANENT:
        return math.inf
    found = _AGE.match(said)
    return float(found[1]) if found and int(found[1]) else None


def _refs(front: Front) -> int:
    said = front.scalar("refs")
    if said is not None and not _COUNT.match(said):
        raise Malformed(front.line("refs"), "`refs` is no count")
    return int(said or 0)


def _truth(front: Front, key: str) -> bool:
    said = front.scalar(key)
    if said is None or said == "false":
        return False
    if said.lower() not in _TRUTHS:
        raise Malformed(front.line(key), f"`{key}` is neither true nor false")
    return _TRUTHS[said.lower()]


# --- reverie.vault.contents

_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_AT_ONCE = 1 << 16
"""Bytes of a file read at once: most are smaller, and Python's own file objects cost more than the reading."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that was left alone: which line, and why; 0 where it is about the whole file."""

    path: Path
    line: int
    reason: str

    def text(self) -> str:
        """The fault in a line."""
        return f"{self.path}, line {self.line}: {self.reason}" if self.line else f"{self.path}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Held:
    """The observations of a vault: active, archived and shared, each in order of agent and name."""

    active: tuple[Observation, ...]
    archived: tuple[Observation, ...]
    shared: tuple[Observation, ...]
    faults: tuple[Fault, ...]


def gather(places: Places, agents: Iterable[str] | None = None, *, archived: bool = True) -> Held:
    """Read a vault, or what these agents have in it and what is shared."""
    faults: list[Fault] = []
    active: list[Observation] = []
    old: list[Observation] = []
    for agent in places.agents() if agents is None else agents:
        active += folder(places.vault(agent), agent, faults)
        old += folder(places.archive(agent), agent, faults) if archived else []
    shared = folder(places.shared, "", faults)
    return Held(tuple(active), tuple(old), tuple(shared), tuple(faults))


def folder(path: Path, agent: str, faults: list[Fault]) -> list[Observation]:
    """The observations of one folder; what cannot be read is added to the faults."""
    found: list[Observation] = []
    for name, note in notes(path):
        try:
            found.append(observation(Name(agent, name), note, _read(note)))
        except Malformed as error:
            faults.append(Fault(note, error.line, error.reason))
        except FileNotFoundError:
            continue  # moved or deleted since the folder was read
        except OSError as error:
            faults.append(Fault(note, 0, f"cannot be read: {error.strerror or error}"))
    return found


def _read(note: Path) -> bytes:
    """What a file says; a name that has become a link to another place meanwhile is not followed."""
    handle = os.open(note, _FLAGS)
    try:
        parts = [os.read(handle, _AT_ONCE)]
        while len(parts[-1]) == _AT_ONCE:
            parts.append(os.read(handle, _AT_ONCE))
    finally:
        os.close(handle)
    return b"".join(parts) if len(parts) > 1 else parts[0]


# --- reverie.formulas.freshness

def freshness(age_days: float, effective_max_age_days: float, least: float) -> float:
    """From 1 at creation in a straight line to ``least`` at the effective maximum age, and ``least`` beyond.

    Args:
        age_days: since creation; a clock that ran backwards counts as 0.
        effective_max_age_days: > 0; inf for what is permanent, which stays at 1.
        least: in [0, 1].

    Source: ocean-vault
    """
    if math.isinf(effective_max_age_days):
        return 1.0
    share = min(1.0, max(0.0, age_days) / effective_max_age_days)
    return 1.0 - (1.0 - least) * share


@dataclass(frozen=True, slots=True)
class Extension:
    """From which importance on the maximum age is multiplied, and by what."""

    importance: float
    factor: float


def effective_max_age(max_age_days: float, importance: float, extensions: tuple[Extension, ...]) -> float:
    """The declared maximum age times the factor of the highest extension that ``importance`` reaches.

    What is permanent (inf) stays so; nothing else becomes it.

    Source: ocean-vault
    """
    reached = [extension for extension in extensions if importance >= extension.importance]
    if not reached:
        return max_age_days
    return max_age_days * max(reached, key=lambda extension: extension.importance).factor


# --- reverie.recipes.published.ocean_numbers

START = 0.5
"""B3: importance starts at .5, never higher."""

TABLE = EventTable(  # B3
    referenced=0.1,
    referenced_by_other=0.15,
    good_outcome=0.2,
    verified=0.15,
    contradicted=-0.2,
    flagged_important=0.95,
    flagged_wrong=0.0,
)

NEGLECT = NeglectLaw(per_period=0.1, period_days=14.0, most=0.3)
"""B3, reading 15."""

EXTENSIONS = (Extension(0.8, 2.0), Extension(0.9, 3.0))
"""B5."""

EDGES = SweepEdges(floor=0.2, low=0.4, high=0.7)
"""B6."""

EXTEND_BY = 1.5
"""B6."""

SHARED_FROM = VaultPromotionEdges(importance=0.8, verified_importance=0.6)
"""B7."""

SEARCH_FLOOR = 0.1
"""B8."""

LEAST_FRESHNESS = 0.05
"""B8, reading 15."""


# --- reverie.vault.laws

@dataclass(frozen=True, slots=True)
class Laws:
    """What importance starts at, what moves it, how long an observation stays, and what search looks at.

    Attributes:
        start: importance of a new observation.
        extend_by: by what a maximum age is multiplied that an important observation has passed.
        search_floor: importance must lie above it to be found.
        least_freshness: freshness at the end of the time.
    """

    start: float
    table: EventTable
    neglect: NeglectLaw
    extensions: tuple[Extension, ...]
    edges: SweepEdges
    extend_by: float
    sharing: VaultPromotionEdges
    search_floor: float
    least_freshness: float


def ocean_laws() -> Laws:
    """What the recipe ``ocean`` says of a vault: one set of numbers for the engine and for files."""
    return Laws(
        start=START,
        table=TABLE,
        neglect=NEGLECT,
        extensions=EXTENSIONS,
        edges=EDGES,
        extend_by=EXTEND_BY,
        sharing=SHARED_FROM,
        search_floor=SEARCH_FLOOR,
        least_freshness=LEAST_FRESHNESS,
    )


# --- reverie.formulas.text_similarity

def text_cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Cosine of two sparse vectors, term → count or weight ≥ 0; in [0, 1], 0 where one is empty.

    Source: salton-buckley-weighting
    """
    if len(other) < len(one):
        one, other = other, one
    shared = math.fsum(weight * other[term] for term, weight in one.items() if term in other)
    if shared == 0.0:
        return 0.0
    return min(1.0, shared / (_length(one) * _length(other)))


def _length(vector: Mapping[str, float]) -> float:
    return math.sqrt(math.fsum(weight * weight for weight in vector.values()))


def idf(containing: int, size: int) -> float:
    """Weight of a term found in ``containing`` of ``size`` texts: ln((N + 1)/(df + 1)) + 1, never below 1.

    Source: ocean-vault, salton-buckley-weighting
    """
    return math.log((size + 1) / (containing + 1)) + 1.0


def weighted(counts: Mapping[str, int], idfs: Mapping[str, float]) -> dict[str, float]:
    """Term → count times idf; a term that no text holds (and that has no idf) is left out.

    Source: ocean-vault, salton-buckley-weighting
    """
    return {term: count * idfs[term] for term, count in counts.items() if term in idfs}


def text_similarity_score(query: Mapping[str, float], text: Mapping[str, float], importance: float, freshness: float) -> float:
    """Cosine of two weighted texts times importance times freshness, each in [0, 1].

    Source: ocean-vault
    """
    return text_cosine(query, text) * importance * freshness


def is_searchable(importance: float, age_days: float, max_age_days: float, floor: float) -> bool:
    """Whether search looks at an observation at all: more important than ``floor`` and not past its age.

    Source: ocean-vault
    """
    return importance > floor and age_days <= max_age_days


# --- reverie.vault.search

_WORD = re.compile(r"\w+")
_APART = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}
"""What ``\\w`` is not, in ASCII: splitting there finds the same words in a third of the time."""
_TAG_WEIGHT = 2
_SNIPPET = 160
_BEFORE = 4
"""Words shown before the first that was asked for."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An observation that was found: its score in [0, 1], its parts, and where in the text it says so."""

    observation: Observation
    score: float
    freshness: float
    snippet: str


def search(observations: Sequence[Observation], query: str, limit: int, laws: Laws, today: date) -> list[Hit]:
    """The best observations by cosine × importance × freshness; of equals the newest first, then by name.

    Only what is more important than the floor and not past its age is looked at; the shared copy of an original that
    is looked at too is left out.
    """
    asked = Counter(terms(query))
    looked_at = [
        (one, fresh) for one in _each_once(observations) if (fresh := _freshness(one, laws, today)) is not None
    ]
    frequency: Counter[str] = Counter()
    matching: list[tuple[Observation, float, list[str]]] = []
    for one, fresh in looked_at:
        words = _words(one)
        different = set(words)
        frequency.update(different)
        if not different.isdisjoint(asked):
            matching.append((one, fresh, words))
    idfs = {term: idf(number, len(looked_at)) for term, number in frequency.items()}
    wanted = weighted(asked, idfs)
    hits: list[Hit] = []
    for one, fresh, words in matching:
        score = text_similarity_score(wanted, weighted(Counter(words), idfs), one.importance, fresh)
        hits.append(Hit(one, score, fresh, ""))
    best = _ordered(hits)[:limit]
    return [Hit(hit.observation, hit.score, hit.freshness, snippet(hit.observation.body, asked)) for hit in best]


def _ordered(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, -hit.observation.created.toordinal(), hit.observation.path))


def terms(text: str) -> list[str]:
    """The words of a text, as they are compared."""
    if not text.isascii():
        text = unicodedata.normalize("NFD", text.replace("ı", "i"))
        for sign in set(text):
            if unicodedata.combining(sign):
                text = text.replace(sign, "")
    text = text.lower()
    return text.translate(_APART).split() if text.isascii() else _WORD.findall(text)


def snippet(body: str, asked: Counter[str]) -> str:
    """The part of a body where most of the words that were asked for stand together, in one line."""
    words = body.split()
    hits = [not asked.keys().isdisjoint(terms(word)) for word in words]
    if sum(map(len, words)) + len(words) <= _SNIPPET:
        return " ".join(words)
    width = 24
    start = max(range(max(1, len(words) - width + 1)), key=lambda place: sum(hits[place : place + width]))
    first = next((place for place in range(start, min(start + width, len(hits))) if hits[place]), start)
    start = max(0, first - _BEFORE)
    shown = " ".join(words[start : start + width])
    cut = shown if len(shown) <= _SNIPPET else f"{shown[: _SNIPPET - 1]}…"
    return f"{'… ' if start else ''}{cut}{' …' if start + width < len(words) and cut is shown else ''}"


def _words(one: Observation) -> list[str]:
    """The terms of an observation, those of its tags as often as they count."""
    return terms(" ".join((one.body, *one.tags * _TAG_WEIGHT)))


def _freshness(one: Observation, laws: Laws, today: date) -> float | None:
    """How fresh it is; None where search does not look at it."""
    age = float(one.age_days(today))
    limit = effective_max_age(one.max_age_days, one.importance, laws.extensions)
    if not is_searchable(one.importance, age, limit, laws.search_floor):
        return None
    return freshness(age, limit, laws.least_freshness)


def _each_once(observations: Sequence[Observation]) -> list[Observation]:
    """Without the copies whose originals are there as well."""
    originals: dict[str, set[str]] = {}
    for one in observations:
        if one.name.agent and one.promoted:
            originals.setdefault(one.body, set()).add(one.name.id)
    return [one for one in observations if one.name.agent or not _is_copy(one, originals.get(one.body, set()))]


def _is_copy(one: Observation, originals: set[str]) -> bool:
    """Whether a shared observation says what one of these says, and is called after it."""
    return any(one.name.id.endswith(f"-{name}") for name in originals)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, in how many observations, and the files it could not read."""

    hits: tuple[Hit, ...]
    searched: int
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: the words, whose observations beside the shared ones (None: everybody's), how many at most."""

    query: str
    agent: str | None = None
    limit: int = 5


def find(places: Places, laws: Laws, wish: Wish, today: date) -> Found:
    """Search what is active and what is shared. Raises InvalidInput for what is no agent's name."""
    if wish.agent is not None:
        places.vault(wish.agent)  # checks the name
    held = gather(places, None if wish.agent is None else [wish.agent], archived=False)
    observations = (*held.active, *held.shared)
    hits = search(observations, wish.query, wish.limit, laws, today)
    return Found(tuple(hits), len(observations), (*held.faults, *absent(places, wish.agent)))


def absent(places: Places, agent: str | None) -> tuple[Fault, ...]:
    """That an agent has no memory in this vault, where it has none: then there is the shared alone."""
    if agent is None or agent in places.agents():
        return ()
    return (Fault(places.agents_folder / agent, 0, f"no agent is called {agent} here; only what is shared was read"),)


# --- reverie.faces.cli.vault_output

COLUMNS = (
    Column("score", number=True),
    Column("importance", number=True),
    Column("fresh", number=True),
    Column("name", style="green"),
    Column("says", wraps=True),
)


def found(screen: PlainScreen, found: Found) -> None:
    """What a search found, and what it could not read."""
    if screen.as_json:
        shape = {"searched": found.searched, "hits": [_hit(hit) for hit in found.hits]}
        screen.json({**shape, "faults": faults(found.faults)})
        return
    for fault in found.faults:
        screen.note(f"left out: {fault.text()}")
    if found.hits:
        screen.table(COLUMNS, [_row(hit) for hit in found.hits])
    else:
        screen.line(f"nothing found in {found.searched} observations")


def _name(hit: Hit) -> str:
    name = hit.observation.name
    return f"{name.agent}/{name.id}" if name.agent else f"shared: {name.id}"


def _row(hit: Hit) -> tuple[str, ...]:
    return f"{hit.score:.3f}", f"{hit.observation.importance:g}", f"{hit.freshness:.2f}", _name(hit), hit.snippet


def _hit(hit: Hit) -> dict[str, object]:
    one = hit.observation
    numbers = {"score": hit.score, "importance": one.importance, "freshness": hit.freshness}
    where = {"agent": one.name.agent or None, "file": str(one.path), "created": one.created.isoformat()}
    return {"name": _name(hit), **numbers, **where, "tags": list(one.tags), "text": one.body, "snippet": hit.snippet}


def faults(found: Sequence[Fault]) -> list[dict[str, object]]:
    """Files with line and reason, in JSON."""
    return [{"file": str(one.path), "line": one.line, "reason": one.reason} for one in found]


# --- reverie.wire.errors

@dataclass(frozen=True, slots=True)
class Code:
    """How an error is told: the exit code of a command, the status of an HTTP answer."""

    exit: int
    status: int


CODES: dict[type[ReverieError], Code] = {
    ReverieError: Code(1, 500),
    InvalidInput: Code(2, 422),
    InvalidScope: Code(2, 422),
    InvalidSetting: Code(2, 422),
    NotFound: Code(3, 404),
    Conflict: Code(4, 409),
    InvalidExport: Code(5, 422),
    StoreError: Code(10, 500),
    StoreMissing: Code(11, 503),
    StoreClosed: Code(12, 503),
    StoreBusy: Code(13, 503),
    StoreFull: Code(14, 507),
    StoreReadOnly: Code(15, 503),
    StoreCorrupt: Code(16, 500),
    StoreTooNew: Code(17, 500),
    StoreUntrusted: Code(18, 503),
    ModelError: Code(20, 503),
    ModelMissing: Code(21, 503),
    ModelCorrupt: Code(22, 503),
    ModelUnavailable: Code(23, 503),
    ServerError: Code(30, 502),
    AccessRefused: Code(31, 403),
    ServerUnavailable: Code(32, 503),
}
"""Error class → codes, every class of the tree."""


def code(error: ReverieError) -> Code:
    """The codes of an error; those of its nearest ancestor in the table for a class that is not in it."""
    return next(CODES[kind] for kind in type(error).__mro__ if kind in CODES)


# --- reverie.faces.cli.exits

DONE = 0

INTERRUPTED = 130
PIPE_CLOSED = 141


def exit_code(error: ReverieError) -> int:
    """The exit code of an error."""
    return code(error).exit


# --- reverie.faces.cli.vault_scripts

def memory_search() -> int:
    """Search by words: how alike, times importance, times freshness. Reading is not using: nothing is counted."""
    parser = _parser(memory_search)
    parser.add_argument("query", help="the words to look for")
    parser.add_argument("--agent", metavar="NAME", help="this agent's observations and the shared ones")
    parser.add_argument("--all", action="store_true", help="everything, even with --agent")
    parser.add_argument("--limit", type=_limit, default=5, metavar="N", help="at most so many (default: 5)")
    given = parser.parse_args()

    def work(screen: PlainScreen) -> int:
        wish = Wish(given.query, None if given.all else given.agent, given.limit)
        found(screen, find(_places(given.vault), ocean_laws(), wish, given.today))
        return DONE

    return _told(work, PlainScreen(given.json))


def _parser(script: Callable[[], int]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=script.__doc__)
    parser.add_argument("--vault", metavar="FOLDER", help="the vault; else the one this script or folder is in")
    parser.add_argument("--today", type=_vault_scripts_day, default=_now(), metavar="DAY", help="go by this day instead of today")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    return parser


def _now() -> date:
    return datetime.now().astimezone().date()


def _vault_scripts_day(said: str) -> date:
    try:
        return date.fromisoformat(said)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{said!r} is no day; write 2026-03-02") from None


def _limit(said: str) -> int:
    number = int(said) if said.isascii() and said.isdigit() else 0
    if not 1 <= number <= 1000:
        raise argparse.ArgumentTypeError(f"{said!r} is not from 1 to 1000")
    return number


def _places(said: str | None) -> Places:
    """The vault that is meant. Raises InvalidInput for a folder that is none, NotFound where there is none at all."""
    if said is None:
        own = Places(Path(__file__).resolve().parent.parent)
        return own if own.is_vault() else Places.above(Path.cwd())
    places = Places(Path(said).resolve())
    if not places.is_vault():
        raise InvalidInput(f"{places.root} is no vault.", "It needs the folders `agents` and `shared/observations`.")
    return places


def _told(work: Callable[[PlainScreen], int], screen: PlainScreen) -> int:
    """Do the work; what goes wrong on purpose becomes a message and an exit code, as in the command."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr] # a script's streams are text files
    try:
        code = work(screen)
        sys.stdout.flush()
    except ReverieError as error:
        screen.note(f"error: {error.message}")
        screen.note(f"  mend: {error.mend}")
        return exit_code(error)
    except BrokenPipeError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


if __name__ == "__main__":
    gc.disable()  # what a process as short as this leaves behind goes with it
    sys.exit(memory_search())
