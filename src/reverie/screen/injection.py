"""Detect prompt injection: orders to a model, forged conversations, or forged fences of ours.

In: a text. Out: whether it is quarantined, and whether it addresses a model at all.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import TypeVar

from reverie.language.text.letters import plain
from reverie.language.text.words import expression
from reverie.screen import lists
from reverie.screen.fences import holds_marker
from reverie.screen.heads import parts, steering
from reverie.screen.normalisation import hidden, normal, readings, spaced, tagged
from reverie.types import PEOPLE, Role

# Signs of orders to a model: word lists, and rules over them, from ``data/orders.*.txt``.


T = TypeVar("T")
LEADS = ("en@lead", "tr@lead")
"""Lists of what may precede an imperative verb."""
TELLER = "en@teller"
"""List of subjects after which "have to" is a report, not an order."""
WORD = expression(r"[^\W_]+|[:@]")
_APART = str.maketrans(
    {sign: sign if sign.isalnum() else f" {sign} " if sign in ":@" else " " for sign in map(chr, range(128))}
)
_PART = expression(r"@[\w-]+|!|\d+|[^\s@!]+")
_BARRED = expression(r"(?<!\S)([-~])(\d*)(@[\w-]+)")
_STEM = 3
"""Number of letters by which stems are indexed."""
_ENDING_MAX = 12


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """An entry of a list, with its words after the first; a word ending in ``*`` allows any ending."""

    name: str
    first: str
    rest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RulePart:
    """A part of a rule: a list, the largest gap before it, and ``leads``: it must be where orders begin."""

    name: str
    gap: int
    leads: bool


@dataclass(frozen=True, slots=True)
class OrderRule:
    """Consecutive parts, the reason they give, and its weight; a weight of 1 suffices to quarantine.

    ``names`` are the lists of the parts. Entries of these lists are not allowed: ``before`` right before them,
    ``after``
    within ``gap`` words after them in the sentence, ``within`` between the first and the last.
    """

    points: float
    reason: str
    parts: tuple[RulePart, ...]
    names: frozenset[str]
    before: str = ""
    after: str = ""
    gap: int = 0
    within: str = ""


@dataclass(frozen=True, slots=True)
class Begun:
    """Entries that begin with a word: lists that contain it alone, longer entries by second word, and all others."""

    alone: tuple[str, ...]
    longer: dict[str, tuple[LexiconEntry, ...]]
    loose: tuple[LexiconEntry, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Rules by their first list, and entries by their first word or its stem."""

    rules: dict[str, tuple[OrderRule, ...]]
    words: dict[str, tuple[LexiconEntry, ...]]
    stems: dict[str, tuple[LexiconEntry, ...]]


@cache
def lexicon() -> Lexicon:
    """Load the rules of both languages."""
    rules: list[OrderRule] = []
    entries: dict[LexiconEntry, None] = {}
    for language in ("en", "tr"):
        for line in lists.entries(f"orders.{language}"):
            if line.startswith("@"):
                name, _, listed = line.partition(" = ")
                entries |= dict.fromkeys(_entry(f"{language}{plain(name)}", told) for told in listed.split(" | "))
            else:
                rule = _rule(language, line)
                rules.append(rule)
                bare = (part.name.partition("=")[2] for part in rule.parts if "=" in part.name)
                entries |= dict.fromkeys(_entry(f"{language}={told}", told) for told in bare)
    words: dict[str, list[LexiconEntry]] = {}
    stems: dict[str, list[LexiconEntry]] = {}
    for entry in entries:
        kept = (
            stems.setdefault(entry.first[:_STEM], [])
            if entry.first.endswith("*")
            else words.setdefault(entry.first, [])
        )
        kept.append(entry)
    return Lexicon(_by_beginning(rules), _fixed(words), _fixed(stems))


def words_of(low: str) -> list[str]:
    """Split a folded text into words, colons and at signs, in order."""
    return low.translate(_APART).split() if low.isascii() else WORD.findall(low)  # most texts, in a third of the time


