"""What two statements are compared by: a text read once into clauses with terms, values, denial, people and claims.

In: a text of any length, whose beginning is read. Out: a ``Reading``, worth keeping where a text is compared often.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

from reverie.language import lists
from reverie.language.contradiction_asserted import asserted
from reverie.language.contradiction_claims import claims
from reverie.language.contradiction_contrast import replacing
from reverie.language.contradiction_framed import Claim, Parts
from reverie.language.contradiction_homes import denied_places
from reverie.language.contradiction_orders import Order, orders
from reverie.language.contradiction_people import called, is_one_of_several, people
from reverie.language.contradiction_ranked import Rank, ranks
from reverie.language.contradiction_switches import Switch, switches
from reverie.language.contradiction_values import Token, Value, values
from reverie.language.contradiction_words import (
    clauses,
    grammar,
    is_first,
    language_of,
    matches,
    past_forms,
    patterns,
    sentences,
    tokens,
    turkish_verb,
)
from reverie.language.letters import compose, plain

TEXT_MAX = 1_000
"""Characters of a text that are read: what a message states stands in its beginning or not at all."""
CLAUSES_MAX = 16
_CLAUSE_WORDS_MAX = 40
_MENDING_WORDS_MAX = 6
_DATE_BESIDE = re.compile(r" \(\d{4}(?:-\d\d){0,2}(?:/\d{4}(?:-\d\d){0,2})?\)")
"""What a formed memory has behind a relative time."""
_NO_LONGER = re.compile(r"\bno longer\b|\bany ?more\b|\bartik\b")
_TWO = re.compile(r"(?!(?:i|we|my|our)\b)\S+ \S+", re.I)
"""Two words that are no statement of the speaker."""
_PAST_TR = re.compile(r"[dt][iu](?:m|k|n|lar|ler)?\Z|m[iu]s\w*\Z")
_OVER_TR = re.compile(r"(?:yd|['’][dt]|yord)[iu](?:m|k|n|lar)?\Z|\Aidi\Z")
_NO_TR = re.compile(r"(?:degil|yok)(?:um|im|uz|iz|tu|ti|mus|mis|tur|dir|dum|dim)?\Z")


@dataclass(frozen=True, slots=True)
class Denial:
    """What a clause denies: the term of the predicate, all denied terms, and how: "not", "never", "past" or "ended"."""

    term: str
    scope: tuple[str, ...]
    how: str


@dataclass(frozen=True)  # without slots: what few comparisons come to ask for is read when they do
class Clause:
    """One statement: what it is about, what it says, and how far it holds. ``folded`` is its text in plain letters."""

    text: str
    folded: str
    language: str
    tokens: tuple[Token, ...]
    terms: frozenset[str]
    values: tuple[Value, ...]
    denial: Denial | None
    changed: bool
    mended: bool
    not_so: frozenset[str] = frozenset()
    """The values that its sentence names as replaced: 12 June, not *5 June*."""
    ahead: bool = False
    """Whether its sentence says from when on it holds, which may be a time to come: from May."""

    @cached_property
    def others(self) -> frozenset[str]:
        """Of whom it speaks apart from the speaker."""
        return people(self.tokens, self.language)

    @cached_property
    def first(self) -> bool:
        """Whether the speaker speaks of himself."""
        return is_first(self.tokens, self.language)

    @cached_property
    def bounded(self) -> bool:
        """Whether it is tied to a time of its own."""
        return self.ahead or matches("bounded", self.language, self.folded)

    @cached_property
    def partly(self) -> bool:
        """Whether it holds for a part of the time only, or beside something else: on weekends, ek iş olarak."""
        return matches("partly", self.language, self.folded)

    @cached_property
    def several(self) -> bool:
        """Whether it speaks of somebody of whom one has several, and no name tells which: my cousin, amcam."""
        is_own = self.language == "tr" and self.first
        return not is_own and is_one_of_several(self.text, self.folded, self.language)

    @cached_property
    def indefinite(self) -> bool:
        """Whether it speaks of one of several, and leaves open of which: a friend of mine, bir kuzenim."""
        return matches("indefinite", self.language, self.folded)

    @cached_property
    def called(self) -> frozenset[str]:
        """The names it gives to those it speaks of: my husband Mert."""
        return called(self.tokens, self.language)

    @cached_property
    def recent(self) -> bool:
        """Whether the only time it is tied to has just been."""
        rest = patterns("recent", self.language).sub("", self.folded)
        return rest != self.folded and not matches("bounded", self.language, rest)

    @cached_property
    def over(self) -> bool:
        """Whether it says what was: was, were, -ydi."""
        if self.language == "en":
            return any(token.plain in ("was", "were") for token in self.tokens)
        return any(_OVER_TR.search(plain(token.raw)) for token in self.tokens[-2:])

    @cached_property
    def added(self) -> bool:
        """Whether it adds to what holds: also, too, ayrıca; what also changed is no addition."""
        return matches("added", self.language, self.folded)

    @cached_property
    def past(self) -> bool:
        """Whether its verb is a past form."""
        return _is_past(self.tokens, self.language)

    @cached_property
    def changes(self) -> bool:
        """Whether the clause itself says that something is new."""
        return self.changed and matches("cues", self.language, self.folded)

    @cached_property
    def moved(self) -> bool:
        """Whether it says that something was put on another day."""
        return self.changed and matches("moved", self.language, self.folded)

    @cached_property
    def resumes(self) -> bool:
        """Whether it says that something is done again, or now."""
        return matches("resumes", self.language, self.folded)

    @cached_property
    def exclusive(self) -> tuple[tuple[str, Token], ...]:
        """Its words of which only one holds at a time, each with the name of its set."""
        kinds = _exclusive(self.language)
        return tuple((kind, token) for token in self.tokens for kind in kinds.get(token.plain, ()))

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """What it claims of attributes; nothing, where it denies."""
        return () if self.denial else claims(Parts(self.text, self.tokens, self.values, self.language))


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it is compared: its clauses that state something, what it says was replaced, its standing orders, and
    what its speaker likes better than what.
    """

    clauses: tuple[Clause, ...]
    switches: tuple[Switch, ...]
    orders: tuple[Order, ...] = ()
    ranks: tuple[Rank, ...] = ()
    undone: bool = False
    """Whether it says that a change did not last: I went back."""


