"""Statements of a message: what says something of its speaker, and what can be understood by itself.

In: a text. Out: its own sentences without questions, suppositions, stories and quotations; whether one is
self-contained when the talk around it is long gone.
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
    """A fact, the statement it was said in (itself, where that was not cut), and the fact that is its cause or ""."""

    text: str
    said: str
    because: str = ""


class StatementReader(NamedTuple):
    """A message as it is understood, and its facts that are neither asked, supposed, invented, quoted nor handed in."""

    text: str
    facts: tuple[OwnStatements, ...]


Reader: TypeAlias = Callable[[str, Sequence[str]], StatementReader]
"""From a message, and what was said before it in its session (the latest last), to what it states."""


def own_words(text: str, _before: Sequence[str] = ()) -> StatementReader:
    """A message as it stands: a fact is a sentence."""
    return StatementReader(text, tuple(OwnStatements(said, said) for said in own_sentences(text) if said))


def own_sentences(text: str) -> Iterator[str]:
    """The sentences of a text that state something of its speaker's own; "" for each that does not."""
    for sentence in sentences(compose(text)):
        is_own = not (is_question(sentence) or patterns.found("statement/not-own", sentence))
        yield sentence if is_own else ""
        if not is_own and sentence.endswith(":"):  # what follows is what is to be translated
            return


_WORD = re.compile(r"[^\W\d_]+")
_LANGUAGES = ("en", "tr")
_SAYING_MIN = 3
"""With so many words beside the names something is said of them: I'm going to Berlin."""
_FROM_NOW_ON = re.compile(r"bundan (?:sonra|boyle|itibaren)\b")
_TURKISH = re.compile(r"[çğıöşüÇĞİÖŞÜ]")
"""Letters by which what could be both is Turkish: "her" means "every" there."""
_OF_SPEAKER = re.compile(r"\w{4,}[iu](?:m|z)")
_PREDICATE = re.compile(r"degil(?:im|iz)|var|yok")


def stands_alone(statement: str) -> bool:
    """Whether it says something of something that it names.

    Not so what begins with a pronoun for what was named before, speaks of a "her" without a name, or merely names.
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
    """Whether a Turkish word says what the speaker is, and its capital is no name's: vejetaryenim, evli değilim."""
    if "tr" not in read(statement).languages:
        return False
    one = len(words) == 1 and _OF_SPEAKER.fullmatch(words[0]) is not None
    return (one and not any(map(is_given_name, _WORD.findall(statement)))) or any(
        _PREDICATE.fullmatch(word) for word in words
    )


def _says_nothing(content: list[str]) -> bool:
    """No word of content, or a liking alone: "I love to" says no more than "yes"."""
    return not content or (
        len(content) == 1 and any(content[0] in lists.words(f"statement/liking.{language}") for language in _LANGUAGES)
    )


def _points_back(words: list[str], statement: str, named: set[str]) -> bool:
    languages = ("tr",) if _TURKISH.search(statement) else read(statement).languages
    of_somebody = any(not lists.words(f"statement/somebody.{language}").isdisjoint(words) for language in languages)
    if of_somebody and not named and not has_person(words):
        return True
    if _FROM_NOW_ON.match(" ".join(words[:2])):
        return False
    opens = any(words[0] in lists.words(f"statement/opens-alone.{language}") for language in _LANGUAGES)
    return not opens and any(words[0] in lists.words(f"pronouns.{language}") for language in languages)


def has_person(words: list[str]) -> bool:
    """Whether a noun for a person stands among the words, lower case, without diacritics."""
    return any(is_person_noun(word, language) for word in words for language in ("en", "tr"))
