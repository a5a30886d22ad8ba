"""The frame of a question: the words by which it says what kind of answer it wants, "how often", "what kinds of".

In: a question and its language. Out: the question without them.
"""

from __future__ import annotations

import re
from functools import cache

from reverie.language import lists


def without_frame(text: str, language: str) -> str:
    """The text without the words of its frame; blanks stay where they stood."""
    return _frames(language).sub("", text)


@cache
def _frames(language: str) -> re.Pattern[str]:
    return re.compile("|".join(lists.entries(f"question/question-frames.{language}")), re.IGNORECASE)
