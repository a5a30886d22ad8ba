"""Rewrite Turkish from the first person to the third, as far as word endings are unambiguous.

In: a text and the speaker's name. Out: the text about that person; None if a word may be in the first person and its
form is unknown: "yaptık" speaks for others too, "kazağım" may be a sweater or an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language.names.entities import is_given_name, listed_at, words_in
from reverie.language.names.people import HIGH, VOWELS, theirs
from reverie.language.text import lists
from reverie.language.text.letters import lower
from reverie.language.text.patterns import masked, sentences
from reverie.language.text.words import stem
from reverie.recipes.published.v9 import WORDS

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ROOT = "root"
_ENDINGS = (  # word ending, and the part that is kept; "root" requires a verb of data/verb-roots.tr before it
    (re.compile(r"(?P<kept>.+[ıiuü]yor)um"), ""),
    (re.compile(r"(?P<kept>.+[ıiuü]yord?u)m"), ""),
    (re.compile(r"(?P<kept>.+m[ıiuü]şt[ıiuü])m"), ""),
    (re.compile(r"(?P<kept>.+[ae]cakt[ıi])m"), ""),
    (re.compile(r"(?P<kept>.+[ae]cekt[ıi])m"), ""),
    (re.compile(r"(?P<kept>.+m[ae]l[ıi])y[ıi]m"), ""),
    (re.compile(r"(?P<kept>.+[ae]bilir)[ıi]m"), ""),
    (re.compile(r"(?P<root>.+[^çfhkpsşt])(?P<kept>d[ıiuü])m"), _ROOT),
    (re.compile(r"(?P<root>.+[çfhkpsşt])(?P<kept>t[ıiuü])m"), _ROOT),
    (re.compile(r"(?P<root>.+?)(?P<kept>m[ıiuü]ş)[ıiuü]m"), _ROOT),
    (re.compile(r"(?P<root>.+?)(?P<kept>[aeıiuü]?rd[ıiuü])m"), _ROOT),
    (re.compile(r"(?P<root>.+?)(?P<kept>[aeıiuü]?r)[ıiuü]m"), _ROOT),
    (re.compile(r"(?!aday|detay)(?P<kept>.{2,}[dt][ae])y[ıi]m"), ""),
    (re.compile(r"(?P<kept>.{2,}l[ıiuü])y[ıiuü]m"), ""),
    (re.compile(r"(?P<kept>.{2,}[cç][ıiuü])y[ıiuü]m"), ""),
    (re.compile(r"(?P<kept>.{2,}s[ıiuü]z)[ıiuü]m"), ""),
    (re.compile(r"(?P<kept>m[ıiuü])y[ıiuü]m"), ""),
    (re.compile(r"(?P<kept>değil)im"), ""),
)
_NEGATED = re.compile(r".+m[ae]m")
_FUTURE = re.compile(r"(?P<kept>.+(?:aca|ece))ğ[ıi]m")
_PARTICIPLE = re.compile(r"(?P<kept>.+(?:[dt][ıiuü]|[ae]c[ae])ğ[ıiuü])m(?P<case>[ıiuü]|[ae]|d[ae]n?|[ıiuü]n|l[ae])?")
_OWNED = re.compile(r"(?P<owned>.+m)(?P<case>[ıiuü]|[ae]|d[ae]n?|[ıiuü]n|l[ae])")
_MAYBE_OWNED = re.compile(r".*[aeıioöuü]m(?:[ıiuü]|[ae]|d[ae]n?|[ıiuü]n|l[ae])?")
_PLURAL = re.compile(
    r".+(?:[ıiuü]yoruz|[dt][ıiuü]k|[ae]c[ae]ğ[ıi]z|[ae]r[ıi]z|[ıiuü]r[ıiuü]z|m[ae]y[ıi]z|l[ıi]y[ıi]z|.[aeıioöuü]m[ıiuü]z\w{0,4})"
)
_SPEAKER = {"ben": "", "bana": "e", "beni": "i", "bende": "de", "benden": "den", "benimle": "le", "benim": "in"}
_MYSELF = {"kendim": "kendisi", "kendimi": "kendisini", "kendime": "kendisine", "kendimden": "kendisinden"}
_ACCUSATIVE = ("ı", "i", "u", "ü", "yı", "yi", "yu", "yü")
_CLOSES = re.compile(r"\s*(?:[.,;:!?…)\n]|\Z)")
_THERE_IS = re.compile(r"\s+(?:var|yok)\b")
_SUPERLATIVE = re.compile(r"(?<!\w)[Ee]n(?: \w+)?\s+\Z")
"""En, en çok: belong to the next word."""
_LAST_WORD = re.compile(r"(?<![\w'’-])(\w[\w'’-]*)[ \t]+\Z")
_LANGUAGE = re.compile(r".+[cç][ae]")
_OF_PLACE = re.compile(r"(?i:.{2,}[dt][ae]ki)")
_BEFORE_NOUN_MAX = 2


_CHANGED = tuple(re.compile(rf"(?:{ending})\Z") for ending in ("m[ae]", "[ae]m[ae]", "y[ae]m[ae]", "y?[ae]bil"))
"""Endings between root and tense: negation, ability and inability."""
_VOICE = re.compile(r"(?:[dt][ıiuü]r|t|[ıiuü]?l|[ıiuü]?n|[ıiuü]?ş)(?:[dt][ıiuü]r|t|[ıiuü]l)?")
"""Endings that derive one verb from another: gez, gezdir."""


class _Word(NamedTuple):
    """A word in lower case, and its position in the sentence."""

    word: str
    start: int
    end: int


class _Change(NamedTuple):
    """A replacement in a sentence, and whether the speaker acts ("verb"), owns ("owned") or is named ("named")."""

    start: int
    end: int
    text: str
    kind: str


class _Unsure(Exception):
    """Raised when a word may be in the first person and its form is not known."""


def rewritten_turkish(text: str, subject: str) -> str | None:
    """Return the text in the third person; unchanged if it has no first person, None if the result is uncertain."""
    try:
        told = [_sentence(sentence, subject) for sentence in sentences(text)]
    except _Unsure:
        return None
    return text if all(one is None for one in told) else _joined(text, told)


def _joined(text: str, told: Sequence[str | None]) -> str:
    """Join the rewritten sentences with the original white space."""
    parts: list[str] = []
    end = 0
    for sentence, new in zip(sentences(text), told, strict=True):
        start = text.index(sentence, end)
        parts += [text[end:start], sentence if new is None else new]
        end = start + len(sentence)
    return "".join([*parts, text[end:]])


def _sentence(sentence: str, subject: str) -> str | None:
    """Rewrite a sentence about the subject; None if it is not about the speaker."""
    hidden = masked(sentence)
    words = [
        _Word(lower(match.group().replace("’", "'"), "tr"), match.start(), match.end())
        for match in _WORD.finditer(hidden)
    ]
    changes = [change for place in range(len(words)) for change in _changes(sentence, words, place, subject)]
    if not changes:
        return None
    parts: list[str] = []
    end = 0
    for change in changes:
        parts += [sentence[end : change.start], change.text]
        end = change.end
    told = "".join([*parts, sentence[end:]])
    kinds = {change.kind for change in changes}
    if "named" in kinds:
        return _raised(told)
    has = _THERE_IS.match(sentence, changes[0].end) is not None and changes[0].kind == "owned"
    if kinds == {"owned"} or has:
        return _of_subject(told, sentence[changes[0].start : changes[0].end], changes[0].start, subject, has=has)
    return f"{subject} {_small(told) if changes[0].start == 0 else _lowered(told)}"


def _of_subject(told: str, said: str, place: int, subject: str, *, has: bool) -> str:
    """Insert the owner before the owned noun ``said``; ``has``: the sentence says that such a thing exists."""
    degree = _SUPERLATIVE.search(told, 0, place)
    start = degree.start() if degree else _noun_start(told, said, place)
    head, tail = told[:start], told[start:]
    owner = _inflected(subject, "in")
    if has and head and _is_of_noun(head):
        return f"{owner} {_lowered(told)}"
    if not degree and _owned(lower(said, "tr")) is not None:
        _check_apart(head, said, alone=start == place)
    return f"{head}{owner} {tail if head or _keeps_capital(tail) else _small(tail)}"


def _noun_start(told: str, said: str, place: int) -> int:
    """Return where a noun phrase begins: "kız kardeşim", "Ankara'daki evim", "GitHub hesabım"."""
    while before := _LAST_WORD.search(told, 0, place):
        if not (_opens_noun(before[1]) or (_is_bare(said) and _is_thing(before[1]))):
            break
        place = before.start()
    return place


def _opens_noun(word: str) -> bool:
    """Whether a word always belongs to the next noun (words/noun-openers.tr)."""
    return lower(word, "tr") in lists.words("noun-openers.tr", WORDS) or _OF_PLACE.fullmatch(word) is not None


def _is_bare(said: str) -> bool:
    """Whether a noun of the speaker has no case ending, so that it is not an object after a subject."""
    return theirs(lower(said, "tr")) != ""


def _is_thing(word: str) -> bool:
    """Whether a word is a known name, but not of a person."""
    return _is_name(word) and not is_given_name(word) and "'" not in word and "’" not in word


def _check_apart(head: str, said: str, *, alone: bool) -> None:
    """Raise _Unsure unless the word before a noun certainly does not belong to it: a full stop, "dün", "ama", a name.

    ``alone``: no word of the noun phrase is before it. "Ali ev adresimi sordu" has a subject, "Köpek evimi dağıttı"
    not.
    """
    before = _LAST_WORD.search(head)
    word = before[1] if before else ""
    has_ending = "'" in word or "’" in word
    if _is_name(word) and (has_ending or not _is_bare(said)) and (alone or not has_ending):
        return
    small = lower(word, "tr")
    apart = (
        lists.words("function-words.tr")
        | lists.words("before-subject.tr", WORDS)
        | lists.words("joins.tr", WORDS)
        | {""}
    )
    if small not in apart or not (alone or _is_bare(said)):
        raise _Unsure


def _keeps_capital(text: str) -> bool:
    """Whether the first word is always capitalised: a name, a language."""
    first = text.partition(" ")[0]
    return _is_name(first) or (_LANGUAGE.fullmatch(first) is not None and _opens_noun(first))


def _is_of_noun(head: str) -> bool:
    """Whether the words before a noun belong to it or state a time ("iki", "bugün"), and are no clause."""
    words = head.split()
    return len(words) <= _BEFORE_NOUN_MAX and all(
        word.isalnum() and word not in lists.words("joins.tr", WORDS) for word in words
    )


def _changes(sentence: str, words: Sequence[_Word], place: int, subject: str) -> Iterator[_Change]:
    """Yield the replacement of a word; nothing if it is not in the first person."""
    word, start, end = words[place]
    if word in lists.words("first-person-plural.tr", WORDS) or _is_plural(word):
        raise _Unsure
    if word in _SPEAKER:
        yield _Change(start, end, _inflected(subject, _SPEAKER[word]), "named")
        return
    new, kind = _MYSELF.get(word), "verb"
    if new is None:
        new, kind = _form(word, is_last=_is_last(sentence, words, place))
        if kind == "owned" and theirs(word) and not any(map(str.isalnum, sentence[end:])):
            new, kind = _predicated(word, new, {other.word for other in words})
    if new is not None:
        yield _Change(start, end, _as_written(sentence[start:end], new), kind)
    elif _may_be_owned(word, sentence[start:end]):
        raise _Unsure


def _is_last(sentence: str, words: Sequence[_Word], place: int) -> bool:
    """Whether a word ends its clause: a punctuation mark or a conjunction follows."""
    following = words[place + 1].word if place + 1 < len(words) else ""
    return _CLOSES.match(sentence, words[place].end) is not None or following in lists.words("joins.tr", WORDS)


def _predicated(word: str, owned: str | None, words: set[str]) -> tuple[str | None, str]:
    """Resolve a noun at the end of a sentence: owned with "benim", a predicate about the speaker with "ben"."""
    if "benim" in words:
        return owned, "owned"
    if "ben" in words and word[-2] in "ıiuü" and word[-3] not in VOWELS:
        return word[:-2], "verb"
    raise _Unsure


@lru_cache(maxsize=1 << 13)
def _form(word: str, *, is_last: bool) -> tuple[str | None, str]:
    """Return the third person of a word and its kind; None if it is not known to be in the first."""
    owned = _owned(word)
    if owned is not None:
        return owned, "owned"
    if is_last and (future := _FUTURE.fullmatch(word)):
        return future["kept"] + "k", "verb"
    participle = _PARTICIPLE.fullmatch(word)
    if participle and not (_FUTURE.fullmatch(word) and not is_last):
        case = participle["case"]
        return participle["kept"] + ("n" + case if case else ""), "owned"
    return (_predicate(word) if is_last else None), "verb"


def _predicate(word: str) -> str | None:
    """Remove the first-person ending of a verb or predicate at the end of its clause; None if it has none."""
    if _NEGATED.fullmatch(word) and _is_root(word[:-1]):
        return word[:-1] + "z"
    for pattern, needs in _ENDINGS:
        match = pattern.fullmatch(word)
        if match is None or word in lists.words("not-owned.tr", WORDS):
            continue
        if not needs:
            return match["kept"]
        if _is_root(match["root"]):
            return match["root"] + match["kept"]
    return None


@lru_cache(maxsize=1 << 12)
def _is_root(head: str) -> bool:
    """Whether a verb precedes an ending: a root, or one with negation or ability."""
    roots = lists.words("verb-roots.tr")
    if head in roots:
        return True
    for ending in _CHANGED:
        match = ending.search(head)
        if match and head[: match.start()] in roots:
            return True
    short = _CHANGED[0].sub("", head)
    return any(_VOICE.fullmatch(short, len(root)) for root in _beginnings(short))


def _beginnings(head: str) -> Iterator[str]:
    roots = lists.words("verb-roots.tr")
    return (head[:length] for length in range(len(head) - 1, 1, -1) if head[:length] in roots)


def _owned(word: str) -> str | None:
    """Change the owner of a noun from the speaker to a third person: annemi to annesini; None if it has another."""
    if bare := theirs(word):
        return bare
    match = _OWNED.fullmatch(word)
    if match is None or not (bare := theirs(match["owned"])):
        return None
    return bare + ("y" if match["case"][0] == "l" else "n") + match["case"]


def _is_plural(word: str) -> bool:
    """Whether a verb or noun may be in the first person plural."""
    match = _PLURAL.fullmatch(word)
    if match is None:
        return False
    past = re.fullmatch(r"(.+)[dt][ıiuü]k", word)
    return past is None or _is_root(past[1])


def _may_be_owned(word: str, written: str) -> bool:
    """Whether a word may be in the first person after all: it has such an ending and is not a known word that
    always has it.
    """
    if "'" in word or _MAYBE_OWNED.fullmatch(word) is None or word in lists.words("function-words.tr"):
        return False
    bases = {word, re.sub(r"(?:[ıiuü]n|d[ae]n?|l[ae]|[ıiuüae])\Z", "", word)}
    return not bases & lists.words("not-owned.tr", WORDS) and not _is_name(written)


@cache
def _is_name(written: str) -> bool:
    """Whether a capitalised word is a name, with or without a case ending."""
    if not written[:1].isupper():
        return False
    words = words_in(written)
    known = bool(words) and listed_at(words, 0, turkish=True) is not None
    endings = lists.table("entity-shapes")["case ending"]
    return (
        known
        or is_given_name(written)
        or any(is_given_name(written[: -len(ending)]) for ending in endings if written.endswith(ending))
    )


def _as_written(written: str, new: str) -> str:
    return _raised(new) if written[:1].isupper() else new


def _raised(text: str) -> str:
    return ("İ" if text[:1] == "i" else text[:1].upper()) + text[1:]


def _lowered(text: str) -> str:
    """Return the text with a lower-case first letter, if its first word is certainly not a name."""
    match = _WORD.match(text)
    if match is None:
        return text
    word = match.group()
    small = lower(word, "tr")
    if "'" in word or "’" in word or word[1:] != small[1:] or _is_name(word):
        return text
    return _small(text) if small in lists.words("function-words.tr") or _is_everyday(small) else text


@lru_cache(maxsize=1 << 12)
def _is_everyday(word: str) -> bool:
    """Whether a word is a common one, also with an ending that stemming leaves: çayı."""
    if stem(word, "tr") in _everyday():
        return True
    return any(word.endswith(end) and word[: -len(end)] in lists.words("everyday.tr", WORDS) for end in _ACCUSATIVE)


def _small(text: str) -> str:
    return lower(text[:1], "tr") + text[1:]


@cache
def _everyday() -> frozenset[str]:
    """Return the stems of common words, which may begin a sentence without being names."""
    words = (*lists.entries("everyday.tr", WORDS), *lists.entries("common-words.tr"))
    return frozenset(stem(word, "tr") for word in words)


def _inflected(subject: str, case: str) -> str:
    """Add a case ending to the subject: Kullanıcıya, Elif'e; "in" is the genitive."""
    if not case:
        return subject
    letters = lower(subject, "tr")
    last = next((sign for sign in reversed(letters) if sign in VOWELS), "i")
    narrow, wide = HIGH[last], "a" if last in "aıou" else "e"
    y, n = ("y", "n") if letters[-1:] in VOWELS else ("", "")
    stop = "t" if letters[-1:] in "çfhkpsşt" else "d"
    ending = {
        "e": y + wide,
        "i": y + narrow,
        "de": stop + wide,
        "den": stop + wide + "n",
        "le": y + "l" + wide,
        "in": n + narrow + "n",
    }[case]
    roles = {name for names in lists.table("role-names", WORDS).values() for name in names}
    return subject + ("" if subject in roles else "'") + ending
