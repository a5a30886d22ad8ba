"""``python -m benchmarks reminders``: intentions formed from what people say, and handed over when a topic comes up.

In: labelled messages that were written without knowledge of the code, and the turns of public sets as unrelated
messages. Out: a table, each share with its 95 % bootstrap interval over messages.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.screen.cases import turns
from benchmarks.statistics import intervals, resample
from reverie import FixedClock, Message, Reverie, Scope, Trigger

DATA = Path(__file__).parent / "data" / "reminders.jsonl"
SCOPE = Scope(agent="benchmark", user="reader", project="reminders")
UNRELATED = 10_000
LANGUAGES = ("en", "tr")
_NEAR = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Case:
    """A labelled message: whether it asks to be reminded, when or of what, and later messages that bring that up."""

    language: str
    said_at: datetime
    text: str
    asks: bool
    kind: str
    first: datetime | None
    mentions: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case: whether something was formed, its trigger right, and which later messages it fired at."""

    case: Case
    formed: bool
    right: bool
    fired: tuple[bool, ...]
    misfired: tuple[bool, ...]
    words: tuple[str, ...]


def options(command: argparse.ArgumentParser) -> None:
    """The options of the command."""
    command.add_argument("--data", type=Path, metavar="DIR", help="a folder with files of the public sets")
    command.add_argument("--list", action="store_true", help="name every message that was misunderstood")
    command.add_argument("--seed", type=int, default=0, help="of the bootstrap")


def cases() -> list[Case]:
    """The labelled messages."""
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    return [
        Case(
            row["language"],
            datetime.fromisoformat(row["said_at"]),
            row["text"],
            row["asks"],
            row["kind"],
            datetime.fromisoformat(row["first"]) if row["first"] else None,
            tuple(row["mentions"]),
            tuple(row["others"]),
        )
        for row in rows
    ]


def outcome(case: Case) -> Outcome:
    """Say the message to an engine, and the later ones after it, each to the intention as it was formed."""
    clock = FixedClock(case.said_at)
    with Reverie.open(":memory:", embedder=None, clock=clock, reminders="UTC") as memory:
        memory.observe(Message(case.text, at=case.said_at), SCOPE)
        found = memory.admin.intentions(SCOPE)
        if not found:
            return Outcome(case, False, False, (), (), ())
        one = found[0]
        moment = one.next_at
        right = moment is None if case.first is None else moment is not None and abs(moment - case.first) <= _NEAR
        fired, misfired = (tuple(_fires(memory, text) for text in texts) for texts in (case.mentions, case.others))
        return Outcome(
            case, True, right and bool(one.trigger.rule) == (case.kind == "every"), fired, misfired, one.trigger.words
        )


def _fires(memory: Reverie, text: str) -> bool:
    """Whether a message brings the intention up; it is put back afterwards."""
    before = memory.admin.head()
    given = memory.admin.hand_over(SCOPE, cue=text)
    for event in range(memory.admin.head(), before, -1):
        memory.undo(SCOPE, event=event)
    return bool(given)


def run(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Print the table."""
    del given  # the table depends on no folder's name
    outcomes = [outcome(case) for case in cases()]
    for language in LANGUAGES:
        own = [one for one in outcomes if one.case.language == language]
        _forming(language, own, options.seed)
        _firing(language, own, options.seed)
    if options.list:
        _list(outcomes)
    if options.data is None or not options.data.is_dir():
        print(f"SKIPPED: {UNRELATED:,} unrelated messages; give --data, a folder with files of the public sets")
        return
    words = tuple(dict.fromkeys(one.words for one in outcomes if one.words and one.case.kind == "topic"))
    _unrelated(words, [text for _, text in islice(_spread(options.data), UNRELATED)], options.seed)


def _forming(language: str, own: Sequence[Outcome], seed: int) -> None:
    asked = [one for one in own if one.case.asks]
    formed = [one for one in own if one.formed]
    _share(f"{language}: requests that form an intention (recall)", [one.formed for one in asked], seed)
    _share(f"{language}: intentions that were asked for (precision)", [one.case.asks for one in formed], seed)
    for kind in ("at", "every", "topic"):
        _share(f"{language}: right trigger, {kind}", [one.right for one in asked if one.case.kind == kind], seed)


def _firing(language: str, own: Sequence[Outcome], seed: int) -> None:
    topics = [one for one in own if one.case.asks and one.case.kind == "topic"]
    fired = [hit for one in topics for hit in (one.fired or (False,) * len(one.case.mentions))]
    misfired = [hit for one in topics for hit in one.misfired]
    _share(f"{language}: mentions that bring it up (recall)", fired, seed)
    _share(
        f"{language}: of what brought it up, mentions (precision)", [True] * sum(fired) + [False] * sum(misfired), seed
    )


def _spread(folder: Path) -> Iterator[tuple[str, str]]:
    """Every fifth turn of the sets, so that all conversations take part."""
    return islice(turns(folder), 0, None, 5)


def _unrelated(topics: Sequence[tuple[str, ...]], texts: Sequence[str], seed: int) -> None:
    """How many unrelated messages bring anything up, with all the topics waiting at once, and with one of them."""
    with Reverie.open(":memory:", embedder=None) as memory:
        for words in topics:
            memory.admin.intend(" ".join(words), Trigger(words=words), SCOPE)
        fired = []
        for text in texts:
            found = memory.admin.hand_over(SCOPE, cue=text)
            fired.append(len(found))
            for one, _ in found:
                memory.admin.settle(one.id, SCOPE, "cancelled")
                memory.admin.intend(one.text, Trigger(words=tuple(one.text.split())), SCOPE)
    _share(f"unrelated messages that one intention fires at, of {len(topics)}", [n / len(topics) for n in fired], seed)
    _share(f"unrelated messages at which any of {len(topics)} fires", [n > 0 for n in fired], seed)


def _share(name: str, values: Sequence[float], seed: int) -> None:
    if not values:
        print(f"{name}: none")
        return
    found = intervals(np.array(values, float)[:, np.newaxis], resample(len(values), seed))
    mean, low, high = (float(one[0]) for one in (found.mean, found.low, found.high))
    print(f"{name}: {mean:.2%} of {len(values)} ({low:.2%} to {high:.2%})")


def _list(outcomes: Sequence[Outcome]) -> None:
    for one in outcomes:
        wrong = one.formed != one.case.asks or (one.case.asks and not one.right)
        if wrong or not all(one.fired) or any(one.misfired):
            print(
                f"  {one.case.language} {one.case.kind or '-'} formed={one.formed} right={one.right} {one.case.text!r}"
            )
