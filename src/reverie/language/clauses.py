"""Whether what stands on both sides of an "and" are two clauses, and which subject the second one has.

In: the words before and behind the connective. Out: the second clause with its subject, or nothing where the two are
not certainly two clauses: two phrases, a clause under a condition, a negation, a report, a relative clause.
"""

from __future__ import annotations

import re

from reverie.language import lists
from reverie.language.entities import entities
from reverie.language.letters import plain

SUBJECT_MAX = 4
"""Words of a subject that are looked at."""

_WORD = re.compile(r"[^\s,;:.!?()\"“”]+")
_INFINITIVE = re.compile(r"\bto\s+[a-z]+\b")
_CASE = re.compile(r".+['’][^\W\d_]+\Z")
_PLACE_CASE = re.compile(r"'(?:da|de|ta|te|dan|den|tan|ten)\Z")
_GENITIVE = re.compile(r"'(?:l[ae]r)?n?[iu]n\Z")
_FINITE = re.compile(
    r"\w(?:[iu]yor(?:um|sun|uz|sunuz|lar)?|[iu]yord[iu](?:m|n|k|lar)?|(?:d|t)[iu](?:m|n|k|n[iu]z|ler|lar)?"
    r"|m[iu]s(?:[iu]m|s[iu]n|[iu]z|t[iu]\w{0,3}|ler|lar)?|[ae]ca(?:k|g[iu]m|g[iu]z|ks[iu]n|klar)|[ae]ce(?:k|g[iu]m|g[iu]z|ks[iu]n|kler)"
    r"|m[ae]z(?:lar|ler)?|m[ae]l[iu](?:y[iu]m|y[iu]z)?|(?:d|t)[iu]r(?:lar|ler)?)\Z"
)
_CONDITION = re.compile(r"\w{2}s[ae](?:m|n|k|n[iu]z|lar|ler)?\Z")
_FIRST_PERSON = re.compile(r"(?:yorum|yoruz|(?:d|t)[iu]m|(?:d|t)[iu]k|[ae]ca?g[iu](?:m|z)|[ae]ceg[iu](?:m|z))\Z")


def is_ruled(clause: str, language: str) -> bool:
    """Whether a clause holds a word that rules over more than itself: a negation, a report, a doubt, a condition."""
    words = _Words(clause)
    return _is_ruled(words) if language == "tr" else not lists.words("one-clause.en").isdisjoint(words.bare)


def is_conditional(clause: str, language: str) -> bool:
    """Whether a clause holds a word that opens a condition, or a Turkish verb that is one."""
    words = _Words(clause)
    opened = not lists.words(f"conditions.{language}").isdisjoint(words.bare)
    return opened or (language == "tr" and _has_condition(words))


def second_clause(left: str, right: str, language: str, *, by_mark: bool) -> str:
    """The clause behind the connective, with a subject; empty if the two are not certainly two clauses.

    ``by_mark``: a semicolon stands between them, over which no negation reaches.
    """
    if language == "tr":
        return _turkish(left, right)
    return _english(_Words(left), _Words(right), by_mark=by_mark)