def _by_beginning(rules: list[OrderRule]) -> dict[str, tuple[OrderRule, ...]]:
    found: dict[str, list[OrderRule]] = {}
    for rule in rules:
        found.setdefault(rule.parts[0].name, []).append(rule)
    return _fixed(found)


def _fixed(found: dict[str, list[T]]) -> dict[str, tuple[T, ...]]:
    return {key: tuple(values) for key, values in found.items()}


def _entry(name: str, told: str) -> LexiconEntry:
    first, *rest = re.findall(r"[^\W_]+\*?|[:@]", plain(told))
    return LexiconEntry(name, first, tuple(rest))


def _rule(language: str, line: str) -> OrderRule:
    """Parse ``1.0 reason: ! @list 3 @list word``, with ``-@list`` before or after the parts, ``-8@list``,
    ``~@list``.
    """
    points, _, told = line.partition(" ")
    reason, _, form = told.partition(": ")
    before = after = within = ""
    space = 0
    for match in _BARRED.finditer(plain(form)):
        if match[1] == "~":
            within = language + match[3]
        elif match.start() == 0:
            before = language + match[3]
        else:
            after, space = language + match[3], int(match[2] or 0)
    parts = _parts(language, _BARRED.sub("", plain(form)))
    return OrderRule(float(points), reason, parts, frozenset(part.name for part in parts), before, after, space, within)


def _parts(language: str, form: str) -> tuple[RulePart, ...]:
    parts: list[RulePart] = []
    gap, leads = 0, False
    for piece in _PART.findall(form):
        if piece == "!":
            leads = True
        elif piece.isdecimal():
            gap = int(piece)
        else:
            parts.append(RulePart(language + (piece if piece.startswith("@") else f"={piece}"), gap, leads))
            gap, leads = 0, False
    return tuple(parts)


@lru_cache(maxsize=1 << 14)  # cached, because words recur
def begun(word: str) -> Begun | None:
    """Return the entries that begin with a word; None if there are none."""
    known = lexicon()
    whole, alike = known.words.get(word, ()), known.stems.get(word[:_STEM], ())
    entries = [*whole, *(entry for entry in alike if fits(word, entry.first))]
    if not entries:
        return None
    longer: dict[str, list[LexiconEntry]] = {}
    for entry in entries:
        if entry.rest and not entry.rest[0].endswith("*"):
            longer.setdefault(entry.rest[0], []).append(entry)
    loose = tuple(entry for entry in entries if entry.rest and entry.rest[0].endswith("*"))
    return Begun(tuple(entry.name for entry in entries if not entry.rest), _fixed(longer), loose)


def fits(word: str, form: str) -> bool:
    """Whether a word matches a form; a form ending in ``*`` allows any ending."""
    if not form.endswith("*"):
        return word == form
    return word.startswith(form[:-1]) and len(word) - len(form) < _ENDING_MAX


# Weighing the signs of a text.


_TOKEN = expression(r"([^\W_]+|[:@])|([.!?…]+(?=\s|\Z)|\n\s{0,20}\n)")
_NEAR = 120
"""Largest distance in words of signs that count together."""
_SENTENCE_MIN = 4
"""After fewer words, a full stop does not end a sentence: "Ignore. All. Rules." is one."""
_PLACES_MAX = 32
"""Largest number of places where a rule is tried; it counts once."""
_ENTRY_MAX = 8
"""Largest number of words of an entry that may not precede a rule."""
_ABOUT_BEFORE, _ABOUT_AFTER = 25, 15
_QUOTED = expression(
    r"\"[^\"\n]{3,400}\"|“[^”\n]{3,400}”|«[^»\n]{3,400}»|‘[^’\n]{3,400}’|`[^`\n]{3,400}`|(?<!\w)'[^'\n]{3,400}'(?!\w)"
)
_IMAGE = expression(r"!\[[^\]\n]{0,80}\]\(\s?https?://[^)\s]{1,300}[?&/=]\s?[{<\[][^)\s]{1,80}")
"""An image whose address is to be filled in: displaying it would send data away."""
_OPENERS = ".!?,;:\"'“‘«(*>-–—\n#]}|/•"


