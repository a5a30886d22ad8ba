"""Hypothetical documents: what a memory that answers the question could say, from templates and without any model.

In: a question. Out: two or three texts to embed beside it; the centroid of all of them is searched for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from reverie.language import lists
from reverie.language.analyzer import content
from reverie.language.detect import detect_language
from reverie.recall.quest import Quest
from reverie.recipes.v9.intents import HydeIntent, hyde_intent
from reverie.recipes.v9.wordlists import WORDS

TOPIC_MAX = 500
"""Characters of the question that go into a document."""

_TOKEN = "{topic}"
_TASTE = re.compile(r"\A(?:like|love|enjoy|prefer|hate|dislike|favou?rite)(?:\s+|\Z)", re.IGNORECASE)
"""What the English templates of a taste say themselves: "like to drink" is asked as "to drink"."""
_ANYTHING = "this"
"""What is liked where a question names nothing."""


@dataclass(frozen=True, slots=True)
class Hyde:
    """Adds two or three hypothetical answers, made from templates by intent (D10)."""

    name: str = "expand"

    def __call__(self, quest: Quest) -> Quest:
        """The quest with its variants."""
        made = variants(quest.queries[0])
        return replace(quest, queries=(*quest.queries, *made)).noted(f"{len(made)} variants")


def variants(text: str) -> tuple[str, ...]:
    """Two or three hypothetical documents in the language of the question; none for a text without words."""
    topic = content(text).strip(" \t\n?!.,;:…")[:TOPIC_MAX]
    if not topic:
        return ()
    language, intent = detect_language(text), hyde_intent(text)
    if language == "en" and intent is HydeIntent.PREFERENCE:
        topic = _TASTE.sub("", topic) or _ANYTHING
    templates = _templates(language)[intent]
    return tuple(topic.join(parts) for parts in templates)  # joined, not formatted: what the user wrote is no template


@cache
def _templates(language: str) -> dict[HydeIntent, tuple[tuple[str, ...], ...]]:
    """Intent → its templates, each cut where the topic goes."""
    made: dict[HydeIntent, list[tuple[str, ...]]] = {}
    for entry in lists.entries(f"hyde-{language}", WORDS):
        intent, _, template = entry.partition(": ")
        made.setdefault(HydeIntent(intent), []).append(tuple(template.split(_TOKEN)))
    return {intent: tuple(templates) for intent, templates in made.items()}
