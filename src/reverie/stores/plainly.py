"""A message as the journal holds it, written straight: the bytes that ``codec`` writes of plain values, in a fifth.

In: what was remembered. Out: its canonical JSON; None where it is not one message with a memory of its own words at the
beginning of its life, as nearly all are.
"""

from __future__ import annotations

from collections.abc import Iterable
from json.encoder import encode_basestring as quoted

from reverie.events import Remembered
from reverie.stores.plain import moment
from reverie.types import BEGINNING, Episode, Memory

__all__ = ["one_message", "quoted"]


def one_message(payload: Remembered) -> str | None:
    """The payload's canonical JSON, if it is as plain as that."""
    episode = payload.episode
    if len(payload.memories) != 1 or not _is_new(memory := payload.memories[0]) or not _shares(memory, episode):
        return None
    known = "" if episode.message_id is None else f'"message_id":{quoted(episode.message_id)},'
    return (
        f'{{"episode":{{"at":"{moment(episode.at)}","id":{quoted(episode.id)},{known}"role":"{episode.role.value}",'
        f'"seq":{episode.seq},"session":{quoted(episode.session)},"speaker":{quoted(episode.speaker)},'
        f'"text":{quoted(episode.text)}}},"memories":[{{{_listed("entities", memory.entities)}'
        f'"id":{quoted(memory.id)},{_listed("keywords", memory.keywords)}"kind":"{memory.kind.value}",'
        f'"recorded_at":"{moment(memory.recorded_at)}"{_last("sources", memory.sources)}}}]}}'
    )


def _is_new(memory: Memory) -> bool:
    return memory.standing is BEGINNING and not (memory.accesses or memory.valid_until or memory.last_access)


def _shares(memory: Memory, episode: Episode) -> bool:
    """Whether the memory has all that a journal does not tell twice from its episode."""
    return (
        memory.text == episode.text
        and memory.at == episode.at
        and memory.session == episode.session
        and memory.seq == episode.seq
        and type(episode.seq) is int
        and memory.speaker == episode.speaker
        and memory.role == episode.role
    )


def _listed(name: str, values: Iterable[str]) -> str:
    return f'"{name}":[{",".join(map(quoted, values))}],' if values else ""


def _last(name: str, values: Iterable[str]) -> str:
    return f',"{name}":[{",".join(map(quoted, values))}]' if values else ""