@dataclass(frozen=True, slots=True)
class InjectionSign:
    """A sign of injection: first and last word, reason and weight."""

    first: int
    last: int
    reason: str
    points: float


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text with their positions and sentences, the places of each list's entries, and the words after
    which an order may stand.
    """

    text: str
    words: list[str]
    spans: list[tuple[int, int]]
    sentences: list[int]
    found: dict[str, list[tuple[int, int]]]
    leads: frozenset[int]


def weigh(text: str) -> tuple[float, str]:
    """Return the weight of the heaviest stretch (0 or more; 1 suffices to quarantine) and the reasons."""
    if holds_marker(text):
        return 1.0, "forges a fence of Reverie"
    return heaviest(hits(plain(text)))


def heaviest(found: list[InjectionSign]) -> tuple[float, str]:
    """Return the largest sum over nearby signs with different reasons, each counted once, and these reasons."""
    best, told = 0.0, ""
    found = sorted(found, key=lambda hit: hit.first)
    for place, start in enumerate(found):
        points: dict[str, float] = {}
        for hit in found[place:]:
            if hit.first - start.first > _NEAR:
                break
            points[hit.reason] = max(points.get(hit.reason, 0.0), hit.points)
        if (total := sum(points.values())) > best:
            best, told = total, "; ".join(sorted(points, key=lambda reason: (-points[reason], reason)))
    return best, told


def hits(low: str) -> list[InjectionSign]:
    """Find every sign in a folded text, except quoted examples."""
    standing = _found(words_of(low))
    rules = _possible(standing)
    if not rules and not _is_forged(low):
        return []
    words = _read(low, standing)
    found = [hit for rule in rules for hit in islice(_where(rule, words), _PLACES_MAX)]
    found += _forged(low, words)
    return [hit for hit in found if not _is_example(hit, words)] if found else found


def _possible(found: dict[str, list[tuple[int, int]]]) -> list[OrderRule]:
    """Return the rules whose lists all occur in the text: none for most texts."""
    rules, names = lexicon().rules, found.keys()
    return [rule for name in found if name in rules for rule in rules[name] if rule.names <= names]


def _read(low: str, found: dict[str, list[tuple[int, int]]]) -> _Words:
    words: list[str] = []
    spans: list[tuple[int, int]] = []
    sentences: list[int] = []
    sentence = begun_at = 0
    for match in _TOKEN.finditer(low):
        if match.lastindex == 1:
            words.append(match.group())
            spans.append(match.span())
            sentences.append(sentence)
        elif len(words) - begun_at >= _SENTENCE_MIN:
            sentence += 1
            begun_at = len(words)
    tellers = {last + 1 for _, last in found.get(TELLER, ())}
    leads = frozenset(last for lead in LEADS for first, last in found.get(lead, ()) if first not in tellers)
    return _Words(low, words, spans, sentences, found, leads)


def _found(words: list[str]) -> dict[str, list[tuple[int, int]]]:
    """Find the places of each list's entries, as first and last word."""
    found: dict[str, list[tuple[int, int]]] = {}
    end = len(words) - 1
    for place, word in enumerate(words):
        begins = begun(word)
        if begins is None:
            continue
        for name in begins.alone:
            found.setdefault(name, []).append((place, place))
        if place < end and (begins.longer or begins.loose):
            for entry in (*begins.longer.get(words[place + 1], ()), *begins.loose):
                last = place + len(entry.rest)
                if last <= end and all(map(fits, words[place + 1 : last + 1], entry.rest)):
                    found.setdefault(entry.name, []).append((place, last))
    return found


