"""JSON values out of a stream, one at a time: in, a text stream that holds an array or an object; out, its elements.

A chat export is one array of hundreds of megabytes; the standard parser would hold all of it. Here no more is held than
the longest element and one chunk.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TextIO

from reverie.errors import InvalidExport

CHUNK = 1 << 20
"""Characters read at a time."""

VALUE_MAX = 1 << 28
"""Characters of the longest element that is read."""

_DECODER = json.JSONDecoder(strict=False)  # raw line breaks inside a string are kept rather than refused
_SPACE = " \t\r\n"
_MEND = "No conversation looks like that: check where the file comes from, or leave that part out."


def values(stream: TextIO, name: str = "The file") -> Iterator[object]:
    """The elements of the array in ``stream``, or the one value it holds; ``name`` is what errors call the file.

    Raises:
        InvalidExport: the text is not JSON, ends too early, or goes on after its end.
    """
    window = _Window(stream, name)
    if window.peek() != "[":
        yield window.value()
    else:
        yield from _elements(window)
    if window.peek():
        raise window.fault("something follows the end")


def reason(error: Exception) -> str:
    """What is wrong with JSON that the parser gave up, in words for who made it."""
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
    """The part of the stream that is being looked at."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._text = ""
        self._at = 0
        self._lines = 1

    def peek(self) -> str:
        """The next character that is not space, without taking it; "" at the end."""
        while True:
            while self._at < len(self._text):
                if self._text[self._at] not in _SPACE:
                    return self._text[self._at]
                self._at += 1
            if not self._more():
                return ""

    def take(self) -> str:
        """The character under the eye."""
        self._at += 1
        return self._text[self._at - 1]

    def value(self) -> object:
        """The next whole value."""
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
            # A value that ends with the window may go on behind it: 12|34.
            if end == len(self._text) and self._more():
                continue
            self._at = end
            return value

    def fault(self, what: str, at: int | None = None) -> InvalidExport:
        """The error for this place, by its line."""
        return InvalidExport(
            f"{self._name} is not whole JSON: {self._place(at)}: {what}.",
            "It may have been cut short: download or unpack it again.",
        )

    def _place(self, at: int | None = None) -> str:
        return f"line {self._lines + self._text.count(chr(10), 0, self._at if at is None else at)}"

    def _more(self) -> bool:
        """Read on, at least as much again as is unread, so that a long value is parsed a few times only."""
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
