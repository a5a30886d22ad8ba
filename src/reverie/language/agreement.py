"""Whether two texts agree in names, numbers, denial, time and roles, which a likeness of meaning alone does not show.

In: two texts. Out: five answers; texts are merged only where all are yes, in addition to their cosine. Why no cosine is
enough, with figures: docs/decisions/0015-contradiction.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from reverie.language import lists
from reverie.language.contradiction_values import Token, calendar_words, currencies, values
from reverie.language.contradiction_words import grammar, language_of, past_forms, tokens, turkish_verb
from reverie.language.denied_verbs import denies, forbids, is_ones_own
from reverie.language.entities import entities
from reverie.language.letters import compose, fold, lower, plain
from reverie.language.moods import moods
from reverie.language.opposites import Telling, opposed, telling
from reverie.language.roles import Roles, exchanged, roles
from reverie.language.stem import stem
from reverie.language.substitution import Frame, frame, substituted

_TEXT_MAX = 2_000
_CALENDAR = frozenset({"date", "weekday", "clock", "year"})
_WAS = re.compile(r"(?:yor|[aeiu]r|m[iu]s|y|var|yok)[dt][iu](?:m|k|n|niz|lar|ler)?\Z")
_AHEAD = re.compile(r"m[ae]y[ae]c[ae][gk](?!\w*[dt][iu])")
"""Turkish: gelmeyeceğim is no past; gelmeyecektim is one."""
_SENTENCE_ENDS = frozenset(".!?…:\n")


@dataclass(frozen=True, slots=True)
class Agreement:
    """In which respects two texts agree. ``roles`` is asked only where they agree in the rest: what stands where."""

    entities: bool
    numbers: bool
    negation: bool
    time: bool
    roles: bool = True

    @property
    def all(self) -> bool:
        """Whether they agree in every respect."""
        return self.entities and self.numbers and self.negation and self.time and self.roles


@dataclass(frozen=True, slots=True)
class Facts:
    """What two texts that say the same have in common: names, amounts, denials, times, tense and moods, and all stems.

    ``openings`` are names only by the capital of a sentence's first word. ``roles`` must not be exchanged,
    ``telling`` not be turned into its opposite, and nothing else stand at one place of the ``frame``.
    """

    names: frozenset[str]
    openings: frozenset[str]
    numbers: tuple[tuple[str, str], ...]
    denied: tuple[tuple[str, ...], ...]
    times: frozenset[str]
    is_past: bool
    moods: frozenset[str]
    stems: frozenset[str]
    roles: Roles
    telling: Telling
    frame: Frame


def agrees(a: str, b: str) -> Agreement:
    """In which respects two texts agree; equal texts agree in all."""
    return agrees_read(facts(a), facts(b))


def agrees_read(a: Facts, b: Facts) -> Agreement:
    """The same for texts that were read before."""
    named = a.names | a.openings, b.names | b.openings
    only = (named[0] - named[1] - (a.openings & b.stems)) | (named[1] - named[0] - (b.openings & a.stems))
    found = Agreement(
        entities=not only,
        numbers=a.numbers == b.numbers,
        negation=a.denied == b.denied,
        time=a.times == b.times and a.is_past == b.is_past and a.moods == b.moods,
    )
    is_other = found.all and (
        opposed(a.telling, b.telling) or exchanged(a.roles, b.roles) or substituted(a.frame, b.frame)
    )
    return replace(found, roles=False) if is_other else found


@lru_cache(maxsize=1 << 12)
def facts(text: str) -> Facts:
    """What must be equal in two texts that say the same; of the first 2,000 characters."""
    text = compose(text[:_TEXT_MAX])
    language = language_of(text)
    words = tokens(text, language)
    found = values(words, language)
    amounts = tuple(sorted((value.kind, value.normal) for value in found if value.kind not in _CALENDAR))
    times = frozenset(f"{value.kind} {value.normal}" for value in found if value.kind in _CALENDAR)
    taken = {place for value in found for place in range(value.first, value.last + 1)}
    rest = [word for place, word in enumerate(words) if place not in taken]
    names = {term: name for name in entities(text) if (term := _name(name, language))}
    openings = frozenset(term for term, name in names.items() if _only_opens(name, text))
    return Facts(
        names=frozenset(names) - openings,
        openings=openings,
        numbers=amounts,
        denied=_denied(rest, language),
        times=times | _time_words(rest, language),
        is_past=_is_past(rest, language, ends=bool(words) and len(words) - 1 not in taken),
        moods=moods(text, language),
        stems=frozenset(fold(stem(lower(word.raw.partition("'")[0], language), language)) for word in rest),
        roles=roles(text, rest, language),
        telling=telling(rest, language),
        frame=frame(rest, language),
    )


def _only_opens(name: str, text: str) -> bool:
    """Whether a name is one word that stands nowhere but at the beginning of a sentence."""
    places = [match.start() for match in re.finditer(re.escape(name), text)]
    return " " not in name and all(not place or text[:place].rstrip()[-1:] in _SENTENCE_ENDS for place in places)


def _name(name: str, language: str) -> str:
    """A name by its words' stems; a month, a weekday, a currency or a number is no name."""
    months, weekdays = calendar_words(language)
    words = (word for word in name.split() if plain(word) not in (*months, *weekdays, *currencies()))
    return " ".join(fold(stem(lower(word, language), language)) for word in words if not word[:1].isdecimal())


