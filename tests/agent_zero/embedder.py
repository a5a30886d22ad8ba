"""The embedding model of the tests: words hashed into 256 directions, or the very vector that a test gave a text.

In: texts. Out: unit vectors, the same on every machine; and a list of what was embedded. Stands where Agent Zero asks
for the package sentence_transformers, beside two other packages that it imports and no test needs.
"""

from __future__ import annotations

import hashlib
import random
import re
import sys
import time
from types import ModuleType
from typing import Any

import numpy as np

chance = random.Random(7)
DIMENSIONS = 256
MADE: dict[str, list[float]] = {}
"""Vectors that a test gave a text, by the text; what is missing at their end is zero."""

SEEN: list[str] = []
"""What was embedded, in order."""

DELAYS: dict[str, float] = {}
"""Seconds that embedding takes at most, by how a text begins; each time another part of them."""

BROKEN: set[str] = set()
"""What is to raise instead of working: here ``embed``."""


def vector(text: str) -> np.ndarray:
    row = np.zeros(DIMENSIONS, dtype=np.float32)
    if text in MADE:
        row[: len(MADE[text])] = MADE[text]
        return row
    for word in re.findall(r"\w+", text.lower()):
        number = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
        row[number % DIMENSIONS] += 1.0 if number >> 40 & 1 else -1.0
    length = float(np.linalg.norm(row))
    return row / length if length else row


class SentenceTransformer:
    def __init__(self, name: str, **_: Any) -> None:
        self.name = name

    def encode(self, sentences: list[str] | str, **_: Any) -> np.ndarray:
        if "embed" in BROKEN:
            raise RuntimeError("embedding is broken on purpose")
        texts = [sentences] if isinstance(sentences, str) else sentences
        for beginning, seconds in DELAYS.items():
            if any(text.startswith(beginning) for text in texts):
                time.sleep(seconds * chance.random())
        if isinstance(sentences, str):
            SEEN.append(sentences)
            return vector(sentences)
        SEEN.extend(sentences)
        return np.stack([vector(one) for one in sentences])


def install() -> None:
    """Put the stand-ins where an import finds them."""

    class Chat:
        def __init__(self, *_: Any, **__: Any) -> None:
            pass

    _module("sentence_transformers", SentenceTransformer=SentenceTransformer)
    _module("whisper")
    _module("browser_use")
    names = ("ChatOllama", "ChatOpenRouter", "ChatGoogle", "ChatAnthropic", "ChatGroq", "ChatOpenAI")
    sys.modules["browser_use"].llm = _module("browser_use.llm", **{name: type(name, (Chat,), {}) for name in names})


def _module(name: str, **held: Any) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(held)
    sys.modules[name] = module
    return module
