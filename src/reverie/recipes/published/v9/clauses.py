"""Split sentences into clauses: whether "and" joins two, the subject of the second, and which of two is the cause.

In: a sentence, or the words on both sides of a connective. Out: its clauses, or nothing if uncertain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language.claims import is_condition, is_conditional, is_past, is_past_verb
from reverie.language.names.entities import entities, is_given_name
from reverie.language.names.people import kin, theirs
from reverie.language.text import lists
from reverie.language.text.letters import lower, plain
from reverie.language.text.patterns import STOP, is_question, masked, read
from reverie.recipes.published.v9 import WORDS

# Whether both sides of "and" are clauses, and the subject of the second.


SUBJECT_MAX = 4
"""Longest subject searched for, in words."""

_WORD = re.compile(r"[^\s,;:.!?()\"“”]+")
_INFINITIVE = re.compile(r"(?<!allergic )\bto\s+[a-z]+\b")
_CASE = re.compile(r".+['’][^\W\d_]+\Z")
_PLACE_CASE = re.compile(r"'(?:da|de|ta|te|dan|den|tan|ten)\Z")
_GENITIVE = re.compile(r"'(?:l[ae]r)?n?[iu]n\Z")
_FINITE = re.compile(
    r"\w(?:[iu]yor(?:um|sun|uz|sunuz|lar)?|[iu]yord[iu](?:m|n|k|lar)?|(?:d|t)[iu](?:m|n|k|n[iu]z|ler|lar)?"
    r"|m[iu]s(?:[iu]m|s[iu]n|[iu]z|t[iu]\w{0,3}|ler|lar)?|[ae]ca(?:k|g[iu]m|g[iu]z|ks[iu]n|klar)|[ae]ce(?:k|g[iu]m|g[iu]z|ks[iu]n|kler)"
    r"|m[ae]z(?:lar|ler)?|m[ae]l[iu](?:y[iu]m|y[iu]z)?|(?:d|t)[iu]r(?:lar|ler)?)\Z"
)
_BREAK = re.compile(
    r"\s*[,;:]\s+|\s+(?:and|but|yet|or|nor|plus|then|ve|ama|fakat|ancak|lakin|oysa|veya)\s+", re.IGNORECASE
)
"""Where a clause may begin inside the words before the connective."""
_ASIDE = re.compile(r"[()–—]|\s-+\s")
"""Marks of a parenthesis: the subject of what follows is the one before it."""
_OUR = re.compile(r"\w{2,}[aeiou]m[iu]z\Z")
"""Our company, our neighbour (Turkish, without diacritics)."""
_OBJECTLESS = re.compile(r"[iu]\Z")
"""A Turkish noun that is an object or belongs to the noun before it."""
_NAMING = frozenset({"named", "called"})
"""Words that begin no clause after a noun."""
_FIRST_PERSON = re.compile(r"(?:yorum|yoruz|(?:d|t)[iu]m|(?:d|t)[iu]k|[ae]ca?g[iu](?:m|z)|[ae]ceg[iu](?:m|z))\Z")


def is_ruled(clause: str, language: str) -> bool:
    """Whether a clause has a word with scope over what follows: a negation, report, doubt or condition."""
    words = _Words(clause)
    return _is_ruled(words) if language == "tr" else not lists.words("one-clause.en", WORDS).isdisjoint(words.bare)


def second_clause(left: str, right: str, language: str, *, by_mark: bool) -> str:
    """Return the clause after a connective, with a subject; "" unless both sides are certainly clauses.

    ``by_mark``: they are separated by a semicolon, which ends the scope of a negation.
    """
    if language == "tr":
        return _turkish(left, right)
    return _english(_Words(left), _Words(right), by_mark=by_mark)


class Opening(NamedTuple):
    """Beginning of an English clause: subject, verb ("'m" of "I'm") and both as written."""

    subject: str
    verb: str
    head: str


def opening(clause: str) -> Opening | None:
    """Return the subject and verb that begin an English clause; None if it begins otherwise or has nothing else."""
    return _opening(_Words(clause))


def shared_subject(left: str, right: str) -> str:
    """Return the subject of the preceding English clause if the verb that begins ``right`` agrees with it, else ""."""
    nearest = _nearest(_Words(left))
    found = _opening(nearest) if nearest else None
    if found is None or _INFINITIVE.search(left) or any(_is_subject(word) for word in _Words(left).bare[1:]):
        return ""
    is_speaker = plain(found.subject) in lists.words("subjects.en", WORDS) - lists.words("pronouns.en")
    verbs = lists.words("verbs-base.en" if is_speaker else "verbs-third.en")
    return found.subject if not verbs.isdisjoint(_Words(right).plain[:1]) else ""


def turkish_subject(clause: str) -> str:
    """Return the subject that begins a Turkish clause; "" if uncertain."""
    return _subject(_Words(clause))


def _is_subject(word: str) -> bool:
    return word in lists.words("subjects.en", WORDS)


def _opening(clause: _Words) -> Opening | None:
    verb = _verb_place(clause) if clause.said else 0
    if not 0 < verb < len(clause.said) or not _subject_end(clause):
        return None
    subject, apostrophe, ending = clause.said[0].replace("’", "'").partition("'")
    if verb == 1 and apostrophe and _is_subject(plain(subject)):
        return Opening(subject, f"'{ending}", clause.said[0])
    head = " ".join(clause.said[: verb + 1])
    return Opening(" ".join(clause.said[:verb]), clause.plain[verb], head)


class _Words:
    """A clause as written, and its words in lower case without diacritics and apostrophes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.said: list[str] = _WORD.findall(text)
        self.plain = [plain(word.replace("’", "'")) for word in self.said]
        self.bare = [word.replace("'", "") for word in self.plain]
        self.ruling = {word for word, said in zip(self.bare, self.said, strict=True) if lower(said, "tr") != "işe"}
        """The bare words, except "işe", which is not "ise" (if)."""


