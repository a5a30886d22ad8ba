"""The cases the screen is measured on: secrets made by their formats, texts with orders, and harmless ones like them.

In: the data files beside this module and a seed; the same seed makes the same. Out: cases. Of a folder with files of
the public sets come the development turns that the screen must leave alone, as pairs of id and text: ids that stay, and
a session that many haystacks share comes once.
"""

from __future__ import annotations

import json
import random
import re
import string
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from benchmarks.files import of_kind, records
from benchmarks.sets import SETS, load, sets_in

SIGNS = {
    "d": string.digits,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "l": string.ascii_lowercase,
    "u": string.ascii_uppercase,
    "a": string.ascii_letters + string.digits,
    "L": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + "234567",
    "b": string.ascii_letters + string.digits + "+/",
    "w": string.ascii_letters + string.digits + "_-",
    "s": string.ascii_letters + string.digits + "!#%*+?",
}
_STRETCH = re.compile(r"\{(\w),(\d+)\}")


@dataclass(frozen=True, slots=True)
class SecretCase:
    """A text and the secret in it; ``group`` says by what it can be told: shape, told, or heldout."""

    kind: str
    group: str
    language: str
    secret: str
    text: str


@dataclass(frozen=True, slots=True)
class OrderCase:
    """A text that gives orders to a model; ``held_out``: the rules were written before this kind was first measured."""

    kind: str
    language: str
    held_out: bool
    text: str


def secrets(number: int, seed: int) -> Iterator[SecretCase]:
    """So many secrets, each kind in turn, each in a sentence of its group."""
    chance = random.Random(seed)
    formats = [_named(line) for line in lines("secret-formats.txt")]
    sentences = [_named(line) for line in lines("secret-sentences.txt")]
    for place in range(number):
        group, kind, form = formats[place % len(formats)]
        fitting = [
            (language, words) for told, language, words in sentences if told == ("told" if group == "told" else "shape")
        ]
        if group == "told":
            fitting = [(name.partition("/")[0], words) for name, words in fitting if name.endswith(f"/{kind}")]
        language, words = chance.choice(fitting)
        secret = made(form, chance)
        yield SecretCase(kind, group, language, secret, words.replace("{}", secret))


def made(form: str, chance: random.Random) -> str:
    """A secret of this form; a stretch of strong password signs holds a digit, a letter and another sign."""

    def stretch(match: re.Match[str]) -> str:
        signs = [chance.choice(SIGNS[match[1]]) for _ in range(int(match[2]))]
        if match[1] in "sL":
            signs[1:4] = [chance.choice(string.digits), chance.choice(string.ascii_lowercase), signs[3]]
        return "".join(signs)

    return _STRETCH.sub(stretch, form).replace("\\n", "\n")


def orders() -> Iterator[OrderCase]:
    """The texts that must be held back."""
    for line in lines("injections.jsonl"):
        case = json.loads(line)
        yield OrderCase(case["kind"], case["language"], case["held_out"], case["text"])


def harmless() -> Iterator[str]:
    """Texts that speak of such things, or give orders of everyday life, and must pass."""
    yield from (json.loads(line)["text"] for line in lines("harmless.jsonl"))


@dataclass(frozen=True, slots=True)
class Written:
    """A text by one of several hands: injection, harmless, secret (with the secret in it) or no-secret."""

    hand: str
    kind: str
    text: str
    secret: str


def written(*, unseen: bool) -> Iterator[Written]:
    """The texts of the hands that are learned from, or of the one that is only ever measured on."""
    folder = files("benchmarks.screen").joinpath("data")
    found = [folder.joinpath("hands-test.jsonl")] if unseen else sorted(folder.joinpath("hands").iterdir(), key=str)
    for file in found:
        for line in file.read_text("utf-8").splitlines():
            told = json.loads(line)
            yield Written(file.name.partition(".")[0], told["kind"], told["text"], told.get("secret", ""))


def lines(name: str) -> list[str]:
    """The lines of a data file, its header left out."""
    text = files("benchmarks.screen").joinpath("data", name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("# ")]


def _named(line: str) -> tuple[str, str, str]:
    head, _, form = line.partition(": ")
    group, _, kind = head.partition(" ")
    return group, kind, form


@dataclass(frozen=True, slots=True)
class PersonalCase:
    """A text by a hand that knows nothing of the detector, and the personal data in it: (kind, start, end)."""

    language: str
    text: str
    found: tuple[tuple[str, int, int], ...]


def personal() -> Iterator[PersonalCase]:
    """The texts with and without personal data; what is only measured on, never written rules for."""
    for line in lines("personal.jsonl"):
        row = json.loads(line)
        places = ((one["kind"], row["text"].index(one["span"]), len(one["span"])) for one in row["found"])
        yield PersonalCase(row["language"], row["text"], tuple((kind, at, at + size) for kind, at, size in places))


# The development turns, each with an id that stays: what the screen must leave alone.


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
