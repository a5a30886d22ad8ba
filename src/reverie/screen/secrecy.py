"""Decide whether a value looks like a secret, random, or like a placeholder; and what is opened by digits alone."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from reverie.language.text.letters import plain
from reverie.language.text.words import expression
from reverie.screen import lists

EDGES = ".,;:!?…\"'`“”‘’«»()[]{}<>*"
"""Punctuation around a value that does not belong to it."""
_DISTINCT_MIN = 6
"""A long value with fewer different characters is a placeholder: ``AKIAXXXXXXXXXXXXXXXX``."""
_RANDOM_MIN = 24
_BLOB_MIN = 256
"""Longer values are data, not tokens; longer tokens are known by their prefixes."""
_MIXED_CHANGES = 0.42
"""Share of neighbours of different class (lower, upper, digit): .62 in random strings of 62 characters, < .35 in
names."""
_LOWER_CHANGES = 0.25
"""The same share without capitals: .40 in random strings of 36 characters, under .2 in names with numbers."""
_SIGNS = frozenset("!@#$%^&*+=~?")
_KEY_MIN = 40
_CAPITALS_MIN, _CAPITALS_CHANGES = 28, 0.15
"""For capitals and digits: base32 has only six digits. Shorter values may be sortable ids of 26 characters."""
_HEX = expression(r"[0-9A-Fa-f-]+\Z")
_NAMED_HEX = expression(r"((?:[a-z][a-z0-9]{1,11}[_-]){1,3})[0-9a-f]{32,}\Z")
_INNER_SIGN = expression(r"[^\W_][!@#$%^&*+=~?_.-]+[^\W_]")
_DATED = expression(r"[\d.:/,+-]+(?:[ap]m|st|nd|rd|th|px|em|rem|ms|s|mb|gb|kb|%)?\Z")
_CODE = expression(
    r"[()\[\]{}<>]|::|->|\A\$[A-Za-z_]|\A%\w+%\Z|\A(?:self|this|os|process|secrets|config|request|req|data|env|settings)\."
)
NAME_OF_CODE = expression(r"[A-Za-z]+(?:_[A-Za-z]*\d{0,3}){0,9}\Z|[a-z]+\d{0,2}\Z|[A-Za-z]+\Z")
"""Names of variables if not in quotes: userToken, db_pass2."""
_LINK = expression(r"\A(?:https?:|www\.|[\w.+-]+@[\w-]+\.\w|[/~.]+\w+/)")


@cache
def _stand_ins() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(lists.words("placeholders")))))


def is_placeholder(value: str) -> bool:
    """Whether a value is a placeholder for a secret."""
    if len(value) >= 2 * _DISTINCT_MIN and len(set(value[:_BLOB_MIN])) < _DISTINCT_MIN:
        return True
    return bool(_stand_ins().search(plain(value)))


def is_nothing(word: str) -> bool:
    """Whether a word belongs to talk about secrets and is none itself."""
    folded = plain(word.strip(EDGES))
    return folded in lists.words("no-secrets.en") or folded in lists.words("no-secrets.tr")


@cache
def _example() -> re.Pattern[str]:
    parts = "|".join(map(re.escape, sorted(lists.words("example-parts"), key=lambda part: (-len(part), part))))
    return re.compile(rf"(?>(?>{parts})[\W\d_]*+)++\Z")  # possessive: never backtracks, since a value may be hostile


def is_example(value: str) -> bool:
    """Whether a value is composed like those of tutorials: ``my_secret_key``, ``password123``."""
    bare = value.strip("0123456789_-!@#$%^&*.")
    return not bare or bool(_example().match(plain(bare)))


def is_random(value: str) -> bool:
    """Whether letters and digits alternate as in a random token of 24 characters or more."""
    if not _RANDOM_MIN <= len(value) < _BLOB_MIN:
        return False
    if _HEX.match(value):
        return False  # a checksum, commit or id; a secret of this form is recognised by the words around it
    if named := _NAMED_HEX.match(value):
        return not lists.words("no-token-prefixes") & set(re.split(r"[_-]", named[1]))
    if not any(map(str.isupper, value)) and sum(map(str.isdigit, value)) < 2:
        return False  # most values, in a fifth of the time
    return _is_shuffled([_class(sign) for sign in value if sign.isalnum()])


def _is_shuffled(classes: list[str]) -> bool:
    """Whether digits, capitals and small letters alternate as often as in random strings."""
    digits = classes.count("d")
    mixed = "u" in classes and "l" in classes
    if len(classes) < _RANDOM_MIN - 4 or digits > 0.6 * len(classes) or digits < (0 if mixed else 2):
        return False
    changes = sum(a != b for a, b in pairwise(classes)) / (len(classes) - 1)
    if "l" not in classes:
        return len(classes) >= _CAPITALS_MIN and changes >= _CAPITALS_CHANGES
    return changes >= (_MIXED_CHANGES if mixed else _LOWER_CHANGES)


def _class(sign: str) -> str:
    return "d" if sign.isdigit() else "u" if sign.isupper() else "l"


def looks_secret(value: str) -> bool:
    """Whether a value named as a password, key or token looks like one: no word, date, code or placeholder."""
    if len(value) < 6 or is_placeholder(value):
        return False
    if len(value) >= _KEY_MIN and value.endswith("="):
        return True  # padded base64, which may begin like a path
    if _is_code(value):
        return False
    has_letter = any(map(str.isalpha, value))
    if (has_letter and any(map(str.isdigit, value))) or is_random(value):
        return True
    if has_letter and _is_of_mixed_case(value):
        return True
    return bool(_INNER_SIGN.search(value)) and not _SIGNS.isdisjoint(value)


def _is_code(value: str) -> bool:
    return bool(_CODE.search(value) or _LINK.match(value) or _DATED.match(value))


def _is_of_mixed_case(value: str) -> bool:
    """Whether a value has a capital after its first character, small letters, and a non-letter."""
    return not value.isalpha() and any(map(str.isupper, value[1:])) and any(map(str.islower, value))


def is_strict(value: str) -> bool:
    """Whether a value looks secret even in doubtful surroundings: no example, and no name in code."""
    return looks_secret(value) and not (is_example(value) or is_nothing(value) or NAME_OF_CODE.match(value))


# Things opened by digits alone (telephone, card, door): beside them, four to eight digits are a secret.


_BEFORE_MAX = 40
_ENGLISH_BEFORE_MAX = 20
_CLAUSE_ENDS = expression(r"[.,;:!?\n]")
_OWNER = expression(r"\b[a-z]{2,20}[iu]m(?:[iu]z)?(?:['’]?[iu]n)(?:[ \t]{1,3}[\w'’-]{1,20}){0,2}[ \t]{1,3}\Z")
"""Turkish: something of mine: telefonumun ekran kilidi şifresi."""


def is_locked(low: str, start: int, end: int) -> bool:
    """Whether English text names such a thing shortly before ``start`` or up to ``end``: "the PIN for my phone is"."""
    return bool(_english().search(low, max(0, start - _ENGLISH_BEFORE_MAX), end))


def is_locked_before(low: str, start: int) -> bool:
    """Whether such a thing is named in the same clause before ``start``, in either language: "SIM PIN"."""
    lead = _lead(low, start)
    return bool(_turkish().search(lead) or _english().search(lead))


def is_of_mine(low: str, start: int) -> bool:
    """Whether Turkish text attributes what is named at ``start`` to a thing of the speaker: "telefonumun şifresi"."""
    return bool(_OWNER.search(_lead(low, start)))


def _lead(low: str, start: int) -> str:
    return _CLAUSE_ENDS.split(low[max(0, start - _BEFORE_MAX) : start])[-1]


@cache
def _english() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(lists.words('pin-things.en')))})\b")


@cache
def _turkish() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(lists.words('pin-things.tr')))})[a-z]{{0,10}}(?:['’][a-z]{{1,6}})?\b")