def _english(left: _Words, right: _Words, *, by_mark: bool) -> str:
    ruling = lists.words("one-clause.en", WORDS)
    if not by_mark and not ruling.isdisjoint(left.bare):
        return ""
    if not lists.words("tense/conditions.en").isdisjoint({*left.bare, *right.bare}):
        return ""
    if not _subject_end(left):
        return ""
    if _subject_end(right):
        return right.text
    return "" if by_mark else _with_subject(left, right)


def _subject_end(clause: _Words) -> int:
    """Return the index of the verb after the subject that begins a clause; 0 if there is none."""
    verb = _verb_place(clause) if clause.said else 0
    is_whole = verb and "," not in clause.text[: clause.text.find(clause.said[verb])]  # Wow, John, sounds like …
    return verb if is_whole else 0


def _verb_place(clause: _Words) -> int:
    first = clause.plain[0]
    head, apostrophe, ending = first.partition("'")
    if head in lists.words("subjects.en", WORDS):
        if apostrophe:
            return 1
        return next((at for at, word in enumerate(clause.plain[1:3], 1) if _is_verb(word)), 0)
    if first in lists.words("determiners.en", WORDS):
        return _phrase_end(clause)
    if not clause.said[0][0].isupper() or (apostrophe and ending != "s"):
        return 0
    for at, word in enumerate(clause.plain[1 : SUBJECT_MAX + 1], 1):
        if not clause.said[at][0].isupper():
            return at if _is_third(word) else 0
    return 0


def _phrase_end(clause: _Words) -> int:
    """Return the index of the verb after a noun phrase ("my brother"); forms like "visits" only after a person."""
    for at in range(2, min(len(clause.plain), SUBJECT_MAX + 1)):
        if clause.plain[at] in _NAMING:
            return 0  # a dog named Rex
        is_person = clause.plain[at - 1] in lists.words("person-nouns.en") or kin(clause.plain[at - 1], "en") != ""
        if _is_sure_verb(clause.plain[at]) or (is_person and clause.plain[at] in lists.words("verbs-third.en")):
            return at
    return 0


