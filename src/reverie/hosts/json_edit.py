"""Edit JSON in place: apply one change to a text and keep every other byte, comments included."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from reverie.errors import InvalidInput

DEEPEST = 100
"""Deepest nesting that is read; settings files are never deeper."""


class JsonDialect(IntEnum):
    """Which JSON a host reads; each dialect includes the one before."""

    PLAIN = 0
    COMMENTS = 1
    FIVE = 2


class Broken(InvalidInput):
    """The text cannot be read, neither by its host; the message names the line."""

    def __init__(self, text: str, at: int, reason: str) -> None:
        self.line = text.count("\n", 0, at) + 1
        self.reason = reason
        super().__init__(f"line {self.line}: {reason}.")


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value and its place in the text.

    Attributes:
        start: where it begins in the text.
        end: where it ends.
        value: the value in plain Python types.
        members: what an object or an array holds, in order; empty for anything else.
    """

    start: int
    end: int
    value: object
    members: tuple[Member, ...] = ()

    def member(self, key: str) -> Member | None:
        """Return an object's member of this name; the last of several, as every reader takes it."""
        return next((member for member in reversed(self.members) if member.key == key), None)


@dataclass(frozen=True, slots=True)
class Member:
    """A part of an object or an array.

    Attributes:
        key: its name; empty in an array.
        start: where it begins, name included.
        node: its value.
        comma: position of the comma after it, if there is one.
    """

    key: str
    start: int
    node: Node
    comma: int | None


def parse(text: str, dialect: JsonDialect = JsonDialect.PLAIN) -> Node:
    """Parse a text to a tree of nodes. Raises Broken."""
    return _Parser(text, dialect).whole()


_SPACE = re.compile(r"[ \t\r\n\ufeff]*")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])")
_WORD = re.compile(r"(?:true|false|null)\b")
_STRING_FIVE = re.compile(r"""'(?:[^'\\\n]|\\(?:\r\n|.))*'|"(?:[^"\\\n]|\\(?:\r\n|.))*\"""", re.DOTALL)
_NUMBER_FIVE = re.compile(
    r"[+-]?(?:0[xX][0-9a-fA-F]+|Infinity|NaN|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)(?![\w.])"
)
_NAME_FIVE = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0", "\n": "", "\r\n": ""}


class _Parser:
    def __init__(self, text: str, dialect: JsonDialect) -> None:
        self._text = text
        self._dialect = dialect
        self._at = 0
        self._depth = 0

    def whole(self) -> Node:
        node = self._value()
        self._skip()
        if self._at < len(self._text):
            raise self._broken("something stands behind the end")
        return node

    def _broken(self, reason: str) -> Broken:
        return Broken(self._text, min(self._at, len(self._text)), reason)

    def _skip(self) -> None:
        """Skip blanks and, if the dialect has them, comments."""
        while True:
            found = _SPACE.match(self._text, self._at)
            self._at = found.end() if found else self._at
            comment = _COMMENT.match(self._text, self._at)
            if comment is None:
                return
            if self._dialect < JsonDialect.COMMENTS:
                raise self._broken("a comment, which this file's reader does not take")
            self._at = comment.end()

    def _value(self) -> Node:
        self._skip()
        opening = self._text[self._at : self._at + 1]
        if opening == "{":
            return self._many("}", self._named)
        if opening == "[":
            return self._many("]", self._item)
        if not opening:
            raise self._broken("the text ends where a value should stand")
        return self._single()

    def _many(self, closing: str, part: Callable[[], Member]) -> Node:
        start = self._at
        self._at += 1
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._broken("more levels than a settings file has")
        members: list[Member] = []
        while not self._closes(closing, members):
            members.append(part())
        self._depth -= 1
        value = [m.node.value for m in members] if closing == "]" else {m.key: m.node.value for m in members}
        return Node(start, self._at, value, tuple(members))

    def _closes(self, closing: str, members: list[Member]) -> bool:
        """Whether the object or array ends here; if not, another part may begin."""
        self._skip()
        separated = not members or members[-1].comma is not None
        if self._text.startswith(closing, self._at):
            if members and separated and self._dialect < JsonDialect.COMMENTS:
                raise self._broken(f"a comma before '{closing}'")
            self._at += 1
            return True
        if not separated:
            raise self._broken(f"',' or '{closing}' should stand here")
        return False

    def _named(self) -> Member:
        start = self._at
        key = self._key()
        self._skip()
        if not self._text.startswith(":", self._at):
            raise self._broken(f"':' should stand behind {key!r}")
        self._at += 1
        return self._followed(key, start, self._value())

    def _item(self) -> Member:
        node = self._value()
        return self._followed("", node.start, node)

    def _followed(self, key: str, start: int, node: Node) -> Member:
        self._skip()
        comma = self._at if self._text.startswith(",", self._at) else None
        self._at += comma is not None
        return Member(key, start, node, comma)

    def _key(self) -> str:
        name = _NAME_FIVE.match(self._text, self._at) if self._dialect == JsonDialect.FIVE else None
        if name is not None:
            self._at = name.end()
            return name[0]
        node = self._single()
        if not isinstance(node.value, str):
            self._at = node.start
            raise self._broken("a name in quotes should stand here")
        return node.value

    def _single(self) -> Node:
        """Parse a string, number or word."""
        start = self._at
        for pattern, read in _READERS[self._dialect]:
            found = pattern.match(self._text, start)
            if found is not None:
                self._at = found.end()
                return Node(start, self._at, read(found[0]))
        raise self._broken("neither a value nor a name can be read here")


