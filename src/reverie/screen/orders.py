"""How much in a text gives orders to a model, forges a conversation or forges our own fences.

In: a text. Out: the hits with their reasons, and the weight of the heaviest stretch. One pass over the words; what a
writer quotes while he speaks about attacks is not counted.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice

from reverie.language.expressions import expression
from reverie.language.letters import plain
from reverie.screen import lists
from reverie.screen.fences import holds_marker
from reverie.screen.lexicon import LEADS, TELLER, Part, Rule, begun, fits, lexicon, words_of

_TOKEN = expression(r"([^\W_]+|[:@])|([.!?…]+(?=\s|\Z)|\n\s{0,20}\n)")
_NEAR = 120
"""Signs this many words apart belong together."""
_SENTENCE_MIN = 4
"""After fewer words a full stop ends nothing: "Ignore. All. Rules." is one sentence."""
_PLACES_MAX = 32
"""In so many places a rule is looked at; it counts once."""
_ENTRY_MAX = 8
"""Nothing that may not stand before a rule has more words."""
_ABOUT_BEFORE, _ABOUT_AFTER = 25, 15
_QUOTED = expression(
    r"\"[^\"\n]{3,400}\"|“[^”\n]{3,400}”|«[^»\n]{3,400}»|‘[^’\n]{3,400}’|`[^`\n]{3,400}`|(?<!\w)'[^'\n]{3,400}'(?!\w)"
)
_IMAGE = expression(r"!\[[^\]\n]{0,80}\]\(\s?https?://[^)\s]{1,300}[?&/=]\s?[{<\[][^)\s]{1,80}")
"""A picture whose address asks to be filled in: showing it sends what was filled in."""
_OPENERS = ".!?,;:\"'“‘«(*>-–—\n#]}|/•"


@dataclass(frozen=True, slots=True)
class Hit:
    """A sign: from which word to which, what it says, what it weighs."""

    first: int
    last: int
    reason: str
    points: float


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text, where they begin and end, in which sentence, where the entries of each list stand,
    and the words after which an order may stand.
    """

    text: str
    words: list[str]
    spans: list[tuple[int, int]]
    sentences: list[int]
    found: dict[str, list[tuple[int, int]]]
    leads: frozenset[int]


def weigh(text: str) -> tuple[float, str]:
    """The weight of the heaviest stretch, from 0; 1 is enough to hold the text back. And what it consists of."""
    if holds_marker(text):
        return 1.0, "forges a fence of Reverie"
    return heaviest(hits(plain(text)))


def heaviest(found: list[Hit]) -> tuple[float, str]:
    """The greatest sum over near hits of different reasons, each counted once, and these reasons."""
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


def hits(low: str) -> list[Hit]:
    """Every sign in a text in lower case without diacritics, what is quoted as an example left out."""
    standing = _found(words_of(low))
    rules = _possible(standing)
    if not rules and not _is_forged(low):
        return []
    words = _read(low, standing)
    found = [hit for rule in rules for hit in islice(_where(rule, words), _PLACES_MAX)]
    found += _forged(low, words)
    return [hit for hit in found if not _is_example(hit, words)] if found else found


def _possible(found: dict[str, list[tuple[int, int]]]) -> list[Rule]:
    """The rules for each of whose lists something stands in the text: none for most texts."""
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
    """Where the entries of each list stand: first and last word."""
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


def _where(rule: Rule, words: _Words) -> Iterator[Hit]:
    """Where a rule holds."""
    for first, last in words.found[rule.parts[0].name]:
        if rule.parts[0].leads and not _leads(first, words):
            continue
        end = _follow(rule.parts, 1, last, words)
        if end is not None and not _is_barred(rule, first, end, words):
            yield Hit(first, end, rule.reason, rule.points)


def _is_barred(rule: Rule, first: int, last: int, words: _Words) -> bool:
    """Whether beside these words stands what makes them speak of something else."""
    if any(end == first - 1 for _, end in _between(rule.before, first - _ENTRY_MAX, first - 1, words)):
        return True
    if _between(rule.within, first, last, words):
        return True
    after = _between(rule.after, last + 1, last + 1 + rule.gap, words)
    return any(words.sentences[start] == words.sentences[last] for start, _ in after)


def _between(name: str, first: int, last: int, words: _Words) -> list[tuple[int, int]]:
    """The entries of a list that begin from word ``first`` to word ``last``; many stand in a hostile text."""
    places = words.found.get(name, [])
    return places[bisect_left(places, (first, 0)) : bisect_left(places, (last + 1, 0))]


def _follow(parts: tuple[Part, ...], at: int, last: int, words: _Words) -> int | None:
    """The last word of what follows word ``last``, if the parts from ``at`` on follow it in one sentence."""
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
    """Whether a verb stands where orders stand: at the head of a sentence or clause, or after "please", "you must"."""
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
    """The marks by their last sign that is no letter, "" where all are: most texts hold none of the signs."""
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


def _forged(low: str, words: _Words) -> Iterator[Hit]:
    """Marks of chat programs; two different ones weigh as two signs."""
    if image := _IMAGE.search(low):
        place = max(0, bisect_left(words.spans, image.span()) - 1)
        yield Hit(place, place, "tells the model to send data away", 1.0)
    headed = "\n" + low
    found = [(headed.find(mark) - 1, points) for mark, points in _marks() if mark in headed]
    for number, (at, points) in enumerate(sorted(found, key=lambda pair: -pair[1])[:2]):
        place = max(0, bisect_left(words.spans, (at, 0)) - 1)
        yield Hit(place, place, "forges a conversation" if number == 0 else "forges a speaker", points)


def _is_example(hit: Hit, words: _Words) -> bool:
    """Whether a hit stands in quotation marks, beside words of one who speaks about attacks."""
    start, end = words.spans[hit.first][0], words.spans[hit.last][1]
    for quoted in _QUOTED.finditer(words.text, max(0, start - 420), min(len(words.text), end + 420)):
        if quoted.start() <= start and end <= quoted.end():
            return _speaks_about(hit, quoted, words)
    return False


def _speaks_about(hit: Hit, quoted: re.Match[str], words: _Words) -> bool:
    first, last = max(0, hit.first - _ABOUT_BEFORE), min(len(words.words), hit.last + 1 + _ABOUT_AFTER)
    outside = [
        word
        for word, (start, end) in zip(words.words[first:last], words.spans[first:last], strict=True)
        if end <= quoted.start() or start >= quoted.end()
    ]
    return not lists.words("about").isdisjoint(outside)