def _beginning(text: str) -> str:
    """What is read of a text: without the dates that were put behind its times, which would cut its clauses."""
    return _DATE_BESIDE.sub("", compose(text[:TEXT_MAX]))


@lru_cache(maxsize=1 << 12)
def read_in(text: str) -> str:
    """The language in which a text is read: every one of its clauses."""
    return language_of(_beginning(text))


@lru_cache(maxsize=1 << 12)
def reading(text: str) -> Reading:
    """A text read for comparison; only its first 1,000 characters and 16 clauses."""
    language = read_in(text)
    text = _beginning(text)
    found: list[Clause] = []
    replaced: list[Switch] = []
    said = sentences(text)
    parts = asserted(said, language)
    changed = len(parts) <= 2 and matches("cues", language, plain(text))
    for before, sentence in zip(["", *parts], parts, strict=False):
        if len(found) >= CLAUSES_MAX:
            break
        said_now, not_so = replacing(sentence, language)
        not_so |= denied_places(sentence, language)
        folded = plain(sentence)
        is_if = _is_hypothetical(folded, language)
        has_mended = matches("mended", language, folded) or _only_mends(before, language)
        has_cue = changed or has_mended or matches("cues", language, folded)
        heard = [] if is_if else clauses(said_now, language)
        stated = (_clause(clause, language, has_cue, has_mended) for clause in heard)
        known = [replace(clause, not_so=not_so) for clause in stated if clause is not None and clause.tokens]
        found += _from_then_on(known, folded)
        if not is_if and "?" not in sentence:
            replaced += switches(sentence, folded, language)
    undone = matches("undone", language, plain(text))
    ordered = orders(said[:CLAUSES_MAX])
    ranked = ranks(parts[:CLAUSES_MAX], language)
    return Reading(tuple(found[:CLAUSES_MAX]), () if undone else tuple(replaced), ordered, ranked, undone)