def _unquoted(text: str) -> str:
    def plain(found: re.Match[str]) -> str:
        digits = found[1] or found[2]
        return chr(int(digits, 16)) if digits else _ESCAPED.get(found[3], found[3])

    return _ESCAPE.sub(plain, text[1:-1])


def _number(text: str) -> object:
    sign, digits = (-1 if text.startswith("-") else 1), text.lstrip("+-")
    return sign * int(digits, 16) if digits[:2] in ("0x", "0X") else sign * float(digits)


_Reader = tuple[re.Pattern[str], Callable[[str], object]]
_COMMON: tuple[_Reader, ...] = ((_STRING, json.loads), (_NUMBER, json.loads), (_WORD, json.loads))
_READERS: dict[JsonDialect, tuple[_Reader, ...]] = {
    JsonDialect.PLAIN: _COMMON,
    JsonDialect.COMMENTS: _COMMON,
    JsonDialect.FIVE: (*_COMMON, (_STRING_FIVE, _unquoted), (_NUMBER_FIVE, _number)),
}


Keys: TypeAlias = tuple[str, ...]

_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
_REST = re.compile(r"[ \t]*(?:/\*[^\n]*?\*/[ \t]*)*(?://[^\n]*)?(?=\r?\n)")
_SPACES = "  "


def is_blank(text: str) -> bool:
    """Whether a text is empty but for blanks, so that it may be filled."""
    return not text.strip("\ufeff \t\r\n")


def members(text: str, dialect: JsonDialect) -> tuple[Member, ...]:
    """Return the members of the top-level object or list."""
    return () if is_blank(text) else parse(text, dialect).members


def find(text: str, dialect: JsonDialect, keys: Keys) -> Node | None:
    """Return the value at a path; None if there is none. Raises Broken."""
    node: Node | None = parse(text, dialect)
    for key in keys:
        member = node.member(key) if node else None
        node = member.node if member else None
    return node


def put(text: str, dialect: JsonDialect, keys: Keys, value: object) -> str:
    """Return the text with ``value`` at a path; if both values are objects, only members that differ are changed.

    Raises:
        Broken: the text cannot be read, or a value on the path is not an object.
    """
    if is_blank(text):
        return _rendered(_nested(keys, value), "", _SPACES, "\n") + "\n"
    node = parse(text, dialect)
    for depth, key in enumerate(keys):
        _expect(text, node, dict, keys[:depth])
        member = node.member(key)
        if member is None:
            return add(text, node, _nested(keys[depth + 1 :], value), key)
        node = member.node
    return _replaced(text, dialect, keys, node, value)


def add(text: str, node: Node, value: object, key: str | None = None) -> str:
    """Return the text with one part added at the end of ``node``, an object or (without ``key``) an array."""
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    if not node.members:
        return _filled(text, node, value, key, (unit, newline))
    last = node.members[-1]
    indent = _own_indent(text, last.start)
    after = last.node.end if last.comma is None else last.comma + 1
    rest = _REST.match(text, after)
    if indent is None or rest is None:
        part = _named(key, json.dumps(value, ensure_ascii=False))
        return text[:after] + (" " if last.comma is not None else ", ") + part + text[after:]
    part = newline + indent + _named(key, _rendered(value, indent, unit, newline))
    part += "," if last.comma is not None else ""
    comma = "," if last.comma is None else ""
    return text[: last.node.end] + comma + text[last.node.end : rest.end()] + part + text[rest.end() :]


