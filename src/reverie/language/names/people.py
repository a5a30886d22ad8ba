"""Recognise persons in a text: relatives (mother, annem), names of persons, and mentions of persons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache

from reverie.language.names.entities import Word
from reverie.language.text import lists
from reverie.language.text.letters import APOSTROPHES, compose, fold, lower, plain

# Relatives: mother, mum; annem, anneciğim. Each language has one list, data/kin.*.txt.


_FIRST, _SECOND, _THIRD = r"[iu]?m(?:[iu]z)?", r"[iu]?n(?:[iu]z)?", r"s?[iu](?:n(?=.))?"
"""Turkish possessive endings: annem, annemiz; annen, anneniz; annesi, annesini."""
_OWNED = re.compile(rf"{_FIRST}|s?[iu]n?")
_MINE = re.compile(r"[iu]?m")
_BEFORE_OWNER = r"(?P<dear>c[iu](?:g(?=[iu])|(?=m)))?(?P<several>l[ae]r)?"
_BEHIND_OWNER = r"(?P<house>l[ae]r)?(?P<case>n?[iu]n|y?[iuae]|n[ae]|[dt][ae]n?(?:ki)?|y?l[ae]|d[iu]r|yd[iu])?"
"""Turkish endings before and after: anneciğim, kardeşlerim; annemler is her and her family."""
_NEEDS_OWNER = "+"
VOWELS = "aeıioöuü"
HIGH = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
"""Close vowel that follows each vowel by harmony."""
CIRCUMFLEX = str.maketrans("âîû", "aiu")


@lru_cache(maxsize=1 << 13)
def kin(word: str, language: str) -> str:
    """Return which relative a folded word names, or ""."""
    if language != "tr":
        return _named(language).get(word, "")
    found = _read(word)
    return _named("tr")[found["name"]] if found else ""


def kin_of(word: str, language: str) -> str:
    """Return which relative a word names as written, or ""."""
    return kin(fold(lower(word, language)), language)


def is_kin_subject(word: str) -> bool:
    """Whether a Turkish word, as written, is a relative of the speaker or of another, without case: annem, annesi."""
    found = _read(fold(lower(word, "tr")))
    return found is not None and _is_one(found) and not found["case"]


@lru_cache(maxsize=1 << 13)
def theirs(word: str) -> str:
    """Change a lower-case Turkish noun of the speaker to another owner's; "" for any other word.

    From data/owned.tr: evim to evi; and relatives: yengem to yengesi, kardeşlerim to kardeşleri.
    """
    if known := lists.table("owned.tr").get(word):
        return known[0]
    found = _read(fold(word))
    if found is None or found["dear"] or found["house"] or found["case"] or not _MINE.fullmatch(found["owner"] or ""):
        return ""
    return possessive(word[: found.start("owner")])


def possessive(noun: str) -> str:
    """Add the third-person possessive to a lower-case noun: anne to annesi, kardeş to kardeşi."""
    letters = noun.translate(CIRCUMFLEX)
    vowel = next((sign for sign in reversed(letters) if sign in VOWELS), "e")
    return f"{noun}{'s' if letters[-1] in VOWELS else ''}{HIGH[vowel]}"


@cache
def people(language: str) -> frozenset[str]:
    """Return all persons of the list."""
    return frozenset(lists.table(f"kin.{language}"))


def _is_one(found: re.Match[str]) -> bool:
    """Whether a Turkish word denotes a single relative of the speaker or of another."""
    return _OWNED.fullmatch(found["owner"] or "") is not None and not found["several"] and not found["house"]


@cache
def _named(language: str) -> Mapping[str, str]:
    table = lists.table(f"kin.{language}")
    return {name.removesuffix(_NEEDS_OWNER): person for person, names in table.items() for name in names}


@lru_cache(maxsize=1 << 13)
def _read(word: str) -> re.Match[str] | None:
    """Parse a folded Turkish word for a relative into its parts; None for any other word."""
    return next((found for shape in _shapes() if (found := shape.fullmatch(word))), None)


@cache
def _shapes() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of relatives; a root that is also another word needs a possessive: halam, not hâlâ."""
    names = [name for names in lists.table("kin.tr").values() for name in names]
    bound = "|".join(name.removesuffix(_NEEDS_OWNER) for name in names if name.endswith(_NEEDS_OWNER))
    free = "|".join(name for name in names if not name.endswith(_NEEDS_OWNER))
    return (
        re.compile(rf"(?P<name>{bound}){_BEFORE_OWNER}(?P<owner>{_FIRST}|{_THIRD}){_BEHIND_OWNER}"),
        re.compile(rf"(?P<name>{free}){_BEFORE_OWNER}(?P<owner>{_FIRST}|{_THIRD}|{_SECOND})?{_BEHIND_OWNER}"),
    )


# Mentions of a person by name.


_BARE_MIN = 3
"""Fewest letters of a name that a Turkish ending may follow without apostrophe. The ending then has at least two
letters, so that Ali does not mention Al."""
_ADDRESS = "entity://"


