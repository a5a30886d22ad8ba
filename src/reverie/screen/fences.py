"""The fence around what is injected into a prompt, and its removal from what is captured again.

In: texts and a nonce of the caller's. Out: one block between two marks that carry a token. The token is made from the
nonce and from every text within, so no text can hold the token of the block it stands in, whoever wrote it and whatever
its writer knew. Marks consist of plain signs that no host escapes.
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
"""Whatever some program shows as the end of a line."""
_OPENING = expression(r"\[\[reverie:begin ([0-9a-f]{20})\]\]")
_CLOSING = expression(r"\[\[reverie:end ([0-9a-f]{20})\]\]")


def fence(texts: Sequence[str], nonce: str, *, addressed: Sequence[bool] = (), labels: Sequence[str] = ()) -> str:
    """One block of these texts for a prompt, each an item; empty for no texts.

    What looks like a mark of ours inside a text is broken up. ``addressed`` tells which texts speak to a model
    (``addresses_model``); these are called quotations, but for what is labelled as the user's own standing order.
    ``labels`` are words of ours before each text (``recall.marks``), empty for none. The same texts, labels and nonce
    give the same block.

    Raises:
        InvalidInput: the nonce is empty, or ``addressed`` or ``labels`` are given and not of the texts' number.
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
    """Prefix a text with a label, as written in a block; return it unchanged if the label is empty."""
    return lists.table("fence")["label"].replace("{label}", label).replace("{text}", text) if label else text


def strip_fences(text: str) -> str:
    """The text without the blocks that ``fence`` made, marks and all; everything else stays as it is."""
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
    """Where each token's closing marks end: found once, for a text may hold opening marks by the thousand."""
    ends: dict[str, list[int]] = {}
    for match in _CLOSING.finditer(text):
        ends.setdefault(match[1], []).append(match.end())
    return ends


def one_line(name: str) -> str:
    """Make a name safe inside a line: line breaks become blanks."""
    return " ".join(name.split())


def holds_marker(text: str) -> bool:
    """Whether something in the text is or imitates a mark of ours."""
    return "[" in text and bool(_LOOKALIKE.search(text))  # which also takes the Turkish İ and ı for an i


def _inside(text: str) -> str:
    """A text as an item: later lines indented, lookalikes of our marks broken up."""
    return _LOOKALIKE.sub("[ [", _BREAK.sub("\n  ", text))


def _token(nonce: str, items: Sequence[str]) -> str:
    content = "\0".join(items).encode("utf-8", "surrogatepass")
    key = blake2b(nonce.encode("utf-8", "surrogatepass"), digest_size=32).digest()
    return blake2b(content, digest_size=_TOKEN_BYTES, key=key).hexdigest()
