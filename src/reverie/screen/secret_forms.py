"""Detect secrets by form: tokens, passwords in forms that programs read, and values right after their name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from reverie.language.text import lists as words
from reverie.language.text.letters import plain
from reverie.language.text.words import expression
from reverie.screen import lists, secrecy
from reverie.screen.secrecy import EDGES, is_example, is_nothing, is_placeholder, is_random, is_strict
from reverie.screen.values import TextSpan

# Secrets by shape: known prefixes, PEM blocks, passwords in URLs, long random strings.


_RUN = expression(r"[A-Za-z0-9_\-./+=~$:]{16,}")
"""Quick test for tokens: ordinary words never have sixteen such characters."""
_RUN_MIN = 16
_SEGMENT = expression(r"[A-Za-z0-9]+")
_PIECE = expression(r"[A-Za-z0-9_-]{24,}")
_BASE64_KEY = expression(
    r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{38,}={1,2}(?![A-Za-z0-9+/=])|(?<![\w+/=])[\w+/]{40}(?![\w+/=])"
)
_LOOK_BACK = 300
_PUBLIC_KEY = expression(r"AAAA(?:B3NzaC1|C3NzaC1|E2VjZHNh|GnNrLX|InNrLX)")
"""Prefixes of public ssh keys: the length of a name, and "ssh-", "ecdsa" or "sk-"."""
_PART_MAX = 100
_PART_BEFORE = expression(r"(?<![\w-])([A-Za-z0-9_-]{6,90})\.\Z")
_PART_AFTER = expression(r"\.([A-Za-z0-9_-]{6,90})(?![\w-])")
_PEM_BEGIN = expression(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = expression(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_REST = expression(r"[A-Za-z0-9+/=\s\\:,-]*")
_PUTTY = expression(r"Private-Lines: \d{1,3}\r?\n((?:[A-Za-z0-9+/=]{1,80}\r?\n?){1,200})")
_IN_ADDRESS = expression(r"://[^\s:/@?#'\"]{0,64}:([^\s@/'\"]{3,128})@")


def tokens(text: str) -> Iterator[TextSpan]:
    """Find every span that is a secret by its form."""
    yield from _pem(text)
    yield from _addresses(text)
    if max(map(len, text.split()), default=0) < _RUN_MIN:
        return
    for run in _RUN.finditer(text):
        yield from _known(text, run.start(), run.end())
        yield from _marked(run.group(), run.start())
        yield from _chance(text, run)


@cache
def _beginnings() -> Mapping[str, tuple[tuple[str, re.Pattern[str], str], ...]]:
    """Group the known token prefixes by their first two characters: prefix, pattern of the rest, kind."""
    found: dict[str, list[tuple[str, re.Pattern[str], str]]] = {}
    for line in lists.entries("tokens"):
        kind, form = line.split(": ", 1)
        beginning, rest = form.split(" ", 1)
        found.setdefault(beginning[:2], []).append((beginning, re.compile(rest, re.ASCII), kind))
    return {two: tuple(forms) for two, forms in found.items()}


def _known(text: str, start: int, end: int) -> Iterator[TextSpan]:
    """Find tokens with a known prefix at each beginning of a word in the run."""
    beginnings = _beginnings()
    for segment in _SEGMENT.finditer(text, start, end):
        at = segment.start()
        for beginning, rest, kind in beginnings.get(text[at : at + 2], ()):
            if text.startswith(beginning, at) and (match := rest.match(text, at + len(beginning))):
                if not is_placeholder(text[at : match.end()]):
                    yield TextSpan(kind, at, match.end())
                break


@cache
def _shapes() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    parts = (line.split(" ", 2) for line in lists.entries("shapes"))
    return tuple((kind.rstrip(":"), mark, re.compile(form, re.ASCII)) for kind, mark, form in parts)


def _marked(run: str, start: int) -> Iterator[TextSpan]:
    for kind, mark, form in _shapes():
        if mark in run:
            for match in form.finditer(run):
                yield TextSpan(kind, start + match.start(), start + match.end())


def _chance(text: str, run: re.Match[str]) -> Iterator[TextSpan]:
    """Find random strings of unknown kind; not in URLs, which contain ids of documents and films."""
    if len(run.group()) < 24 or _is_no_place(text, run):
        return
    done = 0
    for piece in _PIECE.finditer(text, run.start(), run.end()):
        if piece.start() < done:
            continue  # part of the previous token
        if is_random(piece.group().strip("-_")) and not is_placeholder(piece.group()):
            start, done = _with_neighbours(text, piece)
            yield TextSpan("unknown-token", start, done)
    for key in _BASE64_KEY.finditer(text, run.start(), run.end()):
        if is_random(key.group()) and not is_placeholder(key.group()):
            yield TextSpan("unknown-token", key.start(), key.end())


def _with_neighbours(text: str, piece: re.Match[str]) -> tuple[int, int]:
    """Extend a token by parts joined with dots that also look like parts of a token."""
    start, end = piece.span()
    while (before := _PART_BEFORE.search(text, max(0, start - _PART_MAX), start)) and any(map(str.isdigit, before[1])):
        start = before.start(1)
    while (after := _PART_AFTER.match(text, end)) and any(map(str.isdigit, after[1])):
        end = after.end(1)
    return start, end


def _is_no_place(text: str, run: re.Match[str]) -> bool:
    """Whether the run is part of a URL, encoded data or a checksum, or a public key."""
    if _PUBLIC_KEY.match(run.group()):
        return True
    before = text[max(0, run.start() - _LOOK_BACK) : run.start()]
    chunk = "" if not before or before[-1].isspace() else before.split()[-1]
    whole = chunk + run.group()[:_LOOK_BACK]
    return any(mark in whole for mark in ("://", "www.", "base64,", "sha256-", "sha384-", "sha512-"))


def _pem(text: str) -> Iterator[TextSpan]:
    """Find private keys from first to last line; without a last line, as far as the key's characters go."""
    if "PRIVATE KEY" in text:
        done, is_ended = 0, True
        for begin in _PEM_BEGIN.finditer(text):
            if begin.start() >= done:
                last = _PEM_END.search(text, begin.end()) if is_ended else None
                is_ended = last is not None  # if no end follows here, none follows a later beginning
                end = last or _PEM_REST.match(text, begin.end())
                done = end.end() if end else begin.end()
                yield TextSpan("private-key", begin.start(), done)
    if "Private-Lines:" in text:
        yield from (TextSpan("private-key", *match.span(1)) for match in _PUTTY.finditer(text))


