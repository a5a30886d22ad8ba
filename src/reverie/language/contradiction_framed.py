"""Claims that stand in a fixed frame: where somebody lives or works, what they drive, and a bare age.

In: a clause's text, tokens and values. Out: claims, which contradict each other where only the value differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reverie.language import lists
from reverie.language.contradiction_homes import TOWN, city_around, may_be_town, places
from reverie.language.contradiction_people import is_relation, people
from reverie.language.contradiction_values import Token, Value
from reverie.language.contradiction_words import grammar, is_first, matches, patterns, tokens, turkish_verb
from reverie.language.letters import plain
from reverie.language.patterns import labelled

_AGE_MAX = 120
LEFT = "left"
"""The kind of a claim that says what is over: I left Trendyol."""


class Claim(NamedTuple):
    """An attribute (terms, and a name to show), whose it is, its kind, the value in normal form and as written."""

    attribute: frozenset[str]
    name: str
    owner: frozenset[str]
    kind: str
    value: frozenset[str]
    written: str
    own: bool = True
    moved: bool = False


class Parts(NamedTuple):
    """A clause as the rules read it."""

    text: str
    tokens: Sequence[Token]
    values: Sequence[Value]
    language: str


def framed(parts: Parts) -> Iterator[Claim]:
    """Where somebody lives or works, and what they drive; of an employer that was left, nothing but that."""
    found = list(_framed(parts))
    is_left = any(claim.kind == LEFT for claim in found)
    yield from (claim for claim in found if claim.kind == LEFT or not (is_left and claim.name == "employer"))


def _framed(parts: Parts) -> Iterator[Claim]:
    folded = plain(parts.text)
    for kind, pattern in labelled(f"contradiction-frames.{parts.language}"):
        match = pattern.search(folded)
        if match is None:
            continue
        written = _name_at(parts, match)
        if kind.endswith((" alone", LEFT)):
            written = written if _is_alone(parts, match, written) else ""
        written = _make(written) if kind.endswith(" alone") else _sure_name(parts, match, written)
        if kind.endswith(" recent") and not _is_new_job(parts, folded, written):
            continue
        if kind.startswith("home"):
            written = _without_subject(parts, written)
        owner = _owner(parts, match.start(), written) if written else None
        if owner is None:
            continue
        behind = _behind_name(parts, match, written)
        claim = _placed(kind, written, owner) or _in_town(kind, written, owner, behind, parts.language)
        if claim is not None:
            yield claim


def _is_new_job(parts: Parts, folded: str, written: str) -> bool:
    """Whether who began somewhere did so just now, and to work: one begins at Harvard to study, too."""
    is_school = not grammar("schools").isdisjoint(plain(written).split())
    rest = patterns("recent", parts.language).sub("", folded)
    return bool(written) and not is_school and rest != folded and rest.rstrip(" .,!").endswith(plain(written))


def _without_subject(parts: Parts, written: str) -> str:
    """A Turkish name of no list without the word that begins its clause, which is the subject: *Meera* Bodrum'a."""
    first, _, rest = written.partition(" ")
    is_opening = parts.language == "tr" and parts.text.startswith(written)
    is_listed = not places().keys().isdisjoint((plain(first), plain(written)))
    return rest if rest and is_opening and not is_listed else written


def _behind_name(parts: Parts, match: re.Match[str], written: str) -> str:
    """What stands behind the name of a frame."""
    if parts.language == "tr":
        return parts.text[match.start() :]
    return parts.text[parts.text.index(written, match.end()) + len(written) :]


def _is_alone(parts: Parts, match: re.Match[str], written: str) -> bool:
    """Whether a clause says nothing but who, the frame and the name: no "on weekends", no "for Uber"."""
    named = plain(written).split()
    rest = [token for token in parts.tokens if token.end <= match.start() or token.start >= match.end()]
    return all(
        not token.term or token.plain in (*named, *grammar("lately")) or people([token], parts.language)
        for token in rest
    )


