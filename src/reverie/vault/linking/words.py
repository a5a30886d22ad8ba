"""Words between a file and a memory: in, a body or a memory; out, the text, mark or file of the other side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from reverie.types import RECALLED_STATES, Kind, Memory
from reverie.vault.front import Front, quoted, read
from reverie.vault.linking.ties import Fields
from reverie.vault.observation import PERMANENT, Observation

DIGITS = 4
"""Places of an importance in a file."""
CONFLICT = "conflict"
"""The tag of a file that says what the engine said when both sides had changed."""
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")
_ADDRESS = "entity://"
_TAGS = 8
_KINDS = {kind.value: kind for kind in Kind if kind is not Kind.EPISODE}


def words(body: str) -> str:
    """The words of a file, as a memory says them."""
    return body.replace("\r\n", "\n").strip()


def mark(text: str) -> str:
    """By what words are known again."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def kind_in(tags: Sequence[str]) -> Kind | None:
    """The kind a file's tags name, if one does."""
    return next((_KINDS[tag] for tag in tags if tag in _KINDS), None)


def holds(memory: Memory, now: datetime) -> bool:
    """Whether a memory is one that is recalled."""
    return memory.standing.state in RECALLED_STATES and memory.holds_at(now)


def of_file(one: Observation) -> Fields:
    """What a file says beside its words."""
    return Fields(one.importance, one.verified, one.tags, one.backlinks)


def of_memory(memory: Memory) -> Fields:
    """What a memory says beside its words; the addresses of its entities are no tags."""
    standing = memory.standing
    tags = tuple(tag for tag in standing.tags if not tag.startswith(_ADDRESS))
    return Fields(standing.importance, standing.verified, tags)


def file_of(memory: Memory, start: float, tags: Sequence[str] = ()) -> str:
    """The file of a memory that the engine formed.

    It starts no higher than any other, and stays until the engine lets it go: two laws of forgetting on one thing
    would forget it twice as fast.
    """
    shown = dict.fromkeys((*tags, memory.kind.value, *of_memory(memory).tags))
    cleaned = [tag for tag in (_line(tag) for tag in list(shown)[:_TAGS]) if tag]
    lines = [
        "---",
        f"tags: [{', '.join(map(quoted, dict.fromkeys(cleaned)))}]",
        f"importance: {round(min(memory.standing.importance, start), DIGITS)!r}",
        f"created: {memory.at.date().isoformat()}",
        f"max_age: {PERMANENT}",
        f"source: {quoted(memory.scope.agent)}",
        "refs: 0",
        "ref_by: []",
        "backlinks: []",
        f"verified: {str(memory.standing.verified).lower()}",
        "---",
        shown_text(memory.text),
        "",
    ]
    return "\n".join(lines)


def shown_text(text: str) -> str:
    """A memory's words as a file may have them: without signs that no editor shows."""
    return _UNSEEN.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def reworded(front: Front, text: str) -> Front:
    """The file with these words, in its own line ends; the blanks around the body stay."""
    body = front.text[front.body :]
    bare = body.strip()
    place = body.index(bare) if bare else 0
    said = shown_text(text)
    if "\r\n" in front.text:
        said = said.replace("\n", "\r\n")
    lead = body[:place]
    if not front.text[: front.body].endswith("\n") and not lead:
        lead = "\n"
    rest = body[place + len(bare) :] if bare else _end(front.text)
    return read(f"{front.text[: front.body]}{lead}{said}{rest}")


def _end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line(tag: str) -> str:
    return _UNSEEN.sub("", tag.replace("\n", " ")).strip()
