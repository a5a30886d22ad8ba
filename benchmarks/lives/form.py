"""Reading a life from its file: what was said, what is labelled in it, and what is asked of it, each checked.

In: a ``.life`` file of four parts with ``%%`` between them: a head of ``key: value``, messages, labels, cues; a line
each, with `` | `` between its fields. Out: a ``Life``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import pairwise
from pathlib import Path

from benchmarks.values import Item
from reverie.errors import InvalidExport
from reverie.types import Role

FOLDER = Path(__file__).with_name("data")
ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "other": Role.PERSON, "device": Role.TOOL, "tool": Role.TOOL}
PARTS = ("train", "development", "test")
_FIELD = re.compile(r"(gold|older|trap|near)=(.*)")
_MEND = "benchmarks/lives/README.md shows the form."


class Category(StrEnum):
    """What a cue is about."""

    UPDATE = "update"
    RETRACTION = "retraction"
    TRAP = "trap"
    ORDER_EVERY = "order-every"
    ORDER_TOPIC = "order-topic"
    FACT = "fact"
    MULTI_HOP = "multi-hop"
    TIME = "time"
    SEVERAL = "several"
    UNANSWERABLE = "unanswerable"
    NOTHING = "nothing"


NEEDLESS = (Category.UNANSWERABLE, Category.NOTHING)


@dataclass(frozen=True, slots=True)
class Cue:
    """What is asked, or typed, at a moment.

    Attributes:
        prompt: typed to an agent as work to do, not asked as a question.
        needs: what is needed to answer or act rightly; each a set of messages of which any one will do.
        older: messages that would mislead: the stale value, what was called off.
        trap: the later message that only looks as if it had changed something.
        heard: how many messages were said before it.
    """

    id: str
    at: datetime
    prompt: bool
    category: Category
    text: str
    needs: tuple[frozenset[str], ...]
    older: frozenset[str]
    trap: frozenset[str]
    heard: int


@dataclass(frozen=True, slots=True)
class Change:
    """Two groups of messages of which the later replaces the earlier, takes it back, or only looks so (``trap``)."""

    kind: str
    older: frozenset[str]
    newer: frozenset[str]


@dataclass(frozen=True, slots=True)
class Order:
    """A message by which the person gives a standing order, ``every`` or ``topic``, or which looks like one."""

    id: str
    reach: str
    replaces: frozenset[str]


@dataclass(frozen=True, slots=True)
class Life:
    """One life: its name, its messages in order, its labels and its cues."""

    name: str
    language: str
    items: tuple[Item, ...]
    changes: tuple[Change, ...]
    orders: tuple[Order, ...]
    cues: tuple[Cue, ...]

    @property
    def hand(self) -> str:
        """Who wrote it."""
        return self.name.rpartition("-")[0]


def lives(part: str, folder: Path = FOLDER) -> Iterator[Life]:
    """The lives of a part, by name.

    Raises:
        InvalidExport: a file has not the form, or the part has none.
    """
    files = sorted((folder / part).glob("*.life"))
    if not files:
        raise InvalidExport(f"There are no lives of the part {part!r}.", f"Choose from {', '.join(PARTS)}.")
    for file in files:
        yield read(file)


def read(file: Path) -> Life:
    """One life. Raises InvalidExport with the line that is wrong."""
    parts = file.read_text(encoding="utf-8").split("\n%%\n")
    if len(parts) != 4:
        raise InvalidExport(f"{file.name} has {len(parts)} parts, not four.", _MEND)
    try:
        head = dict(line.split(": ", 1) for line in parts[0].strip().splitlines())
        items = tuple(_item(line) for line in _lines(parts[1]))
        _require_rising(items)
        known = {item.id for item in items}
        labels = [line.split(" | ") for line in _lines(parts[2])]
        changes = tuple(_change(fields, known) for fields in labels if fields[0] == "pair")
        orders = tuple(_order(fields, known) for fields in labels if fields[0] == "order")
        cues = tuple(_cue(line, items, known) for line in _lines(parts[3]))
        return Life(file.name.partition(".")[0], head["language"], items, changes, orders, cues)
    except (KeyError, ValueError, IndexError) as error:
        raise InvalidExport(f"{file.name} is not of the form: {error}.", _MEND) from None


def _require_rising(items: Sequence[Item]) -> None:
    if any(later.at <= earlier.at for earlier, later in pairwise(items)):
        raise ValueError("the messages are not in rising order of time")


def _lines(part: str) -> list[str]:
    return [line for line in part.strip("\n").split("\n") if line.strip()]


def _item(line: str) -> Item:
    name, time, session, role, speaker, text = line.split(" | ", 5)
    return Item(name, session, speaker, ROLES[role], _moment(time), text.replace("\\n", "\n"))


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _ids(text: str, known: set[str]) -> frozenset[str]:
    found = frozenset(one for one in re.split(r"[,+]", text) if one)
    if not found <= known:
        raise ValueError(f"no message {min(found - known)}")
    return found


def _change(fields: Sequence[str], known: set[str]) -> Change:
    named = _named(fields[2:4])
    return Change(fields[1], _ids(named["older"], known), _ids(named["newer"], known))


def _order(fields: Sequence[str], known: set[str]) -> Order:
    (given,) = _ids(fields[1], known)
    replaced = next((field.partition("=")[2] for field in fields[3:] if field.startswith("replaces=")), "")
    return Order(given, fields[2], _ids(replaced, known))


def _named(fields: Sequence[str]) -> Mapping[str, str]:
    return dict(field.split("=", 1) for field in fields)


def _cue(line: str, items: Sequence[Item], known: set[str]) -> Cue:
    fields = line.replace(" | | ", " |  | ", 1).split(" | ")  # a field that is left empty
    named: dict[str, str] = {}
    place = 4
    while place < len(fields) - 1 and (not fields[place].strip() or _FIELD.fullmatch(fields[place])):
        found = _FIELD.fullmatch(fields[place])
        named |= {found[1]: found[2]} if found else {}
        place += 1
    at = _moment(fields[1])
    return Cue(
        id=fields[0],
        at=at,
        prompt=fields[2] == "prompt",
        category=Category(fields[3]),
        text=" | ".join(fields[place:]).replace("\\n", "\n"),
        needs=tuple(_ids(need, known) for need in named.get("gold", "").split(",") if need),
        older=_ids(named.get("older", ""), known),
        trap=_ids(named.get("trap", ""), known),
        heard=sum(item.at < at for item in items),
    )
