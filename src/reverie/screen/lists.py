"""Read the word lists of the screen from ``data/NAME.txt``, each once on first use.

A file has one entry per line; lines that begin with ``# `` are its header.
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
    """Return the entries of a list, in file order."""
    return read(_DATA / f"{name}.txt")


@cache
def words(name: str) -> frozenset[str]:
    """Return the entries of a list, folded, as a set."""
    return frozenset(map(plain, entries(name)))


@cache
def table(name: str) -> Mapping[str, str]:
    """Return a list of lines ``key: value`` as a mapping, in file order."""
    return MappingProxyType(dict(line.split(": ", 1) for line in entries(name)))
