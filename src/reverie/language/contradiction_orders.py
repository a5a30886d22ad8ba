"""What a standing order says of the answers to come: their language, length, units, format, the name they use.

In: the sentences of a text, and which of them hold anyway. Out: its orders, of which a later one of the same attribute
replaces an earlier one. A sentence is read only if every word of it is known: "in emails" or "also" makes it another
order.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from reverie.language import lists
from reverie.language.contradiction_values import calendar_words
from reverie.language.letters import plain

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NAME_WORDS_MAX = 2
_LANGUAGES = ("en", "tr")
_LASTING = frozenset({"lasting", "always", "never"})


class Order(NamedTuple):
    """An attribute of answers, its value, also as written, whether it is forbidden, whether it is all that is said."""

    attribute: str
    value: str
    written: str
    denied: bool
    alone: bool


class _Piece(NamedTuple):
    """Words of one kind, from the first to the last, "" if they are of none."""

    kind: str
    first: int
    last: int


def orders(sentences: Sequence[str], held: Container[str] = ()) -> tuple[Order, ...]:
    """The standing orders among the sentences of a text, each read in the language all of whose words are known.

    Those that are ``held`` need not say that they last, and may be a leave: "you can write longer answers now".
    """
    found = [_order(sentence, sentence in held) for sentence in sentences if "?" not in sentence]
    alone = len(sentences) == 1
    return tuple(order._replace(alone=alone) for order in found if order is not None)


def replaced(earlier: Sequence[Order], later: Sequence[Order]) -> tuple[Order, Order] | None:
    """The order that a later text takes back, and the one that holds instead; only a text that orders nothing else."""
    pairs = ((old, new) for old in earlier for new in later if old.alone and old.attribute == new.attribute)
    return next((pair for pair in pairs if _excludes(*pair)), None)


def _excludes(old: Order, new: Order) -> bool:
    if old.value == new.value:
        return old.denied != new.denied
    return not old.denied and not new.denied


def _order(sentence: str, is_held: bool) -> Order | None:
    """The order a sentence gives, None if it is not surely one, of one value."""
    places = list(_WORD.finditer(plain(sentence)))
    words = [match.group().replace("’", "'") for match in places]
    for language in _LANGUAGES:
        if not is_held and _openers(language).isdisjoint(words):
            continue
        pieces = _pieces(words, language)
        if _is_standing({piece.kind for piece in pieces}, is_held):
            order = _order_in(language, sentence, places, pieces)
            if order is not None:
                return order
    return None


def _order_in(language: str, sentence: str, places: Sequence[re.Match[str]], pieces: Sequence[_Piece]) -> Order | None:
    kinds = {piece.kind for piece in pieces}
    valued = _named(pieces, language) if "" in kinds else _valued(pieces, language)
    if valued is None:
        return None
    attribute, value, piece = valued
    written = sentence[places[piece.first].start() : places[piece.last].end()]
    if not value:
        if not written.istitle():
            return None
        value = plain(written)
    return Order(attribute, value, written, not kinds.isdisjoint(("denial", "never")), False)


def _is_standing(kinds: set[str], is_held: bool) -> bool:
    """Whether these are the kinds of an order that holds from now on; "do not always" forbids nothing."""
    if "leave" in kinds:
        return is_held and "denial" not in kinds
    is_order = not kinds.isdisjoint(("act", "apart", "naming", "denial"))
    lasts = is_held or not kinds.isdisjoint(_LASTING)
    return is_order and lasts and not ("denial" in kinds and "always" in kinds)


def _valued(pieces: Sequence[_Piece], language: str) -> tuple[str, str, _Piece] | None:
    """The one value among the pieces with its attribute; a text that is no answer has attributes of its own."""
    values = [piece for piece in pieces if " " in piece.kind]
    kinds = {piece.kind for piece in pieces}
    if len({piece.kind for piece in values}) != 1 or (language == "tr" and "naming" in kinds):
        return None  # behind what is no name, Turkish "de" is "too"
    attribute, _, value = values[0].kind.partition(" ")
    is_other = "apart" in kinds and "answers" not in kinds
    return f"written {attribute}" if is_other else attribute, value, values[0]


def _named(pieces: Sequence[_Piece], language: str) -> tuple[str, str, _Piece] | None:
    """The name one wants to be called by, its value still to be read: the only unknown words, beside the verb."""
    kinds = [piece.kind for piece in pieces]
    first = kinds.index("")
    last = first + kinds[first:].count("") - 1
    is_run = set(kinds[first : last + 1]) == {""} and last - first < _NAME_WORDS_MAX
    if not is_run or "me" not in kinds or any(" " in kind for kind in kinds):
        return None
    beside = kinds[last + 1 : last + 2] if language == "tr" else kinds[:first]
    while language == "en" and beside[-1:] in (["me"], ["filler"]):
        beside.pop()
    return ("name", "", _Piece("", pieces[first].first, pieces[last].last)) if beside[-1:] == ["naming"] else None


def _pieces(words: Sequence[str], language: str) -> list[_Piece]:
    """The words cut into the longest phrases that are known; a word that is not known is a piece of no kind."""
    found: list[_Piece] = []
    place = 0
    while place < len(words):
        known = _phrases(language).get(words[place], ())
        length, kind = next(
            ((len(rest), kind) for rest, kind in known if tuple(words[place : place + len(rest)]) == rest), (1, "")
        )
        if not kind and words[place] in _dated(language):
            kind = "date"
        found.append(_Piece(kind, place, place + length - 1))
        place += length
    return found


@cache
def _phrases(language: str) -> Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """All phrases by their first word, the longest first, each with its kind."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for kind, phrases in lists.table(f"contradiction-orders.{language}").items():
        for phrase in phrases:
            parts = tuple(phrase.split())
            found.setdefault(parts[0], []).append((parts, kind))
    return {first: tuple(sorted(known, key=lambda one: -len(one[0]))) for first, known in found.items()}


@cache
def _openers(language: str) -> frozenset[str]:
    """The first words of what says how long an order holds: a sentence without one is no standing order."""
    table = lists.table(f"contradiction-orders.{language}")
    return frozenset(phrase.split()[0] for kind in _LASTING for phrase in table[kind])


@cache
def _dated(language: str) -> frozenset[str]:
    """The months and weekdays, which are no names."""
    months, weekdays = calendar_words(language)
    return frozenset((*months, *weekdays))