def _addresses(text: str) -> Iterator[TextSpan]:
    """Find the password in ``scheme://name:password@host``, unless it is a variable or an example."""
    if "://" not in text:
        return
    for match in _IN_ADDRESS.finditer(text):
        value = match[1]
        if value[0] not in "$<{%[" and not is_placeholder(value) and not is_example(value):
            yield TextSpan("password", *match.span(1))


# Secrets in forms that programs read: on a command line, in a netrc, in the QR code of a wireless network.


_OPEN = "$<{%[*"
"""First characters of a placeholder that a shell or template fills in."""
_CLOSERS = ".,;:)`”’"


def written(text: str) -> Iterator[TextSpan]:
    """Find every value where a program reads a secret."""
    for kind, mark, form in _forms():
        if mark in text:
            yield from (found for match in form.finditer(text) if (found := _value(kind, match)))


@cache
def _forms() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    parts = (line.split(" ", 2) for line in lists.entries("written"))
    return tuple((kind.rstrip(":"), mark, re.compile(form)) for kind, mark, form in parts)


def _value(kind: str, match: re.Match[str]) -> TextSpan | None:
    group = match.lastindex or 0
    value = match[group].rstrip(_CLOSERS) if kind == "password" else match[group]
    is_open = not value or value[0] in _OPEN or is_placeholder(value) or is_example(value)
    return None if is_open else TextSpan(kind, match.start(group), match.start(group) + len(value))


# Passwords of plain words: "şifrem karakartal", and "my password is" with four or more words.


