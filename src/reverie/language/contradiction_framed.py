"""Claims that stand in a fixed frame: where somebody lives or works, what they drive, and a bare age.

In: a clause's text, tokens and values. Out: claims, which contradict each other where only the value differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from reverie.language import lists
from reverie.language.contradiction_people import people
from reverie.language.contradiction_values import Token, Value
from reverie.language.contradiction_words import grammar, turkish_verb
from reverie.language.letters import plain

_AGE_MAX = 120


class Claim(NamedTuple):
    """An attribute (terms, and a name to show), whose it is, its kind, the value in normal form and as written."""

    attribute: frozenset[str]
    name: str
    owner: frozenset[str]
    kind: str
    value: frozenset[str]
    written: str
    own: bool = True


class Parts(NamedTuple):
    """A clause as the rules read it."""

    text: str
    tokens: Sequence[Token]
    values: Sequence[Value]
    language: str


@cache
def places() -> Mapping[str, tuple[str, str]]:
    """Countries and large cities: each name in plain letters with its level and the name it is known by."""
    table = lists.table("contradiction-places")
    return {name: tuple(key.split(" ", 1)) for key, names in table.items() for name in names}  # type: ignore[misc]  # both parts are there


def framed(parts: Parts) -> Iterator[Claim]:
    """Where somebody lives or works, and what they drive."""
    folded = plain(parts.text)
    for kind, pattern in _frames(parts.language):
        match = pattern.search(folded)
        if match is None:
            continue
        at = match.start() if parts.language == "tr" else match.end()
        written = _name_before(parts.text[:at]) if parts.language == "tr" else _name_after(parts.text[at:])
        if kind.endswith(" alone"):
            written = _make(written) if _is_alone(parts, match, written) else ""
        claim = _placed(kind, written, _owner(parts, match.start(), written))
        if claim is not None:
            yield claim


def _is_alone(parts: Parts, match: re.Match[str], written: str) -> bool:
    """Whether a clause says nothing but who, the frame and the name: no "on weekends", no "for Uber"."""
    named = plain(written).split()
    rest = [token for token in parts.tokens if token.end <= match.start() or token.start >= match.end()]
    return all(not token.term or token.plain in named or people([token], parts.language) for token in rest)


def _make(written: str) -> str:
    """The make of a car in a name, "" if none: only these are sure to be driven, and one of them at a time."""
    words = (word for word in written.split() if plain(word) in lists.words("contradiction-cars"))
    return next(words, "")


def _placed(kind: str, written: str, owner: frozenset[str] | None) -> Claim | None:
    attribute, _, wants = kind.partition(" ")
    level, known = places().get(plain(written), ("", ""))
    if not written or owner is None or (wants == "city" and not level):
        return None
    if attribute == "employer" and level:
        return None
    return Claim(
        frozenset({attribute}), attribute, owner, f"name {level}", frozenset({known or plain(written)}), written
    )


def _owner(parts: Parts, at: int, written: str) -> frozenset[str] | None:
    """Whose home or work it is, with all that tells who is meant; None if the clause does not surely say."""
    if parts.language == "tr":
        return _turkish_owner(parts.tokens, at, len(written))
    before = [token for token in parts.tokens if token.end <= at]
    speaker = next((place for place, token in enumerate(before[-4:]) if token.plain in ("i", "we")), None)
    if speaker is not None or not before:  # "I know my boss lives in Paris" is said of the boss, or of both
        return None if speaker is not None and people(before[-4:][speaker:], "en") else frozenset({"1"})
    named = {token.term for token in before if token.term and token.raw[:1].isupper() and not _is_manner(token)}
    who = people(before, "en")
    return (who | (named - _words(who)) | _behind(before)) if who or named else None


def _words(who: frozenset[str]) -> set[str]:
    """The words that tell who is meant: a first word of a sentence is no name for its capital."""
    return set(" ".join(who).split())


def _behind(before: Sequence[Token]) -> set[str]:
    """What stands between the last relation and the verb: the neighbour *upstairs*, my friend *from school*."""
    last = max((place for place in range(len(before)) if people(before[place : place + 1], "en")), default=len(before))
    return {token.term for token in before[last + 1 :] if token.term and not _is_manner(token)}


def _is_manner(token: Token) -> bool:
    return (token.plain.endswith("ly") and token.raw.islower()) or token.plain in lists.words("adverbs.en")


def _turkish_owner(tokens: Sequence[Token], at: int, length: int) -> frozenset[str] | None:
    """A subject stands before the place, as a name or a relation; none means the third person of before."""
    verb = turkish_verb(tokens[-1].plain) if tokens else None
    if verb is None:
        return None
    if any(found.first for token in tokens[-2:] if (found := turkish_verb(token.plain))):
        return frozenset({"1"})
    said = [token for token in tokens if token.plain not in grammar("discourse")]  # aslında Elif …
    before = [token for token in said if token.end < at - length]
    named = frozenset(token.term for token in before if token.term and token.raw[:1].isupper())
    who = people(before, "tr") or people(said, "tr")
    return (who | (named - _words(who))) or frozenset({said[0].term if said and said[0].term else "3"})


@cache
def _frames(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    entries = (entry.partition(": ") for entry in lists.entries(f"contradiction-frames.{language}"))
    return tuple((kind, re.compile(pattern)) for kind, _, pattern in entries)


_NAME_AFTER = re.compile(r"\s+(?:the )?((?:[A-ZÇĞİÖŞÜ][\w&.'-]*)(?:\s+(?:of |de )?[A-ZÇĞİÖŞÜ][\w&'-]*){0,2})")
_NAME_BEFORE = re.compile(r"((?:[A-ZÇĞİÖŞÜ][\w&-]*\s+){0,2}[A-ZÇĞİÖŞÜ][\w&-]*)\Z")


def _name_after(text: str) -> str:
    match = _NAME_AFTER.match(text)
    return match[1].removesuffix("'s").rstrip(".") if match else ""


def _name_before(text: str) -> str:
    """The name a text ends in; a place without the words before it: Annem *New York*."""
    match = _NAME_BEFORE.search(text)
    words = match[1].split() if match else []
    ends = (" ".join(words[place:]) for place in range(len(words)))
    return next((name for name in ends if plain(name) in places()), match[1] if match else "")


def aged(parts: Parts) -> Iterator[Claim]:
    """My daughter is 8 now, I am 34: a bare number behind "is" with nothing behind it; Turkish says yaşında."""
    number = parts.values[-1] if parts.values and parts.language == "en" else None
    if number is None or not _is_age(parts, number):
        return
    verb = number.first - 1
    while verb >= 0 and not parts.tokens[verb].term and parts.tokens[verb].plain not in grammar("ages"):
        if parts.tokens[verb].raw.lower().endswith(("'m", "’m")):
            break
        verb -= 1
    who = parts.tokens[: verb + 1]
    owner = people(who, "en")
    is_first = any(token.plain == "i" for token in who[:2])
    if verb < 0 or parts.tokens[verb].plain not in (*grammar("ages"), "i") or is_first == bool(owner):
        return
    subject = frozenset(token.term for token in parts.tokens[:verb]) - {""}
    written = parts.text[parts.tokens[number.first].start : parts.tokens[number.last].end]
    yield Claim(subject | {"age"}, "age", owner, "number", frozenset({number.normal}), written)


def _is_age(parts: Parts, number: Value) -> bool:
    """Whether a value is a whole number of years, said of one person, at the end of a clause."""
    is_years = number.kind == "number" and not number.unit and number.normal.isdecimal()
    is_last = not any(
        token.term or token.plain in lists.words("adverbs.en") - {"now", "already"}
        for token in parts.tokens[number.last + 1 :]
    )
    return is_years and is_last and int(number.normal) <= _AGE_MAX