def _is_verb(word: str) -> bool:
    return _is_third(word) or word in lists.words("verbs-base.en")


def _is_third(word: str) -> bool:
    """Whether a word is a verb that may follow a name."""
    return _is_sure_verb(word) or word in lists.words("verbs-third.en")


def _is_sure_verb(word: str) -> bool:
    """Whether a word is always a verb: an auxiliary or a past tense."""
    return word in lists.words("auxiliaries.en", WORDS) or is_past_verb(word)


def _with_subject(left: _Words, right: _Words) -> str:
    """Return the second clause with the subject of the nearest one, if their verbs agree; else ""."""
    nearest = _nearest(left)
    if nearest is None or not right.plain or _INFINITIVE.search(left.text) or "'" in nearest.plain[0]:
        return ""
    verb = _subject_end(nearest)
    if any(_subject_end(_Words(" ".join(nearest.said[at:]))) for at in range(verb + 1, len(nearest.said))):
        return ""  # I learned Tom moved to Oslo
    ours, theirs = nearest.plain[verb], right.plain[0]
    if not _agree(ours, theirs) or ours in lists.words("auxiliaries.en", WORDS):
        return ""
    return " ".join([*nearest.said[:verb], right.text])


def _agree(one: str, other: str) -> bool:
    """Whether two verbs may have one subject: both in the past tense, or of one person."""
    return (is_past_verb(one) and is_past_verb(other)) or any(
        one in lists.words(name) and other in lists.words(name) for name in ("verbs-third.en", "verbs-base.en")
    )


def _nearest(left: _Words) -> _Words | None:
    """Return the clause before the connective, whose subject continues; None if uncertain.

    Additions may come between ("in Paris, France"); before it only another clause is allowed.
    """
    if _ASIDE.search(left.text):
        return None
    parts = [_Words(part) for part in _BREAK.split(left.text)]
    while parts and not _subject_end(parts[-1]):
        if not all(_is_added(word, said) for word, said in zip(parts[-1].plain, parts[-1].said, strict=True)):
            return None
        parts.pop()
    return parts[-1] if parts and (len(parts) == 1 or _subject_end(parts[-2])) else None


def _is_added(word: str, said: str) -> bool:
    """Whether a word forms no clause: a name, a number or a function word."""
    is_small = word in lists.words("function-words.en") and word not in lists.words("determiners.en", WORDS)
    return not said[0].islower() or (is_small and not _is_verb(word) and word not in lists.words("subjects.en", WORDS))


def is_own_clause(text: str, language: str) -> bool:
    """Whether a text is certainly a whole clause: own subject, a name after it, no negation, report or condition."""
    clause = _Words(text)
    if not clause.said or is_ruled(text, language) or is_conditional(text, language):
        return False
    if language == "tr":
        said = _subject(clause)
        return bool(said) and _ends_finite(clause) and bool(entities(text[text.find(said) + len(said) :]))
    verb = _subject_end(clause)
    is_known = verb > 0 and clause.plain[0] not in lists.words("pronouns.en")
    return is_known and bool(entities(" ".join(clause.said[verb:])))


def _turkish(left: str, right: str) -> str:
    first, second = _Words(left), _Words(right)
    if _is_ruled(first) or _is_ruled(second) or not _ends_finite(first, second):
        return ""
    if _subject(second):
        return right
    if not _CASE.match(second.said[0]) or _GENITIVE.search(second.plain[0]):
        return ""
    nearest = _nearest_turkish(left)
    if nearest is None:
        return ""
    is_own = _is_first_person(second)
    if _is_first_person(nearest) != is_own:
        return ""
    if subject := _subject(nearest):
        return f"{subject} {right}" if _is_only(nearest, subject) else ""
    return right if is_own else ""


def _nearest_turkish(left: str) -> _Words | None:
    """Return the last clause of the left side with a subject, or the only one; None if uncertain."""
    if _ASIDE.search(left):
        return None
    parts = [_Words(part) for part in _BREAK.split(left)]
    while len(parts) > 1 and not _subject(parts[-1]):
        if not _continues(parts[-1]):
            return None
        parts.pop()
    return parts[-1] if len(parts) == 1 or _ends_finite(parts[-2]) else None