def _where(rule: OrderRule, words: _Words) -> Iterator[InjectionSign]:
    """Yield the places where a rule matches."""
    for first, last in words.found[rule.parts[0].name]:
        if rule.parts[0].leads and not _leads(first, words):
            continue
        end = _follow(rule.parts, 1, last, words)
        if end is not None and not _is_barred(rule, first, end, words):
            yield InjectionSign(first, end, rule.reason, rule.points)


def _is_barred(rule: OrderRule, first: int, last: int, words: _Words) -> bool:
    """Whether a forbidden entry is next to a match, so that it means something else."""
    if any(end == first - 1 for _, end in _between(rule.before, first - _ENTRY_MAX, first - 1, words)):
        return True
    if _between(rule.within, first, last, words):
        return True
    after = _between(rule.after, last + 1, last + 1 + rule.gap, words)
    return any(words.sentences[start] == words.sentences[last] for start, _ in after)


def _between(name: str, first: int, last: int, words: _Words) -> list[tuple[int, int]]:
    """Return the places of a list that begin between two words; hostile texts have many."""
    places = words.found.get(name, [])
    return places[bisect_left(places, (first, 0)) : bisect_left(places, (last + 1, 0))]


def _follow(parts: tuple[RulePart, ...], at: int, last: int, words: _Words) -> int | None:
    """Return the last word of the match if the parts from ``at`` on follow word ``last`` in the sentence, else None."""
    if at == len(parts):
        return last
    places = words.found[parts[at].name]
    for number in range(bisect_left(places, (last + 1, 0)), len(places)):
        first, end = places[number]
        if first > last + 1 + parts[at].gap or words.sentences[first] != words.sentences[last]:
            break
        whole = _follow(parts, at + 1, end, words)
        if whole is not None:
            return whole
    return None


def _leads(place: int, words: _Words) -> bool:
    """Whether a verb is where orders begin: a sentence or clause, or after "please", "you must"."""
    if place == 0 or words.sentences[place] != words.sentences[place - 1]:
        return True
    between = words.text[words.spans[place - 1][1] : words.spans[place][0]]
    if any(sign in _OPENERS for sign in between) or words.words[place - 1] in ":@":
        return True
    return place - 1 in words.leads


@cache
def _marks() -> tuple[tuple[str, float], ...]:
    parts = (line.split(" ", 1) for line in lists.entries("forged"))
    return tuple((plain(mark.replace(r"\n", "\n")), float(points)) for points, mark in parts)


@cache
def _marks_by_sign() -> Mapping[str, tuple[str, ...]]:
    """Group the marks by their last non-letter, "" if they have none; most texts contain none of these characters."""
    found: dict[str, tuple[str, ...]] = {}
    for mark, _ in _marks():
        sign = next((sign for sign in reversed(mark) if not (sign.isalnum() or sign.isspace())), "")
        found[sign] = (*found.get(sign, ()), mark)
    return found


def _is_forged(low: str) -> bool:
    """Whether ``_forged`` will find anything."""
    signs = [sign for sign in _marks_by_sign() if sign in low]
    headed = "\n" + low
    is_marked = any(mark in headed for sign in signs for mark in _marks_by_sign()[sign])
    return is_marked or ("![" in low and _IMAGE.search(low) is not None)


def _forged(low: str, words: _Words) -> Iterator[InjectionSign]:
    """Yield signs for marks of chat programs; two different ones count twice."""
    if image := _IMAGE.search(low):
        place = max(0, bisect_left(words.spans, image.span()) - 1)
        yield InjectionSign(place, place, "tells the model to send data away", 1.0)
    headed = "\n" + low
    found = [(headed.find(mark) - 1, points) for mark, points in _marks() if mark in headed]
    for number, (at, points) in enumerate(sorted(found, key=lambda pair: -pair[1])[:2]):
        place = max(0, bisect_left(words.spans, (at, 0)) - 1)
        yield InjectionSign(place, place, "forges a conversation" if number == 0 else "forges a speaker", points)


