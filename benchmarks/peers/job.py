"""What passes between the benchmark and a peer's process: plain values, one line of JSON each way.

In: everything said, the questions, and where embeddings are to be had. Out: what was found for each question, and the
versions it was found with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Said:
    """One thing to remember: ``role`` is "user" or "assistant", ``at`` an ISO moment."""

    id: str
    session: str
    speaker: str
    role: str
    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Job:
    """A store to build and to ask.

    ``folder`` is the peer's alone and goes afterwards; ``endpoint`` is the base address of an embedding service that
    speaks OpenAI's interface, ``model`` and ``dims`` what it serves; ``depth`` is how many places are looked at.
    """

    peer: str
    folder: str
    endpoint: str
    model: str
    dims: int
    depth: int
    said: tuple[Said, ...]
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """One place in a peer's ranking: the ids of what was said that it stands for, and the text that comes back."""

    ids: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A ranking a question, and the releases of the packages that made it."""

    rankings: tuple[tuple[Found, ...], ...]
    versions: Mapping[str, str]


class Peer(Protocol):
    """A memory system: told everything once, then asked."""

    def tell(self, said: Sequence[Said]) -> None:
        """Remember each, in the order it was said."""
        ...

    def ask(self, question: str, depth: int) -> list[Found]:
        """What it recalls, best first; at most ``depth`` places."""
        ...


def to_line(value: Job | Answer) -> str:
    """One line of JSON. Escaped, because a text may hold lone surrogates."""
    return json.dumps(asdict(value))


def job_from(line: str) -> Job:
    """What ``to_line`` made of a job."""
    raw = json.loads(line)
    said = tuple(Said(**one) for one in raw.pop("said"))
    return Job(**{**raw, "said": said, "questions": tuple(raw["questions"])})


def answer_from(line: str) -> Answer:
    """What ``to_line`` made of an answer."""
    raw = json.loads(line)
    rankings = tuple(
        tuple(Found(tuple(place["ids"]), place["text"]) for place in ranking) for ranking in raw["rankings"]
    )
    return Answer(rankings, raw["versions"])
