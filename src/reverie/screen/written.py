"""Secrets in the forms of programs: a password on a command line, in a netrc, in the QR code of a wireless network.

In: a text. Out: spans of the values alone. What leaves the value open, or shows an example's, is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from reverie.screen import lists
from reverie.screen.secrecy import is_example, is_placeholder
from reverie.screen.values import Span

_OPEN = "$<{%[*"
"""What a value begins with that a shell or a template fills in."""
_CLOSERS = ".,;:)`”’"


def written(text: str) -> Iterator[Span]:
    """Every value that stands where a program reads a secret."""
    for kind, mark, form in _forms():
        if mark in text:
            yield from (found for match in form.finditer(text) if (found := _value(kind, match)))


@cache
def _forms() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    parts = (line.split(" ", 2) for line in lists.entries("written"))
    return tuple((kind.rstrip(":"), mark, re.compile(form)) for kind, mark, form in parts)


def _value(kind: str, match: re.Match[str]) -> Span | None:
    group = match.lastindex or 0
    value = match[group].rstrip(_CLOSERS) if kind == "password" else match[group]
    is_open = not value or value[0] in _OPEN or is_placeholder(value) or is_example(value)
    return None if is_open else Span(kind, match.start(group), match.start(group) + len(value))
