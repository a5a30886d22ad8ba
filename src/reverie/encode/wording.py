"""Wording: a statement as a memory tells it, with its dates, and in the third person where the recipe has it so."""

from __future__ import annotations

from datetime import datetime

from reverie.encode.settings import FormSettings
from reverie.language.dating import dated
from reverie.types import Role

_SUBJECTS = {Role.USER: "User", Role.ASSISTANT: "Assistant", Role.TOOL: "Tool", Role.SYSTEM: "System"}


def worded(part: str, role: Role | None, speaker: str, at: datetime, settings: FormSettings) -> str:
    """The words of a memory of what was said ``at`` in these."""
    text = dated(part, at).text
    if settings.rewrite:
        text = settings.rewrite(text, _SUBJECTS.get(role or Role.PERSON, speaker), settings.limit_chars)
    return text[: settings.limit_chars]
