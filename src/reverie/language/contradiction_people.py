"""Of whom a statement speaks, apart from its speaker: pronouns, and relations with what tells them apart.

In: the words of a statement. Out: the people: "he", "old sister".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise, takewhile

from reverie.language import kin, lists
from reverie.language.contradiction_values import Token
from reverie.language.contradiction_words import grammar, patterns
from reverie.language.letters import plain

_DESCRIBED_MAX = 4
"""So many words before a relation may tell which one it is."""
_SPEAKER = re.compile(r"\b(?:i|we)\b")
_NAMED_BEHIND = re.compile(r",? [A-ZÇĞİÖŞÜ][^\W\d]+\b(?!['’][dty])")
_AT_PLACE_TR = re.compile(r"['’][dt][ae]n?\Z")


def people(tokens: Sequence[Token], language: str) -> frozenset[str]:
    """Of whom the words speak, apart from the speaker: pronouns, and relations with what tells them apart."""
    return frozenset(
        " ".join((*_which(tokens, place), found))
        for place, token in enumerate(tokens)
        if (found := who(token.plain, language))
    )


def _which(tokens: Sequence[Token], place: int) -> list[str]:
    """What tells which one a relation is: my *older* sister, the cousin *in Oslo*, *üst kattaki* komşum."""
    if tokens[place].plain in grammar("people pronouns"):
        return []
    before = takewhile(_is_describing, reversed(tokens[max(0, place - _DESCRIBED_MAX) : place]))
    found = [token.term or token.plain for token in before]
    behind = [token.plain for token in tokens[place + 1 : place + 2]]
    if not grammar("behind people").isdisjoint(behind):
        found += [token.term or token.plain for token in tokens[place + 1 : place + 4] if token.term][:1] or behind
    return sorted(found)


def _is_describing(token: Token) -> bool:
    """Whether a word before a relation may tell which: none is an article, nor a place where something is."""
    return bool(token.term or token.plain in grammar("fresh")) and not _AT_PLACE_TR.search(plain(token.raw))


def called(tokens: Sequence[Token], language: str) -> frozenset[str]:
    """The terms of the names that stand right behind a relation: my husband *Mert*, eşim *Mert*."""
    return frozenset(
        name.term
        for who, name in pairwise(tokens)
        if is_relation(who, language) and name.term and name.raw[:1].isupper() and name.raw.isalpha()
    )


def is_relation(token: Token, language: str) -> bool:
    """Whether a word says who somebody is to the speaker; a pronoun does not."""
    return bool(people([token], language)) and token.plain not in grammar("people pronouns")


def is_same_owner(old: frozenset[str], new: frozenset[str]) -> bool:
    """Whether the later of two owners is sure to be the earlier: my husband Mert, then Mert, or my husband."""
    if old == new or not new < old:
        return old == new
    rest = old - new
    if len(new) == 1 and new <= grammar("only one"):
        return rest.isdisjoint(_all())
    return not any(who.split()[-1] in _all() for who in new) and all(who.split()[-1] in _all() for who in rest)


def is_one_of_several(text: str, folded: str, language: str) -> bool:
    """Whether a statement of somebody else is of one of whom one has several, without a name: my cousin, amcam."""
    found = patterns("several", language).search(folded)
    if found is None or (language == "en" and _SPEAKER.search(folded[: found.start()])):
        return False
    return not _NAMED_BEHIND.match(text[found.end() :])


def who(word: str, language: str) -> str:
    """Who a word, in lower case without diacritics, says somebody is: kin, or another; "" for none."""
    return kin.owned_kin(word, language) or _others(language).get(word, "")


@cache
def _others(language: str) -> Mapping[str, str]:
    """Those who are no kin, by the forms of their word."""
    table = lists.table(f"contradiction-relations.{language}")
    return {form: who for who, forms in table.items() for form in forms}


@cache
def _all() -> frozenset[str]:
    """All whom a word may say, of both languages."""
    return frozenset().union(*(kin.people(language) | {*_others(language).values()} for language in ("en", "tr")))
