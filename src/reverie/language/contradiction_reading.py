"""What two statements are compared by: a text read once into clauses with their terms, values, denial, people and claims.

In: a text of any length, of which the beginning is read. Out: a ``Reading``, worth keeping where a text is compared often.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from reverie.language import lists
from reverie.language.contradiction_claims import Claim, Parts, claims, people
from reverie.language.contradiction_values import Token, Value, values
from reverie.language.contradiction_words import clauses, language_of, sentences, tokens, turkish_verb
from reverie.language.letters import compose, plain

TEXT_MAX = 2_000
"""Characters of a text that are read: what a message states stands in its beginning or not at all."""
CLAUSES_MAX = 16
_CLAUSE_WORDS_MAX = 40
_NEVER = frozenset({"never", "asla"})
_YET = frozenset({"yet", "hic", "henuz", "hicbir"})
_NO_LONGER = re.compile(r"\bno longer\b|\bany ?more\b|\bartik\b")
_PAST_TR = re.compile(r"[dt][iu](?:m|k|n|lar|ler)?\Z|m[iu]s\w*\Z")
_NO_TR = re.compile(r"(?:degil|yok)(?:um|im|uz|iz|tu|ti|mus|mis|tur|dir|dum|dim)?\Z")


@dataclass(frozen=True, slots=True)
class Denial:
    """What a clause denies: the term of the predicate, and how: "not", "never" or "ended"."""

    term: str
    how: str


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement: what it is about, what it says, and how far it holds."""

    text: str
    language: str
    tokens: tuple[Token, ...]
    terms: frozenset[str]
    values: tuple[Value, ...]
    denial: Denial | None
    others: frozenset[str]
    first: bool
    asserted: bool
    bounded: bool
    past: bool
    changed: bool
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Switch:
    """What a sentence says no longer holds, what holds instead, and the terms of the whole sentence."""

    was: frozenset[str]
    now: frozenset[str]
    written_was: str
    written_now: str
    terms: frozenset[str]
    first: bool
    others: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it is compared: its clauses that state something, what it says was replaced, and all its terms."""

    clauses: tuple[Clause, ...]
    switches: tuple[Switch, ...]
    vocabulary: frozenset[str]


@lru_cache(maxsize=1 << 12)
def reading(text: str) -> Reading:
    """A text read for comparison; only its first 2,000 characters and 16 clauses."""
    text = compose(text[:TEXT_MAX])
    language = language_of(text)
    found: list[Clause] = []
    switches: list[Switch] = []
    parts = sentences(text)
    changed = len(parts) <= 2 and _matches("cues", language, plain(text))
    for sentence in parts:
        if len(found) >= CLAUSES_MAX:
            break
        folded = plain(sentence)
        is_if = _is_hypothetical(folded, language)
        has_cue = changed or _matches("cues", language, folded)
        found += [_clause(clause, language, has_cue, is_if) for clause in clauses(sentence, language)]
        if not is_if and "?" not in sentence:
            switches += _switches(sentence, folded, language)
    kept = tuple(clause for clause in found[:CLAUSES_MAX] if clause.asserted and clause.tokens)
    vocabulary = frozenset().union(*(clause.terms for clause in kept), *(switch.was | switch.terms for switch in switches))
    return Reading(kept, tuple(switches), vocabulary)


def _is_hypothetical(folded: str, language: str) -> bool:
    """Whether a whole sentence only supposes something."""
    start = folded.lstrip("\"'(- ")
    if language == "en":
        return start.startswith(("if ", "what if", "suppose", "imagine", "should ", "unless ", "assuming", "let's say"))
    return start.startswith(("eger ", "keske ", "belki ", "diyelim")) or "saydi" in folded or "seydi" in folded


def _clause(text: str, language: str, changed: bool, is_if: bool) -> Clause:
    folded = plain(text)
    words = tuple(tokens(text, language)[:_CLAUSE_WORDS_MAX])
    found = values(words, language)
    covered = {place for value in found for place in range(value.first, value.last + 1)}
    words, denial = _denied(words, language, folded)
    terms = frozenset(token.term for place, token in enumerate(words) if token.term and place not in covered)
    asserted = not is_if and bool(words) and not _matches("unasserted", language, folded)
    return Clause(
        text=text,
        language=language,
        tokens=words,
        terms=terms,
        values=found,
        denial=denial,
        others=people(words),
        first=_is_first(words, language),
        asserted=asserted,
        bounded=asserted and _matches("bounded", language, folded),
        past=_is_past(words, language),
        changed=changed,
        claims=claims(Parts(text, words, found, language)) if asserted and denial is None else (),
    )


@cache
def _patterns(kind: str, language: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{entry})" for entry in lists.entries(f"contradiction-{kind}.{language}")))


def _matches(kind: str, language: str, folded: str) -> bool:
    return _patterns(kind, language).search(folded) is not None


def _is_first(words: Sequence[Token], language: str) -> bool:
    if language == "en":
        return any(token.plain in ("i", "we", "my", "our") for token in words)
    return any((verb := turkish_verb(token.plain)) is not None and verb.first for token in words[-2:])


def _is_past(words: Sequence[Token], language: str) -> bool:
    if language == "tr":
        return bool(words) and _PAST_TR.search(words[-1].plain) is not None and words[-1].plain != "simdi"
    past = _past_forms()
    return any(token.plain in past or (len(token.plain) > 4 and token.plain.endswith("ed")) for token in words)


@cache
def _past_forms() -> frozenset[str]:
    return frozenset(" ".join(lists.entries("contradiction-past.en")).split())


def _denied(words: tuple[Token, ...], language: str, folded: str) -> tuple[tuple[Token, ...], Denial | None]:
    """The words with what denies taken into account, and what is denied."""
    return _denied_turkish(words, folded) if language == "tr" else _denied_english(words, folded)


def _denied_english(words: tuple[Token, ...], folded: str) -> tuple[tuple[Token, ...], Denial | None]:
    for place, token in enumerate(words):
        rest = words[place + 1 :]
        if token.term.startswith("not "):
            term = token.term[4:]
            return _with_term(words, place, term), Denial(term, "not")
        if token.term == "ended":
            return _ended(words, place)
        if token.plain in _NEVER or token.plain in ("not", "no", "cannot") or token.plain.endswith("n't"):
            if token.plain == "no" and rest and rest[0].plain == "longer":
                rest = rest[1:]
            term = next((word.term for word in rest if word.term), "")
            how = _how(token.plain, {word.plain for word in words}, folded)
            return _with_term(words, place, ""), Denial(term, how) if term else None
    return words, None


def _how(sign: str, plain_words: set[str], folded: str) -> str:
    if _NO_LONGER.search(folded):
        return "ended"
    if sign in _NEVER or sign in ("haven't", "hasn't") or plain_words & _YET:
        return "never"
    return "past" if sign in ("didn't", "wasn't", "weren't") or plain_words & {"did", "was", "were"} else "not"


def _ended(words: tuple[Token, ...], place: int) -> tuple[tuple[Token, ...], Denial | None]:
    """Quit smoking: the form in -ing behind it is what is over."""
    following = words[place + 1 : place + 2]
    words = _with_term(words, place, "")
    is_doing = bool(following) and following[0].plain.endswith("ing") and bool(following[0].term)
    return words, Denial(following[0].term, "ended") if is_doing else None


def _with_term(words: tuple[Token, ...], place: int, term: str) -> tuple[Token, ...]:
    return (*words[:place], words[place]._replace(term=term), *words[place + 1 :])


def _denied_turkish(words: tuple[Token, ...], folded: str) -> tuple[tuple[Token, ...], Denial | None]:
    """Turkish denies in the verb, which stands last, or with değil and yok behind what is denied."""
    denial: Denial | None = None
    is_over = _NO_LONGER.search(folded) is not None
    is_never = any(token.plain in _YET or token.plain in _NEVER for token in words)
    for place in range(max(0, len(words) - 2), len(words)):
        word = words[place].plain
        if words[place].term.startswith("not v "):
            term = words[place].term[4:]
            words, denial = _with_term(words, place, term), Denial(term, "not")
        elif words[place].term == "ended":
            term = next((t.term for t in reversed(words[:place]) if t.term.startswith("v ")), "")
            words, denial = _with_term(words, place, ""), Denial(term, "ended") if term else None
        elif _NO_TR.match(word):
            term = next((t.term for t in reversed(words[:place]) if t.term), "")
            words = _with_term(words, place, "")
            denial = Denial(term, "ended" if is_over else "not") if term else None
        elif (verb := turkish_verb(word)) is not None and (words[place].term or verb.denied):
            known = words[place].term if words[place].term.startswith("v ") else f"v {verb.root}"
            words = _with_term(words, place, known)
            if verb.denied:
                past = "past" if not verb.present else "not"
                denial = Denial(known, "ended" if is_over else "never" if is_never else past)
    return words, denial


@cache
def _switch_patterns(language: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(entry) for entry in lists.entries(f"contradiction-switches.{language}"))


def _switches(sentence: str, folded: str, language: str) -> list[Switch]:
    """What a sentence says was replaced by what."""
    found = []
    for pattern in _switch_patterns(language):
        match = pattern.search(folded)
        if match is None:
            continue
        words = tokens(sentence, language)
        inside = {name: [t for t in words if match.start(name) <= t.start < match.end(name)] for name in ("was", "now")}
        was, now = (frozenset(t.term or t.plain for t in inside[name]) for name in ("was", "now"))
        taken = [*inside["was"], *inside["now"]]
        terms = frozenset(token.term for token in words if token.term and token not in taken)
        written = [sentence[match.start(name) : match.end(name)] for name in ("was", "now")]
        if was and now and not was & now:
            first = _is_first(words, language)
            found.append(Switch(was, now, written[0], written[1], terms, first, people(words)))
    return found
