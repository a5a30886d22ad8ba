"""Decode a document's bytes by what they say of themselves, else by what they can be, and count what cannot be read.

In: the bytes of a text or of an HTML page. Out: the text, its encoding, and how far that is known. A byte order mark
comes first, then well-formed UTF-8, then what an HTML page declares. Bytes with none of these are Western European or
Turkish text (windows-1252 or windows-1254), which differ in six letters, or they are refused: no byte becomes another
letter silently. General detectors were tried and not taken: on a few lines of Turkish or French they name windows-1250.

Labels are taken as the WHATWG Encoding Standard means them, and declarations found as its HTML Standard does.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
ENCODINGS = {"cp1252": "windows-1252", "cp1254": "windows-1254", "utf-8": "UTF-8"}
"""Names that people know encodings by, where Python's is another."""
_HEAD = 4096
"""In how many bytes a declaration must stand; the standard reads 1024."""
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"<meta\b[^>]{0,1000}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"\A\s*<\?xml\b[^>]{0,1000}?encoding\s*=\s*[\"']([\w.:-]{1,40})", re.IGNORECASE)
_KNOWN = re.compile(
    r"utf-8|cp(?:866|874|125\d)|iso8859-\d+|koi8-[ru]|mac-(?:roman|cyrillic)|cp932|cp949|shift_jis|euc_(?:jp|kr)|"
    r"iso2022_jp|gb2312|gbk|gb18030|big5(?:hkscs)?"
)
"""Encodings that a page may declare, by Python's names; others (base64, utf-7) are no encodings of pages."""
_MEANT = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
}
"""What the standard takes a label for: the larger encoding that programs mean by it."""
_WESTERN, _TURKISH = "cp1252", "cp1254"
_SIX = frozenset("ğışĞİŞ")
"""What windows-1254 has in place of six letters of Icelandic; the two encodings differ in nothing else."""
_TURKISH_ALPHABET = _SIX | frozenset("çöüÇÖÜâîûÂÎÛ")
_STRAY = 10
"""Of Turkish text at most one of so many letters beyond ASCII belongs to another alphabet."""
_FEW = 3
"""Of Western text at most one of so many letters lies beyond ASCII; Cyrillic read as Western has nearly only such."""
_BEYOND = re.compile(r"[^\x00-\x7f]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_BETWEEN = re.compile(r"(?<=[^\W\d_])[^\x00-\x7f](?=[^\W\d_])")
_JOINING = frozenset(("Pd", "Pf", "Pi", "Zs"))
"""Categories of signs that may lie between two letters: dashes, quotation marks, a fixed blank."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and its encoding.

    Attributes:
        text: the text, without a byte order mark.
        encoding: its name.
        lost: how many places could not be decoded; each is U+FFFD in the text.
        line: line of the first of them, from 1; 0 for none.
        guessed: nothing in the bytes says the encoding; it follows from the letters.
    """

    text: str
    encoding: str
    lost: int = 0
    line: int = 0
    guessed: bool = False


def decoded(raw: bytes, *, is_html: bool = False) -> Decoded | None:
    """Return a document's text; None if the bytes do not say what they are and are no Western or Turkish text."""
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return _read(raw[len(mark) :], encoding)
    said = _declared(raw) if is_html else ""
    if not (said and raw.isascii()):  # an encoding by escapes, as ISO-2022-JP, is ASCII
        whole = _read(raw, "utf-8")
        if not whole.lost:
            return whole
    if said and said != "utf-8":
        return _read(raw, said)
    utf8 = _read(raw, "utf-8")
    is_utf8 = sum(not char.isascii() for char in utf8.text) >= 2 * utf8.lost
    return utf8 if said or is_utf8 else _guessed(raw)


def not_utf8(raw: bytes) -> tuple[int, int]:
    """Return in how many places bytes are no UTF-8, and the line of the first, from 1."""
    read = _read(raw, "utf-8")
    return read.lost, read.line


def _read(raw: bytes, encoding: str) -> Decoded:
    """Decode and count: a U+FFFD that the bytes hold themselves is no loss."""
    try:
        return Decoded(raw.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        line = raw[: error.start].decode(encoding, "replace").count("\n") + 1
    text = raw.decode(encoding, "replace")
    held = raw.decode(encoding, "ignore").count("\ufffd")
    return Decoded(text, encoding, text.count("\ufffd") - held, line)


def _declared(raw: bytes) -> str:
    """Return the encoding that a page declares, by Python's name; empty for none that is known."""
    head = _COMMENT.sub(b"", raw[:_HEAD])
    found = _XML.search(head) or _META.search(head)
    if found is None:
        return ""
    try:
        name = codecs.lookup(found[1].decode("ascii", "replace")).name
    except LookupError:
        return ""
    if name.startswith("utf-16"):  # it was read as ASCII, so it cannot be that
        return "utf-8"
    name = _MEANT.get(name, name)
    return name if _KNOWN.fullmatch(name) else ""


def _guessed(raw: bytes) -> Decoded | None:
    """Return the bytes as Turkish text if it is one, else as Western text if it can be one, else None."""
    for encoding, fits in ((_TURKISH, _is_turkish), (_WESTERN, _is_western)):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if fits(text):
            return Decoded(text, encoding, guessed=True)
    return None


def _is_turkish(text: str) -> bool:
    """Whether it has letters that only Turkish has, and nearly none that Turkish has not."""
    beyond = [char for char in _BEYOND.findall(text) if char.isalpha()]
    strange = sum(char not in _TURKISH_ALPHABET for char in beyond)
    return strange * _STRAY <= len(beyond) and not _SIX.isdisjoint(beyond) and _is_western(text)


def _is_western(text: str) -> bool:
    """Whether most letters are ASCII, no letters are joined by another sign, and nothing controls a terminal."""
    beyond = sum(map(str.isalpha, _BEYOND.findall(text)))
    if beyond * _FEW > sum(map(str.isalpha, text)) or _CONTROL.search(text):
        return False
    return all(sign.isalpha() or unicodedata.category(sign) in _JOINING for sign in set(_BETWEEN.findall(text)))