@cache
def _relative(language: str) -> frozenset[str]:
    """Words that place a text in time: today, last, next, dün, geçen."""
    table = lists.table(f"time-words.{language}")
    kinds = ("which", "day", "season", "month")
    phrases = [name for key, names in table.items() if key.startswith(kinds) for name in names]
    return frozenset(plain(name) for name in phrases if " " not in name) - {"this", "bu"}


def _time_words(words: list[Token], language: str) -> frozenset[str]:
    known = _relative(language)
    return frozenset(word.plain for word in words if word.plain in known and not _is_modal(word))


def _is_modal(word: Token) -> bool:
    """English "may" and "march" in lower case are no months."""
    return word.plain in lists.words("months-as-words.en") and word.raw.islower()


def _denied(words: list[Token], language: str) -> tuple[tuple[str, ...], ...]:
    """What is denied, in order of the terms: English by the two terms behind, Turkish by the two before."""
    find = _denied_turkish if language == "tr" else _denied_english
    return tuple(sorted(find(words, place) for place in range(len(words)) if find(words, place)))


def _denied_english(words: list[Token], place: int) -> tuple[str, ...]:
    word = words[place]
    if not (_is_over(word) or word.plain in grammar("denying") or word.plain.endswith("n't") or _denying(word, "en")):
        return ()
    return ("no", *_near(words[place + 1 :]))


def _denied_turkish(words: list[Token], place: int) -> tuple[str, ...]:
    word = words[place]
    has_end = forbids(word.plain) or is_ones_own(word.plain)
    is_verb = (denies(word.plain) or forbids(word.plain)) and (not has_end or _ends_clause(words, place))
    is_word = word.plain.startswith(tuple(grammar("denying turkish"))) or _denying(word, "tr")
    return ("no", *_near(words[:place][::-1])) if _is_over(word) or is_verb or is_word else ()


def _is_over(word: Token) -> bool:
    return word.term.startswith("not ") or word.term == "ended"


def _denying(word: Token, language: str) -> bool:
    """Whether a verb denies by what it means: avoid, kaçınmak."""
    return word.plain.startswith(lists.entries(f"denying-verbs.{language}"))


def _ends_clause(words: list[Token], place: int) -> bool:
    """Whether a mark or a small word stands behind a word: gönderme lütfen, yemem ama; not almam için."""
    following = words[place + 1 : place + 2]
    return all(
        word.start - words[place].end > 1 or word.plain == "lutfen" or (not word.term and word.plain != "icin")
        for word in following
    )


def _near(words: list[Token]) -> tuple[str, ...]:
    return tuple(sorted([word.term for word in words if word.term][:2]))


def _is_past(words: list[Token], language: str, *, ends: bool) -> bool:
    """Whether a text tells what was: by its first finite verb in English, by its last word in Turkish."""
    if language == "tr":
        last = words[-1].plain if words and ends else ""
        verb = turkish_verb(last)
        is_ahead = _AHEAD.search(last) is not None
        return (verb is not None and not verb.present and not is_ahead) or _WAS.search(last) is not None
    for place, word in enumerate(words):
        if word.plain in grammar("present"):
            return False
        is_over = [one.plain for one in words[place : place + 2]] == ["used", "to"]
        if is_over or word.plain in past_forms() or (len(word.plain) > len("need") and word.plain.endswith("ed")):
            return True
    return False
