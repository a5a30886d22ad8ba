"""Read and edit the front matter of a Markdown file line by line, so that every unchanged byte stays.

Reading gives the fields with their places, or the line and reason why the file cannot be read. YAML libraries normalise
what they write back (quotes, spaces, line ends, flow lists), so none is used: a field's value is replaced in its place,
and nothing else is touched.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_OPEN = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_KEY = re.compile(r"""(?:"([^"\\]+)"|'([^']+)'|([^\s"'#\[\]{}&*!|>%@`,?:-][^:]*?))[ \t]*:(?:[ \t]+|$)""")
_PLAIN = re.compile(r"[^\W_][\w./+-]*(?: [\w./+-]+)*\Z")
_SPECIAL = re.compile(r"(?:null|true|false|yes|no|on|off|[-+.\d_eE:xob]+)\Z", re.IGNORECASE)
_SIMPLE_LINE = re.compile(r"([a-z_]\w*): +(?:([A-Za-z0-9][\w.-]*)|\[[\w./+, -]*\])$", re.ASCII)
_SIMPLE = re.compile(r"---\n((?:[a-z_]\w*: (?:[A-Za-z0-9][\w.-]*|\[[\w./+, -]*\])\n)+)---\n", re.ASCII)
"""A whole front matter of simple lines, as agents write them: read in a third of the time."""
_NOTHING = ("null", "Null", "NULL", "~")


class Malformed(ValueError):
    """A file that is not an observation: the line, and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Value(NamedTuple):
    """A value and its place in the text; a further list item would be inserted at ``end``.

    Attributes:
        texts: the scalar, or the items of the list.
        start: where the value begins, after the key's colon and its blanks.
        end: where it ends, without comments and blanks after it.
        form: ``scalar``, ``flow`` (in brackets), ``block`` (one item a line) or ``none``.
    """

    texts: tuple[str, ...]
    start: int
    end: int
    form: str


class FrontField(NamedTuple):
    """A field: its line, and the span of its value, from after the colon to the end of its last line.

    ``form`` is set if the value is simple and fills the rest of its line; else it is "".
    """

    line: int
    start: int
    end: int
    form: str = ""


@dataclass(frozen=True, slots=True)
class Front:
    """A file's text with its fields; the body begins at ``body``, the closing line of the front matter at ``close``.

    Attributes:
        simple: each field as it is written, if the whole front matter consists of simple lines; else empty.
        fields: each field with its place, if the front matter is not simple.
    """

    text: str
    close: int
    body: int
    simple: dict[str, str]
    fields: dict[str, FrontField]

    def has(self, key: str) -> bool:
        """Whether there is such a field, with or without a value."""
        return key in self.simple or key in self.fields

    def scalar(self, key: str) -> str | None:
        """Return a field's value; None if the field or its value is missing. Raises Malformed."""
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
        """Return the items of a list; a single value is a list of one. Raises Malformed."""
        said = self.simple.get(key)
        if said is not None and said[0] == "[":
            return _listed(said)
        field = self._field(key)
        return () if field is None else _value(self.text, field, key).texts

    def line(self, key: str) -> int:
        """Return the line of a field; the first line of the file if it is missing."""
        field = self._field(key)
        return 1 if field is None else field.line

    def line_of(self, key: str, said: str) -> int:
        """Return the line where a field contains ``said``; the field's first line if it is spelled differently."""
        field = self._field(key)
        if field is None:
            return 1
        place = self.text.find(said, field.start, field.end)
        return field.line + self.text.count("\n", field.start, max(place, field.start))

    def with_scalar(self, key: str, value: str) -> Front:
        """Return the front matter with this value for the field; a missing field is added last."""
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
        """Return the front matter with items added to a list, in the list's own form."""
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

    def _field(self, key: str) -> FrontField | None:
        said = self.simple.get(key)
        if said is None:
            return self.fields.get(key)
        start = self.text.index(f"\n{key}: ") + len(key) + 3
        form = "flow" if said[0] == "[" else "" if said in _NOTHING else "scalar"
        return FrontField(self.text.count("\n", 0, start) + 1, start, start + len(said), form)

    def _lines(self, old: Value, shown: list[str]) -> str:
        """Return further lines of a block list, indented like its last one."""
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
    """Parse the front matter of a file. Raises Malformed if there is none, or it cannot be split into fields."""
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
    """Return a value for use in a list: bare if that is unambiguous, else in quotes."""
    if _PLAIN.match(item) and not _SPECIAL.match(item):
        return item
    return json.dumps(item, ensure_ascii=False)