def _continues(clause: _Words) -> bool:
    """Whether a clause begins with a name in a case and ends in a verb, so that the previous subject continues."""
    return bool(clause.said) and _CASE.match(clause.said[0]) is not None and _ends_finite(clause)


def _is_only(clause: _Words, subject: str) -> bool:
    """Whether a clause names no second person without an ending, who might be the subject of the verb."""
    behind = len(_WORD.findall(subject))
    others = lists.words("subjects.tr", WORDS)
    return not any(
        word in others or (said[0].isupper() and is_given_name(said))
        for word, said in zip(clause.bare[behind:], clause.said[behind:], strict=True)
    )


def _is_ruled(clause: _Words) -> bool:
    """Whether a Turkish clause has a negation, report, doubt or condition; the name Ayşe does not count as one."""
    return not lists.words("one-clause.tr", WORDS).isdisjoint(clause.ruling) or _has_condition(clause)


def _has_condition(clause: _Words) -> bool:
    return any(is_condition(word) for word, said in zip(clause.bare, clause.said, strict=True) if said[0].islower())


def _ends_finite(*clauses: _Words) -> bool:
    return all(clause.bare and _is_finite(clause.bare[-1]) for clause in clauses)


def _is_finite(word: str) -> bool:
    return _FINITE.search(word) is not None and word not in lists.words("no-finite.tr", WORDS)


def _subject(clause: _Words) -> str:
    """Return the subject that begins a clause (pronoun, relative, or a name without ending), or ""."""
    if not clause.said:
        return ""
    first = clause.said[0]
    if owned := _owned_end(clause):
        return _owned_subject(clause, owned)
    if len(clause.said) == 1 or not first[0].isupper() or _CASE.match(first) or first in lists.words("name-openers"):
        return ""
    if not any(name.split()[0] == first for name in entities(clause.text)):
        return ""
    return _named_subject(clause)


def _named_subject(clause: _Words) -> str:
    """Return Ali in "Ali Ankara'da", but "" for "Ahmet Yılmaz'a" (one name) and "Mingo lideri" (a leader)."""
    behind = clause.plain[1]
    if clause.said[1][0].isupper():
        return clause.said[0] if _PLACE_CASE.search(behind) else ""
    return "" if _OBJECTLESS.search(behind) or clause.bare[1] in lists.words("no-subject.tr", WORDS) else clause.said[0]


def _owned_end(clause: _Words) -> int:
    """Count the words of "annem", "en yakın arkadaşım" or "şirketimiz" at the beginning of a clause; 0 for none."""
    for at, word in enumerate(clause.bare[:SUBJECT_MAX]):
        is_pronoun = word in lists.words("subjects.tr", WORDS) and (at == 0 or word.endswith("m"))
        said = lower(clause.said[at], "tr")
        if is_pronoun or theirs(said) or _OUR.match(word):
            return at + 1
        if said not in lists.words("noun-openers.tr", WORDS):
            return 0
    return 0


def _owned_subject(clause: _Words, end: int) -> str:
    """Return the speaker's relative or thing, with a following name, if it can be the subject; else ""."""
    if end + 1 < len(clause.said) and _PLACE_CASE.search(clause.plain[end + 1]) and is_given_name(clause.said[end]):
        end += 1
    behind = clause.bare[end] if end < len(clause.said) else ""
    return "" if behind in lists.words("no-subject.tr", WORDS) else " ".join(clause.said[:end])


def _is_first_person(clause: _Words) -> bool:
    """Whether the last verb of a clause is in the first person."""
    return bool(clause.bare) and _FIRST_PERSON.search(clause.bare[-1]) is not None


# Causes: split a sentence into cause and effect.