_WORDS = r"[a-z]{2,14}(?:[ \t-]{1,2}[a-z]{2,14}){3,9}?"
_ENDS = r"(?=[\"'’”`]?\s{0,3}(?:[.!,;)\n]|\Z|oldu\b))"
_OURS = r"(?:[iu]?m|[iu]?m[iu]z)(?:\s{0,2}:|\s{1,2}(?:artik|simdi|hala|su)\b:?)?\s{1,3}[\"'‘“`]?"
_PHRASE = expression(rf"(?:\s{{1,3}}is(?:\s{{1,2}}now)?\s{{0,1}}:?|\s{{0,2}}:)\s{{1,3}}({_WORDS}){_ENDS}")
MY = expression(r"\b(?:my|our)(?:[ \t]{1,3}[\w'’-]{1,20}){0,3}[ \t]{1,3}\Z")
"""Mark of a password of one's own: "my old wifi"."""
_TURKISH_PHRASE = expression(rf"{_OURS}({_WORDS}){_ENDS}")
_TURKISH_WORD = expression(rf"{_OURS}([a-z]{{6,24}}){_ENDS}")
_PASSWORDS = ("sifre", "parola", "sfr")
_PHRASES = ("pass phrase", "passphrase", "ifade", "cumle")
_SAID_OF = expression(
    r"(?:[dt][iu]|[dt][iu][mnk]|[iu]yor\w{0,4}|m[iu]s\w{0,4}|[ae]c[ae]\w{1,3}|m[ae]l[iu]|[aeiu]r|m[ae]z|m|mak|mek|s[ae]"
    r"|[dt][ae]n?|[dt][ae]ki|[yl][ae]|c[ae]|c[iu]|ken|l[iu]|s[iu]z|sel|sal)\Z"
)
"""Endings of Turkish verbs, places and qualities: "şifrem telefonda", "şifrem çalışmıyor", "şifrem rakamlı"."""
_TOLD_OF = expression(r"(?:ed|ly)\Z")
"""Endings of English ones: "stored", "extremely"."""
_NETWORK = expression(
    r"\b(?:wi-?fi|wlan|internet|network|modem|router|hotspot)[a-z]{0,10}(?:['’][a-z]{1,4})?[ \t]{1,3}\Z"
)
"""Networks, whose password may be stated without "my": "wifi parolası …"."""
_NETWORK_PHRASE = expression(rf"s[iu](?:\s{{0,2}}:)?\s{{1,3}}[\"'‘“`]?({_WORDS}){_ENDS}")
_ROW_MAX = 6
"""Largest number of words of a passphrase; usually it has four to six, and more are rather a sentence."""
_BENT = expression(
    r"(?:[iu]m(?:[iu]z)?(?:[iu]n)?|n[iu]n|s[iu]n[iu]?\w{0,4}|l[ae]r[iu]\w{0,4}|[dt][ae]n|[dt][ae]ki|[iu]yor\w{0,4}"
    r"|[ae]c[ae][kg]\w{0,4}|m[iu]s\w{0,4}|m[ae]z|yl[ae]|s[iu]n)\Z"
)
"""Turkish endings of words in a sentence, unlike a passphrase: "kızımın doğum günü"."""


def given_in_words(low: str, head: re.Match[str], kind: str) -> TextSpan | None:
    """Return the plain words after a name of a secret, if stated as the speaker's own password, else None."""
    if kind != "password":
        return None
    named = re.sub(r"[\s_-]+", " ", head.group())
    if named.endswith(_PHRASES):
        return _phrase(low, head, kind)
    if row := _row(low, head, named):
        return TextSpan(kind, *row.span(1))
    match = _TURKISH_WORD.match(low, head.end()) if named in _PASSWORDS else None
    if match is None or is_nothing(match[1]) or _SAID_OF.search(match[1]):
        return None
    return None if match[1] in _joining() else TextSpan(kind, *match.span(1))


def _phrase(low: str, head: re.Match[str], kind: str) -> TextSpan | None:
    """Return the words after "my passphrase is" or "parola cümlem"."""
    is_my = MY.search(low, max(0, head.start() - 80), head.start())
    match = _PHRASE.match(low, head.end()) if is_my else None
    told_of = _TOLD_OF if match else _SAID_OF
    match = match or _TURKISH_PHRASE.match(low, head.end())
    return TextSpan(kind, *match.span(1)) if match and _is_phrase(match[1], told_of, _joining()) else None


def _row(low: str, head: re.Match[str], named: str) -> re.Match[str] | None:
    """Match a passphrase of plain words after "my password is", "şifrem" or "wifi parolası"."""
    is_turkish = named in _PASSWORDS
    match = _words_behind(low, head, is_turkish)
    if match is None:
        return None
    row = re.split(r"[\s-]+", match[1])
    if is_turkish:  # at the beginning, "doğru" is no function word
        joining = _joining_in("tr") - {word for word in row[:1] if is_nothing(word)}
        is_row = _is_phrase(match[1], _SAID_OF, joining) and not any(map(_BENT.search, row))
    else:
        is_row = _is_phrase(match[1], _TOLD_OF, _joining()) and not row[0].endswith(("ing", "en"))
    return match if is_row and len(row) <= _ROW_MAX else None


