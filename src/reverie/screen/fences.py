"""Fence texts that are injected into a prompt, and remove the fence from texts that are captured again.

In: texts and a nonce from the caller. Out: one block between two marks with a token. The token is computed from the
nonce and all texts inside, so no text can contain the token of its own block, whoever wrote it. The marks
consist of characters that no host escapes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from hashlib import blake2b

from reverie.errors import InvalidInput
from reverie.language.text.words import expression
from reverie.screen import lists

_TOKEN_BYTES = 10
"""80 bits."""
_LOOKALIKE = expression(r"\[\s{0,3}\[(?=\s{0,3}/?\s{0,3}reverie\s{0,3}:)", re.IGNORECASE)
_BREAK = expression("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""Everything that some program displays as the end of a line."""
_OPENING = expression(r"\[\[reverie:begin ([0-9a-f]{20})\]\]")
_CLOSING = expression(r"\[\[reverie:end ([0-9a-f]{20})\]\]")


def fence(texts: Sequence[str], nonce: str, *, addressed: Sequence[bool] = (), labels: Sequence[str] = ()) -> str:
    """Return one fenced block of texts for a prompt, each as an item; "" for no texts.

    Imitated marks inside a text are broken up. ``addressed`` says which texts address a model
    (``addresses_model``); they are introduced as quotations, unless labelled as the user's standing instruction.
    ``labels`` are our words before each text (``recall.marks``), "" for none. The same arguments give the same
    block.

    Raises:
        InvalidInput: the nonce is empty, or ``addressed`` or ``labels`` have a different length than ``texts``.
    """
    if not nonce:
        raise InvalidInput("A fence needs a nonce.", "Give one that is new for each session.")
    if addressed and len(addressed) != len(texts):
        raise InvalidInput("Not every text is said to speak to a model or not.", "Give one value for each text.")
    if labels and len(labels) != len(texts):
        raise InvalidInput("There are not as many labels as texts.", "Give an empty one where there is nothing to say.")
    if not texts:
        return ""
    form = lists.table("fence")
    told = addressed or [False] * len(texts)
    order = lists.table("marks")["standing alone"]
    items = [
        form["addressed" if speaks and label != order else "item"].replace("{text}", labelled(_inside(text), label))
        for text, label, speaks in zip(texts, labels or [""] * len(texts), told, strict=True)
    ]
    token = _token(nonce, items)
    return "\n".join(
        [form["begin"].replace("{token}", token), form["note"], *items, form["end"].replace("{token}", token)]
    )


def labelled(text: str, label: str) -> str:
    """Return a text with a label before it, as in a block; unchanged for an empty label."""
    return lists.table("fence")["label"].replace("{label}", label).replace("{text}", text) if label else text


def strip_fences(text: str) -> str:
    """Remove the blocks that ``fence`` made, with their marks; everything else stays."""
    kept: list[str] = []
    done = 0
    closings = _closings(text)
    while closings and (match := _OPENING.search(text, done)):
        ends = closings.get(match[1], [])
        place = bisect_right(ends, match.end())
        if place == len(ends):
            kept.append(text[done : match.end()])
            done = match.end()
            continue
        kept.append(text[done : match.start()])
        done = ends[place]
        done += text.startswith("\n", done)
    return "".join(kept) + text[done:] if done else text


def _closings(text: str) -> dict[str, list[int]]:
    """Find the ends of each token's closing marks, once, since a text may contain thousands of opening marks."""
    ends: dict[str, list[int]] = {}
    for match in _CLOSING.finditer(text):
        ends.setdefault(match[1], []).append(match.end())
    return ends


def one_line(name: str) -> str:
    """Return a name for use within a line, with line breaks as blanks."""
    return " ".join(name.split())


def holds_marker(text: str) -> bool:
    """Whether a text contains or imitates one of our marks."""
    return "[" in text and bool(_LOOKALIKE.search(text))  # also matches the Turkish İ and ı


def _inside(text: str) -> str:
    """Return a text as an item: further lines indented, imitated marks broken up."""
    return _LOOKALIKE.sub("[ [", _BREAK.sub("\n  ", text))


def _token(nonce: str, items: Sequence[str]) -> str:
    content = "\0".join(items).encode("utf-8", "surrogatepass")
    key = blake2b(nonce.encode("utf-8", "surrogatepass"), digest_size=32).digest()
    return blake2b(content, digest_size=_TOKEN_BYTES, key=key).hexdigest()