def _fields(text: str, start: int, end: int) -> dict[str, FrontField]:
    fields: dict[str, FrontField] = {}
    key, place, number = "", start, 1
    for line in text[start:end].split("\n"):
        number += 1
        if (simple := _SIMPLE_LINE.match(line)) and (key := simple[1]) not in fields and simple[2] not in _NOTHING:
            fields[key] = _simple_field(simple, line, number, place)
            place += len(line) + 1
            continue
        bare = line.removesuffix("\r")
        found = None if not bare or bare[0] in " \t#-" else _KEY.match(bare)
        if found is not None:
            key = found[1] or found[2] or found[3]
            if key in fields:
                raise Malformed(number, f"`{key}` is there twice")
            fields[key] = FrontField(number, place + found.end(), place + len(bare))
        elif _goes_on(text, bare, fields.get(key), number):
            fields[key] = FrontField(fields[key].line, fields[key].start, place + len(bare))
        place += len(line) + 1
    return fields


def _simple_field(simple: re.Match[str], line: str, number: int, place: int) -> FrontField:
    form = "scalar" if simple[2] else "flow"
    value = simple.start(2) if simple[2] else line.index("[")
    return FrontField(number, place + value, place + len(line), form)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends; only line feeds end a line."""
    place = 0
    while place < len(text):
        end = text.find("\n", place) + 1 or len(text)
        yield text[place:end]
        place = end


def _goes_on(text: str, bare: str, field: FrontField | None, number: int) -> bool:
    """Whether a line without a key belongs to the last field; comments and empty lines belong to none."""
    if not bare.strip() or bare.lstrip()[0] == "#":
        return False
    inside = bare[0] in " \t" or bare[0:2] in ("- ", "-")
    if field is not None and (inside or _is_open(text[field.start : field.end])):
        return True
    raise Malformed(number, "neither a field nor the rest of one")


def _is_open(value: str) -> bool:
    return value[:1] in ("[", "{") and value.count(value[0]) > value.count("]" if value[0] == "[" else "}")


def _after_colon(text: str, place: int, value: str) -> str:
    """Return a value for a field without one, separated from the colon and from a comment."""
    before = "" if text[place - 1] in " \t" else " "
    return before + value + (" " if text[place : place + 1] == "#" else "")


def _value(text: str, field: FrontField, key: str) -> Value:
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
    """Return the items of a simple list in brackets."""
    return tuple([bare for item in said[1:-1].split(",") if (bare := item.strip())]) if len(said) > 2 else ()


def _scalar(text: str, field: FrontField, key: str) -> Value:
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


def _quoted(text: str, start: int, field: FrontField, key: str) -> tuple[str, int]:
    """Return the content of a quoted value, and where it ends."""
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


def _flow(text: str, field: FrontField, key: str) -> Value:
    """Parse a list in brackets, possibly over several lines; brackets within it are those of links."""
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


def _item(bare: str, field: FrontField, key: str) -> str:
    if "\n" in bare or bare[0] == "#":
        raise Malformed(field.line, f"`{key}` has an item that is no simple value")
    return bare


def _nothing_after(rest: str, field: FrontField, key: str) -> None:
    if rest.strip() and rest.strip()[0] != "#":
        raise Malformed(field.line, f"`{key}` goes on after its bracket")


def _block(text: str, field: FrontField, key: str) -> Value:
    """Parse a list with one item a line, or an empty value."""
    items: list[str] = []
    place, end = field.start, field.start
    for number, line in enumerate(_lines(text[field.start : field.end])):
        bare = line.strip()
        if bare.startswith("- ") and number:
            lead = line.index("- ") + 2
            lead += len(line[lead:]) - len(line[lead:].lstrip())
            last = place + len(line.rstrip("\r\n"))
            item = _scalar(text, FrontField(field.line + number, place + lead, last), key)
            items += item.texts
            end = last
        elif bare and bare[0] != "#":
            raise Malformed(field.line + number, f"`{key}` has a line that is no item")
        place += len(line)
    return Value(tuple(items), field.start, end, "block" if items else "none")