def _from_then_on(found: list[Clause], folded: str) -> list[Clause]:
    """The clauses of a sentence; from the one on that says from when on it holds, they all hold from then."""
    if not found or not matches("ahead", found[0].language, folded):
        return found
    ahead = [matches("ahead", clause.language, clause.folded) for clause in found]
    return [replace(clause, ahead=any(ahead[: place + 1])) for place, clause in enumerate(found)]


def _only_mends(sentence: str, language: str) -> bool:
    """Whether a short sentence says only that something was wrong, so that the next one puts it right."""
    return len(sentence.split()) <= _MENDING_WORDS_MAX and matches("mended", language, plain(sentence))


def _is_hypothetical(folded: str, language: str) -> bool:
    """Whether a whole sentence only supposes something, or denies only why something is so."""
    start = folded.lstrip("\"'(- ")
    if matches("reasons", language, folded):
        return True  # not because of the animals but for my health
    if language == "en":
        return start.startswith(("if ", "what if", "suppose", "imagine", "should ", "unless ", "assuming", "let's say"))
    return start.startswith(("eger ", "keske ", "belki ", "diyelim")) or "saydi" in folded or "seydi" in folded


def _clause(text: str, language: str, changed: bool, mended: bool) -> Clause | None:
    folded = plain(text)
    if _is_heading(text, language) or matches("unasserted", language, folded):
        return None
    words = tuple(tokens(text, language)[:_CLAUSE_WORDS_MAX])
    found = values(words, language)
    covered = {place for value in found for place in range(value.first, value.last + 1)}
    words = tuple(token._replace(term="") if place in covered else token for place, token in enumerate(words))
    words, denial = _denied(words, language, folded)
    terms = frozenset(token.term for token in words if token.term)
    return Clause(text, folded, language, words, terms, found, denial, changed, mended)


def _is_heading(text: str, language: str) -> bool:
    """Whether a clause is marked up as a heading or an entry, or is too short for an English statement."""
    is_short = language == "en" and (" " not in text or _TWO.fullmatch(text) is not None)
    return text[0] in "*#|><{=-`" or is_short


@cache
def _exclusive(language: str) -> Mapping[str, tuple[str, ...]]:
    """Words of which only one holds at a time, each with the names of its sets."""
    found: dict[str, tuple[str, ...]] = {}
    for kind, words in lists.table(f"contradiction-exclusive.{language}").items():
        for word in words:
            found[word] = (*found.get(word, ()), kind)
    return found


def _is_past(words: Sequence[Token], language: str) -> bool:
    if language == "tr":
        last = next((token.plain for token in reversed(words) if token.plain not in grammar("trailing")), "")
        return _PAST_TR.search(last) is not None
    past = past_forms()
    return any(token.plain in past or (len(token.plain) > 4 and token.plain.endswith("ed")) for token in words)


def _denied(words: tuple[Token, ...], language: str, folded: str) -> tuple[tuple[Token, ...], Denial | None]:
    """The words with what denies taken into account, and what is denied."""
    return _denied_turkish(words, folded) if language == "tr" else _denied_english(words, folded)


def _denied_english(words: tuple[Token, ...], folded: str) -> tuple[tuple[Token, ...], Denial | None]:
    for place, token in enumerate(words):
        rest = words[place + 1 :]
        if token.term.startswith("not "):
            term = token.term[4:]
            return _with_term(words, place, term), Denial(term, (term, *_scope(rest)), "not")
        if token.term == "ended":
            return _ended(words, place)
        is_sign = token.plain in grammar("denying") or token.plain.endswith("n't")
        if is_sign and _denies(words, place):
            if token.plain == "no" and rest and rest[0].plain == "longer":
                rest = rest[1:]
            term = next((word.term for word in rest if word.term), "")
            how = _how(token.plain, {word.plain for word in words}, folded)
            return _with_term(words, place, ""), Denial(term, _scope(rest), how) if term else None
    return words, None