SENTENCE_MAX = 400
"""Longest sentence examined, in characters: a longer one is a list, a table or a document."""
CLAUSE_WORDS_MIN = {"en": 2, "tr": 1}
"""Fewest words of a cause or effect; Turkish needs only one, "vejetaryenim"."""
_TENSE_WORDS = 4
"""Number of words after "so" in which a past tense is searched."""
_RULED = frozenset({"effect", "aim"})
"""Connectives within the scope of an earlier negation or report: I didn't quit because the pay was bad."""


class Halves(NamedTuple):
    """Cause and effect as written, each with its full stop, and which comes first."""

    first: str
    second: str
    cause_first: bool
    language: str


class Opened(NamedTuple):
    """What follows the connective that begins a sentence, and whether the cause is the sentence before."""

    rest: str
    cause_before: bool
    language: str


class _Connective(NamedTuple):
    label: str
    start: int
    end: int
    language: str


_MAY = re.compile(r"\w[ae]bilir(?:im|sin|iz|siniz|ler)?\b")
_CANNOT = re.compile(r"\b(?:can['’]?t|cannot|couldn['’]?t)\b", re.IGNORECASE)
_OPENED = re.compile(r"because (?!of\b)([^,]+), ")


@lru_cache(maxsize=64)  # observation and formation ask about the same sentences
def halves(sentence: str) -> Halves | None:
    """Split a sentence into cause and effect at "because", "so that", "çünkü" or another connective; else None."""
    words = _words(sentence)
    if not words:
        return None
    opened = _OPENED.match(words)
    if opened:
        return _halves("cause", sentence[opened.start(1) : opened.end(1)], sentence[opened.end() :], "en")
    for one in _connectives(sentence, words):
        found = _halves(one.label, sentence[: one.start], sentence[one.end :], one.language)
        if found:
            return found
    return None


def opened(sentence: str) -> Opened | None:
    """Return what follows an initial connective: "That's why I quit.", "Çünkü maaş düşüktü."; else None."""
    words = _words(sentence)
    if not words or _OPENED.match(words):
        return None
    for one in _connectives(sentence, f". {words}"):
        rest = sentence[max(0, one.end - 2) :].strip(" ,;")
        if one.start <= 1 and _is_said(one.label, rest, one.language):
            return Opened(rest, one.label != "effect", one.language)
    return None


def _words(sentence: str) -> str:
    if len(sentence) > SENTENCE_MAX or is_question(sentence):
        return ""
    return plain(masked(sentence))


def _connectives(sentence: str, words: str) -> Iterator[_Connective]:
    for language in read(sentence).languages:
        for label, pattern in _patterns(language):
            match = pattern.search(words)
            if match:
                yield _Connective(label, match.start(), match.end(), language)


@cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    lines = (entry.partition(": ") for entry in lists.entries(f"causes.{language}", WORDS))
    return tuple((label, re.compile(pattern)) for label, _, pattern in lines)


def _halves(label: str, before: str, behind: str, language: str) -> Halves | None:
    left, right = before.strip(" ,;"), behind.strip(" ,;")
    if len(left.split()) < CLAUSE_WORDS_MIN[language] or not _is_said(label, right, language):
        return None
    if is_conditional(left, language) or (label in _RULED and _rules_out(left, language)):
        return None
    stop = STOP.findall(right)[0] or ""
    first = left if STOP.findall(left)[0] else left + stop
    return Halves(first, right, label != "effect", language)


def _rules_out(clause: str, language: str) -> bool:
    """Whether a clause negates more than itself; "can't" does not: "I can't eat bread because …"."""
    read_as = _CANNOT.sub("", clause) if language == "en" else clause
    return is_ruled(read_as, language) or _MAY.search(plain(clause)) is not None


def _is_said(label: str, behind: str, language: str) -> bool:
    """Whether a clause follows the connective; after "so" one in the past tense."""
    words = behind.split()
    if len(words) < CLAUSE_WORDS_MIN[language] or is_conditional(behind, language):
        return False
    if label == "aim":  # a wish is not a fact yet
        return not lists.words("wished.en", WORDS).intersection(words)
    return label != "done" or is_past(" ".join(words[:_TENSE_WORDS]))
