"""Secrets that follow their naming without a word or a mark between: "user ada password …", "CVV 473", "auth token …".

In: a text and a naming in it. Out: the span of the value alone, or nothing. So little is said that the value must show
by itself what it is, or the words before must.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from reverie.language.expressions import expression
from reverie.language.letters import plain
from reverie.screen import lists, locks
from reverie.screen.secrecy import EDGES, is_placeholder, is_random, is_strict
from reverie.screen.values import Span

_PASSWORD = expression(r"[ \t]{1,2}(\S{8,64})")
_STRONG = expression(r"(?=\S*[a-z])(?=\S*[A-Z])(?=\S*\d)(?=\S*[!@#$%^&*+=~_])")
"""What stands after "password" without "is" is one only where letters of both kinds, a digit and a sign are in it."""
_LOGIN = expression(
    r"(?:\b(?:user(?:name)?|login|log(?:ged)? in as|kullanici(?: adi)?)[ \t]{0,2}[:=]?[ \t]{1,3}"
    r"(?!(?:for|has|had|have|with|to|and|or|the|an?|is|was|must|should|can|sets?|needs?|enters?|forgot|resets?)\b)\S{1,64}|\S{1,64}@\S{1,64}"
    r"|\b(?:with|using))[ \t,;/]{1,3}(?:(?:and|with|ve)[ \t]{1,2})?(?:(?:the|a)[ \t]{1,2})?\Z"
)
"""Who logs in has told of a password before the naming."""
_LOGIN_MAX = 160
_WEAK = expression(r"[A-Za-z]*\d{0,2}[A-Za-z]*\Z")
"""No more than a name with a number in it: OAuth2Token."""
_CODE = expression(r"2?[ \t]{1,2}#?(\d{3,4})(?![\w/%-]|[.,]\d)")
_YEAR = expression(r"(?:19|20)\d\d\Z")
_CARD = expression(r"\b(?:cvv|exp\b|expir|card|kart|visa\b|mastercard|son kullanma)|\d{4}[ -]?\d{4}[ -]?\d{4}")
_CARD_MAX = 120
_KEY = expression(r"[ \t]{1,2}[\"'`]?([\w-]{24,200})(?![\w-])")
_HEX = expression(r"(?!0x[0-9a-f]{40}\Z)(?=\D*\d)(?:0x)?(?=[0-9]*[a-f])[0-9a-f]{24,}\Z", re.IGNORECASE)
"""Forty signs after 0x are an address of a chain, which is no secret."""
_PIN = expression(r"(?:[ \t]{1,2}code)?[ \t]{1,2}#?(\d{4,8})(?![\w/%-]|[.,]\d)")
_PUK_LENGTH = 8
_SIGNED = expression(r"(?=\S*[^\W\d_])(?=\S*\d)[^\W_]\S*[!@#$%^&*+=~]")
"""Where no word says what it is, a password shows by a letter, a digit and a sign in it."""
_OF_TURKISH = expression(r"(?:s[iu]n[iu]|s[iu]yl[ae]|m[iu](?:z[iu])?|m(?:[iu]z)?l[ae])\b")
"""After a value and "şifre": … şifresini kullanıyorum, … şifresiyle giriyorum."""
_STROKE = expression(r"[/|,][ \t]{1,2}(?=(\S{6,64})(?!\S))")
"""Between a name and a password."""
_PAIR_MAX = 120
_KEYS = frozenset({"api-key", "secret-key", "private-key", "token"})


def given(text: str, low: str, head: re.Match[str], kind: str) -> Span | None:
    """The value right after a naming, if it can be nothing else."""
    if kind == "password":
        return _password(text, low, head)
    if kind == "card-code":
        return _card_code(text, low, head)
    if kind in ("pin", "puk"):
        return _pin(low, head, kind)
    return _key(text, head, kind) if kind in _KEYS else None


def _password(text: str, low: str, head: re.Match[str]) -> Span | None:
    match = _PASSWORD.match(text, head.end())
    if match is None:
        return None
    value = match[1].strip(EDGES.replace("!", ""))
    is_login = _LOGIN.search(low, max(0, head.start() - _LOGIN_MAX), head.start())
    is_told = _STRONG.match(value) or (is_login and not _WEAK.match(value))
    if not is_told or not is_strict(value):
        return None
    start = text.index(value, match.start(1))
    return Span("password", start, start + len(value))


def _card_code(text: str, low: str, head: re.Match[str]) -> Span | None:
    """The digits on the back of a card, where a card is spoken of; a year is none."""
    match = _CODE.match(text, head.end()) if head.group().startswith("cv") else None
    if match is None or _YEAR.match(match[1]) or not _CARD.search(low, max(0, head.start() - _CARD_MAX), match.end()):
        return None
    return Span("card-code", *match.span(1))


def _key(text: str, head: re.Match[str], kind: str) -> Span | None:
    """A key that looks like chance, or a long hexadecimal number."""
    match = _KEY.match(text, head.end())
    if match is None or is_placeholder(match[1]) or not (_HEX.match(match[1]) or is_random(match[1])):
        return None
    return Span(kind, *match.span(1))


def _pin(low: str, head: re.Match[str], kind: str) -> Span | None:
    """The digits right after "PIN" where what they open stands before it; after "PUK" they need nothing but length."""
    match = _PIN.match(low, head.end())
    if match is None:
        return None
    is_puk = kind == "puk" and len(match[1]) == _PUK_LENGTH
    is_pin = kind == "pin" and not _YEAR.match(match[1]) and locks.is_locked_before(low, head.start())
    return Span(kind, *match.span(1)) if is_puk or is_pin else None


def before_turkish(text: str, low: str, head: re.Match[str], kind: str) -> Span | None:
    """The value right before a Turkish naming that has it: "Galata#1453 şifresini"."""
    if kind != "password" or not _OF_TURKISH.match(low, head.end()):
        return None
    before = text[max(0, head.start() - _PAIR_MAX) : head.start()]
    if not before or not before[-1].isspace():
        return None
    value = before.split()[-1].strip(EDGES.replace("!", ""))
    start = text.rindex(value, 0, head.start()) if value else 0
    return Span(kind, start, start + len(value)) if _is_signed(value) else None


def pairs(text: str) -> Iterator[Span]:
    """Passwords behind the name of who logs in, with no word but a stroke between: "login: ada / Galata#1453"."""
    if "/ " not in text and "| " not in text and ", " not in text:
        return
    for match in _STROKE.finditer(text):
        value = match[1].rstrip(EDGES.replace("!", "").replace("*", ""))
        if _is_signed(value) and _is_login(text[max(0, match.start() - _PAIR_MAX) : match.start()], match.group()[0]):
            yield Span("password", match.start(1), match.start(1) + len(value))


def _is_login(before: str, stroke: str) -> bool:
    """Whether the name of one who logs in stands last: an address of mail, or what follows "login:"."""
    before = before.rstrip(" \t")
    name = before.rpartition(" ")[2]
    return (stroke != "," and "@" in name[1:]) or bool(_labelled().search(plain(before)))


@cache
def _labelled() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(lists.words('login-labels')))})[ \t]{{0,2}}[:=][ \t]{{0,2}}\S{{1,64}}\Z")


def _is_signed(value: str) -> bool:
    return bool(_SIGNED.match(value)) and is_strict(value)
