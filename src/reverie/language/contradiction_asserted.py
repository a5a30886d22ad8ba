"""What of a text its speaker states: not what is quoted, dreamt, invented, supposed or to be translated.

In: the sentences of a text. Out: of each what is stated, "" if nothing. A frame holds to the end of the text, or until
the speaker speaks for themselves again ("by the way", "bu arada").
"""

from __future__ import annotations

from collections.abc import Sequence

from reverie.language.contradiction_words import matches, patterns
from reverie.language.letters import plain


def asserted(sentences: Sequence[str], language: str) -> list[str]:
    """Of each sentence what the speaker states."""
    found: list[str] = []
    is_told = False
    for sentence in sentences:
        folded = plain(sentence)
        if is_told and not matches("resumed", language, folded):
            found.append("")
            continue
        if matches("above", language, folded):  # "I moved. Translate this."
            found = [""] * len(found)
        start = _frame(folded, language)
        is_told = start is not None
        found.append(sentence[:start])
    return found


def _frame(folded: str, language: str) -> int | None:
    """Where in a sentence something begins that is not stated, None if nowhere."""
    if any(matches(kind, language, folded) for kind in ("unreal", "above")):
        return 0
    told = patterns("told", language).search(folded)
    return told.start() if told else None
