"""Extract a message's facts as document D forms them: resolve pronouns, split facts, separate causes from effects.

In: the text, and what was said before it. Out: the resolved text, and its facts in order. A clause is split off
only where that cannot change its meaning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from reverie.encode.statements import OwnStatements, StatementReader, own_sentences, stands_alone
from reverie.language.claims import is_conditional, is_past_verb
from reverie.language.classify.categories import plain_category
from reverie.language.classify.question import is_first_person
from reverie.language.names.entities import entities
from reverie.language.names.named_entities import named
from reverie.language.text import lists, patterns
from reverie.language.text.letters import compose, detect_language, plain, spelled
from reverie.language.text.patterns import STOP, capital, is_question, masked, read, sentences
from reverie.recipes.published.v9 import WORDS, clauses
from reverie.recipes.published.v9.clauses import halves, opened
from reverie.recipes.published.v9.coreference import antecedents, resolved, spoken_of
from reverie.types import Kind

# Whether half of a sentence can be understood alone.


_WORD = re.compile(r"[^\W\d_][\w'’]*")
_DONE = re.compile(
    r"(?:yor|(?:d|t)[iu]|m[iu]s|[ae]ca[kg]|[ae]ce[kg]|m[ae]z|m[ae]|\w[aeiu]r)(?:[iu]?[mz]|[ln][ae]r|k|n[iu]z)?\Z"
)
"""A Turkish word that may be a verb, in any person."""
_IS_NOT = re.compile(r"degil(?:[iu][mz])?\Z")
_PLACE = re.compile(r"\w{2}[dt][ae]\Z")
_LIVES = re.compile(r"yor\w*\Z|(?:d|t)[iu][mk]\Z")


def leans(clause: str, language: str) -> bool:
    """Whether a clause depends on another: it refers back, has "too", or lacks its verb or object."""
    said = plain(spelled(clause) if language == "en" else clause).replace("’", "'").rstrip(" .!…")
    if patterns.any_of(f"leaning.{language}", WORDS).search(said):
        return True
    return language == "tr" and _has_no_object(clause)


def is_framed(clause: str, language: str) -> bool:
    """Whether a first clause begins with a time, place, doubt or role that also applies to the second."""
    said = plain(clause).replace("’", "'")
    if patterns.any_of(f"framed.{language}", WORDS).search(said):
        return True
    return language == "tr" and (":" in clause or _is_placed(said.split()))


def is_bare(sentence: str, language: str) -> bool:
    """Whether a sentence consists of subject and verb only: I quit; gelmedim."""
    words = [word.replace("’", "'") for word in _WORD.findall(plain(spelled(sentence)))]
    if language == "tr":
        return len(words) == 1 and _LIVES.search(words[0]) is not None
    if not words or words[0].partition("'")[0] not in lists.words("subjects.en", WORDS):
        return False
    doing = [word for word in words[1:] if word not in lists.words("auxiliaries.en", WORDS)]
    return len(doing) == 1 and is_past_verb(doing[0])


def _has_no_object(clause: str) -> bool:
    """Whether a Turkish clause has nothing between subject and verb: kocam yiyor, annem değil."""
    words = clause.split()
    if not words:
        return False
    subject = clauses.turkish_subject(clause)
    last = plain(words[-1].rstrip(".!…"))
    if not subject or len(subject.split()) != len(words) - 1 or last == "var":
        return False
    return bool(_DONE.search(last) or _IS_NOT.search(last))


def _is_placed(words: list[str]) -> bool:
    """Whether a clause begins with a place that also applies to the next: of a state, or besides the verb's own place.

    A name in the locative counts as a place: Bosch'ta mühendisim.
    """
    if len(words) < 2 or not _PLACE.search(words[0].rstrip(",")):
        return False
    return _LIVES.search(words[-1]) is None or any(_PLACE.search(word.replace("'", "")) for word in words[1:])


# Two facts in one sentence: I'm vegan and allergic to nuts; evliyim ve Getir'de çalışıyorum.


_KEPT = frozenset({Kind.FACT, Kind.PREFERENCE, Kind.DECISION, Kind.PLAN})
_DENYING = re.compile(r"\b(?:not|never|no|\w+n['’]?t)\b", re.IGNORECASE)
_OWN = re.compile(r"(?:i|we)\b", re.IGNORECASE)
_BE = frozenset({"am", "are", "is", "'m", "'re", "'s"})
_HALF = re.compile(r",| and ")
_IN_TURN = re.compile(r"((?:i|we)(?: (?!to\b)\w+)? (?:use|run|have|take)) .+ for [\w' -]+", re.IGNORECASE)
""""We use Redis for caching", to be continued by other uses."""
_IN_TURN_TOO = re.compile(r"\S+(?: \S+){0,2} for [\w' -]+")
_IN_TURN_TR = re.compile(r"\S+(?: \S+)? için \S+(?: \S+){0,2}")
_IN_TURN_TOO_TR = re.compile(r"\S+(?: \S+)? için \S+(?: \S+){0,2} (?P<verb>kullanıyor(?:um|uz))")
_VERB = re.compile(r"(?:yor(?:um|uz)|(?:d|t)[iu][mk]|[ae]c[ae]g[iu][mz]|[aeiu]r[iu][mz]|m[ae]m|m[ae]y[iu]z)\Z")
"""A Turkish verb in the first person."""
_COPULA = re.compile(r"(?:[aeiu]y|\bdegil)[iu][mz]\Z")
"""A state: hemşireyim, değilim."""
_ENDED = re.compile(r"[iu][mz]\Z")
_OWNED = re.compile(r"\wm(?:[iu]z)? (?:hic )?(?:var|yok)\Z")
"""A possession: fındığa alerjim var."""
_NAMED = re.compile(r"(?:benim )?(?:adim|ismim) \w+\Z")
_IN_CASE = re.compile(r"['’]\w+\Z")


def pair(left: str, right: str, language: str, *, comma: bool) -> tuple[str, str] | None:
    """Return the two facts on both sides of a cut, the second with its subject; None if they must stay together."""
    if not left or not right or is_conditional(left, language) or is_conditional(right, language):
        return None
    found = _turkish(left, right) if language == "tr" else _english(left, right, comma=comma)
    return None if found is None or not _are_facts(*found) else found


@lru_cache(maxsize=64)  # each half is examined at every cut of its sentence
def _kind(clause: str) -> Kind | None:
    kind = plain_category(clause)
    return kind if kind in _KEPT else None


def _are_facts(first: str, second: str) -> bool:
    """Whether each would be kept alone; of two plans, one may contain the date of both."""
    kinds = (_kind(first), _kind(second))
    return None not in kinds and kinds != (Kind.PLAN, Kind.PLAN)


def _english(left: str, right: str, *, comma: bool) -> tuple[str, str] | None:
    said, (left, right) = (left, right), (spelled(left), spelled(right))
    opening = clauses.opening(left)
    if opening is None or _first(right) in lists.words("pronouns.en") or _is_bound(left, right):
        return None
    if clauses.opening(right) is not None:
        return said
    if _DENYING.search(left):
        return None
    if comma:
        second = "" if _first(right) in _small() else _same_being(left, right, opening)
    else:
        second = _same_being(left, right, opening) or _in_turn(left, right) or _same_doing(left, right)
    return (said[0], second) if second else None


def _first(clause: str) -> str:
    return plain(clause.split()[0]).partition("'")[0]


def _small() -> frozenset[str]:
    """Function words that after a comma continue a statement: married, from Oslo."""
    return lists.words("function-words.en") - {"a", "an"}


def _is_bound(left: str, right: str) -> bool:
    """Whether a word of the first half has scope over the second; a negation has not if both begin with "I"."""
    free = left if not (_OWN.match(left) and _OWN.match(right)) else _DENYING.sub("", left)
    return clauses.is_ruled(free, "en")


def _same_being(left: str, right: str, opening: clauses.Opening) -> str:
    """Return "I'm allergic to nuts" from "I'm vegan and allergic to nuts" if both are states of a person, else ""."""
    said = left[len(opening.head) :].strip()
    if opening.verb not in _BE or not said or _first(said).endswith("ing") or clauses.is_ruled(_first(right), "en"):
        return ""
    are_told = all(_kind(f"I'm {what}") in (Kind.FACT, Kind.PREFERENCE) for what in (said, _HALF.split(right)[0]))
    return f"{opening.head} {right}" if are_told else ""


def _same_doing(left: str, right: str) -> str:
    """Return "I have two kids" from "I live in Berlin and have two kids"; not "I love rice and love songs"."""
    subject = clauses.shared_subject(left, right)
    second = f"{subject} {right}"
    return second if subject and _kind(second) is Kind.FACT else ""


def _in_turn(left: str, right: str) -> str:
    """Return "We use Datadog for monitoring" from "We use GitHub Actions for CI and Datadog for monitoring"."""
    found = _IN_TURN.fullmatch(left)
    return f"{found[1]} {right}" if found and _IN_TURN_TOO.fullmatch(right) else ""


def _turkish(left: str, right: str) -> tuple[str, str] | None:
    if (told := _IN_TURN_TOO_TR.fullmatch(right)) and _IN_TURN_TR.fullmatch(left):
        return f"{left} {told['verb']}", right
    if clauses.is_ruled(left, "tr") or clauses.is_ruled(right, "tr"):
        return None
    return (left, right) if _have_subjects(left, right) else None


def _have_subjects(left: str, right: str) -> bool:
    """Whether both Turkish clauses show their subject: the speaker, or a person they name."""
    of_own, is_of_other = is_own(right), clauses.turkish_subject(right) != ""
    if is_own(left):
        return of_own or (is_of_other and " " in left)
    is_of_two = is_of_other and clauses.turkish_subject(left) != "" and " " in left
    return is_of_two and not of_own and not _IN_CASE.search(left)


def is_own(clause: str) -> bool:
    """Whether a Turkish clause ends in an action, state or possession of the speaker."""
    words = plain(clause).split()
    last = words[-1]
    if _COPULA.search(last):
        return True
    if len(words) == 1:
        return (
            last not in lists.words("possessed.tr", WORDS)
            and _ENDED.search(last) is not None
            and not _VERB.search(last)
        )
    if _VERB.search(last) or _OWNED.search(" ".join(words)) or _NAMED.match(" ".join(words)):
        return True
    return (
        last not in lists.words("possessed.tr", WORDS)
        and _ENDED.search(last) is not None
        and _kind(words[-1]) is not None
    )


# Atomic facts: split a text into sentences, and sentences into clauses that are facts of their own.


SENTENCE_MAX = 400
"""Longest sentence that is split, in characters: a longer one is a list, a table or a document."""

_CUT = re.compile(r"(?P<semi>\s*;\s+)|,?\s+(?P<word>and|ve)\s+|,?\s+(?P<but>but|ama|fakat)\s+|(?P<comma>,\s+)")
_LANGUAGES = {"and": "en", "but": "en", "ve": "tr", "ama": "tr", "fakat": "tr"}


@lru_cache(maxsize=16)
def atomic(text: str) -> tuple[str, ...]:
    """Split a text into facts, in order, each a sentence; none for a text without words."""
    return tuple(fact for sentence in sentences(compose(text)) for fact in _facts(sentence))


def _facts(sentence: str) -> list[str]:
    """Split a sentence into facts: cut once, and split the parts again."""
    if len(sentence) > SENTENCE_MAX or is_question(sentence):
        return [sentence]
    hidden = masked(sentence)
    language = ""
    for cut in _CUT.finditer(hidden):
        language = language or detect_language(sentence)
        if language != _LANGUAGES.get(cut["word"] or cut["but"], language):
            continue
        left, right = sentence[: cut.start()].strip(), sentence[cut.end() :].strip()
        found = _cut(left, right, cut, language)
        if found:
            stop = STOP.findall(sentence)[0] or ""
            first, second = (half.removesuffix(stop) + stop for half in found)
            return [*_facts(first), *_facts(capital(second, language))]
    return [sentence]


def _cut(left: str, right: str, cut: re.Match[str], language: str) -> tuple[str, str] | None:
    """Return both sides of a cut as clauses; None if they must stay together."""
    is_pair = cut["semi"] is None
    if not left or not right or leans(right, language) or (is_pair and is_framed(left, language)):
        return None
    loose = (cut["comma"] or cut["but"]) is not None
    if is_pair and (paired := pair(left, right.rstrip(".!…"), language, comma=loose)):
        return paired
    second = _second(left, right, cut, language)
    return (left, second) if second else None


def _second(left: str, right: str, cut: re.Match[str], language: str) -> str:
    """Return the clause after the cut, with its subject; "" if the two must stay together."""
    if cut["but"]:
        return ""
    if cut["comma"] and not (clauses.is_own_clause(left, language) and clauses.is_own_clause(right, language)):
        return ""
    if not _name_different_things(left, right):
        return ""
    return clauses.second_clause(left, right, language, by_mark=cut["semi"] is not None)


def _name_different_things(left: str, right: str) -> bool:
    ours, theirs = set(entities(left)), set(entities(right))
    return bool(ours - theirs) and bool(theirs - ours)


# The facts of a message.


_LETTERS = re.compile(r"[^\W\d_]+")


def resolved_facts(text: str, before: Sequence[str] = ()) -> StatementReader:
    """Resolve the pronouns of a message and extract its facts."""
    text = resolved(text, (*spoken_of(before), *antecedents(text)))
    return StatementReader(text, facts(text))


def facts(text: str) -> tuple[OwnStatements, ...]:
    """Extract facts from a text's own statements, without questions, suppositions, fiction, quotations and pasted
    texts.
    """
    found: list[OwnStatements] = []
    head = -1  # index of the last fact (of a pair, the effect); -1 if a connective cannot refer back
    for sentence in own_sentences(text):
        if not sentence:
            head = -1
        for fact in atomic(sentence):
            joined = _following(found[head], fact) if head >= 0 else None
            if joined:
                found[head] = joined[0]
            parts = joined[1:] if joined else _parted(fact)
            head = len(found) + (len(parts) > 1 and not parts[0].because)
            found += parts
    return tuple(found)


def _parted(fact: str) -> tuple[OwnStatements, ...]:
    """Split a fact into cause and effect if each is a fact of its own."""
    found = halves(fact)
    if found is None:
        return (OwnStatements(fact, fact),)
    names = [entity.surface for entity in named(fact)]
    first, second = found.first, resolved(found.second, antecedents(found.first))
    if not (_is_whole(first, names) and _is_whole(second, names)):
        return (OwnStatements(fact, fact),)
    first, second = capital(first, found.language), capital(second, found.language)
    if found.cause_first:
        return OwnStatements(first, fact), OwnStatements(second, fact, first)
    return OwnStatements(first, fact, second), OwnStatements(second, fact)


def _following(before: OwnStatements, fact: str) -> tuple[OwnStatements, OwnStatements] | None:
    """Join a fact that begins with "That's why …" or "Çünkü …" to the fact before it, as cause and effect."""
    found = opened(fact)
    if found is None:
        return None
    names = [entity.surface for one in (before.text, fact) for entity in named(one)]
    if not (_is_whole(before.text, names) and _is_whole(found.rest, names)):
        return None
    rest = capital(found.rest, found.language)
    if found.cause_before:
        return before, OwnStatements(rest, fact, before.text)
    return before._replace(because=before.because or rest), OwnStatements(rest, fact)


def _is_whole(half: str, names: Sequence[str]) -> bool:
    """Whether half of a sentence can be understood alone: no word refers back, and its subject is clear.

    "The pay was bad" is unclear, "my pay was bad" is not, although it is in the third person. "I quit" lacks its
    object.
    """
    words = _LETTERS.findall(plain(half))
    languages = read(half).languages
    if any(is_bare(half, one) or lists.words(f"pronouns.{one}").intersection(words) for one in languages):
        return False
    is_about = any(name in half for name in names) or is_first_person(half)
    return is_about and stands_alone(half)