def _words_behind(low: str, head: re.Match[str], is_turkish: bool) -> re.Match[str] | None:
    """Match plain words right after a name of the speaker's or a network's secret."""
    before = low[max(0, head.start() - 80) : head.start()]
    if is_turkish:
        match = _TURKISH_PHRASE.match(low, head.end())
        return match or (_NETWORK_PHRASE.match(low, head.end()) if _NETWORK.search(before) else None)
    return _PHRASE.match(low, head.end()) if MY.search(before) or _NETWORK.search(before) else None


def _is_phrase(told: str, told_of: re.Pattern[str], joining: frozenset[str]) -> bool:
    """Whether words are a list of nouns and no sentence."""
    row = re.split(r"[\s-]+", told)
    if sum(map(is_nothing, row)) > 1 or is_nothing(row[-1]) or told_of.search(row[-1]):
        return False
    return not any(map(_TOLD_OF.search, row)) and joining.isdisjoint(row)


@cache
def _joining() -> frozenset[str]:
    """Return the function words of both languages."""
    return _joining_in("en") | _joining_in("tr")


@cache
def _joining_in(language: str) -> frozenset[str]:
    names = (f"function-words.{language}", f"stop-index.{language}")
    return frozenset(plain(word) for name in names for word in words.words(name))


# Values right after their name, without verb or punctuation: "user ada password …", "CVV 473", "auth token …".


_PASSWORD = expression(r"[ \t]{1,2}(\S{8,64})")
_STRONG = expression(r"(?=\S*[a-z])(?=\S*[A-Z])(?=\S*\d)(?=\S*[!@#$%^&*+=~_])")
"""A value after "password" without "is" counts only with letters of both cases, a digit and a symbol."""
_LOGIN = expression(
    r"(?:\b(?:user(?:name)?|login|log(?:ged)? in as|kullanici(?: adi)?)[ \t]{0,2}[:=]?[ \t]{1,3}"
    r"(?!(?:for|has|had|have|with|to|and|or|the|an?|is|was|must|should|can|sets?|needs?|enters?|forgot|resets?)\b)\S{1,64}|\S{1,64}@\S{1,64}"
    r"|\b(?:with|using))[ \t,;/]{1,3}(?:(?:and|with|ve)[ \t]{1,2})?(?:(?:the|a)[ \t]{1,2})?\Z"
)
"""A login before the name of a secret, after which weaker values count."""
_LOGIN_MAX = 160
_WEAK = expression(r"[A-Za-z]*\d{0,2}[A-Za-z]*\Z")
"""No more than a name with a number: OAuth2Token."""
_CODE = expression(r"2?[ \t]{1,2}#?(\d{3,4})(?![\w/%-]|[.,]\d)")
_YEAR = expression(r"(?:19|20)\d\d\Z")
_CARD = expression(r"\b(?:cvv|exp\b|expir|card|kart|visa\b|mastercard|son kullanma)|\d{4}[ -]?\d{4}[ -]?\d{4}")
_CARD_MAX = 120
_KEY = expression(r"[ \t]{1,2}[\"'`]?([\w-]{24,200})(?![\w-])")
_HEX = expression(r"(?!0x[0-9a-f]{40}\Z)(?=\D*\d)(?:0x)?(?=[0-9]*[a-f])[0-9a-f]{24,}\Z", re.IGNORECASE)
"""Forty digits after 0x are a public address of a blockchain."""
_PIN = expression(r"(?:[ \t]{1,2}code)?[ \t]{1,2}#?(\d{4,8})(?![\w/%-]|[.,]\d)")
_PUK_LENGTH = 8
_SIGNED = expression(r"(?=\S*[^\W\d_])(?=\S*\d)[^\W_]\S*[!@#$%^&*+=~]")
"""A password without explanation has a letter, a digit and a symbol."""
_OF_TURKISH = expression(r"(?:s[iu]n[iu]|s[iu]yl[ae]|m[iu](?:z[iu])?|m(?:[iu]z)?l[ae])\b")
"""Turkish after value and "şifre": … şifresini kullanıyorum, … şifresiyle giriyorum."""
_STROKE = expression(r"[/|,][ \t]{1,2}(?=(\S{6,64})(?!\S))")
"""Separator between user name and password."""
_PAIR_MAX = 120
_KEYS = frozenset({"api-key", "secret-key", "private-key", "token"})


