"""Whether a fact that a model wrote is borne by the message it was made from, and when a plan of it ends.

In: the fact, and the message as it was given. Out: why not, in words; "" where it is borne. The checks are strict on
purpose: a good fact refused costs its wording, for the rules form one too; a false one kept may take back a true one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from reverie.language import lists
from reverie.language.analyzer import index_terms
from reverie.language.dating import dated, moments
from reverie.language.detect import detect_language
from reverie.language.entities import entities
from reverie.language.letters import fold, plain
from reverie.language.named_entities import PERSON, named
from reverie.language.patterns import any_of
from reverie.language.question import is_first_person
from reverie.language.words import words_of
from reverie.models.llm_facts import Facts, facts_of, has_name, number_words
from reverie.models.llm_prompt import prompt_lines
from reverie.models.llm_words import WORDS, calendar_words, tokens, turkish_verb
from reverie.ports import Said

HELD_MIN = 0.7
"""Smallest share of a fact's content words that the message and what came before it must hold."""
SAID_MIN = 0.5
"""Smallest share that the message itself must hold: what only came before was formed when it was said."""
_FACT_MAX = 2_000


@dataclass(frozen=True)
class Ground:
    """What a fact may rest on: the message's statements, each with its dates, and what was said before."""

    said: Said

    @cached_property
    def language(self) -> str:
        """The message's language."""
        return detect_language(self.said.text)

    @cached_property
    def message(self) -> str:
        """The statements, and again with the dates of their days."""
        own = self.said.statements
        return "\n".join([*own, *(dated(one, self.said.at).text for one in own)])

    @cached_property
    def whole(self) -> str:
        """The message, who said it, and what was said before."""
        return "\n".join([self.message, self.said.speaker, *self.said.before])

    @cached_property
    def clauses(self) -> dict[str, bool]:
        """The clauses of the statements, and whether the speaker is the one spoken of in each."""
        found: dict[str, bool] = {}
        for statement in self.said.statements:
            breaks = [m.span() for m in any_of(f"tense/clause-breaks.{self.language}").finditer(plain(statement))]
            cuts = [0, *(place for span in breaks for place in span), len(statement)]
            is_own = False
            for clause in filter(str.strip, map(statement.__getitem__, map(slice, cuts[::2], cuts[1::2]))):
                is_own = _is_own(clause, self) or (is_own and not _is_of_another(clause))
                found[clause] = is_own
        return found

    @cached_property
    def facts(self) -> Facts:
        """What can be counted in all of it."""
        return facts_of(self.whole, self.language)

    def ends(self, until: datetime) -> bool:
        """Whether a time the message names ends then, and is still ahead."""
        named = (moment.span.end for one in self.said.statements for moment in moments(one, self.said.at))
        return until > self.said.at and until in named

    def holds(self, part: str, whole: str) -> bool:
        """Whether a text holds most content words of another."""
        return _share(self, part, whole) >= HELD_MIN


def unborne(fact: str, ground: Ground) -> str:
    """Why a fact is not borne by the message; "" if it is."""
    if not fact.strip() or len(fact) > _FACT_MAX:
        return "is no single fact"
    return _added(fact, ground) or _unsaid(fact, ground) or _turned(fact, ground)


def _added(fact: str, ground: Ground) -> str:
    """The first name or number of its own."""
    known = set(map(fold, _speakers()))
    for name in entities(fact):
        parts = _folded(name, ground)
        if parts - known and not has_name(ground.facts, parts):
            return f"names {name!r} that the message does not"
    numbers = facts_of(fact, ground.language).numbers - ground.facts.numbers
    return f"has the number {min(numbers)!r} that the message has not" if numbers else ""


def _unsaid(fact: str, ground: Ground) -> str:
    if _share(ground, fact, ground.whole) < HELD_MIN or _share(ground, fact, ground.message) < SAID_MIN:
        return "says what the message does not"
    return ""


