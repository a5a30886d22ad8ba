"""Whether a text says something of its speaker: what would be said of somebody else in the third person.

In: a text. Out: yes or no. Verbs, pronouns and what somebody owns count, as far as the rewriting knows them.
"""

from __future__ import annotations

from reverie.language.rewriting import third_person

_NOBODY = "Xoa"
"""A name that nobody bears."""


def is_of_speaker(text: str) -> bool:
    """Whether the text speaks of its speaker: "my pay", "geldim", "kiram"; or may, where the rewriting is not sure."""
    return _NOBODY in third_person(text, _NOBODY, 2 * len(text) + len(_NOBODY) + 2)
