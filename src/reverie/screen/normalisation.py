"""Normalisation: what a text says to a model, whatever signs it is written with, and what it hides from its reader.

In: a text. Out: the text in plain letters (``normal``), with foreign letters read as the Latin ones they look like
(``latin``), and the reason why a reader cannot see what it says (``hidden``). The work grows with the text's length.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

from reverie.language.expressions import expression
from reverie.screen import lists

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
    """The normal text with a blank where signs without width stand: they may part words; None where there are none."""
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
    """Why a reader cannot see all that the text says; None: what stands in it can be seen."""
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
