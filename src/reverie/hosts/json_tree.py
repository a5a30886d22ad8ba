"""JSON with the places of its parts: in, a text; out, its values and where in the text each begins and ends.

A host's settings are changed where they need to be and nowhere else, so a change needs places, not only values. Three
dialects: plain JSON; with comments and commas at the end, as editors write it; JSON5, with names that need no quotes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from reverie.errors import InvalidInput

DEEPEST = 100
"""Levels of a settings file that is read; a deeper one is no settings file."""


class Dialect(IntEnum):
    """What a host reads; each takes all of the one before."""

    PLAIN = 0
    COMMENTS = 1
    FIVE = 2


class Broken(InvalidInput):
    """A text that is not what its host could read either; the message names the line."""

    def __init__(self, text: str, at: int, reason: str) -> None:
        self.line = text.count("\n", 0, at) + 1
        self.reason = reason
        super().__init__(f"line {self.line}: {reason}.")


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its place.

    Attributes:
        start: where it begins in the text.
        end: where it ends.
        value: what it says, as plain Python values.
        members: what an object or an array holds, in order; empty for anything else.
    """

    start: int
    end: int
    value: object
    members: tuple[Member, ...] = ()

    def member(self, key: str) -> Member | None:
        """An object's member of this name; of several the last, as every reader takes it."""
        return next((member for member in reversed(self.members) if member.key == key), None)


@dataclass(frozen=True, slots=True)
class Member:
    """A part of an object or an array.

    Attributes:
        key: its name; empty in an array.
        start: where it begins, name included.
        node: its value.
        comma: where the comma behind it stands, if there is one.
    """

    key: str
    start: int
    node: Node
    comma: int | None


def parse(text: str, dialect: Dialect = Dialect.PLAIN) -> Node:
    """The tree of a text. Raises Broken."""
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
    def __init__(self, text: str, dialect: Dialect) -> None:
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
        """Go past blanks and, where the dialect has them, comments."""
        while True:
            found = _SPACE.match(self._text, self._at)
            self._at = found.end() if found else self._at
            comment = _COMMENT.match(self._text, self._at)
            if comment is None:
                return
            if self._dialect < Dialect.COMMENTS:
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
            if members and separated and self._dialect < Dialect.COMMENTS:
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
        name = _NAME_FIVE.match(self._text, self._at) if self._dialect == Dialect.FIVE else None
        if name is not None:
            self._at = name.end()
            return name[0]
        node = self._single()
        if not isinstance(node.value, str):
            self._at = node.start
            raise self._broken("a name in quotes should stand here")
        return node.value

    def _single(self) -> Node:
        """A string, number or word."""
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
_READERS: dict[Dialect, tuple[_Reader, ...]] = {
    Dialect.PLAIN: _COMMON,
    Dialect.COMMENTS: _COMMON,
    Dialect.FIVE: (*_COMMON, (_STRING_FIVE, _unquoted), (_NUMBER_FIVE, _number)),
}
