"""What injecting a text costs a language model, estimated without its tokeniser."""

from __future__ import annotations

import math

TOKENS_PER_WORD = 1.3
CHARACTERS_PER_TOKEN = 6.0


def estimated_tokens(text: str) -> int:
    """1.3 tokens a word, and at least one for every six characters (text without spaces is not free).

    Source: decision-0007
    """
    by_words = TOKENS_PER_WORD * len(text.split())
    by_length = len(text) / CHARACTERS_PER_TOKEN
    return math.ceil(max(by_words, by_length))
