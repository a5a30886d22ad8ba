"""The lists of this room: from ``data/NAME.txt`` to tuples and mappings, each read once and not before it is needed.

A file holds one entry a line; lines that begin with ``# `` are its header.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from reverie.language.text.letters import plain
from reverie.language.text.lists import read

_DATA = Path(__file__).with_name("data")


@cache
def entries(name: str) -> tuple[str, ...]:
    """The entries of a list, in the order of the file."""
    return read(_DATA / f"{name}.txt")


@cache
def words(name: str) -> frozenset[str]:
    """The entries of a list in lower case without diacritics, as a set."""
    return frozenset(map(plain, entries(name)))


@cache
def table(name: str) -> Mapping[str, str]:
    """A list whose lines read ``key: value``; in file order."""
    return MappingProxyType(dict(line.split(": ", 1) for line in entries(name)))