def given_bare(text: str, low: str, head: re.Match[str], kind: str) -> TextSpan | None:
    """Return the value right after a name of a secret, if it can be nothing else."""
    if kind == "password":
        return _password(text, low, head)
    if kind == "card-code":
        return _card_code(text, low, head)
    if kind in ("pin", "puk"):
        return _pin(low, head, kind)
    return _key(text, head, kind) if kind in _KEYS else None


def _password(text: str, low: str, head: re.Match[str]) -> TextSpan | None:
    match = _PASSWORD.match(text, head.end())
    if match is None:
        return None
    value = match[1].strip(EDGES.replace("!", ""))
    is_login = _LOGIN.search(low, max(0, head.start() - _LOGIN_MAX), head.start())
    is_told = _STRONG.match(value) or (is_login and not _WEAK.match(value))
    if not is_told or not is_strict(value):
        return None
    start = text.index(value, match.start(1))
    return TextSpan("password", start, start + len(value))


def _card_code(text: str, low: str, head: re.Match[str]) -> TextSpan | None:
    """Find the security code of a card, where a card is mentioned; a year is none."""
    match = _CODE.match(text, head.end()) if head.group().startswith("cv") else None
    if match is None or _YEAR.match(match[1]) or not _CARD.search(low, max(0, head.start() - _CARD_MAX), match.end()):
        return None
    return TextSpan("card-code", *match.span(1))


def _key(text: str, head: re.Match[str], kind: str) -> TextSpan | None:
    """Find a key that looks random, or a long hexadecimal number."""
    match = _KEY.match(text, head.end())
    if match is None or is_placeholder(match[1]) or not (_HEX.match(match[1]) or is_random(match[1])):
        return None
    return TextSpan(kind, *match.span(1))


def _pin(low: str, head: re.Match[str], kind: str) -> TextSpan | None:
    """Find the digits after "PIN", if what they open precedes it, or after "PUK", if the length fits."""
    match = _PIN.match(low, head.end())
    if match is None:
        return None
    is_puk = kind == "puk" and len(match[1]) == _PUK_LENGTH
    is_pin = kind == "pin" and not _YEAR.match(match[1]) and secrecy.is_locked_before(low, head.start())
    return TextSpan(kind, *match.span(1)) if is_puk or is_pin else None


def before_turkish(text: str, low: str, head: re.Match[str], kind: str) -> TextSpan | None:
    """Return the value right before a Turkish name of a secret: "Galata#1453 şifresini"."""
    if kind != "password" or not _OF_TURKISH.match(low, head.end()):
        return None
    before = text[max(0, head.start() - _PAIR_MAX) : head.start()]
    if not before or not before[-1].isspace():
        return None
    value = before.split()[-1].strip(EDGES.replace("!", ""))
    start = text.rindex(value, 0, head.start()) if value else 0
    return TextSpan(kind, start, start + len(value)) if _is_signed(value) else None


def pairs(text: str) -> Iterator[TextSpan]:
    """Find passwords after a user name and a separator: "login: ada / Galata#1453"."""
    if "/ " not in text and "| " not in text and ", " not in text:
        return
    for match in _STROKE.finditer(text):
        value = match[1].rstrip(EDGES.replace("!", "").replace("*", ""))
        if _is_signed(value) and _is_login(text[max(0, match.start() - _PAIR_MAX) : match.start()], match.group()[0]):
            yield TextSpan("password", match.start(1), match.start(1) + len(value))


def _is_login(before: str, stroke: str) -> bool:
    """Whether a user name precedes: a mail address, or what follows "login:"."""
    before = before.rstrip(" \t")
    name = before.rpartition(" ")[2]
    return (stroke != "," and "@" in name[1:]) or bool(_labelled().search(plain(before)))


@cache
def _labelled() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(lists.words('login-labels')))})[ \t]{{0,2}}[:=][ \t]{{0,2}}\S{{1,64}}\Z")


def _is_signed(value: str) -> bool:
    return bool(_SIGNED.match(value)) and is_strict(value)
