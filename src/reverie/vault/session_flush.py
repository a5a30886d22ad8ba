"""Extract from a session's messages the few sentences worth an observation, and write them to the vault.

Kept are numbers that changed, patterns, decisions and failures; routine searches, status checks, questions and what did
not change are not, nor is what the agent's vault or archive already holds. The patterns are in data/flush.*. Secrets
are masked first, and sentences with instructions for a model are not written. The tags are a sentence's topics, then
its kind.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from reverie.language.names.entities import entities
from reverie.language.text.analyzer import keywords
from reverie.language.text.letters import compose, languages_of, plain, turkish_evidence
from reverie.language.text.patterns import is_question, sentences
from reverie.screen.pipeline import screen
from reverie.screen.values import ScreenSettings
from reverie.types import Message, Role
from reverie.vault.contents import gather
from reverie.vault.search import terms
from reverie.vault.vault import CLASSES, ObservationDraft, Vault

ROUTINE = "routine"
_STAYS = {
    "failure": CLASSES["operational"],
    "decision": CLASSES["strategic"],
    "changed": CLASSES["operational"],
    "pattern": CLASSES["strategic"],
}
"""Maximum age in days of each kind."""
_MARK = re.compile(r"\A\s*(?:[-*•>#]+|\(?\d{1,2}[.)])\s+")
"""The marker before an item of a list."""
_TOPICS = 4
"""Most topic tags of an observation."""
_LONGEST = 600
"""Most characters of a sentence."""
_PARTS = {
    "<past>": r"(?:[dt][iu]|m[iu]s)(?:[mkn]|n[iu]z|l[ae]r|t[iu]r|[iu]m|[iu]z)?\b",
    "<now>": r"[iu]?yor(?:um|sun|uz|lar|du|mus)?\b",
    "<will>": r"(?:acak|ecek|acag|eceg)(?:[iu]m|[iu]z|l[ae]r|t[iu]r)?\b",
    "<num>": r"(?:[^\w\s]?\d[\d.,]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty"
    r"|fifty|hundred|thousand|million|bir|iki|uc|dort|bes|alti|yedi|sekiz|dokuz|on|yirmi|otuz|elli|yuz|bin|milyon)\b)",
}
"""Expansions of the patterns' names in brackets: endings of Turkish verbs without diacritics, and numbers."""
_PART = re.compile("|".join(_PARTS))
_DATA = Path(__file__).with_name("data")


@dataclass(frozen=True, slots=True)
class Learned:
    """A sentence worth keeping, and its kind: changed, pattern, decision or failure."""

    text: str
    kind: str


def learned(messages: Iterable[Message]) -> Iterator[Learned]:
    """Yield a session's sentences worth keeping, each once, in order; tool and system messages are skipped."""
    said: set[tuple[str, ...]] = set()
    for message in messages:
        if message.role in (Role.TOOL, Role.SYSTEM):
            continue
        for sentence in sentences(message.text):
            kind = kind_of(sentence)
            words = tuple(terms(sentence))
            if kind is not None and words not in said:
                said.add(words)
                yield Learned(" ".join(sentence.split()), kind)


def kind_of(sentence: str) -> str | None:
    """Return the kind of a sentence; None if it is not worth keeping."""
    if len(sentence) > _LONGEST or is_question(sentence):
        return None
    words = _MARK.sub("", plain(compose(sentence)))
    languages = languages_of(sentence)
    found = [kind for language in languages for kind, pattern in _patterns(language) if pattern.search(words)]
    kinds = [kind for kind in found if kind in _STAYS and f"-{kind}" not in found]
    return None if not kinds or ROUTINE in found else kinds[0]


def topics(text: str, used: Collection[str] = ()) -> tuple[str, ...]:
    """Return at most four words of a sentence as tags for its topics, in lower case.

    Words that are tags already (``used``, in lower case) come first, so that a topic keeps its tag; then names, then
    the other content words in order. The last word of a Turkish sentence is its verb, so it is left out.
    """
    content = keywords(text)
    if turkish_evidence(text) > 0 and len(content) > 1:
        content = content[:-1]
    named = dict.fromkeys(word.casefold() for word in (*entities(text), *content))
    return tuple(sorted(named, key=lambda word: word not in used)[:_TOPICS])


def flush(vault: Vault, agent: str, messages: Iterable[Message], today: date, *, dry_run: bool) -> list[Learned]:
    """Write what a session taught an agent, unless the vault holds it already; return what was written. Raises
    StoreError.
    """
    held = gather(vault.places, [agent])
    known = {tuple(terms(one.body)) for one in (*held.active, *held.archived)}
    used = {tag.casefold() for one in held.active for tag in one.tags} - _STAYS.keys()
    kept: list[Learned] = []
    for one in learned(messages):
        screened = screen(one.text, ScreenSettings())
        words = tuple(terms(screened.text))
        if screened.quarantine or words in known:
            continue
        known.add(words)
        kept.append(Learned(screened.text, one.kind))
        if not dry_run:
            tags = (*topics(screened.text, used), one.kind)
            vault.new(agent, ObservationDraft(screened.text, tuple(dict.fromkeys(tags)), _STAYS[one.kind]), today)
    return kept


@cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the patterns of a language in the order of the file."""
    lines = (_DATA / f"flush.{language}.txt").read_text("utf-8").splitlines()
    entries = (line.partition(": ") for line in lines if line and not line.startswith("# "))
    return tuple((kind, re.compile(_PART.sub(lambda found: _PARTS[found[0]], said))) for kind, _, said in entries)
