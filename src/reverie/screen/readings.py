"""What a text says once its disguise is off: lookalike letters, spaced or numbered letters, encodings.

In: a normal text (``normalisation``). Out: the other texts it can be read as; none for ordinary texts. Each disguise is
looked for once, and the work grows with the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.language.expressions import expression
from reverie.language.letters import plain
from reverie.screen.normalisation import latin

_SPACED = expression(r"(?<!\w)\w(?:[ .\-_*|/]\w(?!\w)){5,}(?:[ .\-_*|/]{2,4}\w(?:[ .\-_*|/]\w(?!\w))*)*")
_SPACED_SIGN = expression(r"[ .\-_*|/]\w[ .\-_*|/]\w[ .\-_*|/]\w")
"""Stands in all that is spaced, and is looked for in half the time."""
_NUMBERED = expression(r"(?<!\w)(?=[\w@$!]{4,20}(?!\w))[A-Za-z]{0,8}[013457@$!][A-Za-z]{1,8}[013457@$!]?[\w@$!]{0,10}")
_STANDING_IN = "013457@$!"
_DIGITS = str.maketrans("013457@$!", "oieastasi")
_BASE64 = expression(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{20,8000}={0,2}(?![\w+/=])")
_BASE64_MIN = 20
_HEX = expression(r"(?<!\w)(?:[0-9a-fA-F]{2}[ :]?){12,4000}(?!\w)")
_HEX_SIGN = expression(r"[0-9a-fA-F][0-9a-fA-F][ :]?[0-9a-fA-F][0-9a-fA-F][ :]?[0-9a-fA-F][0-9a-fA-F]")
"""Stands in all of these, likewise."""
_ESCAPES = expression(r"(?:%[0-9A-Fa-f]{2}|&#x?[0-9A-Fa-f]{2,6};|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2})")
_PERCENT = expression(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPES_MIN = 6
_PIECES = expression(r"\"([^\"\n]{2,80})\"|(?<!\w)'([^'\n]{2,80})'(?!\w)")
_PIECED_MAX, _PIECES_MAX = 2_000, 8
"""Orders cut to pieces come in few pieces and short texts; longer texts quote."""
_ROT13 = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM"
)
_DECODED_MAX = 8
"""So many encoded stretches are looked into; who has more is not writing to a model."""


def readings(text: str) -> Iterator[str]:
    """The texts this one becomes without its disguises."""
    yield from _undone(text)
    if seen := latin(text):
        yield seen
        yield from _undone(seen)


def _undone(text: str) -> Iterator[str]:
    """The texts this one becomes when spaces, numbers, encodings and pieces are undone."""
    if _SPACED_SIGN.search(text) and (spaced := _SPACED.sub(_joined, text)) != text:
        yield spaced
    if any(map(text.__contains__, _STANDING_IN)) and len(_NUMBERED.findall(text)) >= 2:
        yield text.translate(_DIGITS)
    yield from _encoded(text)
    pieces = _PIECES.findall(text, 0, _PIECED_MAX) if "'" in text or '"' in text else []
    if 2 <= len(pieces) <= _PIECES_MAX:
        yield "".join(a or b for a, b in pieces)
        yield " ".join(a or b for a, b in pieces)
    low = plain(text)
    if "rot13" in low or "rot-13" in low or "caesar" in low or "sezar" in low:
        yield text.translate(_ROT13)
    if "revers" in low or "backward" in low or "tersten" in low or "ters cevir" in low:
        yield text[::-1]


def _joined(match: re.Match[str]) -> str:
    """``i g n o r e   a l l`` as ``ignore all``: one sign between letters, more between words."""
    words = re.split(r"[ .\-_*|/]{2,4}", match.group())
    return " ".join(re.sub(r"[ .\-_*|/]", "", word) for word in words)


def _encoded(text: str) -> Iterator[str]:
    is_escaped = "%" in text or "&#" in text or "\\" in text
    if is_escaped and len(_ESCAPES.findall(text, 0, 20_000)) >= _ESCAPES_MIN:
        yield _unescaped(text)
    is_long = max(map(len, text.split()), default=0) >= _BASE64_MIN
    stretches = [*_BASE64.finditer(text)][:_DECODED_MAX] if is_long else []
    for stretch in stretches:
        if found := _from_base64(stretch.group()):
            yield found
    numbers = [*_HEX.finditer(text)][:_DECODED_MAX] if _HEX_SIGN.search(text) else []
    for stretch in numbers:
        if found := _printable(bytes.fromhex(re.sub(r"[ :]", "", stretch.group()))):
            yield found


def _unescaped(text: str) -> str:
    from html import unescape  # lazy: few texts are written so

    spelled = re.sub(r"\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})", lambda m: chr(int(m[1] or m[2], 16)), text)
    return _PERCENT.sub(lambda m: bytes.fromhex(m[0].replace("%", "")).decode("utf-8", "replace"), unescape(spelled))


def _from_base64(stretch: str) -> str | None:
    from base64 import urlsafe_b64decode
    from binascii import Error

    bare = stretch.rstrip("=").replace("+", "-").replace("/", "_")
    try:
        return _printable(urlsafe_b64decode(bare + "=" * (-len(bare) % 4)))
    except Error:
        return None


def _printable(raw: bytes) -> str | None:
    """The bytes as text, if they are one."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if text and all(sign.isprintable() or sign in "\n\r\t" for sign in text) else None
