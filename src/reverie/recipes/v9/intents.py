"""What kind of question a text asks: for the retrieval router and for the hypothetical documents. By patterns."""

from __future__ import annotations

from enum import StrEnum

from reverie.language import patterns
from reverie.recall.lanes import Intent
from reverie.recipes.v9.wordlists import WORDS


class HydeIntent(StrEnum):
    """What the answer to a cue would look like."""

    DEFINITION = "definition"
    HOWTO = "howto"
    REASONING = "reasoning"
    LOOKUP = "lookup"
    TECHNICAL = "technical"
    PREFERENCE = "preference"
    GENERAL = "general"


def route(text: str) -> Intent:
    """The intent of a cue; of several the first of causal, preference, temporal, entity_profile, factual."""
    return Intent(patterns.label("route", text, WORDS) or Intent.GENERAL)


def hyde_intent(text: str) -> HydeIntent:
    """The intent the hypothetical documents are made for; "general" if no other shows."""
    return HydeIntent(patterns.label("hyde-intent", text, WORDS) or HydeIntent.GENERAL)
