"""Normalise a text as a model reads it, and undo disguises: lookalike letters, hidden characters, encodings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from reverie.language.text.letters import plain
from reverie.language.text.words import expression
from reverie.screen import lists

# Normalisation and hidden text.


_ZERO_WIDTH = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters that Unicode calls default ignorable: they are not displayed."""
INVISIBLE = expression(f"[{_ZERO_WIDTH}]+")
_MARKS = expression("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")
_MARKED = expression(
    "[\u01cd-\u0233\u0300-\u036f\u0386-\u03ce\u0400-\u0457\u0483-\u0489\u1ab0-\u1aff"
    "\u1dc0-\u1eff\u1f00-\u1fff\u20d0-\u20ff\ufe20-\ufe2f]"
)
"""Combining marks, and letters with marks that ``plain`` keeps."""
_BOXED = {start + place: 97 + place for start in (0x1F150, 0x1F170, 0x1F1E6) for place in range(26)}
"""White letters in circles and boxes, and the letters of flags, which NFKC leaves."""
_TAGS = expression("[\U000e0020-\U000e007e]{4,}")
"""Tag characters, which spell invisible text."""
_FLAG = "\U0001f3f4"
_FLAG_MAX = 6
"""After a black flag, tag characters spell a region's code: England's is gbeng."""
_VARIANTS = expression("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
"""Variation selectors in a row, which can encode bytes; normally a character has one."""
_RUN = expression("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff]{16,}")
"""Sixteen zero-width characters in a row, which no script needs: they encode bits."""
_OVERRIDDEN = expression("([\u202d\u202e])([^\u202c-\u202e\u2066-\u2069\n]{4,2000})")
"""Text in a bidirectional override, up to its end or the end of the line."""
_WORD = expression("[A-Za-z]{4}")
_RIGHT_TO_LEFT = expression("[\u0590-\u08ff]{3}")
_MIXED = expression(
    "[A-Za-z\u0180-\u02af\u0500-\u058f\u13a0-\u13ff\u1d00-\u1dbf\u2c80-\u2cff\ua4d0-\ua7ff\uab30-\uabbf]"
)
"""Latin letters, and lookalikes that hardly occur in Russian or Greek texts."""
_OVERRIDE_RIGHT = "\u202e"


def normal(text: str) -> str:
    """Return the text in NFKC, without marks on letters and zero-width characters."""
    if text.isascii():
        return text
    seen = unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).translate(_BOXED)
    if not _MARKED.search(seen):
        return seen
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", seen)))


def spaced(text: str) -> str | None:
    """Return the normal text with blanks for zero-width characters, which may separate words; None without any."""
    return None if text.isascii() or not INVISIBLE.search(text) else normal(INVISIBLE.sub(" ", text))


def latin(text: str) -> str | None:
    """Return a normal text with foreign lookalikes as Latin letters; None without any.

    A text entirely in Russian or Greek has no other reading.
    """
    if text.isascii() or not _MIXED.search(text):
        return None
    seen = text.translate(_lookalikes())
    return None if seen == text else seen


def tagged(text: str) -> Iterator[str]:
    """Yield the texts that tag characters spell, except the codes of flags."""
    for tags in _TAGS.finditer(text):
        is_flag = text[max(0, tags.start() - 1) : tags.start()] == _FLAG and len(tags.group()) <= _FLAG_MAX
        if not is_flag:
            yield "".join(chr(ord(sign) - 0xE0000) for sign in tags.group())


def hidden(text: str) -> str | None:
    """Return why a reader cannot see all of a text; None if everything is visible."""
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
    """Whether letters are displayed against the direction of their script."""
    return any(
        (_WORD if match[1] == _OVERRIDE_RIGHT else _RIGHT_TO_LEFT).search(match[2])
        for match in _OVERRIDDEN.finditer(text)
    )


@cache
def _lookalikes() -> dict[int, str]:
    """Map foreign letters to the Latin ones they resemble."""
    return {ord(sign): letter for letter, signs in lists.table("lookalikes").items() for sign in signs}


# Disguises: lookalike letters, spaced letters, digits for letters, encodings.


_SPACED = expression(r"(?<!\w)\w(?:[ .\-_*|/]\w(?!\w)){5,}(?:[ .\-_*|/]{2,4}\w(?:[ .\-_*|/]\w(?!\w))*)*")
_SPACED_SIGN = expression(r"[ .\-_*|/]\w[ .\-_*|/]\w[ .\-_*|/]\w")
"""Quick test for spaced letters, in half the time."""
_NUMBERED = expression(r"(?<!\w)(?=[\w@$!]{4,20}(?!\w))[A-Za-z]{0,8}[013457@$!][A-Za-z]{1,8}[013457@$!]?[\w@$!]{0,10}")
_STANDING_IN = "013457@$!"
_DIGITS = str.maketrans("013457@$!", "oieastasi")
_BASE64 = expression(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{20,8000}={0,2}(?![\w+/=])")
_BASE64_MIN = 20
_HEX = expression(r"(?<!\w)(?:[0-9a-fA-F]{2}[ :]?){12,4000}(?!\w)")
_HEX_SIGN = expression(r"[0-9a-fA-F][0-9a-fA-F][ :]?[0-9a-fA-F][0-9a-fA-F][ :]?[0-9a-fA-F][0-9a-fA-F]")
"""Quick test for hexadecimal bytes."""
_ESCAPES = expression(r"(?:%[0-9A-Fa-f]{2}|&#x?[0-9A-Fa-f]{2,6};|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2})")
_PERCENT = expression(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPES_MIN = 6
_PIECES = expression(r"\"([^\"\n]{2,80})\"|(?<!\w)'([^'\n]{2,80})'(?!\w)")
_PIECED_MAX, _PIECES_MAX = 2_000, 8
"""Largest length of a text, and number of its quoted pieces, that are joined; longer texts just quote."""
_ROT13 = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM"
)
_ROTATING = ("rot13", "rot-13", "caesar", "sezar")
_REVERSING = ("revers", "backward", "tersten", "ters cevir")
_DECODED_MAX = 8
"""Largest number of encoded stretches that are decoded."""


def readings(text: str) -> Iterator[str]:
    """Yield the readings of a text without its disguises."""
    yield from _undone(text)
    if seen := latin(text):
        yield seen
        yield from _undone(seen)


def _undone(text: str) -> Iterator[str]:
    """Yield readings with spaces, digits, encodings or pieces undone."""
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
    """Join ``i g n o r e   a l l`` to ``ignore all``: single separators between letters, longer ones between words."""
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
    from html import unescape  # imported when needed: few texts use it

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
    """Decode bytes as text; None if they are not printable text."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if text and all(sign.isprintable() or sign in "\n\r\t" for sign in text) else None
