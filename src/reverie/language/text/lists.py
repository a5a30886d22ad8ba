"""Read word lists from ``NAME.txt`` in the folder ``data`` or another one, once each, as tuples, sets and mappings.

A file has one entry per line; lines that begin with ``# `` are its header. Lists that are used together share one
file, each below its name: ``GROUP/NAME.en`` is what follows ``== NAME`` in ``GROUP.en.txt``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

DATA = Path(__file__).parents[1] / "data"
_NAMED = "== "


@cache
def entries(name: str, folder: Path = DATA) -> tuple[str, ...]:
    """Return the entries of a list, in file order."""
    group, _, section = name.rpartition("/")
    section, _, language = section.partition(".") if group else ("", "", "")
    return sections(folder / f"{f'{group}.{language}' if group else name}.txt")[section]


@cache
def sections(path: Path) -> Mapping[str, tuple[str, ...]]:
    """Return the lists of a file by name; one without a name is ""."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in read(path):
        if line.startswith(_NAMED):
            name = line.removeprefix(_NAMED)
        else:
            found.setdefault(name, []).append(line)
    return MappingProxyType({name: tuple(entries) for name, entries in found.items()})


def read(path: Path) -> tuple[str, ...]:
    """Return the entries of a file, in order."""
    lines = path.read_text("utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("# "))


@cache
def words(name: str, folder: Path = DATA) -> frozenset[str]:
    """Return the entries of a list as a set."""
    return frozenset(entries(name, folder))


def has_ending(word: str, name: str) -> bool:
    """Whether a word ends with an entry of a list."""
    return word.endswith(by_last(name).get(word[-1:], ()))


@cache
def by_last(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the entries of a list by last letter, so that few must be compared."""
    found: dict[str, tuple[str, ...]] = {}
    for entry in entries(name):
        found[entry[-1]] = (*found.get(entry[-1], ()), entry)
    return MappingProxyType(found)


@cache
def table(name: str, folder: Path = DATA) -> Mapping[str, tuple[str, ...]]:
    """Return a list of lines ``key: entry, entry`` as a mapping."""
    lines = (line.rpartition(": ") for line in entries(name, folder))
    return MappingProxyType({key: tuple(values.split(", ")) for key, _, values in lines})


@cache
def alternatives(name: str) -> str:
    """Return the entries of a list as alternatives of a regular expression; a blank matches any white space."""
    import re

    return "|".join(re.escape(entry).replace(r"\ ", r"\s+") for entry in sorted(entries(name), key=len, reverse=True))
