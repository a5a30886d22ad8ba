"""Revocations of standing orders: "You don't have to use bullet points any more", "Artık emoji kullanabilirsin".

In: two texts of one person, the earlier an order. Out: whether the later takes it back, by name or by another value of
the same kind: Celsius, from now on Fahrenheit.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, reduce
from typing import NamedTuple

from reverie.language import lists, patterns
from reverie.language.contradiction_orders import Order, orders, replaced
from reverie.language.letters import compose, plain
from reverie.language.sentences import is_question, sentences
from reverie.language.standing import standing
from reverie.language.stem import stem
from reverie.types import Kind

TEXT_MAX = 400
"""Characters of an order that are read."""
_WORD = re.compile(r"[^\W\d_]+")
_WORD_MIN = 3
_ENDING_TR = re.compile(
    r"(?:l[ae]r)?(?:[iu]m[iu]z|[iu]n[iu]z|[iu]m|[iu]n|s?[iu])?(?:n?[iu]n|[yn]?[iu]|[yn]?[ae]|n?[dt][ae]n?|y?l[ae])?"
    r"|m[ae](?:k|y[iu]|n|m)?\w{0,8}|y?[ae]bil\w{0,8}|[iu]?yor\w{0,4}|s[iu]n\w{0,4}|y?[iu]n(?:[iu]z)?"
)
"""What may stand behind the root of a Turkish noun or verb, in plain letters."""
_LESS = re.compile(r"(?<=\w{3})(?:s[iu]z|l[iu]|y)\Z")
_WITHOUT = re.compile(r"\b(?:no|without)\b|\w{3}s[iu]z\b")
"""What asks for something without another thing neither orders nor forbids that by its verb."""


class Revocation(NamedTuple):
    """What a sentence takes back, and the words for what that was about.

    A "duty", a "ban", either ("any"), a duty that is forbidden from now on ("stop"), or a ban perhaps for this once
    ("may"); what it takes back may itself forbid something: "stop quoting without VAT".
    """

    kind: str
    about: frozenset[str]
    forbids: bool


def takes_back(earlier: str, later: str) -> bool:
    """Whether a later text takes back an order given before."""
    given = _orders(earlier)
    return bool(given and replaced(given, _orders(later))) or lifts(earlier, later)


def lifts(earlier: str, later: str) -> bool:
    """Whether a later text lifts an order, or forbids what was ordered, or orders what was forbidden."""
    if _beginnings(earlier).isdisjoint(_beginnings(later)):
        return False
    taken = revocations(later)
    turned = _forbids(earlier) != _forbids(later) and _is_order(later)
    if not (taken or turned) or not _is_order(earlier):
        return False
    return any(_is_lifted_by(earlier, one) for one in taken) or (turned and _is_of_same(earlier, later))


def _is_lifted_by(earlier: str, one: Revocation) -> bool:
    """Whether an order is of what a revocation names, and of nothing else."""
    is_ban = one.kind in ("ban", "may")
    if one.kind != "any" and not _WITHOUT.search(plain(earlier)) and is_ban != (_forbids(earlier) and not one.forbids):
        return False
    if one.kind == "may" and not _all_said(_order_about(earlier), one.about):
        return False
    parts = _parts(earlier)
    is_whole = len(parts) < 2 or all(any(_is_said(word, one.about) for word in part) for part in parts)
    return is_whole and _all_said(one.about, _words(earlier[:TEXT_MAX]))


@lru_cache(maxsize=1 << 10)
def _parts(text: str) -> tuple[frozenset[str], ...]:
    """The words of each thing an order asks for: of "keep it short and use no emojis" there are two."""
    found: list[frozenset[str]] = []
    for sentence in filter(_is_order, sentences(compose(text[:TEXT_MAX]))):
        words, languages = patterns.read(sentence)
        for language in languages:
            parts = patterns.any_of(f"order-joins.{language}").split(words)
            found.extend(about for part in parts if (about := _about(part, language)))
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def _beginnings(text: str) -> frozenset[str]:
    """How the words begin that say what an order is about; two that share none are about different things."""
    little = [_little(language) for language in patterns.read(text[:TEXT_MAX]).languages]
    words = _words(text[:TEXT_MAX]).difference(*little)
    return frozenset(word[:_WORD_MIN] for word in words if len(word) >= _WORD_MIN)


@cache
def _little(language: str) -> frozenset[str]:
    """Words that say little of what an order is about."""
    return frozenset(" ".join(lists.entries(f"order-words.{language}")).split())


@lru_cache(maxsize=1 << 10)
def _is_order(text: str) -> bool:
    return standing(text) is Kind.INSTRUCTION


def answer_attributes(text: str) -> tuple[str, ...]:
    """Of what of every answer a text orders how it is to be: its language, length, units, format."""
    return tuple(order.attribute for order in _orders(text))


def _is_of_same(earlier: str, later: str) -> bool:
    """Whether two orders are about the same, by all their words."""
    one, other = _order_about(earlier), _order_about(later)
    return bool(one) and _all_said(one, other) and _all_said(other, one)


@lru_cache(maxsize=1 << 10)
def _order_about(text: str) -> frozenset[str]:
    """The words that say what a standing order is about."""
    of_each = (_about(text[:TEXT_MAX], language) for language in patterns.read(text[:TEXT_MAX]).languages)
    return reduce(frozenset.intersection, of_each)


@lru_cache(maxsize=1 << 10)
def _forbids(text: str) -> bool:
    return patterns.found("forbids", text[:TEXT_MAX])


def allows_only(text: str) -> bool:
    """Whether a text orders nothing but that an order holds no longer: it may, it need not, forget it."""
    found = revocations(text)
    if not found or any(one.kind == "stop" for one in found):
        return False
    rest = (sentence for sentence in sentences(compose(text[:TEXT_MAX])) if not revocations(sentence))
    return not any(_is_order(sentence) for sentence in rest)


@lru_cache(maxsize=1 << 10)
def revocations(text: str) -> tuple[Revocation, ...]:
    """What the sentences of a text take back."""
    found: list[Revocation] = []
    for sentence in sentences(compose(text[:TEXT_MAX])):
        if is_question(sentence):
            continue
        words, languages = patterns.read(sentence)
        for language in (one for one in languages if patterns.may_match("revoking", one, words)):
            for kind, pattern in patterns.labelled(f"revoking.{language}"):
                match = pattern.search(words)
                about = _about(match["what"], language) if match else None
                if match and about:
                    found.append(Revocation(kind, about, _forbids(match["what"])))
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def _orders(text: str) -> tuple[Order, ...]:
    said = sentences(text[:TEXT_MAX])
    return orders(said, said)  # who asks knows it for an order


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(plain(compose(text))))


def _about(said: str, language: str) -> frozenset[str]:
    """The words that say what an order is about; the shortest, as of "Ms. D", only where there are no others."""
    little = _little(language)
    all_words = _words(said)
    words = [word for word in all_words if len(word) >= _WORD_MIN] or list(all_words)
    if language == "tr":
        return frozenset(word for word in words if not any(_is_with_ending(word, one) for one in little))
    return frozenset(word for word in words if word not in little)


def _all_said(words: frozenset[str], said: frozenset[str]) -> bool:
    return all(_is_said(word, said) for word in words)


def _is_said(word: str, said: frozenset[str]) -> bool:
    """Whether a word stands among others, whatever endings it has: test, tests; önerme, önerebilirsin."""
    if len(word) < _WORD_MIN:
        return word in said
    return any(_is_same(word, other) for other in said if len(other) >= _WORD_MIN)


def _is_same(word: str, other: str) -> bool:
    """Whether two words, in plain letters, are forms of one, English or Turkish: test, tests; tuzlu, tuzsuz."""
    if any(stem(word, language) == stem(other, language) for language in ("en", "tr")):
        return True
    short, long = sorted((_LESS.sub("", word), _LESS.sub("", other)), key=len)
    return _is_with_ending(long, short)


def _is_with_ending(word: str, root: str) -> bool:
    return word.startswith(root) and _ENDING_TR.fullmatch(word, len(root)) is not None