class _Words:
    """A clause as it stands, and its words in lower case without diacritics and apostrophes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.said: list[str] = _WORD.findall(text)
        self.plain = [plain(word.replace("’", "'")) for word in self.said]
        self.bare = [word.replace("'", "") for word in self.plain]
        self.ruling = {word for word, said in zip(self.bare, self.said, strict=True) if "ş" not in said.lower()}
        """The words by themselves; "işe" is no "ise"."""


def _english(left: _Words, right: _Words, *, by_mark: bool) -> str:
    ruling = lists.words("one-clause.en")
    if not by_mark and not ruling.isdisjoint(left.bare):
        return ""
    if not lists.words("conditions.en").isdisjoint({*left.bare, *right.bare}):
        return ""
    verb = _subject_end(left)
    if verb == 0:
        return ""
    if _subject_end(right):
        return right.text
    return "" if by_mark else _with_subject(left, right, verb)


def _subject_end(clause: _Words) -> int:
    """Where the verb behind the subject of a clause stands, counted in words; 0 if the clause begins otherwise."""
    verb = _verb_place(clause) if clause.said else 0
    is_whole = verb and "," not in clause.text[: clause.text.find(clause.said[verb])]  # Wow, John, sounds like …
    return verb if is_whole else 0


def _verb_place(clause: _Words) -> int:
    first = clause.plain[0]
    head, apostrophe, ending = first.partition("'")
    if head in lists.words("subjects.en"):
        if apostrophe:
            return 1
        return next((at for at in (1, 2) if at < len(clause.plain) and _is_verb(clause.plain[at])), 0)
    if first in lists.words("determiners.en"):
        return _phrase_end(clause)
    if not clause.said[0][0].isupper() or (apostrophe and ending != "s"):
        return 0
    for at, word in enumerate(clause.plain[1 : SUBJECT_MAX + 1], 1):
        if not clause.said[at][0].isupper():
            return at if _is_sure_verb(word) or word in lists.words("verbs-third.en") else 0
    return 0


def _phrase_end(clause: _Words) -> int:
    """Where the verb behind "my brother" stands; "visits" is one only behind a person ("the museum visits" are not)."""
    for at in range(2, min(len(clause.plain), SUBJECT_MAX + 1)):
        is_person = clause.plain[at - 1] in lists.words("person-nouns.en")
        if _is_sure_verb(clause.plain[at]) or (is_person and clause.plain[at] in lists.words("verbs-third.en")):
            return at
    return 0


def _is_verb(word: str) -> bool:
    return _is_sure_verb(word) or word in lists.words("verbs-third.en") or word in lists.words("verbs-base.en")


def _is_sure_verb(word: str) -> bool:
    """Whether a word is a verb wherever it stands: an auxiliary or a past tense."""
    return word in lists.words("auxiliaries.en") or _is_past(word)


def _is_past(word: str) -> bool:
    return word in lists.words("clause-pasts.en") or (
        len(word) > 4 and word.endswith("ed") and word not in lists.words("ed-no-verbs.en")
    )


def _with_subject(left: _Words, right: _Words, verb: int) -> str:
    """The second clause with the subject of the first, where its verb agrees with the first one's and stands alone."""
    if not right.plain or _INFINITIVE.search(left.text) or "'" in left.plain[0]:
        return ""
    ours, theirs = left.plain[verb], right.plain[0]
    agrees = (_is_past(ours) and _is_past(theirs)) or any(
        ours in lists.words(name) and theirs in lists.words(name) for name in ("verbs-third.en", "verbs-base.en")
    )
    if not agrees or ours in lists.words("auxiliaries.en"):
        return ""
    return " ".join([*left.said[:verb], right.text])


def _turkish(left: str, right: str) -> str:
    first, second = _Words(left), _Words(right)
    if _is_ruled(first) or _is_ruled(second) or not _ends_finite(first, second):
        return ""
    if _subject(second):
        return right
    if not _CASE.match(second.said[0]) or _GENITIVE.search(second.plain[0]):
        return ""
    if subject := _subject(first):
        return f"{subject} {right}"
    return right if _same_person(first, second) else ""


def _is_ruled(clause: _Words) -> bool:
    """Whether a Turkish clause holds a word that rules over more than itself, or a condition; Ayşe is none."""
    return not lists.words("one-clause.tr").isdisjoint(clause.ruling) or _has_condition(clause)


def _has_condition(clause: _Words) -> bool:
    return any(_is_condition(word) for word, said in zip(clause.bare, clause.said, strict=True) if said[0].islower())


def _ends_finite(*clauses: _Words) -> bool:
    return all(clause.bare and _is_finite(clause.bare[-1]) for clause in clauses)


def _is_finite(word: str) -> bool:
    return _FINITE.search(word) is not None and word not in lists.words("no-finite.tr")


def _is_condition(word: str) -> bool:
    return _CONDITION.search(word) is not None and word not in lists.words("no-condition.tr")


def _subject(clause: _Words) -> str:
    """The subject a clause begins with: a pronoun, one of the family, or a name without any ending; or nothing."""
    first = clause.said[0]
    if clause.bare[0] in lists.words("subjects.tr"):
        return first
    if len(clause.said) == 1 or not first[0].isupper() or _CASE.match(first) or first in lists.words("name-openers"):
        return ""
    if not any(name.split()[0] == first for name in entities(clause.text)):
        return ""
    behind = clause.plain[1]
    if clause.said[1][0].isupper():  # "Ali Ankara'da" is Ali; "Grainger Çarşısı'nın" and "Ahmet Yılmaz'a" are one name
        return first if _PLACE_CASE.search(behind) else ""
    return "" if behind.endswith(("i", "u")) else first  # "Mingo lideri": the name is not the subject but its leader


def _same_person(first: _Words, second: _Words) -> bool:
    """Whether the verbs of two clauses are both in the first person, or neither is."""
    return (_FIRST_PERSON.search(first.bare[-1]) is None) == (_FIRST_PERSON.search(second.bare[-1]) is None)
