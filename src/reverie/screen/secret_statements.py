"""Detect secrets by the words around them: "my wifi password is …", "şifrem …", ``API_KEY=…``, ``Bearer …``.

In: a text. Out: spans of the values, unordered and possibly overlapping. Values computed by code, placeholders in
documentation and talk about passwords are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from reverie.language.text.letters import plain, turkish_evidence
from reverie.language.text.words import expression
from reverie.screen import lists, secrecy, secret_forms
from reverie.screen.secrecy import EDGES, NAME_OF_CODE, is_example, is_nothing, is_placeholder, is_strict, looks_secret
from reverie.screen.values import TextSpan

_CLOSERS = ".,;:?…\"'`“”‘’«»)]}>*"
_ASSIGNED = expression(
    r"""(?:[\w.-]{0,24}["'\]]{0,3}\s{0,4}(?::=|=>|={1,2}|:)|(?:s[iı])?["']\s{1,4}value\s{0,2}=)"""
    r"""\s{0,4}(?:["'`]([^"'`\n]{4,200})["'`]|([^\s"'`,;<>]{4,200}))"""
)
_COPULA = expression(
    r"(?:['’]s)?(?:[ \t]{1,3}[\w'’-]{1,20}){0,6}?"
    r"(?:[ \t]{1,3}(?:used to be|is|was|are|to)|\s{0,2}:)"
    r"(?:[ \t]{1,3}(?:now|currently|just|still|(?:re)?set to|changed to|updated to|actually|this))?:?\s{1,3}"
    r"(?:(?:[-*•]|\d{1,2}[.)])\s{1,2})?(?:[\"“'`*]{1,3}([^\"”'`*\n]{4,64})[\"”'`*]|(\S{3,200}))"
)
_TURKISH = expression(r"[a-z]{0,10}(?:['’][a-z]{1,6})?\s{0,2}[:=]?((?:\s{1,3}\S{1,200}){1,5})")
_NO_WORD = expression(r"[0-9!@#$%^&*+=~]")
_BEFORE = expression(
    r"(?<!\S)(\S{4,200})[ \t]{1,3}(?:(?:is|was)[ \t]{1,3}(?:my|our)|(as)[ \t]{1,3}(?:the|my|our)|benim|bizim)[ \t]{1,3}"
    r"(?:[\w'’-]{1,20}[ \t]{1,3}){0,3}\Z"
)
_NAMED_LAST = expression(
    r"[a-z]{0,10}\s{0,3}(?:[.!?,;\n)]|\Z|(?:for|on|at|to|in|with|and|but|or|so|because"
    r"|too|now|since|everywhere|anywhere|here|there|ve)\b)"
)
"""What may follow "X is my password"; not a noun as in "my password manager"."""
_BEFORE_MAX = 300
_PASS = expression(
    r"(?:(?:\A|[\n.;,|/(])\s{0,3}|\bmy\s{1,2}|\b(user(?:name)?|login|wi-?fi|kullan[ıi]c[ıi](?: ad[ıi])?)\s{0,2}[:=]?"
    r"(?:\s{1,2}[^\s:]{1,64})?\s{1,3})pass\s{0,2}[:=]\s{0,3}([^\s\"'`,;<>]{6,128})",
    re.IGNORECASE,
)
""""pass" means password only at the beginning or after a login: a boarding pass has a number, too."""
_NEXT = expression(
    r"(?:['’]?[a-z]{1,5}|\s{1,2}(?:idi|iken))?[\"'”’`*.,;!]{0,3}\s{1,3}(?:(?:but|and|then|ama|fakat|ve)\s{1,3})?"
    r"(?:(?:now|simdi|simdiki|simdiyse|artik|yenisi)(?:\s{1,2}(?:it(?:['’]s|\s(?:is|was))|is|ise))?"
    r"|it(?:['’]s|\sis)\snow|(?:i\s{1,2})?changed\s(?:it\s)?to)\s{0,2}:?\s{1,3}(\S{6,200})"
)
"""A current value after a former one."""
_ITEM = r"(?:(?:[-*•]|\d{1,2}[.)])\s{1,2})?"
_ALSO = expression(
    rf"\s{{0,2}}(?:[,;/&\n]|\band\b|\bve\b)\s{{0,3}}(?:(?:and|ve)\s{{1,2}})?{_ITEM}(\S{{6,64}})"
    r"|[ \t]{1,4}(\S{6,64})"
)
"""The next value of a list; after a blank alone only one of the same form."""
_NUMBERED = expression(r"\d{1,2}\.\Z")
_LISTED_MAX = 32
_IN_YEAR = expression(r"(?:19|20)\d\d(?:['’][dt][ae]n?\b|\s{1,2}(?:y[ıi]l|sene))")
_DIGITS = expression(r"\d{3,8}\Z")
_LONG_WORD = expression(r"[A-Za-z]{6,24}\Z")
_ENDS = expression(r"\s*(?:[.!?,\n)]|\Z)")
_BEARER = expression(
    r"\b(?:bearer|authorization[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?:basic|token|bearer))\s{1,3}([\w.~+/=-]{12,2000})"
)
_SEED = expression(
    r"(?:mnemonic[\"']?\s{0,2}(?=[:=])"
    r"|(?:seed|recovery|mnemonic|backup|wallet|kurtarma|gizli)\W{1,3}(?:phrase|words?|seed|kelime\w{0,8}|ifade\w{0,8})"
    r"(?:\W{1,3}\w{1,10}){0,4}?)\W{1,6}((?:[a-z]{3,8}(?:, ?|\s{1,2})){11,23}[a-z]{3,8})\b"
)
_SEED_WORDS = ("phrase", "words", "mnemonic", "kelime", "ifade")
_ONE_TIME = expression(
    r"(?i:2fa|mfa|totp|otp|authenticator|doğrulayıcı|two.factor|iki (?:faktörlü|adımlı|aşamalı))"
    r"(?:[ \t]{1,3}[\w'’-]{1,20}){0,3}?[ \t]{1,3}"
    r"(?i:secret|seed|key|anahtar\w{0,6}|sır\w{0,6})(?:[ \t]{1,3}(?:is|şu))?\s{0,2}[:=]?\s{0,2}[\"'`“]?"
    r"(?<!\w)((?=[A-Z ]{0,70}[2-7])[A-Z2-7]{4}(?:[ -]?[A-Z2-7]{4}){3,15}"
    r"|(?=(?:[a-z ]{0,70}[2-7]){2})[a-z2-7]{4}(?: [a-z2-7]{4}){3,15})(?!\w)"
)
_NUMERIC = {"pin": (4, 5), "card-code": (3, 4), "one-time-code": (4, 8), "recovery-code": (6, 8), "puk": (8, 8)}
"""Kinds of secrets that may be digits alone, and their lengths. A PIN of six digits is an Indian postal code, unless
what it opens is named."""
_OWN_PIN_MAX = 8
_OF_A_THING = ("pini", "pinini")
"""Forms of "pin" that count only beside what they open: coins and boards have pins, too."""
_OPENING = ("pin", "password")
_OWN_DIGITS, _LOCK_DIGITS = expression(r"\d{6,8}\Z"), expression(r"\d{4,8}\Z")
_GROUPS = expression(r"\d{4,6}(?:-\d{4,6}){1,4}\Z")
_OWN_ENDING = expression(r"[iu]?m(?:iz|uz)?(?:[iu]|in|un)?\b")
_ENDS_HERE = expression(r"['’]|\s{0,3}(?:[.!?,;\n)]|\Z|(?:oldu|idi|olarak|yaptim|ama|ve|but|and)\b)")


def statements(text: str) -> Iterator[TextSpan]:
    """Find every value that is stated as a secret."""
    low = plain(text)
    if any(map(low.__contains__, _stems())):
        for head in _heads().finditer(low):
            kind = _kinds()[re.sub(r"[\s_-]", "", head.group())]
            if not _things().match(low, head.end()):
                yield from _first(text, low, head, kind)
    if "pass" in low:
        yield from _passes(text)
    yield from secret_forms.pairs(text)
    if "bearer" in low or "authorization" in low:
        yield from (
            TextSpan("token", *m.span(1)) for m in _BEARER.finditer(low) if looks_secret(text[slice(*m.span(1))])
        )
    if any(map(low.__contains__, lists.words("one-time-signs"))):
        yield from (TextSpan("one-time-secret", *match.span(1)) for match in _ONE_TIME.finditer(text))
    if any(map(low.__contains__, _SEED_WORDS)):
        yield from _seeds(low)


def _passes(text: str) -> Iterator[TextSpan]:
    """Find ``pass: value``; after a login also values that look like examples."""
    for match in _PASS.finditer(text):
        start, end = _trimmed(text, *match.span(2))
        if looks_secret(text[start:end]) if match[1] else is_strict(text[start:end]):
            yield TextSpan("password", start, end)


@cache
def _kinds() -> Mapping[str, str]:
    named = {**lists.table("secret-words.tr"), **lists.table("secret-words.en")}
    return {plain(words).replace(" ", ""): kind for words, kind in named.items()}


@cache
def _heads() -> re.Pattern[str]:
    """Return the pattern of names of secrets: short ones as whole words, long ones also within DB_PASSWORD."""
    told = {plain(words) for name in ("en", "tr") for words in lists.table(f"secret-words.{name}")}
    written = {word: re.escape(word).replace(r"\ ", r"[\s_-]?") for word in told}
    ordered = sorted(told, key=lambda word: (-len(word), word))
    alone = "|".join(written[word] for word in ordered if len(word) < 5)
    return re.compile(
        "|".join(written[word] for word in ordered if len(word) >= 5) + rf"|(?<![a-z])(?:{alone})(?![a-z])"
    )


@cache
def _stems() -> tuple[str, ...]:
    """Return the last words of the lists: a text without any of them has no name of a secret."""
    last = {plain(words).split()[-1] for name in ("en", "tr") for words in lists.table(f"secret-words.{name}")}
    return tuple(sorted(word for word in last if not any(other != word and other in word for other in last)))


def _first(text: str, low: str, head: re.Match[str], kind: str) -> Iterator[TextSpan]:
    """Find the value that belongs to a name of a secret, and further ones."""
    found = (
        _assigned(text, head.end(), kind)
        or _said(text, low, head, kind)
        or (_said_in_turkish(text, low, head, kind) if _is_turkish(text, head.group()) else None)
        or _said_before(text, low, head, kind)
        or secret_forms.before_turkish(text, low, head, kind)
        or secret_forms.given_in_words(low, head, kind)
        or secret_forms.given_bare(text, low, head, kind)
    )
    further = _ALSO if kind == "recovery-code" else _NEXT
    for _ in range(_LISTED_MAX):
        if found is None:
            return
        yield found
        found = _further(text, low, found, further)


def _further(text: str, low: str, before: TextSpan, form: re.Pattern[str]) -> TextSpan | None:
    """Return the value after a value: the next of a list, or the current one."""
    match = form.match(low, before.end)
    if match is None:
        return None
    start, end = _without_ending(text, *_trimmed(text, *match.span(match.lastindex or 0)))
    value = text[start:end]
    if match.lastindex == 2 and _form(value) != _form(text[before.start : before.end]):
        return None
    return TextSpan(before.kind, start, end) if _is_told(value, before.kind, own=True) else None


def _form(value: str) -> tuple[int, bool, bool]:
    """Return what codes of one list have in common: their length, and whether they have letters and digits."""
    return len(value), any(map(str.isalpha, value)), any(map(str.isdigit, value))


@cache
def _things() -> re.Pattern[str]:
    """Return the pattern that turns a name of a secret into something else: "password manager", "şifreli"."""
    english = "|".join(map(re.escape, sorted(lists.words("secret-things.en"))))
    turkish = "|".join(map(re.escape, sorted(lists.words("secret-things.tr"))))
    return re.compile(
        rf"(?:li|l[ae]m[ae][a-z]{{0,6}})\b|[a-z]{{0,10}}(?:['’][a-z]{{1,6}})?[\s_-]{{1,3}}(?:(?:{english})(?:['’]s)?"
        rf"|(?:{turkish})[a-z]{{0,10}})(?=\s|[=:.,;\"'’](?:\s|\Z)|\Z)"
    )


@cache
def _turkish() -> frozenset[str]:
    """Return the Turkish names of secrets, folded."""
    return frozenset(map(plain, lists.table("secret-words.tr")))


def _is_turkish(text: str, naming: str) -> bool:
    """Whether a name is Turkish; if English has the same word, the text decides."""
    named = re.sub(r"[\s_-]+", " ", naming)
    return named in _turkish() and (named not in lists.table("secret-words.en") or turkish_evidence(text) > 0)


def _assigned(text: str, at: int, kind: str) -> TextSpan | None:
    """Match ``name = "value"`` or ``name: value``."""
    match = _ASSIGNED.match(text, at)
    if match is None:
        return None
    group = 1 if match[1] is not None else 2
    start, end = match.span(group)
    if group == 2:
        start, end = _trimmed(text, start, end)
    value = text[start:end]
    if _is_digits(value, kind, own=False):
        return TextSpan(kind, start, end)
    if is_example(value) or is_nothing(value) or not looks_secret(value) or " " in value:
        return None
    is_name = group == 2 and NAME_OF_CODE.match(value)
    return None if is_name else TextSpan(kind, start, end)


def _said(text: str, low: str, head: re.Match[str], kind: str) -> TextSpan | None:
    """Match ``the password for the wifi is value``."""
    match = _COPULA.match(text, head.end())
    if match is None:
        return None
    own, opens = _owned(low, head, match.end(), kind)
    if match[1] is not None:
        return TextSpan(kind, *match.span(1)) if _is_quoted(match[1], kind, own) else None
    start, end = _trimmed(text, *match.span(2))
    value = text[start:end]
    is_told = (
        _is_told(value, kind, own)
        or ((own or opens) and _is_own_number(low, end, value, kind, opens))
        or _is_word(text, end, value, kind, own)
    )
    return TextSpan(kind, start, end) if is_told and not _is_open(value, own) else None


def _owned(low: str, head: re.Match[str], end: int, kind: str) -> tuple[bool, bool]:
    """Return whether an English secret is the speaker's own, and whether what it opens is named up to ``end``."""
    opens = kind in _OPENING and secrecy.is_locked(low, head.start(), end)
    is_my = bool(secret_forms.MY.search(low, max(0, head.start() - 80), head.start()))
    return is_my or (kind == "pin" and opens), opens


def _is_quoted(value: str, kind: str, own: bool) -> bool:
    """Whether a quoted value is a secret: no placeholder, and no example of somebody else."""
    if any(map(is_nothing, value.split())) or is_placeholder(value):
        return False
    is_told = kind in ("password", "recovery-code") or looks_secret(value)
    return is_told and (own or not is_example(value))


def _is_open(value: str, own: bool) -> bool:
    """Whether a value is no secret, or an example that is not said to be one's own."""
    return is_nothing(value) or (is_example(value) and not own and not value.isdecimal())


def _said_in_turkish(text: str, low: str, head: re.Match[str], kind: str) -> TextSpan | None:
    """Match ``wifi şifremiz value``: Turkish needs no verb, so the value is the first word that looks like one."""
    at = head.end()
    match = _TURKISH.match(low, at)
    if match is None or not _NO_WORD.search(low, *match.span(1)):
        return None
    opens = kind in _OPENING and secrecy.is_locked_before(low, head.start())
    own = opens or secrecy.is_of_mine(low, head.start())
    if head.group() in _OF_A_THING and not own:
        return None
    own = own or bool(_OWN_ENDING.match(low, at))
    for start, end in _values(text, match, at):
        value = text[start:end]
        if _is_told(value, kind, own=True) or (own and _is_own_number(low, end, value, kind, opens)):
            return TextSpan(kind, start, end)
    return None


def _values(text: str, match: re.Match[str], at: int) -> Iterator[tuple[int, int]]:
    """Yield candidates for the value among the words after a Turkish name, which ends at ``at``."""
    for word in re.finditer(r"\S+", text[slice(*match.span(1))]):
        start, end = _trimmed(text, match.start(1) + word.start(), match.start(1) + word.end())
        if _IN_YEAR.match(text, start):
            return
        start, end = _without_ending(text, start, end)
        if text[max(0, start - 1)] in "\"'" and "=" in text[at:start]:
            return  # an assignment, examined before
        if not is_nothing(text[start:end]):
            yield start, end
        if word.group()[-1] in ".!?;" and not _NUMBERED.match(word.group()):
            return


def _said_before(text: str, low: str, head: re.Match[str], kind: str) -> TextSpan | None:
    """Match ``value is my password``."""
    at = head.start()
    match = _BEFORE.search(text, max(0, at - _BEFORE_MAX), at)
    if match is None or not _NAMED_LAST.match(low, head.end()):
        return None
    start, end = _trimmed(text, *match.span(1))
    value = text[start:end]
    is_told = is_strict(value) if match[2] else _is_told(value, kind, own=True)
    return TextSpan(kind, start, end) if is_told else None


def _without_ending(text: str, start: int, end: int) -> tuple[int, int]:
    """Remove the case ending after an apostrophe from a value."""
    cut = max(text.rfind("'", start, end), text.rfind("’", start, end))
    return (start, cut) if cut - start >= 3 and end - cut <= 7 and text[cut + 1 : end].isalpha() else (start, end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Remove punctuation around a value; a final ``!`` more likely belongs to the password than to the sentence."""
    while start < end and text[start] in EDGES:
        start += 1
    while end > start and text[end - 1] in _CLOSERS:
        end -= 1
    return start, end


def _is_told(value: str, kind: str, own: bool) -> bool:
    return (looks_secret(value) or _is_digits(value, kind, own)) and not is_nothing(value)


def _is_digits(value: str, kind: str, own: bool) -> bool:
    if kind == "recovery-code" and _GROUPS.match(value):
        return True
    if kind not in _NUMERIC or not _DIGITS.match(value):
        return False
    least, most = _NUMERIC[kind]
    return least <= len(value) <= (_OWN_PIN_MAX if own and kind == "pin" else most)


def _is_own_number(low: str, end: int, value: str, kind: str, opens: bool) -> bool:
    """Whether digits are stated as one's own password: "my password is 147258."; fewer if they open a thing."""
    form = _LOCK_DIGITS if opens else _OWN_DIGITS
    return kind == "password" and bool(form.match(value)) and bool(_ENDS_HERE.match(low, end))


def _is_word(text: str, end: int, value: str, kind: str, own: bool) -> bool:
    """Whether a plain word is stated as one's own password: "my password is sunflower."."""
    return own and kind == "password" and bool(_LONG_WORD.match(value)) and bool(_ENDS.match(text, end))


def _seeds(low: str) -> Iterator[TextSpan]:
    """Find the twelve to twenty-four words of a wallet's seed phrase."""
    for match in _SEED.finditer(low):
        if lists.words("no-seed").isdisjoint(re.findall(r"[a-z]+", match[1])):
            yield TextSpan("seed-phrase", *match.span(1))
