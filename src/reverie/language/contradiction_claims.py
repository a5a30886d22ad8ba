"""What a clause claims of an attribute that has one value at a time: my budget is $50, doğum günü 4 Mayıs.

In: a clause's text, tokens and values. Out: claims, which contradict each other where only the value differs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from reverie.language import lists
from reverie.language.contradiction_framed import Claim, Parts, aged, framed
from reverie.language.contradiction_people import people
from reverie.language.contradiction_values import Token, Value, calendar_words, number_words
from reverie.language.contradiction_words import grammar, tokens
from reverie.language.letters import plain

_DATES = frozenset({"date", "weekday", "clock"})
_AMOUNTS = frozenset({"usd", "eur", "gbp", "try", "percent", "number", "clock", "order"})
_NAME_WORDS_MAX = 3
_CODE_DIGITS = 7
"""As many of the last digits of a phone number are enough to tell it."""
_DIGITS = re.compile(r"\d[\d.:,-]*(?:['’]\w+)?")
_POSSESSED = re.compile(
    r"(?:l[ae]r)?(?:[iu]m(?:[iu]z)?|m(?:[iu]z)?|s?[iu]|[iu]n)?(?:n?[iu]n|[yn]?[iu]|[yn]?[ae]|n?[dt][ae]n?)?(?:ydi|di)?\Z"
)
_THIRD_TR = re.compile(r"^(?:ad|ism|isim)(?:i|lari)(?:n?[iu]n)?\Z")
"""A name that is another's."""
_GENITIVE_TR = re.compile(r"n?[iu]n\Z")
_SHORT_POSSESSED = re.compile(r"(?:[iu]m|s?[iu]|[iu]m[iu]z|[iu]n)\Z")


def claims(parts: Parts) -> tuple[Claim, ...]:
    """The claims of a clause about attributes of one value."""
    return (*framed(parts), *aged(parts), *_of_nouns(parts))


def _of_nouns(parts: Parts) -> Iterator[Claim]:
    """What is said to be somebody's budget, deadline, name or favourite."""
    known = nouns(parts.language)
    covered = {place for value in parts.values for place in range(value.first, value.last + 1)}
    for place in range(len(parts.tokens)):
        if place in covered:
            continue
        noun, kinds = _noun(parts, place, known)
        if not kinds:
            continue
        if noun == "age":
            yield from _aged(parts, place)
            continue
        if "any" in kinds:
            yield from _favourite(parts, place)
            continue
        attribute, after, before = _attribute(parts, place, noun, covered)
        if parts.language == "tr" or before in grammar("determiner") or _is_owned(parts.tokens[:place]):
            own = not _THIRD_TR.search(parts.tokens[place].plain) if parts.language == "tr" else before in ("my", "our")
            yield from _valued(parts, place, after, Named(noun, attribute, kinds, own))


def _aged(parts: Parts, place: int) -> Iterator[Claim]:
    """Seven years old, 7 yaşında: the number right before, of whom stands before it."""
    for value in parts.values:
        if value.kind == "number" and place - 2 <= value.last <= place - 1:
            before = parts.tokens[: value.first]
            subject = frozenset(token.term for token in before) - {""}
            terms = subject | {"age"} | ({"1"} if _is_own_age(parts, before, place) else set())
            written = parts.text[parts.tokens[value.first].start : parts.tokens[place].end]
            yield Claim(terms, "age", people(before, parts.language), "number", frozenset({value.normal}), written)


def _is_own_age(parts: Parts, before: Sequence[Token], place: int) -> bool:
    """Whether an age is the speaker's: *I'm* 34 years old, 34 yaşında*yım*."""
    if parts.language == "en":
        return any(token.plain == "i" for token in before[:2])
    return "yim" in parts.tokens[place].plain and not any(token.term for token in before)


class Named(NamedTuple):
    """An attribute's noun, all its terms, and the kinds of value it takes."""

    noun: str
    terms: frozenset[str]
    kinds: frozenset[str]
    own: bool


