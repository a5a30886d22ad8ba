"""Judge a value: is it a secret, random, or a placeholder, and does it open something that takes digits only."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from reverie.language.text.letters import plain
from reverie.language.text.words import expression
from reverie.screen import lists

# Whether a value looks like a secret, like chance, or like the stand-in for one. In: a value. Out: yes or no.


EDGES = ".,;:!?…\"'`“”‘’«»()[]{}<>*"
"""What stands around a value and is no part of it."""
_DISTINCT_MIN = 6
"""Fewer different characters than this in a long value are a stand-in: ``AKIAXXXXXXXXXXXXXXXX``."""
_RANDOM_MIN = 24
_BLOB_MIN = 256
"""What is longer is data, not a token; tokens so long are told by their beginnings."""
_MIXED_CHANGES = 0.42
"""Share of neighbours of different class (lower, upper, digit): .62 in chance over 62 signs, under .35 in names."""
_LOWER_CHANGES = 0.25
"""The same without capitals: .40 in chance over 36 signs, under .2 in names with numbers."""
_SIGNS = frozenset("!@#$%^&*+=~?")
_KEY_MIN = 40
_CAPITALS_MIN, _CAPITALS_CHANGES = 28, 0.15
"""Capitals and digits: base32 has but six digits. What is shorter may be one of the usual sortable ids of 26."""
_HEX = expression(r"[0-9A-Fa-f-]+\Z")
_NAMED_HEX = expression(r"((?:[a-z][a-z0-9]{1,11}[_-]){1,3})[0-9a-f]{32,}\Z")
_INNER_SIGN = expression(r"[^\W_][!@#$%^&*+=~?_.-]+[^\W_]")
_DATED = expression(r"[\d.:/,+-]+(?:[ap]m|st|nd|rd|th|px|em|rem|ms|s|mb|gb|kb|%)?\Z")
_CODE = expression(
    r"[()\[\]{}<>]|::|->|\A\$[A-Za-z_]|\A%\w+%\Z|\A(?:self|this|os|process|secrets|config|request|req|data|env|settings)\."
)
NAME_OF_CODE = expression(r"[A-Za-z]+(?:_[A-Za-z]*\d{0,3}){0,9}\Z|[a-z]+\d{0,2}\Z|[A-Za-z]+\Z")
"""Without quotes these are variables: userToken, db_pass2."""
_LINK = expression(r"\A(?:https?:|www\.|[\w.+-]+@[\w-]+\.\w|[/~.]+\w+/)")


@cache
def _stand_ins() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(lists.words("placeholders")))))


def is_placeholder(value: str) -> bool:
    """Whether a value is only a placeholder for a secret."""
    if len(value) >= 2 * _DISTINCT_MIN and len(set(value[:_BLOB_MIN])) < _DISTINCT_MIN:
        return True
    return bool(_stand_ins().search(plain(value)))


def is_nothing(word: str) -> bool:
    """Whether a word is one that is said about secrets."""
    folded = plain(word.strip(EDGES))
    return folded in lists.words("no-secrets.en") or folded in lists.words("no-secrets.tr")


@cache
def _example() -> re.Pattern[str]:
    parts = "|".join(map(re.escape, sorted(lists.words("example-parts"), key=lambda part: (-len(part), part))))
    return re.compile(rf"(?>(?>{parts})[\W\d_]*+)++\Z")  # what was read once is not read anew: a value may be hostile


def is_example(value: str) -> bool:
    """Whether a value is put together like those of tutorials: ``my_secret_key``, ``password123``."""
    bare = value.strip("0123456789_-!@#$%^&*.")
    return not bare or bool(_example().match(plain(bare)))


def is_random(value: str) -> bool:
    """Whether letters and digits follow one another as in a token made by chance: 24 signs or more."""
    if not _RANDOM_MIN <= len(value) < _BLOB_MIN:
        return False
    if _HEX.match(value):
        return False  # a checksum, a commit or an id; a secret of such signs is known by what is said of it
    if named := _NAMED_HEX.match(value):
        return not lists.words("no-token-prefixes") & set(re.split(r"[_-]", named[1]))
    if not any(map(str.isupper, value)) and sum(map(str.isdigit, value)) < 2:
        return False  # most values, in a fifth of the time
    return _is_shuffled([_class(sign) for sign in value if sign.isalnum()])


def _is_shuffled(classes: list[str]) -> bool:
    """Whether digits, capitals and small letters change as often as chance makes them."""
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
    """Whether a value called a password, key or token is one: no ordinary word, date, code or placeholder."""
    if len(value) < 6 or is_placeholder(value):
        return False
    if len(value) >= _KEY_MIN and value.endswith("="):
        return True  # base64 that is filled up; it may begin like a path
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
    """Whether a value has a capital behind its beginning, small letters, and something that is no letter."""
    return not value.isalpha() and any(map(str.isupper, value[1:])) and any(map(str.islower, value))


def is_strict(value: str) -> bool:
    """Whether a value is one where the words around it leave a doubt: no example, and no name of code."""
    return looks_secret(value) and not (is_example(value) or is_nothing(value) or NAME_OF_CODE.match(value))


# What is opened by digits alone, a telephone, a card, a door: beside it four to eight digits are a secret.


_BEFORE_MAX = 40
_ENGLISH_BEFORE_MAX = 20
_CLAUSE_ENDS = expression(r"[.,;:!?\n]")
_OWNER = expression(r"\b[a-z]{2,20}[iu]m(?:[iu]z)?(?:['’]?[iu]n)(?:[ \t]{1,3}[\w'’-]{1,20}){0,2}[ \t]{1,3}\Z")
"""Of something of mine: telefonumun ekran kilidi şifresi."""


def is_locked(low: str, start: int, end: int) -> bool:
    """Whether English names such a thing shortly before ``start`` or up to ``end``: "the PIN for my phone is"."""
    return bool(_english().search(low, max(0, start - _ENGLISH_BEFORE_MAX), end))


def is_locked_before(low: str, start: int) -> bool:
    """Whether a thing with a PIN is named right before ``start`` in the same clause, in either language: "SIM PIN"."""
    lead = _lead(low, start)
    return bool(_turkish().search(lead) or _english().search(lead))


def is_of_mine(low: str, start: int) -> bool:
    """Whether Turkish says of something of one's own that it has what is named at ``start``: "telefonumun şifresi"."""
    return bool(_OWNER.search(_lead(low, start)))


def _lead(low: str, start: int) -> str:
    return _CLAUSE_ENDS.split(low[max(0, start - _BEFORE_MAX) : start])[-1]


@cache
def _english() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(lists.words('pin-things.en')))})\b")


@cache
def _turkish() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(lists.words('pin-things.tr')))})[a-z]{{0,10}}(?:['’][a-z]{{1,6}})?\b")