def _make(written: str) -> str:
    """The make of a car in a name, "" if none: only these are sure to be driven, and one of them at a time."""
    words = (word for word in written.split() if plain(word) in lists.words("contradiction-cars"))
    return next(words, "")


def _placed(kind: str, written: str, owner: frozenset[str]) -> Claim | None:
    attribute, _, wants = kind.partition(" ")
    level, known = places().get(plain(written), ("", plain(written)))
    if (attribute == "home" and level in ("", "region")) or (attribute == "employer" and level):
        return None
    kind = LEFT if wants == LEFT else f"name {level}"
    return Claim(frozenset({attribute}), attribute, owner, kind, frozenset({known}), written, moved=wants == "moved")


def _in_town(kind: str, written: str, owner: frozenset[str], behind: str, language: str) -> Claim | None:
    """A home in a place that no list holds, with the city it is said to lie in."""
    moved = kind.endswith(" moved")
    is_listed = plain(written) in places()
    if not kind.startswith("home") or is_listed or not may_be_town(written, behind, language, moved=moved):
        return None
    value = frozenset({plain(written), city_around(behind)}) - {""}
    return Claim(frozenset({"home"}), "home", owner, TOWN, value, written, moved=moved)


def _owner(parts: Parts, at: int, written: str) -> frozenset[str] | None:
    """Whose home or work it is, with all that tells who is meant; None if the clause does not surely say."""
    if parts.language == "tr":
        return _turkish_owner(parts.tokens, at, len(written))
    before = [token for token in parts.tokens if token.end <= at]
    speaker = next((place for place, token in enumerate(before[-4:]) if token.plain in ("i", "we")), None)
    if speaker is not None or not before:  # "I know my boss lives in Paris" is said of the boss, or of both
        return None if speaker is not None and people(before[-4:][speaker:], "en") else frozenset({"1"})
    named = {token.term for token in before if _is_name(token)}
    who = people(before, "en")
    return (who | ((named | _roles(before)) - _words(who)) | _behind(before)) if who or named else None


def _roles(before: Sequence[Token]) -> set[str]:
    """What stands between a "my" or "the" and a name, and may be who that is: my *landlord* Paul."""
    found: set[str] = set()
    since: list[str] | None = None
    for token in before:
        if token.plain in grammar("determiner"):
            since = []
        elif since is not None and token.raw[:1].isupper():
            found.update(since)
        elif since is not None and token.term and not _is_manner(token):
            since.append(token.term)
    return found


def _words(who: frozenset[str]) -> set[str]:
    """The words that tell who is meant: a first word of a sentence is no name for its capital."""
    return set(" ".join(who).split())


def _behind(before: Sequence[Token]) -> set[str]:
    """What stands between who is meant and the verb: the neighbour *upstairs*, Elif *from yoga*."""
    places = [place for place in range(len(before)) if people(before[place : place + 1], "en")]
    last = max(places) if places else next((at for at, token in enumerate(before) if _is_name(token)), len(before))
    return {token.term for token in before[last + 1 :] if token.term and not _is_manner(token)}


def _is_name(token: Token) -> bool:
    return bool(token.term) and token.raw[:1].isupper() and not _is_manner(token)


def _is_manner(token: Token) -> bool:
    return (token.plain.endswith("ly") and token.raw.islower()) or token.plain in lists.words("adverbs.en")


def _turkish_owner(tokens: Sequence[Token], at: int, length: int) -> frozenset[str] | None:
    """A subject stands before the place, as a name or a relation; none means the third person of before."""
    while tokens and tokens[-1].plain in grammar("trailing"):
        tokens = tokens[:-1]  # İzmir'e taşındım sonunda
    if not tokens or turkish_verb(tokens[-1].plain) is None:
        return None
    if is_first(tokens, "tr"):
        return frozenset({"1"})
    said = [token for token in _without_denied(tokens) if token.plain not in grammar("discourse")]  # aslında Elif …
    before = [token for token in said if token.end < at - length]
    named = frozenset(_named_turkish(before))
    who = people(before, "tr") or people(said, "tr")
    return (who | (named - _words(who))) or frozenset({said[0].term if said and said[0].term else "3"})