def _valued(parts: Parts, place: int, after: int, named: Named) -> Iterator[Claim]:
    owner = people(parts.tokens[:place], parts.language)
    wanted = (_AMOUNTS if "number" in named.kinds else frozenset()) | (_DATES if "date" in named.kinds else frozenset())
    value = _linked(parts, place, after, wanted)
    if value is not None:
        once = " once" if "once" in named.kinds else ""
        first, last = parts.tokens[value.first], parts.tokens[value.last]
        written = parts.text[first.start : last.end]
        normal = frozenset({value.normal})
        kind = f"{value.kind}{value.unit and ' ' + value.unit}{once}"
        yield Claim(named.terms, named.noun, owner, kind, normal, written, named.own)
    elif "code" in named.kinds:
        yield from _numbered(parts, after, named, owner)
    elif "name" in named.kinds and (name := _named(parts, after)):
        terms = frozenset(token.term for token in name)
        yield Claim(named.terms, named.noun, owner, "name", terms, _written(parts, name), named.own)


def _numbered(parts: Parts, after: int, named: Named, owner: frozenset[str]) -> Iterator[Claim]:
    """A phone number: only its last digits are compared, since a country's number may stand before them."""
    links = _links(parts.language)
    place = after
    while place < len(parts.tokens) and not parts.tokens[place].raw[0].isdigit():
        if parts.tokens[place].term and parts.tokens[place].plain not in links:
            return
        place += 1
    code = list(takewhile(lambda token: _DIGITS.fullmatch(token.raw), parts.tokens[place:]))
    digits = "".join(sign for token in code for sign in token.plain if sign.isdecimal())
    if code and not named.terms.isdisjoint(_numbered_nouns(parts.language)):
        normal = frozenset({digits[-_CODE_DIGITS:]})
        yield Claim(named.terms, named.noun, owner, "code", normal, _written(parts, code), named.own)


@cache
def _numbered_nouns(language: str) -> frozenset[str]:
    """The terms of what has one number at a time."""
    return frozenset(token.term for token in tokens(" ".join(sorted(grammar("numbered"))), language))


def _written(parts: Parts, name: Sequence[Token]) -> str:
    return parts.text[name[0].start : name[-1].end]


def _linked(parts: Parts, place: int, after: int, wanted: frozenset[str]) -> Value | None:
    """The value that stands behind the noun, with only linking words between, or right before it."""
    links = _links(parts.language)
    behind = [value for value in parts.values if value.first >= after and value.kind in wanted]
    if behind:
        between = parts.tokens[after : behind[0].first]
        if all(not token.term or token.plain in links for token in between):
            return behind[0]
    before = [value for value in parts.values if value.last < place and value.kind in wanted]
    if before and parts.language == "en":
        between = parts.tokens[before[-1].last + 1 : place]
        if all(token.term and token.plain not in links for token in between) and len(between) <= 2:
            return None if before[-1].kind == "number" else before[-1]
    return None


def _named(parts: Parts, after: int) -> list[Token]:
    """The name behind the noun, with only "is", "now" and the like between."""
    place = after
    links = _links(parts.language) | {"called", "named"}
    while place < len(parts.tokens) and (not parts.tokens[place].term or parts.tokens[place].plain in links):
        if parts.tokens[place].plain in grammar("no name"):
            return []
        place += 1
    name: list[Token] = []
    for token in parts.tokens[place : place + _NAME_WORDS_MAX]:
        if not token.raw[:1].isupper() or not token.term or token.plain in calendar_words(parts.language)[0]:
            break
        name.append(token)
    is_rest = parts.language == "en" or (bool(name) and place + len(name) == len(parts.tokens))
    return name if is_rest else []


def _favourite(parts: Parts, place: int) -> Iterator[Claim]:
    """My favourite color is green: everything of the clause behind "is" is the value."""
    tokens = parts.tokens
    if parts.language == "tr":
        split = place + 2
        heads = tokens[place + 1 : split]
    else:
        split = next((at for at in range(place, len(tokens)) if tokens[at].plain in ("is", "are")), len(tokens))
        heads = tokens[place + 1 : split]
    value = [token for token in tokens[split:] if token.term][:4]
    if value and heads and len(heads) <= 3 and all(token.term for token in heads):
        which = _described(parts, place, frozenset())[0] if parts.language == "en" else set()
        terms = frozenset({"favourite", *which, *(token.term for token in heads)})
        name = " ".join(token.raw for token in tokens[place:split])
        yield Claim(
            terms,
            name,
            people(tokens[:place], parts.language),
            "any",
            frozenset(t.term for t in value),
            _written(parts, value),
        )


