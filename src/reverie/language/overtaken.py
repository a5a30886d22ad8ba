"""Whether the later of two messages of one person probably tells how things are, the earlier how they were.

In: two texts and the question that both fit, English or Turkish. Out: yes or no. Weaker than a contradiction (decision
0015), which alone decides what is superseded: it says which of two to read first (decision 0023).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from reverie.language import lists, patterns
from reverie.language.chunks import reading
from reverie.language.contradiction import contradicts
from reverie.language.contradiction_asserted import asserted
from reverie.language.contradiction_people import who
from reverie.language.contradiction_words import matches
from reverie.language.detect import detect_language
from reverie.language.entities import entities
from reverie.language.expressions import expression
from reverie.language.gazetteer import is_given_name
from reverie.language.kin import kin
from reverie.language.letters import plain
from reverie.language.question import is_first_person
from reverie.language.sentences import is_question, sentences
from reverie.language.standing import asks_advice, asks_record
from reverie.language.stem import TURKISH_STEM_MAX

TEXT_MAX = 400
"""Longer messages are not compared: who tells at length tells of much."""
_PEOPLE_MAX = 3_000
_NAME = 6
"""Letters of a name that are compared."""
_WORD = expression(r"\w{2,}")
_FIRST = expression(r"[^\W\d_]+")
_JOINT = r"\s(?:and|but|while|ve|ama)\s"
_CLAUSE = expression(rf"[.!?;:]\s+|,?{_JOINT}")
_PART = expression(rf"[.!?;:,]\s+|{_JOINT}")
_ROOT = 4
"""A Turkish ending may change the last letter of the stem, so the letters before it count: kitap, kitabım."""


@lru_cache(maxsize=64)
def asks_now(question: str) -> bool:
    """Whether a question asks how one thing is now: not how it was, why, for several, for advice, or who said it."""
    if not patterns.found("asks", question) or patterns.found("asks-past", question):
        return False
    return not (asks_advice(question) or asks_record(question))


def tells_news(text: str) -> bool:
    """Whether a short message says that something is new: without that it overtakes nothing."""
    return len(text) <= TEXT_MAX and bool(_told(text))


def news(earlier: str, later: str, question: str) -> tuple[str, ...]:
    """The later message's sentences that say something new of the speaker, or of whom the others speak of, too.

    None where the question names something, by name or number, of which only the earlier one speaks.
    """
    told = _told(later) if max(len(earlier), len(later)) <= TEXT_MAX else ()
    if not told or not _named(question) & _words(earlier) <= _words(later):
        return ()
    known = people(earlier) | people(question)
    spoken = _words(earlier) | _words(question)
    is_of_self = is_first_person(question) and not people(question) and not _named(question)
    return tuple(
        sentence
        for sentence in told
        if people(sentence) <= known and not _is_of_another(sentence, spoken, is_of_self=is_of_self)
    )


def _is_of_another(sentence: str, spoken: Collection[str], *, is_of_self: bool) -> bool:
    """Whether a sentence begins with somebody nobody spoke of, or, where one asks of oneself, with he, she or they."""
    first = _FIRST.match(sentence)
    if first is None or is_first_person(sentence):
        return False
    if is_of_self and plain(first[0]) in lists.words("third-persons"):
        return True
    return is_given_name(first[0]) and plain(first[0])[:_NAME] not in spoken


def replaces(earlier: str, later: str, question: str) -> bool:
    """Whether the later message says something new of what the earlier one answered with, or takes it back for certain.

    What it answered with are its words that the question does not have: my new manager is calmer than *Priya* was.
    """
    told = news(earlier, later, question)
    if not told:
        return False
    language = _language(later, question)
    answering = _answering(earlier, question, language)
    answer = _content(answering, language) - _content(question, language)
    if any(_shared(answer, _content(one, language)) for one in told):
        return True
    taken_back = contradicts(earlier, later)
    return taken_back is not None and (taken_back.was.rstrip(" .!?;:") in answering or taken_back.was == earlier)


def _answering(text: str, question: str, language: str) -> str:
    """The clauses of a message that share most words with a question; all of it where none shares any.

    Where it is asked about somebody, what speaks of them. A comma parts clauses only where somebody else is spoken of:
    I live in Leeds, my sister in York.
    """
    asked, about = _content(question, language), people(question)
    clauses = [clause for clause in (_PART if people(text) else _CLAUSE).split(text) if clause.strip()]
    clauses = [clause for clause in clauses if about & people(clause)] or clauses
    shared = [len(_shared(asked, _content(clause, language))) for clause in clauses]
    most = max(shared, default=0)
    return ", ".join(clause for clause, count in zip(clauses, shared, strict=True) if count == most) if most else text


def renews(earlier: str, later: str, question: str) -> bool:
    """Whether the speaker says something new, in one sentence, of all that the question and the earlier one name."""
    told = [one for one in news(earlier, later, question) if is_first_person(one)]
    if not told:
        return False
    language = _language(later, question)
    asked = _shared(_content(question, language), _content(earlier, language))
    return bool(asked) and any(_shared(asked, _content(one, language)) == asked for one in told)


@lru_cache(maxsize=1 << 10)
def _told(text: str) -> tuple[str, ...]:
    """What a text states that is new and takes the place of something."""
    if not patterns.found("overtakes", text):
        return ()
    language = patterns.read(text).languages[0]
    stated = (one for one in asserted(sentences(text), language) if one and not is_question(one))
    return tuple(
        one
        for one in stated
        if patterns.found("overtakes", one)
        and not patterns.found("overtakes-not", one)
        and not matches("unasserted", language, plain(one))
    )


def _shared(some: Collection[str], others: Collection[str]) -> set[str]:
    """Those of some words that are among the others, whatever Turkish endings do to their roots."""
    roots = set(map(_root, others))
    return {one for one in some if one in others or _root(one) in roots}


def _root(stem: str) -> str:
    return stem[:_ROOT] if len(stem) == TURKISH_STEM_MAX else stem


@lru_cache(maxsize=64)
def _named(question: str) -> frozenset[str]:
    """The words of a question that are names or hold a number."""
    names = {word for name in entities(question) for word in _words(name)}
    return frozenset(names | {word for word in _words(question) if not word.isalpha()})


@lru_cache(maxsize=64)
def _words(text: str) -> frozenset[str]:
    """The beginnings of its words: a name may bear any ending."""
    return frozenset(word[:_NAME] for word in _WORD.findall(plain(text)))


def _language(later: str, question: str) -> str:
    """The language that all three are read in: a few words alone may not tell theirs."""
    return detect_language(f"{question} {later}")


@lru_cache(maxsize=64)
def _content(text: str, language: str) -> frozenset[str]:
    return frozenset(term for chunk in reading(text, language).chunks for term, _ in chunk.content)


def people(text: str) -> frozenset[str]:
    """Of whom a text speaks by what they are to somebody: kin, friends, neighbours."""
    return _people(text[:_PEOPLE_MAX])


@lru_cache(maxsize=1 << 10)
def _people(text: str) -> frozenset[str]:
    found = reading(text)
    words = (plain(word) for chunk in found.chunks for _, word in chunk.content)
    return frozenset(name for word in words if (name := kin(word, found.language) or who(word, found.language)))
