"""Whether a text a model wrote says no less and no more than the texts it was made from.

In: sources and the text. Out: what is lost and what is invented, as counts: numbers, names, negations; then content
words, and what ``llm_turned`` reads. The checks are strict on purpose: a good text refused costs its wording, a bad one
kept costs a fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from reverie.language.analyzer import index_terms
from reverie.language.detect import detect_language, turkish_evidence
from reverie.language.entities import entities
from reverie.language.letters import fold, lower
from reverie.language.stem import stem
from reverie.language.words import words_of
from reverie.models.llm_prompt import prompt_lines
from reverie.models.llm_turned import turned
from reverie.models.llm_words import tokens

_STEM_MIN = 3
"""Letters from which on a stem that begins a word of the text stands in it: stemmers take more off here than there."""
_REACH = 3
"""Content words a negation speaks of: those after it in English, those before it in Turkish."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What can be counted in a text: numbers in digits, words, names, and for each negation the words it speaks of."""

    numbers: frozenset[str]
    words: frozenset[str]
    names: tuple[frozenset[str], ...]
    negations: tuple[frozenset[str], ...]


def facts_of(text: str, language: str) -> Facts:
    """The countable facts of a text; what negations speak of is given as stems."""
    words = [word for chunk in text.split() for word in words_of(chunk, language)]
    names = [frozenset(w for part in name.split() for w in words_of(part, language)) for name in entities(text)]
    return Facts(
        numbers=frozenset(_numbers(words, language)),
        words=frozenset(map(fold, words)),
        names=tuple(frozenset(map(fold, name)) for name in names if name),
        negations=tuple(n for spoken in _spoken(text) for n in _negations(words, frozenset().union(*names), spoken)),
    )


def _spoken(text: str) -> tuple[str, ...]:
    """The languages a negation may be in: a short text often does not show its own ("Ada okula gitmedi")."""
    evidence = turkish_evidence(text)
    return ("en", "tr") if evidence == 0 else ("tr",) if evidence > 0 else ("en",)


def losses(sources: Sequence[str], text: str) -> str:
    """What the text lacks of its sources, in words; "" when it lacks nothing."""
    language = detect_language(" ".join(sources))
    said = facts_of(text, language)
    wanted = [facts_of(source, language) for source in sources]
    numbers = {number for facts in wanted for number in facts.numbers - said.numbers}
    names = {name for facts in wanted for name in facts.names if not has_name(said, name)}
    negations = [n for facts in wanted for n in facts.negations if not _meets(n, said.negations)]
    lacking = _counted("It lacks", numbers=len(numbers), names=len(names), negations=len(negations))
    if not lacking and any(coverage(source, text, language) < 1 for source in sources):
        return "It leaves out too much of what the texts say."
    return lacking or turned(sources, text)


def inventions(sources: Sequence[str], text: str) -> str:
    """What the text says that no source does, in words; "" when there is nothing."""
    language = detect_language(" ".join(sources))
    said = facts_of(text, language)
    known = [facts_of(source, language) for source in sources]
    numbers = {number for number in said.numbers if not any(number in facts.numbers for facts in known)}
    names = {name for name in said.names if not any(has_name(facts, name) for facts in known)}
    negations = [n for n in said.negations if not any(_meets(n, facts.negations) for facts in known)]
    return _counted("It invents", numbers=len(numbers), names=len(names), negations=len(negations))


def lost_negations(source: str, text: str) -> str:
    """The negations of the source that the text lacks, in words; "" when it lacks none."""
    language = detect_language(source)
    said = facts_of(text, language).negations
    missing = [n for n in facts_of(source, language).negations if not _meets(n, said)]
    return _counted("It lacks", negations=len(missing))


def coverage(source: str, text: str, language: str) -> float:
    """The share of the source's distinct content stems that the text holds, in [0, 1]; 1 for a source without any."""
    apart = {*prompt_lines("small-words"), *number_words(language)}
    said = (word for word in tokens(source, language) if word.term and word.plain not in apart)
    wanted = {term for word in said for term in index_terms(word.raw, language) if not term.isdecimal()}
    stems = set(index_terms(text, language))
    words = facts_of(text, language).words
    held = {term for term in wanted if term in stems or _begins(fold(term), words)}
    return len(held) / len(wanted) if wanted else 1.0


def _begins(term: str, words: Iterable[str]) -> bool:
    return len(term) >= _STEM_MIN and any(word.startswith(term) for word in words)


def _counted(what: str, **counts: int) -> str:
    """The counts above zero as a sentence. Counts alone: the sentence goes back to the model and into the log."""
    parts = [f"{count} of the {name}" for name, count in counts.items() if count]
    return f"{what} {', '.join(parts)}." if parts else ""


def _numbers(words: Iterable[str], language: str) -> Iterable[str]:
    spelled = number_words(language)
    for word in words:
        if any(sign.isdecimal() for sign in word):
            yield word
        elif word in spelled:
            yield spelled[word]


def has_name(facts: Facts, name: frozenset[str]) -> bool:
    """Whether each word of a name, folded, begins a word of the text: case endings grow on names."""
    return all(any(word.startswith(part) for word in facts.words) for part in name)


def _meets(negation: frozenset[str], others: Iterable[frozenset[str]]) -> bool:
    """Whether one of the others speaks of the same: a word in common, or nothing to speak of on either side."""
    return any(negation & other or (not negation and not other) for other in others)


def _negations(words: Sequence[str], names: frozenset[str], language: str) -> Iterable[frozenset[str]]:
    """For each negation the stems of the content words it speaks of; of names only where there is nothing else."""
    empty = {word for word in words if not index_terms(word, language) or _is_negation(word, language)}
    for place, word in enumerate(words):
        if word in names or not _is_negation(word, language):
            continue
        nearest = words[:place][::-1] if language == "tr" else words[place + 1 :]
        content = [w for w in nearest if w not in empty]
        reach = [w for w in content if w not in names] or content
        yield frozenset(stem(w, language) for w in reach[:_REACH])


def _is_negation(word: str, language: str) -> bool:
    if language != "tr":
        return word in _listed("negation.en")
    plain = fold(word)
    if word.startswith(_listed("negation.tr")):
        return True
    return plain not in _listed("negation-not.tr") and _negated().fullmatch(plain) is not None


@cache
def _listed(name: str) -> tuple[str, ...]:
    return tuple(line for line in prompt_lines(name) if line)


@cache
def _negated() -> re.Pattern[str]:
    """Any word with a negated ending."""
    return re.compile(rf"\w*(?:{'|'.join(_listed('negation-endings.tr'))})")


@cache
def number_words(language: str) -> dict[str, str]:
    """Number word → its digits."""
    found: dict[str, str] = {}
    for line in _listed("number-words"):
        key, _, values = line.partition(": ")
        spoken, digits = key.split()
        found |= {lower(word, language): digits for word in values.split(", ") if spoken == language}
    return found
