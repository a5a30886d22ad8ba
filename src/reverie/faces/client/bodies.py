"""What the bodies of requests hold: in, the engine's own values; out, what JSON takes."""

from __future__ import annotations

import base64
from datetime import datetime
from typing import Any

from reverie.encode.notes import Note
from reverie.engine.requests import Question
from reverie.types import Message, TimeWindow
from reverie.wire.shapes import time


def message(said: Message) -> dict[str, Any]:
    """A message, every field of it."""
    return {
        **words(said.text),
        "speaker": said.speaker,
        "role": None if said.role is None else str(said.role),
        "session": said.session,
        "at": time(said.at),
        "message_id": said.message_id,
        "seq": said.seq,
    }


def note(one: Note) -> dict[str, Any]:
    """A note, every field of it."""
    return {
        **words(one.text),
        "kind": None if one.kind is None else str(one.kind),
        "at": time(one.at),
        "importance": one.importance,
        "tags": list(one.tags),
        "verified": one.verified,
        "writer": one.writer or None,
        "shared": one.shared,
    }


def words(text: object) -> dict[str, object]:
    """A text, and beside it its exact form where JSON cannot carry it. What is no text, the server refuses."""
    if not isinstance(text, str) or not any("\ud800" <= letter <= "\udfff" for letter in text):
        return {"text": text}
    return {"text": text, "text_base64": base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")}


def cue(
    cue: str | Question, top_k: int | None, budget_tokens: int | None, now: datetime | None, window: TimeWindow | None
) -> dict[str, Any]:
    """A cue, what it is asked amid, and the limits of its answer."""
    asked = cue if isinstance(cue, Question) else Question(cue)
    return {
        "cue": asked.text,
        "session": asked.session,
        "mood": asked.mood,
        "domain": asked.domain,
        "as_of": time(asked.as_of),
        "past": asked.past,
        "automatic": asked.automatic,
        "top_k": top_k,
        "budget_tokens": budget_tokens,
        "now": time(now),
        "window": None if window is None else {"start": time(window.start), "end": time(window.end)},
    }