def take(text: str, node: Node, gone: Member) -> str:
    """Return the text without one part of the object or array ``node``."""
    index = node.members.index(gone)
    end = gone.node.end if gone.comma is None else gone.comma + 1
    start = gone.start
    lead = re.search(r"\r?\n[ \t]*$", text[:start])
    rest = _REST.match(text, end)
    if lead is not None and rest is not None:
        start = lead.start()
    elif gone.comma is not None:
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    else:
        start = len(text[:start].rstrip(" \t"))
    before = node.members[index - 1].comma if index else None
    if gone.comma is None and before is not None:
        return text[:before] + text[before + 1 : start] + text[end:]
    if len(node.members) == 1 and not text[node.start + 1 : start].strip() and not text[end : node.end - 1].strip():
        return text[: node.start + 1] + text[node.end - 1 :]
    return text[:start] + text[end:]


def drop(text: str, dialect: JsonDialect, keys: Keys) -> str:
    """Return the text without the member at a path; unchanged if there is none."""
    node = parse(text, dialect)
    for key in keys[:-1]:
        member = node.member(key)
        if member is None:
            return text
        node = member.node
    gone = node.member(keys[-1])
    return text if gone is None else take(text, node, gone)


def quoted(text: str) -> str:
    """Return a string as JSON."""
    return json.dumps(text, ensure_ascii=False)


def _replaced(text: str, dialect: JsonDialect, keys: Keys, node: Node, value: object) -> str:
    if isinstance(value, Mapping) and isinstance(node.value, Mapping):
        for key, inner in value.items():
            text = put(text, dialect, (*keys, key), inner)
        return text
    if node.value == value and type(node.value) is type(value):
        return text
    indent = _line_indent(text, node.start)
    newline = "\r\n" if "\r\n" in text else "\n"
    several = "\n" in text[node.start : node.end]
    new = _rendered(value, indent, _unit(text), newline) if several else json.dumps(value, ensure_ascii=False)
    return text[: node.start] + new + text[node.end :]


def _expect(text: str, node: Node, kind: type, keys: Sequence[str]) -> None:
    if not isinstance(node.value, kind):
        where = ".".join(keys) if keys else "the whole"
        raise Broken(text, node.start, f"{where} should be {'an object' if kind is dict else 'a list'}")


def listed(text: str, node: Node, keys: Sequence[str]) -> Node:
    """Return the node if it is a list. Raises Broken."""
    _expect(text, node, list, keys)
    return node


def _filled(text: str, node: Node, value: object, key: str | None, style: tuple[str, str]) -> str:
    """Return the text with the first part of an empty object or array; comments inside stay before it."""
    unit, newline = style
    indent = _line_indent(text, node.start)
    inner = indent + unit
    part = newline + inner + _named(key, _rendered(value, inner, unit, newline)) + newline + indent
    kept = text[node.start + 1 : node.end - 1].rstrip()
    return text[: node.start + 1] + kept + part + text[node.end - 1 :]


def _nested(keys: Keys, value: object) -> object:
    for key in reversed(keys):
        value = {key: value}
    return value


def _named(key: str | None, value: str) -> str:
    return value if key is None else f"{json.dumps(key, ensure_ascii=False)}: {value}"


def _rendered(value: object, indent: str, unit: str, newline: str) -> str:
    """Format a value over several lines; lists of plain values stay on one."""
    if isinstance(value, Mapping) and value:
        inner = [f"{indent}{unit}{_named(key, _rendered(v, indent + unit, unit, newline))}" for key, v in value.items()]
        return "{" + newline + f",{newline}".join(inner) + newline + indent + "}"
    if isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value):
        inner = [f"{indent}{unit}{_rendered(item, indent + unit, unit, newline)}" for item in value]
        return "[" + newline + f",{newline}".join(inner) + newline + indent + "]"
    return json.dumps(value, ensure_ascii=False)


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else _SPACES


def _own_indent(text: str, at: int) -> str | None:
    """Return the indentation of a part that begins its line; None if something precedes it on the line."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if not line.strip(" \t") and text.rfind("\n", 0, at) >= 0 else None


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