def _scope(rest: Sequence[Token], without: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The terms behind a denying word, in order, up to what begins another thought."""
    terms: list[str] = []
    for token in rest:
        if token.plain in grammar("scope ends"):
            break
        if token.term and token.term not in without:
            terms.append(token.term)
    return tuple(terms)


def _denies(words: Sequence[Token], place: int) -> bool:
    """Whether a word denies what follows: behind a verb that can be denied, not in "no way" or "not only"."""
    sign = words[place].plain
    before = {token.plain for token in words[max(0, place - 2) : place]}
    following = words[place + 1].plain if place + 1 < len(words) else ""
    if following in grammar("not denied"):
        return False
    if sign == "no":
        return following == "longer" or bool(before & grammar("have no"))
    if sign == "not":
        return bool(before & grammar("auxiliary")) or any(
            token.raw[-2:].lower() in ("'m", "re", "'s") for token in words[:place][-2:]
        )
    return (
        sign in grammar("never")
        or sign == "cannot"
        or (sign.endswith("n't") and not sign.startswith(("could", "would", "should")))
    )


def _how(sign: str, plain_words: set[str], folded: str) -> str:
    if _NO_LONGER.search(folded):
        return "ended"
    if sign in grammar("never") or sign in ("haven't", "hasn't") or plain_words & grammar("yet"):
        return "never"
    return "past" if sign in ("didn't", "wasn't", "weren't") or plain_words & {"did", "was", "were"} else "not"


def _ended(words: tuple[Token, ...], place: int) -> tuple[tuple[Token, ...], Denial | None]:
    """Quit smoking: the form in -ing behind it is what is over."""
    following = words[place + 1 : place + 2]
    words = _with_term(words, place, "")
    is_doing = bool(following) and following[0].plain.endswith("ing") and bool(following[0].term)
    if not is_doing:
        return words, None
    return words, Denial(following[0].term, _scope(words[place + 1 :], grammar("ago")), "ended")


def _with_term(words: tuple[Token, ...], place: int, term: str) -> tuple[Token, ...]:
    return (*words[:place], words[place]._replace(term=term), *words[place + 1 :])


def _denied_turkish(words: tuple[Token, ...], folded: str) -> tuple[tuple[Token, ...], Denial | None]:
    """Turkish denies in the verb, which stands last, or with değil and yok behind what is denied."""
    denial: Denial | None = None
    is_over = _NO_LONGER.search(folded) is not None
    is_never = any(token.plain in grammar("yet") or token.plain in grammar("never") for token in words)
    for place in range(max(0, len(words) - 2), len(words)):
        word = words[place].plain
        if words[place].term.startswith("not v "):
            term = words[place].term[4:]
            words = _with_term(words, place, term)
            if place + 1 < len(words):
                words = _with_term(words, place + 1, "")  # nefret ediyorum: the second word adds nothing
            return words, Denial(term, _backward(words), "not")
        elif words[place].term == "ended":
            words = _with_term(words, place, "")
            left = _scope(words, grammar("ago"))
            denial = Denial(left[0], left, "ended") if len(left) == 1 else None
        elif _NO_TR.match(word) and not _is_not_only(words, place):
            term = next((t.term for t in reversed(words[:place]) if t.term), "")
            words = _with_term(words, place, "")
            denial = Denial(term, _backward(words), "ended" if is_over else "not") if term else None
        elif (verb := turkish_verb(word)) is not None and (words[place].term or verb.denied):
            known = words[place].term if words[place].term.startswith("v ") else f"v {verb.root}"
            words = _with_term(words, place, known)
            if verb.denied:
                past = "past" if not verb.present else "not"
                denial = Denial(known, _backward(words), "ended" if is_over else "never" if is_never else past)
    return words, denial


def _is_not_only(words: Sequence[Token], place: int) -> bool:
    """Whether a "değil" stands behind "sadece": not only meat, so the meat is not denied."""
    return words[place].plain.startswith("degil") and any(t.plain in grammar("only turkish") for t in words[:place])


def _backward(words: Sequence[Token]) -> tuple[str, ...]:
    """The terms of a Turkish clause from its end, where the verb and its object stand."""
    return tuple(token.term for token in reversed(words) if token.term)