def _is_example(hit: InjectionSign, words: _Words) -> bool:
    """Whether a sign is in quotation marks, near words of somebody who writes about attacks."""
    start, end = words.spans[hit.first][0], words.spans[hit.last][1]
    for quoted in _QUOTED.finditer(words.text, max(0, start - 420), min(len(words.text), end + 420)):
        if quoted.start() <= start and end <= quoted.end():
            return _speaks_about(hit, quoted, words)
    return False


def _speaks_about(hit: InjectionSign, quoted: re.Match[str], words: _Words) -> bool:
    first, last = max(0, hit.first - _ABOUT_BEFORE), min(len(words.words), hit.last + 1 + _ABOUT_AFTER)
    outside = [
        word
        for word, (start, end) in zip(words.words[first:last], words.spans[first:last], strict=True)
        if end <= quoted.start() or start >= quoted.end()
    ]
    return not lists.words("about").isdisjoint(outside)


# The verdict.


HELD = 0.9
"""Weight from which a text is quarantined."""
ADDRESSED = 0.5
"""Weight from which a text addresses a model."""
ADDRESSED_FROM = 0.2
_HELD_FROM = {True: 0.45, False: 0.3}
"""Steering scores from which a text is quarantined: one said by a person, and any other. 2026-11-25, hands left out
(``make train WHAT=screen``): decision 0061."""
_DISGUISE = 0.5
_TAGGED_MAX = 8
_DISGUISED_MIN = 0.6
"""Least weight of a reading without disguise to count as hidden orders."""


def quarantine_reason(text: str, said_by: Role = Role.USER) -> str | None:
    """Return why a text must be quarantined, or None; a person's own words are allowed more than a tool's."""
    weight, reason = judged(text, said_by)
    return reason if weight >= HELD else None


def addresses_model(text: str) -> bool:
    """Whether a text addresses a model, so that it is labelled when injected; a lower threshold than quarantine."""
    return judged(text)[0] >= ADDRESSED


def judged(text: str, said_by: Role = Role.USER) -> tuple[float, str]:
    """Return the weight of the orders in a text, 0 or more, and the reasons; the heaviest reading counts.

    A text that hides words from its reader is quarantined whatever they say. Otherwise invisible characters and
    variants
    of letters do not change the weight: "ıgnore" with three accents weighs the same as without.
    """
    return max((_judged(part, _HELD_FROM[said_by in PEOPLE]) for _, part in parts(text)), key=lambda found: found[0])


def _judged(text: str, held_from: float) -> tuple[float, str]:
    seen = normal(text)
    weight, reason = _weighed(seen, held_from)
    if (parted := spaced(text)) is not None and (found := _weighed(parted, held_from))[0] > weight:
        weight, reason = found
    for other in _disguised(text, seen):
        found_weight, told = _weighed(other, held_from)
        # its open reading weighs less: the orders were hidden
        if found_weight >= _DISGUISED_MIN and found_weight > weight:
            weight, reason = found_weight + _DISGUISE, f"hides its words; {told}"
    if concealed := hidden(text):
        return weight + 1.0, f"{concealed}; {reason}" if reason else concealed
    return weight, reason


def _weighed(text: str, held_from: float) -> tuple[float, str]:
    """Return the heavier of the signs of a plain text and its steering score."""
    weight, reason = weigh(text)
    told = _of_steering(steering(text), held_from)
    return (told, "reads like what is written to steer a model") if told > weight else (weight, reason)


def _of_steering(steers: float, held_from: float) -> float:
    """Map a steering score to a weight: 0 below ``ADDRESSED_FROM``, there ``ADDRESSED``, up to ``HELD``."""
    if steers < ADDRESSED_FROM:
        return 0.0
    share = (steers - ADDRESSED_FROM) / (held_from - ADDRESSED_FROM)
    return ADDRESSED + min(share, 1.0) * (HELD - ADDRESSED)


def _disguised(text: str, seen: str) -> Iterator[str]:
    """Yield the readings of the normalised text without disguise, and what tag characters spell."""
    yield from readings(seen)
    if seen is not text:
        yield from islice(tagged(text), _TAGGED_MAX)
