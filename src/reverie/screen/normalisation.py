"""What a text says to a model, whatever signs it is written with, and what it says once its disguise is off."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from reverie.language.text.letters import plain
from reverie.language.text.words import expression
from reverie.screen import lists

# Normalisation: what a text says to a model, whatever signs it is written with, and what it hides from its reader.


_ZERO_WIDTH = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Signs that Unicode calls default ignorable: a reader sees nothing where they stand."""
INVISIBLE = expression(f"[{_ZERO_WIDTH}]+")
_MARKS = expression("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")
_MARKED = expression(
    "[\u01cd-\u0233\u0300-\u036f\u0386-\u03ce\u0400-\u0457\u0483-\u0489\u1ab0-\u1aff"
    "\u1dc0-\u1eff\u1f00-\u1fff\u20d0-\u20ff\ufe20-\ufe2f]"
)
"""Marks, and letters with marks that ``plain`` leaves on them."""
_BOXED = {start + place: 97 + place for start in (0x1F150, 0x1F170, 0x1F1E6) for place in range(26)}
"""White letters in circles and boxes, and the letters of flags: Unicode gives them no plain form."""
_TAGS = expression("[\U000e0020-\U000e007e]{4,}")
"""Tag characters spell plain text that nobody sees."""
_FLAG = "\U0001f3f4"
_FLAG_MAX = 6
"""After a black flag the code of a region is spelled in tags: England's is gbeng."""
_VARIANTS = expression("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
"""A sign has one variation selector. A run of them spells bytes."""
_RUN = expression("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff]{16,}")
"""No script needs sixteen signs without width in a row: they spell bits."""
_OVERRIDDEN = expression("([\u202d\u202e])([^\u202c-\u202e\u2066-\u2069\n]{4,2000})")
"""What a bidirectional override turns round, to the sign that ends it or the end of the line."""
_WORD = expression("[A-Za-z]{4}")
_RIGHT_TO_LEFT = expression("[\u0590-\u08ff]{3}")
_MIXED = expression(
    "[A-Za-z\u0180-\u02af\u0500-\u058f\u13a0-\u13ff\u1d00-\u1dbf\u2c80-\u2cff\ua4d0-\ua7ff\uab30-\uabbf]"
)
"""Latin letters, and letters that look like them and hardly stand in a Russian or Greek text."""
_OVERRIDE_RIGHT = "\u202e"


def normal(text: str) -> str:
    """The text with compatibility forms made plain (NFKC), and without marks on letters and signs without width."""
    if text.isascii():
        return text
    seen = unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).translate(_BOXED)
    if not _MARKED.search(seen):
        return seen
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", seen)))


def spaced(text: str) -> str | None:
    """Return the normalised text with zero-width characters as blanks, since they may separate words; None if it has
    none.
    """
    return None if text.isascii() or not INVISIBLE.search(text) else normal(INVISIBLE.sub(" ", text))


def latin(text: str) -> str | None:
    """A normal text with foreign letters read as the Latin ones they look like; None: there are none.

    A text all in Russian or in Greek has no other reading.
    """
    if text.isascii() or not _MIXED.search(text):
        return None
    seen = text.translate(_lookalikes())
    return None if seen == text else seen


def tagged(text: str) -> Iterator[str]:
    """What tag characters spell; the code of a flag is no such text."""
    for tags in _TAGS.finditer(text):
        is_flag = text[max(0, tags.start() - 1) : tags.start()] == _FLAG and len(tags.group()) <= _FLAG_MAX
        if not is_flag:
            yield "".join(chr(ord(sign) - 0xE0000) for sign in tags.group())


def hidden(text: str) -> str | None:
    """Return why a reader cannot see all of the text; None if everything is visible."""
    if text.isascii() or not INVISIBLE.search(text):
        return None
    if any(True for _ in tagged(text)):
        return "hides words in tag characters"
    if _VARIANTS.search(text):
        return "hides words in variation selectors"
    if any(len(set(run.group())) > 1 for run in _RUN.finditer(text)):
        return "hides words in signs without width"
    return "shows its words in another order than they are written" if _is_overridden(text) else None


def _is_overridden(text: str) -> bool:
    """Whether letters are shown against the direction of their script."""
    return any(
        (_WORD if match[1] == _OVERRIDE_RIGHT else _RIGHT_TO_LEFT).search(match[2])
        for match in _OVERRIDDEN.finditer(text)
    )


@cache
def _lookalikes() -> dict[int, str]:
    """Latin letters by the foreign ones that look like them."""
    return {ord(sign): letter for letter, signs in lists.table("lookalikes").items() for sign in signs}


# What a text says once its disguise is off: lookalike letters, spaced or numbered letters, encodings.


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
_ROTATING = ("rot13", "rot-13", "caesar", "sezar")
_REVERSING = ("revers", "backward", "tersten", "ters cevir")
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
    pieces = [*map("".join, _PIECES.findall(text, 0, _PIECED_MAX))] if "'" in text or '"' in text else []
    if 2 <= len(pieces) <= _PIECES_MAX:
        yield "".join(pieces)
        yield " ".join(pieces)
    low = plain(text)
    if any(map(low.__contains__, _ROTATING)):
        yield text.translate(_ROT13)
    if any(map(low.__contains__, _REVERSING)):
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