def _named_turkish(before: Sequence[Token]) -> Iterator[str]:
    """The names of a subject and what stands before them, which may tell who that is: bizim *tesisatçı* Paul."""
    since: list[str] = []
    for token in before:
        if not token.term or _is_when(token.raw) or token.plain in grammar("lately") or is_relation(token, "tr"):
            continue
        since.append(token.term)
        if token.raw[:1].isupper():
            yield from since
            since = []


_NAME_AFTER = re.compile(r"\s+(?:the )?((?:[A-ZÇĞİÖŞÜ][\w&.'-]*)(?:\s+(?:of |de )?[A-ZÇĞİÖŞÜ][\w&'-]*){0,2})")
_NAME_BEFORE = re.compile(r"((?:[A-ZÇĞİÖŞÜ][\w&-]*\s+){0,2}[A-ZÇĞİÖŞÜ][\w&-]*)\Z")


def _name_after(text: str) -> str:
    match = _NAME_AFTER.match(text)
    return match[1].removesuffix("'s").rstrip(".") if match else ""


def _name_at(parts: Parts, match: re.Match[str]) -> str:
    """The name beside a frame: before it in Turkish, behind it in English."""
    if parts.language == "tr":
        return _name_before(parts.text[: match.start()])
    return _name_after(parts.text[match.end() :])


def _sure_name(parts: Parts, match: re.Match[str], written: str) -> str:
    """A name, "" if its capital letter may be that of the sentence: *Evde* çalışıyorum has no apostrophe."""
    at = match.start()
    is_first = parts.language == "tr" and " " not in written and at == len(written)
    return "" if is_first and parts.text[at] not in "'’" and plain(written) not in places() else written


def _name_before(text: str) -> str:
    """The name a text ends in; without the words before it: Annem *New York*, Akşamları *Getir*."""
    match = _NAME_BEFORE.search(text)
    words = match[1].split() if match else []
    ends = [" ".join(words[place:]) for place in range(len(words))]
    first = next((place for place in range(len(words)) if not _is_apart(words[place])), -1)
    return next((name for name in ends if plain(name) in places()), ends[first] if ends else "")


def _is_apart(word: str) -> bool:
    """Whether a capital letter is that of the sentence or of a person, and not of the name behind it."""
    if all(not token.term or is_relation(token, "tr") for token in tokens(word, "tr")):
        return True
    return _is_when(word) or word in lists.words("given-names")


def _is_when(word: str) -> bool:
    """Whether a Turkish word tells when: akşamları, bugün."""
    return any(matches(kind, "tr", plain(word)) for kind in ("partly", "bounded"))


def _without_denied(tokens: Sequence[Token]) -> list[Token]:
    """The words without one that only "değil" stands behind: *Berlin'de değil* Münih'te."""
    following = [*(token.plain for token in tokens[1:]), ""]
    return [token for token, then in zip(tokens, following, strict=True) if "degil" not in (token.plain, then)]


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
    terms = subject | {"age"} | ({"1"} if is_first else set())
    yield Claim(terms, "age", owner, "number", frozenset({number.normal}), written)


def _is_age(parts: Parts, number: Value) -> bool:
    """Whether a value is a whole number of years, said of one person, at the end of a clause."""
    is_years = number.kind == "number" and not number.unit and number.normal.isdecimal()
    is_last = not any(
        token.term or token.plain in lists.words("adverbs.en") - {"now", "already"}
        for token in parts.tokens[number.last + 1 :]
    )
    return is_years and is_last and int(number.normal) <= _AGE_MAX
