"""The development turns, each with an id that stays: what the screen must leave alone.

In: a folder with files of the public sets. Out: pairs of id and text; a session many haystacks share comes once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.commands import sets_in
from benchmarks.files import of_kind, records
from benchmarks.screen.cases import lines
from benchmarks.sets import SETS, load


def turns(folder: Path) -> Iterator[tuple[str, str]]:
    """Every turn of every set found in the folder."""
    for name, paths in sets_in(folder).items():
        if name == "longmemeval":
            for path in of_kind(paths, "longmemeval-sessions"):
                for record in records(path):
                    for place, turn in enumerate(record["turns"]):
                        yield f"{name}/{record['key']}/{place}", turn["content"]
        else:
            for haystack in load(SETS[name], paths, Counter()):
                for item in haystack.items:
                    yield f"{name}/{haystack.name}/{item.id}", item.text


def judged() -> dict[str, str]:
    """What a person found on looking at each touched turn: "right" or "wrong", by id."""
    return dict(line.split(" ")[:2] for line in lines("judged.txt"))