def naming(name: str) -> Callable[[str], bool]:
    """Return a test for texts that mention a name as a word, in any spelling: "@elif", "Elif's" or "Elif'in"."""
    parts = _read_name(name).removeprefix("@").split()
    ending = r"(?:'\w*)?"
    if len("".join(parts)) >= _BARE_MIN:
        bare = sorted((one for one in lists.words("case-endings.tr") if len(one) > 1), key=len, reverse=True)
        ending = rf"(?:'\w*|{'|'.join(map(re.escape, map(plain, bare)))})?"
    whole = r"[\s_-]+".join(map(re.escape, parts))
    pattern = re.compile(rf"(?<!\w){whole}{ending}(?!\w)")
    return lambda text: bool(parts) and pattern.search(_read_name(text)) is not None


def names(told: Callable[[str], bool], texts: Iterable[str]) -> bool:
    """Whether any of the texts or addresses (``entity://person/elif-aydin``) mentions the person of the test."""
    return any(told(text.rpartition("/")[2] if text.startswith(_ADDRESS) else text) for text in texts)


def _read_name(text: str) -> str:
    return plain(compose(text).translate(APOSTROPHES))


# Names of persons by a word for a relative or close person right before: "my wife Lena".


_BEFORE_MAX = 5
"""Number of words before the relation in which its owner or a verb with two objects is searched."""
_OWNER_MAX = 3
_GOAL = re.compile(r"\w{2,}(?:[ae]|[dt][ae]n?)\Z")
"""A Turkish noun in the dative, locative or ablative, folded."""
_INFINITIVE = re.compile(r"\w+m[ae](?:y[ae]|kt[ae]n?|d[ae]n?|n[ae])?\Z")
_OF_NAME = re.compile(r"\w+[iu]n[dn]?[ae]n?\Z")
"""Such a noun that belongs to the name: "Zumba kursuna"."""
_OF_KIND = re.compile(r".+(?:[cç][ae]|l[ıiuü])\Z")
"""Languages and origins: Japonca, Karadenizli."""


def is_relation(word: str) -> bool:
    """Whether a Turkish word, as written, denotes a close person."""
    return lower(word, "tr") in lists.words("relations.tr") or is_kin_subject(word)


def is_person_noun(word: str, language: str) -> bool:
    """Whether a word is a noun for one or several persons; a Turkish word needs only such a beginning.

    ``word`` is in lower case without diacritics.
    """
    if language == "tr":
        return word.startswith(lists.entries("person-nouns.tr")) or kin(word, "tr") != ""
    return any(form in lists.words("person-nouns.en") or _is_close_one(form) for form in (word, word.removesuffix("s")))


def _is_close_one(word: str) -> bool:
    """Whether an English word, in lower case, denotes a close person."""
    return word in lists.words("relations.en") or kin(fold(word), "en") != ""


def is_related(text: str, words: Sequence[Word], place: int, length: int) -> bool:
    """Whether the name at a position is a person's by the relation right before it."""
    if place == 0 or words[place].initial:
        return False
    before, last = words[place - 1], words[place + length - 1]
    if (
        before.ending
        or not (before.initial or before.core[0].islower())
        or not _is_close(text, before, words[place], last)
    ):
        return False
    if _is_close_one(before.key):
        return _is_english(words[max(0, place - 1 - _BEFORE_MAX) : place - 1])
    return is_relation(before.core) and _is_turkish(words, place, length)


def _is_close(text: str, before: Word, first: Word, last: Word) -> bool:
    """Whether only a blank separates the relation from the name, or commas enclose the name."""
    noun, name, end = (re.escape(word.core) for word in (before, first, last))
    return re.search(rf"\b{noun}(?:\s+{name}\b|,\s+{name}\b(?:(?<={end})|[^,.;:!?]*\b{end}),)", text) is not None


def _is_english(before: Sequence[Word]) -> bool:
    """Whether the relation has an owner, and no verb with two objects precedes."""
    owned = any(word.key in lists.words("owners.en") or word.ending == "s" for word in before[-_OWNER_MAX:])
    return owned and lists.words("gives-two.en").isdisjoint(word.key for word in before)


def _is_turkish(words: Sequence[Word], place: int, length: int) -> bool:
    """Whether the words after the name show it is no object: a goal, a state, a verb without object."""
    name, behind = words[place + length - 1], words[place + length : place + length + 1]
    if name.ending or _OF_KIND.fullmatch(name.core) or not behind or behind[0].initial:
        return False
    following = plain(behind[0].core)
    if behind[0].ending:
        return behind[0].ending in lists.words("place-endings.tr")
    if following.startswith(lists.entries("person-verbs.tr")):
        return True
    said = lower(behind[0].core, "tr")
    is_noun = said in lists.words("common-words.tr") or said in lists.words("function-words.tr")
    is_other = _INFINITIVE.match(following) or _OF_NAME.match(following)
    return _GOAL.match(following) is not None and not is_noun and not is_other