def _turned(fact: str, ground: Ground) -> str:
    """Whether it denies or affirms what its clause does not, states what that supposes, or says it of somebody else."""
    shares = {one: _share(ground, fact, one, names=True) for one in ground.clauses}
    most = max(shares.values(), default=0.0)
    best = [one for one, share in shares.items() if share == most]
    agree = any if most == 1.0 else all  # of clauses that hold only parts of it none may speak against it
    if not agree(_denies(one, ground) == _denies(fact, ground) for one in best):
        return "turns a denial around"
    if not any(_is_stated(fact, ground) <= _is_stated(one, ground) for one in best):
        return "states what is only supposed"
    if not any(_same_person(fact, one, ground) for one in best):
        return "says it of somebody else"
    return ""


def _denies(text: str, ground: Ground) -> bool:
    if facts_of(text, ground.language).negations:
        return True
    if ground.language != "tr":
        return False
    verbs = (turkish_verb(plain(word)) for word in words_of(text, "tr"))  # yemem, which has no ending of the list
    return any(verb is not None and verb.denied for verb in verbs)


def _is_stated(text: str, ground: Ground) -> bool:
    """Whether a text states what it says: no wish, no condition, no plan."""
    return not any(re.search(pattern, plain(text)) for pattern in lists.entries(f"unasserted.{ground.language}", WORDS))


def _same_person(fact: str, clause: str, ground: Ground) -> bool:
    """Whether the speaker is the one spoken of in both, or in neither."""
    if not ground.clauses[clause]:
        return not _is_own(fact, ground) and not _is_speakers(fact, clause, ground)
    known = facts_of("\n".join([clause, ground.said.speaker, *ground.said.before, *_speakers()]), ground.language)
    return all(has_name(known, _folded(name, ground)) for name in entities(fact))


def _is_own(text: str, ground: Ground) -> bool:
    """Whether the speaker is the one who does it: I work, çalışıyorum; not my cousin works."""
    words = [word.plain for word in tokens(text, ground.language)]
    if ground.language == "tr":
        return any(verb is not None and verb.first for verb in map(turkish_verb, words))
    return any(word.partition("'")[0] in ("i", "we") for word in words)


def _is_of_another(clause: str) -> bool:
    """Whether a clause has a subject of its own, so that the one before it is not meant: my sister studies."""
    return is_first_person(clause) or any(one.kind == PERSON for one in named(clause))


def _is_speakers(fact: str, clause: str, ground: Ground) -> bool:
    """Whether a fact begins with who speaks, by name or as "user", where the clause does not name that one."""
    selves = {*map(fold, _speakers()), *_folded(ground.said.speaker, ground)}
    first = [word for word in fact.split() if fold(word) != "the"][:1]
    if is_first_person(clause) and any(sign in word for word in first for sign in "'’"):
        return False  # "Ada's cousin" for "my cousin"
    words = _folded("".join(first), ground)
    return len(words) == 1 and words <= selves and not words & facts_of(clause, ground.language).words


def _folded(text: str, ground: Ground) -> frozenset[str]:
    return frozenset(fold(word) for part in text.split() for word in words_of(part, ground.language))


def _speakers() -> list[str]:
    """The words by which a model names whoever speaks."""
    return prompt_lines("speaker-words")


def _share(ground: Ground, fact: str, text: str, *, names: bool = False) -> float:
    """The share of a fact's content stems that a text holds, without numbers, dates and whoever is named."""
    language = ground.language
    left_out = [
        *_speakers(),
        *prompt_lines("small-words"),
        *number_words(language),
        *calendar_words(language),
    ]
    if not names:
        left_out += [ground.said.speaker, *entities(fact)]
    apart = {stem for word in left_out for stem in index_terms(word, language)}
    every = [stem for stem in index_terms(fact, language) if not stem.isdecimal()]
    wanted = {stem for stem in every if stem not in apart} or set(every)
    return len(wanted & set(index_terms(text, language))) / len(wanted) if wanted else 1.0


def until_of(fact: str, plans: tuple[tuple[str, datetime], ...], ground: Ground) -> datetime | None:
    """When a fact runs out: by the first plan that speaks of it and ends with a time the message names."""
    for text, until in plans:
        if ground.ends(until) and ground.holds(text, fact):
            return until
    return None
