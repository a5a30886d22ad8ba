"""Statements: split a message into what its speaker asserts, and decide whether a statement is self-contained.

In: a text. Out: its sentences without questions, suppositions, stories and quotations; whether one can be understood
without the talk around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from reverie.language.names.entities import entities, is_given_name
from reverie.language.names.people import is_person_noun
from reverie.language.text import lists, patterns
from reverie.language.text.analyzer import keywords
from reverie.language.text.letters import compose, plain
from reverie.language.text.patterns import is_question, read, sentences


class OwnStatements(NamedTuple):
    """A fact, the statement it was cut from (or itself), and the fact that is given as its cause, or ""."""

    text: str
    said: str
    because: str = ""


class StatementReader(NamedTuple):
    """The result of reading a message: its text, and its facts that are not asked, supposed, invented or quoted."""

    text: str
    facts: tuple[OwnStatements, ...]


Reader: TypeAlias = Callable[[str, Sequence[str]], StatementReader]
"""A function that reads a message, given the messages before it in its session (latest last)."""


def own_words(text: str, _before: Sequence[str] = ()) -> StatementReader:
    """Read a message word for word: each sentence that its speaker asserts is a fact."""
    return StatementReader(text, tuple(OwnStatements(said, said) for said in own_sentences(text) if said))


def own_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text that its speaker asserts, and "" for each other one."""
    for sentence in sentences(compose(text)):
        is_own = not (is_question(sentence) or patterns.found("statement/not-own", sentence))
        yield sentence if is_own else ""
        if not is_own and sentence.endswith(":"):  # the rest is quoted, as a text to translate
            return


_WORD = re.compile(r"[^\W\d_]+")
_LANGUAGES = ("en", "tr")
_SAYING_MIN = 3
"""Fewest words besides names with which a statement says something about them: I'm going to Berlin."""
_FROM_NOW_ON = re.compile(r"bundan (?:sonra|boyle|itibaren)\b")
_TURKISH = re.compile(r"[çğıöşüÇĞİÖŞÜ]")
"""Letters that show that an ambiguous text is Turkish, where "her" means "every"."""
_OF_SPEAKER = re.compile(r"\w{4,}[iu](?:m|z)")
_PREDICATE = re.compile(r"degil(?:im|iz)|var|yok")


def stands_alone(statement: str) -> bool:
    """Whether a statement is self-contained: it names what it is about, and says something about it.

    It is not if it begins with a pronoun for something named before, mentions a "her" without a name, or only names.
    """
    content = [plain(word) for word in keywords(statement)]
    if _says_nothing(content):
        return False
    named = {word for name in entities(statement) for word in plain(name).split()}
    words = _WORD.findall(plain(compose(statement)))
    beside = [word for word in words if word not in named]
    says = len(beside) >= _SAYING_MIN or not lists.words("verbs-base.en").isdisjoint(beside)
    says = says or _is_predicate(words, statement)
    merely_names = all(word in named for word in content) and not says
    return not merely_names and not _points_back(words, statement, named)


def _is_predicate(words: list[str], statement: str) -> bool:
    """Whether a Turkish statement is a predicate about its speaker and not a name: vejetaryenim, evli değilim."""
    if "tr" not in read(statement).languages:
        return False
    one = len(words) == 1 and _OF_SPEAKER.fullmatch(words[0]) is not None
    return (one and not any(map(is_given_name, _WORD.findall(statement)))) or any(
        _PREDICATE.fullmatch(word) for word in words
    )


def _says_nothing(content: list[str]) -> bool:
    """Whether there is no content word, or only a verb of liking: "I love to" says no more than "yes"."""
    return not content or (
        len(content) == 1 and any(content[0] in lists.words(f"statement/liking.{language}") for language in _LANGUAGES)
    )


def _points_back(words: list[str], statement: str, named: set[str]) -> bool:
    """Whether a statement refers to something named before: it begins with a pronoun, or mentions an unnamed person."""
    languages = ("tr",) if _TURKISH.search(statement) else read(statement).languages
    of_somebody = any(not lists.words(f"statement/somebody.{language}").isdisjoint(words) for language in languages)
    if of_somebody and not named and not has_person(words):
        return True
    if _FROM_NOW_ON.match(" ".join(words[:2])):
        return False
    opens = any(words[0] in lists.words(f"statement/opens-alone.{language}") for language in _LANGUAGES)
    return not opens and any(words[0] in lists.words(f"pronouns.{language}") for language in languages)


def has_person(words: list[str]) -> bool:
    """Whether the words, in lower case and without diacritics, contain a noun for a person."""
    return any(is_person_noun(word, language) for word in words for language in ("en", "tr"))
