"""LoCoMo: long chats of two people over months. One store a conversation, the turn is the unit.

In: the original records (``qa``, ``conversation``). What a shared image shows was said too, so its caption is part of
the text. Adversarial questions cannot be answered; their evidence is the trap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.files import Record, of_kind, records
from benchmarks.values import BenchmarkSet, Haystack, Item, Notes, Question
from reverie.types import Role

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
SESSION = re.compile(r"session_(\d+)")
TURN_ID = re.compile(r"D:?(\d+):(\d+)")


def load(paths: Sequence[Path], notes: Notes) -> Iterator[Haystack]:
    """One haystack a conversation."""
    for path in of_kind(paths, "locomo"):
        for number, record in enumerate(records(path)):
            yield conversation(record, str(record.get("sample_id", f"{path.name}-{number}")), notes)


def conversation(record: Record, name: str, notes: Notes) -> Haystack:
    """The turns in order of session, and the questions asked when the last one was over."""
    items = tuple(_turns(record["conversation"]))
    asked_at = max(item.at for item in items)
    known = {item.id for item in items}
    questions = tuple(
        Question(
            id=f"{name}/{number}",
            text=qa["question"],
            category=CATEGORIES[qa["category"]],
            gold=evidence(qa.get("evidence") or [], known, notes),
            asked_at=asked_at,
            answerable=CATEGORIES[qa["category"]] != "adversarial",
        )
        for number, qa in _asked(record["qa"], notes)
    )
    return Haystack(name, "en", items, questions)


def _asked(raw: Sequence[Record], notes: Notes) -> Iterator[tuple[int, Record]]:
    """The questions with their numbers; those of a category that the set does not know are left out and counted."""
    for number, qa in enumerate(raw):
        if qa.get("category") in CATEGORIES:
            yield number, qa
        else:
            notes["questions of no known category (left out)"] += 1


def _turns(said: Record) -> Iterator[Item]:
    numbers = sorted(int(match[1]) for key in said if (match := SESSION.fullmatch(key)))
    for number in numbers:
        if not said[f"session_{number}"]:
            continue  # nothing was said, so it needs no date
        at = session_time(said[f"session_{number}_date_time"])
        for turn in said[f"session_{number}"]:
            yield Item(
                id=turn["dia_id"],
                session=f"session-{number}",
                speaker=turn["speaker"],
                role=Role.PERSON,
                at=at,
                text=spoken(turn),
            )


def spoken(turn: Record) -> str:
    """What a turn conveys: its words and what the image shows."""
    text, caption = str(turn.get("text") or ""), turn.get("blip_caption")
    return f"{text} [shares image: {caption}]".strip() if caption else text


def session_time(text: str) -> datetime:
    """``1:56 pm on 8 May, 2023``; the set names no time zone, so UTC."""
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def evidence(raw: Sequence[str], known: set[str], notes: Notes) -> tuple[str, ...]:
    """The turns that evidence names, each once: glued ids are split, slips mended, ids of no turn dropped."""
    gold: dict[str, None] = {}
    for text in raw:
        found = [f"D{int(session)}:{int(turn)}" for session, turn in TURN_ID.findall(text)]
        if found != [text]:
            notes["evidence entries that were glued or misspelt"] += 1
        for turn in found:
            if turn in known:
                gold[turn] = None
            else:
                notes["evidence ids that name no turn (dropped)"] += 1
    return tuple(gold)


SET = BenchmarkSet("locomo", unit="turn", sessions=True, unanswerable=True, load=load)
