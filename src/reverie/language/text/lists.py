"""Word lists: from ``NAME.txt`` of this room's ``data``, or of another room's folder, to tuples, sets and mappings.

A file holds one entry a line; lines that begin with ``# `` are its header. Lists that are read together stand in one
file, each below its name: ``GROUP/NAME.en`` is what stands below ``== NAME`` in ``GROUP.en.txt``. All is read once.
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
    """The entries of a list, in the order of the file."""
    group, _, section = name.rpartition("/")
    section, _, language = section.partition(".") if group else ("", "", "")
    return sections(folder / f"{f'{group}.{language}' if group else name}.txt")[section]


@cache
def sections(path: Path) -> Mapping[str, tuple[str, ...]]:
    """The lists of a file by their names; one without a name is ""."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in read(path):
        if line.startswith(_NAMED):
            name = line.removeprefix(_NAMED)
        else:
            found.setdefault(name, []).append(line)
    return MappingProxyType({name: tuple(entries) for name, entries in found.items()})


def read(path: Path) -> tuple[str, ...]:
    """The entries of a file, in its order."""
    lines = path.read_text("utf-8").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("# "))


@cache
def words(name: str, folder: Path = DATA) -> frozenset[str]:
    """The entries of a list as a set."""
    return frozenset(entries(name, folder))


def has_ending(word: str, name: str) -> bool:
    """Whether a word ends with an entry of a list."""
    return word.endswith(by_last(name).get(word[-1:], ()))


@cache
def by_last(name: str) -> Mapping[str, tuple[str, ...]]:
    """The entries of a list by their last letter: few are left to compare a word's end with."""
    found: dict[str, tuple[str, ...]] = {}
    for entry in entries(name):
        found[entry[-1]] = (*found.get(entry[-1], ()), entry)
    return MappingProxyType(found)


@cache
def table(name: str, folder: Path = DATA) -> Mapping[str, tuple[str, ...]]:
    """A list whose lines read ``key: entry, entry``."""
    lines = (line.rpartition(": ") for line in entries(name, folder))
    return MappingProxyType({key: tuple(values.split(", ")) for key, _, values in lines})


@cache
def alternatives(name: str) -> str:
    """The entries of a list as alternatives of a regular expression, a blank standing for any white space."""
    import re

    return "|".join(re.escape(entry).replace(r"\ ", r"\s+") for entry in sorted(entries(name), key=len, reverse=True))