def _attribute(parts: Parts, place: int, noun: str, covered: set[int]) -> tuple[frozenset[str], int, str]:
    """The terms of an attribute (noun, what stands before it, what "for" adds), where it ends, the word before it."""
    terms, at = _described(parts, place, covered)
    terms.add(parts.tokens[place].term if parts.language == "en" else noun)
    links = _links(parts.language)
    after = place + 1
    if parts.language == "en" and after < len(parts.tokens) and parts.tokens[after].plain in grammar("post"):
        while after < len(parts.tokens) and after not in covered:
            token = parts.tokens[after]
            if token.plain in links - grammar("post"):
                break
            if (
                not token.term
                and token.plain not in grammar("post")
                and token.plain not in ("the", "my", "our", "a", "this")
            ):
                break
            terms.update({token.term} - {""})
            after += 1
    return frozenset(terms), after, parts.tokens[at].plain if at >= 0 else ""


def _described(parts: Parts, place: int, covered: Collection[int]) -> tuple[set[str], int]:
    """The terms of what describes a noun from before it, and the place before them.

    A new manager is the manager now; a new dog's name is not the name of the dog of before.
    """
    terms: set[str] = set()
    links = _links(parts.language)
    at = place - 1
    while at >= 0 and at not in covered:
        token = parts.tokens[at]
        is_fresh = token.plain in grammar("fresh")
        is_of_other = is_fresh and _has_genitive(parts.tokens[at + 1 : place], parts.language)
        if not is_of_other and (not token.term or token.plain in links):
            break
        if is_of_other or not is_fresh:
            terms.add(token.term or token.plain)
        at -= 1
    return terms, at


def _has_genitive(words: Sequence[Token], language: str) -> bool:
    return _is_owned(words) if language == "en" else any(_GENITIVE_TR.search(plain(word.raw)) for word in words)


def _is_owned(before: Sequence[Token]) -> bool:
    """Whether a genitive stands before the noun: my sister's birthday."""
    return any(token.raw[-2:].lower() in ("'s", "’s") for token in before[-3:])


@cache
def _links(language: str) -> frozenset[str]:
    return frozenset(" ".join(lists.entries(f"contradiction-links.{language}")).split())


@cache
def nouns(language: str) -> Mapping[str, frozenset[str]]:
    """The nouns of attributes, English ones by their stems, each with the kinds of value it takes."""
    kinds: dict[str, set[str]] = {}
    for kind, names in lists.table(f"contradiction-attributes.{language}").items():
        for name in names:
            for form in (name, name + "s") if language == "en" else (name,):
                kinds.setdefault(form, set()).add(kind)
    return {name: frozenset(found) for name, found in kinds.items()}


def _noun(parts: Parts, place: int, known: Mapping[str, frozenset[str]]) -> tuple[str, frozenset[str]]:
    token = parts.tokens[place]
    if token.plain in grammar("old"):
        return "age", frozenset({"number"})
    if parts.language == "en":
        noun = "favourite" if token.term == "favourite" else token.plain
        return noun, known.get(noun, frozenset())
    if token.plain == "sevdigim" or token.plain == "sevdigimiz":
        return "favourite", frozenset({"any"}) if _is_most(parts.tokens[:place]) else frozenset()
    before = parts.tokens[place - 1].plain if place else ""
    noun = _turkish_noun(token.plain, before)
    return noun, known.get(noun, frozenset())


def _is_most(before: Sequence[Token]) -> bool:
    """Whether "en" stands before sevdiğim, and not "ikinci en"."""
    words = [token.plain for token in before[-2:]]
    return words[-1:] == ["en"] and words[0] not in number_words("tr")[2]


def _turkish_noun(word: str, before: str) -> str:
    """The attribute a Turkish word with its endings names, "" if none."""
    for noun in _by_letter().get(word[:1], ()):
        head, _, last = noun.rpartition(" ")
        if not word.startswith(last) or (head and before != head):
            continue
        ending = word[len(last) :]
        if (_SHORT_POSSESSED if len(noun) < 4 else _POSSESSED).match(ending):
            return noun
    return ""


@cache
def _by_letter() -> Mapping[str, tuple[str, ...]]:
    """Turkish nouns by the first letter of their last word, the longest first."""
    found: dict[str, list[str]] = {}
    for noun in sorted(nouns("tr"), key=len, reverse=True):
        found.setdefault(noun.rpartition(" ")[2][:1], []).append(noun)
    return {letter: tuple(names) for letter, names in found.items()}
